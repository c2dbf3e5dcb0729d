"""`firsthit demo`, through its runner."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit.cli.commands import commands
from firsthit.demo import FILES, STEPS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def firsthit(*arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments, prog_name="firsthit")


def test_the_demo_writes_its_files_to_the_folder(folder: Path) -> None:
    assert firsthit("demo", "here").exit_code == 0
    assert {path.name for path in (folder / "here").iterdir()} == {path.name for path in FILES.iterdir()}


def test_the_default_folder_is_firsthit_demo(folder: Path) -> None:
    assert firsthit("demo").exit_code == 0
    assert (folder / "firsthit-demo" / "qrels.txt").is_file()


def test_the_working_directory_stays_what_it_was(folder: Path) -> None:
    firsthit("demo")
    assert Path.cwd() == folder


def test_every_command_of_the_story_is_shown_with_its_real_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = firsthit("demo", "here").stdout
    monkeypatch.chdir(folder / "here")
    for number, step in enumerate(STEPS, 1):
        output = firsthit(*step.arguments).stdout
        assert f"\n\n$ firsthit {shlex.join(step.arguments)}\n{output}" in story
        assert f"{number}. {step.said}" in " ".join(story.split())


def test_a_folder_that_is_not_empty_is_refused(folder: Path) -> None:
    (folder / "mine.txt").write_text("keep")
    result = firsthit("demo", ".")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "not empty; nothing was written" in result.stderr
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_what_the_story_says_about_the_numbers_is_true(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    firsthit("demo", "here")
    monkeypatch.chdir(folder / "here")
    missed = firsthit("eval", "labels.jsonl", "dense.jsonl", "--queries", "queries.jsonl", "--list", "miss")
    assert "q10" in missed.stdout.split()
    ranks = firsthit("eval", "labels.jsonl", "bm25.jsonl", "--per-query", "-m", "RR@10").stdout.splitlines()
    assert next(line for line in ranks if line.startswith("q10 ")).split()[2] == "3"
    named = firsthit(
        "eval", "labels.jsonl", "bm25.jsonl", "dense.jsonl", "-m", "RR@10", "--format", "csv"
    ).stdout
    trec = firsthit("eval", "qrels.txt", "bm25.run", "dense.run", "-m", "RR@10", "--format", "csv").stdout
    assert named.replace(".jsonl", ".run") == trec
