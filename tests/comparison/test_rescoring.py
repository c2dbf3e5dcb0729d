"""Saved evaluations are scored again from their ranked ids, where these suffice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from firsthit import Evaluation, NotComparableError, UsageError, evaluate, load
from firsthit.comparison.compare import compare
from tests.comparison.cases import evaluation, labels_of, pairs_of_ranks, run_of

RANKS = {"q1": 1, "q2": 2, "q3": 0, "q4": 5}
MEASURES = ["RR@10", "Success@5", "R@10", "nDCG@10"]


def fresh(labels: Any, ranks: dict[str, int], **options: Any) -> Evaluation:
    return evaluate(labels, run_of(ranks), MEASURES, **options)


def new_labels(ranks: dict[str, int]) -> dict[str, dict[str, float]]:
    """The labels after u2 was judged relevant for every query."""
    return {query: {**grades, "u2": 1} for query, grades in labels_of(list(ranks)).items()}


def refusal(old: Any, new: Any, **options: Any) -> str:
    with pytest.raises(NotComparableError) as refused:
        compare(old, new, **options)
    return str(refused.value)


@given(pairs_of_ranks(most=6))
def test_scored_again_is_what_evaluating_again_gives(pair: tuple[dict[str, int], dict[str, int]]) -> None:
    labels = new_labels(pair[0])
    again = compare(*(evaluation(ranks, MEASURES) for ranks in pair), qrels=labels)
    found = compare(*(fresh(labels, ranks) for ranks in pair))
    for name in MEASURES:
        assert again.means[name].old == found.means[name].old
        assert again.means[name].differences.tolist() == found.means[name].differences.tolist()
    assert again.change.tolist() == found.change.tolist()
    assert again.card_old.labels.sha256 == found.card_old.labels.sha256
    assert again.bounds is not None
    assert found.bounds is not None
    assert again.bounds.mean == found.bounds.mean


def test_a_notice_says_what_was_scored_again_and_from_how_many_ids(tmp_path: Path) -> None:
    evaluation(RANKS, MEASURES, name="bm25").save(tmp_path / "old.jsonl")
    found = compare(tmp_path / "old.jsonl", run_of(RANKS), qrels=new_labels(RANKS), names=["old", "new"])
    assert found.notices == (
        "bm25 was scored again with labels from the top 10 ids it keeps; "
        "a first hit below them counts as none",
    )
    assert found.difference.tolist() == [0, 0, 0, 0]


def test_the_same_labels_change_nothing() -> None:
    old, new = evaluation(RANKS), evaluation(RANKS | {"q1": 3})
    found = compare(old, new, qrels=labels_of(list(RANKS)))
    assert found.notices == ()
    assert found.card_old is old.card


def test_absent_and_unanswerable_queries_stay_what_they_are(tmp_path: Path) -> None:
    table = tmp_path / "queries.jsonl"
    table.write_text(
        '{"query_id": "q1", "groups": {"topic": "tax"}, "critical": true}\n{"query_id": "q2"}\n'
        '{"query_id": "q3", "answerable": false}\n'
    )
    labels = labels_of(["q1", "q2", "q4"])
    old = evaluate(labels, run_of({"q1": 1, "q3": 1}), ["RR@10"], queries=table)
    changed = labels | {"q1": {"u1": 1}}
    found = compare(old, old, qrels=changed)
    assert list(found.query_ids) == ["q1", "q2"]
    assert found.record_old.retrieved.tolist() == [12, -1, 11 + 1]
    assert found.first_rank_old.tolist() == [2, 0]
    assert found.critical.tolist() == [True, False]
    assert list(found.groups_of["topic"]) == ["tax", None]


def test_a_measure_that_was_not_computed_is_scored_from_the_ids() -> None:
    found = compare(
        evaluation(RANKS), evaluation(RANKS), qrels=labels_of(list(RANKS)), measures=["RR@5", "P@3"]
    )
    assert found.measure == "RR@5"
    assert found.means["P@3"].old == pytest.approx(2 / 12)
    with pytest.raises(UsageError, match=r"P@3: not computed in both evaluations\n.*--qrels"):
        compare(evaluation(RANKS), evaluation(RANKS), measures=["P@3"])


def test_measures_that_need_more_ids_are_left_out_or_refused_where_asked_for() -> None:
    old, new = (evaluation(RANKS, ["RR@10", "R@100", "AP"]) for _ in range(2))
    found = compare(old, new, qrels=new_labels(RANKS))
    assert list(found.means) == ["RR@10"]
    assert "R@100, AP cannot be scored from them and are left out" in found.notices[0]
    text = refusal(old, new, qrels=new_labels(RANKS), measures=["RR@10", "AP"])
    assert "run cannot be scored again with other labels: AP needs more than the top 10 ids" in text


def test_whole_rankings_suffice_for_every_measure() -> None:
    labels = labels_of(["q1"])
    old = evaluate(labels, {"q1": ["x", "r", "y"]}, ["RR", "AP", "R@100"])
    found = compare(old, old, qrels={"q1": {"r": 1, "x": 1}})
    assert (found.means["RR"].old, found.means["AP"].old, found.means["R@100"].old) == (1, 1, 1)
    assert "counts as none" not in found.notices[0]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"ties": "best"}, "ties = best depends on scores, which are not saved"),
        ({"unjudged": "condensed"}, "condensed to the documents that its own labels judge"),
        ({"depth": 0}, "saved without ranked ids"),
        ({"depth": 5}, "RR@10 needs more than the top 5 ids that it keeps"),
    ],
)
def test_what_the_ids_cannot_tell_is_refused_with_the_reason(options: dict[str, Any], why: str) -> None:
    old = evaluation(RANKS, **options)
    assert why in refusal(old, old, qrels=new_labels(RANKS))


def test_labelled_queries_that_were_not_kept_are_refused_unless_only_common_ones_are_compared() -> None:
    old, labels = evaluation(RANKS), new_labels(RANKS) | {"q9": {"r": 1}}
    text = refusal(old, old, qrels=labels)
    assert "the labels have 1 queries of which it keeps no ranking (q9)" in text
    assert "--common" in text
    assert compare(old, old, qrels=labels, common=True).pairing.paired == 4


def test_a_query_that_has_no_label_any_more_leaves_the_population() -> None:
    old = evaluation(RANKS)
    labels = {query: grades for query, grades in new_labels(RANKS).items() if query != "q4"}
    assert list(compare(old, old, qrels=labels).query_ids) == ["q1", "q2", "q3"]


def test_loaded_evaluations_are_scored_like_those_in_memory(tmp_path: Path) -> None:
    old, new = evaluation(RANKS, MEASURES), evaluation(RANKS | {"q1": 4}, MEASURES)
    for name, found in (("old", old), ("new", new)):
        found.save(tmp_path / name)
    labels = new_labels(RANKS)
    in_memory = compare(old, new, qrels=labels, names=["a", "b"])
    loaded = compare(load(tmp_path / "old"), tmp_path / "new", qrels=labels, names=["a", "b"])
    first, second = in_memory.data(), loaded.data()
    for data in (first, second):
        del data["cards"]
    assert first == second
