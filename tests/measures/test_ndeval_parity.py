"""Measures over needs on the diversity labels of the Web track, against what ir_measures prints for them.

The runs in `ndeval/` were made with a seed from these labels: one with many ties, one that is good and lacks
two queries, one that is poor. `expected_ir_measures.tsv` holds the values of ir_measures 0.4.3 with pyndeval
0.0.8, which computes them with ndeval.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from firsthit import evaluate
from firsthit.cli.commands import commands

HERE = Path(__file__).parent / "ndeval"
LABELS = "qrels_only/qrels.web.201-250.ndeval.txt.gz"
RUNS = ("ties.run", "good.run", "poor.run")

Expected = dict[str, dict[str, float]]


def expected(run: str) -> Expected:
    """The values of a run: {measure: {query_id: value}}."""
    found: Expected = defaultdict(dict)
    with (HERE / "expected_ir_measures.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["run"] == run:
                found[row["measure"]][row["query_id"]] = float(row["value"])
    return found


@pytest.mark.parametrize("run", RUNS)
def test_every_value_is_that_of_ir_measures(run: str, test_data: Path) -> None:
    values = expected(run)
    found = evaluate(test_data / LABELS, HERE / run, list(values), needs="iter", compat="ir_measures")
    for measure, by_query in values.items():
        ours = dict(zip(found.query_ids, found[measure].tolist(), strict=True))
        assert ours == pytest.approx(by_query, abs=1e-12), measure
    assert found.counts["absent"] == (2 if run == "good.run" else 0)


def test_the_command_line_gives_the_same_values(test_data: Path) -> None:
    values = expected("ties.run")
    arguments = ["eval", str(test_data / LABELS), str(HERE / "ties.run"), "--needs", "iter"]
    asked = [part for measure in values for part in ("-m", measure)]
    options = ["--compat", "ir_measures", "--per-query", "--format", "jsonl"]
    result = CliRunner().invoke(commands, [*arguments, *asked, *options])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    names = dict(zip(values, rows[0]["values"], strict=True))
    for measure, by_query in values.items():
        shown = {row["query_id"]: row["values"][names[measure]] for row in rows}
        assert shown == pytest.approx(by_query, abs=1e-12)


def test_the_need_0_counts_as_any_other(test_data: Path, tmp_path: Path) -> None:
    lines = gzip.decompress((test_data / LABELS).read_bytes()).decode().splitlines(keepends=True)
    renamed, without = tmp_path / "renamed.txt", tmp_path / "without.txt"
    renamed.write_text("".join(line.replace(" 0 ", " zero ", 1) for line in lines))
    without.write_text("".join(line for line in lines if line.split()[1] != "0"))
    measures = ["StRecall@10", "alpha_nDCG@10", "ERR_IA@10"]
    given, other, fewer = (
        evaluate(labels, HERE / "poor.run", measures, needs="iter", compat="ir_measures")
        for labels in (test_data / LABELS, renamed, without)
    )
    for measure in measures:
        assert given[measure].tolist() == other[measure].tolist()
        assert given[measure].tolist() != fewer[measure].tolist()


def test_only_the_order_of_ties_is_between_the_profile_and_the_defaults(test_data: Path) -> None:
    both = [
        evaluate(test_data / LABELS, HERE / run, ["alpha_nDCG@10"], needs="iter", compat=compat).mean(
            "alpha_nDCG@10"
        )
        for run in ("ties.run", "good.run")
        for compat in ("ir_measures", None)
    ]
    assert both[0] != both[1]
    assert both[2] == pytest.approx(both[3], abs=0.01)
