"""Evaluating runs: values, the population, the rules, and what Python users hold in their hands."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pytest

import firsthit
from firsthit import InputError, UsageError, evaluate, evaluate_runs

LABELS: dict[str, dict[str, float]] = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
TOY = {
    "q1": {"a": 3.0, "x": 2.0},
    "q2": {"y": 3.0, "b": 2.0},
    "q3": {f"z{i}": -float(i) for i in range(5)},
}


def queries_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "queries.jsonl"
    path.write_text(text)
    return path


def test_the_toy_has_mrr_one_half_with_the_miss_counted_and_listed() -> None:
    found = evaluate(LABELS, TOY, ["RR@5"])
    assert found.mean("RR@5") == 0.5
    assert found["RR@5"].tolist() == [1.0, 0.5, 0.0]
    assert (found.counts["queries"], found.counts["hit"], found.counts["miss"]) == (3, 2, 1)
    assert [row[0] for row in found.listed("miss").rows] == ["q3"]


def test_status_is_the_first_that_applies(tmp_path: Path) -> None:
    labels = {
        "hit": {"a": 1},
        "miss": {"a": 1},
        "gone": {"a": 1},
        "zero": {"a": 0},
        "zerogone": {"a": 0},
        "no": {"a": 1},
    }
    run = {"hit": {"a": 1.0}, "miss": {"x": 1.0}, "zero": {"a": 1.0}, "bare": {"a": 1.0}, "no": {"a": 1.0}}
    names = ["hit", "miss", "gone", "zero", "zerogone", "bare"]
    lines = [f'{{"query_id": "{name}"}}\n' for name in names] + ['{"query_id": "no", "answerable": false}\n']
    found = evaluate(labels, run, ["RR@10"], queries=queries_file(tmp_path, "".join(lines)))
    status = dict(zip(found.query_ids, found.status, strict=True))
    assert status == {
        "hit": "hit",
        "miss": "miss",
        "gone": "absent",
        "zero": "no_relevant",
        "zerogone": "no_relevant",
        "bare": "unlabelled",
        "no": "unanswerable",
    }
    counts = found.counts
    parts = ("hit", "miss", "absent", "no_relevant", "unlabelled")
    assert counts["queries"] == sum(counts[part] for part in parts) == 6
    assert counts["unanswerable"] == 1
    assert found.card.unanswerable_returned == 1
    assert math.isnan(found["RR@10"][list(found.query_ids).index("no")])
    assert found.mean() == 1 / 6


def test_a_queries_table_is_the_population(tmp_path: Path) -> None:
    path = queries_file(tmp_path, '{"query_id": "q2"}\n{"query_id": "q9"}\n')
    found = evaluate(LABELS, TOY, ["RR@10"], queries=path)
    assert list(found.query_ids) == ["q2", "q9"]
    assert found.mean() == 0.25
    assert found.counts["outside_population"] == 2
    assert found.counts["unlabelled"] == 1


def test_absent_queries_count_zero_or_are_excluded() -> None:
    run = {"q1": {"a": 1.0}}
    assert evaluate(LABELS, run, ["RR@10"]).mean() == 1 / 3
    found = evaluate(LABELS, run, ["RR@10"], absent="exclude")
    assert found.mean() == 1.0
    assert found.card.averaged == 1
    assert found.counts["absent"] == 2
    assert np.isnan(found["RR@10"]).tolist() == [False, True, True]


def test_an_empty_ranking_is_a_miss_and_never_excluded() -> None:
    found = evaluate(
        {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {}}, ["RR@10"], absent="exclude"
    )
    assert found.status == ["hit", "miss"]
    assert found.mean() == 0.5


def test_a_query_that_is_absent_and_has_no_relevant_label_is_excluded_by_either_rule() -> None:
    labels = {"q1": {"a": 1}, "q2": {"b": 0}}
    run = {"q1": {"a": 1.0}}
    assert evaluate(labels, run, ["RR@10"]).status == ["hit", "no_relevant"]
    assert evaluate(labels, run, ["RR@10"], absent="exclude").mean() == 1.0
    assert evaluate(labels, run, ["RR@10"], no_relevant="exclude").mean() == 1.0


def test_a_mean_over_no_query_is_nan_and_null() -> None:
    found = evaluate({"q1": {"a": 0}}, {"q1": {"a": 1.0}}, ["RR@10"], no_relevant="exclude")
    assert math.isnan(found.mean())
    assert found.summary()["means"] == {"RR@10": None}


def test_rel_sets_what_is_relevant_and_a_measure_may_have_its_own() -> None:
    labels = {"q1": {"a": 1, "b": 2}}
    run = {"q1": {"a": 2.0, "b": 1.0}}
    found = evaluate(labels, run, ["RR@10", "RR(rel=2)@10"])
    assert found.means == {"RR@10": 1.0, "RR(rel=2)@10": 0.5}
    assert evaluate(labels, run, ["RR@10"], rel=2).mean() == 0.5


def test_the_primary_measure_is_the_first_rr_named() -> None:
    found = evaluate({"q1": {"a": 1, "b": 2}}, {"q1": {"a": 2.0, "b": 1.0}}, ["nDCG@10", "RR(rel=2)@1"])
    assert found.card.primary == "RR(rel=2)@1"
    assert found.first_rank.tolist() == [2]
    assert found.status == ["miss"]


def test_without_rr_the_primary_measure_is_computed_but_not_shown() -> None:
    found = evaluate(LABELS, TOY, ["P@1"])
    assert found.measures == ("P@1",)
    assert found.card.primary == "RR@10"
    assert found.mean() == 0.5
    assert list(found.summary()["means"]) == ["P@1"]
    assert "(not shown; the counts belong to it)" in found.card.text()


def test_first_rank_is_not_cut_off_but_hit_and_miss_are() -> None:
    found = evaluate({"q1": {"a": 1}}, {"q1": {"x": 3.0, "y": 2.0, "a": 1.0}}, ["RR@2"])
    assert found.first_rank.tolist() == [3]
    assert found.status == ["miss"]


@pytest.mark.parametrize(
    ("ties", "mean"),
    [("docid-desc", 0.5), ("docid-asc", 1.0), ("best", 1.0), ("worst", 0.5), ("expected", 0.75)],
)
def test_ties_follow_their_rule(ties: Any, mean: float) -> None:
    found = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, ["RR@10"], ties=ties)
    assert found.mean() == mean
    assert found.ties["RR@10"] == (0.5, 0.75, 1.0)


def test_first_rank_is_of_the_fixed_order_whatever_is_done_with_ties() -> None:
    found = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, ["RR@1"], ties="best")
    assert found.first_rank.tolist() == [2]
    assert found.status == ["hit"]


def test_measures_without_an_expected_value_are_refused_by_name() -> None:
    with pytest.raises(UsageError, match="AP"):
        evaluate(LABELS, TOY, ["RR@10", "AP"], ties="expected")


def test_default_measures_are_those_that_the_rules_can_serve() -> None:
    assert evaluate(LABELS, TOY, ties="expected").measures == (
        "RR@10",
        "Success@1",
        "Success@10",
        "R@10",
        "nDCG@10",
    )
    assert evaluate(LABELS, TOY, unjudged="bounds").measures == ("RR@10", "Success@1", "Success@10")


def test_condensed_removes_unjudged_documents_before_the_cutoff() -> None:
    labels = {"q1": {"n": 0, "a": 1}}
    run = {"q1": {"x": 4.0, "n": 3.0, "y": 2.0, "a": 1.0}}
    assert evaluate(labels, run, ["RR@2"]).mean() == 0.0
    found = evaluate(labels, run, ["RR@2"], unjudged="condensed")
    assert found.mean() == 0.5
    assert found.first_rank.tolist() == [2]
    assert found.bounds["RR@2"] == (0.0, 1.0)


def test_bounds_stand_in_the_values_place_when_asked_for() -> None:
    found = evaluate(
        {"q1": {"a": 1, "n": 0}}, {"q1": {"n": 3.0, "x": 2.0, "a": 1.0}}, ["RR@10"], unjudged="bounds"
    )
    assert list(found.summary()["means"]["RR@10"]) == [pytest.approx(1 / 3), 0.5]
    assert found.shown("RR@10") == found.bounds["RR@10"]
    assert found.summary()["means"]["RR@10"] == found.summary()["bounds"]["RR@10"]
    (row,) = found.rows()
    assert row["values"]["RR@10"] == [pytest.approx(1 / 3), 0.5]


def test_bounds_are_refused_for_measures_without_exact_ones() -> None:
    with pytest.raises(UsageError, match="nDCG@10: no exact bounds"):
        evaluate(LABELS, TOY, ["RR@10", "nDCG@10"], unjudged="bounds")


def test_listed_labels_take_no_threshold() -> None:
    assert evaluate({"q1": {"a": 0}}, {"q1": {"a": 1.0}}, ["RR@10"], relevant="listed").mean() == 1.0
    with pytest.raises(UsageError, match="a threshold has no meaning"):
        evaluate(LABELS, TOY, ["RR(rel=2)@10"], relevant="listed")


def test_a_negative_grade_is_unjudged_unless_it_is_nonrelevant() -> None:
    labels, run = {"q1": {"s": -1, "a": 1}}, {"q1": {"s": 2.0, "a": 1.0}}
    assert evaluate(labels, run, ["RR@10"]).bounds["RR@10"] == (0.5, 1.0)
    assert evaluate(labels, run, ["RR@10"], negative="nonrelevant").bounds["RR@10"] == (0.5, 0.5)
    assert evaluate(labels, run, ["RR@10"], unjudged="condensed").mean() == 1.0


def test_one_table_may_break_ties_by_measure_under_a_profile() -> None:
    found = evaluate(
        {"q1": {"a": 1}}, {"q1": {"a": 1.0, "m": 1.0, "z": 1.0}}, ["RR", "RR@3"], compat="ir_measures"
    )
    assert found.means == {"RR": pytest.approx(1 / 3), "RR@3": 1.0}
    assert found.card.measure_rules["RR@3"].ties == "docid-asc"
    assert "RR@3: ties=docid-asc, score_bits=64" in found.card.text()


def test_unknown_rules_measures_and_profiles_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="no rule 'tie'"):
        evaluate(LABELS, TOY, tie="best")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="no profile 'x'"):
        evaluate(LABELS, TOY, compat="x")
    with pytest.raises(UsageError, match="MMR@10"):
        evaluate(LABELS, TOY, ["MMR@10"])
    with pytest.raises(UsageError, match="depth -1"):
        evaluate(LABELS, TOY, depth=-1)


def test_values_are_found_by_any_name_of_their_measure() -> None:
    found = evaluate(LABELS, TOY, ["mrr@5"])
    assert found["RR@5"] is found["MRR@5"]
    with pytest.raises(UsageError, match="RR@6 was not computed; there are RR@5"):
        found["RR@6"]


def test_arrays_are_read_only() -> None:
    found = evaluate(LABELS, TOY)
    for array in (found["RR@10"], found.first_rank, found.retrieved, found.counted, found.codes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_columns_fit_any_data_frame() -> None:
    import polars

    frame = polars.DataFrame(evaluate(LABELS, TOY, ["RR@5"]).columns())
    assert frame.columns == ["query_id", "status", "first_rank", "retrieved", "RR@5"]
    assert frame["RR@5"].mean() == 0.5


def test_the_summary_has_the_documented_shape() -> None:
    summary = evaluate(LABELS, TOY).summary()
    assert list(summary) == ["run", "means", "counts", "hits", "ties", "bounds", "card"]
    assert list(summary["counts"]) == [
        "queries",
        "hit",
        "miss",
        "absent",
        "no_relevant",
        "unlabelled",
        "unanswerable",
        "unlabelled_in_run",
        "outside_population",
    ]
    assert summary["hits"]["RR@10"] == {"hit": 2, "miss": 1}
    assert msgspec.json.decode(msgspec.json.encode(summary))["means"]["RR@10"] == 0.5


def test_rows_are_one_object_a_query() -> None:
    rows = list(evaluate(LABELS, TOY, ["RR@5"], name="toy").rows())
    assert rows[1] == {
        "run": "toy",
        "query_id": "q2",
        "status": "hit",
        "first_rank": 2,
        "values": {"RR@5": 0.5},
    }
    assert rows[2]["first_rank"] is None


def test_rows_of_many_queries_are_made_a_few_at_a_time() -> None:
    count = 50_000
    table = pa.table({"query_id": [str(i) for i in range(count)], "doc_id": ["a"] * count})
    found = evaluate(table.append_column("grade", pa.array([1] * count)), table, ["RR@10", "P@1"])
    tracemalloc.start()
    try:
        assert sum(row["values"]["RR@10"] for row in found.rows()) == count
        assert tracemalloc.get_traced_memory()[1] < 4_000_000  # all at once need 16 MB
    finally:
        tracemalloc.stop()


def test_judged_has_no_value_where_nothing_was_retrieved() -> None:
    found = evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}}, ["RR@10", "Judged@10"])
    assert found.mean("Judged@10") == 1.0
    assert found.card.without_value == {"Judged@10": 1}


def test_the_distribution_of_first_ranks_sums_to_the_queries_averaged() -> None:
    found = evaluate(LABELS, TOY, ["RR@5"])
    assert found.distribution == {"1": 1, "2": 1, "3": 0, "4-5": 0, "6-10": 0, "deeper": 0, "none": 1}
    assert found.card.median_first_rank == 2.0
    assert found.card.success["Success@1"] == pytest.approx(1 / 3)
    assert found.card.harmonic_mean_rank == 2.0


def test_several_runs_share_labels_that_are_read_once(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 a 1\n")
    found = evaluate_runs(qrels, [{"q1": {"a": 1.0}}, {"q1": {"b": 1.0}}], ["RR@10"], names=["old", "new"])
    first = next(found)
    qrels.unlink()
    second = next(found)
    assert [(one.card.name, one.mean()) for one in (first, second)] == [("old", 1.0), ("new", 0.0)]


def test_no_shared_query_scores_zero_and_the_first_line_says_so() -> None:
    found = evaluate({"q1": {"a": 1}}, {"q1.v2": {"a": 1.0}}, ["RR@10"])
    assert found.mean() == 0.0
    assert found.card.text().startswith("NO QUERY IS SHARED by labels and run")
    assert any("look alike" in notice for notice in found.notices)


def test_grades_below_the_threshold_are_noticed_with_the_highest() -> None:
    found = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["RR@10"], rel=2)
    assert found.notices[0] == "no label is relevant: the highest grade is 1 and relevant is grade >= 2"


def test_an_empty_run_is_an_error_unless_it_is_scored() -> None:
    with pytest.raises(InputError, match="empty"):
        evaluate(LABELS, {}, ["RR@10"])
    found = evaluate(LABELS, {}, ["RR@10"], empty_run="score")
    assert (found.mean(), found.counts["absent"]) == (0.0, 3)


def test_files_and_mappings_give_the_same_evaluation(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("".join(f"{q} 0 {d} {g:g}\n" for q, docs in LABELS.items() for d, g in docs.items()))
    run.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, docs in TOY.items() for d, s in docs.items()))
    from_files, from_memory = evaluate(qrels, run), evaluate(LABELS, TOY)
    assert from_files.means == from_memory.means
    assert from_files.card.labels.sha256 == from_memory.card.labels.sha256


def test_what_was_read_is_evaluated_as_it_is() -> None:
    qrels: Mapping[str, Any] = LABELS
    found = evaluate(firsthit.read_qrels(qrels), firsthit.read_run(TOY), ["RR@5"])
    assert found.mean() == 0.5
