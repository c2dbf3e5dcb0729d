"""What can be compared: evaluations, saved ones, run files with labels; and what is said of anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit import InputError, UsageError, evaluate
from firsthit.comparison.compare import compare, compare_many
from firsthit.comparison.sources import is_saved_evaluation
from tests.comparison.cases import evaluation, labels_of, run_of

RANKS = {"q1": 1, "q2": 2}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Labels, two runs and two saved evaluations."""
    (tmp_path / "qrels").write_text("q1 0 r 1\nq1 0 n 0\nq2 0 r 1\nq2 0 n 0\n")
    for name, ranks in (("old", RANKS), ("new", {"q1": 2, "q2": 2})):
        run = run_of(ranks)
        lines = [
            f"{query} Q0 {doc} 0 {score} t\n" for query, docs in run.items() for doc, score in docs.items()
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
        evaluate(labels_of(list(ranks)), run, ["RR@10"], name=name).save(tmp_path / f"{name}.jsonl")
    return tmp_path


def test_run_files_saved_evaluations_and_evaluations_compare_alike(files: Path) -> None:
    runs = compare(files / "old.run", files / "new.run", qrels=files / "qrels", measures=["RR@10"])
    saved = compare(files / "old.jsonl", files / "new.jsonl")
    mixed = compare(files / "old.jsonl", files / "new.run", qrels=files / "qrels")
    for found in (runs, saved, mixed):
        assert found.difference.tolist() == [-0.5, 0.0]
    assert (runs.old, runs.new, saved.old, saved.new) == ("old.run", "new.run", "old", "new")
    assert list(mixed.means) == ["RR@10"]


def test_a_saved_evaluation_is_told_from_a_run_by_its_first_line(files: Path) -> None:
    assert is_saved_evaluation(files / "old.jsonl")
    assert not is_saved_evaluation(files / "old.run")
    assert not is_saved_evaluation(files / "missing")


def test_a_run_file_without_labels_asks_for_them(files: Path) -> None:
    with pytest.raises(InputError, match="not a saved evaluation") as refused:
        compare(files / "old.run", files / "new.jsonl")
    assert refused.value.hint == "A run file is compared with its labels: give --qrels LABELS."
    with pytest.raises(UsageError, match="give qrels"):
        compare({"q1": ["a"]}, {"q1": ["a"]})


def test_a_saved_evaluation_that_was_edited_keeps_its_own_message(files: Path) -> None:
    text = (files / "old.jsonl").read_text()
    (files / "old.jsonl").write_text(text.replace('"first_rank":1', '"first_rank":2'))
    with pytest.raises(InputError, match="edited or damaged"):
        compare(files / "old.jsonl", files / "new.jsonl", qrels=files / "qrels")


def test_a_missing_file_is_an_input_error(files: Path) -> None:
    for labels in (None, files / "qrels"):
        with pytest.raises(InputError, match="no such file"):
            compare(files / "missing", files / "new.jsonl", qrels=labels)


def test_rules_are_for_runs_and_refused_where_there_is_none(files: Path) -> None:
    with pytest.raises(UsageError, match="compat, rel: saved evaluations keep the rules of their card"):
        compare(files / "old.jsonl", files / "new.jsonl", compat="msmarco", rel=2)
    found = compare(files / "old.run", files / "new.run", qrels=files / "qrels", rel=2)
    assert found.card_old.rules.rel == 2
    assert found.means["RR@10"].old == 0


def test_equal_names_are_made_distinct(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        evaluation(RANKS, name="run").save(tmp_path / folder / "run.jsonl")
    found = compare(tmp_path / "a/run.jsonl", tmp_path / "b/run.jsonl")
    assert (found.old, found.new) == (str(tmp_path / "a/run.jsonl"), str(tmp_path / "b/run.jsonl"))
    in_memory = compare(evaluation(RANKS), evaluation(RANKS))
    assert (in_memory.old, in_memory.new) == ("run (1)", "run (2)")


def test_names_and_answers_must_be_as_many_as_the_evaluations() -> None:
    one = evaluation(RANKS)
    with pytest.raises(UsageError, match="2 evaluations and 1 names"):
        compare(one, one, names=["old"])
    with pytest.raises(UsageError, match="1 files of answers for 2 evaluations"):
        compare(one, one, answers=["old.jsonl"])
    with pytest.raises(UsageError, match="nothing to compare with"):
        compare_many(one, [])


def test_labels_are_read_once_for_several_runs(files: Path) -> None:
    found = compare_many(
        files / "old.run", [files / "new.run"] * 2, qrels=files / "qrels", names=["o", "a", "b"]
    )
    assert [one.new for one in found] == ["a", "b"]
    assert found[0].difference.tolist() == found[1].difference.tolist()
