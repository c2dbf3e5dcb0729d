"""What measures share is computed once, is right where NumPy's shortcuts are not, and goes with its hits."""

from __future__ import annotations

import gc
import math
import weakref

import numpy as np
import pytest
from msgspec.structs import replace

from firsthit import measures
from firsthit.bounds import bounds, tie_range
from firsthit.measures import MEASURES, Measure
from firsthit.measures.view import log2_of_next, total, view_of
from tests.hand import make_hits, ranking


def test_what_is_shared_goes_when_the_hits_and_labels_go() -> None:
    hits = replace(make_hits({"q": {"a": 1}}, {"q": ranking("xa")}, depth=5), groups={1.0: np.array([0, 1])})
    for name, definition in MEASURES.items():
        Measure(name, None if definition.cutoff == "none" else 5).values(hits)
    bounds(hits, Measure("RR"), ties="expected")
    tie_range(hits, Measure("RR"))
    hits_gone, labels_gone = weakref.ref(hits), weakref.ref(hits.qrels)
    del hits
    gc.collect()
    assert hits_gone() is None
    assert labels_gone() is None


def test_runs_share_the_counts_of_their_labels() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": ranking("xa")})
    assert view_of(hits) is view_of(hits)
    assert view_of(hits.condensed()).pool is view_of(hits).pool


def test_queries_without_hits_sum_to_0_wherever_they_stand() -> None:
    sums = total(np.array([1, 1, 3], np.int32), np.array([0.5, 0.25, 1.0]), queries=5)
    assert sums.tolist() == [0.0, 0.75, 0.0, 1.0, 0.0]
    assert total(np.zeros(0, np.int32), np.zeros(0), queries=2).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("deepest", [1, 10, 1023, 1024, 5000])
def test_discounts_are_those_of_math_log2(deepest: int) -> None:
    ranks = np.array([1, deepest])
    assert log2_of_next(ranks).tolist() == [1.0, math.log2(deepest + 1)]


def test_labels_in_any_order_have_the_same_ideal() -> None:
    mixed = make_hits(
        {"q": {"a": 1, "b": 3, "c": 2}, "r": {"d": 0, "e": 4}}, {"q": ranking("cab"), "r": ranking("e")}
    )
    sorted_labels = make_hits(
        {"q": {"b": 3, "c": 2, "a": 1}, "r": {"e": 4, "d": 0}}, {"q": ranking("cab"), "r": ranking("e")}
    )
    assert measures.ndcg(mixed).tolist() == measures.ndcg(sorted_labels).tolist()
