"""`firsthit check`, through its runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit.cli.commands import commands


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 b 0\n")
    (tmp_path / "good.run").write_text("q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\n")
    (tmp_path / "bad.run").write_text("q1 Q0 a 1 high t\nq2 Q0 b 1\n")
    (tmp_path / "alike.run").write_text("q1.v2 Q0 a 1 2 t\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["check", *arguments], prog_name="firsthit")


def test_good_files_are_said_to_be_good() -> None:
    result = check("qrels.txt", "good.run")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "eval would go on"
    assert "0.5000" not in result.stdout


def test_labels_can_be_checked_alone() -> None:
    result = check("qrels.txt")
    assert result.exit_code == 0
    assert "grades: 0: 1 · 1: 1" in result.stdout


def test_problems_come_first_and_the_exit_code_is_2_where_eval_would_refuse() -> None:
    result = check("qrels.txt", "bad.run", "good.run")
    assert result.exit_code == 2
    assert result.stdout.splitlines()[0] == "problems"
    assert "high" in result.stdout
    assert "line 2" in result.stdout
    assert "good.run" in result.stdout
    assert result.stdout.splitlines()[-1] == "eval would refuse this"


def test_a_missing_file_is_a_problem_like_any_other() -> None:
    result = check("qrels.txt", "missing.run")
    assert result.exit_code == 2
    assert "missing.run" in result.stdout


def test_the_probable_cause_of_unmatched_ids_is_named() -> None:
    result = check("qrels.txt", "alike.run")
    assert result.exit_code == 0
    assert "'q1.v2'" in " ".join(result.stdout.split())


def test_json_holds_the_findings() -> None:
    found = json.loads(check("qrels.txt", "bad.run", "--format", "json").stdout)
    assert found["refused"] is True
    assert {"level", "about", "text", "hint"} == set(found["findings"][0])


def test_a_rule_can_lift_a_refusal(folder: Path) -> None:
    (folder / "twice.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n")
    assert check("qrels.txt", "twice.run").exit_code == 2
    assert check("qrels.txt", "twice.run", "--duplicates", "best").exit_code == 0


def test_standard_input_stands_for_one_file() -> None:
    assert check("-", "-").exit_code == 2
