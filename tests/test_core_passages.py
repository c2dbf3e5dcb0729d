"""Passages of a run: the core keeps what its slow twin keeps, whatever format, blocks and threads."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit import _core
from tests import twin
from tests.strategies import Case, orderings
from tests.twin.passages import FIELDS
from tests.twin.same import assert_same, feed, labels_of

ROLES = ("query", "doc", "score", "rank", *FIELDS)
KEYS = {role: [role, f"{role}_key"] for role in ROLES}
COLUMNS = {role: at for at, role in enumerate(ROLES)}
LAYOUTS: dict[str, dict[str, Any]] = {
    "json": {"kind": "json", "keys": KEYS},
    "tsv": {"kind": "delimited", "columns": COLUMNS, "width": (3, 9)},
    "csv": {"kind": "csv", "columns": COLUMNS, "width": (3, 9), "delimiter": ","},
    "blank": {"kind": "blank", "columns": COLUMNS, "width": (3, 0)},
}
SOURCES = ["s", "t", "é", "12", ""]
TEXTS = ["one", "two words", "ünï", "x" * 90, ""]
NUMBERS = ["0", "12", "12.0", "1.2e1", "9007199254740992", ""]
BAD = ["-1", "1.5", "nan", "many", "1e400", "9007199254740994"]


@st.composite
def passage_rows(draw: st.DrawFn) -> list[dict[str, str]]:
    """Rows whose documents are told alike, or a little or very differently."""
    docs = [f"d{i}" for i in range(draw(st.integers(1, 6)))]
    known = {doc: {field: draw(values_of(field, [])) for field in FIELDS} for doc in docs}
    odd = draw(st.sampled_from([[], [], BAD]))
    rows = []
    for at in range(draw(st.integers(0, 30))):
        doc = draw(st.sampled_from(docs))
        row = {
            "query": f"q{draw(st.integers(1, 3))}",
            "doc": doc,
            "score": draw(st.sampled_from(["1", "2.5"])),
        }
        row |= {"rank": str(at + 1), **known[doc]}
        for field in draw(st.sampled_from([(), (), (), FIELDS])):
            if draw(st.integers(0, 3)) == 0:
                row[field] = draw(values_of(field, odd))
        rows.append(row)
    return sorted(rows, key=lambda row: row["query"]) if draw(st.booleans()) else rows


def values_of(field: str, odd: Sequence[str]) -> st.SearchStrategy[str]:
    usual = SOURCES if field == "source" else TEXTS if field == "text" else NUMBERS
    return st.sampled_from([*usual, *(odd if field not in ("source", "text") else ())])


@st.composite
def json_file(draw: st.DrawFn, rows: list[dict[str, str]]) -> bytes:
    """Objects with all keys or those with a value, in one order or any, numbers bare or not."""
    style = draw(st.sampled_from(["alike", "alike", "nulls", "any"]))
    lines = []
    for row in rows:
        members: dict[str, Any] = {}
        for role, text in row.items():
            if text == "" and (style == "alike" or draw(st.booleans())):
                continue
            bare = role not in ("query", "doc", "source", "text") and text in (
                "0",
                "12",
                "1",
                "2.5",
                "-1",
                "1.5",
            )
            members[role] = None if text == "" and style == "nulls" else json.loads(text) if bare else text
        items = list(members.items())
        items = draw(st.permutations(items)) if style == "any" else items
        lines.append(json.dumps(dict(items), ensure_ascii=draw(st.booleans())))
    return "\n".join(lines).encode()


def delimited_file(rows: list[dict[str, str]], delimiter: str) -> bytes:
    return "\n".join(delimiter.join(row[role] for role in ROLES) for row in rows).encode()


@st.composite
def cases(draw: st.DrawFn, name: str) -> Case:
    rows = draw(passage_rows())
    if name == "blank":
        rows = [{role: text.replace(" ", "_") or "0" for role, text in row.items()} for row in rows]
    data = (
        draw(json_file(rows))
        if name == "json"
        else delimited_file(rows, {"tsv": "\t", "csv": ",", "blank": " "}[name])
    )
    plain = [
        {**row, "doc": f"p{at}", "query": "q1", "score": str(at)} for at, row in enumerate(rows[:1] * 30)
    ]
    if draw(st.booleans()) and name != "json":
        data = delimited_file(plain, {"tsv": "\t", "csv": ",", "blank": " "}[name]) + b"\n" + data
    return Case(
        labels=[("q1", "d0"), ("q1", "d1"), ("q2", "d2")],
        layout=LAYOUTS[name],
        ordering=draw(orderings()),
        data=data,
        depth=draw(st.sampled_from([0, 2, 1000])),
        blocks=draw(st.sampled_from([[1 << 20], [1], [40], [7, 300]])),
        threads=draw(st.integers(1, 3)),
        grouped=draw(st.booleans()),
    )


def matched(module: Any, case: Case, fields: Sequence[str], *, grouped: bool) -> Any:
    labels = labels_of(module, case.labels)
    ordering, layout = module.Ordering(**case.ordering), module.Layout(**case.layout)
    settings = {"depth": case.depth, "threads": case.threads, "grouped": grouped, "passages": fields}
    matcher = module.Matcher(labels, layout, ordering, **settings)
    feed(matcher, case.data, case.blocks)
    return matcher.finish()


def spelled(result: Any) -> Any:
    """The same result with numbers as texts: NaN equals nothing."""
    passages = {
        name: value if isinstance(value, tuple) else np.array(value, "U")
        for name, value in result["passages"].items()
    }
    return {**result, "passages": passages}


def check(case: Case, fields: Sequence[str]) -> None:
    slow = matched(twin, case, fields, grouped=True)
    core = matched(_core, case, fields, grouped=case.grouped)
    if core["scattered"]:
        core = matched(_core, case, fields, grouped=True)
    assert_same(spelled(core), spelled(slow))


@pytest.mark.parametrize("name", LAYOUTS)
def test_passages_are_the_twins(name: str) -> None:
    fields = st.lists(st.sampled_from(["doc", *FIELDS]), min_size=1, max_size=6, unique=True)

    @given(cases(name), fields)
    @settings(max_examples=settings().max_examples * 2)
    def check_one(case: Case, fields: list[str]) -> None:
        check(case, fields)

    check_one()


@given(passage_rows(), orderings(), st.booleans())
def test_passages_of_arrow_tables_are_the_twins(rows: Any, ordering: dict[str, Any], grouped: bool) -> None:
    numbers = ["score", "rank", "start", "end", "tokens"]
    columns = {
        role: pa.array(
            [float(row[role]) if row[role] and role in numbers else row[role] or None for row in rows],
            pa.float64() if role in numbers else pa.string(),
        )
        if all(row[role] not in ("many", "1e400") for row in rows)
        else pa.nulls(len(rows))
        for role in ROLES
    }
    table, names, results = pa.table(columns), {role: role for role in ROLES}, []
    for module in (_core, twin):
        labels = labels_of(module, [("q1", "d0"), ("q2", "d1")])
        matcher = module.Matcher(
            labels, None, module.Ordering(**ordering), depth=9, grouped=grouped, passages=FIELDS
        )
        matcher.feed_arrow(table, names)
        results.append(matcher.finish())
    if not results[0]["scattered"]:
        assert_same(*map(spelled, results))


def large_case(chance: random.Random, *, shuffled: bool, contradicting: int) -> Case:
    """Many documents that stand often, read by fast paths; some rows lack fields, some contradict."""
    known = {
        f"doc{i}": {
            "source": f"s{i // 4}",
            "start": i % 4 * 100,
            "end": i % 4 * 100 + 99,
            "text": f"text of {i} " * 9,
        }
        for i in range(300)
    }
    rows = []
    for query in range(90):
        for rank, doc in enumerate(chance.sample(sorted(known), 60)):
            row: dict[str, Any] = {"query": f"q{query}", "doc": doc, "score": 60 - rank // 2, **known[doc]}
            if chance.random() < 0.05:
                row[chance.choice(["source", "start", "text"])] = chance.choice([None, ""])
            rows.append(row)
    for at in chance.sample(range(len(rows)), contradicting):
        rows[at]["text"] = f"another {chance.randrange(3)}"
    if shuffled:
        chance.shuffle(rows)
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    labels = [(f"q{query}", f"doc{query}") for query in range(0, 90, 2)]
    ordering = {"key": "score"}
    return Case(labels=labels, layout=LAYOUTS["json"], ordering=ordering, data=data, depth=50)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("contradicting", [0, 12])
def test_a_large_file_is_the_twins_for_any_threads(shuffled: bool, contradicting: int) -> None:
    case = large_case(random.Random(5), shuffled=shuffled, contradicting=contradicting)
    slow = spelled(matched(twin, case, FIELDS, grouped=True))
    assert slow["problem_count"] == (0 if not contradicting else slow["problem_count"])
    for threads, blocks in [(1, [1 << 22]), (3, [1 << 22]), (2, [100_003])]:
        core = matched(_core, replace(case, threads=threads, blocks=blocks), FIELDS, grouped=shuffled)
        assert not core["scattered"]
        assert_same(spelled(core), slow)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_many_more_passages_are_the_twins(name: str) -> None:
    @given(cases(name))
    @settings(max_examples=1000)
    def check_one(case: Case) -> None:
        check(case, FIELDS)

    check_one()


def test_an_unknown_field_is_refused() -> None:
    labels = labels_of(_core, [("q", "d")])
    with pytest.raises(ValueError, match="'title'"):
        _core.Matcher(labels, None, _core.Ordering("score"), passages=["doc", "title"])
