"""Why: the rule behind each difference, found by changing one rule at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit import PROFILES, UsageError, why
from tests.test_profiles import TOOLS

CASES = "conformance"


def test_a_tie_is_explained_by_the_tie_rule() -> None:
    report = why({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, "ir_measures")
    assert report.rows == (("q1", 0.5, 1.0, "ties=docid-asc"),)
    assert report.means == (0.5, 1.0)


def test_scores_that_differ_beyond_32_bits_are_explained_by_them() -> None:
    report = why({"q1": {"a": 1}}, {"q1": {"a": 0.9000000002, "b": 0.9000000001}}, "trec_eval9")
    assert report.rows == (("q1", 1.0, 0.5, "score_bits=32"),)


def test_rules_that_differ_only_together_are_named_together() -> None:
    run = {"q1": {"x": 0.9000000001, "c": 0.9000000002}}
    report = why({"q1": {"x": 1}}, run, "trec_eval9", ties="docid-asc")
    assert report.rows == (("q1", 0.5, 1.0, "ties=docid-desc and score_bits=32 together"),)


def test_an_excluded_query_changes_the_mean_and_no_value() -> None:
    report = why({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}, "trec_eval9")
    assert report.rows == (("q2", 0.0, None, "absent=exclude"),)
    assert report.averaged == (2, 1)
    assert "the mean is over 2 queries here and over 1 there" in report.text()


def test_a_side_that_refuses_is_named_with_the_rule_and_the_rest_is_compared() -> None:
    report = why({"q1": {"a": 1}}, {}, "ir_measures")
    (refusal,) = report.refusals
    assert (refusal.side, refusal.rules) == ("firsthit", ("empty_run",))
    assert report.means == (0.0, 0.0)
    assert "firsthit refuses the input" in report.text()


def test_a_refusal_of_the_other_side_is_named_too() -> None:
    report = why({"q1": {"a": 1}}, {}, "trec_eval", empty_run="score")
    (refusal,) = report.refusals
    assert (refusal.side, refusal.rules) == ("trec_eval", ("empty_run",))


def test_nothing_differs_where_the_rules_agree() -> None:
    report = why({"q1": {"a": 1}}, {"q1": {"a": 2.0, "b": 1.0}}, "trec_eval")
    assert report.rows == ()
    assert "no query differs" in report.text()
    assert "change nothing here: grades=truncate, order=score, comments=skip" in report.text()


def test_any_measure_can_be_asked_about() -> None:
    report = why({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, "sentence-transformers", "nDCG@10")
    assert report.measure == "nDCG@10"
    assert [row[-1] for row in report.rows] == ["ties=docid-asc"]


def test_the_report_is_plain_data() -> None:
    data = why({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, "ir_measures").data()
    assert data["queries"] == [{"query_id": "q1", "here": 0.5, "there": 1.0, "because": "ties=docid-asc"}]
    assert data["changed"]["ties"] == ("docid-desc", "docid-asc")
    assert data["causes"] == {"ties=docid-asc": 1}


def test_an_unknown_profile_is_refused_before_anything_is_read() -> None:
    with pytest.raises(UsageError, match="no profile 'nobody'"):
        why("no such file", "no such file", "nobody")


@pytest.mark.parametrize(("profile", "measure"), sorted(set(TOOLS.values())))
def test_every_difference_on_the_conformance_cases_is_explained(
    test_data: Path, profile: str, measure: str
) -> None:
    rules = {rule for _, changed in PROFILES[profile] for rule in changed}
    for case in sorted(path for path in (test_data / CASES).iterdir() if path.is_dir()):
        report = why(case / "labels.qrels", case / "system.run", profile, measure)
        assert (report.means[0] == report.means[1]) or report.rows or report.refusals, case.name
        for _, here, there, because in report.rows:
            assert here != there
            assert because.split("=")[0] in rules, (case.name, because)
        for refusal in report.refusals:
            assert set(refusal.rules) <= rules


def test_the_rules_behind_the_differences_of_the_conformance_cases(test_data: Path) -> None:
    expected = {
        ("tie", "ir_measures"): "ties=docid-asc",
        ("scores_differ_in_10th_digit", "trec_eval9"): "score_bits=32",
        ("query_missing_from_run", "pytrec_eval"): "absent=exclude",
        ("query_without_relevant", "sentence-transformers"): "no_relevant=exclude",
        ("grade0_at_rank1", "msmarco"): "relevant=listed",
        ("grade_minus1_first", "msmarco"): "relevant=listed",
        ("topic_all_negative", "msmarco"): "relevant=listed",
        ("topic_all_negative", "sentence-transformers"): "no_relevant=exclude",
    }
    for (case, profile), because in expected.items():
        folder = test_data / CASES / case
        report = why(folder / "labels.qrels", folder / "system.run", profile, TOOLS_BY_PROFILE[profile])
        assert set(report.causes) == {because}, (case, profile)


def test_the_rules_behind_the_refusals_of_the_conformance_cases(test_data: Path) -> None:
    expected = {
        ("duplicate_relevant", "msmarco"): ("duplicates", "order"),
        ("duplicate_relevant", "ir_measures"): ("duplicates",),
        ("same_doc_judged_twice", "sentence-transformers"): ("conflicts",),
        ("empty_run", "ir_measures"): ("empty_run",),
        ("distances", "trec_eval"): ("order",),
        ("rank_contradicts_score", "msmarco"): ("order",),
        ("score_is_text", "msmarco"): ("order",),
        ("nan_score_rank2", "msmarco"): ("order",),
        ("hash_first_line", "trec_eval"): ("comments",),
    }
    for (case, profile), rules in expected.items():
        folder = test_data / CASES / case
        report = why(folder / "labels.qrels", folder / "system.run", profile, TOOLS_BY_PROFILE[profile])
        refusal = next(refusal for refusal in report.refusals if refusal.side == "firsthit")
        assert refusal.rules in (rules, rules[:1]), (case, profile, refusal)


TOOLS_BY_PROFILE = dict(TOOLS.values())
