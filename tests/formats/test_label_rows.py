"""Label files that point at sources, spans and quotes: what is read, one row a key, and bad rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from firsthit.errors import InputError
from firsthit.labels import read_label_file
from firsthit.qrels import Qrels, read_qrels
from firsthit.queries import read_queries
from firsthit.rules import Rules

ROWS: list[dict[str, Any]] = [
    {"query_id": "q1", "doc_id": "a", "grade": 2, "need": "policy", "kind": "human", "assessor": "ann"},
    {"query_id": "q1", "source": "terms", "grade": 1, "start": 3, "end": 9, "quote": "five days"},
    {"query_id": "q2", "source": "faq", "grade": 0.5, "note": "why?", "at": "yesterday"},
    {"query_id": "q2", "quote": "naïve 👍🏽", "grade": 1},
]
COLUMNS = (
    "query_id",
    "doc_id",
    "source",
    "grade",
    "need",
    "start",
    "end",
    "quote",
    "kind",
    "assessor",
    "note",
)


def written(folder: Path, rows: list[dict[str, Any]], name: str = "labels.jsonl") -> Path:
    path = folder / name
    if name.endswith("jsonl"):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        by = "\t" if name.endswith("tsv") else ","
        lines = [by.join(COLUMNS), *(by.join(str(row.get(c, "")) for c in COLUMNS) for row in rows)]
        path.write_text("\n".join(lines))
    return path


def rows_of(qrels: Qrels) -> list[tuple[Any, ...]]:
    evidence, need = qrels.evidence, qrels.need
    assert evidence is not None
    assert need is not None
    spans = zip(evidence.start.tolist(), evidence.end.tolist(), strict=True)
    queries = qrels.query_ids.take(qrels.query)
    columns = (queries, qrels.doc_ids, evidence.source, spans, evidence.quote, evidence.kind, need)
    return list(zip(*columns, qrels.grade.tolist(), strict=True))


EXPECTED = [
    ("q1", "a", "", (-1, -1), "", "human", "policy", 2.0),
    ("q1", "", "terms", (3, 9), "five days", "", "", 1.0),
    ("q2", "", "faq", (-1, -1), "", "", "", 0.5),
    ("q2", "", "", (-1, -1), "naïve 👍🏽", "", "", 1.0),
]


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.csv", "labels.tsv"])
def test_every_text_format_reads_what_labels_point_at(tmp_path: Path, name: str) -> None:
    qrels = read_qrels(written(tmp_path, ROWS, name))
    assert rows_of(qrels) == EXPECTED
    assert not qrels.by_doc_id


@pytest.mark.parametrize("make", [pl.DataFrame, pa.Table.from_pylist], ids=["polars", "arrow"])
def test_tables_read_what_labels_point_at(make: Any) -> None:
    full = [{column: row.get(column) for column in COLUMNS} for row in ROWS]
    for row in full:
        row["grade"] = float(row["grade"] or 0)
    assert rows_of(read_qrels(make(full))) == EXPECTED


def test_parquet_reads_what_labels_point_at(tmp_path: Path) -> None:
    full = [{column: row.get(column) for column in COLUMNS} for row in ROWS]
    for row in full:
        row["grade"] = float(row["grade"] or 0)
    pq.write_table(pa.Table.from_pylist(full), tmp_path / "labels.parquet")
    assert rows_of(read_qrels(tmp_path / "labels.parquet")) == EXPECTED
    assert [row.record.get("note") for row in read_label_file(tmp_path / "labels.parquet").rows][2] == "why?"


def test_labels_of_documents_alone_carry_no_evidence(tmp_path: Path) -> None:
    qrels = read_qrels(written(tmp_path, [{"query_id": "q1", "doc_id": "a", "grade": 1, "note": "x"}]))
    assert (qrels.evidence, qrels.need, qrels.by_doc_id) == (None, None, True)


def test_null_and_empty_are_nothing(tmp_path: Path) -> None:
    row = {
        "query_id": "q1",
        "doc_id": "a",
        "grade": 1,
        "source": None,
        "start": None,
        "need": "",
        "quote": "",
    }
    assert read_qrels(written(tmp_path, [row])).evidence is None


def label(**more: Any) -> dict[str, Any]:
    return {"query_id": "q1", "source": "s", "grade": 1} | more


BAD = {
    "ends at 3, before its start: '9'": label(start=9, end=3),
    "ends where it starts: it is empty: '3'": label(start=3, end=3),
    "has a start and no end": label(start=3),
    "has an end and no start": label(end=3),
    "start is not a whole number of 0 or more: '-1'": label(start=-1, end=3),
    "start is not a whole number of 0 or more: '1.5'": label(start=1.5, end=3),
    "end is not a whole number of 0 or more: '1e+300'": label(start=1, end=1e300),
    "has a span, and no source that it is a part of": label(source="", quote="x", start=1, end=2),
    "has no doc_id, source or quote": label(source=""),
    "kind is not one of human, answer-string, llm, imported: 'robot'": label(kind="robot"),
}


@pytest.mark.parametrize(("what", "row"), BAD.items(), ids=BAD.keys())
def test_bad_rows_are_refused_with_their_line(tmp_path: Path, what: str, row: dict[str, Any]) -> None:
    path = written(tmp_path, [label(), row])
    with pytest.raises(InputError) as error:
        read_qrels(path)
    if "1e+300" not in what:
        assert str(error.value).splitlines()[0] == f"{path}: line 2: {what}"


def test_bad_rows_are_reported_together_and_the_first_twenty_are_shown(tmp_path: Path) -> None:
    rows = [label(query_id=f"q{i}", start=2, end=1) for i in range(25)]
    with pytest.raises(InputError) as error:
        read_qrels(written(tmp_path, rows))
    assert (len(error.value.problems), error.value.total) == (20, 25)


def test_rows_of_a_source_are_one_by_source_span_and_quote(tmp_path: Path) -> None:
    rows = [
        label(),
        label(),
        label(start=1, end=2),
        label(start=1, end=3),
        label(quote="x"),
        label(source="t"),
    ]
    qrels = read_qrels(written(tmp_path, rows))
    assert (len(qrels), qrels.collapsed) == (5, 1)
    assert qrels.first_row.tolist() == list(range(5))


def test_a_document_is_one_whatever_its_label_quotes(tmp_path: Path) -> None:
    rows = [label(doc_id="a", quote="x"), label(doc_id="a", quote="y")]
    assert len(read_qrels(written(tmp_path, rows))) == 1


def test_assessors_who_agree_are_one_and_others_are_named(tmp_path: Path) -> None:
    rows = [label(assessor="ann", need="p"), label(assessor="bob", need="p")]
    assert read_qrels(written(tmp_path, rows)).collapsed == 1
    rows[1]["grade"] = 0
    path = written(tmp_path, rows)
    with pytest.raises(InputError) as error:
        read_qrels(path)
    assert str(error.value).splitlines()[0] == (
        f"{path}: line 2: source 's' of query 'q1' has grade 0 from 'bob' for need 'p', "
        "and 1 from 'ann' before (first on line 1)"
    )
    assert read_qrels(path, rules=Rules(conflicts="last")).grade.tolist() == [0]
    assert read_qrels(path, rules=Rules(conflicts="max")).grade.tolist() == [1]


def test_a_column_called_need_is_always_read(tmp_path: Path) -> None:
    rows = [label(need="policy"), label(need="exception"), label(subtopic="other")]
    assert read_qrels(written(tmp_path, rows)).need == ("policy", "exception", "other")


def test_a_column_called_iter_is_read_when_asked_for(tmp_path: Path) -> None:
    rows = [label(doc_id="a", iter="1"), label(doc_id="b", iter="2")]
    path = written(tmp_path, rows)
    assert read_qrels(path).need is None
    assert read_qrels(path, rules=Rules(needs="iter")).need == ("1", "2")


def test_queries_added_to_labels_of_sources_change_no_row(tmp_path: Path) -> None:
    qrels = read_qrels(written(tmp_path, ROWS))
    more = qrels.with_queries(["q9", "q1"])
    assert rows_of(more) == EXPECTED
    assert list(more.query_ids) == ["q1", "q2", "q9"]
    assert more.first_row.tolist() == qrels.first_row.tolist()


def test_the_needs_of_a_queries_file_are_required(tmp_path: Path) -> None:
    table = tmp_path / "queries.jsonl"
    table.write_text('{"query_id": "q1", "needs": ["policy", "fee"]}\n{"query_id": "q2"}\n')
    qrels = read_qrels(written(tmp_path, ROWS)).with_needs(read_queries(table))
    assert dict(qrels.required) == {0: ("policy", "fee")}


def test_a_need_that_is_not_declared_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "queries.jsonl"
    table.write_text('{"query_id": "q1", "needs": ["fee"]}\n')
    path = written(tmp_path, [*ROWS, {"query_id": "q2", "doc_id": "a", "grade": 1, "need": "free"}])
    with pytest.raises(InputError) as error:
        read_qrels(path).with_needs(read_queries(table))
    assert str(error.value) == (
        f"{path}: line 1: query 'q1' declares no need 'policy', only fee\n"
        "Correct the label, or name the need in `needs` of that query in queries.jsonl."
    )


@pytest.mark.parametrize("key", ["query_text", "query", "question"])
def test_two_texts_for_one_query_are_refused(tmp_path: Path, key: str) -> None:
    rows = [label(**{key: "a fee?"}), label(source="t"), label(source="u", **{key: "A fee?"})]
    path = written(tmp_path, rows)
    with pytest.raises(InputError, match=r"line 3: query 'q1' has two texts: 'A fee\?' \(first on line 1\)"):
        read_qrels(path)
    rows[2][key] = "a fee?"
    assert len(read_qrels(written(tmp_path, rows))) == 3


def test_a_column_called_query_is_the_id_where_no_other_is(tmp_path: Path) -> None:
    rows = [{"query": "a fee?", "doc_id": "a", "grade": 1}, {"query": "b", "doc_id": "a", "grade": 1}]
    assert list(read_qrels(written(tmp_path, rows)).query_ids) == ["a fee?", "b"]


def test_a_label_file_keeps_every_column_of_every_row(tmp_path: Path) -> None:
    rows = [*ROWS, ROWS[0] | {"assessor": "bob", "url": "https://x.example/a b"}]
    file = read_label_file(written(tmp_path, rows))
    assert [row.written() for row in file.rows] == rows


def test_labels_in_csv_and_trec_are_kept_by_their_plain_names(tmp_path: Path) -> None:
    csv = tmp_path / "labels.csv"
    csv.write_text('qid,docno,rel,remark\nq1,"a,b",2,"see ""x"""\n')
    assert [row.written() for row in read_label_file(csv).rows] == [
        {"query_id": "q1", "doc_id": "a,b", "grade": 2, "remark": 'see "x"'}
    ]
    trec = tmp_path / "qrels.txt"
    trec.write_text("q1 Q0 a 1\nq1  3 b -1\n")
    assert [row.written() for row in read_label_file(trec).rows] == [
        {"query_id": "q1", "iter": "Q0", "doc_id": "a", "grade": 1},
        {"query_id": "q1", "iter": "3", "doc_id": "b", "grade": -1},
    ]


@pytest.mark.parametrize(
    ("number", "what"), [('"x"', "is not a decimal number: 'x'"), ("NaN", "is not a finite number")]
)
def test_a_start_that_is_no_number_is_not_called_a_grade(tmp_path: Path, number: str, what: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f'{{"query_id": "q1", "source": "a", "grade": 1, "start": {number}, "end": 3}}\n')
    with pytest.raises(InputError, match=f"line 1: the grade, start or end {what}"):
        read_qrels(path)
