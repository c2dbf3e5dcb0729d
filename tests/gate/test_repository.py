"""The gate in a scratch git repository: it blocks regressions that the mean hides, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.repository import CRITICAL_LOSS, FEW, GROUP_LOSS, HARMLESS, MAIN, Repository, steps

pytestmark = pytest.mark.slow


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
    repository.commit("critical", CRITICAL_LOSS)
    result = repository.pull_request()
    failed = [found for found in result.rules if found.status == "fail"]
    assert result.exit_code == 1
    assert [str(found.rule) for found in failed] == ["no critical query loses rank 1"]
    assert set(failed[0].queries) == {"billing1", "billing2", "billing4"}
    overall = next(found for found in result.rules if found.rule.kind == "max_drop")
    assert (overall.status, "difference +" in overall.text) == ("pass", True)
    assert any("billing (5)" in notice for notice in result.notices)


def test_a_group_of_40_that_falls_is_blocked_though_the_mean_rises(repository: Repository) -> None:
    repository.commit("returns", GROUP_LOSS)
    result = repository.pull_request()
    failed = [found for found in result.rules if found.status == "fail"]
    assert result.exit_code == 1
    assert [str(found.rule) for found in failed] == [
        "MRR@10 in topic=returns drops by at most 0.1 (interval)"
    ]
    assert failed[0].text.endswith("none of it on the allowed side")
    assert len(failed[0].queries) == 28


def test_a_harmless_change_passes(repository: Repository) -> None:
    repository.commit("harmless", HARMLESS)
    result = repository.pull_request()
    assert {found.status for found in result.rules} == {"pass"}
    assert result.exit_code == 0


def test_nothing_changed_passes(repository: Repository) -> None:
    assert repository.pull_request().exit_code == 0


def test_twelve_queries_cannot_tell(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FEW)
    repository.push()
    repository.commit("few", {**FEW, "other": [1] * 5, "returns": [2] * 5})
    result = repository.pull_request()
    assert result.exit_code == 4
    assert "fail" not in {found.status for found in result.rules}
