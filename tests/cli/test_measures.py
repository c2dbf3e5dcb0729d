"""`firsthit measures`, through its runner."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from firsthit.cli.commands import commands
from firsthit.measures import DEFAULT_MEASURES, MEASURES


def measures(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["measures", *arguments], prog_name="firsthit")


def test_every_measure_is_listed_with_its_meaning_and_other_names() -> None:
    words = " ".join(measures().stdout.split())
    for definition in MEASURES.values():
        assert f"{definition.name} {definition.summary}" in words
        assert all(alias in words for alias in definition.aliases)
    assert " ".join(DEFAULT_MEASURES) in words


@pytest.mark.parametrize("name", [*MEASURES, "mrr", "recip_rank", "RR@10"])
def test_one_measure_is_explained(name: str) -> None:
    result = measures(name)
    assert result.exit_code == 0
    assert "Formula:" in result.stdout


def test_formula_and_reading_start_on_lines_of_their_own() -> None:
    starts = [line.partition(":")[0] for line in measures("RR").stdout.splitlines()]
    assert [start for start in starts if start in ("Formula", "Reading", "Limits", "Source")] == [
        *("Formula", "Reading", "Limits", "Source")
    ]


def test_an_unknown_measure_is_refused_with_the_nearest() -> None:
    result = measures("nDCX")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nearest: nDCG" in result.stderr


@pytest.mark.parametrize("output_format", ["json", "jsonl", "csv", "tsv", "markdown"])
def test_the_list_in_every_format(output_format: str) -> None:
    text = measures("--format", output_format).stdout
    assert all(name in text for name in MEASURES)


def test_json_names_what_each_measure_is_called() -> None:
    first = json.loads(measures("--format", "json").stdout)["measures"][0]
    assert first["measure"] == "RR"
    assert first["default"] == ["RR@10"]
    assert "MRR" in first["also_understood"]
