"""Coverage, Complete and RRAll: cases worked by hand, their definition in plain Python, and properties."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import evaluate, measures
from firsthit.measures import parse_measures
from firsthit.measures.needs import needs_of
from firsthit.queries import Queries
from tests.hand import joined, make_hits, make_qrels, ranked, ranking
from tests.measures.cases import Small, small_cases
from tests.measures.needy import Needy, needy_cases, required

POLICY = {"q": {"policy.md": {"policy": 1}, "exception.md": {"exception": 1}}}
"""The policy and its exception: the answer is right only with both."""

FIRST_AT_1_BOTH_AT_3 = make_hits(POLICY, {"q": ranking(["policy.md", "x", "exception.md"])})


@pytest.mark.parametrize(
    ("name", "value"),
    {
        "RR": 1.0,
        "Success@1": 1.0,
        "Coverage@1": 1 / 2,
        "Coverage@2": 1 / 2,
        "Coverage@3": 1.0,
        "StRecall@2": 1 / 2,
        "Complete@2": 0.0,
        "Complete@3": 1.0,
        "RRAll": 1 / 3,
        "RRAll@3": 1 / 3,
        "RRAll@2": 0.0,
    }.items(),
)
def test_the_policy_is_found_at_1_and_both_at_3(name: str, value: float) -> None:
    assert parse_measures([name])[0].values(FIRST_AT_1_BOTH_AT_3).tolist() == [value]


def test_st_recall_is_another_name_of_coverage() -> None:
    assert parse_measures(["StRecall@5", "strec@5", "st_recall_5"]) == parse_measures(["Coverage@5"])


def test_a_required_need_without_a_relevant_label_counts_as_not_covered() -> None:
    hits = required(FIRST_AT_1_BOTH_AT_3, {0: ("policy", "exception", "deadline")})
    assert measures.coverage(hits, k=3).tolist() == [pytest.approx(2 / 3)]
    assert measures.complete(hits, k=3).tolist() == [0.0]
    assert measures.rr_all(hits).tolist() == [0.0]
    needs = needs_of(hits)
    assert [needs.names[need] for need in needs.need] == ["policy", "exception", "deadline"]
    assert needs.labels.tolist() == [1, 1, 0]


def test_only_required_needs_count_where_some_are_required() -> None:
    hits = required(FIRST_AT_1_BOTH_AT_3, {0: ("exception",)})
    assert measures.coverage(hits, k=2).tolist() == [0.0]
    assert measures.rr_all(hits).tolist() == [1 / 3]


def test_a_need_is_covered_by_its_first_relevant_document() -> None:
    hits = make_hits(
        {"q": {"a": {"n": 0, "m": 1}, "b": {"n": 2}, "c": {"n": 1}, "d": {"o": -1}}}, {"q": ranking("abcd")}
    )
    assert measures.rr_all(hits).tolist() == [1 / 2]
    assert measures.rr_all(hits, rel=2).tolist() == [1 / 2]
    assert measures.coverage(hits, k=1, rel=0).tolist() == [1.0]


def first_ranks_of_needs(case: Needy, query: str, rel: float) -> list[int]:
    """The first rank of each need that counts, 0 for none: the definition, word by word."""
    labels = case.labels.get(query, {})
    order = [doc for doc, _ in ranked(case.run.get(query, []))]
    relevant = {
        need: [doc for doc in labels if labels[doc].get(need, -1) >= rel]
        for need in dict.fromkeys(need for docs in labels.values() for need in docs)
    }
    counting = case.required.get(query) or [need for need, docs in relevant.items() if docs]
    ranks = [[order.index(d) + 1 for d in relevant.get(need, []) if d in order] for need in counting]
    return [min(found, default=0) for found in ranks]


@given(needy_cases(), st.sampled_from([1, 2, 3, 10]), st.sampled_from([0.5, 1, 2]))
def test_measures_of_needs_equal_their_definition_in_plain_python(case: Needy, k: int, rel: float) -> None:
    hits = case.hits()
    for i, query in enumerate(hits.qrels.query_ids):
        ranks = first_ranks_of_needs(case, query, rel)
        covered = sum(0 < rank <= k for rank in ranks)
        assert measures.coverage(hits, k, rel)[i] == (covered / len(ranks) if ranks else 0)
        assert measures.complete(hits, k, rel)[i] == (bool(ranks) and covered == len(ranks))
        last = max(ranks, default=0) if 0 not in ranks else 0
        assert measures.rr_all(hits, k, rel)[i] == (1 / last if 0 < last <= k else 0)


@given(needy_cases(), st.integers(1, 6))
def test_they_grow_with_k_and_stay_in_their_order(case: Needy, k: int) -> None:
    hits = case.hits()
    for function in (measures.coverage, measures.complete, measures.rr_all):
        assert np.all(function(hits, k) <= function(hits, k + 1))
    assert np.all(measures.complete(hits, k) <= measures.coverage(hits, k))
    assert np.all(measures.rr_all(hits, k) <= measures.complete(hits, k))
    if not case.required:
        assert np.all(measures.rr_all(hits) <= measures.rr(hits))
        assert np.all(measures.coverage(hits, k) <= measures.success(hits, k))


@given(small_cases(), st.integers(1, 8), st.sampled_from([0.5, 1, 2]))
def test_labels_without_a_need_form_one_need(case: Small, k: int, rel: float) -> None:
    hits = case.hits()
    success = measures.success(hits, k, rel).tolist()
    assert measures.coverage(hits, k, rel).tolist() == success
    assert measures.complete(hits, k, rel).tolist() == success
    assert measures.rr_all(hits, k, rel).tolist() == measures.rr(hits, k, rel).tolist()


def test_kept_duplicates_count_at_their_first_place() -> None:
    twice = joined(make_qrels(POLICY), {"q": [("policy.md", 4.0), ("exception.md", 3.0), ("policy.md", 1.0)]})
    assert measures.rr_all(twice).tolist() == [1 / 2]


def requiring(needs: Mapping[str, tuple[str, ...]]) -> Queries:
    """A queries table with the needs that each query requires."""
    count = len(needs)
    return Queries(
        query_id=tuple(needs),
        text=(None,) * count,
        groups={},
        critical=(False,) * count,
        answerable=(True,) * count,
        needs=tuple(needs.values()),
    )


QUERIES = requiring(dict.fromkeys("qr", ("policy", "exception")))
LABELS = make_qrels(POLICY | {"r": {"policy.md": {"policy": 1}, "other.md": {"exception": 0}}})
RUN = {"q": ["policy.md", "x", "exception.md"], "r": ["x", "policy.md"]}


def test_coverage_and_complete_stand_beside_rr_where_labels_have_needs() -> None:
    found = evaluate(LABELS, RUN, queries=QUERIES)
    assert found.measures[:4] == ("RR@10", "Coverage@10", "Complete@10", "Success@1")
    assert found.means["Coverage@10"] == 0.75
    assert found.means["Complete@10"] == 0.5
    plain = evaluate({"q": {"a": 1}}, {"q": ["a"]})
    assert "Coverage@10" not in plain.measures
    assert plain.card.needs is None


def test_measures_that_are_named_stay_and_the_card_tells_of_needs() -> None:
    found = evaluate(LABELS, RUN, ["RR@2"], queries=QUERIES)
    assert found.measures == ("RR@2",)
    assert (
        "needs: 4 in 2 queries, 4 required · Coverage@2 0.5000 · Complete@2 0.0000 (2 not complete) · "
        "1 need without a relevant label (--list needs)"
    ) in found.card.text()


def test_rules_that_measures_of_needs_cannot_serve_leave_them_out() -> None:
    assert evaluate(LABELS, RUN, unjudged="bounds").measures == ("RR@10", "Success@1", "Success@10")
    assert "Coverage@10" not in evaluate(LABELS, RUN, ties="expected").measures


def test_needs_that_nothing_covers_are_listed_with_the_reason() -> None:
    labels = make_qrels({"q": {"a": {"n": 1}, "b": {"m": 0}, "c": {"o": 1}}, "absent": {"a": {"n": 1}}})
    table = requiring({"q": ("n", "m", "o", "p"), "absent": ()})
    found = evaluate(labels, {"q": ["a"]}, ["RR@10"], queries=table)
    assert found.listed("needs").rows == (
        ("q", "m", True, 1, 0, "it has no relevant label"),
        ("q", "o", True, 1, 1, "none of its sources is retrieved"),
        ("q", "p", True, 0, 0, "it has no label"),
        ("absent", "n", False, 1, 1, "the query is absent from the run"),
    )


def test_the_record_holds_the_first_rank_of_each_need() -> None:
    record = evaluate(LABELS, RUN, ["RR@10"], queries=QUERIES).record()
    assert record.detail.needs == [{"policy": 1, "exception": 3}, {"policy": 2, "exception": None}]
