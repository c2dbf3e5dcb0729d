"""Every value that independent tools computed on real runs: each row is compared, none is passed over.

The tables come with the test data. A row gives a measure, a query or `all`, a run and options: none is
trec_eval 9.0.8 as it comes (32-bit scores, absent queries left out), `-c` is trec_eval 10.0 with `-c`, which
are firsthit's default rules, and `-l N` is the threshold `rel=N`.
"""

from __future__ import annotations

import csv
import gzip
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firsthit import Evaluation, InputError, evaluate

LABELS = {
    "adi": "qrels.txt",
    "arxiv_tiny": "qrels.tsv",
    "beir_trec_covid": "qrels.trec-covid.test.txt.gz",
    "cacm": "qrels.cacm.txt",
    "cranfield": "qrels.txt",
    "dl19_passage": "qrels.dl19-passage.txt",
    "dl21_passage": "qrels.dl21-passage.txt",
    "ir_measures_tests": "compat.qrels",
    "msmarco_doc_dev": "qrels.msmarco-doc.dev.txt",
    "robust03": "qrels.robust03.txt.gz",
    "scifact_runs": "qrels.test.txt",
    "trec_covid_missing_queries": "qrels.covid-round2.txt",
    "trec_covid_r1": "qrels-rnd1.txt",
    "trec_eval_selftest": "qrels.test",
    "trectools_tiny": "qrel1.txt",
}
"""The labels of each set that has expected values."""

ROWS = {
    "adi": 1932,
    "arxiv_tiny": 240,
    "beir_trec_covid": 2034,
    "cacm": 3520,
    "cranfield": 23624,
    "dl19_passage": 8218,
    "dl21_passage": 4302,
    "ir_measures_tests": 54,
    "msmarco_doc_dev": 15649,
    "robust03": 5312,
    "scifact_runs": 7856,
    "trec_covid_missing_queries": 1746,
    "trec_covid_r1": 6688,
    "trec_eval_selftest": 160,
    "trectools_tiny": 346,
}
"""How many rows of trec_eval each set has: all are compared."""

NOT_COPIED = {"cranfield": 4, "dl19_passage": 7, "dl21_passage": 3, "trec_covid_r1": 8}
"""The rows with `num_rel` of `all` under `-c -l N`: trec_eval counts grades of at least 1 there, not N."""

OPPOSED = [("trec_covid_r1", "ERST_NARRATIVE"), ("trec_covid_r1", "ERST_QUESTION")]
"""The runs whose ranks oppose their scores: trec_eval goes by the scores, firsthit asks."""

DIGITS = 1e-9
"""The tables print 12 decimals, and trec_eval adds in another order."""

Row = dict[str, str]


@cache
def table(path: Path) -> list[Row]:
    """The rows of a table, plain or compressed."""
    content = path.read_bytes()
    lines = (gzip.decompress(content) if path.suffix == ".gz" else content).decode().splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def table_of(folder: Path, name: str) -> list[Row]:
    """The table of this name in a folder, however it is stored."""
    (path,) = folder.glob(f"{name}*")
    return table(path)


def grouped(rows: Iterable[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    """The rows by the values of some columns."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in columns)].append(row)
    return groups


def evaluated(folder: Path, run: str, rows: list[Row], **options: Any) -> Evaluation:
    """The measures of these rows on a run."""
    measures = list(dict.fromkeys(row["measure"] for row in rows if row["measure"] != "num_q"))
    if (folder.name, run) in OPPOSED:
        options["order"] = "score"
    return evaluate(folder / LABELS[folder.name], path_of(folder, run), measures, **options)


def path_of(folder: Path, run: str) -> Path:
    """Where a run is stored, plain or compressed."""
    return folder / run if (folder / run).exists() else folder / f"{run}.gz"


def trec_eval_rules(options: str) -> dict[str, Any]:
    """What trec_eval's options are here: `-c` the default rules, without it trec_eval9's, `-l N` rel=N."""
    words = options.split()
    rules: dict[str, Any] = {} if "-c" in words else {"compat": "trec_eval9"}
    return rules | ({"rel": float(words[words.index("-l") + 1])} if "-l" in words else {})


class Values:
    """The values of an evaluation as a table's rows ask for them."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.place = {query: place for place, query in enumerate(evaluation.query_ids)}

    def of(self, row: Row) -> float:
        """The value that belongs to a row; NaN for a query that is in no mean."""
        if row["measure"] == "num_q":
            return float(np.sum(self.evaluation.counted))
        if row["query"] == "all":
            return self.evaluation.mean(row["measure"])
        return float(self.evaluation[row["measure"]][self.place[row["query"]]])


def differences(values: Values, rows: list[Row], column: str) -> list[tuple[str, str, float, float]]:
    """The rows whose value differs."""
    found = ((row, values.of(row), float(row[column])) for row in rows)
    return [
        (row["measure"], row["query"], mine, theirs)
        for row, mine, theirs in found
        if not math.isclose(mine, theirs, rel_tol=0, abs_tol=DIGITS)
    ]


def not_copied(row: Row) -> bool:
    """Whether a row is one of NOT_COPIED."""
    words = row["options"].split()
    return row["measure"] == "num_rel" and row["query"] == "all" and {"-c", "-l"} <= set(words)


def test_every_set_with_expected_values_is_listed(test_data: Path) -> None:
    found = {path.parent.name for path in test_data.glob("*/expected_trec_eval.tsv*")}
    assert found == set(LABELS) == set(ROWS)
    assert sum(NOT_COPIED.values()) == 22


@pytest.mark.parametrize("name", LABELS)
def test_all_values_of_trec_eval_are_reproduced(test_data: Path, name: str) -> None:
    rows = table_of(test_data / name, "expected_trec_eval.tsv")
    assert len(rows) == ROWS[name]
    different, compared = [], Counter[str]()
    for (run, options), part in grouped(rows, "run", "options").items():
        copied = [row for row in part if not not_copied(row)]
        values = Values(evaluated(test_data / name, run, part, **trec_eval_rules(options)))
        different += [(run, options, *found) for found in differences(values, copied, "value_12dp")]
        compared.update(compared=len(copied), left=len(part) - len(copied))
    assert different == []
    assert compared["left"] == NOT_COPIED.get(name, 0)
    assert compared["compared"] == ROWS[name] - compared["left"]


@pytest.mark.parametrize("name", NOT_COPIED)
def test_num_rel_counts_the_threshold_where_trec_eval_does_not(test_data: Path, name: str) -> None:
    rows = [row for row in table_of(test_data / name, "expected_trec_eval.tsv") if not_copied(row)]
    for row in rows:
        values = Values(evaluated(test_data / name, row["run"], [row], **trec_eval_rules(row["options"])))
        at_1 = Values(evaluated(test_data / name, row["run"], [row]))
        assert at_1.of(row) == float(row["value_12dp"]) > values.of(row)


@pytest.mark.parametrize("name", LABELS)
def test_all_values_of_ir_measures_are_reproduced_under_its_profile(test_data: Path, name: str) -> None:
    rows = [
        row for row in table_of(test_data / name, "expected_other_tools.tsv") if row["tool"] == "ir_measures"
    ]
    different = []
    for (run,), part in grouped(rows, "run").items():
        values = Values(evaluated(test_data / name, run, part, compat="ir_measures"))
        different += [(run, *found) for found in differences(values, part, "value")]
    assert rows
    assert different == []


@pytest.mark.parametrize("name", LABELS)
def test_where_no_tie_decides_all_tools_agree_under_the_default_rules(test_data: Path, name: str) -> None:
    rows = [
        row
        for row in table_of(test_data / name, "expected_other_tools.tsv")
        if row["measure"] in ("RR@10", "mrr@10") and row["query"] != "all"
    ]
    different, undecided = [], 0
    for (run,), part in grouped(rows, "run").items():
        evaluation = evaluated(test_data / name, run, part)
        worst, _, best = evaluation.ties["RR@10"]
        undecided += worst != best
        if worst == best:
            different += [(run, *found) for found in differences(Values(evaluation), part, "value")]
    assert different == []
    assert undecided < len(grouped(rows, "run"))


@pytest.mark.parametrize(("name", "run"), OPPOSED)
def test_a_run_whose_ranks_oppose_its_scores_is_not_read_without_being_told(
    test_data: Path, name: str, run: str
) -> None:
    with pytest.raises(InputError, match="--order rank or --order score"):
        evaluate(test_data / name / LABELS[name], path_of(test_data / name, run), ["RR@10"])


def test_a_run_that_trec_eval_refuses_for_duplicates_is_refused_with_both_lines(test_data: Path) -> None:
    folder = test_data / "scifact_runs"
    run = folder / "results_hybrid.txt"
    assert not any(row["run"] == run.name for row in table_of(folder, "expected_trec_eval.tsv"))
    with pytest.raises(InputError, match=r"first on line") as refused:
        evaluate(folder / LABELS[folder.name], run, ["RR@10"], order="score")
    assert refused.value.total == 12_872
    best = evaluate(folder / LABELS[folder.name], run, ["RR@10"], order="score", duplicates="best")
    assert best.counted.sum() == 300


BEYOND_TREC_EVAL = {
    ("dl19_passage", "run.bm25.dl19.txt"): {
        "RBP(p=0.8)": 0.6434379033965306,
        "RBP(p=0.5,rel=2)": 0.5194065218157793,
        "Judged@10": 1.0,
        "Judged@100": 0.5248837209302325,
        "nDCG(dcg='exp-log2')@10": 0.4363637,
        "nDCG(dcg='exp-log2')@20": 0.4398533,
        "ERR@10": 0.3177279,
        "ERR@20": 0.3258295,
    },
    ("cacm", "run.anserini_bm25.txt"): {
        "RBP(p=0.8)": 0.34654369244045014,
        "Judged@10": 0.3153846153846154,
        "Judged@100": 0.19423076923076923,
        "nDCG(dcg='exp-log2')@10": 0.4542815,
        "ERR@10": 0.0713021,
        "ERR@20": 0.0762812,
    },
    ("trec_covid_r1", "RMITBFuseM2"): {
        "RBP(p=0.8)": 0.5053391252614768,
        "RBP(p=0.5,rel=2)": 0.3412848994192501,
        "Judged@10": 0.68,
        "Judged@100": 0.375,
        "nDCG(dcg='exp-log2')@10": 0.3703280,
        "nDCG(dcg='exp-log2')@20": 0.3328053,
        "ERR@10": 0.1800920,
        "ERR@20": 0.1908987,
    },
}
"""Means by ir_measures 0.4.3: RBP by cwl-eval 1.0.12, Judged its own, nDCG and ERR by gdeval."""

GDEVAL_DIGITS = 1e-6
"""gdeval prints the value of a query with 5 decimals: means of 30 to 52 of these are within about 1e-6."""


@pytest.mark.parametrize(("name", "run"), BEYOND_TREC_EVAL)
def test_measures_that_trec_eval_lacks_equal_other_tools(test_data: Path, name: str, run: str) -> None:
    means = BEYOND_TREC_EVAL[name, run]
    evaluation = evaluate(test_data / name / LABELS[name], path_of(test_data / name, run), list(means))
    for measure, mean in means.items():
        digits = GDEVAL_DIGITS if measure.startswith(("nDCG", "ERR")) else DIGITS
        assert evaluation.mean(measure) == pytest.approx(mean, abs=digits)
