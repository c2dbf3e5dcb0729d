"""What judging is for: how uncertain a query leaves the means of runs, or the difference of two.

An outcome is the values, one a run, that a query has when certain unjudged documents are relevant. RR is
decided by the first relevant document, so that a set of relevant documents gives in each run the largest of
their values; the extremes of a mean and of a difference are reached when no open document is relevant or
exactly one is.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError

__all__ = ["AIMS", "Aim", "aim_of", "limits"]

Floats = NDArray[np.float64]

AIMS = ("means", "difference")


class Aim(msgspec.Struct, frozen=True):
    """What is to become exact, and how far a query leaves it open.

    `spread` takes the settled values [..., runs] and what one open document makes of them if it is relevant,
    [..., documents, runs], both in units of the mean.
    """

    name: str
    spread: Callable[[Floats, Floats], Floats]

    def alone(self, settled: Floats, outcomes: Floats) -> Floats:
        """How far each document alone can move it."""
        return self.spread(settled[..., None, :], outcomes[..., None, :])


def aim_of(name: str, runs: int) -> Aim:
    """The aim of that name for so many runs.

    "means": the width of each run's interval, added up. "difference": the width of the interval of the second
    run's value less the first's.
    """
    if name not in AIMS:
        raise UsageError(f"no aim {name!r}: there are {', '.join(AIMS)}")
    if name == "difference" and runs != 2:
        hint = "The aim means takes any number."
        raise UsageError(f"the aim difference needs two runs, and {runs} are given", hint=hint)
    return Aim(name, _means if name == "means" else _difference)


def limits(settled: Floats, outcomes: Floats) -> tuple[Floats, Floats]:
    """The smallest and the largest value of the second run less the first's."""
    now = settled[..., 1] - settled[..., 0]
    each = outcomes[..., 1] - outcomes[..., 0]
    lower = np.minimum(now, each.min(axis=-1, initial=np.inf))
    return lower, np.maximum(now, each.max(axis=-1, initial=-np.inf))


def _means(settled: Floats, outcomes: Floats) -> Floats:
    return np.asarray((outcomes.max(axis=-2, initial=0.0) - settled).sum(axis=-1))


def _difference(settled: Floats, outcomes: Floats) -> Floats:
    lower, upper = limits(settled, outcomes)
    return upper - lower
