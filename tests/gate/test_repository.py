"""The gate in a scratch git repository: it blocks regressions that the mean hides, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.repository import Ranks, Repository, steps

pytestmark = pytest.mark.slow

MAIN: Ranks = {"billing": [1, 1, 1, 1, 2], "returns": [1] * 36 + [2] * 4, "other": [1] * 15 + [2] * 60}
MORE_FIRST = [1] * 75


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path, MAIN)
    made.push()
    return made


def test_the_workflow_has_the_steps_that_are_run_here() -> None:
    found = steps()
    assert list(found) == ["retrieve", "evaluate", "gate", "report", "baseline"]
    assert (found["gate"].event, found["baseline"].event, found["evaluate"].event) == (
        "pull_request",
        "push",
        "",
    )


def test_a_first_run_without_a_baseline_passes_with_a_notice(tmp_path: Path) -> None:
    result = Repository(tmp_path, MAIN).pull_request()
    assert result.exit_code == 0
    assert "no baseline 'main' yet" in result.notices[0]


def test_three_critical_queries_that_lose_rank_1_are_blocked_though_the_mean_rises(
    repository: Repository,
) -> None:
    repository.commit("critical", {**MAIN, "billing": [2, 3, 1, 5, 2], "other": MORE_FIRST})
    result = repository.pull_request()
    failed = [found for found in result.rules if found.status == "fail"]
    assert result.exit_code == 1
    assert [str(found.rule) for found in failed] == ["no critical query loses rank 1"]
    assert set(failed[0].queries) == {"billing1", "billing2", "billing4"}
    overall = next(found for found in result.rules if found.rule.kind == "max_drop")
    assert (overall.status, "difference +" in overall.text) == ("pass", True)
    assert any("billing (5)" in notice for notice in result.notices)


def test_a_group_of_40_that_falls_is_blocked_though_the_mean_rises(repository: Repository) -> None:
    repository.commit("returns", {**MAIN, "returns": [2] * 28 + [1] * 12, "other": MORE_FIRST})
    result = repository.pull_request()
    failed = [found for found in result.rules if found.status == "fail"]
    assert result.exit_code == 1
    assert [str(found.rule) for found in failed] == ["RR@10 in topic=returns drops by at most 0.1 (interval)"]
    assert failed[0].text.endswith("none of it on the allowed side")
    assert len(failed[0].queries) == 28


def test_a_harmless_change_passes(repository: Repository) -> None:
    change = {
        "billing": [1, 1, 1, 1, 3],
        "returns": [1] * 36 + [2, 1, 3, 2],
        "other": [1] * 14 + [2] * 59 + [1, 3],
    }
    repository.commit("harmless", change)
    result = repository.pull_request()
    assert {found.status for found in result.rules} == {"pass"}
    assert result.exit_code == 0


def test_nothing_changed_passes(repository: Repository) -> None:
    assert repository.pull_request().exit_code == 0


def test_twelve_queries_cannot_tell(tmp_path: Path) -> None:
    few = {"billing": [1, 1], "returns": [1] * 5, "other": [2] * 5}
    repository = Repository(tmp_path, few)
    repository.push()
    repository.commit("few", {**few, "other": [1] * 5, "returns": [2] * 5})
    result = repository.pull_request()
    assert result.exit_code == 4
    assert "fail" not in {found.status for found in result.rules}
