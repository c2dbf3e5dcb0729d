"""The examples in the docs of the Python interface run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


NAMES = (
    "answer-strings.md",
    "answers.md",
    "card.md",
    "comparison.md",
    "duplicates.md",
    "evidence.md",
    "gate.md",
    "groups.md",
    "labels.md",
    "needs.md",
    "python.md",
    "rechunking.md",
    "reports.md",
    "saved-evaluation.md",
    "stale-labels.md",
    "statistics.md",
    "units.md",
)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(
        str(DOCS / name), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried
    assert not failed
