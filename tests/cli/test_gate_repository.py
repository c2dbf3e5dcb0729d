"""The steps of the workflow in examples/ci, as a hosted build runs them, in a scratch git repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.repository import CRITICAL_LOSS, FEW, GROUP_LOSS, HARMLESS, MAIN, Ranks, Repository

pytestmark = pytest.mark.slow


def pushed(folder: Path, ranks: Ranks) -> Repository:
    repository = Repository(folder, ranks)
    repository.evaluate()
    done = repository.step("baseline")
    assert done.returncode == 0, done.stderr
    return repository


def gate(repository: Repository, branch: str, ranks: Ranks) -> tuple[int, str]:
    """A pull request: the exit code of its gate, and what it printed."""
    repository.commit(branch, ranks)
    repository.evaluate()
    done = repository.step("gate")
    return done.returncode, done.stdout


def test_a_first_run_passes_with_a_notice(tmp_path: Path) -> None:
    repository = Repository(tmp_path, MAIN)
    repository.evaluate()
    done = repository.step("gate")
    assert done.returncode == 0, done.stderr
    assert "no baseline 'main' yet" in done.stdout
    assert "no baseline" in (tmp_path / "report.md").read_text()


def test_a_regression_in_a_critical_group_of_5_is_blocked_by_a_query_rule(tmp_path: Path) -> None:
    code, said = gate(pushed(tmp_path, MAIN), "critical", CRITICAL_LOSS)
    assert code == 1
    assert said.startswith("system.run (2) is better than system.run (1)") or " is better than " in said
    assert "FAIL: no critical query loses rank 1" in said
    assert "billing1: rank 1 → 2" in said


def test_a_regression_in_a_group_of_40_is_blocked_by_an_interval_rule(tmp_path: Path) -> None:
    code, said = gate(pushed(tmp_path, MAIN), "returns", GROUP_LOSS)
    assert code == 1
    assert "FAIL: MRR@10 in topic=returns drops by at most 0.1 (interval)" in said
    assert "pass: no critical query loses rank 1" in said


def test_the_blocked_request_leaves_its_reports_for_the_next_steps(tmp_path: Path) -> None:
    repository = pushed(tmp_path, MAIN)
    gate(repository, "critical", CRITICAL_LOSS)
    assert repository.step("report").returncode == 0
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("<!-- firsthit report -->")
    assert "no critical query loses rank 1" in summary
    assert "<failure" in (tmp_path / "firsthit.xml").read_text()


def test_a_harmless_change_passes(tmp_path: Path) -> None:
    code, said = gate(pushed(tmp_path, MAIN), "harmless", HARMLESS)
    assert code == 0
    assert "The gate passes" in said


def test_twelve_queries_cannot_tell(tmp_path: Path) -> None:
    changed = {**FEW, "other": [1] * 5, "returns": [2] * 5}
    code, said = gate(pushed(tmp_path, FEW), "few", changed)
    assert code == 4
    assert said.startswith("Cannot tell")


def test_other_labels_are_not_comparable(tmp_path: Path) -> None:
    repository = pushed(tmp_path, MAIN)
    labels = tmp_path / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"right"', '"x"', 1))
    repository.evaluate()
    done = repository.step("gate")
    assert done.returncode == 3
    assert "labels" in done.stderr


def test_an_evaluation_that_was_cut_off_is_bad_input(tmp_path: Path) -> None:
    repository = pushed(tmp_path, MAIN)
    saved = tmp_path / "new.jsonl"
    saved.write_text(saved.read_text()[:-100])
    assert repository.step("gate").returncode == 2
