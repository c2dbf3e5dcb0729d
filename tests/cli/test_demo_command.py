"""`firsthit demo`, through its runner."""

from __future__ import annotations

import json
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
    written = {path.name for path in (folder / "here").iterdir()}
    assert written == {"report.html", *(path.name for path in FILES.iterdir())}


def test_the_page_is_left_out_where_its_plots_cannot_be_drawn(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firsthit.cli.demo_command.find_spec", lambda name: None)
    result = firsthit("demo", "here")
    assert result.exit_code == 0
    assert (
        "The page report.html is left out: its plots need `pip install 'firsthit[report]'`." in result.stdout
    )
    assert "--html" not in result.stdout
    assert not (folder / "here" / "report.html").exists()


def test_the_story_ends_with_the_verdict_and_where_its_page_is(folder: Path) -> None:
    story = " ".join(firsthit("demo", "here").stdout.split())
    assert "dense.run is better than bm25.run: MRR@10 0.6214 → 0.7240 (+0.1025" in story
    assert "Open here/report.html in a browser" in story
    assert (folder / "here" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_the_story_says_about_the_comparison_is_true(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    firsthit("demo", "here")
    monkeypatch.chdir(folder / "here")
    found = json.loads(firsthit(*STEPS[-1].arguments, "--format", "json").stdout)["comparisons"][0]
    assert all(group["report_only"] for group in found["groups"])
    worse = [row for row in found["queries"] if row["critical"] and row["difference"] < 0]
    assert len(worse) == 3
    assert found["answers"] is not None


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
        output = firsthit(*step.command()).stdout
        assert f"\n\n$ firsthit {shlex.join(step.command())}\n{output}" in story
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
    missed = firsthit("eval", "qrels.txt", "dense.run", "--queries", "queries.jsonl", "--list", "miss")
    assert "q10" in missed.stdout.split()
    ranks = firsthit("eval", "qrels.txt", "bm25.run", "--per-query", "-m", "RR@10").stdout.splitlines()
    assert next(line for line in ranks if line.startswith("q10 ")).split()[2] == "3"
    named = firsthit(
        "eval", "labels.jsonl", "bm25.jsonl", "dense.jsonl", "-m", "RR@10", "--format", "csv"
    ).stdout
    trec = firsthit("eval", "qrels.txt", "bm25.run", "dense.run", "-m", "RR@10", "--format", "csv").stdout
    assert named.replace(".jsonl", ".run") == trec


def test_what_the_story_says_about_needs_is_true(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    firsthit("demo", "here")
    monkeypatch.chdir(folder / "here")
    step = next(step for step in STEPS if "Complete@5" in step.arguments)
    arguments = step.arguments[: step.arguments.index("--format")]
    for found in json.loads(firsthit(*arguments, "--format", "json").stdout)["evaluations"]:
        assert found["means"]["Complete@5"] < found["means"]["Success@5"]
    questions = [json.loads(line) for line in Path("queries.jsonl").read_text().splitlines()]
    assert sum(len(question.get("needs", ())) == 2 for question in questions) == 11


def test_stale_labels_do_not_end_the_story(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert firsthit("demo", "here").exit_code == 0
    monkeypatch.chdir(folder / "here")
    step = next(step for step in STEPS if step.arguments[:2] == ("labels", "check"))
    assert firsthit(*step.arguments).exit_code == 3
