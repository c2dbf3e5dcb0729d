"""Bootstrap means: by the counts of distinct values where values are lumpy, else one by one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from firsthit.significance.differences import Floats, Units

__all__ = ["resampled_means"]

NUMBERS = 1 << 20
"""How many counts or indexes are drawn at a time, which bounds the memory to some 20 MB."""

COUNT_COST = 12
"""Drawing one count takes about as long as drawing and looking up so many values (measured)."""


def resampled_means(units: Units, *, seed: int, resamples: int) -> Floats:
    """The mean over queries of each bootstrap resample of the units; their order does not matter.

    Resampling n units draws each distinct unit a multinomial number of times, and reciprocal ranks within 10
    take 11 values only: drawing these numbers is the same law as drawing n units, and many times as quick.
    The generator is NumPy's RandomState, whose streams are frozen: later versions draw the same.

    >>> pairs = Units(np.array([0.0, 1.0]), np.ones(2))
    >>> resampled_means(pairs, seed=1, resamples=5).tolist()
    [0.5, 0.0, 0.0, 0.0, 0.5]
    """
    order = np.lexsort((units.sizes, units.sums))
    sums, sizes = units.sums[order], units.sizes[order]
    starts = np.flatnonzero(np.append(True, (np.diff(sums) != 0) | (np.diff(sizes) != 0)))
    generator = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    if len(starts) * COUNT_COST <= len(sums):
        distinct = Units(sums[starts], sizes[starts])
        return _by_counts(distinct, np.diff(starts, append=len(sums)), generator, resamples)
    return _one_by_one(Units(sums, sizes), generator, resamples)


def _by_counts(
    distinct: Units,
    times: NDArray[np.int64],
    generator: np.random.RandomState,
    resamples: int,
) -> Floats:
    """Resamples as numbers of each distinct unit, added in a fixed order: every machine rounds alike."""
    number = int(times.sum())
    means = []
    for rows in _batches(resamples, len(times)):
        counts = generator.multinomial(number, times / number, rows)
        total, queries = np.zeros(rows), np.zeros(rows)
        for drawn, value, size in zip(counts.T, distinct.sums, distinct.sizes, strict=True):
            total += drawn * value
            queries += drawn * size
        means.append(total / queries)
    return np.concatenate(means)


def _one_by_one(units: Units, generator: np.random.RandomState, resamples: int) -> Floats:
    number = len(units.sums)
    alone = math.fsum(units.sizes.tolist()) == number
    means = []
    for rows in _batches(resamples, number):
        index = generator.randint(0, number, (number, rows), np.int64)
        queries = float(number) if alone else units.sizes.take(index).sum(axis=0)
        means.append(units.sums.take(index).sum(axis=0) / queries)
    return np.concatenate(means)


def _batches(resamples: int, numbers: int) -> list[int]:
    """How many resamples to draw each time."""
    rows = max(1, min(resamples, NUMBERS // numbers))
    return [min(rows, resamples - start) for start in range(0, resamples, rows)]
