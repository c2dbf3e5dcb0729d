"""alpha_nDCG and ERR_IA: cases worked by hand, and their definitions in plain Python."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import measures
from tests.hand import make_hits, ranked, ranking
from tests.measures.needy import Needy, needy_cases

LABELS = {"q": {"a": {"n": 1, "m": 2}, "b": {"n": 1}, "c": {"o": 1}, "d": {"m": 0}}}
"""One document serves two needs, one of these again, one a third."""


def test_a_new_need_is_worth_more_than_one_that_was_served() -> None:
    again_first = make_hits(LABELS, {"q": ranking("abc")})
    new_first = make_hits(LABELS, {"q": ranking("acb")})
    best = 2 + 1 / math.log2(3) + 0.5 / 2
    assert measures.alpha_ndcg(new_first, k=3).tolist() == [1.0]
    assert measures.alpha_ndcg(again_first, k=3).tolist() == [
        pytest.approx((2 + 0.5 / math.log2(3) + 1 / 2) / best)
    ]
    assert measures.err_ia(again_first, k=3).tolist() == [
        pytest.approx((2 + 0.5 / 2 + 1 / 3) / (3 * (1 + 0.5 / 2 + 0.25 / 3)))
    ]


def test_alpha_says_what_repetition_costs() -> None:
    hits = make_hits(LABELS, {"q": ranking("ab")})
    assert measures.alpha_ndcg(hits, k=2, alpha=1.0).tolist() == [pytest.approx(2 / (2 + 1 / math.log2(3)))]
    assert measures.alpha_ndcg(hits, k=2, alpha=0.0).tolist() == [1.0]


def test_err_ia_at_1_is_the_number_of_needs_that_the_first_document_serves() -> None:
    assert measures.err_ia(make_hits(LABELS, {"q": ranking("ab")}), k=1).tolist() == [2.0]


def served(case: Needy, query: str, doc: str, rel: float) -> list[str]:
    """The needs that a document serves."""
    return [need for need, grade in case.labels.get(query, {}).get(doc, {}).items() if grade >= rel]


def gains(needs: list[list[str]], alpha: float) -> list[float]:
    """What each document of a ranking adds, from the needs that each serves."""
    seen = [need for served in needs for need in served]
    counts = dict.fromkeys(seen, 0)
    found = []
    for its in needs:
        found.append(sum((1 - alpha) ** counts[need] for need in its))
        for need in its:
            counts[need] += 1
    return found


def dcg(gain: list[float], k: int) -> float:
    return sum(value / math.log2(rank + 1) for rank, value in enumerate(gain[:k], 1))


def greedy(case: Needy, query: str, rel: float, alpha: float) -> list[list[str]]:
    """The labelled documents, the one that adds most next, ties by doc_id descending."""
    left = sorted(case.labels.get(query, {}), reverse=True)
    order: list[list[str]] = []
    while left:
        best = max(left, key=lambda doc: gains([*order, served(case, query, doc, rel)], alpha)[-1])
        order.append(served(case, query, best, rel))
        left.remove(best)
    return order


@given(
    needy_cases(),
    st.sampled_from([1, 2, 3, 10]),
    st.sampled_from([0.5, 1, 2]),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_both_equal_their_definition_in_plain_python(case: Needy, k: int, rel: float, alpha: float) -> None:
    hits = case.hits()
    ndcg, err = measures.alpha_ndcg(hits, k, rel, alpha), measures.err_ia(hits, k, rel)
    for i, query in enumerate(hits.qrels.query_ids):
        needs = [served(case, query, doc, rel) for doc, _ in ranked(case.run.get(query, []))]
        ideal = dcg(gains(greedy(case, query, rel, alpha), alpha), k)
        assert ndcg[i] == pytest.approx(dcg(gains(needs, alpha), k) / ideal if ideal else 0, abs=1e-12)
        every = {need for doc in case.labels.get(query, {}) for need in served(case, query, doc, rel)}
        found = sum(gain / rank for rank, gain in enumerate(gains(needs, 0.5)[:k], 1))
        best = 1 if k == 1 else len(every) * sum(0.5 ** (rank - 1) / rank for rank in range(1, k + 1))
        assert err[i] == pytest.approx(found / best if every else 0, abs=1e-12)
