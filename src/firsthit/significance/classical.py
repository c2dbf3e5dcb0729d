"""The tests that others print: paired t, Wilcoxon signed rank, sign test; all two-sided."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from firsthit.significance.differences import Clusters, settled, units, wins_losses_ties
from firsthit.significance.intervals import standard_error

__all__ = ["paired_t", "sign_test", "wilcoxon"]


def paired_t(differences: ArrayLike, *, clusters: Clusters = None) -> float | None:
    """The p of the paired t test; None with fewer than two queries or when all differences are equal.

    With `clusters` it is the test that belongs to the `interval` with clusters.

    >>> round(paired_t([0.5, 0.25, -0.5, 1.0, 0.5]), 6)
    0.226245
    """
    from scipy.special import stdtr

    made = units(differences, clusters)
    if len(made.sums) < 2 or np.ptp(made.sums / made.sizes) == 0:
        return None
    return 2 * float(stdtr(len(made.sums) - 1, -abs(made.mean) / standard_error(made)))


def wilcoxon(differences: ArrayLike) -> float | None:
    """The p of SciPy's Wilcoxon signed-rank test, zeros dropped; None without a non-zero difference.

    Differences are rounded to 1e-10 before they are ranked: equal differences of ranks come out unequal in
    the last digit, and would not share a rank. This imports scipy.stats, which takes most of a second.

    >>> wilcoxon([0.5, 0.25, 0.75, 1.0, 0.125, 0.0])
    0.0625
    """
    rounded = np.round(settled(differences), 10)
    nonzero = rounded[rounded != 0]
    if len(nonzero) == 0:
        return None
    from scipy.stats import wilcoxon as signed_rank

    return float(signed_rank(np.sort(nonzero)).pvalue)


def sign_test(differences: ArrayLike) -> float | None:
    """The exact p of the sign test on wins and losses; None without either.

    >>> sign_test([0.5, 0.25, 0.75, 1.0, -0.125, 0.0])
    0.375
    """
    from scipy.special import bdtr

    wins, losses, _ = wins_losses_ties(differences)
    if wins + losses == 0:
        return None
    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))
