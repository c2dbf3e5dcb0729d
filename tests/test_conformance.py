"""docs/conformance.md states what firsthit prints for every case on which tools disagree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outcomes import Outcome, hold, outcomes

ROWS = outcomes("Cases on which tools disagree")


def test_every_case_has_a_declared_outcome(test_data: Path) -> None:
    cases = sorted(folder.name for folder in (test_data / "conformance").iterdir() if folder.is_dir())
    assert sorted(row.case for row in ROWS) == cases
    assert len(cases) == 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.case)
def test_a_case_has_its_declared_outcome(row: Outcome, test_data: Path) -> None:
    folder = test_data / "conformance" / row.case
    hold(row, folder / "labels.qrels", folder / "system.run")
