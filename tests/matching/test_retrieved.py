"""Whole rankings joined with labels give the hits that a match gives; passages come along."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit import InputError
from firsthit.files.blocks import Blocks
from firsthit.formats import recognise
from firsthit.matching.hits import Hits
from firsthit.matching.match import match
from firsthit.matching.retrieved import Retrieved, retrieve
from firsthit.qrels import Qrels, read_qrels
from firsthit.rules import Rules
from firsthit.run import Run, TextFile, read_run

ARRAYS = ("query", "rank", "label", "tie_first", "tie_last", "retrieved")
HEAD = ("offsets", "record", "label")


def text_run(text: str | bytes) -> Run:
    blocks = Blocks.of_bytes(text if isinstance(text, bytes) else text.encode(), "run")
    return TextFile("run", recognise(blocks, "run"), blocks)


def assert_equal_hits(found: Hits, wanted: Hits) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name), name)
    assert (found.head is None) == (wanted.head is None)
    if found.head is not None and wanted.head is not None:
        for name in HEAD:
            np.testing.assert_array_equal(getattr(found.head, name), getattr(wanted.head, name), name)
        assert found.head.ids == wanted.head.ids


QUERIES, DOCS = [f"q{i}" for i in range(5)], [f"d{i}" for i in range(7)]
ROWS = st.lists(
    st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCS), st.sampled_from([1.0, 2.0, 2.5])), max_size=40
)
RULES = st.builds(
    Rules,
    ties=st.sampled_from(["docid-desc", "docid-asc", "given"]),
    duplicates=st.sampled_from(["best", "first", "last", "keep"]),
    order=st.sampled_from(["score", "rank", "given"]),
    self_hits=st.sampled_from(["keep", "drop"]),
    empty_run=st.just("score"),
)


def trec(rows: list[tuple[str, str, float]]) -> str:
    return "".join(f"{q} Q0 {d} {at} {s} t\n" for at, (q, d, s) in enumerate(rows, 1))


def jsonl(rows: list[tuple[str, str, float]]) -> str:
    keys = ("query_id", "doc_id", "score", "rank")
    return "".join(
        json.dumps(dict(zip(keys, (*row, at), strict=True))) + "\n" for at, row in enumerate(rows, 1)
    )


def csv(rows: list[tuple[str, str, float]]) -> str:
    return "query_id,doc_id,score,rank\n" + "".join(
        f"{q},{d},{s},{at}\n" for at, (q, d, s) in enumerate(rows, 1)
    )


def table(rows: list[tuple[str, str, float]]) -> Any:
    columns: list[Any] = list(zip(*rows, strict=True)) or [[], [], []]
    query, doc, score = (
        pa.array(list(c), t) for c, t in zip(columns, (pa.string(), pa.string(), pa.float64()), strict=True)
    )
    return pa.table(
        {"query_id": query, "doc_id": doc, "score": score, "rank": pa.array(range(1, len(rows) + 1))}
    )


RUNS: Mapping[str, Any] = {
    "trec": lambda rows: text_run(trec(rows)),
    "jsonl": lambda rows: text_run(jsonl(rows) or "\n"),
    "csv": lambda rows: text_run(csv(rows)),
    "arrow": lambda rows: read_run(table(rows)),
}


@pytest.mark.parametrize("name", RUNS)
def test_labels_of_documents_give_the_hits_of_a_match(name: str) -> None:
    labels = st.dictionaries(
        st.sampled_from([*QUERIES, "other"]),
        st.dictionaries(st.sampled_from([*DOCS, "x"]), st.just(1)),
        min_size=1,
    ).filter(lambda drawn: any(drawn.values()))

    @given(ROWS, labels, RULES, st.sampled_from([0, 1, 3, 100]), st.booleans())
    @settings(max_examples=settings().max_examples * 2)
    def check(rows: Any, given_labels: Any, rules: Rules, depth: int, sort: bool) -> None:
        rows = sorted(rows, key=lambda row: row[0]) if sort else rows
        if name == "jsonl" and not rows:
            return
        qrels, run = read_qrels(given_labels), RUNS[name](rows)
        wanted = match(qrels, run, rules=rules, depth=depth)
        found = retrieve(qrels, run, rules=rules, threads=2).hits(qrels, depth)
        assert_equal_hits(found, wanted)

    check()


def test_a_document_labelled_for_several_needs_hits_once_for_each() -> None:
    labels = "query_id,doc_id,grade,need\nq1,b,1,x\nq1,b,1,y\nq1,a,0,x\n"
    qrels = qrels_of(labels)
    run = read_run({"q1": {"a": 3.0, "b": 2.0, "c": 2.0}})
    assert_equal_hits(retrieve(qrels, run).hits(qrels, 2), match(qrels, run, depth=2))


def qrels_of(text: str, tmp: list[Path] | None = None) -> Qrels:
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(text)
        file.flush()
        return read_qrels(file.name)


@pytest.mark.parametrize("run", [{"q1": ["a", "b"], "q2": []}, {"q1": {"a": 1.0}, "q2": {}}])
def test_mappings_have_ids_and_empty_rankings(run: Any) -> None:
    qrels = read_qrels({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"b": 1}})
    found = retrieve(qrels, read_run(run), columns=("source", "text"))
    assert found.retrieved.tolist()[1:] == [0, -1]
    assert found.passages.source is None
    assert found.passages.text is None
    assert_equal_hits(found.hits(qrels, 5), match(qrels, read_run(run), depth=5))


PASSAGES = [
    {
        "query_id": "q1",
        "doc_id": "a#0",
        "score": 3,
        "source": "a",
        "start": 0,
        "end": 10,
        "text": "One \u00e9.",
        "tokens": 3,
    },
    {
        "query_id": "q1",
        "doc_id": "b#0",
        "score": 3,
        "source": "b",
        "start": "5",
        "end": "9",
        "text": 'Say "two"',
    },
    {"query_id": "q2", "doc_id": "c#0", "score": 1},
    {"query_id": "q9", "doc_id": "b#0", "score": 1, "source": "b", "tokens": 7},
]


def passage_lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def retrieved(text: str | bytes, **arguments: Any) -> Retrieved:
    arguments = {"columns": ("source", "start", "end", "text", "tokens"), **arguments}
    return retrieve(read_qrels({"q1": {"a#0": 1}, "q2": {"c#0": 1}}), text_run(text), **arguments)


def test_passages_come_with_what_any_row_says_of_them() -> None:
    found = retrieved(passage_lines(PASSAGES))
    passages = found.passages
    assert list(passages.doc_ids) == ["b#0", "a#0", "c#0"]
    assert found.tied.tolist() == [False, True, False]
    assert (found.passage.tolist(), found.offsets.tolist()) == ([0, 1, 2], [0, 2, 3])
    assert passages.source is not None
    assert passages.text is not None
    assert list(passages.source) == ["b", "a", ""]
    assert list(passages.text) == ['Say "two"', "One \u00e9.", ""]
    assert [passages.start.tolist(), passages.end.tolist()] == [[5, 0, -1], [9, 10, -1]]  # type: ignore[union-attr]
    assert passages.tokens is not None
    assert passages.tokens.tolist() == [7, 3, -1]
    assert passages.line is not None
    assert passages.line.tolist() == [2, 1, 3]


def test_only_the_columns_asked_for_are_there() -> None:
    passages = retrieved(passage_lines(PASSAGES), columns=("source",)).passages
    assert passages.source is not None
    assert [passages.start, passages.end, passages.text, passages.tokens] == [None] * 4


def test_a_compressed_run_and_a_csv_file_give_the_same_passages() -> None:
    columns = ("query_id", "doc_id", "score", "source", "start", "end", "text", "tokens")
    header = ",".join(columns) + "\n"
    rows = [",".join('"' + str(row.get(c, "")).replace('"', '""') + '"' for c in columns) for row in PASSAGES]
    wanted = retrieved(passage_lines(PASSAGES)).passages
    for text in (gzip.compress(passage_lines(PASSAGES).encode()), header + "\n".join(rows)):
        found = retrieved(text).passages
        assert (found.doc_ids, found.source, found.text) == (wanted.doc_ids, wanted.source, wanted.text)
        np.testing.assert_array_equal(found.tokens, wanted.tokens)


def test_rows_of_one_passage_that_contradict_each_other_are_refused_with_both_lines() -> None:
    rows = [*PASSAGES, {"query_id": "q2", "doc_id": "a#0", "score": 0.5, "source": "b.md", "start": 0.0}]
    with pytest.raises(InputError) as caught:
        retrieved(passage_lines(rows))
    assert "line 5: passage 'a#0' has source 'b.md', and 'a' before (line 1)" in caught.value.message
    assert "one passage" in caught.value.hint
    retrieved(passage_lines(rows), columns=("start",))  # 0 and 0.0 are one number


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ({"start": -1}, "line 1: the start is not a whole number of 0 or more: '-1'"),
        ({"end": 2.5}, "line 1: the end is not a whole number of 0 or more: '2.5'"),
        ({"tokens": "many"}, "line 1: tokens is not a whole number of 0 or more: 'many'"),
        ({"start": 2**53 + 2}, "line 1: the start is not a whole number of 0 or more: '9007199254740994'"),
        ({"source": ["a"]}, "line 1: the source has the wrong JSON type"),
        ({"text": 1.5}, "line 1: the text has the wrong JSON type"),
    ],
)
def test_what_cannot_be_a_span_or_a_text_is_refused(member: dict[str, Any], words: str) -> None:
    row = {"query_id": "q1", "doc_id": "a", "score": 1}
    with pytest.raises(InputError) as caught:
        retrieved(passage_lines([row | member, row]))
    assert words in caught.value.message


def test_a_null_is_no_value() -> None:
    row = {"query_id": "q1", "doc_id": "a", "score": 1, "source": None, "start": None, "text": None}
    passages = retrieved(passage_lines([row] * 1 + [row | {"doc_id": f"d{i}"} for i in range(40)])).passages
    assert [passages.source, passages.start, passages.text] == [None] * 3


def test_arrow_columns_say_what_passages_are() -> None:
    run = pa.table(
        {
            "query_id": ["q1", "q1", "q2"],
            "doc_id": ["a", "b", "a"],
            "score": [2.0, 1.0, 1.0],
            "source_id": ["s", None, None],
            "start": pa.array([0, None, 0], pa.int64()),
            "end": [5.0, float("nan"), 5.0],
            "text": pa.array(["x", "y", "x"]).dictionary_encode(),
            "tokens": pa.nulls(3),
        }
    )
    qrels = read_qrels({"q1": {"a": 1}, "q2": {"a": 1}})
    passages = retrieve(qrels, read_run(run), columns=("source", "start", "end", "text", "tokens")).passages
    assert passages.source is not None
    assert passages.text is not None
    assert (list(passages.source), list(passages.text)) == (["s", ""], ["x", "y"])
    assert [passages.start.tolist(), passages.end.tolist()] == [[0, -1], [5, -1]]  # type: ignore[union-attr]
    assert passages.tokens is None


def test_a_parquet_file_is_read_with_the_columns_asked_for(tmp_path: Path) -> None:
    from pyarrow import parquet

    columns = ("query_id", "doc_id", "score", "source", "text")
    rows = {column: [row.get(column) for row in PASSAGES] for column in columns}
    parquet.write_table(pa.table(rows), tmp_path / "run.parquet")
    qrels, run = read_qrels({"q1": {"a#0": 1}}), read_run(tmp_path / "run.parquet")
    found = retrieve(qrels, run, columns=("text",))
    assert found.passages.text is not None
    assert list(found.passages.text) == ['Say "two"', "One \u00e9."]
    assert found.passages.source is None
    assert_equal_hits(found.hits(qrels, 3), match(qrels, run, depth=3))


def test_hits_of_other_labels_over_the_same_queries_need_no_second_reading() -> None:
    qrels = read_qrels({"q1": {"z": 1}, "q2": {"c": 1}})
    run = read_run({"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}})
    found = retrieve(qrels, run)
    other = read_qrels({"q1": {"b": 1}, "q2": {"a": 1}})
    assert found.hits(other, 1).rank.tolist() == [2]
    assert found.hits(read_qrels({"q1": {}, "q2": {"x": 1}}).with_queries(["q1"]), 0).rank.tolist() == []


DPR = [
    {
        "question": "q1",
        "answers": ["two"],
        "ctxs": [
            {"id": "a", "title": "A", "text": "one", "score": "2.5", "has_answer": False},
            {"id": "b", "title": "B", "text": "two", "score": "3.5", "has_answer": True},
        ],
    },
    {"question": "q2", "answers": ["x"], "ctxs": []},
    {"question": "q3", "answers": ["x"], "ctxs": [{"id": "b", "title": "B", "text": "two", "score": "1"}]},
]


def test_a_dpr_result_brings_texts_and_flags() -> None:
    qrels, run = read_qrels({"q3": {"b": 1}, "q1": {"a": 1}, "q2": {"a": 1}}), text_run(json.dumps(DPR))
    found = retrieve(qrels, run, columns=("text", "has_answer"))
    assert found.passages.text is not None
    assert found.has_answer is not None
    assert dict(zip(found.passages.doc_ids, found.passages.text, strict=True)) == {"a": "one", "b": "two"}
    assert found.has_answer.tolist() == [-1, 1, 0]
    assert found.retrieved.tolist() == [1, 2, 0]
    assert_equal_hits(found.hits(qrels, 2), match(qrels, run, depth=2))
    assert retrieve(qrels, run, columns=("source",)).has_answer is None


def test_two_texts_of_one_document_in_a_dpr_result_are_refused() -> None:
    other = {"question": "q4", "ctxs": [{"id": "b", "text": "three", "score": 1}]}
    qrels = read_qrels({"q1": {"a": 1}})
    with pytest.raises(InputError, match="question 4: passage 'b' has text 'three', and 'two' before"):
        retrieve(qrels, text_run(json.dumps([*DPR, other])), columns=("text",))
    assert len(match(qrels, text_run(json.dumps([*DPR, other])))) == 1


def test_flags_of_a_dpr_result_follow_a_document_that_stands_twice() -> None:
    contexts = [{"id": "a", "text": "t", "score": 2 - at, "has_answer": at == 1} for at in range(2)]
    run = text_run(json.dumps([{"question": "q1", "ctxs": contexts}]))
    found = retrieve(
        read_qrels({"q1": {"a": 1}}), run, rules=Rules(duplicates="last"), columns=("has_answer",)
    )
    assert found.has_answer is not None
    assert found.has_answer.tolist() == [1]


def test_a_passage_that_ends_before_it_starts_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    rows = '{"query_id": "q1", "doc_id": "a", "score": 2, "source": "s", "start": 0, "end": 9}\n'
    path.write_text(rows + rows.replace('"a"', '"b"').replace('"start": 0', '"start": 50'))
    with pytest.raises(InputError, match="line 2: ends at 9, before its start at 50: 'b'"):
        retrieve(read_qrels({"q1": {"a": 1}}), read_run(path), columns=["source", "start", "end"])
