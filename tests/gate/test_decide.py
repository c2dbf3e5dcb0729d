"""Rules decided on comparisons whose numbers are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from firsthit.errors import UsageError
from firsthit.gate import RuleResult, explain, first_run, worst_exit_code
from tests.gate.scenario import compared, decided, gate_of, statuses, table


def the_rule(text: str, old: Sequence[int | None], new: Sequence[int | None], tmp_path: Path) -> RuleResult:
    return decided(text, compared(old, new), tmp_path).rules[1]


UNCHANGED = [1] * 40
HALF = [2] * 40
FEW_DROPS = [1] * 36 + [2] * 4  # the mean falls by 0.05, between 0 and 0.1


def test_a_drop_passes_when_the_whole_interval_is_allowed(tmp_path: Path) -> None:
    found = the_rule("[[gate.drop]]\nmax = 0.2", UNCHANGED, [1] * 32 + [2] * 8, tmp_path)
    assert found.status == "pass"
    assert found.text.endswith("all of it on the allowed side")


def test_a_drop_fails_when_none_of_the_interval_is_allowed(tmp_path: Path) -> None:
    found = the_rule("[[gate.drop]]\nmax = 0.2", UNCHANGED, [2] * 36 + [1] * 4, tmp_path)
    assert found.status == "fail"
    assert found.text.startswith(
        "MRR@10 1.0000 → 0.5500 over 40 queries: difference -0.4500, 95% interval -0.4"
    )
    assert found.text.endswith("none of it on the allowed side")
    assert (len(found.queries), found.details[0]) == (36, "1.0000 → 0.5000")


def test_a_drop_that_the_interval_straddles_cannot_be_told(tmp_path: Path) -> None:
    found = the_rule("[[gate.drop]]\nmax = 0.05", UNCHANGED, FEW_DROPS, tmp_path)
    assert (found.status, found.queries) == ("cannot_tell", ("q037", "q038", "q039", "q040"))


@pytest.mark.parametrize(("limit", "status"), [("0.05", "pass"), ("0.0499", "fail")])
def test_on_estimate_decides_by_the_difference_itself(tmp_path: Path, limit: str, status: str) -> None:
    found = the_rule(f'on = "estimate"\n[[gate.drop]]\nmax = {limit}', UNCHANGED, FEW_DROPS, tmp_path)
    assert found.status == status


def test_without_a_difference_a_drop_of_nothing_is_allowed(tmp_path: Path) -> None:
    found = the_rule("[[gate.drop]]\nmax = 0", UNCHANGED, UNCHANGED, tmp_path)
    assert found.status == "pass"
    assert found.text.endswith("no query differs, so the difference is 0")


def test_below_the_smallest_number_an_interval_decides_nothing(tmp_path: Path) -> None:
    result = decided("[[gate.drop]]\nmax = 0.1", compared([1] * 12, [2] * 12), tmp_path)
    assert [found.status for found in result.rules] == ["cannot_tell", "cannot_tell"]
    assert result.exit_code == 4
    assert result.rules[0].text == "12 queries were compared"


@pytest.mark.parametrize(("limit", "status"), [("0.5", "pass"), ("0.51", "fail")])
def test_a_floor_holds_the_new_mean(tmp_path: Path, limit: str, status: str) -> None:
    found = the_rule(f"[[gate.floor]]\nmin = {limit}", UNCHANGED, HALF, tmp_path)
    assert (found.status, found.text) == (status, "MRR@10 is 0.5000 over 40 queries, and 1.0000 before")
    assert len(found.queries) == (0 if status == "pass" else 40)


def test_another_measure_has_its_own_rule(tmp_path: Path) -> None:
    comparison = compared([1] * 30 + [2] * 10, [1] * 30 + [3] * 10, measures=["RR@10", "Success@2"])
    result = decided('[[gate.floor]]\nmeasure = "hit_rate@2"\nmin = 0.9', comparison, tmp_path)
    assert result.rules[1].text == "Success@2 is 0.7500 over 40 queries, and 1.0000 before"
    assert result.rules[1].queries == tuple(f"q{number:03}" for number in range(31, 41))


TOPICS = ["tax"] * 40 + ["law"] * 8
DROP = '[[gate.drop]]\ncolumn = "topic"\nmax = 0.1'


def test_each_group_has_its_own_result(tmp_path: Path) -> None:
    topics = ["tax"] * 40 + ["law"] * 30
    comparison = compared([1] * 70, [2] * 40 + [1] * 30, queries=table(topics), groups=["topic"])
    result = decided(DROP, comparison, tmp_path)
    assert [(str(found.rule), found.status) for found in result.rules[1:]] == [
        ("MRR@10 in topic=tax drops by at most 0.1 (interval)", "fail"),
        ("MRR@10 in topic=law drops by at most 0.1 (interval)", "pass"),
    ]
    assert result.exit_code == 1


def test_small_groups_are_reported_and_not_decided(tmp_path: Path) -> None:
    comparison = compared([1] * 48, [1] * 40 + [0] * 8, queries=table(TOPICS), groups=["topic"])
    result = decided(DROP, comparison, tmp_path)
    assert statuses(result) == ["pass"]
    assert result.notices == (
        f"{tmp_path / 'firsthit.toml'}, line 4: groups of topic below 30 queries are reported, not decided: "
        "law (8).",
    )


@pytest.mark.parametrize("rule", ['column = "topic"\ngroup = "law"', "critical = true"])
def test_a_small_group_that_is_named_or_critical_is_decided(tmp_path: Path, rule: str) -> None:
    comparison = compared(
        [1] * 48, [1] * 40 + [0] * 8, queries=table(TOPICS), groups=["topic"], critical=["law"]
    )
    text = f"[[gate.drop]]\n{rule}\nmax = 0.1"
    assert statuses(decided(text, comparison, tmp_path)) == ["cannot_tell"]
    assert statuses(decided(f'{text}\non = "estimate"', comparison, tmp_path)) == ["fail"]
    assert statuses(decided(f"min_queries = 8\n{text}", comparison, tmp_path)) == ["fail"]


def test_a_floor_of_each_group_and_of_a_critical_one(tmp_path: Path) -> None:
    comparison = compared(
        [1] * 48, [1] * 40 + [2] * 8, queries=table(TOPICS), groups=["topic"], critical=["law"]
    )
    text = '[[gate.floor]]\ncolumn = "topic"\nmin = 0.9\n[[gate.floor]]\ncritical = true\nmin = 0.9'
    result = decided(text, comparison, tmp_path)
    assert [(str(found.rule), found.status) for found in result.rules[1:]] == [
        ("MRR@10 in topic=tax is at least 0.9", "pass"),
        ("MRR@10 in critical topic=law is at least 0.9", "fail"),
    ]


def test_a_column_of_small_groups_only_cannot_be_told(tmp_path: Path) -> None:
    topics = ["tax"] * 20 + ["law"] * 20
    comparison = compared([1] * 40, [1] * 40, queries=table(topics), groups=["topic"])
    result = decided(DROP, comparison, tmp_path)
    assert (result.rules[1].status, result.exit_code) == ("cannot_tell", 4)
    assert result.rules[1].text.startswith("no group of topic has 30 queries")


CRITICAL = [True] * 5 + [False] * 35


def test_a_critical_query_that_loses_rank_1_is_named_with_its_ranks(tmp_path: Path) -> None:
    comparison = compared(
        [1, 1, 1, 2, 0, *[1] * 35], [1, 0, 3, 5, 0, *[2] * 35], queries=table(critical=CRITICAL)
    )
    found = decided("[gate.critical]\nkeep_rank_1 = true", comparison, tmp_path).rules[1]
    assert (found.status, found.queries, found.details) == (
        "fail",
        ("q002", "q003"),
        ("rank 1 → none", "rank 1 → 3"),
    )
    assert found.text == "2 of the 3 critical queries that stood at rank 1 lost it (5 are critical)"


def test_a_critical_query_that_leaves_the_top_k_is_named(tmp_path: Path) -> None:
    comparison = compared(
        [1, 2, 3, 4, 0, *[1] * 35], [3, 4, 0, 1, 0, *[0] * 35], queries=table(critical=CRITICAL)
    )
    found = decided("[gate.critical]\nkeep_top = 3", comparison, tmp_path).rules[1]
    assert (found.status, found.queries) == ("fail", ("q002", "q003"))
    assert found.text == "2 of the 3 critical queries that stood in the top 3 left it (5 are critical)"
    assert decided("[gate.critical]\nkeep_top = 3", compared(
        [1, 2, 3, 4, 0, *[1] * 35], [3, 1, 2, 9, 0, *[0] * 35], queries=table(critical=CRITICAL)
    ), tmp_path).rules[1].status == "pass"  # fmt: skip


def test_rank_rules_go_deeper_than_the_cutoff_of_the_measure(tmp_path: Path) -> None:
    comparison = compared(
        [4] * 40, [5] * 20 + [6] * 20, queries=table(critical=[True] * 40), measures=["RR@3"]
    )
    found = decided("[gate.critical]\nkeep_top = 5", comparison, tmp_path).rules[1]
    assert (comparison.primary.difference, found.status, len(found.queries)) == (0.0, "fail", 20)


@pytest.mark.parametrize(("limit", "status"), [("0.05", "pass"), ("0.049", "fail")])
def test_the_share_of_absent_queries(tmp_path: Path, limit: str, status: str) -> None:
    comparison = compared([1] * 40, [1] * 38 + [None] * 2)
    found = decided(f"max_absent = {limit}", comparison, tmp_path).rules[1]
    assert (found.status, found.queries) == (status, ("q039", "q040"))
    assert found.text == "2 of 40 queries (5.0%) are absent from new"


def test_absent_queries_count_even_where_the_mean_leaves_them_out(tmp_path: Path) -> None:
    comparison = compared([1] * 40, [1] * 38 + [None] * 2, absent="exclude", common=True)
    assert decided("max_absent = 0.04", comparison, tmp_path).rules[1].status == "fail"


@pytest.mark.parametrize(("limit", "status"), [("0.5", "pass"), ("0.499", "fail")])
def test_the_share_of_unjudged_documents(tmp_path: Path, limit: str, status: str) -> None:
    comparison = compared([1] * 40, [4] * 40)  # wrong, two that nobody judged, right
    found = decided(f"max_unjudged = {limit}", comparison, tmp_path).rules[1]
    assert (found.status, len(found.queries), found.details[0]) == (status, 40, "2 of 4 unjudged")
    assert found.text == "80 of the 160 documents in the top 10 (50.0%) are unjudged"
    assert comparison.judged_share_new == 0.5


@pytest.mark.parametrize(
    ("said", "code"), [("", 4), ('inconclusive = "pass"', 0), ('inconclusive = "fail"', 1)]
)
def test_what_cannot_be_told_is_4_unless_the_gate_says_otherwise(
    tmp_path: Path, said: str, code: int
) -> None:
    result = decided(f"{said}\n[[gate.drop]]\nmax = 0.05", compared(UNCHANGED, FEW_DROPS), tmp_path)
    assert (statuses(result), result.exit_code) == (["cannot_tell"], code)


def test_a_failing_rule_outweighs_one_that_cannot_be_told(tmp_path: Path) -> None:
    text = "[[gate.floor]]\nmin = 0.99\n[[gate.drop]]\nmax = 0.05"
    result = decided(text, compared(UNCHANGED, FEW_DROPS), tmp_path)
    assert (statuses(result), result.exit_code) == (["fail", "cannot_tell"], 1)


@pytest.mark.parametrize(
    ("codes", "worst"), [([0, 4, 1, 3, 2], 2), ([4, 1, 3], 3), ([4, 1], 1), ([4, 0], 4), ([0], 0), ([], 0)]
)
def test_of_several_exit_codes_2_comes_first_then_3_1_and_4(codes: list[int], worst: int) -> None:
    assert worst_exit_code(codes) == worst


def test_rules_without_anything_to_be_about_are_all_named(tmp_path: Path) -> None:
    text = (
        '[[gate.drop]]\ncolumn = "kind"\nmax = 0.1\n'
        '[[gate.drop]]\ncolumn = "topic"\ngroup = "taxes"\nmax = 0.1\n'
        '[[gate.floor]]\nmeasure = "nDCG@10"\nmin = 0.1\n'
        '[[gate.floor]]\nmeasure = "R@10"\ncolumn = "topic"\nmin = 0.1\n'
        "[gate.critical]\nkeep_rank_1 = true"
    )
    comparison = compared(
        [1] * 48, [1] * 48, queries=table(TOPICS), groups=["topic"], measures=["RR@10", "R@10"]
    )
    with pytest.raises(UsageError) as caught:
        decided(text, comparison, tmp_path)
    assert str(caught.value).replace(str(tmp_path / "firsthit.toml"), "FILE").splitlines() == [
        "FILE: line 4: the comparison has no groups of 'kind': give FILE:kind as groups",
        "FILE: line 8: topic has no group 'taxes'; nearest: tax",
        "FILE: line 11: nDCG@10 was not compared; there are RR@10, R@10",
        "FILE: line 15: groups are compared by RR@10, not by R@10",
        "FILE: line 17: no query is critical: name critical groups, or mark queries in the queries table",
        "Each rule of a gate needs something to be about, else it could never fail.",
    ]


def test_a_first_run_passes_and_says_how_to_make_a_baseline(tmp_path: Path) -> None:
    result = first_run(gate_of('baseline = "main"\nmax_absent = 0', tmp_path))
    assert (result.exit_code, result.rules) == (0, ())
    assert result.notices == (
        "There is no baseline 'main' yet, so nothing was compared and the gate passes. "
        "`firsthit baseline set main EVALUATION` makes one.",
    )


def test_explain_shows_each_rule_with_its_line_and_queries(tmp_path: Path) -> None:
    comparison = compared([1] * 40, [2] * 3 + [1] * 37, queries=table(critical=CRITICAL))
    result = decided(
        "max_absent = 0\n[gate.critical]\nkeep_rank_1 = true\n[[gate.drop]]\nmax = 0.01", comparison, tmp_path
    )
    low, high = comparison.primary.interval.low, comparison.primary.interval.high
    assert explain(result, limit=2).replace(str(tmp_path / "firsthit.toml"), "FILE").splitlines() == [
        "The gate fails: 1 fail, 1 cannot tell, 2 pass of 4 rules.",
        "pass: at least 30 queries",
        "    40 queries were compared",
        "pass: at most 0 of the queries are absent from the run (FILE, line 2)",
        "    0 of 40 queries (0.0%) are absent from new",
        "FAIL: no critical query loses rank 1 (FILE, line 4)",
        "    3 of the 5 critical queries that stood at rank 1 lost it (5 are critical)",
        "    q001: rank 1 → 2",
        "    q002: rank 1 → 2",
        "    … and 1 more",
        "cannot tell: MRR@10 drops by at most 0.01 (interval) (FILE, line 6)",
        "    MRR@10 1.0000 → 0.9625 over 40 queries: difference -0.0375, "
        f"95% interval {low:+.4f} to {high:+.4f}",
        "    q001: 1.0000 → 0.5000",
        "    q002: 1.0000 → 0.5000",
        "    … and 1 more",
    ]
