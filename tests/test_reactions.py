"""docs/conformance.md states what firsthit does with malformed and unusual input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outcomes import Outcome, hold, outcomes

ROWS = outcomes("Malformed and unusual input")


def test_every_pair_has_a_declared_outcome(test_data: Path) -> None:
    pairs = sorted(path.stem for path in (test_data / "trec_eval_reactions").glob("*.run"))
    assert sorted(row.case for row in ROWS) == pairs
    assert len(pairs) == 32


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.case)
def test_a_pair_has_its_declared_outcome(row: Outcome, test_data: Path) -> None:
    folder = test_data / "trec_eval_reactions"
    hold(row, folder / f"{row.case}.qrels", folder / f"{row.case}.run")
