"""Bounds and tie ranges against all judgments and all orders of small cases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.bounds import Ties, bounds, judged_share, lists_relevant_only, tie_range
from firsthit.errors import UsageError
from firsthit.measures import MEASURES, Measure
from tests.hand import make_hits, make_qrels, ranking
from tests.measures.brute import VALUES, Case, fixed_order, orders
from tests.measures.cases import Small, small_cases

MEASURED = st.builds(Measure, st.sampled_from(["RR", "Success"]), st.sampled_from([1, 2, 3, 10]))
RELS = st.sampled_from([0.5, 1.0, 2.0])


def after_judging(
    labels: dict[str, float], documents: list[tuple[str, float]], rel: float
) -> list[dict[str, float]]:
    """The labels after every way to judge the unjudged documents of a ranking as relevant or not."""
    unjudged = [doc for doc, _ in documents if labels.get(doc, -1.0) < 0]
    return [
        {**labels, **dict(zip(unjudged, grades, strict=True))}
        for grades in product([0.0, rel], repeat=len(unjudged))
    ]


def brute(
    measure: Measure, labels: dict[str, float], documents: list[tuple[str, float]], rel: float, ties: Ties
) -> float:
    """The value of one query under a rule for ties."""
    every = [fixed_order(documents, labels)] if ties == "docid-desc" else list(orders(documents, labels))
    values = [VALUES[measure.name](Case(order, labels, measure.cutoff, rel)) for order in every]
    reduce: dict[str, Callable[[list[float]], float]] = {"best": max, "worst": min, "expected": fmean}
    return values[0] if ties == "docid-desc" else reduce[ties](values)


@given(small_cases(documents=5), MEASURED, RELS, st.sampled_from(["docid-desc", "best", "worst", "expected"]))
def test_bounds_are_the_extremes_over_all_further_judgments(
    case: Small, measure: Measure, rel: float, ties: Ties
) -> None:
    hits = case.hits()
    lower, upper = bounds(hits, measure, rel, ties)
    for place, query in enumerate(hits.qrels.query_ids):
        labels, documents = case.of(query)
        values = [
            brute(measure, more, documents, rel, ties) for more in after_judging(dict(labels), documents, rel)
        ]
        assert lower[place] == pytest.approx(min(values), abs=1e-12)
        assert upper[place] == pytest.approx(max(values), abs=1e-12)


@given(small_cases(), MEASURED, RELS)
def test_the_value_lies_in_its_bounds_and_in_its_tie_range(case: Small, measure: Measure, rel: float) -> None:
    hits = case.hits()
    value = measure.values(hits, rel)
    lower, upper = bounds(hits, measure, rel)
    worst, expected, best = tie_range(hits, measure, rel)
    assert np.array_equal(lower, value)
    assert np.all((lower <= upper) & (worst <= value) & (value <= best))
    assert np.all((worst <= expected) & (expected <= best))
    assert expected.tolist() == measure.expected(hits, rel).tolist()


@given(small_cases(), MEASURED, RELS)
def test_the_tie_range_holds_the_values_of_the_tied_hits(case: Small, measure: Measure, rel: float) -> None:
    hits = case.hits()
    worst, _, best = tie_range(hits, measure, rel)
    assert worst.tolist() == measure.values(hits.tied("worst"), rel).tolist()
    assert best.tolist() == measure.values(hits.tied("best"), rel).tolist()


def test_absent_has_no_room_and_unlabelled_is_open() -> None:
    hits = make_hits(
        {"absent": {"a": 1}, "empty": {"a": 1}, "missed": {"a": 1}, "settled": {"x": 0, "y": 0}},
        {"empty": [], "missed": ranking("xy"), "settled": ranking("xy"), "unlabelled": ranking("z")},
        queries=["unlabelled"],
    )
    lower, upper = bounds(hits, Measure("RR", 10))
    assert lower.tolist() == [0, 0, 0, 0, 0]
    assert upper.tolist() == [0, 0, 1, 0, 1]


def test_a_negative_grade_is_open_and_the_own_rel_of_a_measure_holds() -> None:
    hits = make_hits({"q": {"a": 1, "b": -1, "c": 2}}, {"q": ranking("abc")})
    assert [values.tolist() for values in bounds(hits, Measure("RR"))] == [[1.0], [1.0]]
    assert [values.tolist() for values in bounds(hits, Measure("RR", 10, (("rel", 2.0),)))] == [
        [1 / 3],
        [1 / 2],
    ]


def test_only_rr_and_success_have_bounds() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": ranking("a")})
    for name in set(MEASURES) - {"RR", "Success"}:
        with pytest.raises(UsageError, match="only RR and Success"):
            bounds(hits, Measure(name, 10))
        with pytest.raises(UsageError, match="only RR and Success"):
            tie_range(hits, Measure(name, 10))


def test_the_judged_share_counts_documents_over_the_counted_queries() -> None:
    hits = make_hits(
        {"q1": {"a": 1, "b": 0, "c": -1}, "q2": {"a": 1}, "q3": {"a": 1}},
        {"q1": ranking("xabc"), "q2": ranking("a")},
    )
    assert judged_share(hits, 2) == 2 / 3
    assert judged_share(hits, None) == 3 / 5
    assert judged_share(hits, 10, np.array([True, False, True])) == 2 / 4
    assert judged_share(hits, 10, np.array([False, False, True])) is None


def test_labels_list_relevant_documents_only_without_any_nonrelevant() -> None:
    assert lists_relevant_only(make_qrels({"q": {"a": 1, "b": 2}}))
    assert lists_relevant_only(make_qrels({"q": {"a": 1, "b": -1}}))
    assert not lists_relevant_only(make_qrels({"q": {"a": 1, "b": 0}}))
    assert not lists_relevant_only(make_qrels({"q": {"a": 1, "b": 2}}), rel=2)
