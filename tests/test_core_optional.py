"""Columns that a row may lack: the core and its slow twin agree on what is absent and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit import _core
from tests import twin
from tests.twin.cells import unpack
from tests.twin.same import assert_same, feed

TEXTS = ["query", "doc", "source"]
NUMBERS = ["grade", "start"]
ROLES = [*TEXTS, *NUMBERS]
KEYS = {role: [role, f"{role}_id"] for role in ROLES}
COLUMNS = {role: at for at, role in enumerate(ROLES)}
VALUES = ["", "", "a", "12", "0", "-1.5", "nan", "1e400", " ", "é", '"', "x,y", "a\tb"]
JSON_VALUES = [*map(json.dumps, VALUES), "null", "null", "1", "1.5", "true", "[]", "{}", "NaN"]


@st.composite
def json_rows(draw: st.DrawFn) -> bytes:
    """Objects that hold any of the keys, with any values."""
    keys = [key for names in KEYS.values() for key in names] + ["other"]
    lines = []
    for _ in range(draw(st.integers(0, 6))):
        found = draw(st.lists(st.sampled_from(keys), max_size=8, unique=draw(st.booleans())))
        values = [draw(st.sampled_from(JSON_VALUES)) for _ in found]
        lines.append("{" + ",".join(f'"{k}":{v}' for k, v in zip(found, values, strict=True)) + "}")
    plain = '{"query":"q","doc":"d","source":"s","grade":1,"start":2}'
    return "\n".join(draw(st.permutations([*lines, plain, plain]))).encode()


@st.composite
def delimited_rows(draw: st.DrawFn, delimiter: str) -> bytes:
    """Rows of fields, some empty, some rows too short."""
    values = [value for value in VALUES if delimiter not in value and '"' not in value]
    row = st.lists(st.sampled_from(values), min_size=2, max_size=6)
    plain = delimiter.join(["q", "d", "s", "1", "2"])
    lines = [delimiter.join(fields) for fields in draw(st.lists(row, max_size=6))]
    return "\n".join(draw(st.permutations([*lines, plain, plain]))).encode()


LAYOUTS: dict[str, dict[str, Any]] = {
    "json": {"kind": "json", "keys": KEYS},
    "tsv": {"kind": "delimited", "columns": COLUMNS, "width": (3, 6)},
    "csv": {"kind": "csv", "columns": COLUMNS, "width": (3, 6), "delimiter": ","},
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_tables_with_optional_roles_are_the_twins(name: str) -> None:
    data = json_rows() if name == "json" else delimited_rows("\t" if name == "tsv" else ",")

    @given(data, st.lists(st.sampled_from(ROLES)), st.lists(st.integers(1, 40), min_size=1, max_size=3))
    @settings(max_examples=settings().max_examples * 2)
    def check(data: bytes, optional: list[str], blocks: list[int]) -> None:
        results = []
        for module in (_core, twin):
            table = module.Table(module.Layout(**LAYOUTS[name]), TEXTS, NUMBERS, optional)
            feed(table, data, blocks)
            results.append(nan_as_text(table.finish()))
        assert_same(*results)

    check()


def nan_as_text(result: Any) -> Any:
    """The same result; NaN equals nothing, so numbers are compared as they are spelled."""
    columns = {
        role: value if isinstance(value, tuple) else np.array(value, "U")
        for role, value in result["columns"].items()
    }
    return {**result, "columns": columns}


@given(st.data(), st.lists(st.sampled_from(ROLES)))
def test_arrow_tables_with_optional_roles_are_the_twins(data: st.DataObject, optional: list[str]) -> None:
    rows = data.draw(st.integers(0, 5))
    texts = st.sampled_from([None, "", "a", "b"])
    numbers = st.sampled_from([None, 1.0, 2.5, float("nan"), float("inf")])
    columns = {role: data.draw(column_of(texts, rows, pa.string())) for role in TEXTS}
    columns |= {role: data.draw(column_of(numbers, rows, pa.float64())) for role in NUMBERS}
    table = pa.table(columns)
    given_names = {role: role for role in sorted(TEXTS)}, {role: role for role in NUMBERS}
    results = [module.table_from_arrow(table, *given_names, optional) for module in (_core, twin)]
    assert_same(*map(nan_as_text, results))


def column_of(values: st.SearchStrategy[Any], rows: int, kind: Any) -> st.SearchStrategy[Any]:
    """A column with some nulls, or one that holds nothing else and so has no type."""
    some = st.lists(values, min_size=rows, max_size=rows).map(lambda drawn: pa.array(drawn, kind))
    return st.one_of(some, some, st.just(pa.nulls(rows)))


def test_an_optional_role_may_have_no_column_at_all() -> None:
    layout = _core.Layout("delimited", columns={"query": 0, "doc": 1}, width=(2, 2))
    table = _core.Table(layout, ["query", "doc", "source"], ["start"], ["source", "start"])
    table.feed(b"q1\ta\nq1\tb\nq2\tc\n", last=True)
    columns = table.finish()["columns"]
    assert unpack(columns["source"]) == [b"", b"", b""]
    assert np.isnan(columns["start"]).all()


@pytest.mark.parametrize("optional", [[], ["source"]])
def test_a_null_is_a_problem_unless_the_role_is_optional(optional: Sequence[str]) -> None:
    layout = _core.Layout("json", keys={"query": ["q"], "source": ["s"]})
    table = _core.Table(layout, ["query", "source"], [], optional)
    table.feed(b'{"q":"1","s":null}\n', last=True)
    problems = table.finish()["problems"]
    assert problems == ([] if optional else [("type", 1, b"source", 0)])
