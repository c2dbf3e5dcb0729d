"""Every paired number that SciPy and a plain NumPy program gave on real runs: each row is compared.

The tables come with the test data; their values are of trec_eval 9.0.8, so the comparisons run under that
profile and by scores. A difference there is a - b, and NEW - OLD here: a is OLD, so signs are turned.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wilcoxon

from firsthit import Evaluation, evaluate
from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison, MeasureComparison
from firsthit.measures import parse_measures
from tests.test_trec_eval_parity import LABELS, Row, grouped, path_of, table

ROWS = {
    "adi": 36,
    "arxiv_tiny": 18,
    "beir_trec_covid": 18,
    "cacm": 60,
    "cranfield": 36,
    "dl19_passage": 126,
    "dl21_passage": 18,
    "msmarco_doc_dev": 1,
    "robust03": 36,
    "scifact_runs": 6,
    "trec_covid_r1": 168,
}
"""How many rows each set has: all are compared."""

DIGITS = 1e-9
"""The tables print 12 decimals."""

FEWEST_FOR_ENDPOINTS = 30
"""Below, two seeded bootstraps of a lumpy mean may differ by a whole step."""

UNDECIDED = {"adi": 1, "cacm": 3, "trec_covid_r1": 4}
"""Rows of Success with an endpoint one step of 1/n off: the draws of the table decide which it is."""

TABLE_DRAWS = 5_000
"""How many bootstrap means the endpoints in the tables come from."""


@cache
def evaluation(folder: Path, run: str, measures: tuple[str, ...]) -> Evaluation:
    return evaluate(
        folder / LABELS[folder.name], path_of(folder, run), measures, compat="trec_eval9", order="score"
    )


def compared(folder: Path, rows: list[Row]) -> Comparison:
    """The comparison of the two runs of these rows."""
    measures = tuple(dict.fromkeys(row["measure"] for row in rows))
    old, new = (evaluation(folder, rows[0][side], measures) for side in ("run_a", "run_b"))
    return compare(old, new, common=True, interval="percentile")


def measured(comparison: Comparison, row: Row) -> MeasureComparison:
    (measure,) = parse_measures([row["measure"]])
    return comparison.means[str(measure)]


def number(row: Row, column: str) -> float:
    return float(row[column])


def rounded_wilcoxon(found: MeasureComparison) -> float | None:
    """SciPy's p on the differences rounded to 1e-10, zeros dropped: rounding noise splits no tied ranks."""
    rounded = np.round(found.differences, 10)
    rounded = rounded[rounded != 0]
    return float(wilcoxon(rounded).pvalue) if len(rounded) else None


def exact(found: MeasureComparison, row: Row) -> list[str]:
    """What differs of the numbers that do not depend on draws, in words."""
    values = {
        "queries": (found.queries, number(row, "queries")),
        "mean_a": (found.old, number(row, "mean_a")),
        "mean_b": (found.new, number(row, "mean_b")),
        "difference": (found.difference, -number(row, "mean_a_minus_b")),
        "wins": (found.wins, number(row, "wins_b")),
        "losses": (found.losses, number(row, "wins_a")),
        "ties": (found.ties, number(row, "ties")),
        "t": (found.t_p, number(row, "t_test_p_two_sided")),
        "sign": (found.sign_p, number(row, "sign_test_p_two_sided")),
        "wilcoxon": (found.wilcoxon_p, rounded_wilcoxon(found)),
    }
    return [
        f"{name}: {ours} against {theirs}"
        for name, (ours, theirs) in values.items()
        if not same(ours, theirs)
    ]


def same(ours: float | None, theirs: float | None) -> bool:
    """Whether both are no number, or the same one."""
    if ours is None or theirs is None or math.isnan(theirs):
        return ours is None and (theirs is None or math.isnan(theirs))
    return math.isclose(ours, theirs, rel_tol=0, abs_tol=DIGITS)


def loose(found: MeasureComparison, row: Row) -> list[str]:
    """What differs of the numbers that were drawn, beyond what two sets of draws can."""
    p = number(row, "randomization_p_approx_20000")
    if abs(found.p - p) > 0.01 + 4 * math.sqrt(p * (1 - p) / 20_000):
        return [f"randomization: {found.p} against {p}"]
    return [f"interval: {ours} against {theirs}" for ours, theirs, _ in wrong_ends(found, row)]


def wrong_ends(found: MeasureComparison, row: Row) -> list[tuple[float, float, float]]:
    """The endpoints that are further off than allowed: ours, the table's, and which quantile it is."""
    if found.queries < FEWEST_FOR_ENDPOINTS:
        return []
    allowed = 0.005 + 0.15 * number(row, "sd_diff") / math.sqrt(found.queries)
    ends = (
        (found.interval.low, -number(row, "bootstrap95_high_approx"), 0.025),
        (found.interval.high, -number(row, "bootstrap95_low_approx"), 0.975),
    )
    return [(ours, theirs, level) for ours, theirs, level in ends if abs(ours - theirs) > allowed]


def undecided(found: MeasureComparison, row: Row) -> bool:
    """Whether the endpoints that are off are the neighbouring step, and either step may come of 5,000 draws.

    For differences of -1, 0 and 1 the bootstrap distribution is known exactly. The quantile of a number of
    draws may fall on either step where the share up to the lower one is near the level.
    """
    ends, n = wrong_ends(found, row), found.queries
    if not ends or set(found.differences.tolist()) - {-1.0, 0.0, 1.0}:
        return False
    distribution = np.array([1.0])
    for _ in range(n):
        distribution = np.convolve(distribution, np.array([found.losses, found.ties, found.wins]) / n)
    shares = np.cumsum(distribution)

    def near(ours: float, theirs: float, level: float) -> bool:
        share = float(shares[round(min(ours, theirs) * n) + n])
        error = 4 * math.sqrt(level * (1 - level) / TABLE_DRAWS)
        return abs(ours - theirs) < 1.01 / n and abs(share - level) < error

    return all(near(*end) for end in ends)


def test_every_set_with_paired_values_is_listed(test_data: Path) -> None:
    assert {path.parent.name for path in test_data.glob("*/expected_paired.tsv*")} == set(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_all_paired_values_are_reproduced(test_data: Path, name: str) -> None:
    folder = test_data / name
    different, checked, open_ends = [], 0, 0
    for runs, rows in grouped(table(folder / "expected_paired.tsv"), "run_a", "run_b").items():
        comparison = compared(folder, rows)
        for row in rows:
            assert row["options"] == ""
            found = measured(comparison, row)
            wrong = exact(found, row)
            if undecided(found, row):
                open_ends += 1
            else:
                wrong += loose(found, row)
            different += [(*runs, row["measure"], one) for one in wrong]
            checked += 1
    assert different == []
    assert checked == ROWS[name]
    assert open_ends == UNDECIDED.get(name, 0)


def test_most_rows_have_enough_queries_for_endpoints(test_data: Path) -> None:
    rows = chain.from_iterable(table(test_data / name / "expected_paired.tsv") for name in ROWS)
    few = [row for row in rows if int(row["queries"]) < FEWEST_FOR_ENDPOINTS]
    assert len(few) == ROWS["arxiv_tiny"]
