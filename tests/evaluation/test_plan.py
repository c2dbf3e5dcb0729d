"""Plans: which measures, which rules for each, how deep."""

from __future__ import annotations

import pytest

from firsthit import UsageError
from firsthit.evaluation.plan import Plan, threshold
from firsthit.rules import Rules


def test_measures_with_equal_rules_are_matched_together() -> None:
    plan = Plan.of(["RR@10", "nDCG@10"])
    assert len(plan.groups()) == 1


def test_the_primary_measures_group_comes_first() -> None:
    plan = Plan.of(["nDCG@10", "RR@10"], compat="ir_measures")
    first, second = plan.groups().values()
    assert [str(measure) for measure in first] == ["RR@10"]
    assert [str(measure) for measure in second] == ["nDCG@10"]


def test_a_given_rule_wins_for_every_measure() -> None:
    plan = Plan.of(["nDCG@10", "RR@10"], compat="ir_measures", options={"ties": "given", "score_bits": 64})
    assert {rules.ties for rules in plan.groups()} == {"given"}
    assert plan.given == ("ties", "score_bits")


def test_the_same_measure_twice_is_one() -> None:
    assert [str(measure) for measure in Plan.of(["RR@10", "mrr@10"]).shown] == ["RR@10"]


def test_all_measures_that_cannot_serve_are_named() -> None:
    with pytest.raises(UsageError, match="P@1, AP: no exact bounds"):
        Plan.of(["RR@1", "P@1", "AP"], options={"unjudged": "bounds"})


def test_the_threshold_of_listed_labels_is_their_common_grade() -> None:
    assert threshold(Rules(relevant="listed")) == 1.0
    assert threshold(Rules(rel=2)) == 2.0


def test_expected_ties_refuse_documents_that_are_kept_twice() -> None:
    with pytest.raises(UsageError, match="kept twice"):
        Plan.of(["RR@10"], options={"ties": "expected", "duplicates": "keep"})


@pytest.mark.parametrize("depth", [-1, 10**30])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    with pytest.raises(UsageError, match="the number of documents to keep is from 0 to 1,000,000,000"):
        Plan.of(depth=depth)


def test_an_empty_list_of_measures_is_refused() -> None:
    with pytest.raises(UsageError, match="no measure is named"):
        Plan.of([])
