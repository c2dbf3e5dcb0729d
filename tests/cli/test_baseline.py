"""`firsthit baseline`, through its runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit import evaluate
from firsthit.cli.commands import commands


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    evaluate({"q1": {"a": 1}}, {"q1": ["x", "a"]}, ["RR@10"], name="bm25").save("bm25.jsonl")
    return tmp_path


def baseline(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["baseline", *arguments], prog_name="firsthit")


def test_a_baseline_is_a_copy_of_a_saved_evaluation() -> None:
    result = baseline("set", "main", "bm25.jsonl")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "saved: .firsthit/baselines/main.jsonl\n"
    assert Path(".firsthit/baselines/main.jsonl").read_bytes() == Path("bm25.jsonl").read_bytes()


def test_baselines_are_listed() -> None:
    baseline("set", "main", "bm25.jsonl")
    labels = evaluate({"q1": {"a": 1}}, {"q1": ["a"]}).card.labels.sha256
    lines = baseline("show").stdout.splitlines()
    assert lines[0].split() == ["name", "run", "measure", "mean", "queries", "labels", "created", "path"]
    assert lines[1].split() == [
        "main",
        "bm25",
        "RR@10",
        "0.5000",
        "1",
        labels[:12],
        "2023-11-14T22:13:20Z",
        ".firsthit/baselines/main.jsonl",
    ]


def test_baselines_as_json() -> None:
    baseline("set", "main", "bm25.jsonl")
    (found,) = json.loads(baseline("show", "--format", "json").stdout)["baselines"]
    assert (found["name"], found["mean"]) == ("main", 0.5)


def test_no_baselines_are_said_to_be_none() -> None:
    result = baseline("show")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "no baselines in .firsthit/baselines.\n"


def test_what_is_no_saved_evaluation_is_refused() -> None:
    Path("run.txt").write_text("q1 Q0 a 1 1 t\n")
    result = baseline("set", "main", "run.txt")
    assert result.exit_code == 2
    assert "not a saved evaluation" in result.stderr
    assert not Path(".firsthit").exists()


def test_a_name_that_is_a_path_is_refused() -> None:
    result = baseline("set", "../main", "bm25.jsonl")
    assert result.exit_code == 2
    assert "cannot name a baseline" in result.stderr
