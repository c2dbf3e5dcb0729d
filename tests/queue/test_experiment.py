"""The experiment behind docs/judging-queue.md runs, and its page says what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\|.*%.*\|$", re.M)


def printed(test_data: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "benchmarks/judging_queue.py", *arguments],
        cwd=ROOT,
        env=os.environ | {"FIRSTHIT_TEST_DATA": str(test_data)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_figures_on_the_page_are_those_of_the_experiment(test_data: Path) -> None:
    page = (ROOT / "docs" / "judging-queue.md").read_text(encoding="utf-8")
    rows = ROW.findall(printed(test_data))
    assert len(rows) == 12
    assert rows == [row for row in ROW.findall(page) if "hidden" not in row]


def test_other_files_may_be_given(test_data: Path) -> None:
    folder = test_data / "dl19_passage"
    runs = [str(folder / f"run.{name}.dl19.txt") for name in ("bm25", "splade")]
    labels = str(folder / "qrels.dl19-passage.txt")
    said = printed(test_data, "--seeds", "1", "--rel", "2", "--set", "mine", labels, *runs)
    assert said.count("| mine |") == 6
