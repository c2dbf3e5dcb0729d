"""Labels that several passages satisfy, and passages that satisfy several labels: against plain Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import measures
from firsthit.errors import UsageError
from firsthit.ids import Ids
from firsthit.matching.hits import Hits
from firsthit.measures import parse_measures
from firsthit.measures.view import items_of, view_of
from firsthit.qrels import Qrels
from firsthit.resolve.resolve import Unit, with_documents
from tests.hand import joined, make_hits, make_qrels, ranked, ranking

PASSAGES = ("p1", "p2", "p3", "p4", "p5", "p6")

Item = tuple[float, tuple[str, ...]]
"""What a label of a span is here: its grade, and the passages that satisfy it."""


def resolved(items: Mapping[str, Mapping[str, Item]]) -> Qrels:
    """The labels by passage: {query: {span: (grade, passages that satisfy it)}}."""
    original = make_qrels(
        {query: {span: grade for span, (grade, _) in spans.items()} for query, spans in items.items()}
    )
    holding = [passages for spans in items.values() for _, passages in spans.values()]
    label = [row for row, passages in enumerate(holding) for _ in passages]
    passage = [PASSAGES.index(name) for passages in holding for name in passages]
    unit = Unit(np.arange(len(PASSAGES)), Ids.of(PASSAGES))
    return with_documents(original, np.array(label, np.int64), np.array(passage, np.int64), unit)


TWO_IN_ONE = joined(
    resolved({"q": {"s1": (1, ("p1", "p2")), "s2": (2, ("p1",)), "s3": (1, ())}}),
    {"q": ranking(["p1", "p2", "p3"])},
)
"""The first passage satisfies two labels, the second one of these again; a third label is not satisfied."""


@pytest.mark.parametrize(
    ("name", "value"),
    {
        "RR": 1.0,
        "Success@1": 1.0,
        "P@2": 1.0,
        "R@1": 2 / 3,
        "R@2": 2 / 3,
        "AP": 2 / 3,
        "nDCG": 2 / (2 + 1 / math.log2(3) + 1 / 2),
        "Rprec": 2 / 3,
        "NumRel": 3.0,
        "NumRel(rel=2)": 1.0,
        "NumRelRet": 2.0,
        "Judged@3": 2 / 3,
        "Coverage@1": 1.0,
    }.items(),
)
def test_passages_count_in_rr_and_labels_in_recall(name: str, value: float) -> None:
    assert parse_measures([name])[0].values(TWO_IN_ONE).tolist() == [pytest.approx(value, abs=1e-15)]


def test_the_mean_over_ties_is_refused_where_a_label_counts_at_its_first_passage() -> None:
    for name in ("R@2", "nDCG@2"):
        with pytest.raises(UsageError, match="no exact mean over the orders of ties for labels of sources"):
            parse_measures([name])[0].expected(TWO_IN_ONE)
    assert parse_measures(["RR"])[0].expected(TWO_IN_ONE).tolist() == [1.0]


def test_alpha_ndcg_is_refused_and_err_ia_is_not() -> None:
    with pytest.raises(UsageError, match="labels of spans, sources or quotes cannot tell"):
        measures.alpha_ndcg(TWO_IN_ONE, k=5)
    assert measures.err_ia(TWO_IN_ONE, k=1).tolist() == [1.0]


def test_labels_of_documents_have_one_view() -> None:
    plain = make_hits({"q": {"a": 1}}, {"q": ranking("xa")})
    assert items_of(plain) is view_of(plain)


@dataclass(frozen=True)
class Spans:
    """Labels of spans with the passages that satisfy them, and a run."""

    items: Mapping[str, Mapping[str, Item]]
    run: Mapping[str, list[tuple[str, float]]]

    def hits(self) -> Hits:
        return joined(resolved(self.items), self.run)

    def first_ranks(self, query: str) -> list[tuple[float, int]]:
        """Grade and first rank of each label, 0 where no passage that satisfies it is retrieved."""
        order = [doc for doc, _ in ranked(self.run.get(query, []))]
        return [
            (grade, min((order.index(p) + 1 for p in passages if p in order), default=0))
            for grade, passages in self.items[query].values()
        ]


@st.composite
def span_cases(draw: st.DrawFn) -> Spans:
    some = st.lists(st.sampled_from(PASSAGES), unique=True, max_size=4).map(tuple)
    item = st.tuples(st.sampled_from([-1.0, 0.0, 1.0, 2.0, 3.0]), some)
    spans = st.dictionaries(st.sampled_from(["s1", "s2", "s3", "s4"]), item, min_size=1)
    scores = st.sampled_from([0.0, 1.0, 2.0])
    queries = draw(st.lists(st.sampled_from(["q1", "q2"]), unique=True, min_size=1))
    return Spans(
        {query: draw(spans) for query in queries},
        {query: [(doc, draw(scores)) for doc in draw(some)] for query in queries if draw(st.booleans())},
    )


def slow(name: str, found: list[tuple[float, int]], k: int, rel: float) -> float:
    """The definitions for labels that count once, at their first rank."""
    relevant = [rank for grade, rank in found if grade >= rel]
    within = [rank for rank in relevant if 0 < rank <= k]
    if name == "nDCG":
        best_new = {
            rank: max(grade for grade, its in found if its == rank) for _, rank in found if 0 < rank <= k
        }
        gain = sum(max(grade, 0) / math.log2(rank + 1) for rank, grade in best_new.items())
        grades = sorted((max(grade, 0) for grade, _ in found), reverse=True)
        ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))
        return gain / ideal if ideal else 0.0
    if name == "AP":
        precisions = [len({other for other in within if other <= rank}) / rank for rank in within]
        return sum(precisions) / len(relevant) if relevant else 0.0
    if name == "Rprec":
        return sum(0 < rank <= len(relevant) for rank in relevant) / len(relevant) if relevant else 0.0
    if name == "R":
        return len(within) / len(relevant) if relevant else 0.0
    return {"NumRelRet": float(len(within)), "NumRel": float(len(relevant))}[name]


@given(
    span_cases(),
    st.sampled_from(["R", "AP", "nDCG", "Rprec", "NumRel", "NumRelRet"]),
    st.sampled_from([1, 2, 3, 10]),
    st.sampled_from([0.5, 1, 2]),
)
def test_each_label_counts_once_at_its_first_rank(case: Spans, name: str, k: int, rel: float) -> None:
    hits = case.hits()
    cut = "" if name in ("Rprec", "NumRel") else f"@{k}"
    values = parse_measures([name + cut])[0].values(hits, rel)
    for query, value in zip(hits.qrels.query_ids, values.tolist(), strict=True):
        assert value == pytest.approx(slow(name, case.first_ranks(query), k, rel), abs=1e-12)
        assert name.startswith("Num") or 0 <= value <= 1 + 1e-12


@given(span_cases(), st.sampled_from([0.5, 1, 2]))
def test_rr_is_that_of_the_first_passage_that_satisfies_a_relevant_label(case: Spans, rel: float) -> None:
    hits = case.hits()
    for query, value in zip(hits.qrels.query_ids, measures.rr(hits, rel=rel).tolist(), strict=True):
        ranks = [rank for grade, rank in case.first_ranks(query) if grade >= rel and rank]
        assert value == (1 / min(ranks) if ranks else 0.0)


@given(span_cases())
def test_folding_labels_that_are_folded_changes_nothing(case: Spans) -> None:
    hits = case.hits()
    once = hits.documents()
    assert once.documents() is once
    assert measures.rr(once).tolist() == measures.rr(hits).tolist()
    assert measures.precision(once, 3).tolist() == measures.precision(hits, 3).tolist()
