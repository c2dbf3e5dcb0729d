"""Where the first relevant documents stand: what a mean of reciprocal ranks hides."""

from __future__ import annotations

import numpy as np

from firsthit.measures.view import Ints

__all__ = ["RANK_CLASSES", "distribution", "harmonic_mean_rank", "median_first_rank"]

RANK_CLASSES = ("1", "2", "3", "4-5", "6-10", "deeper", "none")
"""The classes of first ranks, in order."""


def distribution(first_rank: Ints) -> dict[str, int]:
    """How many queries have their first relevant document in each class of ranks; 0 means none was found.

    >>> distribution(np.array([1, 1, 2, 5, 11, 0]))
    {'1': 2, '2': 1, '3': 0, '4-5': 1, '6-10': 0, 'deeper': 1, 'none': 1}
    """
    place = np.searchsorted([1, 2, 3, 5, 10], first_rank)
    place[first_rank == 0] = len(RANK_CLASSES) - 1
    counts = np.bincount(place, minlength=len(RANK_CLASSES))
    return dict(zip(RANK_CLASSES, counts.tolist(), strict=True))


def median_first_rank(first_rank: Ints) -> float | None:
    """The median of the first ranks; a query without one (0) counts as deepest, and may be the middle: None.

    With an even number of queries it is the mean of the two in the middle, and None when either has no rank.

    >>> median_first_rank(np.array([4, 1, 0])), median_first_rank(np.array([1, 2, 0, 0]))
    (4.0, None)
    """
    if len(first_rank) == 0:
        return None
    deepest_last = np.sort(np.where(first_rank == 0, np.inf, first_rank))
    middle = deepest_last[(len(deepest_last) - 1) // 2 : len(deepest_last) // 2 + 1].mean()
    return float(middle) if np.isfinite(middle) else None


def harmonic_mean_rank(mrr: float) -> float | None:
    """1 / MRR, which is the harmonic mean of the first ranks and not their average; None when MRR is 0.

    A query without a relevant document counts as infinitely deep: it adds 0 to MRR.

    >>> harmonic_mean_rank(0.5), harmonic_mean_rank(0.0)
    (2.0, None)
    """
    return 1.0 / mrr if mrr > 0 else None
