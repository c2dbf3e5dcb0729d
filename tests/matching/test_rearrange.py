"""The transformations of Hits, against rankings rearranged by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.matching.hits import Hits
from tests.hand import make_hits, ranked, ranking
from tests.measures.cases import Small, small_cases


def entries(hits: Hits) -> list[tuple[int, int, int, int, int]]:
    """All entries as plain tuples."""
    columns = (hits.query, hits.rank, hits.label, hits.tie_first, hits.tie_last)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def heads(hits: Hits) -> list[list[tuple[str, int]]]:
    """The ids and label rows of the head of each query."""
    assert hits.head is not None
    items = list(zip(hits.head.ids, hits.head.label.tolist(), strict=True))
    places = hits.head.offsets.tolist()
    return [items[a:b] for a, b in pairwise(places)]


@given(small_cases(), st.integers(0, 8))
def test_condensed_is_the_run_without_its_unjudged_documents(case: Small, depth: int) -> None:
    run = {
        query: [(doc, score) for doc, score in documents if case.labels.get(query, {}).get(doc, -1) >= 0]
        for query, documents in case.run.items()
    }
    hits, judged = case.hits(depth).condensed(), make_hits(case.labels, run, case.run, depth)
    assert entries(hits) == entries(judged)
    assert hits.retrieved.tolist() == judged.retrieved.tolist()
    assert heads(hits) == heads(judged)


def rearranged(case: Small, order: Literal["best", "worst"]) -> dict[str, list[tuple[str, float]]]:
    """The run with scores that put tied documents in this order, then by doc_id descending."""
    sign = 1 if order == "best" else -1
    return {
        query: ranking(
            doc
            for doc, _ in sorted(
                ranked(documents),
                key=lambda item: (-item[1], -sign * max(case.labels.get(query, {}).get(item[0], 0.0), 0.0)),
            )
        )
        for query, documents in case.run.items()
    }


@given(small_cases(), st.sampled_from(["best", "worst"]))
def test_ties_stand_in_the_order_of_their_grades(case: Small, order: Literal["best", "worst"]) -> None:
    tied, expected = case.hits().tied(order), make_hits(case.labels, rearranged(case, order), case.run)
    assert [entry[:3] for entry in entries(tied)] == [entry[:3] for entry in entries(expected)]


@given(small_cases(), st.sampled_from(["best", "worst"]), st.integers(0, 8))
def test_the_head_of_tied_hits_is_right_as_far_as_it_goes(
    case: Small, order: Literal["best", "worst"], depth: int
) -> None:
    known = heads(case.hits(depth).tied(order))
    full = heads(make_hits(case.labels, rearranged(case, order), case.run, depth))
    assert [mine == whole[: len(mine)] for mine, whole in zip(known, full, strict=True)] == [True] * len(full)
    if order == "best" or depth >= 7:
        assert known == full


def test_tie_groups_keep_their_places_when_their_documents_move() -> None:
    hits = make_hits(
        {"q": {"a": 2, "b": 0, "c": 1}}, {"q": [("z", 9.0), ("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)]}
    )
    assert entries(hits.tied("best")) == [(0, 2, 0, 2, 5), (0, 3, 2, 2, 5), (0, 5, 1, 2, 5)]
    assert entries(hits.tied("worst")) == [(0, 3, 1, 2, 5), (0, 4, 2, 2, 5), (0, 5, 0, 2, 5)]


def test_the_record_of_a_document_from_below_the_head_is_unknown() -> None:
    hits = make_hits({"q": {"a": 1, "c": 0}}, {"q": ranking("axc")}, depth=2).condensed()
    assert hits.head is not None
    assert list(hits.head.ids) == ["a", "c"]
    assert hits.head.record.tolist() == [0, -1]


def test_a_document_of_several_needs_moves_as_one() -> None:
    hits = make_hits(
        {"q": {"a": {"n1": 0, "n2": 2}, "b": {"n1": 1}, "c": {"n1": -1}}},
        {"q": [("c", 1.0), ("b", 1.0), ("a", 1.0)]},
    )
    assert [(rank, label) for _, rank, label, _, _ in entries(hits.tied("best"))] == [
        (1, 0),
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    assert [(rank, label) for _, rank, label, _, _ in entries(hits.condensed())] == [(1, 2), (2, 0), (2, 1)]


def test_documents_hold_the_highest_grade_over_needs() -> None:
    hits = make_hits(
        {"q": {"a": {"n1": 0, "n2": 2}, "b": {"n1": 1}}, "r": {"c": {"n1": -1, "n2": 0}}},
        {"q": ranking("xba"), "r": ranking("c")},
        queries=["s"],
        depth=2,
    )
    documents = hits.documents()
    assert documents.qrels.grade.tolist() == [2.0, 1.0, 0.0]
    assert list(documents.qrels.doc_ids) == ["a", "b", "c"]
    assert list(documents.qrels.query_ids) == ["q", "r", "s"]
    assert [(q, rank, label) for q, rank, label, _, _ in entries(documents)] == [
        (0, 2, 1),
        (0, 3, 0),
        (1, 1, 2),
    ]
    assert heads(documents) == [[("x", -1), ("b", 1)], [("c", 2)], []]
    assert documents.documents() is documents


def test_hits_without_needs_or_repeats_are_their_own_documents() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": ranking("ba")})
    assert hits.documents() is hits
    assert hits.first_of_each_label() is hits


def test_a_label_that_comes_twice_stays_at_its_first_rank() -> None:
    hits = make_hits({"q": {"a": 1, "b": 1}}, {"q": [("a", 4.0), ("b", 3.0), ("a", 2.0)]})
    assert [(rank, label) for _, rank, label, _, _ in entries(hits.first_of_each_label())] == [(1, 0), (2, 1)]


@given(small_cases())
def test_transformed_hits_are_read_only(case: Small) -> None:
    for hits in (case.hits(3).condensed(), case.hits(3).tied("best")):
        for array in (hits.rank, hits.label, hits.query, hits.tie_first, hits.tie_last):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
