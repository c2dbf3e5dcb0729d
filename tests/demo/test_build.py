"""The shipped files are what the judgments, the ways to cut and the two systems really give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firsthit.demo import FILES, write_files
from firsthit.demo.build import build

MADE = sorted(
    path.relative_to(FILES)
    for path in FILES.rglob("*.*")
    if path.suffix != ".md"
    and path.name
    not in {
        "labels.jsonl",
        "queries.jsonl",
        "short-answers.jsonl",
        "answers-bm25.jsonl",
        "answers-dense.jsonl",
    }
)


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    write_files(folder)
    for name in MADE:
        (folder / name).unlink()
    build(folder)
    return folder


@pytest.mark.parametrize("name", MADE, ids=str)
def test_a_shipped_file_can_be_made_again(name: Path, made_again: Path) -> None:
    assert (made_again / name).read_bytes() == (FILES / name).read_bytes()


@pytest.mark.parametrize("corpus", ["chunks", "revised", "repeated"])
def test_the_rankings_of_a_corpus_name_its_passages(corpus: str) -> None:
    passages = {json.loads(line)["doc_id"] for line in _lines(FILES / corpus / "passages.jsonl")}
    for run in (FILES / corpus).glob("*.run"):
        assert {line.split()[2] for line in _lines(run)} <= passages


@pytest.mark.parametrize("corpus", ["revised", "repeated"])
def test_the_passages_of_a_corpus_are_pieces_of_its_documents(corpus: str) -> None:
    for line in _lines(FILES / corpus / "passages.jsonl"):
        passage = json.loads(line)
        own = FILES / corpus / "documents" / passage["source"]
        document = own if own.is_file() else FILES / "documents" / passage["source"]
        text = document.read_text(encoding="utf-8")
        assert text[passage["start"] : passage["end"]] == passage["text"]


def test_no_passage_of_the_revised_collection_kept_its_id() -> None:
    before, after = (
        {json.loads(line)["doc_id"] for line in _lines(FILES / name / "passages.jsonl")}
        for name in ("", "revised")
    )
    assert not before & after


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()
