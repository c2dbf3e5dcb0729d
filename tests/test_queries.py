"""Queries: the same table from each format, and everything wrong with a file at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit.errors import InputError
from firsthit.queries import Queries, read_queries

JSONL = """{"query_id": "q1", "text": "reset", "critical": true, "needs": ["how", "where"], "team": "a"}
{"query_id": "q2", "text": "refund", "answerable": false, "groups": {"team": "b", "size": 3}}
"""
TSV = (
    "query_id\ttext\tcritical\tanswerable\tneeds\tteam\tsize\n"
    "q1\treset\ttrue\t\thow;where\ta\t\n"
    "q2\trefund\tno\tno\t\tb\t3\n"
)


def read(folder: Path, text: str) -> Queries:
    path = folder / "queries"
    path.write_bytes(text.encode())
    return read_queries(path)


def rows(queries: Queries) -> list[tuple[object, ...]]:
    groups = [{column: values[i] for column, values in queries.groups.items()} for i in range(len(queries))]
    facts = zip(
        queries.query_id, queries.text, queries.critical, queries.answerable, queries.needs, strict=True
    )
    return [(*fact, group) for fact, group in zip(facts, groups, strict=True)]


EXPECTED = [
    ("q1", "reset", True, True, ("how", "where"), {"team": "a", "size": None}),
    ("q2", "refund", False, False, (), {"team": "b", "size": "3"}),
]


@pytest.mark.parametrize(
    "text",
    [
        JSONL,
        TSV,
        TSV.replace("\t", ","),
        TSV.replace("\n", "\r\n"),
        "\ufeff" + TSV,
        "[" + JSONL.replace("}\n{", "},{") + "]",
    ],
)
def test_every_format_gives_the_same_table(tmp_path: Path, text: str) -> None:
    assert rows(read(tmp_path, text)) == EXPECTED


def test_a_file_without_header_holds_ids_and_texts(tmp_path: Path) -> None:
    queries = read(tmp_path, "1\twhat is\tthis\n2\tthat\n")
    assert (queries.query_id, queries.text) == (("1", "2"), ("what is\tthis", "that"))


def test_a_file_without_tabs_holds_ids(tmp_path: Path) -> None:
    assert read(tmp_path, "q1\n\nq7\n").query_id == ("q1", "q7")


def test_a_json_object_maps_ids_to_texts(tmp_path: Path) -> None:
    queries = read(tmp_path, '{"q1": "reset",\n "q2": {"text": "refund", "kind": "x"}}')
    assert (queries.text, queries.groups) == (("reset", "refund"), {"kind": (None, "x")})


def test_beir_names_are_understood_and_objects_are_left_out(tmp_path: Path) -> None:
    queries = read(tmp_path, '{"_id": "1", "text": "t", "metadata": {"a": 1}}\n')
    assert (queries.query_id, queries.groups, queries.left_out) == (("1",), {}, ("metadata",))


def test_all_problems_are_reported_together(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "query_id\tcritical\nq1\tmaybe\n\tno\nq1\tno\n")
    assert [str(problem) for problem in caught.value.problems] == [
        "line 2: critical is neither true nor false: 'maybe'",
        "line 3: has no query_id",
        "line 4: the query stands twice: 'q1' (first on line 2)",
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ('{"query_id": "\\ud800"}', "line 1: holds an escape that is no Unicode character"),
        ('{"query_id": "q1", "note": ["\\udfff"]}', "no Unicode character"),
        ("how do I\n", "not recognised"),
        ("query_id,text\nq1\n", "1 columns where the header has 2"),
        ('{"query_id": "q1"}\nno\n', "line 2: is no JSON object"),
        ('{"query_id": "q1"', "not valid JSON"),
        ('{"query_id": "q1", "needs": [["a"]]}', "line 1: needs is no list of names"),
        ('{"query_id": "q1", "needs": {"a": true}}', "line 1: needs is no list of names"),
        ("[1]", "item 1 is no JSON object"),
        ('query_id,text\nq1,"a\n', "columns"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_error(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(tmp_path, text)


def test_latin_1_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "queries"
    path.write_bytes(b"q1\tgood\nq2\tcaf\xe9\n")
    with pytest.raises(InputError, match="line 2: is not UTF-8"):
        read_queries(path)
