"""However a table is cut into batches, and on however many threads, core and slow twin answer alike."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit import _core
from tests.strategies import long_pairs, orderings
from tests.test_core_twin import ID_TYPES, NAMES, check_columns, column
from tests.twin.same import assert_same, labels_of

WIDE_TYPES = [kind for kind in ID_TYPES if not pa.types.is_dictionary(kind)]
WIDE_TYPES.append(pa.dictionary(pa.int32(), pa.string()))
few = settings(max_examples=max(settings().max_examples // 2, 1))


def batches(
    chance: random.Random, rows: list[tuple[Any, ...]], kinds: tuple[pa.DataType, pa.DataType], longest: int
) -> pa.Table:
    """(query, doc, score, rank) in batches of up to `longest` rows, each with dictionaries of its own."""
    cut = 0
    pieces: list[pa.RecordBatch] = []
    while cut < len(rows) or not pieces:
        size = chance.randint(0, longest)
        query, doc, score, rank = (
            zip(*rows[cut : cut + size], strict=True) if rows[cut : cut + size] else [()] * 4
        )
        columns = [column(list(query), kinds[0]), column(list(doc), kinds[1])]
        pieces.append(
            pa.record_batch(
                [*columns, pa.array(score, pa.float64()), pa.array(rank, pa.int32())],
                names=["q", "d", "s", "r"],
            )
        )
        cut += size
    return pa.Table.from_batches(pieces)


def spoilt(chance: random.Random, rows: list[tuple[Any, ...]], count: int) -> list[tuple[Any, ...]]:
    """The rows with a null, an empty id or a score that is no number here and there."""
    rows = list(rows)
    for _ in range(count):
        at, place = chance.randrange(len(rows)), chance.randrange(3)
        value = chance.choice([None, ""]) if place < 2 else chance.choice([None, float("nan"), float("inf")])
        rows[at] = (*rows[at][:place], value, *rows[at][place + 1 :])
    return rows


def scored(chance: random.Random, pairs: list[tuple[str, str]]) -> list[tuple[Any, ...]]:
    """Rows whose scores mostly fall, tie at times and rise at times."""
    return [
        (query, doc, chance.choice([1.0, 2.5, -float(at)]), chance.randint(1, 90))
        for at, (query, doc) in enumerate(pairs)
    ]


@given(
    st.integers(0, 2**32 - 1),
    orderings(),
    st.tuples(st.sampled_from(WIDE_TYPES), st.sampled_from(WIDE_TYPES)),
    st.tuples(st.sampled_from([1, 5, 60, 400]), st.integers(1, 3)),
    st.booleans(),
)
@settings(max_examples=settings().max_examples * 2)
def test_batches_match_as_the_twin_does(
    seed: int,
    ordering: dict[str, Any],
    kinds: tuple[pa.DataType, pa.DataType],
    cut: tuple[int, int],
    shuffled: bool,
) -> None:
    longest, threads = cut
    chance = random.Random(seed)
    pairs = long_pairs(chance, 20, chance.randint(1, 8))
    if shuffled:
        chance.shuffle(pairs)
    rows = spoilt(chance, scored(chance, pairs), chance.choice([0, 0, 0, 1, 3]))
    table = batches(chance, rows, kinds, longest)
    labels = chance.sample(pairs, len(pairs) // 3)
    check_columns(
        labels, ordering, lambda matcher: matcher.feed_arrow(table, NAMES), depth=4, threads=threads
    )


@pytest.mark.parametrize("kind", WIDE_TYPES, ids=str)
@pytest.mark.parametrize("shuffled", [False, True], ids=["in-order", "shuffled"])
def test_threads_and_batches_of_any_size_change_nothing(kind: pa.DataType, shuffled: bool) -> None:
    chance = random.Random(5)
    pairs = long_pairs(chance, 12, 2500)  # enough rows that threads share one batch
    if shuffled:
        chance.shuffle(pairs)
    rows = scored(chance, pairs)
    results = []
    for longest, threads in [(len(rows), 1), (len(rows), 3), (40_000, 2), (900, 3)]:
        matcher = _core.Matcher(
            labels_of(_core, pairs[:2000]),
            None,
            _core.Ordering("score", check_rank=True),
            depth=3,
            threads=threads,
            grouped=shuffled,
        )
        matcher.feed_arrow(batches(chance, rows, (kind, pa.string()), longest), NAMES)
        results.append(matcher.finish())
    for other in results[1:]:
        assert_same(results[0], other)
    assert not results[0]["scattered"]
    assert len(results[0]["row"]) > 1000


def test_problems_name_the_record_whatever_the_batch_and_the_thread() -> None:
    rows: list[tuple[Any, ...]] = [(f"q{at // 100}", f"d{at}", -float(at), 1) for at in range(60_000)]
    rows[50_123] = (rows[50_123][0], rows[50_122][1], *rows[50_123][2:])
    rows[59_999] = (rows[59_999][0], None, *rows[59_999][2:])
    for threads, longest in [(1, 60_000), (3, 60_000), (2, 777)]:
        table = batches(random.Random(3), rows, (pa.string(), pa.string()), longest)
        matcher = _core.Matcher(
            labels_of(_core, [("q0", "d1")]), None, _core.Ordering("score"), threads=threads
        )
        matcher.feed_arrow(table, NAMES)
        problems = matcher.finish()["problems"]
        assert problems == [("duplicate", 50_124, b"d50122", 50_123), ("null", 60_000, b"doc", 0)]


def test_two_dictionary_entries_of_one_text_are_one_query() -> None:
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 2], pa.int32()), pa.array(["q", "q", "p"]))
    table = pa.table({"q": dictionary, "d": ["a", "b", "c", "a"], "s": [4.0, 3.0, 2.0, 1.0]})
    matcher = _core.Matcher(labels_of(_core, [("q", "c")]), None, _core.Ordering("score"))
    matcher.feed_arrow(table, NAMES)
    result = matcher.finish()
    assert (result["scattered"], result["rank"].tolist()) == (False, [3])
