"""The sign-flip test against all patterns written out, SciPy, exact laws, and its invariances."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from firsthit.significance import SignFlip, sign_flip
from firsthit.significance.flips import (
    BATCH,
    _byte_tables,
    _drawn_signs,
    _runs,
    _sums_by_bytes,
    _sums_by_runs,
)
from tests.significance.samples import any_differences, realistic, reciprocal_differences


def written_out(differences: list[float]) -> float:
    """The exact p, pattern by pattern, zeros and all."""
    limit = abs(math.fsum(differences)) - 1e-12 * math.fsum(abs(d) for d in differences)
    sums = [
        abs(math.fsum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    return sum(total >= limit for total in sums) / len(sums)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([], 1.0),
        ([0.0, 0.0], 1.0),
        ([0.5], 1.0),
        ([0.5, 0.5], 0.5),
        ([0.5, -0.5], 1.0),
        ([1.0, 0.5, 0.25], 0.25),
        ([1.0, 0.5, -0.25], 0.5),
        ([0.5] * 6, 2 / 64),
        ([0.1, 0.2, -0.3], 1.0),
    ],
)
def test_cases_worked_by_hand(differences: list[float], p: float) -> None:
    assert sign_flip(differences, seed=0).p == p


def test_three_alike_of_four_can_be_counted() -> None:
    """Sums of four halves: 2 (1 pattern), 1 (4), 0 (6), and their negatives; 1 is observed."""
    assert sign_flip([0.5, 0.5, 0.5, -0.5, 0.0], seed=0) == SignFlip(10 / 16, True, 16, 4, 2 / 16)


@given(st.one_of(reciprocal_differences, any_differences).map(lambda d: d[:11]))
def test_few_differences_equal_all_patterns_written_out(differences: list[float]) -> None:
    kept = [d for d in differences if abs(d) > 1e-9]
    assert sign_flip(kept, seed=0).p == written_out(kept)


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_p_is_scipys(seed: int) -> None:
    differences = realistic(25, seed=seed, tied=0.5)
    ours = sign_flip(differences, seed=0)
    theirs = stats.permutation_test(
        (differences[differences != 0],), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert ours.exact
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_twenty_are_exact_and_twenty_one_are_drawn() -> None:
    assert sign_flip([0.5] * 20, seed=0) == SignFlip(2 / 2**20, True, 2**20, 20, 2 / 2**20)
    drawn = sign_flip([0.5] * 21, seed=0)
    assert (drawn.exact, drawn.draws, drawn.nonzero) == (False, 100_000, 21)
    assert drawn.p == drawn.smallest_p == 1 / 100_001


@pytest.mark.parametrize(("wins", "losses"), [(15, 9), (40, 60), (130, 100), (260, 250)])
def test_equal_sizes_give_the_sign_test(wins: int, losses: int) -> None:
    """With sizes alike the sum only counts signs, and their law is binomial; 4 standard errors of 100,000."""
    drawn = sign_flip([0.5] * wins + [-0.5] * losses, seed=3).p
    exact = stats.binomtest(wins, wins + losses).pvalue
    assert abs(drawn - exact) <= 4 * math.sqrt(exact * (1 - exact) / 100_000) + 1e-5


@pytest.mark.parametrize("seed", range(3))
def test_drawn_p_agrees_with_the_normal_law_of_many_differences(seed: int) -> None:
    """By the central limit theorem the sum of 2,800 flipped differences is normal, to about 0.001."""
    differences = realistic(6980, seed=seed, better=0.51)
    z = abs(differences.sum()) / math.sqrt((differences**2).sum())
    p = 2 * float(stats.norm.sf(z))
    assert abs(sign_flip(differences, seed=1).p - p) <= 0.001 + 4 * math.sqrt(p * (1 - p) / 100_000)


@given(any_differences, st.randoms(use_true_random=False))
def test_neither_order_nor_swapping_changes_anything(differences: list[float], random: object) -> None:
    shuffled = sorted(differences, key=lambda _: random.random())  # type: ignore[attr-defined]
    ours = sign_flip(differences, seed=5, draws=500)
    assert sign_flip(shuffled, seed=5, draws=500) == ours
    assert sign_flip([-d for d in differences], seed=5, draws=500) == ours


@given(any_differences, st.integers(1, 50))
def test_ties_change_nothing(differences: list[float], ties: int) -> None:
    ours = sign_flip(differences, seed=5, draws=500)
    assert sign_flip([0.0] * ties + differences, seed=5, draws=500) == ours


@given(any_differences)
def test_p_is_never_0_nor_below_the_smallest(differences: list[float]) -> None:
    ours = sign_flip(differences, seed=5, draws=200)
    assert 0 < ours.smallest_p <= ours.p <= 1


def test_the_seed_decides_the_draws() -> None:
    differences = realistic(300, seed=0)
    assert sign_flip(differences, seed=1) == sign_flip(differences, seed=1)
    assert sign_flip(differences, seed=1).p != sign_flip(differences, seed=2).p


def test_draws_are_the_same_on_every_machine() -> None:
    """The numbers of extreme draws once seen; they may change only with a note in the changelog."""
    lumpy = sign_flip([1.0] * 12 + [0.5] * 20 + [-0.5] * 14 + [-0.1] * 3, seed=7)
    assert round(lumpy.p * 100_001) - 1 == LUMPY_EXTREME
    spread = sign_flip([(i * 37 % 101) / 101 - 0.45 for i in range(150)], seed=7, draws=20_000)
    assert round(spread.p * 20_001) - 1 == SPREAD_EXTREME


LUMPY_EXTREME = 111
SPREAD_EXTREME = 1541


def test_batches_are_no_border() -> None:
    """More draws begin with the same ones: the extreme among them can only grow, by at most the new."""
    differences = realistic(100, seed=4)
    few, more = (sign_flip(differences, seed=0, draws=draws) for draws in (BATCH, BATCH + 1))
    extreme = [round(one.p * (one.draws + 1)) - 1 for one in (few, more)]
    assert extreme[1] - extreme[0] in (0, 1)


def test_paraphrases_flip_together() -> None:
    """Two needs, three paraphrases each: two units, four patterns, and p cannot fall below one half."""
    ours = sign_flip([0.5, 0.5, 0.5, 0.25, 0.25, 0.25], seed=0, clusters=["a"] * 3 + ["b"] * 3)
    assert ours == SignFlip(0.5, True, 4, 2, 0.5)


@given(any_differences)
def test_clusters_of_one_are_no_clusters(differences: list[float]) -> None:
    alone = sign_flip(differences, seed=2, draws=300)
    assert sign_flip(differences, seed=2, draws=300, clusters=range(len(differences))) == alone
    assert sign_flip(differences, seed=2, draws=300, clusters=[None] * len(differences)) == alone


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 3)), max_size=10))
def test_clusters_equal_all_patterns_of_their_sums(pairs: list[tuple[float, int]]) -> None:
    differences = [round(d, 3) for d, _ in pairs]
    labels = [label for _, label in pairs]
    sums = [
        math.fsum(d for d, own in zip(differences, labels, strict=True) if own == label)
        for label in set(labels)
    ]
    kept = [total for total in sums if abs(total) > 1e-12]
    assert sign_flip(differences, seed=0, clusters=labels).p == written_out(kept)


@given(st.lists(st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.9]), min_size=1, max_size=200), st.integers(0, 99))
def test_both_ways_of_adding_give_the_same_sums(given_sizes: list[float], seed: int) -> None:
    sizes = np.sort(given_sizes)
    for signs in _drawn_signs(len(sizes), seed, 50):
        bits = np.unpackbits(signs.view(np.uint8), axis=1, bitorder="little")[:, : len(sizes)]
        plain = np.where(bits == 1, sizes, -sizes).sum(axis=1)
        by_runs = _sums_by_runs(_runs(sizes), math.fsum(sizes), signs)
        assert by_runs == pytest.approx(plain, abs=1e-12)
        assert _sums_by_bytes(_byte_tables(sizes), signs) == pytest.approx(plain, abs=1e-12)
