"""Values over the orders of ties, against all orders one by one."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from statistics import fmean
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.errors import UsageError
from firsthit.measures import MEASURES, Measure, parse_measures
from firsthit.measures.ties import FirstGroup, mean_over_orders
from tests.hand import make_hits, ranking
from tests.measures.brute import VALUES, Case, orders
from tests.measures.cases import Small, small_cases

CUTOFFS = st.sampled_from([None, 1, 2, 3, 4, 10])
EXPECTED = ["RR", "Success", "P", "R", "nDCG", "nDCG(dcg='exp-log2')", "RBP"]


@given(small_cases(documents=6), st.sampled_from(EXPECTED), CUTOFFS, st.sampled_from([0.5, 1, 2]))
def test_the_expected_value_is_the_mean_over_all_orders(
    case: Small, name: str, k: int | None, rel: float
) -> None:
    base = parse_measures([name if name not in ("P", "R", "Success") else f"{name}@1"])[0]
    k = k or 3 if base.definition.cutoff == "required" else k
    hits = case.hits()
    values = Measure(base.name, k, base.params).expected(hits, rel)
    for query, value in zip(hits.qrels.query_ids, values.tolist(), strict=True):
        labels, documents = case.of(query)
        every = [VALUES[name](Case(order, labels, k, rel)) for order in orders(documents, labels)]
        assert value == pytest.approx(fmean(every), abs=1e-12)


@given(small_cases(documents=6), st.sampled_from(sorted(VALUES)), CUTOFFS)
def test_best_and_worst_of_the_first_hit_are_the_extremes_over_all_orders(
    case: Small, name: str, k: int | None
) -> None:
    hits = case.hits()
    for measure in (Measure("RR", k), Measure("Success", k or 3)):
        best, worst = measure.values(hits.tied("best")), measure.values(hits.tied("worst"))
        for place, query in enumerate(hits.qrels.query_ids):
            labels, documents = case.of(query)
            every = [VALUES[measure.name](Case(o, labels, measure.cutoff)) for o in orders(documents, labels)]
            assert (best[place], worst[place]) == (max(every), min(every))


@given(small_cases(), st.sampled_from(EXPECTED))
def test_without_ties_the_expected_value_is_the_value(case: Small, name: str) -> None:
    run = {query: ranking(doc for doc, _ in documents) for query, documents in case.run.items()}
    hits = Small(case.labels, run).hits()
    measure = parse_measures([name if name not in ("P", "R", "Success") else f"{name}@3"])[0]
    # nDCG multiplies by a mean discount where the value divides by a logarithm: the last digit may differ
    assert measure.expected(hits).tolist() == pytest.approx(measure.values(hits).tolist(), rel=1e-14)


@given(small_cases(), st.permutations(["d1", "d2", "d3", "d4", "d5", "d6", "d7"]))
def test_renaming_documents_leaves_the_expected_rr_unchanged(case: Small, names: list[str]) -> None:
    new = dict(zip(sorted(names), names, strict=True))
    labels = {q: {new[doc]: grade for doc, grade in docs.items()} for q, docs in case.labels.items()}
    run = {q: [(new[doc], score) for doc, score in docs] for q, docs in case.run.items()}
    measure = Measure("RR", 3)
    assert measure.expected(Small(labels, run).hits()).tolist() == measure.expected(case.hits()).tolist()


def test_measures_without_a_mean_over_orders_name_those_that_have_one() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": ranking("a")})
    for name, definition in MEASURES.items():
        if definition.expected is None:
            with pytest.raises(UsageError, match=f"{name}.* these have: RR, Success, P, R, nDCG, RBP"):
                Measure(name).expected(hits)


def test_a_mean_over_orders_is_refused_where_a_document_stands_twice() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": [("a", 1.0), ("a", 1.0), ("x", 1.0)]})
    with pytest.raises(UsageError, match="stands twice"):
        Measure("P", 2).expected(hits)
    assert Measure("RR").expected(hits).tolist() == pytest.approx([1 * 2 / 3 + 1 / 2 * 1 / 3])


def exact(before: int, size: int, wanted: int, k: int) -> Fraction:
    """The design's sum with exact fractions."""
    return sum(
        (
            Fraction(comb(size - j, wanted - 1), comb(size, wanted)) / (before + j)
            for j in range(1, min(size - wanted + 1, k - before) + 1)
        ),
        Fraction(0),
    )


@given(st.integers(0, 50), st.integers(1, 300), st.data())
def test_the_recurrence_equals_the_sum_of_binomials(before: int, size: int, data: st.DataObject) -> None:
    wanted, k = data.draw(st.integers(1, size)), data.draw(st.integers(1, 400))
    group = FirstGroup(*(np.array([n]) for n in (before, size, wanted)))
    assert mean_over_orders(group, k, "RR")[0] == pytest.approx(
        float(exact(before, size, wanted, k)), abs=1e-14
    )


def test_a_group_of_100_000_needs_no_factorial_and_little_time() -> None:
    size = 100_000
    group = FirstGroup(*(np.array([n] * 3) for n in (0, size, 1)))
    group = FirstGroup(group.before, group.size, np.array([1, 2, 50_000]))
    start = perf_counter()
    rr = mean_over_orders(group, None, "RR")
    assert perf_counter() - start < 2
    harmonic = sum(1 / i for i in range(1, size + 1))
    assert rr[0] == pytest.approx(harmonic / size, rel=1e-12)
    second = 2 * (size * harmonic - size) / (size * (size - 1))
    assert rr[1] == pytest.approx(second, rel=1e-10)
    assert mean_over_orders(group, 10, "Success")[:2] == pytest.approx(
        [10 / size, 1 - (size - 10) * (size - 11) / (size * (size - 1))], rel=1e-9
    )


def test_many_groups_of_many_sizes_are_computed_apart() -> None:
    sizes = np.arange(1, 400)
    group = FirstGroup(sizes % 7, sizes, np.minimum(sizes, 1 + sizes % 5))
    together = mean_over_orders(group, 50, "RR")
    alone = [
        mean_over_orders(
            FirstGroup(*(part[i : i + 1] for part in (group.before, group.size, group.wanted))), 50, "RR"
        )[0]
        for i in range(len(sizes))
    ]
    assert together.tolist() == pytest.approx(alone, abs=1e-15)
