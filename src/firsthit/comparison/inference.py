"""The statistics of paired differences, as every part of a comparison uses them: mean, groups, verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.significance import Interval, SignFlip

__all__ = ["Inference", "IntervalMethod"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
IntervalMethod = Literal["t", "percentile"]


class Inference(msgspec.Struct, frozen=True, eq=False):
    """How intervals and tests of differences are made, over all paired queries or some of them (`members`).

    `clusters` holds one label a query: queries with the same label flip and are summed together, a query
    without one (None) stands alone.
    """

    method: IntervalMethod = "t"
    seed: int = 0
    clusters: Sequence[str | None] | None = None

    @classmethod
    def of(cls, method: str, seed: int, clusters: Sequence[str | None] | None) -> Inference:
        """The same with a checked name of the method."""
        if method not in (methods := get_args(IntervalMethod)):
            raise UsageError(f"interval = {method!r}: choose one of {', '.join(methods)}")
        return cls(cast(IntervalMethod, method), seed, clusters)

    def interval(
        self, differences: Floats, members: Ints | None = None, *, highest: float = 1.0, level: float = 0.95
    ) -> Interval:
        """The interval of the mean of these differences, each between -highest and highest."""
        from firsthit import significance

        clusters = self._clusters(members)
        if self.method == "percentile" and len(differences):
            return significance.percentile_interval(
                differences, seed=self.seed, level=level, clusters=clusters
            )
        return significance.interval(differences, low=-highest, high=highest, level=level, clusters=clusters)

    def test(self, differences: Floats, members: Ints | None = None) -> SignFlip:
        """The sign-flip randomization test of these differences."""
        from firsthit import significance

        return significance.sign_flip(differences, seed=self.seed, clusters=self._clusters(members))

    def paired_t(self, differences: Floats, members: Ints | None = None) -> float | None:
        """The p of the paired t test of these differences."""
        from firsthit import significance

        return significance.paired_t(differences, clusters=self._clusters(members))

    def needed(self, differences: Floats, difference: float) -> int | None:
        """How many queries would show a mean difference of this size; clusters count with their mean size."""
        from firsthit import significance
        from firsthit.significance.differences import units

        made = units(differences, self.clusters)
        size = len(differences) / len(made.sums)
        number = significance.needed_queries(made.sums / size, difference)
        return None if number is None else math.ceil(number * size)

    def _clusters(self, members: Ints | None) -> Sequence[str | None] | None:
        if self.clusters is None or members is None:
            return self.clusters
        return [self.clusters[place] for place in members.tolist()]
