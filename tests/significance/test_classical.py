"""Paired t, Wilcoxon and sign test against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from firsthit.significance import interval, paired_t, sign_test, wilcoxon
from tests.significance.samples import any_differences, realistic

SAMPLES = [
    realistic(number, seed=number + round(10 * tied), tied=tied)
    for number in (8, 30, 200, 6980)
    for tied in (0.2, 0.7)
]


@pytest.mark.parametrize("differences", SAMPLES, ids=len)
def test_paired_t_is_scipys(differences: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    assert paired_t(differences) == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-10)


@pytest.mark.parametrize("differences", SAMPLES, ids=len)
def test_sign_test_is_scipys(differences: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    assert sign_test(differences) == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)


@pytest.mark.parametrize("differences", SAMPLES, ids=len)
def test_wilcoxon_is_scipys_on_rounded_differences(
    differences: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    rounded = np.round(differences, 10)
    assert wilcoxon(differences) == pytest.approx(stats.wilcoxon(rounded[rounded != 0]).pvalue, rel=1e-12)


def test_equal_differences_of_ranks_share_a_rank() -> None:
    """1/2 - 1/3 and 2/3 - 1/2 differ in the last digit; both stand for a sixth."""
    split, shared = [1 / 2 - 1 / 3, -(2 / 3 - 1 / 2), 1.0, 0.5, 0.25], [1 / 6, -1 / 6, 1.0, 0.5, 0.25]
    assert split[0] != -split[1]
    assert wilcoxon(split) == wilcoxon(shared)


def test_a_sign_test_worked_by_hand() -> None:
    """Six wins and one loss of seven: 2 (1 + 7) / 128."""
    assert sign_test([0.5] * 6 + [-0.1] + [0.0] * 20) == pytest.approx(16 / 128, rel=1e-12)


def test_as_many_wins_as_losses_give_one() -> None:
    assert sign_test([0.5, -0.5, 0.25, -0.25]) == 1.0


@pytest.mark.parametrize("differences", [[], [0.0], [0.0] * 40])
def test_without_a_nonzero_difference_there_is_no_p(differences: list[float]) -> None:
    assert (paired_t(differences), wilcoxon(differences), sign_test(differences)) == (None, None, None)


@pytest.mark.parametrize("differences", [[0.5], [0.25] * 12])
def test_without_spread_there_is_no_t(differences: list[float]) -> None:
    assert paired_t(differences) is None


@given(any_differences)
def test_swapping_the_systems_changes_no_p(differences: list[float]) -> None:
    swapped = [-d for d in differences]
    assert paired_t(differences) == paired_t(swapped)
    assert sign_test(differences) == sign_test(swapped)
    assert paired_t(differences) == paired_t(differences[::-1])


def test_paraphrases_add_no_evidence() -> None:
    differences = realistic(40, seed=2, tied=0.3)
    repeated, labels = np.repeat(differences, 3), np.repeat(np.arange(40), 3).tolist()
    assert paired_t(repeated, clusters=labels) == pytest.approx(paired_t(differences), rel=1e-10)
    assert (paired_t(repeated) or 1.0) < (paired_t(differences) or 0.0)


@given(any_differences.filter(lambda d: len(d) > 5))
def test_t_agrees_with_its_interval(differences: list[float]) -> None:
    """p < 0.05 where the interval, neither padded nor clipped, excludes 0."""
    labels = [position // 2 for position in range(len(differences))]
    p, made = paired_t(differences, clusters=labels), interval(differences, low=-9, high=9, clusters=labels)
    if p is not None and not made.padded and abs(p - 0.05) > 1e-9:
        assert (p < 0.05) == made.excludes(0)
