"""Overlap, rank-biased overlap and churn: worked by hand, and against definitions written another way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import evaluate
from firsthit.comparison.agreement import PERSISTENCE, Agreement, agreement_of
from firsthit.comparison.compare import compare
from firsthit.ids import Ids
from firsthit.pair_bounds import Top

Ranking = Sequence[str]

RANKING = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)
PAIRS = st.lists(st.tuples(RANKING, RANKING), min_size=1, max_size=5)


def top(rankings: Sequence[Ranking]) -> Top:
    offsets = np.cumsum([0, *map(len, rankings)])
    ids = Ids.of(chain.from_iterable(rankings))
    return Top(offsets, ids, np.zeros(len(ids), bool), np.zeros(len(rankings), np.int64))


def agreement(old: Sequence[Ranking], new: Sequence[Ranking], cutoff: int = 10, depth: int = 10) -> Agreement:
    return agreement_of(top(old), top(new), cutoff, depth)


def rbo_by_equation_32(one: Ranking, other: Ranking, p: float) -> float:
    """Webber, Moffat and Zobel's RBO_EXT, term by term, for rankings that are not both empty."""
    short, long = sorted((one, other), key=len)
    s, l = len(short), len(long)  # noqa: E741
    shared = [len(set(short[:d]) & set(long[:d])) for d in range(l + 1)]
    if not s:
        return 0.0
    first = sum(shared[d] / d * p**d for d in range(1, l + 1))
    second = sum(shared[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (first + second) + ((shared[l] - shared[s]) / l + shared[s] / s) * p**l


def test_two_documents_that_change_places() -> None:
    found = agreement([["a", "b"]], [["b", "a"]])
    assert found.mean_overlap == 1
    assert found.mean_rbo == pytest.approx(PERSISTENCE)  # A = 0, 1, 1, ...: all but the weight of rank 1
    assert (found.churn_at_1, found.churn) == (1, 1)


def test_the_second_of_two_documents_is_replaced() -> None:
    found = agreement([["a", "b"]], [["a", "c"]])
    assert found.mean_overlap == 0.5
    assert found.mean_rbo == pytest.approx(0.1 + 0.9 * 0.5)  # A = 1, 1/2, 1/2, ...
    assert (found.churn_at_1, found.churn) == (0, 1)


def test_only_the_top_of_the_cutoff_counts_for_overlap_and_churn() -> None:
    found = agreement([["a", "b", "c"]], [["a", "b", "x"]], cutoff=2)
    assert (found.mean_overlap, found.churn) == (1, 0)
    assert found.mean_rbo < 1


def test_of_two_short_rankings_the_longer_one_counts() -> None:
    assert agreement([["a"]], [["a", "b"]]).mean_overlap == 0.5


def test_rankings_without_a_document_are_in_no_mean() -> None:
    found = agreement([[], ["a"], []], [[], ["a"], ["b"]])
    assert np.isnan(found.overlap).tolist() == [True, False, False]
    assert (found.queries, found.mean_overlap, found.mean_rbo) == (2, 0.5, 0.5)
    assert found.first_changed.tolist() == [False, False, True]
    nothing = agreement([[]], [[]])
    assert nothing.queries == 0
    assert all(math.isnan(x) for x in (nothing.mean_overlap, nothing.mean_rbo, nothing.churn))


def test_a_document_that_stands_twice_counts_at_its_first_place() -> None:
    twice, once = [["a", "a", "b"]], [["a", "b"]]
    for old, new in ((twice, once), (once, twice), (twice, twice)):
        found = agreement(old, new)
        assert found.mean_rbo == pytest.approx(1)
        assert (found.mean_overlap, found.churn) == (1, 0)


@given(PAIRS)
def test_it_is_what_the_definitions_say(pairs: list[tuple[list[str], list[str]]]) -> None:
    found = agreement([one for one, _ in pairs], [other for _, other in pairs], cutoff=3, depth=9)
    for i, (one, other) in enumerate(pairs):
        if not one and not other:
            assert np.isnan(found.rbo[i])
            continue
        longest = max(len(one[:3]), len(other[:3]))
        assert found.overlap[i] == len(set(one[:3]) & set(other[:3])) / longest
        assert found.rbo[i] == pytest.approx(rbo_by_equation_32(one, other, PERSISTENCE), abs=1e-12)
        assert found.first_changed[i] == (one[:1] != other[:1])
        assert found.top_changed[i] == (one[:3] != other[:3])


@given(PAIRS)
def test_equal_rankings_agree_and_swapping_changes_nothing(pairs: list[tuple[list[str], list[str]]]) -> None:
    old, new = [one for one, _ in pairs], [other for _, other in pairs]
    same = agreement(old, old)
    valued = ~np.isnan(same.rbo)
    assert same.rbo[valued] == pytest.approx(1)
    assert not same.top_changed.any()
    one, other = agreement(old, new), agreement(new, old)
    assert one.rbo == pytest.approx(other.rbo, nan_ok=True)
    assert one.overlap == pytest.approx(other.overlap, nan_ok=True)


def test_agreement_falls_as_documents_move_further() -> None:
    start = list("abcdefgh")
    moved = [[*start[1 : place + 1], "a", *start[place + 1 :]] for place in range(8)]
    values = [agreement([start], [ranking]).mean_rbo for ranking in moved]
    assert all(before > after for before, after in pairwise(values))


def test_a_comparison_knows_it_to_the_depth_that_both_keep() -> None:
    labels = {"q1": {"a": 1}, "q2": {"b": 1}}
    old = evaluate(labels, {"q1": ["a", "b", "c"], "q2": ["b"]}, ["RR@2"], depth=10, name="old")
    new = evaluate(labels, {"q1": ["a", "c", "b"], "q2": ["b"]}, ["RR@2"], depth=20, name="new")
    found = compare(old, new).agreement
    assert found is not None
    assert (found.cutoff, found.depth, found.queries) == (2, 10, 2)
    assert found.overlap.tolist() == [0.5, 1.0]


def test_a_comparison_does_not_know_it_where_no_ids_were_kept() -> None:
    labels = {"q1": {"a": 1}}
    old, new = (evaluate(labels, {"q1": ["a"]}, ["RR"], depth=depth, name=str(depth)) for depth in (0, 10))
    assert compare(old, new).agreement is None
    assert compare(old, new).data()["agreement"] is None
