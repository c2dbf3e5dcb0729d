"""Over 2,000 simulated pairs a setting, the interval covers and the test errs as often as it says."""

from __future__ import annotations

import pytest

from tests.significance.simulation import Cell, cells, clustered, coverage, rejections

CELLS = list(cells())


@pytest.mark.slow
@pytest.mark.parametrize("better", [0.5, 0.65], ids=["null", "better"])
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.collection}, {cell.tied}, {cell.queries}")
def test_the_interval_covers_the_true_difference(cell: Cell, better: float) -> None:
    share = coverage(*cell.pairs(better))
    assert share >= 0.935
    assert share <= 0.965 or not cell.usual


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.collection}, {cell.tied}, {cell.queries}")
def test_a_true_null_is_rejected_as_often_as_it_should_be(cell: Cell) -> None:
    differences, _ = cell.pairs(0.5)
    share = rejections(differences)
    assert share <= 0.065
    assert share >= 0.035 or not cell.usual


@pytest.mark.slow
def test_paraphrases_of_a_need_count_once_with_clusters_and_too_often_without() -> None:
    covered, rejected, covered_without, rejected_without = clustered(60, pairs=2_000)
    assert 0.935 <= covered <= 0.965
    assert 0.035 <= rejected <= 0.065
    assert covered_without < 0.9
    assert rejected_without > 0.1
