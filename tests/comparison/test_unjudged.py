"""Unjudged documents in a comparison: where the joint bounds are shown, and what could turn the verdict."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given

from firsthit import evaluate
from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from firsthit.comparison.pairs import pair
from firsthit.comparison.unjudged import bounds_of, tops_of
from firsthit.record.record import Record
from tests.comparison.cases import evaluation, labels_of, pairs_of_ranks, run_of

Runs = tuple[dict[str, dict[str, float]], dict[str, list[str]], dict[str, list[str]]]


def leading(queries: int, unjudged: int) -> Runs:
    """NEW has the hit at rank 1 where OLD has it at 2; for some queries OLD's first document is unjudged."""
    names = [f"q{place}" for place in range(queries)]
    labels: dict[str, dict[str, float]] = {query: {"r": 1, "n": 0} for query in names}
    old = {query: ["u" if place < unjudged else "n", "r"] for place, query in enumerate(names)}
    return labels, old, {query: ["r", "n"] for query in names}


def compared(runs: Runs, **options: Any) -> Comparison:
    labels, old, new = runs
    return compare(old, new, qrels=labels, measures=["RR@10"], names=["old", "new"], **options)


def test_a_verdict_that_unjudged_documents_cannot_turn_says_so() -> None:
    found = compared(leading(40, 2))
    assert found.verdict.kind == "better"
    assert found.bounds is not None
    assert found.bounds.mean == (0.475, 0.5)
    assert found.turning == ()
    assert found.verdict.reasons[-1] == (
        "judged as far against it as they allow, the unjudged documents leave the verdict as it is; "
        "if all were judged, the difference would lie between +0.4750 and +0.5000"
    )


def test_a_verdict_that_unjudged_documents_could_turn_lists_them_and_how_many_suffice() -> None:
    runs = leading(40, 38)
    found = compared(runs)
    assert found.verdict.kind == "better"
    enough = sum(one.enough for one in found.turning)
    assert 0 < enough <= len(found.turning) == 38
    assert [one.enough for one in found.turning] == [True] * enough + [False] * (38 - enough)
    assert found.verdict.sentence.endswith(
        f"Unjudged documents alone could turn this ({enough} documents suffice)."
    )
    assert f"into 'cannot tell': {enough} documents suffice" in found.verdict.reasons[-1]
    first = found.turning[0]
    assert (first.query_id, first.doc_id, first.rank_old, first.rank_new) == ("q0", "u", 1, 0)
    assert first.shift == pytest.approx(-0.5 / 40)


def test_judging_the_documents_that_suffice_turns_the_verdict() -> None:
    labels, old, new = leading(40, 38)
    found = compared((labels, old, new))
    kinds = []
    for number in (-1, 0):
        documents = [one for one in found.turning if one.enough]
        judged = {query: dict(grades) for query, grades in labels.items()}
        for one in documents[: len(documents) + number]:
            judged[one.query_id][one.doc_id] = 1
        kinds.append(compared((judged, old, new)).verdict.kind)
    assert kinds == ["better", "cannot_tell"]


def test_unjudged_documents_could_decide_what_cannot_be_told() -> None:
    labels, old, _ = leading(40, 40)
    found = compared((labels, old, {query: ["u", "n"] for query in labels}), min_queries=30)
    assert found.verdict.kind == "worse"
    same = compared((labels, {query: ["n", "r"] for query in labels}, old))
    assert same.verdict.kind == "cannot_tell"
    assert same.verdict.sentence.endswith("could decide it (6 documents suffice).")
    assert same.turning[0].rank_new == 1


def test_equivalence_can_be_turned_too() -> None:
    labels, old, _ = leading(400, 400)
    found = compared((labels, {query: ["n", "r"] for query in labels}, old), margin=0.05)
    assert found.verdict.kind == "equivalent"
    assert found.turning
    assert "could turn this" in found.verdict.sentence


def test_disputed_queries_are_those_whose_sign_is_open() -> None:
    found = compared(leading(4, 2))
    assert found.disputed == ("q0", "q1")
    assert found.data()["bounds"] == {"difference": [0.25, 0.5], "disputed": ["q0", "q1"]}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"ties": "best"}, "ties = best leaves the order of documents open"),
        ({"ties": "expected"}, "ties = expected leaves the order of documents open"),
        ({"unjudged": "condensed"}, "the rankings are condensed: unjudged documents were removed"),
        ({"depth": 5}, "keeps only the top 5 of each ranking, less than the measure looks at (2 queries)"),
    ],
)
def test_joint_bounds_are_not_shown_where_they_are_not_exact(options: dict[str, Any], reason: str) -> None:
    found = compare(*(evaluation({"q1": 1, "q2": 7}, **options) for _ in range(2)))
    assert found.bounds is None
    assert reason in found.bounds_reason
    assert found.disputed == ()
    assert found.turning == ()
    assert found.verdict.reasons[-1].endswith(found.bounds_reason)
    assert found.data()["bounds"] is None


def test_rankings_of_different_ids_have_no_joint_bounds() -> None:
    def by_source(record: Record) -> Record:
        run = msgspec.structs.replace(record.card.run, id_space="source")
        return msgspec.structs.replace(record, card=msgspec.structs.replace(record.card, run=run))

    record = evaluation({"q1": 1}).record()
    pairs = pair(record, by_source(record), ("old", "new"))
    assert bounds_of(pairs, tops_of(pairs, 10)) == (None, "the ids are of two kinds (doc_id and source)")


def test_bounds_in_the_values_place_have_joint_bounds_and_say_what_the_means_are() -> None:
    found = compare(*(evaluation({"q1": 2}, unjudged="bounds") for _ in range(2)))
    assert found.bounds is not None
    assert any("take unjudged documents as not relevant" in notice for notice in found.notices)


def test_a_measure_without_a_cutoff_has_bounds_where_whole_rankings_were_kept() -> None:
    labels, ranks = labels_of(["q1"]), {"q1": 12}
    short = compare(*(evaluate(labels, run_of(ranks), ["RR"]) for _ in range(2)))
    assert short.bounds is not None
    long = compare(*(evaluate(labels, run_of(ranks), ["RR"], depth=11) for _ in range(2)))
    assert "less than the measure looks at" in long.bounds_reason


def test_unjudged_documents_above_the_hit_are_counted_to_the_cutoff() -> None:
    labels = {"hit": {"r": 1, "n": 0}, "miss": {"r": 1, "n": 0}, "absent": {"r": 1}, "deep": {"r": 1}}
    run = {
        "hit": ["u", "n", "v", "r", "w"],
        "miss": ["u", "n", "v"],
        "deep": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "r"],
    }
    found = compare(run, {"hit": ["r"]}, qrels=labels, measures=["RR@10"])
    assert found.unjudged_above_old.tolist() == [2, 2, 0, 10]
    assert found.unjudged_above_new.tolist() == [0, 0, 0, 0]
    assert list(found.top_old) == ["u", "u", "", "a"]


def test_what_few_saved_ids_cannot_tell_is_not_known() -> None:
    old = evaluation({"q1": 3, "q2": 5, "q3": 0}, depth=3)
    found = compare(old, old)
    assert found.unjudged_above_old.tolist() == [2, -1, -1]
    rows = found.data()["queries"]
    assert [row["unjudged_above_old"] for row in rows] == [2, None, None]


@given(pairs_of_ranks(most=12))
def test_bounds_hold_the_difference_of_every_query(both: tuple[dict[str, int], dict[str, int]]) -> None:
    found = compare(*(evaluation(ranks) for ranks in both))
    assert found.bounds is not None
    assert np.all(found.bounds.lower <= found.difference)
    assert np.all(found.difference <= found.bounds.upper)
