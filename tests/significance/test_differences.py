"""Checked differences, wins and losses, and clusters as units."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.errors import UsageError
from firsthit.significance import WinsLossesTies, wins_losses_ties
from firsthit.significance.differences import settled, units
from tests.significance.samples import any_differences


def test_wins_losses_and_ties_are_counted() -> None:
    assert wins_losses_ties([0.5, -0.5, 0.0, 1.0, -0.011]) == WinsLossesTies(2, 2, 1)


def test_rounding_noise_is_a_tie() -> None:
    assert wins_losses_ties([0.1 + 0.2 - 0.3, 1e-15]) == WinsLossesTies(0, 0, 2)


def test_the_smallest_difference_of_deep_ranks_is_no_noise() -> None:
    assert wins_losses_ties([1 / 1_000_000 - 1 / 1_000_001]) == WinsLossesTies(1, 0, 0)


@given(any_differences)
def test_swapping_the_systems_swaps_wins_and_losses(differences: list[float]) -> None:
    wins, losses, ties = wins_losses_ties(differences)
    assert wins_losses_ties([-d for d in differences]) == (losses, wins, ties)
    assert wins + losses + ties == len(differences)


@pytest.mark.parametrize("wrong", [[math.nan], [math.inf, 0.0], [[0.0, 1.0]]])
def test_what_is_no_row_of_finite_numbers_is_refused(wrong: object) -> None:
    with pytest.raises(UsageError, match="one row of finite numbers"):
        settled(wrong)  # type: ignore[arg-type]


def test_the_array_given_is_left_alone() -> None:
    given_array = np.array([1e-17, 0.5])
    settled(given_array)
    assert given_array.tolist() == [1e-17, 0.5]


def test_clusters_are_summed_and_queries_without_one_stand_alone() -> None:
    made = units([0.5, 0.25, -1.0, 0.125, 0.5], ["a", "b", "a", None, None])
    assert made.sums.tolist() == [-0.5, 0.25, 0.125, 0.5]
    assert made.sizes.tolist() == [2.0, 1.0, 1.0, 1.0]
    assert made.mean == 0.375 / 5


def test_a_cluster_that_cancels_out_is_zero() -> None:
    assert units([0.1, 0.2, -0.3], ["a", "a", "a"]).sums.tolist() == [0.0]


def test_one_cluster_label_is_needed_for_each_query() -> None:
    with pytest.raises(UsageError, match="2 differences and 1 cluster label"):
        units([0.5, 0.5], ["a"])


@given(any_differences, st.randoms(use_true_random=False))
def test_the_mean_is_the_same_in_any_order(differences: list[float], random: object) -> None:
    shuffled = sorted(differences, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert units(differences).mean == units(shuffled).mean or not differences
