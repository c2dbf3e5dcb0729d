"""Texts of documents, from a corpus or from runs that carry texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from firsthit import InputError
from firsthit.passages import holds_texts, read_passages, texts_of


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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"_id": "d#0", "title": "T", "text": "One.", "source": "d", "start": 0, "end": 4}\n'),
        ("a.csv", 'doc_id,source,start,end,text\nd#0,d,0,4,"One."\n'),
        ("a.tsv", "passage_id\tsource\tstart\tend\ttext\r\nd#0\td\t0\t4\tOne.\r\n"),
    ],
)
def test_passages_say_where_they_stand_and_what_they_say(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    found = read_passages(tmp_path / name)
    assert found.source is not None
    assert found.text is not None
    assert found.start is not None
    assert found.end is not None
    rows = list(zip(found.doc_ids, found.source, found.start, found.end, found.text, strict=True))
    assert rows == [("d#0", "d", 0, 4, "One.")]
    assert (found.name, found.notes, found.tokens) == (name, (), None)


def test_a_collection_without_header_holds_ids_and_texts(tmp_path: Path) -> None:
    (tmp_path / "collection.tsv").write_text("7\tThe first.\n8\tThe second.\n")
    found = read_passages(tmp_path / "collection.tsv")
    assert list(found.doc_ids) == ["7", "8"]
    assert found.text is not None
    assert list(found.text) == ["The first.", "The second."]
    assert found.line is not None
    assert found.line.tolist() == [1, 2]
    assert texts_of(tmp_path / "collection.tsv", {"8"}) == {"8": "The second."}


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ('{"doc_id": "a", "source": "s"}', "line 2: the doc_id stands twice: 'a' (first on line 1)"),
        (
            '{"doc_id": "a", "source": "t"}',
            "line 2: the passage 'a' has the source 't', and 's' before (first on line 1)",
        ),
        ('{"source": "s"}', "line 2: has no doc_id"),
        ('{"doc_id": "b", "start": 0, "end": 1}', "line 2: has start and end without a source: 'b'"),
        ('{"doc_id": "b", "source": "s", "start": 3}', "line 2: has start without end: 'b'"),
        ('{"doc_id": "b", "source": "s", "end": 3}', "line 2: has end without start: 'b'"),
        (
            '{"doc_id": "b", "source": "s", "start": 9, "end": 3}',
            "line 2: ends at 3, before its start at 9: 'b'",
        ),
        (
            '{"doc_id": "b", "source": "s", "start": -1, "end": 3}',
            "line 2: start is not a whole number of 0 or more: 'b'",
        ),
        ('{"doc_id": "b", "tokens": true}', "line 2: tokens is not a whole number of 0 or more: 'b'"),
    ],
)
def test_passages_that_cannot_be_used_are_refused_with_their_line(
    tmp_path: Path, second: str, said: str
) -> None:
    (tmp_path / "p.jsonl").write_text('{"doc_id": "a", "source": "s"}\n' + second + "\n")
    with pytest.raises(InputError) as caught:
        read_passages(tmp_path / "p.jsonl")
    assert str(caught.value).splitlines()[0] == f"{tmp_path}/p.jsonl: {said}"


def test_an_empty_file_of_passages_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("doc_id,text\n")
    with pytest.raises(InputError, match="holds no passages: it is empty"):
        read_passages(tmp_path / "p.csv")


def test_a_span_that_is_not_as_long_as_its_text_is_a_note(tmp_path: Path) -> None:
    rows = ['{"doc_id": "a", "source": "s", "start": 0, "end": 2, "text": "😀"}']
    rows += ['{"doc_id": "b", "source": "s", "start": 2, "end": 3, "text": "😀"}']
    (tmp_path / "p.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    notes = read_passages(tmp_path / "p.jsonl").notes
    assert notes == ("1 passage whose span is longer or shorter than the text, such as a",)
