"""The native core and its slow twin answer alike, errors included, whatever the input and its blocks."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firsthit import _core
from tests import twin
from tests.rendering import SHAPES, Row
from tests.strategies import (
    LONG_FIELDS,
    Case,
    garbage_cases,
    good_numbers,
    ids,
    label_pairs,
    long_cases,
    long_lines,
    long_pairs,
    match_cases,
    orderings,
    rows,
    table_cases,
)
from tests.twin.cells import unpack
from tests.twin.same import assert_same, check_match, feed, labels_of, match_text

TREC = SHAPES["trec"].layout()
SCORE = {"key": "score"}
few = settings(max_examples=max(settings().max_examples // 2, 1))
TABLE_CASE = tuple[dict[str, Any], list[str], list[str], bytes, Sequence[int]]


def trec(data: bytes, **changes: Any) -> Case:
    """A case of one TREC run."""
    defaults: dict[str, Any] = {
        "labels": [("q1", "a"), ("q1", "b")],
        "layout": TREC,
        "ordering": SCORE,
        "depth": 5,
    }
    return Case(data=data, **{**defaults, **changes})


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_matches_are_the_twins_in_every_format(name: str) -> None:
    @given(match_cases(name))
    def check(case: Case) -> None:
        check_match(case)

    check()


@given(long_cases())
def test_long_well_formed_runs_match_as_the_twin_does(case: Case) -> None:
    check_match(case)


@given(garbage_cases())
@settings(max_examples=settings().max_examples * 5)
def test_garbage_matches_as_the_twin_does(case: Case) -> None:
    check_match(case)


def check_table(case: TABLE_CASE) -> None:
    layout, texts, numbers, data, blocks = case
    results = []
    for module in (_core, twin):
        table = module.Table(module.Layout(**layout), texts, numbers)
        feed(table, data, blocks)
        results.append(table.finish())
    assert_same(*results)


@given(table_cases())
@settings(max_examples=settings().max_examples * 2)
def test_tables_are_the_twins(case: TABLE_CASE) -> None:
    check_table(case)


@given(label_pairs([], ids("json")), st.lists(ids("json"), max_size=4))
def test_labels_are_the_twins(pairs: list[tuple[str, str]], extra: list[str]) -> None:
    pairs = pairs + pairs[:2]
    core, slow = (labels_of(module, pairs, extra) for module in (_core, twin))
    np.testing.assert_array_equal(core.query_of_row, slow.query_of_row)
    np.testing.assert_array_equal(core.first_row, slow.first_row)
    assert unpack(core.query_ids) == unpack(slow.query_ids)


def mapping_of(run: Sequence[Row], *, listed: bool) -> dict[Any, Any]:
    """{query: {doc: score}} or {query: [doc, ...]}."""
    source: dict[Any, Any] = {}
    for row in run:
        if listed:
            source.setdefault(row.query, []).append(row.doc)
        else:
            source.setdefault(row.query, {})[row.doc] = float(row.score)
    return source


@given(rows(ids("json")), st.data(), st.booleans())
def test_mappings_match_as_the_twin_does(run: list[Row], data: st.DataObject, listed: bool) -> None:
    run = [row for row in run if is_number(row.score)]
    source = mapping_of(run, listed=listed)
    if data.draw(st.booleans()):
        source[data.draw(ids("json"))] = [] if listed else {}
    pairs = data.draw(label_pairs(run, ids("json")))
    ordering = data.draw(orderings(["given"] if listed else ["score", "given"]))
    check_columns(pairs, ordering, lambda matcher: matcher.feed_mapping(source), depth=3)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text and text.isascii()


def check_columns(
    pairs: Any,
    ordering: Mapping[str, Any],
    give: Callable[[Any], None],
    depth: int,
    *,
    grouped: bool = False,
    threads: int = 1,
) -> None:
    results = []
    for module in (_core, twin):
        labels = labels_of(module, pairs)
        matcher = module.Matcher(
            labels, None, module.Ordering(**ordering), depth=depth, threads=threads, grouped=grouped
        )
        give(matcher)
        results.append(matcher.finish())
    if results[0]["scattered"]:
        assert not grouped
        check_columns(pairs, ordering, give, depth, grouped=True, threads=threads)
    else:
        assert_same(*results)


@given(rows(ids("json")))
def test_mappings_become_the_twins_tables(run: list[Row]) -> None:
    for listed in (True, False):
        source = mapping_of([row for row in run if is_number(row.score)], listed=listed)
        assert_same(_core.table_from_mapping(source), twin.table_from_mapping(source))


ID_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.large_string()),
]
NAMES = {"query": "q", "doc": "d", "score": "s", "rank": "r"}
NUMBER_TYPES = [pa.float64(), pa.float32(), pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64()]


@st.composite
def tables(draw: st.DrawFn) -> tuple[pa.Table, list[Row]]:
    """An Arrow table in pieces, with ids of any type, some of them null."""
    run: list[Row] = draw(rows(ids("json")))
    id_types = st.sampled_from(ID_TYPES)
    numbered: bool = draw(st.booleans())
    if numbered:
        run = [Row(str(len(row.query)), str(sum(row.doc.encode())), row.rank, row.score) for row in run]
        id_types = st.sampled_from([*ID_TYPES, pa.int64(), pa.int32(), pa.uint64()])
    number_type = draw(st.sampled_from(NUMBER_TYPES))
    numbers = [draw(number_of(number_type)) for _ in run]
    columns = {
        "q": column([row.query for row in run], draw(id_types)),
        "d": column([row.doc for row in run], draw(id_types)),
        "s": pa.array(numbers, number_type),
        "r": pa.array([i + 1 for i in range(len(run))], pa.int32()),
    }
    spoilt: list[str] = draw(st.lists(st.sampled_from(["q", "d", "s", "r"]), max_size=1))
    for name in spoilt:
        if run:
            columns[name] = with_null(columns[name], draw(st.integers(0, len(run) - 1)))
    return cut(pa.table(columns), draw(st.integers(0, 3)), draw(st.integers(0, 5))), run


def column(values: list[str], kind: pa.DataType) -> pa.Array:
    if pa.types.is_integer(kind):
        return pa.array([int(value) for value in values], kind)
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode().cast(kind)
    return pa.array(values, kind)


def number_of(kind: pa.DataType) -> st.SearchStrategy[Any]:
    if pa.types.is_floating(kind):
        wide = st.floats(width=32 if kind == pa.float32() else 64)
        return st.one_of(st.sampled_from([0.0, -0.0, 1.0, 2.5]), wide.filter(np.isfinite), wide)
    limits = np.iinfo(kind.to_pandas_dtype())
    return st.one_of(st.integers(0, 3), st.integers(int(limits.min), int(limits.max)))


def with_null(values: pa.Array, at: int) -> pa.Array:
    kept = values.to_pylist()
    kept[at] = None
    if pa.types.is_dictionary(values.type):
        return pa.array(kept, values.type.value_type).dictionary_encode().cast(values.type)
    return pa.array(kept, values.type)


def cut(table: pa.Table, skip: int, at: int) -> pa.Table:
    """The same rows from an offset, in two pieces."""
    table = table.slice(skip)
    return pa.concat_tables([table.slice(0, at), table.slice(at)])


@given(tables(), st.data())
@settings(max_examples=settings().max_examples * 3)
def test_arrow_tables_match_as_the_twin_does(made: tuple[pa.Table, list[Row]], data: st.DataObject) -> None:
    table, run = made
    pairs = data.draw(label_pairs(run, ids("json")))
    ordering = data.draw(orderings())
    check_columns(pairs, ordering, lambda matcher: matcher.feed_arrow(table, NAMES), depth=4)


@given(st.integers(0, 2**32 - 1), orderings(), st.sampled_from(ID_TYPES), st.booleans())
@few
def test_long_arrow_tables_match_as_the_twin_does(
    seed: int, ordering: dict[str, Any], kind: pa.DataType, shuffled: bool
) -> None:
    chance = random.Random(seed)
    if pa.types.is_dictionary(kind):
        kind = pa.dictionary(pa.int32(), kind.value_type)  # more than 128 values
    pairs = long_pairs(chance, 20, 40)
    if shuffled:
        chance.shuffle(pairs)
    scores = pa.array([chance.choice([1.0, 2.5, chance.random()]) for _ in pairs])
    columns = {"q": column([query for query, _ in pairs], kind), "d": column([doc for _, doc in pairs], kind)}
    ranks = pa.array([chance.randint(1, 90) for _ in pairs])
    table = cut(pa.table({**columns, "s": scores, "r": ranks}), chance.randint(0, 9), len(pairs) // 2)
    labels, names = (
        chance.sample(pairs, len(pairs) // 3),
        {"query": "q", "doc": "d", "score": "s", "rank": "r"},
    )
    check_columns(labels, ordering, lambda matcher: matcher.feed_arrow(table, names), depth=4)


@given(tables())
def test_arrow_tables_become_the_twins_tables(made: tuple[pa.Table, list[Row]]) -> None:
    table, _ = made
    texts, numbers = {"query": "q", "doc": "d"}, {"grade": "s"}
    assert_same(_core.table_from_arrow(table, texts, numbers), twin.table_from_arrow(table, texts, numbers))


@given(rows(ids("json")), st.data())
def test_polars_frames_match_as_the_twin_does(run: list[Row], data: st.DataObject) -> None:
    polars = pytest.importorskip("polars")
    run = [row for row in run if is_number(row.score)]
    frame = polars.DataFrame(
        {
            "q": [row.query for row in run],
            "d": [row.doc for row in run],
            "s": [float(row.score) for row in run],
        },
        schema={"q": polars.String, "d": polars.String, "s": polars.Float64},
    )
    if data.draw(st.booleans()):
        frame = frame.with_columns(polars.col("d").cast(polars.Categorical))
    pairs = data.draw(label_pairs(run, ids("json")))
    ordering = {**data.draw(orderings(["score", "given"])), "check_rank": False}
    names = {"query": "q", "doc": "d", "score": "s"}
    check_columns(pairs, ordering, lambda matcher: matcher.feed_arrow(frame, names), depth=4)


@given(st.lists(good_numbers(), min_size=1, max_size=50))
@example(["9007199254740993", "2.4703282292062327e-324", "2.4703282292062328e-324", "0." + "0" * 400 + "1"])
@example(["0." + "0" * 400 + "1e10", "0" * 400 + "e500", "1" + "0" * 400 + "e-200"])
@example(["1" + "0" * 400 + "e-10"])
def test_numbers_are_read_to_the_last_bit(numbers: list[str]) -> None:
    layout = {"kind": "delimited", "delimiter": "\t", "columns": {"value": 0}, "width": (1, 1)}
    check_table((layout, [], ["value"], "\n".join(numbers).encode(), [1 << 20]))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*sorted(SHAPES), "long", "garbage"])
def test_many_more_cases_match_as_the_twin_does(name: str) -> None:
    others = {"long": long_cases(), "garbage": garbage_cases()}

    @given(others[name] if name in others else match_cases(name))
    @settings(max_examples=1000)
    def check(case: Case) -> None:
        check_match(case)

    check()


@pytest.mark.parametrize("block", [1, 2, 3, 7])
def test_marks_line_ends_and_characters_may_be_cut_anywhere(block: int) -> None:
    data = "\ufeffq1 Q0 docé☃ 1 2.5 t\r\n\r\nq1 Q0 a 2 2.5 t\r\n q2 Q0 😀 1 1 t".encode()
    check_match(trec(data, labels=[("q1", "docé☃"), ("q2", "😀")], blocks=[block]))


def test_a_lone_mark_is_an_empty_run() -> None:
    check_match(trec(b"\xef\xbb\xbf"))
    check_match(trec(b"\xef\xbb", blocks=[1]))


REGULAR = b"".join(b"q1 Q0 d%d %d %d.5\n" % (at, at + 1, 99 - at) for at in range(40))
FIVE = SHAPES["five"].layout()
MSMARCO = SHAPES["msmarco"].layout()
FOUND = {
    "a line of too many fields after one with a trailing blank": trec(
        b"q1 Q0 a 7 -1.5 \n \nq1 Q0 b 1 high t\n" + REGULAR, layout=FIVE, ordering={"key": "given"}
    ),
    "lines of too many fields among regular ones": trec(
        REGULAR + b"q1 Q0 x 7 1.5 tag\n" * 3 + REGULAR.replace(b" d", b" e"), layout=FIVE
    ),
    "a wide line among regular lines of three fields": trec(
        b"1 b\xc2\xa4 2\n1 Q0 d1 1 1 t\n" + b"".join(b"q b%d %d\n" % (at, at) for at in range(60)),
        layout=MSMARCO,
        ordering={"key": "rank"},
    ),
    "repeated documents of queries that interleave": trec(
        b"".join(b"q%d Q0 a 1 %d.5 t\n" % (at % 2, 9 - at) for at in range(6)),
        ordering={"key": "score", "duplicates": "best"},
        grouped=True,
    ),
    "queries that are absent, in number": trec(b"x Q0 a 1 1 t\n", extra=["e1", "e2", "e3"]),
    "one query over many blocks": trec(
        b"".join(b"q1 Q0 d%d %d %d.5 t\n" % (at, at + 1, 999 - at) for at in range(500)),
        blocks=[100],
        threads=2,
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_once_stays_right(name: str) -> None:
    check_match(FOUND[name])


@pytest.mark.slow
@pytest.mark.parametrize("scattered", [False, True])
def test_a_large_file_is_the_twins_for_any_threads(scattered: bool) -> None:
    chance = random.Random(7)
    pairs = [(f"q{query}", f"doc{chance.randrange(10**6)}") for query in range(1500) for _ in range(100)]
    pairs = list(dict.fromkeys(pairs))
    if scattered:
        chance.shuffle(pairs)
    lines = long_lines(chance, pairs, 2, LONG_FIELDS["trec"])
    case = trec(
        "".join(lines).encode(),
        labels=chance.sample(pairs, 5000),
        ordering={"key": "score", "check_rank": True, "duplicates": "best"},
    )
    slow = match_text(twin, case, grouped=True)
    for threads, blocks in [(1, [1 << 20]), (2, [1 << 20]), (3, [65_543]), (2, [1 << 24])]:
        core = match_text(_core, replace(case, threads=threads, blocks=blocks), grouped=scattered)
        assert not core["scattered"]
        assert_same(core, slow)
