"""Columns of groups: from files of every kind, from known fields, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit.errors import InputError, UsageError
from firsthit.groups import NO_VALUE, read_groups

IDS = ["q2", "q1"]


def written(tmp_path: Path, name: str, text: str) -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", "query_id,topic\nq1,tax\nq2,law\n"),
        ("g.csv", '"query_id";"topic"\nq1;tax\nq2;law\n'),
        ("g.tsv", "query_id\ttopic\nq1\ttax\nq2\tlaw\n"),
        ("g.jsonl", '{"query_id": "q1", "topic": "tax"}\n{"query_id": "q2", "topic": "law"}\n'),
        ("q.jsonl", '{"query_id": "q1", "groups": {"topic": "tax"}}\n{"qid": "q2", "topic": "law"}\n'),
        ("g.csv", "topic,query_id\r\ntax,q1\r\nlaw,q2\r\n"),
        ("g.csv", "query_id,topic\nq9,other\nq1,tax\nq2,law\n"),
        ("g.csv", "query_id,topic\nq1,tax\nq2,law\nq1,tax\n"),
    ],
)
def test_a_column_is_read_in_the_order_of_the_queries(tmp_path: Path, name: str, text: str) -> None:
    (column,) = read_groups(written(tmp_path, name, text) + ":topic", IDS)
    assert (column.name, column.values) == ("topic", ("law", "tax"))


def test_several_columns_and_all_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic,kind,text\nq1,tax,short,a b\nq2,law,long,c d\n")
    both = read_groups(f"{path}:topic,kind", IDS)
    assert [(column.name, column.values) for column in both] == [
        ("topic", ("law", "tax")),
        ("kind", ("long", "short")),
    ]
    assert read_groups(path, IDS) == both


def test_an_empty_field_is_a_group_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic\nq1,\nq2,law\n")
    assert read_groups(f"{path}:topic", IDS)[0].values == ("law", NO_VALUE)


def test_the_facts_of_a_queries_table_can_be_groups(tmp_path: Path) -> None:
    path = written(tmp_path, "q.jsonl", '{"query_id": "q1", "critical": true}\n{"query_id": "q2"}\n')
    assert read_groups(f"{path}:critical", IDS)[0].values == ("false", "true")


def test_a_known_column_needs_no_file() -> None:
    known: dict[str, list[str | None]] = {"topic": ["law", None], "kind": ["a", "b"]}
    assert [column.values for column in read_groups("topic,kind", IDS, known)] == [
        ("law", NO_VALUE),
        ("a", "b"),
    ]


def refused(path: str, *names: str) -> str:
    with pytest.raises(InputError) as caught:
        read_groups(f"{path}:{','.join(names)}", IDS)
    return str(caught.value).replace(path, "FILE")


def test_queries_that_are_missing_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic\nq1,tax\n")
    assert refused(path, "topic") == (
        "FILE: lacks query 'q2'\nGive every query a row; an empty field is a group of its own."
    )


def test_a_file_of_other_queries_shows_both_ids(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic\n1,tax\n")
    assert refused(path, "topic") == (
        "FILE: 2 problems\n  lacks query 'q2'\n  lacks query 'q1'\n"
        "None of the compared queries is in it: its first is '1'."
    )


def test_two_values_for_one_query_name_both_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic,kind\nq1,tax,a\nq2,law,b\nq1,law,a\n")
    assert refused(path, "topic") == (
        "FILE: line 4: topic of query 'q1' is 'law', and 'tax' before (first on line 2)\n"
        "Each query belongs to one group of a column."
    )
    assert read_groups(f"{path}:kind", IDS)[0].values == ("b", "a")


def test_an_unknown_column_names_the_nearest_and_all(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic,kind\nq1,tax,a\nq2,law,b\n")
    assert refused(path, "topics", "size") == (
        "FILE: 2 problems\n  no column 'topics'; nearest: topic\n  no column 'size'\n"
        "The columns are topic, kind."
    )


def test_a_column_of_lists_is_no_group(tmp_path: Path) -> None:
    path = written(tmp_path, "g.jsonl", '{"query_id": "q1", "tags": ["a"]}\n{"query_id": "q2", "tags": []}\n')
    assert "column 'tags' holds lists or objects, not one value a query" in refused(path, "tags")


def test_a_file_without_any_column_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "g.tsv", "q1\tthe first\nq2\tthe second\n")
    with pytest.raises(InputError, match="no column that could be a group"):
        read_groups(path, IDS)


def test_a_row_without_query_id_names_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", "query_id,topic\nq1,tax\n,law\n")
    assert refused(path, "topic").startswith("FILE: line 3: has no query_id")


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv: no such file"):
        read_groups("nowhere.csv:topic", IDS)


def test_a_name_that_is_neither_file_nor_column_says_what_there_is() -> None:
    with pytest.raises(UsageError) as caught:
        read_groups("kind", IDS, {"topic": ["a", "b"]})
    assert str(caught.value) == (
        "groups 'kind': neither FILE:COLUMN nor a column that is known; the queries table has the "
        "columns topic\n"
        "Write FILE:COLUMN, for example queries.csv:topic."
    )
