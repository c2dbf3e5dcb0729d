"""The steps of the example workflow as processes, in a scratch git repository: exit codes and reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.gate.repository import CRITICAL_LOSS, FEW, GROUP_LOSS, HARMLESS, MAIN, Repository

pytestmark = pytest.mark.slow


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return pushed(Repository(tmp_path, MAIN))


def pushed(repository: Repository) -> Repository:
    """What a push to the main branch does."""
    repository.evaluate()
    done = repository.step("baseline")
    assert (done.returncode, done.stderr.strip()) == (0, "saved: .firsthit/baselines/main.jsonl")
    return repository


def requested(repository: Repository, ranks: Mapping[str, Sequence[int]]) -> tuple[int, str]:
    """What a pull request with this retriever does: the exit code of the gate, and what it prints."""
    repository.commit("change", ranks)
    repository.evaluate()
    done = repository.step("gate")
    return done.returncode, done.stdout + done.stderr


def test_a_first_run_passes_with_a_notice(tmp_path: Path) -> None:
    code, said = requested(Repository(tmp_path, MAIN), MAIN)
    assert code == 0, said
    assert "There is no baseline 'main' yet" in said


def test_a_critical_group_of_5_is_protected_by_a_rule_about_queries(repository: Repository) -> None:
    code, said = requested(repository, CRITICAL_LOSS)
    assert code == 1, said
    assert re.search(r"MRR@10 0\.\d+ → 0\.\d+ \(\+0\.", said)  # the mean hides it
    assert re.findall(r"^FAIL: (.*) \(", said, re.M) == ["no critical query loses rank 1"]
    assert re.findall(r"^    (billing\d): rank 1 → ", said, re.M) == ["billing4", "billing2", "billing1"]


def test_a_group_of_40_is_protected_by_a_rule_about_its_interval(repository: Repository) -> None:
    code, said = requested(repository, GROUP_LOSS)
    assert code == 1, said
    assert re.search(r"MRR@10 0\.\d+ → 0\.\d+ \(\+0\.", said)
    failed = re.findall(r"^FAIL: (.*) \(firsthit", said, re.M)
    assert failed == ["MRR@10 in topic=returns drops by at most 0.1 (interval)"]


def test_a_harmless_change_passes(repository: Repository) -> None:
    code, said = requested(repository, HARMLESS)
    assert code == 0, said
    assert "FAIL" not in said


def test_twelve_queries_cannot_tell(tmp_path: Path) -> None:
    repository = pushed(Repository(tmp_path, FEW))
    code, said = requested(repository, {**FEW, "other": [1] * 5, "returns": [2] * 5})
    assert code == 4, said
    assert "The gate cannot tell" in said


def test_the_reports_are_there_for_the_pull_request_and_the_build(repository: Repository) -> None:
    requested(repository, CRITICAL_LOSS)
    report = (repository.folder / "report.md").read_text(encoding="utf-8")
    assert report.startswith("<!-- ")
    assert "no critical query loses rank 1" in report
    suite = ElementTree.parse(repository.folder / "firsthit.xml").getroot().find("testsuite")
    assert suite is not None
    assert suite.attrib["failures"] == "1"
    assert repository.step("report").returncode == 0
    assert (repository.folder / "summary.md").read_text(encoding="utf-8") == report


def test_a_gate_that_is_wrong_stops_with_2_and_other_labels_with_3(repository: Repository) -> None:
    gate = repository.folder / "firsthit.toml"
    good = gate.read_text(encoding="utf-8")
    gate.write_text(good.replace("max_absent", "max_abesnt"), encoding="utf-8")
    code, said = requested(repository, HARMLESS)
    assert code == 2, said
    assert "unknown key 'max_abesnt'; nearest: max_absent" in said
    gate.write_text(good, encoding="utf-8")
    labels = repository.folder / "labels.jsonl"
    labels.write_text(
        labels.read_text(encoding="utf-8").replace('"grade": 1', '"grade": 2', 1), encoding="utf-8"
    )
    assert requested(repository, HARMLESS)[0] == 3
