"""Stale labels in an evaluation: looked for in the corpus, on the card, first in the output, exit code 3."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firsthit import evaluate, load
from firsthit.cli.commands import commands
from firsthit.errors import InputError
from firsthit.staleness import Staleness
from tests.labels.corpora import passages

LABELS = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"d": 2, "e": 0}, "q3": {"f": 1}}
RUN = {"q1": ["a", "x"], "q2": ["x", "d"], "q3": ["y"]}


def corpus(*ids: str) -> Any:
    return passages([{"doc_id": one} for one in ids])


def test_labels_that_fit_their_corpus_are_counted_and_make_no_noise() -> None:
    found = evaluate(LABELS, RUN, ["RR@10"], passages=corpus(*"abcdefxy"))
    assert found.card.staleness == Staleness(4, 0)
    assert not [notice for notice in found.notices if "stale" in notice]


def test_without_a_corpus_nothing_is_said_of_staleness() -> None:
    assert evaluate(LABELS, {"q1": ["x"], "q2": ["x"], "q3": ["x"]}, ["RR@10"]).card.staleness is None


def test_what_the_run_returned_is_there_whatever_the_corpus_says() -> None:
    staleness = evaluate(LABELS, RUN, ["RR@10"], passages=corpus("c", "b", "x")).card.staleness
    assert staleness is not None
    assert (staleness.stale, staleness.nonrelevant) == (1, 1)  # f and e; a and d were returned


@pytest.mark.parametrize(("limit", "over"), [(0.2, True), (0.25, False), (1.0, False), (0.0, True)])
def test_the_limit_decides_and_the_numbers_stay(limit: float, over: bool) -> None:
    found = evaluate(LABELS, RUN, ["RR@10"], passages=corpus("c", "b", "x"), max_stale=limit)
    assert found.card.staleness is not None
    assert (found.card.staleness.share, found.card.staleness.over) == (0.25, over)
    assert found.mean() == evaluate(LABELS, RUN, ["RR@10"]).mean()
    assert found.card.text().startswith("LABELS STALE, NOT A REGRESSION: 1 of 4") == over
    assert any("1 of 4 relevant labels (25.0%) are stale" in notice for notice in found.notices) != over


def test_the_threshold_is_that_of_the_primary_measure() -> None:
    staleness = evaluate(LABELS, RUN, ["RR(rel=2)@10"], passages=corpus(*"abcefxy")).card.staleness
    assert staleness is not None
    assert (staleness.labels, staleness.stale) == (1, 0)


def test_staleness_is_saved_and_comes_back(tmp_path: Path) -> None:
    found = evaluate(LABELS, RUN, ["RR@10"], passages=corpus("c", "b", "x"))
    found.save(tmp_path / "saved.jsonl")
    assert load(tmp_path / "saved.jsonl") == found
    assert load(tmp_path / "saved.jsonl").card.staleness == found.card.staleness


def labels_of(tmp_path: Path, **row: Any) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"query_id": "q1", "grade": 1} | row))
    return path


def test_labels_of_documents_are_held_by_the_sources_of_passages(tmp_path: Path) -> None:
    pieces = passages([{"doc_id": "s#1", "source": "s", "text": "x"}])
    labels = labels_of(tmp_path, doc_id="s")
    found = evaluate(labels, {"q1": ["s#1"]}, ["RR@10"], passages=pieces, unit="document")
    assert found.card.staleness == Staleness(1, 0)


def test_a_span_beyond_its_source_is_refused_with_its_line(tmp_path: Path) -> None:
    whole = passages([{"doc_id": "s", "text": "short"}])
    labels = labels_of(tmp_path, source="s", start=2, end=9)
    with pytest.raises(InputError, match=r"line 1: the span 2 to 9 is beyond the end of source 's'"):
        evaluate(labels, {"q1": ["s"]}, ["RR@10"], passages=whole)


def run_eval(folder: Path, *arguments: str) -> Result:
    (folder / "qrels.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    (folder / "system.run").write_text("q1 Q0 n1 1 2 t\nq2 Q0 n2 1 2 t\n")
    (folder / "corpus.jsonl").write_text('{"doc_id": "n1"}\n{"doc_id": "n2"}\n')
    files = [str(folder / name) for name in ("qrels.txt", "system.run")]
    given = ["eval", *files, "--passages", str(folder / "corpus.jsonl"), "-m", "RR@10", *arguments]
    return CliRunner().invoke(commands, given, prog_name="firsthit")


def test_eval_prints_the_numbers_and_ends_with_exit_code_3(tmp_path: Path) -> None:
    result = run_eval(tmp_path)
    assert result.exit_code == 3
    assert "0.0000" in result.stdout
    assert "LABELS STALE, NOT A REGRESSION: 2 of 2 relevant labels (100.0%) are stale" in result.stdout


@pytest.mark.parametrize("arguments", [["--per-query"], ["--format", "json"], ["--card"], ["--list", "miss"]])
def test_every_output_of_eval_ends_with_exit_code_3(tmp_path: Path, arguments: list[str]) -> None:
    assert run_eval(tmp_path, *arguments).exit_code == 3
    assert run_eval(tmp_path, *arguments, "--max-stale", "1").exit_code == 0
