"""Texts of documents, from a corpus or from runs that carry texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from firsthit import InputError
from firsthit.passages import holds_texts, texts_of


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"doc_id": "a", "text": "One."}\n\n{"doc_id": "b", "text": "Two."}\n'),
        ("bom.jsonl", '\ufeff{"_id": "a", "text": "One."}\n{"_id": "b", "contents": "Two."}'),
        ("a.csv", 'doc_id,text\na,One.\nb,"Two."\n'),
        ("a.tsv", "docno\tbody\r\na\tOne.\r\nb\tTwo.\r\n"),
    ],
)
def test_texts_are_found_by_the_names_of_the_columns(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    assert texts_of(tmp_path / name, {"b", "z"}) == {"b": "Two."}
    assert holds_texts(tmp_path / name)


def test_a_title_stands_above_its_text(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"_id": "a", "title": "Head", "text": "Body"}\n')
    assert texts_of(tmp_path / "a.jsonl", {"a"}) == {"a": "Head\nBody"}


def test_the_first_text_of_a_document_counts(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("doc_id,text\na,first\na,second\n")
    assert texts_of(tmp_path / "a.csv", {"a"}) == {"a": "first"}


def test_a_quoted_text_may_span_lines(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('doc_id,text\na,"one\ntwo"\n')
    assert texts_of(tmp_path / "a.csv", {"a"}) == {"a": "one\ntwo"}


def test_compressed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"doc_id": "a", "text": "One."}\n'))
    assert texts_of(tmp_path / "a.jsonl.gz", {"a"}) == {"a": "One."}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"doc_id": "a"}\n', "line 1: has no text"),
        ("doc_id,text\na,x\n,y\n", "line 3: has no doc_id"),
        ('{"doc_id": "a", "text": "x"}\n{"doc', "line 2: is no JSON object"),
    ],
)
def test_what_holds_no_texts_is_refused_with_its_line(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a.txt").write_text(content)
    with pytest.raises(InputError, match=said):
        texts_of(tmp_path / "a.txt", {"a"})


def test_a_file_without_texts_is_seen_to_have_none(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq,a,1\n")
    assert not holds_texts(tmp_path / "run.csv")
