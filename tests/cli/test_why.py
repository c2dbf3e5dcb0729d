"""`firsthit why`, through its runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit.cli.commands import commands


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with a tie at the top, in which ir_measures puts the other document first."""
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "tied.run").write_text("q1 Q0 a 1 1.0 t\nq1 Q0 z 2 1.0 t\nq2 Q0 b 1 1.0 t\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def why(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["why", "qrels.txt", "tied.run", *arguments], prog_name="firsthit")


def test_the_queries_that_differ_and_the_rule_are_listed() -> None:
    result = why("--against", "ir_measures")
    assert result.exit_code == 0
    words, table = result.stdout.split("\n\n")
    assert words.splitlines()[0] == "mean RR@10: 0.7500 by firsthit's rules, 1.0000 by those of ir_measures"
    assert table == (
        "query_id  firsthit  ir_measures  because\nq1          0.5000       1.0000  ties=docid-asc\n"
    )


def test_no_difference_is_said() -> None:
    result = why("--against", "trec_eval")
    assert result.exit_code == 0
    assert "no query differs" in result.stdout


def test_a_data_format_holds_the_rows_only() -> None:
    assert why("--against", "ir_measures", "--format", "csv").stdout == (
        "query_id,firsthit,ir_measures,because\nq1,0.5,1.0,ties=docid-asc\n"
    )


def test_json_holds_the_whole_report() -> None:
    found = json.loads(why("--against", "ir_measures", "--format", "json").stdout)
    assert found["queries"] == [{"query_id": "q1", "here": 0.5, "there": 1.0, "because": "ties=docid-asc"}]
    assert found["means"] == [0.75, 1.0]


def test_rules_given_count_on_firsthit_s_side() -> None:
    assert "no query differs" in why("--against", "ir_measures", "--ties", "docid-asc").stdout


def test_the_other_tool_must_be_named() -> None:
    result = why()
    assert result.exit_code == 2
    assert "--against" in result.stderr


def test_an_unknown_tool_is_refused_with_the_known_ones() -> None:
    result = why("--against", "nobody")
    assert result.exit_code == 2
    assert "msmarco" in result.stderr


def test_an_unknown_measure_is_wrong_use() -> None:
    assert why("--against", "msmarco", "-m", "nope").exit_code == 2


def test_input_that_neither_side_can_read_is_an_error(folder: Path) -> None:
    (folder / "tied.run").unlink()
    result = why("--against", "trec_eval")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: tied.run")


def test_input_that_one_side_refuses_is_explained(folder: Path) -> None:
    (folder / "tied.run").write_text("q1 Q0 z 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 z 3 1 t\n")
    result = why("--against", "msmarco")
    assert result.exit_code == 0
    assert "duplicates" in result.stdout
