"""Intervals: hand-worked, against SciPy, and what must hold for any differences."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from firsthit.errors import UsageError
from firsthit.significance import Interval, interval, mean_interval, percentile_interval
from firsthit.significance.differences import units
from firsthit.significance.intervals import _acceleration
from tests.significance.samples import Floats, any_differences, realistic

t_interval = partial(interval, low=-1.0, high=1.0)
"""The interval of a difference between two measures from 0 to 1."""


def ends(made: Interval) -> tuple[float, float]:
    return made.low, made.high


@pytest.mark.parametrize("number", [10, 43, 225, 6980])
def test_the_paired_t_interval_is_scipys(number: int) -> None:
    differences = realistic(number, seed=number, tied=0.3)
    theirs = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    made = t_interval(differences)
    assert ends(made) == pytest.approx((theirs.low, theirs.high), abs=1e-13)
    assert (made.method, made.padded, made.level) == ("paired t", False, 0.95)


def test_another_level_is_scipys_too() -> None:
    differences = realistic(50, seed=1, tied=0.3)
    theirs = stats.ttest_1samp(differences, 0).confidence_interval(0.9)
    assert ends(t_interval(differences, level=0.9)) == pytest.approx(tuple(theirs), abs=1e-13)


def test_five_nonzero_differences_are_padded_and_six_are_not() -> None:
    five, six = [0.5, 1.0, 0.25, 0.5, -0.5] + [0.0] * 20, [0.5, 1.0, 0.25, 0.5, -0.5, 0.1] + [0.0] * 19
    padded = stats.ttest_1samp([*five, 1.0, -1.0], 0).confidence_interval()
    assert t_interval(five).padded
    assert ends(t_interval(five)) == pytest.approx(tuple(padded), abs=1e-13)
    assert not t_interval(six).padded


def test_no_query_that_differs_worked_by_hand() -> None:
    """Ten zeros with +1 and -1: sd = sqrt(2 / 11), 12 values, t(11) = 2.200985."""
    reach = float(stats.t.ppf(0.975, 11)) * math.sqrt(2 / 11) / math.sqrt(12)
    assert ends(t_interval([0.0] * 10)) == pytest.approx((-reach, reach), abs=1e-13)


def test_the_interval_is_clipped_to_the_possible_range() -> None:
    assert ends(t_interval([1.0, -1.0, 1.0])) == (-1.0, 1.0)
    assert t_interval([0.9] * 7 + [-0.9]).high == 1.0


@pytest.mark.parametrize("differences", [[], [1.0], [0.0]])
def test_hardly_any_query_leaves_everything_possible(differences: list[float]) -> None:
    made = t_interval(differences)
    assert made.padded
    assert made.high == 1.0
    assert made.low < -0.9


def test_equal_nonzero_differences_are_padded() -> None:
    made = t_interval([0.25] * 40)
    assert made.padded
    assert made.low < 0.25 < made.high


def test_a_range_without_end_is_padded_with_the_largest_size() -> None:
    padded = stats.ttest_1samp([4.0, 0.0, 0.0, 4.0, -4.0], 0).confidence_interval()
    made = interval([4.0, 0.0, 0.0], low=-math.inf, high=math.inf)
    assert ends(made) == pytest.approx(tuple(padded), abs=1e-13)
    wide = interval([0.0] * 8, low=-math.inf, high=math.inf)
    assert ends(wide) == ends(t_interval([0.0] * 8))


@given(any_differences)
def test_it_holds_the_mean_has_a_width_and_stays_in_the_range(differences: list[float]) -> None:
    made = t_interval(differences)
    assert -1 <= made.low < made.high <= 1
    assert made.low <= (units(differences).mean if differences else 0.0) <= made.high


@given(any_differences, st.randoms(use_true_random=False))
def test_order_changes_nothing_and_swapping_negates(differences: list[float], random: object) -> None:
    shuffled = sorted(differences, key=lambda _: random.random())  # type: ignore[attr-defined]
    made = t_interval(differences)
    assert t_interval(shuffled) == made
    assert ends(t_interval([-d for d in differences])) == (-made.high, -made.low)


@given(any_differences)
def test_clusters_of_one_are_no_clusters(differences: list[float]) -> None:
    assert t_interval(differences, clusters=range(len(differences))) == t_interval(differences)


def test_repeating_every_query_in_its_cluster_gains_nothing() -> None:
    differences = realistic(40, seed=2, tied=0.3)
    repeated = t_interval(np.repeat(differences, 3), clusters=np.repeat(np.arange(40), 3).tolist())
    assert ends(repeated) == pytest.approx(ends(t_interval(differences)), abs=1e-13)
    assert t_interval(np.repeat(differences, 3)).high < repeated.high


def test_clusters_of_unequal_size_worked_by_hand() -> None:
    """The error of a ratio of sums: residuals (sum - mean * size), G / (G - 1) of their squares, over n."""
    differences = [0.5, 0.25, -0.5, 0.5, 0.75, 0.25, 0.5]
    made = interval(differences, low=-9, high=9, clusters=["a", "a", "b", "c", "d", "e", "f"])
    mean = 2.25 / 7
    squares = (0.75 - 2 * mean) ** 2 + sum((d - mean) ** 2 for d in (-0.5, 0.5, 0.75, 0.25, 0.5))
    reach = float(stats.t.ppf(0.975, 5)) * math.sqrt(6 / 5 * squares) / 7
    assert ends(made) == pytest.approx((mean - reach, mean + reach), abs=1e-13)


def test_whether_a_value_lies_outside() -> None:
    made = Interval(-0.5, 0.25, "paired t", False, 0.95)
    assert [made.excludes(value) for value in (-0.6, -0.5, 0.0, 0.25, 0.3)] == [
        True,
        False,
        False,
        False,
        True,
    ]


# The percentile bootstrap.


@pytest.mark.parametrize(("number", "seed"), [(30, 0), (225, 1), (6980, 2)])
def test_percentile_ends_agree_with_scipys(number: int, seed: int) -> None:
    """Both draw 10,000: an end has a standard error of about 2.7 hundredths of the mean's; 4 of both."""
    differences = realistic(number, seed=seed)
    theirs = stats.bootstrap(
        (differences,), np.mean, n_resamples=10_000, method="percentile", batch=200, rng=seed
    ).confidence_interval
    tolerance = 4 * math.sqrt(2) * 0.027 * float(differences.std()) / math.sqrt(number)
    made = percentile_interval(differences, seed=0)
    assert ends(made) == pytest.approx((theirs.low, theirs.high), abs=tolerance)
    assert (made.method, made.padded) == ("percentile bootstrap", False)


@given(any_differences.filter(bool), st.randoms(use_true_random=False))
def test_percentile_order_changes_nothing_and_swapping_negates(
    differences: list[float], random: object
) -> None:
    shuffled = sorted(differences, key=lambda _: random.random())  # type: ignore[attr-defined]
    made = percentile_interval(differences, seed=3, resamples=50)
    assert percentile_interval(shuffled, seed=3, resamples=50) == made
    swapped = percentile_interval([-d for d in differences], seed=3, resamples=50)
    assert ends(swapped) == (-made.high, -made.low)


def test_percentile_swapping_negates_lumpy_differences() -> None:
    differences = realistic(2000, seed=9)
    made, swapped = (percentile_interval(d, seed=1) for d in (differences, -differences))
    assert ends(swapped) == (-made.high, -made.low)


def test_percentile_of_equal_differences_has_no_width() -> None:
    assert ends(percentile_interval([0.0] * 30, seed=0)) == (0.0, 0.0)


def test_percentile_needs_a_query() -> None:
    with pytest.raises(UsageError, match="needs at least one query"):
        percentile_interval([], seed=0)


def test_percentile_resamples_whole_clusters() -> None:
    differences = realistic(60, seed=2, tied=0.3)
    alone = percentile_interval(differences, seed=0)
    repeated = percentile_interval(
        np.repeat(differences, 3), seed=0, clusters=np.repeat(np.arange(60), 3).tolist()
    )
    assert ends(repeated) == pytest.approx(ends(alone), abs=1e-12)


# The interval of a single mean.


def reciprocal_ranks(number: int, seed: int) -> Floats:
    return np.abs(realistic(number, seed=seed, tied=0.3))


@pytest.mark.parametrize(("number", "seed"), [(20, 0), (43, 1), (225, 2), (3000, 3)])
def test_bca_ends_agree_with_scipys(number: int, seed: int) -> None:
    """Both draw 10,000, and BCa's own bias estimate is drawn too: 6 standard errors of an end."""
    values = reciprocal_ranks(number, seed)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="BCa", batch=200, rng=seed
    ).confidence_interval
    tolerance = 6 * math.sqrt(2) * 0.027 * float(values.std()) / math.sqrt(number)
    made = mean_interval(values, low=0, high=1, seed=0)
    assert ends(made) == pytest.approx((theirs.low, theirs.high), abs=tolerance)
    assert (made.method, made.padded) == ("BCa bootstrap", False)


def test_the_acceleration_is_the_jackknifes() -> None:
    values = reciprocal_ranks(300, 5)
    left_out = np.array([np.delete(values, i).mean() for i in range(len(values))])
    away = left_out.mean() - left_out
    assert _acceleration(units(values)) == pytest.approx(
        (away**3).sum() / (6 * (away**2).sum() ** 1.5), rel=1e-9
    )


def test_bca_leans_to_the_long_tail() -> None:
    """Values with a long upper tail: the upper arm is longer than the lower."""
    values = np.array([0.1] * 60 + [1.0] * 4)
    made = mean_interval(values, low=0, high=1, seed=0)
    assert made.high - values.mean() > values.mean() - made.low


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_equal_values_are_padded_with_the_ends_of_the_range(value: float) -> None:
    made = mean_interval([value] * 25, low=0, high=1, seed=0)
    theirs = stats.ttest_1samp([value] * 25 + [0.0, 1.0], 0).confidence_interval()
    assert made.padded
    assert ends(made) == pytest.approx((max(theirs.low, 0), min(theirs.high, 1)), abs=1e-13)


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_a_single_mean_has_a_width_in_any_order(values: list[float], random: object) -> None:
    shuffled = sorted(values, key=lambda _: random.random())  # type: ignore[attr-defined]
    made = mean_interval(values, low=0, high=1, seed=4, resamples=200)
    assert mean_interval(shuffled, low=0, high=1, seed=4, resamples=200) == made
    assert 0 <= made.low < made.high <= 1
