"""Ways to cut a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firsthit.demo import FILES
from firsthit.demo.chunking import Chunk, sections, sentences, whole, windows

DOCUMENTS = sorted((FILES / "documents").glob("*.md"))
WAYS = [sections, sentences, windows, whole]


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "tea.md"
    path.write_text("# Tea\n\n## Price\nIt costs £3.50. Is that much? No!\n\n## Café ☕\nWe have one.\n")
    return path


@pytest.mark.parametrize("cut", WAYS)
def test_each_chunk_is_the_piece_of_its_document_that_it_names(cut: Callable[[Path], list[Chunk]]) -> None:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for chunk in cut(document):
            assert chunk["source"] == document.name
            assert text[int(chunk["start"]) : int(chunk["end"])] == chunk["text"] != ""


@pytest.mark.parametrize("cut", WAYS)
def test_chunks_follow_each_other_without_overlap_under_ids_of_their_own(
    cut: Callable[[Path], list[Chunk]],
) -> None:
    for document in DOCUMENTS:
        chunks = cut(document)
        ends = [int(chunk["end"]) for chunk in chunks]
        assert all(int(chunk["start"]) > end for chunk, end in zip(chunks[1:], ends, strict=False))
        assert len({chunk["doc_id"] for chunk in chunks}) == len(chunks)


def test_a_heading_belongs_to_the_first_sentence_below_it(document: Path) -> None:
    texts = [chunk["text"] for chunk in sentences(document)]
    assert texts == ["Price\nIt costs £3.50.", "Is that much?", "No!", "Café ☕\nWe have one."]


def test_sections_and_sentences_hold_the_same_words() -> None:
    for document in DOCUMENTS:
        assert _words(sections(document)) == _words(sentences(document))


def test_windows_have_the_number_of_words_but_for_the_last(document: Path) -> None:
    lengths = [len(str(chunk["text"]).split()) for chunk in windows(document, words=5)]
    assert lengths == [5, 5, 5, 2]


def test_a_whole_document_is_its_only_chunk(document: Path) -> None:
    [chunk] = whole(document)
    assert (chunk["doc_id"], chunk["start"], chunk["end"]) == ("tea.md", 0, len(document.read_text()))


def test_offsets_count_code_points_not_bytes(document: Path) -> None:
    last = sentences(document)[-1]
    assert (last["start"], last["end"]) == (54, 73)


def _words(chunks: list[Chunk]) -> list[str]:
    return " ".join(str(chunk["text"]) for chunk in chunks).split()
