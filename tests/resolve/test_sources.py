"""Which source a passage was cut from, and who says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit import InputError, UsageError
from firsthit.resolve.sources import Collection, read_sources
from tests.resolve.rankings import Passage, passages_of

RUN = passages_of([Passage("d#1"), Passage("d#x#2"), Passage("e")])


def sources(collection: Collection, passages: list[Passage]) -> list[str]:
    found = collection.filled(passages_of(passages)).source
    return [] if found is None else list(found)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.jsonl", '{"doc_id": "d-1", "source": "d"}\n'),
        ("s.csv", "doc_id,source\nd-1,d\nd-1,d\n"),
        ("s.tsv", "passage_id\tsource\r\nd-1\td\r\n"),
    ],
)
def test_sources_are_read_from_every_format(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, newline="")
    assert read_sources(tmp_path / name).source == {"d-1": "d"}


def test_a_mapping_with_two_sources_for_one_passage_is_refused_with_both_lines(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("doc_id\tsource\na\ts\nb\ts\na\tt\n")
    said = r"line 4: the passage 'a' has the source 't', and 's' before \(first on line 2\)"
    with pytest.raises(InputError, match=said):
        read_sources(tmp_path / "s.tsv")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("doc_id,source\na,\n", "line 2: has no source"),
        ("doc_id,source\n", "no line below its header"),
        ("", "it is empty"),
    ],
)
def test_a_file_without_sources_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "s.csv").write_text(content)
    with pytest.raises(InputError, match=said):
        read_sources(tmp_path / "s.csv")


def test_the_last_separator_cuts_and_an_id_without_it_is_its_own_source() -> None:
    assert list(Collection.of(separator="#").filled(RUN).source or ()) == ["d", "d#x", "e"]


def test_a_separator_that_cuts_no_id_is_a_note() -> None:
    assert Collection.of(separator="#").filled(RUN).notes == ()
    (note,) = Collection.of(separator="@").filled(RUN).notes
    assert note.startswith("the source separator '@' stands in none of the doc_ids of ")


def test_an_empty_separator_is_refused() -> None:
    with pytest.raises(UsageError, match="separator is empty"):
        Collection.of(separator="")


def test_sources_that_nobody_says_stay_unknown(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("doc_id\tsource\na\ts\n")
    collection = Collection.of(sources=tmp_path / "s.tsv")
    assert sources(collection, [Passage("a"), Passage("b"), Passage("c", "t")]) == ["s", "", "t"]
    assert collection.source_of(["a", "b", "c"], {"c": "t"}) == ["s", "b", "t"]


def test_two_voices_that_differ_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("doc_id\tsource\na#1\ts\n")
    collection = Collection.of(sources=tmp_path / "s.tsv", separator="#")
    with pytest.raises(InputError, match=r"'s' by s.tsv \(line 2\), and 'a' by the separator '#'"):
        collection.filled(passages_of([Passage("a#1")]))


def test_passages_of_a_file_fill_what_the_run_does_not_carry(tmp_path: Path) -> None:
    rows = ['{"doc_id": "a", "source": "s", "start": 0, "end": 3, "text": "one"}', '{"doc_id": "z"}']
    (tmp_path / "p.jsonl").write_text("\n".join(rows) + "\n")
    filled = Collection.of(tmp_path / "p.jsonl").filled(
        passages_of([Passage("a", "s"), Passage("b", "t", 5, 9)])
    )
    assert filled.start is not None
    assert filled.start.tolist() == [0, 5]
    assert filled.text is not None
    assert list(filled.text) == ["one", ""]
    assert list(filled.source or ()) == ["s", "t"]


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        (Passage("a", "t"), "the passage 'a' has the source 't' by passages, and 's' by p.jsonl"),
        (Passage("a", "s", 1, 3), "the passage 'a' has start 1, and 0 in p.jsonl"),
        (Passage("a", text="two"), "the passage 'a' has another text in p.jsonl"),
    ],
)
def test_what_a_run_and_a_file_say_differently_is_refused(
    tmp_path: Path, passage: Passage, said: str
) -> None:
    row = '{"doc_id": "a", "source": "s", "start": 0, "end": 3, "text": "one"}\n'
    (tmp_path / "p.jsonl").write_text(row)
    with pytest.raises(InputError, match=said):
        Collection.of(tmp_path / "p.jsonl").filled(passages_of([passage]))


def test_a_text_that_was_cut_or_wrapped_is_no_contradiction(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"doc_id": "a", "text": "One  two\\nthree"}\n')
    filled = Collection.of(tmp_path / "p.jsonl").filled(passages_of([Passage("a", text="one two")]))
    assert list(filled.text or ()) == ["one two"]
