"""The tables of docs/conformance.md, and the check of one row: what firsthit prints for a pair of files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit.cli.commands import commands

PAGE = Path(__file__).parent.parent / "docs" / "conformance.md"
PRINTED = 5e-5  # the page prints four decimals


@dataclass(frozen=True)
class Outcome:
    """One row: the declared values, or the word of the error, and what each option gives."""

    case: str
    rr_at_10: str
    rr: str
    options: tuple[tuple[list[str], float], ...]

    @property
    def error(self) -> str:
        """A word of the message, or nothing."""
        return self.rr_at_10.removeprefix("error: ") if self.rr_at_10.startswith("error: ") else ""


def outcomes(heading: str) -> list[Outcome]:
    """The rows of the table below a heading of the page."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [outcome([cell.strip() for cell in row]) for row in rows]


def outcome(cells: list[str]) -> Outcome:
    case, rr_at_10, rr, options, why = cells
    assert why, f"{case} has no reason"
    found = re.findall(r"`([^`]+)` ([0-9.]+)", options)
    return Outcome(
        case.strip("`"), rr_at_10, rr, tuple((words.split(), float(value)) for words, value in found)
    )


def evaluated(labels: Path, run: Path, options: list[str]) -> Result:
    """`firsthit eval` in process."""
    command = ["eval", str(labels), str(run), "-m", "RR@10", "-m", "RR", "--format", "json", *options]
    return CliRunner().invoke(commands, command)


def means(result: Result) -> dict[str, float]:
    """The means that were printed."""
    assert result.exit_code == 0, result.output
    printed: dict[str, float] = json.loads(result.stdout)["evaluations"][0]["means"]
    return printed


def hold(row: Outcome, labels: Path, run: Path) -> None:
    """Runs one case as it is, then with every option of its row."""
    result = evaluated(labels, run, [])
    if row.error:
        assert (result.exit_code, result.stdout) == (2, "")
        assert row.error in result.stderr
        assert "Traceback" not in result.stderr
    else:
        printed = means(result)
        assert printed["RR@10"] == pytest.approx(float(row.rr_at_10), abs=PRINTED)
        assert printed["RR"] == pytest.approx(float(row.rr), abs=PRINTED)
    for words, value in row.options:
        assert means(evaluated(labels, run, words))["RR@10"] == pytest.approx(value, abs=PRINTED), words
        if row.error:
            assert words[0] in result.stderr, "the message names the option"
