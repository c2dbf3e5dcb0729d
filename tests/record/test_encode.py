"""JSON text of columns: what the native writer gives reads back as what went in, and misfits are refused."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import _core
from firsthit.ids import Ids

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=6)
NUMBERS = st.lists(st.floats(), max_size=6)


def texts(values: list[str]) -> tuple[Any, Any]:
    ids = Ids.of(values)
    return ids.data, ids.offsets


def written(column: tuple[Any, ...], rows: int, start: int = 0) -> list[Any]:
    lines = _core.JsonLines([('{"v":', column)], "}\n", rows).text(start, rows)
    return [json.loads(line)["v"] for line in lines.decode().splitlines()]


@given(TEXTS)
def test_texts_are_strings(values: list[str]) -> None:
    lines = _core.JsonLines([("", ("texts", *texts(values)))], "\n", len(values)).text(0, len(values))
    assert [json.loads(line) for line in lines.decode().split("\n")[:-1]] == values


@given(st.lists(st.floats(allow_infinity=False), max_size=6))
def test_numbers_read_back_as_the_same_float_and_nan_is_null(values: list[float]) -> None:
    found = written(("numbers", np.array(values, float)), len(values))
    expected = [None if np.isnan(value) else value for value in values]
    assert found == expected


def test_numbers_have_their_shortest_form() -> None:
    numbers = ("numbers", np.array([1.0, 0.1, -2.0, 1 / 3, 1e22]))
    text = _core.JsonLines([("", numbers)], " ", 5).text(0, 5)
    assert text == b"1 0.1 -2 0.3333333333333333 1e+22 "


def test_integers_and_choices() -> None:
    assert written(("integers", np.array([-1, 0, 2**62])), 3) == [-1, 0, 2**62]
    assert written(("choices", ['"a"', "null"], np.array([1, 0])), 2) == [None, "a"]


@given(st.lists(TEXTS, max_size=4))
def test_lists_and_objects_follow_their_groups(groups: list[list[str]]) -> None:
    offsets = np.cumsum([0, *map(len, groups)])
    flat = [text for group in groups for text in group]
    values = np.arange(len(flat), dtype=float)
    assert written(("text lists", offsets, *texts(flat)), len(groups)) == groups
    numbers = [values[a:b].tolist() for a, b in pairwise(offsets)]
    assert written(("number lists", offsets, values), len(groups)) == numbers
    objects = [dict(zip(group, own, strict=True)) for group, own in zip(groups, numbers, strict=True)]
    assert written(("text numbers", offsets, *texts(flat), values), len(groups)) == objects


def test_counts_name_only_what_occurs() -> None:
    assert written(("counts", [0.0, 1.0, 2.5], np.array([1, 0, 2, 0, 0, 0])), 2) == [{"0": 1, "2.5": 2}, {}]


def test_optional_texts_write_nothing_where_empty() -> None:
    fields = [
        ('{"a":', ("integers", np.array([1, 2]))),
        ("", ("optional texts", ',"b":', "", *texts(["", "x"]))),
    ]
    assert _core.JsonLines(fields, "}", 2).text(0, 2) == b'{"a":1}{"a":2,"b":"x"}'


def test_raw_text_is_written_as_it_is() -> None:
    assert written(("raw", *texts(["[1]", "{}"])), 2) == [[1], {}]


def test_any_part_of_the_rows_can_be_written() -> None:
    assert written(("integers", np.arange(5)), 5, start=3) == [3, 4]


@pytest.mark.parametrize(
    "column",
    [
        ("integers", np.arange(2)),
        ("numbers", np.zeros(2)),
        ("texts", *texts(["a"])),
        ("texts", np.zeros(1, np.uint8), np.array([0, 1, 5, 1])),
        ("texts", np.zeros(3, np.uint8), np.array([0, 2, 1, 3])),
        ("choices", ["a"], np.array([0, 0, 1])),
        ("choices", ["a"], np.array([0, 0, -1])),
        ("counts", [1.0, 2.0], np.arange(5)),
        ("number lists", np.array([0, 1, 2]), np.zeros(2)),
        ("number lists", np.array([0, 1, 2, 3]), np.zeros(2)),
        ("text numbers", np.array([0, 1, 1, 1]), *texts(["a"]), np.zeros(0)),
        ("colours", np.arange(3), np.arange(3), np.arange(3)),
    ],
    ids=lambda column: str(column[0]),
)
def test_columns_that_do_not_fit_the_rows_are_refused(column: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"does not fit|unknown kind"):
        _core.JsonLines([("", column)], "", 3)


def test_rows_beyond_the_end_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        _core.JsonLines([], "", 3).text(0, 4)


def test_label_lines_refuse_what_does_not_fit() -> None:
    one, query, grades = texts(["a"]), np.zeros(1, np.int32), np.zeros(1)
    _core.LabelLines(one, query, one, None, grades)
    for arguments in (
        (one, query + 1, one, None, grades),
        (one, query, texts(["a", "b"]), None, grades),
        (one, query, one, texts([]), grades),
        (one, query, one, None, np.zeros(0)),
    ):
        with pytest.raises(ValueError, match="does not fit"):
            _core.LabelLines(*arguments)


def test_a_short_last_line_does_not_confuse_the_order() -> None:
    lines = _core.LabelLines(texts(["", "a"]), np.array([1, 0], np.int32), texts(["", ""]), None, np.zeros(2))
    text = lines.text(0, len(lines))
    assert text.splitlines() == sorted(text.splitlines())
