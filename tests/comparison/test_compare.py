"""Comparisons as a whole: what a query shows, what never matters, and what swapping does."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit import Evaluation, evaluate
from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from tests.comparison.cases import evaluation, labels_of, pairs_of_ranks, run_of

Pair = tuple[dict[str, int], dict[str, int]]
MEASURES = ["RR@10", "Success@5", "nDCG@10"]
FEW = 8
"""SciPy's Wilcoxon test tries every pattern of signs of few tied differences: the JSON takes a while."""

OPPOSITE = {"better": "worse", "worse": "better", "equivalent": "equivalent", "cannot_tell": "cannot_tell"}


def compared(pair: Pair, measures: Sequence[str] = MEASURES, **options: Any) -> Comparison:
    old, new = (evaluation(ranks, measures) for ranks in pair)
    return compare(old, new, names=["a", "b"], **options)


def test_each_query_shows_ranks_change_difference_and_what_stands_on_top() -> None:
    found = compared(({"q1": 1, "q2": 0, "q3": 9}, {"q1": 2, "q2": 1, "q3": 10}))
    row = found.data()["queries"][0]
    assert (row["query_id"], row["change"]) == ("q1", "down")
    assert (row["first_rank_old"], row["first_rank_new"], row["difference"]) == (1, 2, -0.5)
    assert (row["top_old"], row["top_new"], row["unjudged_above_new"]) == ("r", "u1", 1)
    assert found.changes == {"gained": 1, "lost": 0, "up": 0, "down": 2, "same": 0, "both_miss": 0}
    assert found.sorted_differences.tolist() == [-0.5, 1 / 10 - 1 / 9, 1.0]


@given(pairs_of_ranks(), st.sampled_from(["t", "percentile"]))
def test_swapping_the_evaluations_negates_everything(pair: Pair, interval: str) -> None:
    found = compared(pair, interval=interval, margin=0.1)
    swapped = compared((pair[1], pair[0]), interval=interval, margin=0.1)
    assert swapped.difference.tolist() == (-found.difference).tolist()
    assert swapped.verdict.kind == OPPOSITE[found.verdict.kind]
    assert swapped.verdict.needed_queries == found.verdict.needed_queries
    for name in MEASURES:
        one, other = found.means[name], swapped.means[name]
        assert (other.old, other.new, other.difference) == (one.new, one.old, -one.difference)
        assert (other.wins, other.losses, other.ties) == (one.losses, one.wins, one.ties)
        assert (other.p, other.t_p, other.sign_p) == (one.p, one.t_p, one.sign_p)
        assert other.interval.low == -one.interval.high
        assert other.interval.high == -one.interval.low
    assert (swapped.transitions.matrix() == found.transitions.matrix().T).all()


def shuffled(ranks: dict[str, int], seed: int) -> Evaluation:
    """The evaluation from labels and a run whose queries and documents stand in another order."""
    chance = random.Random(seed)
    labels, run = labels_of(list(ranks)), run_of(ranks)
    for table in (labels, run):
        for query in chance.sample(sorted(table), len(table)):
            documents = table.pop(query)
            table[query] = {doc: documents[doc] for doc in chance.sample(sorted(documents), len(documents))}
    return evaluate(labels, run, ["RR@10"])


@settings(max_examples=FEW)
@given(pairs_of_ranks(), st.integers(0, 1000))
def test_the_order_of_queries_and_lines_changes_nothing(pair: Pair, seed: int) -> None:
    found = compared(pair, ["RR@10"]).data()
    other = compare(shuffled(pair[0], seed), shuffled(pair[1], seed + 1), names=["a", "b"]).data()
    for data in (found, other):
        del data["cards"]
        data["queries"].sort(key=lambda row: row["query_id"])
        data["turning"] = sorted((one["query_id"], one["doc_id"]) for one in data["turning"])
        data["bounds"]["disputed"].sort()
    assert other == found


@settings(max_examples=FEW)
@given(pairs_of_ranks(), st.integers(0, 100))
def test_a_seed_gives_equal_bytes(pair: Pair, seed: int) -> None:
    first, second = (json.dumps(compared(pair, ["RR@10"], seed=seed).data()) for _ in range(2))
    assert first == second


def test_an_evaluation_compared_with_itself_differs_nowhere() -> None:
    ranks = {"q1": 1, "q2": 0, "q3": 4}
    found = compared((ranks, ranks))
    assert found.difference.tolist() == [0, 0, 0]
    assert found.primary.p == 1
    assert (found.primary.t_p, found.primary.wilcoxon_p, found.primary.sign_p) == (None, None, None)
    assert found.primary.interval.padded


def test_measures_without_a_value_for_a_query_go_over_the_others() -> None:
    labels = labels_of(["q1", "q2"])
    old = evaluate(labels, run_of({"q1": 1, "q2": 1}), ["RR@10", "Judged@10"])
    new = evaluate(labels, run_of({"q1": 1}), ["RR@10", "Judged@10"])
    found = compare(old, new)
    assert (found.means["RR@10"].queries, found.means["Judged@10"].queries) == (2, 1)


@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_a_measure_without_any_value_has_no_mean(interval: str) -> None:
    labels = labels_of(["q1"])
    old = evaluate(labels, {"q1": []}, ["RR@10", "Judged@10"])
    found = compare(old, old, interval=interval)
    judged = found.data()["means"]["Judged@10"]
    assert (judged["queries"], judged["old"], judged["difference"]) == (0, None, None)
    assert (judged["interval"]["low"], judged["interval"]["high"]) == (-1, 1)


def test_measures_of_one_evaluation_only_are_named() -> None:
    ranks = {"q1": 1}
    found = compare(evaluation(ranks, ["RR@10", "P@5"]), evaluation(ranks, ["RR@10", "AP", "NumRel"]))
    assert list(found.means) == ["RR@10"]
    assert "not in both evaluations, and not compared: P@5, AP, NumRel" in found.notices


def test_the_primary_measure_is_compared_though_it_is_not_shown() -> None:
    ranks = {"q1": 2}
    found = compare(evaluation(ranks, ["P@5"]), evaluation(ranks, ["P@5"]))
    assert found.measure == "RR@10"
    assert list(found.means) == ["RR@10", "P@5"]


def test_a_run_of_other_queries_is_said_before_the_verdict() -> None:
    labels = labels_of([f"q{place}" for place in range(40)])
    found = compare({query: ["r"] for query in labels}, {"x": ["r"]}, qrels=labels, names=["a", "b"])
    assert found.verdict.sentence.startswith(
        "No query is in the run of b: every value of it is 0. b is worse"
    )
    assert "40 queries are absent from b and not from a; absent queries count 0" in found.notices
    assert "absent" not in str(compared(({"q1": 1}, {"q1": 2})).notices)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A queries table with text, a group and one critical query."""
    path = tmp_path / "queries.jsonl"
    topics = {"q1": "tax", "q2": "tax", "q3": "law"}
    rows = [
        {"query_id": query, "text": f"text of {query}", "topic": topic, "critical": query == "q3"}
        for query, topic in topics.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_groups_critical_queries_and_texts_come_from_the_queries_table(table: Path) -> None:
    ranks = {"q1": 1, "q2": 2, "q3": 3}
    found = compared((ranks, ranks | {"q3": 1}), queries=table, groups=["topic"], critical=["tax"])
    assert found.query_text == {query: f"text of {query}" for query in ranks}
    assert list(found.groups_of["topic"]) == ["tax", "tax", "law"]
    assert found.critical.tolist() == [True, True, True]
    names = {group.name: group for group in found.groups}
    assert names["topic=law"].difference == pytest.approx(2 / 3)
    assert names["topic=law"].report_only
    data = found.data()
    assert data["queries"][2]["groups"] == {"topic": "law"}
    assert {tuple(group["queries"]) for group in data["groups"]} >= {("q1", "q2"), ("q3",)}


def test_saved_groups_are_kept_without_the_table(table: Path, tmp_path: Path) -> None:
    ranks = {"q1": 1, "q2": 2, "q3": 3}
    old = evaluate(labels_of(list(ranks)), run_of(ranks), ["RR@10"], queries=table)
    old.save(tmp_path / "old.jsonl")
    found = compare(tmp_path / "old.jsonl", tmp_path / "old.jsonl", groups=["topic"], names=["a", "b"])
    assert {group.name for group in found.groups} >= {"topic=tax", "topic=law"}
    assert found.critical.tolist() == [False, False, True]


def test_a_queries_table_that_lacks_a_compared_query_is_refused(table: Path) -> None:
    ranks = {"q1": 1, "q9": 2}
    with pytest.raises(Exception, match="lacks query 'q9', which is compared"):
        compared((ranks, ranks), queries=table)


def test_answers_are_joined_with_the_ranks(tmp_path: Path) -> None:
    paths = []
    for name, right in (("old", {"q1": True, "q2": False}), ("new", {"q1": True, "q2": True})):
        paths.append(tmp_path / f"{name}.jsonl")
        rows = [json.dumps({"query_id": query, "correct": correct}) for query, correct in right.items()]
        paths[-1].write_text("\n".join(rows) + "\n")
    found = compared(({"q1": 1, "q2": 0}, {"q1": 1, "q2": 1}), answers=paths)
    assert found.answers is not None
    assert found.answers.transitions["miss_wrong", "hit_right"] == ("q2",)
    assert found.data()["answers"]["share"]["difference"] == 0.5
