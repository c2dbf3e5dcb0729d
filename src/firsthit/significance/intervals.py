"""Intervals of a mean difference and of a single mean, that never have zero width by accident."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from firsthit.errors import UsageError
from firsthit.significance.differences import Clusters, Floats, Units, units
from firsthit.significance.resampling import resampled_means

__all__ = ["FEW", "Interval", "interval", "mean_interval", "percentile_interval", "standard_error", "widened"]

FEW = 6
"""With fewer non-zero differences than this, two are added: even six alike give a sign test p of 0.03."""


class Interval(msgspec.Struct, frozen=True):
    """An interval of a mean: its ends, how it was made, and whether the two ends of the range were added."""

    low: float
    high: float
    method: str
    padded: bool
    level: float

    def excludes(self, value: float) -> bool:
        """Whether the value lies outside."""
        return not self.low <= value <= self.high


def interval(
    differences: ArrayLike, *, low: float, high: float, level: float = 0.95, clusters: Clusters = None
) -> Interval:
    """The paired t interval of the mean difference, clipped to the possible range from `low` to `high`.

    With fewer than six non-zero differences (or when all are equal) one difference of `low` and one of `high`
    are added first, so that the width is never 0 and the interval errs wide; `padded` says so. A range
    without end is padded with the largest size seen, at least 1. With `clusters` the cluster is the unit: the
    mean is still that over queries, its error that of a ratio of sums, the degrees of freedom clusters - 1.

    >>> made = interval([0.0, 0.5, -0.5, 0.5, 0.25, 1.0, 0.5, 0.5], low=-1, high=1)
    >>> round(made.low, 4), round(made.high, 4), made.padded
    (-0.0257, 0.7132, False)
    >>> made = interval([0.0] * 30, low=-1, high=1)
    >>> round(made.low, 4), round(made.high, 4), made.padded
    (-0.0916, 0.0916, True)
    """
    made, padded = widened(units(differences, clusters), low, high)
    ends = _t_ends(made, level)
    return Interval(max(float(low), ends[0]), min(float(high), ends[1]), "paired t", padded, level)


def percentile_interval(
    differences: ArrayLike,
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
    clusters: Clusters = None,
) -> Interval:
    """The percentile bootstrap interval of the mean difference: between two quantiles of the resampled means.

    It has zero width when all differences are equal. Quantiles between two resamples are interpolated.
    Resamples are drawn for the differences or for their negatives, whichever sorts higher, so that swapping
    the systems negates the interval to the last digit. With `clusters`, whole clusters are resampled.

    >>> percentile_interval([0.0, 0.5, 0.0, 0.5], seed=0)
    Interval(low=0.0, high=0.5, method='percentile bootstrap', padded=False, level=0.95)
    """
    made = units(differences, clusters)
    if len(made.sums) == 0:
        raise UsageError("a bootstrap interval needs at least one query")
    mirrored = _sorts_lower(made)
    means = resampled_means(
        made._replace(sums=-made.sums) if mirrored else made, seed=seed, resamples=resamples
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2]).tolist()
    if mirrored:
        low, high = 0.0 - high, 0.0 - low
    return Interval(low, high, "percentile bootstrap", False, level)


def mean_interval(
    values: ArrayLike, *, low: float, high: float, seed: int, level: float = 0.95, resamples: int = 10_000
) -> Interval:
    """The interval of a single mean: bias-corrected and accelerated (BCa) bootstrap.

    When all values are equal, resampling shows nothing: one value at either end of the range is added and
    the t interval is taken, clipped to the range.

    Source: Efron, Better bootstrap confidence intervals, JASA 82, 1987.

    >>> made = mean_interval([1.0, 1.0, 1.0, 1.0], low=0, high=1, seed=0)
    >>> round(made.low, 4), made.high, made.method, made.padded
    (0.4049, 1.0, 't', True)
    >>> mean_interval([0.0, 1.0] * 20, low=0, high=1, seed=0)
    Interval(low=0.35, high=0.65, method='BCa bootstrap', padded=False, level=0.95)
    """
    single = units(values)
    if len(single.sums) == 0 or np.ptp(single.sums) == 0:
        ends = _t_ends(_padded(single, low, high), level)
        return Interval(max(float(low), ends[0]), min(float(high), ends[1]), "t", True, level)
    means = resampled_means(single, seed=seed, resamples=resamples)
    first, last = np.quantile(means, _bca_levels(single, means, level)).tolist()
    return Interval(first, last, "BCa bootstrap", False, level)


def standard_error(made: Units) -> float:
    """The standard error of the mean over queries: sd / sqrt(n), or that of the ratio of sums of clusters.

    >>> round(standard_error(units([0.0, 1.0, 0.0, 1.0])), 6)
    0.288675
    """
    number, queries = len(made.sums), math.fsum(made.sizes.tolist())
    squares = math.fsum(np.square(made.sums - made.mean * made.sizes).tolist())
    return math.sqrt(number / (number - 1) * squares) / queries


def widened(made: Units, low: float, high: float) -> tuple[Units, bool]:
    """The units, with the two ends of the range added where they say too little, and whether they were."""
    if made.nonzero >= FEW and np.ptp(made.sums / made.sizes) > 0:
        return made, False
    return _padded(made, low, high), True


def _padded(made: Units, low: float, high: float) -> Units:
    largest = float(max(1.0, np.abs(made.sums / made.sizes).max(initial=0.0)))
    ends = [max(low, -largest) if math.isinf(low) else low, min(high, largest) if math.isinf(high) else high]
    return Units(np.append(made.sums, ends), np.append(made.sizes, [1.0, 1.0]))


def _t_ends(made: Units, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    reach = float(stdtrit(len(made.sums) - 1, (1 + level) / 2)) * standard_error(made)
    return made.mean - reach, made.mean + reach


def _sorts_lower(made: Units) -> bool:
    """Whether the differences sort below their negatives: the first that differ decide."""
    up = np.lexsort((made.sizes, made.sums))
    down = np.lexsort((made.sizes, -made.sums))
    given = np.concatenate((made.sums[up], made.sizes[up]))
    mirror = np.concatenate((-made.sums[down], made.sizes[down]))
    unlike = np.flatnonzero(given != mirror)
    return len(unlike) > 0 and bool(given[unlike[0]] < mirror[unlike[0]])


def _bca_levels(single: Units, means: Floats, level: float) -> list[float]:
    """Which quantiles of the resampled means BCa takes; ties with the mean count half, but for rounding."""
    from scipy.special import ndtr, ndtri

    same = 1e-12 * float(np.abs(single.sums).max())
    below = np.count_nonzero(means < single.mean - same) + np.count_nonzero(means <= single.mean + same)
    share = min(max(below / (2 * len(means)), 0.5 / len(means)), 1 - 0.5 / len(means))
    bias, skew = float(ndtri(share)), _acceleration(single)
    shifted = [bias + float(ndtri(tail)) for tail in ((1 - level) / 2, (1 + level) / 2)]
    return [float(ndtr(bias + z / (1 - skew * z))) for z in shifted]


def _acceleration(single: Units) -> float:
    """A sixth of the skewness of the mean: for a mean, the jackknife's values are those of the data."""
    away = single.sums - single.mean
    cubes, squares = math.fsum((away * away * away).tolist()), math.fsum((away * away).tolist())
    return cubes / (6 * squares * math.sqrt(squares))
