"""Evaluations that must not be compared are refused with every difference; the join is by query_id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firsthit import NotComparableError, evaluate
from firsthit.comparison.compare import compare
from firsthit.comparison.pairs import pair
from tests.comparison.cases import evaluation, labels_of, run_of

QUERIES = {"q1": 1, "q2": 2, "q3": 0}


def refusal(old: Any, new: Any, **options: Any) -> str:
    with pytest.raises(NotComparableError) as refused:
        compare(old, new, names=["old", "new"], **options)
    assert refused.value.exit_code == 3
    return str(refused.value)


def test_queries_are_joined_by_id_and_never_by_position() -> None:
    old = evaluation({"q1": 1, "q2": 2, "q3": 0})
    new = evaluation({"q3": 3, "q1": 1, "q2": 4})
    found = compare(old, new)
    assert list(found.query_ids) == ["q1", "q2", "q3"]
    assert found.first_rank_new.tolist() == [1, 4, 3]
    assert found.rows_new.tolist() == [1, 2, 0]


def test_other_labels_are_refused_with_both_digests_and_the_queries() -> None:
    other = {**labels_of(["q1", "q2"]), "q3": {"r": 2, "n": 0}}
    old, new = evaluation(QUERIES), evaluate(other, run_of(QUERIES), ["RR@10"])
    text = refusal(old, new)
    assert "old and new cannot be compared" in text
    assert (
        f"labels: sha256:{old.card.labels.sha256[:12]} with 6 rows against "
        f"sha256:{new.card.labels.sha256[:12]} with 6 rows (1 query (q3) labelled otherwise)" in text
    )
    assert text.endswith("--qrels LABELS scores both with the same labels.")


def test_labels_written_in_another_order_are_the_same() -> None:
    labels = labels_of(["q3", "q2", "q1"])
    shuffled = {query: dict(reversed(grades.items())) for query, grades in labels.items()}
    assert compare(evaluation(QUERIES), evaluate(shuffled, run_of(QUERIES), ["RR@10"])).pairing.paired == 3


def test_another_cutoff_is_refused_unless_the_measure_is_named() -> None:
    old = evaluation(QUERIES, ["RR@10", "RR@5"])
    new = evaluation(QUERIES, ["RR@5", "RR@10"])
    assert "cutoff: RR@10 against RR@5" in refusal(old, new)
    assert compare(old, new, measures=["RR@5"]).measure == "RR@5"


def test_another_primary_measure_is_refused() -> None:
    old, new = evaluation(QUERIES), evaluation(QUERIES, ["RR(rel=2)@10"])
    assert "measure: RR@10 against RR(rel=2)@10" in refusal(old, new)


def test_other_queries_are_refused_and_named_and_common_compares_the_rest() -> None:
    old, new = evaluation({"q1": 1, "q2": 2}), evaluation({"q2": 1, "q3": 1, "q4": 1})
    text = refusal(old, new)
    assert (
        "population: 2 queries against 3 queries (1 query (q1) only in old; 2 queries (q3, q4) only in new)"
        in text
    )
    assert text.endswith("--common compares the queries that both hold.")
    found = compare(old, new, names=["old", "new"], common=True)
    assert list(found.query_ids) == ["q2"]
    assert (found.pairing.only_old, found.pairing.only_new) == (("q1",), ("q3", "q4"))
    assert "common queries only: 1 are compared, 1 only in old, 2 only in new left out" in found.notices
    assert "1 query in common (1 only in old, 2 only in new left out)" in found.verdict.sentence
    assert found.data()["pairing"] == {
        "paired": 1,
        "common": True,
        "only_old": ["q1"],
        "only_new": ["q3", "q4"],
    }


def test_common_says_so_also_where_nothing_is_left_out() -> None:
    found = compare(evaluation(QUERIES), evaluation(QUERIES), common=True)
    assert "common queries only: all 3 are in both evaluations" in found.notices
    assert "3 queries in common" in found.verdict.sentence


def test_common_does_not_pass_over_other_labels_of_a_common_query() -> None:
    other = {"q2": {"r": 2, "n": 0}, "q9": {"r": 1}}
    new = evaluate(other, run_of({"q2": 1, "q9": 1}), ["RR@10"])
    assert "1 query (q2) labelled otherwise" in refusal(evaluation(QUERIES), new, common=True)


def test_queries_that_a_rule_leaves_out_of_one_mean_are_another_population() -> None:
    labels, ranks = labels_of(["q1", "q2"]), {"q1": 1, "q2": 1}
    old = evaluate(labels, run_of(ranks), ["RR@10"], absent="exclude")
    new = evaluate(labels, run_of({"q1": 1}), ["RR@10"], absent="exclude")
    assert "population: 2 queries against 1 query (1 query (q2) only in old)" in refusal(old, new)
    assert compare(old, new, common=True).pairing.paired == 1


def test_every_differing_rule_is_named_with_both_values() -> None:
    old = evaluation(QUERIES, labels_judge="passages")
    new = evaluation(QUERIES, rel=2, ties="best", labels_judge="documents", absent="exclude")
    text = refusal(old, new)
    assert "rule rel: 1 against 2" in text
    assert "rule ties: docid-desc against best" in text
    assert "rule absent: zero against exclude" in text
    assert "unit: labels judge: passages against documents" in text


def test_rules_that_a_profile_changes_for_one_measure_are_compared_for_that_measure() -> None:
    old = evaluation(QUERIES, ["RR@10", "nDCG@10"], compat="ir_measures")
    assert old.card.measure_rules
    new = evaluation(QUERIES, ["RR@10", "nDCG@10"])
    assert " of nDCG@10: " in refusal(old, new)


def test_evaluations_without_a_common_query_are_refused() -> None:
    text = refusal(evaluation({"q1": 1}), evaluation({"q9": 1}), common=True)
    assert text == "old and new share no query: 1 query (q1) against 1 query (q9)"


def test_what_differs_but_does_not_matter_is_a_notice() -> None:
    labels, by_score = labels_of(["q1"]), {"q1": {"u1": 2.0, "r": 1.0}}
    found = compare(by_score, {"q1": ["u1", "r"]}, qrels=labels, names=["old", "new"])
    assert "the documents are ordered by score in old and by given in new" in found.notices


def test_rankings_without_a_common_document_are_pointed_out() -> None:
    old, new = {"q1": ["a#1", "b#1"]}, {"q1": ["a", "b"]}
    found = compare(old, new, qrels={"q1": {"a": 1}})
    assert any("share no document in any top" in notice for notice in found.notices)


def test_labels_of_queries_that_are_not_compared_may_differ(tmp_path: Path) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("q1\nq2\n")
    labels = labels_of(["q1", "q2", "q3"])
    ranks = {"q1": 1, "q2": 2}
    old = evaluate(labels, run_of(ranks), ["RR@10"], queries=queries)
    new = evaluate({**labels, "q3": {"x": 1}}, run_of(ranks), ["RR@10"], queries=queries)
    found = compare(old, new)
    assert found.pairing.paired == 2
    assert any("the label sets differ in queries that are not compared" in one for one in found.notices)


def test_pairs_give_the_values_and_ranks_of_both() -> None:
    found = pair(evaluation({"q1": 2}).record(), evaluation({"q1": 4}).record(), ("old", "new"))
    assert [values.tolist() for values in found.of("RR@10")] == [[0.5], [0.25]]
    assert [ranks.tolist() for ranks in found.first_ranks] == [[2], [4]]
    assert len(found.changed_labels) == 0
