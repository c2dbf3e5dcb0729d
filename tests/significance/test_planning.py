"""How many queries are needed, against the exact power of the t test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from firsthit.errors import UsageError
from firsthit.significance import needed_queries
from tests.significance.samples import realistic


def power_of(number: int, difference: float, deviation: float) -> float:
    """The power of the two-sided paired t test at 5%, from the noncentral t law."""
    reach = float(stats.t.ppf(0.975, number - 1))
    away = difference / deviation * math.sqrt(number)
    return float(stats.nct.sf(reach, number - 1, away) + stats.nct.cdf(-reach, number - 1, away))


@pytest.mark.parametrize("difference", [0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("tied", [0.3, 0.7])
def test_the_power_is_what_was_asked_for(difference: float, tied: float) -> None:
    """The formula takes the alternative as a shifted t law, which is right within a hundredth."""
    differences = realistic(200, seed=3, tied=tied)
    number = needed_queries(differences, difference)
    assert number is not None
    assert power_of(number, difference, float(differences.std(ddof=1))) == pytest.approx(0.8, abs=0.015)


def test_only_the_spread_counts_never_the_observed_difference() -> None:
    differences = realistic(100, seed=1, tied=0.0) / 4
    assert needed_queries(differences, 0.05) == needed_queries(differences + 0.25, 0.05)


def test_smaller_differences_and_more_power_need_more() -> None:
    differences = realistic(100, seed=1)
    numbers = [needed_queries(differences, size) or 0 for size in (0.2, 0.1, 0.05, 0.01)]
    assert numbers == sorted(numbers)
    assert (needed_queries(differences, 0.05, power=0.95) or 0) > numbers[2]


def test_few_nonzero_differences_are_padded_and_err_wide() -> None:
    """Of 62 equal queries and the two added, the sd is sqrt(2 / 63); (2.8 sd / 0.1)^2 is 25, by t 27."""
    assert needed_queries(np.zeros(62), 0.1) == 27


def test_there_is_no_answer_without_queries() -> None:
    assert needed_queries([], 0.05) is None


@pytest.mark.parametrize("difference", [0.0, -0.1, math.nan])
def test_a_difference_to_plan_for_is_positive(difference: float) -> None:
    with pytest.raises(UsageError, match="above 0"):
        needed_queries([0.5, 0.0], difference)
