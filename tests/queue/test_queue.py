"""The judging queue: its intervals are exact, its promise holds, and what matters most comes first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import Evaluation, NotComparableError, Queries, UsageError, compare, evaluate, evaluate_runs
from firsthit.queue import AIMS, JudgingQueue, judging_queue

Labels = dict[str, dict[str, float]]
Run = dict[str, list[str]]

DOCS = ("a", "b", "c", "d", "e")


def population(*query_ids: str) -> Queries:
    n = len(query_ids)
    return Queries(query_ids, (None,) * n, {}, (False,) * n, (True,) * n, ((),) * n)


def evaluated(labels: Labels, runs: list[Run], measure: str = "RR@3") -> list[Evaluation]:
    names: list[str] = [f"run{i}" for i in range(len(runs))]
    sources: list[Iterable[str]] = [labels, *runs]
    shown = population(*dict.fromkeys(query for source in sources for query in source))
    return list(evaluate_runs(labels, runs, [measure], queries=shown, names=names))


def queue_of(labels: Labels, *runs: Run, **options: object) -> JudgingQueue:
    return judging_queue(evaluated(labels, list(runs)), **options)  # type: ignore[arg-type]


def test_only_documents_above_the_first_relevant_one_matter() -> None:
    queue = queue_of({"q1": {"b": 1}, "q2": {"c": 1}}, {"q1": ["a", "b", "d"], "q2": ["c", "a"]})
    assert [(item.query_id, item.doc_id, item.ranks) for item in queue.items] == [("q1", "a", (1,))]
    assert queue.intervals == ((0.75, 1.0),)
    assert queue.items[0].change == pytest.approx(0.25)
    assert queue.items[0].left == 0


def test_documents_below_the_cutoff_do_not_matter() -> None:
    assert [item.doc_id for item in queue_of({"q1": {"x": 0}}, {"q1": ["x", "a", "b", "c"]}).items] == [
        "a",
        "b",
    ]


def test_the_widest_query_comes_first_and_equal_worth_keeps_the_order_of_the_labels() -> None:
    labels: Labels = {"q1": {"x": 0, "c": 1}, "q2": {"c": 1}}
    queue = queue_of(labels, {"q1": ["x", "a", "c"], "q2": ["a", "b", "c"]})
    assert [(item.query_id, item.doc_id) for item in queue.items] == [("q2", "a"), ("q1", "a"), ("q2", "b")]


def test_critical_queries_come_first() -> None:
    labels: Labels = {"q1": {"x": 0, "c": 1}, "q2": {"c": 1}}
    queue = queue_of(labels, {"q1": ["x", "a", "c"], "q2": ["a", "b", "c"]}, critical=["q1"])
    assert [item.query_id for item in queue.items] == ["q1", "q2", "q2"]
    assert [item.critical for item in queue.items] == [True, False, False]


def test_a_document_that_both_runs_rank_alike_leaves_the_difference_as_it_is() -> None:
    old, new = {"q1": ["a", "b"]}, {"q1": ["a", "b", "c"]}
    assert queue_of({"q1": {"b": 1}}, old, new).items == ()
    assert [item.doc_id for item in queue_of({"q1": {"b": 1}}, old, new, aim="means").items] == ["a"]


def test_the_sentence_of_one_run() -> None:
    queue = queue_of({"q1": {"b": 1}, "q2": {"c": 1}}, {"q1": ["a", "b"], "q2": ["a", "b", "c"]})
    assert queue.sentence == (
        "Judge at most these 3 documents, in this order, and MRR@3 is exact; now between 0.4167 and 1.0000."
    )
    assert queue.said(1) == (
        "Judge at most 3 documents, in this order, and MRR@3 is exact; now between 0.4167 and 1.0000; "
        "after the first one, if none is relevant, the interval is 0.3333 wide."
    )


def test_the_sentence_of_a_pair() -> None:
    queue = queue_of({"q1": {"b": 1}}, {"q1": ["b"]}, {"q1": ["a", "b"]})
    assert queue.sentence == (
        "Judge this one document, and the difference in MRR@3 (run1 less run0) is exact; "
        "now between -0.5000 and +0.0000."
    )


def test_the_sentence_when_there_is_nothing_to_judge() -> None:
    assert queue_of({"q1": {"a": 1}}, {"q1": ["a"]}).sentence == "Nothing to judge: MRR@3 is exact, 1.0000."


def test_the_data_names_every_run() -> None:
    data = queue_of({"q1": {"b": 1}}, {"q1": ["a", "b"]}, {"q1": ["b", "a"]}).data(limit=1)
    assert data["intervals"] == {"run0": [0.5, 1.0], "run1": [1.0, 1.0]}
    assert data["difference"] == [0.0, 0.5]
    assert data["needed"] == 1
    assert data["documents"][0]["ranks"] == {"run0": 1, "run1": None}


def test_an_aim_of_two_runs_takes_two() -> None:
    with pytest.raises(UsageError, match="needs two runs, and 1 are given"):
        queue_of({"q1": {"b": 1}}, {"q1": ["a"]}, aim="difference")
    with pytest.raises(UsageError, match="no aim 'winner'"):
        queue_of({"q1": {"b": 1}}, {"q1": ["a"]}, aim="winner")
    with pytest.raises(UsageError, match="no run"):
        judging_queue([])


def test_rules_without_a_fixed_order_are_refused() -> None:
    found = evaluate({"q1": {"b": 1}}, {"q1": ["a"]}, ["RR@3"], ties="expected")
    with pytest.raises(UsageError, match="fixed order"):
        judging_queue([found])


def test_evaluations_of_different_labels_have_no_common_queue() -> None:
    pair = [evaluate({"q1": {"b": grade}}, {"q1": ["a"]}, ["RR@3"]) for grade in (1, 2)]
    with pytest.raises(NotComparableError, match="different labels"):
        judging_queue(pair)


def test_means_over_different_queries_have_no_common_queue() -> None:
    runs: list[Run] = [{"q1": ["a"]}, {"q1": ["a"], "q2": ["a"]}]
    pair = list(evaluate_runs({"q1": {"b": 1}, "q2": {"b": 1}}, runs, ["RR@3"], absent="exclude"))
    with pytest.raises(UsageError, match="absent=exclude"):
        judging_queue(pair)


def test_ids_must_be_known_to_the_cutoff() -> None:
    found = evaluate({"q1": {"b": 1}}, {"q1": ["a", "c", "d"]}, ["RR@3"], depth=2)
    with pytest.raises(UsageError, match="known to rank 2 only"):
        judging_queue([found])


def rankings() -> st.SearchStrategy[Run]:
    return st.fixed_dictionaries(
        {q: st.lists(st.sampled_from(DOCS), unique=True, max_size=4) for q in ("q1", "q2")}
    )


def labels() -> st.SearchStrategy[Labels]:
    graded = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 1.0]), min_size=1, max_size=3)
    return st.fixed_dictionaries({"q1": graded})


def after_judging(given_labels: Labels, docs: list[tuple[str, str]], verdicts: tuple[float, ...]) -> Labels:
    judged = {query: dict(rows) for query, rows in given_labels.items()}
    for (query, doc), grade in zip(docs, verdicts, strict=True):
        judged.setdefault(query, {})[doc] = grade
    return judged


def open_documents(given_labels: Labels, runs: list[Run]) -> list[tuple[str, str]]:
    shown = {(query, doc) for run in runs for query, docs in run.items() for doc in docs[:3]}
    return sorted((q, d) for q, d in shown if d not in given_labels.get(q, {}))


@given(labels(), rankings(), rankings())
def test_intervals_are_exact_over_all_labellings(found: Labels, old: Run, new: Run) -> None:
    queue = queue_of(found, old, new, aim="means")
    unjudged = open_documents(found, [old, new])[:7]
    pairs = [
        [e.mean() for e in evaluated(after_judging(found, unjudged, verdicts), [old, new])]
        for verdicts in product((0.0, 1.0), repeat=len(unjudged))
    ]
    if len(unjudged) == len(open_documents(found, [old, new])):
        assert queue.intervals[0] == pytest.approx((min(a for a, _ in pairs), max(a for a, _ in pairs)))
        assert queue.intervals[1] == pytest.approx((min(b for _, b in pairs), max(b for _, b in pairs)))
        differences = [b - a for a, b in pairs]
        assert queue.difference == pytest.approx((min(differences), max(differences)))


@given(labels(), rankings(), rankings(), st.sampled_from(AIMS), st.data())
def test_once_all_are_judged_nothing_is_open_whatever_the_verdicts(
    found: Labels, old: Run, new: Run, aim: str, data: st.DataObject
) -> None:
    queue = queue_of(found, old, new, aim=aim)
    docs = [(item.query_id, item.doc_id) for item in queue.items]
    verdicts = data.draw(st.tuples(*(st.sampled_from([0.0, 1.0]) for _ in docs)))
    after = queue_of(after_judging(found, docs, verdicts), old, new, aim=aim)
    assert after.items == ()


@given(labels(), rankings(), rankings(), st.sampled_from(AIMS))
def test_what_is_left_falls_to_nothing_when_none_is_relevant(
    found: Labels, old: Run, new: Run, aim: str
) -> None:
    left = [item.left for item in queue_of(found, old, new, aim=aim).items]
    assert left == sorted(left, reverse=True)
    assert not left or left[-1] == pytest.approx(0, abs=1e-12)


@given(labels(), rankings(), rankings())
def test_swapping_the_runs_negates_the_difference(found: Labels, old: Run, new: Run) -> None:
    one, other = queue_of(found, old, new), queue_of(found, new, old)
    assert one.difference is not None
    assert other.difference is not None
    assert one.difference == pytest.approx((-other.difference[1], -other.difference[0]))
    assert {item.doc_id for item in one.items} == {item.doc_id for item in other.items}


@given(labels(), rankings(), rankings())
def test_the_difference_has_the_joint_bounds_of_the_comparison(found: Labels, old: Run, new: Run) -> None:
    pair = evaluated(found, [old, new])
    bounds = compare(*pair).bounds
    assert bounds is not None
    assert judging_queue(pair).difference == pytest.approx(bounds.mean)
