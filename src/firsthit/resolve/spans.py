"""Spans: which retrieved passages stand in a labelled source, and how much of a labelled span they cover."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["Keys", "Pairs", "shares"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Pairs(msgspec.Struct, frozen=True, eq=False):
    """Label rows and places of rankings that may belong together: entry i is row `label[i]`, `place[i]`."""

    label: Ints
    place: Ints

    def __len__(self) -> int:
        return len(self.label)

    def where(self, chosen: NDArray[np.bool_]) -> Pairs:
        """These pairs only."""
        return Pairs(self.label[chosen], self.place[chosen])


class Keys(msgspec.Struct, frozen=True, eq=False):
    """Label rows in the order of a key, looked up by it."""

    rows: Ints
    key: Ints  # of each distinct key
    first: Ints  # where its rows start
    count: Ints

    @classmethod
    def of(cls, key: Ints, rows: Ints) -> Keys:
        """The rows `rows[i]` by `key[i]`."""
        order = np.argsort(key, kind="stable")
        keys, first, count = np.unique(key[order], return_index=True, return_counts=True)
        return cls(rows[order], keys, first, count)

    def matches(self, key: Ints, places: Ints) -> Pairs:
        """Each place with every label row of its key, by place."""
        if not len(self.key):
            return Pairs(self.key, self.key)
        at = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        known = np.flatnonzero(self.key[at] == key)
        at = at[known]
        count = self.count[at]
        place = np.repeat(places[known], count)
        before = np.repeat(np.cumsum(count) - count, count)
        return Pairs(self.rows[np.repeat(self.first[at], count) + np.arange(len(place)) - before], place)


def shares(start: Ints, end: Ints, from_: Ints, to: Ints) -> Floats:
    """The share of each labelled span [start, end) that the passage [from_, to) covers.

    An empty span holds nothing: no passage covers any of it, and an empty passage covers nothing.

    >>> zero, ten = np.array([0, 5]), np.array([10, 5])
    >>> shares(zero, ten, np.array([5, 0]), np.array([20, 20])).tolist()
    [0.5, 0.0]
    """
    common = np.minimum(end, to) - np.maximum(start, from_)
    length = end - start
    share = np.zeros(len(length))
    np.divide(common, length, out=share, where=(length > 0) & (common > 0))
    return share
