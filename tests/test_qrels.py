"""Qrels: the same labels from every format, and one row for each key by the rules."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from firsthit.errors import FirsthitError, InputError, UsageError
from firsthit.qrels import Qrels, read_qrels
from firsthit.rules import Rules

ROWS = [("q1", "a", 2.0), ("q1", "b", 0.0), ("q2", "é 1", -1.0), ("q2", "c", 0.5)]


def rows(qrels: Qrels) -> list[tuple[str, str, float]]:
    queries = qrels.query_ids.take(qrels.query)
    return list(zip(queries, qrels.doc_ids, qrels.grade.tolist(), strict=True))


def lines(template: str) -> str:
    return "".join(template.format(q=q, d=d, g=g) + "\n" for q, d, g in ROWS)


TEXTS = {
    "trec-tab": lines("{q}\t0\t{d}\t{g}"),
    "csv": "query_id,doc_id,grade\n" + lines('{q},"{d}",{g}'),
    "semicolons": "qid;pid;rel\n" + lines("{q};{d};{g}"),
    "tsv": "query\tdocid\tlabel\tnote\n" + lines("{q}\t{d}\t{g}\tx"),
    "beir": "query-id\tcorpus-id\tscore\n" + lines("{q}\t{d}\t{g}"),
    "jsonl": "".join(json.dumps({"query_id": q, "doc_id": d, "relevance": g}) + "\n" for q, d, g in ROWS),
    "json": json.dumps({"q1": {"a": 2, "b": 0}, "q2": {"é 1": -1, "c": 0.5}}, indent=1),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
def test_every_text_format_gives_the_same_labels(tmp_path: Path, text: str, pack: Any) -> None:
    path = tmp_path / "labels"
    path.write_bytes(pack(text.encode()))
    assert rows(read_qrels(path)) == ROWS


def test_trec_labels_are_read_with_any_blanks(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_bytes(b"\xef\xbb\xbfq1 0 a 1\r\n\r\n  q1\t0 \t b  0.25 \r\nq2 Q0 c\t-2")
    qrels = read_qrels(path)
    assert rows(qrels) == [("q1", "a", 1.0), ("q1", "b", 0.25), ("q2", "c", -2.0)]
    assert (qrels.blank_lines, qrels.line.tolist(), qrels.need) == (1, [1, 3, 4], None)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("triples", "q1 a 2\nq1 b 0\n", [("q1", "a", 2.0), ("q1", "b", 0.0)]),
        ("pairs", "q1\ta\nq2\tb\n", [("q1", "a", 1.0), ("q2", "b", 1.0)]),
        ("trec", "q1 0 a 2\n", [("q1", "a", 2.0)]),
    ],
)
def test_a_format_can_be_named(tmp_path: Path, name: str, text: str, expected: list[Any]) -> None:
    path = tmp_path / "labels"
    path.write_text(text)
    assert rows(read_qrels(path, format=name)) == expected


FRAME = {
    "query_id": [q for q, _, _ in ROWS],
    "doc_id": [d for _, d, _ in ROWS],
    "grade": [g for _, _, g in ROWS],
}


@pytest.mark.parametrize(
    "table", [pa.table(FRAME), pl.DataFrame(FRAME), pd.DataFrame(FRAME)], ids=["arrow", "polars", "pandas"]
)
def test_tables_give_the_same_labels(table: Any) -> None:
    assert rows(read_qrels(table)) == ROWS


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_parquet_gives_the_same_labels(tmp_path: Path, pack: Any) -> None:
    pq.write_table(pa.table(FRAME), tmp_path / "plain")
    path = tmp_path / "labels"
    path.write_bytes(pack((tmp_path / "plain").read_bytes()))
    qrels = read_qrels(path)
    assert rows(qrels) == ROWS
    assert qrels.format.startswith("parquet (query_id from 'query_id'")


def test_parquet_without_pyarrow_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(pa.table(FRAME), tmp_path / "labels")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r'pip install "firsthit\[arrow\]"'):
        read_qrels(tmp_path / "labels")


def test_mappings_and_lists_are_labels() -> None:
    assert rows(read_qrels({"q1": {"a": 2, 5: np.float32(0)}})) == [("q1", "a", 2.0), ("q1", "5", 0.0)]
    assert rows(read_qrels({7: ["c"]})) == [("7", "c", 1.0)]


def test_labels_that_were_read_are_taken_as_they_are() -> None:
    qrels = read_qrels({"q1": ["a"]})
    assert read_qrels(qrels) is qrels


def test_equal_grades_collapse_and_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("q1 0 a 1\nq1 0 b 0\nq1 0 a 1.0\n")
    qrels = read_qrels(path)
    assert rows(qrels) == [("q1", "a", 1.0), ("q1", "b", 0.0)]
    assert (qrels.collapsed, qrels.overridden, qrels.line.tolist()) == (1, 0, [1, 2])


CONFLICT = "q1 0 a 1\nq2 0 z 1\nq1 0 a 3\nq1 0 a 2\nq2 0 z 1\n"


def test_different_grades_are_an_error_naming_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(CONFLICT)
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert [str(problem) for problem in caught.value.problems] == [
        "line 3: document 'a' of query 'q1' has grade 3, and 1 before (first on line 1)",
        "line 4: document 'a' of query 'q1' has grade 2, and 1 before (first on line 1)",
    ]
    assert "--conflicts last" in caught.value.hint


@pytest.mark.parametrize(("conflicts", "grade", "line"), [("last", 2.0, 4), ("max", 3.0, 3)])
def test_conflicts_are_resolved_by_the_rule(tmp_path: Path, conflicts: Any, grade: float, line: int) -> None:
    path = tmp_path / "labels"
    path.write_text(CONFLICT)
    qrels = read_qrels(path, rules=Rules(conflicts=conflicts))
    assert sorted(rows(qrels)) == [("q1", "a", grade), ("q2", "z", 1.0)]
    assert (qrels.collapsed, qrels.overridden) == (1, 2)
    assert line in qrels.line.tolist()


@pytest.mark.parametrize("conflicts", ["last", "max"])
def test_resolved_conflicts_leave_queries_numbered_by_first_appearance(conflicts: Any) -> None:
    table = pa.table({"query_id": ["q1", "q2", "q1"], "doc_id": ["a", "b", "a"], "grade": [1, 1, 2]})
    qrels = read_qrels(table, rules=Rules(conflicts=conflicts))
    assert list(qrels.query_ids) == ["q1", "q2"]
    assert rows(qrels) == [("q1", "a", 2.0), ("q2", "b", 1.0)]


NEEDS = "q1 1 a 1\nq1 1 b 0\nq1 2 a 0\nq1 2 a 0\n"


def test_needs_are_refused_until_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(NEEDS)
    with pytest.raises(InputError, match="stands for need '2', and for '1' before") as caught:
        read_qrels(path)
    assert "--needs iter" in caught.value.hint
    assert (caught.value.problems[0].line, caught.value.problems[0].other_line) == (3, 1)


def test_needs_keep_a_row_each(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(NEEDS)
    qrels = read_qrels(path, rules=Rules(needs="iter"))
    assert rows(qrels) == [("q1", "a", 1.0), ("q1", "b", 0.0), ("q1", "a", 0.0)]
    assert (qrels.need, qrels.collapsed, qrels.documents) == (("1", "1", "2"), 1, False)


def test_a_second_column_that_varies_between_documents_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("1 0.5  a 2\n1 1  b 1\n")
    qrels = read_qrels(path)
    assert (qrels.documents, qrels.need) == (True, None)
    assert qrels.notes == (
        "the labels' second column has several values, such as '0.5' and '1': it was ignored",
    )


def test_a_second_column_of_one_value_is_not_worth_a_word(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("1 Q0 a 2\n1 Q0 b 1\n")
    assert read_qrels(path).notes == ()


def test_needs_in_json_lines_may_be_absent(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(
        '{"query_id": "q1", "doc_id": "a", "grade": 1}\n'
        '{"query_id": "q1", "doc_id": "b", "grade": 1, "need": "rule"}\n'
    )
    assert read_qrels(path).need == ("", "rule")
    path.write_text(path.read_text().replace("need", "iter"))
    assert read_qrels(path, rules=Rules(needs="iter")).need == ("", "rule")
    assert read_qrels(path).notes == (
        "the labels' column iter (such as rule) is left aside; --needs iter reads needs from it",
    )


def test_comments_are_data_unless_they_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("# a pool\nq1 0 a 1\n#q 0 b 1\n")
    with pytest.raises(InputError, match="--comments skip"):
        read_qrels(path)
    qrels = read_qrels(path, rules=Rules(comments="skip"))
    assert (rows(qrels), qrels.comment_lines) == ([("q1", "a", 1.0)], 2)


@pytest.mark.parametrize("text", ["", "\n\n", "query_id,doc_id,grade\n", "{}", "\ufeff"])
def test_empty_labels_are_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "labels"
    path.write_text(text)
    with pytest.raises(InputError, match="empty"):
        read_qrels(path)


def test_queries_of_a_population_are_numbered_after_the_labelled_ones() -> None:
    qrels = read_qrels({"q2": ["a"], "q1": ["b"]}).with_queries(["q3", "q1", "q0", "q3"])
    assert list(qrels.query_ids) == ["q2", "q1", "q3", "q0"]
    assert (qrels.query.tolist(), len(qrels)) == ([0, 1], 2)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (Rules(), [1.7, 0.4, -0.5, -2.0]),
        (Rules(grades="truncate"), [1.0, 0.0, 0.0, -2.0]),
        (Rules(relevant="listed"), [1.0, 1.0, 1.0, 1.0]),
        (Rules(negative="nonrelevant"), [1.7, 0.4, 0.0, 0.0]),
    ],
)
def test_rules_make_grades_effective(rules: Rules, expected: list[float]) -> None:
    qrels = read_qrels({"q": {"a": 1.7, "b": 0.4, "c": -0.5, "d": -2}})
    assert qrels.graded(rules).grade.tolist() == expected


def test_arrays_are_read_only() -> None:
    qrels = read_qrels({"q": {"a": 1.7}})
    for array in (
        qrels.grade,
        qrels.query,
        qrels.line,
        qrels.first_row,
        qrels.graded(Rules(grades="truncate")).grade,
    ):
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ({"q1": {"a": "high"}}, "the value is a str"),
        ({"q1": 3}, "q1"),
        (3, "cannot be read from int"),
        ({"q1": {"a": float("nan")}}, "record 1: the grade is not a finite number"),
        (pa.table({"query_id": ["q"], "doc_id": ["d"]}), "no column for grade"),
        (pa.table({"query_id": ["q"], "doc_id": [1.5], "grade": [1]}), "doc_id"),
        (
            pa.table({"query_id": ["q"], "doc_id": ["a"], "grade": pa.array([None], pa.float64())}),
            "grade is null",
        ),
    ],
)
def test_objects_that_hold_no_labels_are_one_clear_error(source: Any, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read_qrels(source)


@given(st.binary(max_size=300))
def test_random_bytes_give_labels_or_one_clear_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(data)
    with suppress(FirsthitError):
        assert len(read_qrels(path))


REAL = {
    "cast2019.train_topics_mod.qrel": (2397, 120, 2),
    "qrels.backgroundlinking18.txt": (8508, 50, 0),
    "qrels.bright-theoremqa-theorems.txt": (151, 76, 0),
    "qrels.car17v2.0.benchmarkY1test.txt": (6192, 2254, 0),
    "qrels.ciral-v1.0-yo-dev.tsv": (185, 10, 0),
    "qrels.microblog2011.txt.gz": (60129, 49, 0),
    "qrels.msmarco-passage.dev-subset.txt": (7437, 6980, 0),
    "qrels.msmarco-v2-passage.dev.txt": (4009, 3903, 0),
    "qrels.rag24.test.txt.gz": (20429, 89, 0),
    "qrels.web.151-200.txt": (16055, 50, 0),
}


@pytest.mark.parametrize(("name", "expected"), REAL.items())
def test_real_label_files_are_recognised_and_read(
    test_data: Path, name: str, expected: tuple[int, int, int]
) -> None:
    qrels = read_qrels(test_data / "qrels_only" / name)
    assert (len(qrels), len(qrels.query_ids), qrels.collapsed) == expected
    assert qrels.format.startswith("trec (4 columns")


def test_real_diversity_labels_name_needs_iter(test_data: Path) -> None:
    path = test_data / "qrels_only" / "qrels.web.201-250.ndeval.txt.gz"
    with pytest.raises(InputError, match="--needs iter") as caught:
        read_qrels(path)
    assert caught.value.total == 30_340
    qrels = read_qrels(path, rules=Rules(needs="iter"))
    assert (len(qrels), qrels.documents, qrels.collapsed) == (44_814, False, 0)


def test_real_covid_labels_ignore_their_second_column(test_data: Path) -> None:
    assert len(read_qrels(test_data / "trec_covid_r1" / "qrels-rnd1.txt")) == 8_691


def test_conflicts_in_a_table_name_both_records() -> None:
    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "a"], "grade": [1, 2]})
    with pytest.raises(InputError, match=r"record 2: document 'a' .* \(first in record 1\)"):
        read_qrels(table)


def test_a_grade_beyond_64_bit_floats_is_too_large() -> None:
    with pytest.raises(InputError, match="the grade is too large for a 64-bit float"):
        read_qrels({"q1": {"a": 10**400}})
