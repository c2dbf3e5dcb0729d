"""Named baselines: set whole or not at all, found, shown."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from firsthit import evaluate, load
from firsthit.baseline import Baseline, baselines, find_baseline, set_baseline
from firsthit.errors import FirsthitError, InputError, UsageError

LABELS = {"q1": {"a": 1}, "q2": {"b": 1}}


def saved(path: Path, first: str = "a") -> Path:
    evaluate(LABELS, {"q1": [first], "q2": ["x", "b"]}, ["RR@10"], name="bm25").save(path)
    return path


def test_a_baseline_is_the_evaluation_itself(tmp_path: Path) -> None:
    source = saved(tmp_path / "new.jsonl")
    path = set_baseline("main", source, tmp_path / "kept")
    assert path == find_baseline("main", tmp_path / "kept") == tmp_path / "kept" / "main.jsonl"
    assert path.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("end", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_a_new_baseline_replaces_the_old_one_however_compressed(tmp_path: Path, end: str) -> None:
    set_baseline("main", saved(tmp_path / "old.jsonl.gz"), tmp_path / "kept")
    newer = saved(tmp_path / f"new{end}", first="x")
    set_baseline("main", newer, tmp_path / "kept")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [f"main{end}"]
    found = find_baseline("main", tmp_path / "kept")
    assert found is not None
    assert load(found) == load(newer)


def test_baselines_are_shown_by_name(tmp_path: Path) -> None:
    for name in ("main", "1.0"):
        set_baseline(name, saved(tmp_path / "new.jsonl"), tmp_path / "kept")
    (tmp_path / "kept" / "notes.txt").write_text("not a baseline")
    first, second = baselines(tmp_path / "kept")
    evaluation = load(tmp_path / "new.jsonl")
    assert (first.name, second) == (
        "1.0",
        Baseline(
            name="main",
            path=str(tmp_path / "kept" / "main.jsonl"),
            run="bm25",
            measure="RR@10",
            mean=0.75,
            queries=2,
            labels=evaluation.card.labels.sha256,
            created=evaluation.card.created,
        ),
    )


def test_without_a_folder_there_is_no_baseline(tmp_path: Path) -> None:
    assert baselines(tmp_path / "none") == ()
    assert find_baseline("main", tmp_path / "none") is None


def test_what_is_no_saved_evaluation_leaves_the_old_baseline(tmp_path: Path) -> None:
    path = set_baseline("main", saved(tmp_path / "new.jsonl"), tmp_path / "kept")
    before = path.read_bytes()
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(before[:-30])
    with pytest.raises(InputError, match="cut off"):
        set_baseline("main", cut, tmp_path / "kept")
    assert [(path.name, path.read_bytes()) for path in path.parent.iterdir()] == [("main.jsonl", before)]


@pytest.mark.parametrize("name", ["", "../main", "a/b", ".hidden", "a b", "-x", "main\n"])
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a baseline"):
        set_baseline(name, saved(tmp_path / "new.jsonl"), tmp_path / "kept")
    with pytest.raises(UsageError, match="cannot name a baseline"):
        find_baseline(name, tmp_path / "kept")


def test_a_pipe_is_refused_and_leaves_the_old_baseline(tmp_path: Path) -> None:
    path = set_baseline("main", saved(tmp_path / "new.jsonl"), tmp_path / "kept")
    before = path.read_bytes()
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(before))
    writer.start()
    with pytest.raises(UsageError, match="made from a file, not from a pipe"):
        set_baseline("main", tmp_path / "pipe", tmp_path / "kept")
    writer.join()
    assert path.read_bytes() == before


def test_a_baseline_can_be_set_from_itself(tmp_path: Path) -> None:
    path = set_baseline("main", saved(tmp_path / "new.jsonl"), tmp_path / "kept")
    before = path.read_bytes()
    set_baseline("main", path, tmp_path / "kept")
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(FirsthitError, match="cannot make this folder"):
        set_baseline("main", saved(tmp_path / "new.jsonl"), tmp_path / "kept")
