"""The lists behind the counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit import UsageError, evaluate, load
from firsthit.evaluation.listing import LISTS

OF_TEXTS = ("redundant", "deduplicated")  # tests/redundancy/test_lists.py

LABELS = {"q1": {"a": 1}, "q2": {"b": 1, "c": 2}, "q3": {"d": 0}, "q4": {"e": 1}}
RUN = {"q1": {"a": 1.0, "z": 1.0}, "q2": {"x": 2.0, "q2": 1.0}, "q3": {"d": 1.0}, "q9": {"a": 1.0}}


def test_each_list_has_what_is_needed_to_act() -> None:
    found = evaluate(LABELS, RUN, ["RR@10"], self_hits="drop")
    assert {name: found.listed(name).rows for name in LISTS if name not in OF_TEXTS} == {
        "absent": (("q4", 1, "e"),),
        "miss": (("q2", None, 1, 2, "b"),),
        "unlabelled": (("run", "q9", 1),),
        "no-relevant": (("q3", 1, 0.0, 1),),
        "tied": (("q1", "a", 2, 1, 2),),
        "duplicates": (),
        "same-need": (),
        "needs": (),
        "partial": (),
        "unresolved": (),
        "sources": (),
        "has-answer": (),
        "skipped": (
            ("query of the run without labels", "q9", None, None),
            ("self-hit", "q2", "q2", 4),
        ),
    }


def test_the_rows_fit_the_columns() -> None:
    found = evaluate(LABELS, RUN, ["RR@10"])
    for name in set(LISTS) - set(OF_TEXTS):
        listing = found.listed(name)
        assert all(len(row) == len(listing.columns) for row in listing.rows)


def test_removed_duplicates_are_listed_with_their_lines(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n")
    found = evaluate(LABELS, run, ["RR@10"], duplicates="best")
    assert found.listed("duplicates").rows == (("q1", "a", 3, 1),)
    assert ("duplicate", "q1", "a", 3) in found.listed("skipped").rows


def test_what_the_population_leaves_out_is_skipped(tmp_path: Path) -> None:
    table = tmp_path / "queries.jsonl"
    table.write_text(
        '{"query_id":"q1"}\n{"query_id":"q4"}\n{"query_id":"q7"}\n{"query_id":"q8","answerable":false}\n'
    )
    found = evaluate(LABELS, RUN, ["RR@10"], queries=table, absent="exclude")
    assert found.listed("skipped").rows[:5] == (
        ("labelled query outside the population", "q2", None, None),
        ("labelled query outside the population", "q3", None, None),
        ("unanswerable query", "q8", None, None),
        ("excluded from the mean: absent", "q4", None, None),
        ("excluded from the mean: unlabelled", "q7", None, None),
    )
    assert found.listed("unlabelled").rows[0] == ("queries", "q7", -1)


def test_the_lists_are_as_long_as_their_counts() -> None:
    found = evaluate(LABELS, RUN, ["RR@10"])
    counts = found.counts
    for name, count in (("absent", "absent"), ("miss", "miss"), ("no-relevant", "no_relevant")):
        assert len(found.listed(name)) == counts[count]
    assert len(found.listed("tied")) == found.card.tied_at_first_hit
    assert len(found.listed("unlabelled")) == counts["unlabelled"] + counts["unlabelled_in_run"]


def test_a_saved_evaluation_knows_the_lists_of_its_queries(tmp_path: Path) -> None:
    evaluate(LABELS, RUN, ["RR@10"]).save(tmp_path / "one")
    loaded = load(tmp_path / "one")
    assert loaded.listed("miss").rows == (("q2", None, 2, 2, "b"),)
    with pytest.raises(UsageError, match="does not hold the list 'tied'"):
        loaded.listed("tied")


def test_an_unknown_list_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no list 'hits'; there are absent, miss, unlabelled"):
        evaluate(LABELS, RUN, ["RR@10"]).listed("hits")
