"""The native core as Python sees it: types in, arrays out, misuse refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from firsthit import _core

TREC = {"query": 0, "doc": 2, "rank": 3, "score": 4}
RUN = b"q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 c 1 1.0 t\n"


def text(*ids: str) -> _core.Text:
    raw = [item.encode() for item in ids]
    offsets = np.cumsum([0, *map(len, raw)], dtype=np.int64)
    return np.frombuffer(b"".join(raw), np.uint8), offsets


def strings(column: _core.Text) -> list[str]:
    data, offsets = column
    whole = data.tobytes()
    return [whole[a:b].decode() for a, b in pairwise(offsets.tolist())]


def labels(*pairs: tuple[str, str]) -> _core.Labels:
    return _core.Labels(text(*(query for query, _ in pairs)), text(*(doc for _, doc in pairs)))


def trec(**changes: Any) -> _core.Layout:
    return _core.Layout("blank", columns=TREC, width=(5, 0), **changes)


def matcher(
    *, layout: _core.Layout | None = None, key: str = "score", depth: int = 0, **ordering: Any
) -> _core.Matcher:
    return _core.Matcher(
        labels(("q1", "b"), ("q3", "x")), layout, _core.Ordering(key, **ordering), depth=depth
    )


def test_a_run_fed_as_bytes_gives_hits_and_counts() -> None:
    matching = matcher(layout=trec(), depth=1, check_rank=True)
    assert matching.feed(RUN, last=True) == (3, len(RUN))
    result = matching.finish()
    assert (result["query"].tolist(), result["rank"].tolist(), result["row"].tolist()) == ([0], [2], [0])
    assert result["retrieved"].tolist() == [2, -1]
    assert strings(result["head_ids"]) == ["a"]
    assert strings(result["unlabelled"]) == ["q2"]
    assert (result["records"], result["rank_column"], result["scattered"]) == (3, "ok", False)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer_may_be_fed(kind: Callable[[bytes], Any]) -> None:
    matching = matcher(layout=trec())
    matching.feed(kind(RUN[:20]))
    matching.feed(kind(RUN[20:]), last=True)
    assert matching.finish()["retrieved"].tolist() == [2, -1]


def test_results_are_arrays_of_the_stated_types() -> None:
    result = matcher(layout=trec()).finish()
    types = {name: value.dtype.name for name, value in result.items() if isinstance(value, np.ndarray)}
    assert {name for name, kind in types.items() if kind == "int32"} == {"query", "tied_queries"}
    assert {name for name, kind in types.items() if kind == "uint8"} == {"head_tied"}
    assert set(types.values()) == {"int32", "int64", "uint8"}


def test_scattered_queries_are_ranked_when_grouped() -> None:
    run = b"q1 Q0 a 1 1 t\nq2 Q0 c 1 1 t\nq1 Q0 b 1 2 t\n"
    alone = matcher(layout=trec())
    alone.feed(run, last=True)
    assert alone.scattered
    assert alone.finish()["scattered"]
    grouped = _core.Matcher(labels(("q1", "b")), trec(), _core.Ordering("score"), threads=2, grouped=True)
    grouped.feed(run, last=True)
    assert grouped.finish()["rank"].tolist() == [1]


def test_queries_are_numbered_in_order_of_first_appearance() -> None:
    index = _core.Labels(text("q2", "q1", "q2", "q2"), text("a", "a", "b", "a"), text("q3", "q1", "q3"))
    assert index.query_of_row.tolist() == [0, 1, 0, 0]
    assert index.first_row.tolist() == [0, 1, 2, 0]
    assert strings(index.query_ids) == ["q2", "q1", "q3"]


def test_a_mapping_is_ranked_by_its_scores() -> None:
    matching = matcher(depth=2)
    matching.feed_mapping({"q1": {"a": 1, "b": np.float32(2.5)}, "q3": {}})
    result = matching.finish()
    assert result["rank"].tolist() == [1]
    assert result["retrieved"].tolist() == [2, 0]
    assert strings(result["head_ids"]) == ["b", "a"]


def test_lists_are_ranked_as_given() -> None:
    matching = matcher(key="given")
    matching.feed_mapping({"q1": ["z", "b"]})
    assert matching.finish()["rank"].tolist() == [2]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"q1": {"a": "1"}}, "query 'q1', document 'a': the value is a str, not a number"),
        ({"q1": {"a": True}}, "query 'q1', document 'a': the value is a bool, not a number"),
        ({"q1": {None: 1.0}}, "document None is a NoneType"),
        ({1.5: {"a": 1.0}}, "query 1.5 is a float"),
        ({"q1": {"a": 1.0}, "q2": ["a"]}, "query 'q2': the value is a list, but others are dicts"),
        ({"q1": 3}, "query 'q1': the value is a int"),
        ({"q1": ["a"]}, "have no scores"),
    ],
)
def test_a_mapping_of_other_types_is_refused_with_its_place(source: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        matcher().feed_mapping(source)


def test_bad_values_of_a_mapping_are_problems_with_record_numbers() -> None:
    matching = matcher()
    matching.feed_mapping({"q1": {"a": float("nan"), "b": 1.0, "": 1.0, "c": 10**400}})
    kinds = [(kind, line) for kind, line, _, _ in matching.finish()["problems"]]
    assert kinds == [("not-finite", 1), ("empty-id", 3), ("number", 4)]


def test_integer_ids_are_decimal_text() -> None:
    index = _core.Labels(text("7"), text("12"))
    matching = _core.Matcher(index, None, _core.Ordering("score"))
    matching.feed_mapping({7: {12: 1.0, 13: 2.0}})
    assert matching.finish()["rank"].tolist() == [2]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int16(), pa.string())],
    ids=str,
)
def test_arrow_strings_of_every_kind_are_ids(kind: Any) -> None:
    docs = ["a document id of more than twelve bytes", "b"]
    values = pa.array(docs) if pa.types.is_dictionary(kind) else pa.array(docs, kind)
    docs_column = values.dictionary_encode() if pa.types.is_dictionary(kind) else values
    table = pa.table({"q": pa.array(["q1", "q1"]), "d": docs_column, "s": [2.0, 1.0]})
    matching = matcher(depth=2)
    matching.feed_arrow(table, {"query": "q", "doc": "d", "score": "s"})
    assert strings(matching.finish()["head_ids"]) == docs


@pytest.mark.parametrize(
    "values",
    [pa.array([True]), pa.array([1.5]), pa.array([b"x"]), pa.array([["a"]])],
    ids=lambda v: str(v.type),
)
def test_arrow_columns_of_other_types_are_named(values: Any) -> None:
    table = pa.table({"q": ["q1"], "d": values, "s": [1.0]})
    with pytest.raises(TypeError, match="column 'd'"):
        matcher().feed_arrow(table, {"query": "q", "doc": "d", "score": "s"})


def test_a_missing_arrow_column_and_no_arrow_at_all_are_refused() -> None:
    columns = {"query": "q", "doc": "d", "score": "s"}
    with pytest.raises(ValueError, match="no column 'q'"):
        matcher().feed_arrow(pa.table({"d": ["a"]}), columns)
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        matcher().feed_arrow([1], columns)


def test_tables_come_from_text_arrow_and_mappings_alike() -> None:
    table = _core.Table(
        _core.Layout("csv", columns={"query": 0, "doc": 1, "grade": 2}, delimiter=","),
        ["query", "doc"],
        ["grade"],
    )
    table.feed(b'q1,"a",2\n', last=True)
    arrow = pa.table({"q": ["q1"], "d": ["a"], "g": pa.array([2], pa.int8())})
    for result in (
        table.finish(),
        _core.table_from_arrow(arrow, {"query": "q", "doc": "d"}, {"grade": "g"}),
        _core.table_from_mapping({"q1": {"a": 2}}),
    ):
        columns = result["columns"]
        assert (strings(columns["query"]), strings(columns["doc"]), columns["grade"].tolist()) == (
            ["q1"],
            ["a"],
            [2.0],
        )
        assert result["line"].tolist() == [1]


@pytest.mark.parametrize(
    "make",
    [
        lambda: _core.Layout("xml"),
        lambda: _core.Layout("csv", delimiter=";;"),
        lambda: _core.Ordering("size"),
        lambda: _core.Ordering("score", bits=16),
        lambda: _core.Ordering("score", ties="random"),
        lambda: _core.Ordering("score", duplicates="drop"),
        lambda: _core.Labels(text("q1"), text()),
        lambda: matcher(layout=_core.Layout("blank", columns={"query": 0})),
        lambda: matcher().feed(RUN),
        lambda: _core.Matcher(labels(), trec(), _core.Ordering("score"), threads=0),
    ],
)
def test_misuse_is_a_value_error(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        make()


def test_a_matcher_takes_one_source() -> None:
    matching = matcher()
    matching.feed_mapping({"q1": {"a": 1.0}})
    with pytest.raises(ValueError, match="one source"):
        matching.feed_mapping({"q1": {"a": 1.0}})
    finished = matcher(layout=trec())
    finished.feed(RUN, last=True)
    with pytest.raises(ValueError, match="last block"):
        finished.feed(RUN)


def test_a_file_is_matched_as_its_blocks_are_and_stands_alone(tmp_path: Path) -> None:
    blocks, file = matcher(layout=trec()), matcher(layout=trec())
    blocks.feed(RUN)
    path = tmp_path / "run"
    path.write_bytes(RUN)
    with path.open("rb") as opened:
        assert [file.feed_file(opened.fileno(), at, 16, 2) for at in (0, 32)] == [32, len(RUN) - 32]
        for used in (blocks, file):
            with pytest.raises(ValueError, match="one source"):
                used.feed(RUN) if used is file else used.feed_file(opened.fileno(), 0, 16, 2)
        with pytest.raises(ValueError, match="at least one"):
            matcher(layout=trec()).feed_file(opened.fileno(), 0, 16, 0)
    assert file.finish()["rank"].tolist() == blocks.finish()["rank"].tolist()


def test_a_file_that_cannot_be_read_is_an_os_error(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(IsADirectoryError):
        matcher(layout=trec()).feed_file(folder, 0, 16, 2)
    os.close(folder)
