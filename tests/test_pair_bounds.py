"""Joint bounds of a pair against every way to judge the unjudged documents of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import evaluate
from firsthit.ids import Ids
from firsthit.pair_bounds import JointBounds, Top, joint_bounds, shared_documents, top_of

DOCS = list("abcdef")
Grades = Mapping[str, float]
Case = tuple[dict[str, dict[str, float]], dict[str, list[str]], dict[str, list[str]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Labels of two queries, and two rankings of each; a query may be absent from a run."""
    labels: dict[str, dict[str, float]] = {}
    old: dict[str, list[str]] = {}
    new: dict[str, list[str]] = {}
    for query in ("q1", "q2"):
        grade = st.sampled_from([-1.0, 0.0, 0.0, 1.0, 2.0])
        labels[query] = draw(st.dictionaries(st.sampled_from(DOCS), grade, min_size=1, max_size=4))
        for run in (old, new):
            documents = draw(st.permutations(DOCS))[: draw(st.integers(0, 5))]
            if draw(st.integers(0, 9)):
                run[query] = list(documents)
    return labels, old, new


def reciprocal(documents: Sequence[str], grades: Grades, cutoff: int | None, rel: float) -> float:
    for rank, doc in enumerate(documents[:cutoff], 1):
        if grades.get(doc, -1.0) >= rel:
            return 1 / rank
    return 0.0


def every_judging(grades: Grades, documents: Sequence[str], rel: float) -> list[dict[str, float]]:
    """The grades after every way to judge the unjudged among the documents as relevant or not."""
    unjudged = sorted({doc for doc in documents if grades.get(doc, -1.0) < 0})
    return [
        {**grades, **dict.fromkeys(unjudged, 0.0), **dict.fromkeys(chosen, rel)}
        for size in range(len(unjudged) + 1)
        for chosen in combinations(unjudged, size)
    ]


def brute(case: Case, query: str, cutoff: int | None, rel: float) -> list[float]:
    """The difference of a query after every judging of all that either run holds."""
    labels, old, new = case
    ours, theirs = old.get(query, []), new.get(query, [])
    return [
        reciprocal(theirs, grades, cutoff, rel) - reciprocal(ours, grades, cutoff, rel)
        for grades in every_judging(labels[query], [*ours, *theirs], rel)
    ]


def bounds_of(case: Case, cutoff: int | None, rel: float = 1.0) -> JointBounds:
    labels, old, new = case
    measure = f"RR(rel={rel:g})" + ("" if cutoff is None else f"@{cutoff}")
    records = [
        evaluate(labels, run, [measure], depth=10, empty_run="score", name="run").record()
        for run in (old, new)
    ]
    rows = np.arange(len(labels))
    before, after = (top_of(record.detail.ranked, rows, record.first_rank, cutoff) for record in records)
    return joint_bounds(before, after, cutoff)


@given(cases(), st.sampled_from([1, 2, 3, 5, None]), st.sampled_from([1.0, 2.0]))
def test_joint_bounds_are_the_extremes_over_all_judgings(case: Case, cutoff: int | None, rel: float) -> None:
    found = bounds_of(case, cutoff, rel)
    for place, query in enumerate(case[0]):
        values = brute(case, query, cutoff, rel)
        assert found.lower[place] == min(values)
        assert found.upper[place] == max(values)
        assert found.disputed[place] == (len({np.sign(min(values)), np.sign(max(values))}) > 1)
    assert found.mean == pytest.approx((found.lower.mean(), found.upper.mean()), abs=1e-15)


@given(cases(), st.sampled_from([1, 2, 3, 5, None]))
def test_swapping_the_systems_negates_the_bounds(case: Case, cutoff: int | None) -> None:
    labels, old, new = case
    found, swapped = bounds_of(case, cutoff), bounds_of((labels, new, old), cutoff)
    assert np.array_equal(found.lower, -swapped.upper)
    assert np.array_equal(found.upper, -swapped.lower)
    assert np.array_equal(found.disputed, swapped.disputed)


@given(cases(), st.sampled_from([1, 2, 3, 5, None]))
def test_a_shift_is_what_one_relevant_document_changes(case: Case, cutoff: int | None) -> None:
    labels, old, new = case
    documents = bounds_of(case, cutoff).documents
    queries = list(labels)
    for place, doc, shift in zip(documents.query, documents.doc_ids, documents.shift, strict=True):
        query = queries[place]
        ours, theirs = old.get(query, []), new.get(query, [])

        def difference(grades: Grades, a: Sequence[str] = ours, b: Sequence[str] = theirs) -> float:
            return reciprocal(b, grades, cutoff, 1.0) - reciprocal(a, grades, cutoff, 1.0)

        changed = difference({**labels[query], doc: 1.0}) - difference(labels[query])
        assert shift == pytest.approx(changed, abs=1e-15)


def test_the_bounds_of_each_alone_are_no_bounds_of_the_pair() -> None:
    case: Case = ({"q1": {"r": 1}}, {"q1": ["x", "r"]}, {"q1": ["x", "y", "r"]})
    found = bounds_of(case, 10)
    assert found.lower.tolist() == [1 / 3 - 1 / 2]
    assert found.upper.tolist() == [0.0]  # x lifts both to 1, y lifts NEW to 1/2: alone NEW could gain 2/3
    assert found.documents.shift.tolist() == pytest.approx([1 / 6, 1 / 6])


def test_a_document_outside_a_top_moves_only_the_other() -> None:
    case: Case = ({"q1": {"r": 1}}, {"q1": ["a", "b", "x"]}, {"q1": ["x", "r"]})
    found = bounds_of(case, 2)
    documents = found.documents
    assert list(documents.doc_ids) == ["a", "b", "x"]
    assert documents.rank_old.tolist() == [1, 2, 0]
    assert documents.rank_new.tolist() == [0, 0, 1]
    assert (found.lower.tolist(), found.upper.tolist()) == ([0.5 - 1.0], [1.0])
    assert found.disputed.tolist() == [True]


def test_a_document_that_stands_twice_is_taken_where_it_first_stands() -> None:
    run = {"q1": ["x", "r", "x", "r"]}
    record = evaluate({"q1": {"r": 1}}, run, ["RR@10"], duplicates="keep").record()
    top = top_of(record.detail.ranked, np.array([0]), record.first_rank, 10, repeats=True)
    assert top.unjudged.tolist() == [True, False, False, False]
    found = joint_bounds(top, top, 10)
    assert list(found.documents.doc_ids) == ["x"]
    assert (found.lower.tolist(), found.upper.tolist()) == ([0.0], [0.0])


def test_the_first_documents_and_the_judged_share_of_a_top() -> None:
    top = Top(np.array([0, 2, 2]), Ids.of(["x", "b"]), np.array([True, False]), np.array([2, 0]))
    assert list(top.first_ids) == ["x", ""]
    assert top.judged_share == 0.5
    nothing = Top(np.array([0, 0]), Ids.of([]), np.zeros(0, bool), np.array([0]))
    assert list(nothing.first_ids) == [""]
    assert nothing.judged_share is None
    assert shared_documents(top, top) == 2


def test_no_document_at_all_has_no_room() -> None:
    nothing = Top(np.array([0, 0]), Ids.of([]), np.zeros(0, bool), np.array([0]))
    found = joint_bounds(nothing, nothing, 10)
    assert (found.lower.tolist(), found.upper.tolist(), found.mean) == ([0.0], [0.0], (0.0, 0.0))
    assert len(found.documents) == 0
