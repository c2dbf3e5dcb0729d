"""What every test and interval starts from: checked differences, their mean, wins and losses, clusters."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firsthit.errors import UsageError

__all__ = ["NOISE", "Clusters", "Floats", "Units", "WinsLossesTies", "settled", "units", "wins_losses_ties"]

Floats: TypeAlias = NDArray[np.float64]
Clusters: TypeAlias = Sequence[Hashable] | None
"""One label a query: queries with equal labels belong together; None as a label: the query stands alone."""

NOISE = 1e-14
"""A difference up to this size is rounding, and counts as 0."""


class WinsLossesTies(NamedTuple):
    """For how many queries the difference is above, below and equal to 0."""

    wins: int
    losses: int
    ties: int


class Units(NamedTuple):
    """The independent units: the sum of the differences of each, and how many queries it holds."""

    sums: Floats
    sizes: Floats

    @property
    def mean(self) -> float:
        """The mean difference over queries, the same in any order; NaN without a query."""
        queries = math.fsum(self.sizes.tolist())
        return math.fsum(self.sums.tolist()) / queries if queries else math.nan

    @property
    def nonzero(self) -> int:
        """How many sums are not 0."""
        return int(np.count_nonzero(self.sums))


def settled(differences: ArrayLike) -> Floats:
    """The differences as 64-bit floats, rounding noise set to 0.

    >>> settled([0.5, -1e-17]).tolist()
    [0.5, 0.0]
    """
    values = np.array(differences, np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise UsageError("differences must be one row of finite numbers, one for each query")
    values[np.abs(values) <= NOISE] = 0.0
    return values


def wins_losses_ties(differences: ArrayLike) -> WinsLossesTies:
    """For how many queries the difference is above, below and equal to 0.

    >>> wins_losses_ties([0.5, -0.1, 0.0, 0.2])
    WinsLossesTies(wins=2, losses=1, ties=1)
    """
    values = settled(differences)
    wins, losses = int(np.count_nonzero(values > 0)), int(np.count_nonzero(values < 0))
    return WinsLossesTies(wins, losses, len(values) - wins - losses)


def units(differences: ArrayLike, clusters: Clusters = None) -> Units:
    """The queries as units, or their clusters: differences summed, queries counted; exact in any order.

    >>> units([0.5, 0.25, -1.0], ["billing", "billing", None])
    Units(sums=array([ 0.75, -1.  ]), sizes=array([2., 1.]))
    """
    values = settled(differences)
    if clusters is None:
        return Units(values, np.ones(len(values)))
    if len(clusters) != len(values):
        raise UsageError(
            f"{len(values)} differences and {len(clusters)} cluster labels: one is needed for each"
        )
    members: dict[Hashable, list[float]] = {}
    for position, (label, value) in enumerate(zip(clusters, values.tolist(), strict=True)):
        key = ("alone", position) if label is None else ("together", label)
        members.setdefault(key, []).append(value)
    sums = settled([math.fsum(group) for group in members.values()])
    return Units(sums, np.array([float(len(group)) for group in members.values()]))
