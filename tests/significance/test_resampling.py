"""Resampled means: both ways of drawing have the law of the bootstrap."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from firsthit.significance.differences import Units, units
from firsthit.significance.resampling import NUMBERS, resampled_means
from tests.significance.samples import realistic

RESAMPLES = 20_000


@pytest.mark.parametrize("number", [12, 100], ids=["one by one", "by counts"])
def test_the_share_of_hits_is_binomial(number: int) -> None:
    """A resample of hits and misses holds a binomial number of hits: a chi-square test, at 1 in 1,000."""
    hits = np.arange(number) < number // 4
    drawn = np.rint(resampled_means(units(hits.astype(float)), seed=2, resamples=RESAMPLES) * number)
    counts = np.bincount(drawn.astype(int), minlength=number + 1)
    wanted = stats.binom.pmf(np.arange(number + 1), number, (number // 4) / number) * RESAMPLES
    usual = wanted >= 5
    observed = np.append(counts[usual], counts[~usual].sum())
    expected = np.append(wanted[usual], wanted[~usual].sum())
    assert stats.chisquare(observed, expected).pvalue > 0.001


def test_lumpy_and_spread_values_draw_the_same_law() -> None:
    """Values pulled apart by a millionth cannot be counted, and are drawn one by one instead."""
    differences = realistic(2000, seed=1)
    apart = differences + np.linspace(0, 1e-6, 2000)
    lumpy = resampled_means(units(differences), seed=0, resamples=RESAMPLES)
    spread = resampled_means(units(apart), seed=0, resamples=RESAMPLES)
    assert stats.ks_2samp(lumpy, spread).pvalue > 0.001


@pytest.mark.parametrize("number", [40, 2000], ids=["one by one", "by counts"])
def test_mean_and_spread_of_the_means_are_the_bootstraps(number: int) -> None:
    differences = realistic(number, seed=3)
    means = resampled_means(units(differences), seed=1, resamples=RESAMPLES)
    error = float(differences.std()) / math.sqrt(number)
    assert means.mean() == pytest.approx(differences.mean(), abs=4 * error / math.sqrt(RESAMPLES))
    assert means.std() == pytest.approx(error, rel=4 / math.sqrt(2 * RESAMPLES))


def test_clusters_are_drawn_whole() -> None:
    """Two clusters, one of three queries: a resample is one of them twice, or both."""
    means = resampled_means(Units(np.array([3.0, 0.0]), np.array([3.0, 1.0])), seed=0, resamples=200)
    assert set(means.tolist()) == {0.0, 0.75, 1.0}


def test_more_resamples_than_fit_at_once_are_all_drawn() -> None:
    values = np.arange(2000) / 2000
    resamples = NUMBERS // 2000 + 7
    assert len(resampled_means(units(values), seed=0, resamples=resamples)) == resamples


def test_draws_are_the_same_on_every_machine() -> None:
    """What was once drawn; it may change only with a note in the changelog."""
    by_counts = resampled_means(units([0.0] * 60 + [0.5] * 25 + [1.0] * 15), seed=7, resamples=4)
    one_by_one = resampled_means(units([i / 16 for i in range(16)]), seed=7, resamples=4)
    assert by_counts.tolist() == BY_COUNTS
    assert one_by_one.tolist() == ONE_BY_ONE


BY_COUNTS = [0.27, 0.3, 0.265, 0.27]
ONE_BY_ONE = [0.421875, 0.4609375, 0.37890625, 0.5078125]
