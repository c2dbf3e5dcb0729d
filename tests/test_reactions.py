"""docs/conformance.md states what firsthit does with malformed and unusual input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outcomes import Outcome, evaluated, hold, outcomes

ROWS = outcomes("Malformed and unusual input")


def test_every_pair_has_a_declared_outcome(test_data: Path) -> None:
    pairs = sorted(path.stem for path in (test_data / "trec_eval_reactions").glob("*.run"))
    assert sorted(row.case for row in ROWS) == pairs
    assert len(pairs) == 32


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.case)
def test_a_pair_has_its_declared_outcome(row: Outcome, test_data: Path) -> None:
    folder = test_data / "trec_eval_reactions"
    hold(row, folder / f"{row.case}.qrels", folder / f"{row.case}.run")


def test_lines_that_end_with_cr_alone_are_refused(tmp_path: Path) -> None:
    labels, run = tmp_path / "labels.txt", tmp_path / "run.txt"
    labels.write_bytes(b"q1 0 a 1\n")
    run.write_bytes(b"q1 Q0 x 1 2.0 t\rq1 Q0 a 2 1.0 t\r")
    result = evaluated(labels, run, [])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "lines that end with CR alone" in result.stderr
