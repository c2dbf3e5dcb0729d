"""How many queries a difference needs to be seen."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from firsthit.errors import UsageError
from firsthit.significance.differences import units
from firsthit.significance.intervals import standard_error, widened

__all__ = ["needed_queries"]


def needed_queries(
    differences: ArrayLike,
    difference: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    low: float = -1.0,
    high: float = 1.0,
) -> int | None:
    """How many queries like these show a mean difference of this size, with this power; None without any.

    Only the spread of the differences is taken from the data, never their mean: planning for the observed
    difference would say no more than its p. The smallest n with n >= ((t(1 - alpha/2) + t(power)) sd / D)^2,
    t with n - 1 degrees of freedom. With fewer than six non-zero differences the spread is that of the padded
    ones, as in `interval`, and errs wide.

    >>> needed_queries([0.0, 0.5, -0.5, 0.5, 0.0, -0.5, 0.0, 0.5, 0.0, -0.5], 0.1)
    133
    """
    if not difference > 0:
        raise UsageError(f"a difference to plan for is above 0, not {difference}")
    made = units(differences)
    if len(made.sums) == 0:
        return None
    made, _ = widened(made, low, high)
    deviation = standard_error(made) * math.sqrt(len(made.sums))
    return _smallest(deviation / difference, 1 - alpha / 2, power)


def _smallest(ratio: float, confidence: float, power: float) -> int:
    """The smallest n >= ((t(confidence) + t(power)) ratio)^2, found by halving: t falls as n grows."""
    from scipy.special import stdtrit

    def enough(n: int) -> bool:
        reach = float(stdtrit(n - 1, confidence) + stdtrit(n - 1, power))
        return n >= (reach * ratio) ** 2

    above = 2
    while not enough(above):
        above *= 2
    below = above // 2
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if enough(middle) else (middle, above)
    return above
