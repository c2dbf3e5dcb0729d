"""The distribution of first ranks, their median and their harmonic mean."""

from __future__ import annotations

from statistics import harmonic_mean, median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.measures import RANK_CLASSES, distribution, harmonic_mean_rank, median_first_rank, rr
from firsthit.measures.first import reciprocal
from tests.hand import make_hits, ranking

RANKS = st.lists(st.integers(0, 30), max_size=9)


def test_every_first_rank_falls_in_its_class() -> None:
    counts = distribution(np.array([0, 0, 1, 2, 3, 4, 5, 6, 10, 11, 1000]))
    assert list(counts) == list(RANK_CLASSES)
    assert list(counts.values()) == [1, 1, 1, 2, 2, 2, 2]


@given(RANKS)
def test_the_classes_hold_every_query_once(ranks: list[int]) -> None:
    assert sum(distribution(np.array(ranks, np.int64)).values()) == len(ranks)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=9))
def test_without_misses_the_median_is_the_usual_one(ranks: list[int]) -> None:
    assert median_first_rank(np.array(ranks)) == median(ranks)


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([], None),
        ([0], None),
        ([3], 3),
        ([1, 0], None),
        ([1, 2, 0], 2),
        ([1, 2, 0, 0], None),
        ([1, 2, 4, 0], 3),
    ],
)
def test_a_miss_counts_as_deepest_in_the_median(ranks: list[int], expected: float | None) -> None:
    assert median_first_rank(np.array(ranks, np.int64)) == expected


@given(st.lists(st.integers(1, 30), min_size=1, max_size=9))
def test_1_over_mrr_is_the_harmonic_mean_of_the_first_ranks(ranks: list[int]) -> None:
    assert harmonic_mean_rank(float(reciprocal(np.array(ranks)).mean())) == pytest.approx(
        harmonic_mean(ranks)
    )


def test_the_harmonic_mean_rank_does_not_exist_when_nothing_is_found() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": ranking("x")})
    assert harmonic_mean_rank(float(rr(hits).mean())) is None
    assert harmonic_mean_rank(float("nan")) is None
