"""In each ranking, which places say what a place above them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.matching.hits import sealed
from firsthit.redundancy.equal import first_equal
from firsthit.redundancy.shingles import Shingles
from firsthit.resolve.quotes import Texts

__all__ = ["Alike", "first_alike"]

Ints = NDArray[np.int64]


class Alike(msgspec.Struct, frozen=True, eq=False):
    """For each place the highest place above it in its ranking that says the same, -1 for none.

    `share` is the share of shingles that both have, of all that they have: 1 where the texts are equal.
    `known` says where a place has a text.
    """

    above: Ints
    share: NDArray[np.float64]
    known: NDArray[np.bool_]

    @property
    def groups(self) -> Ints:
        """One number for each place: that of the place above that says the same, if any; -1 without a text.

        What stands below a place has no say in its number.
        """
        group = np.arange(len(self.above))
        for place in np.flatnonzero(self.above >= 0).tolist():
            group[place] = group[self.above[place]]
        return sealed(np.where(self.known, group, -1))


def first_alike(texts: Ids, text: Ints | NDArray[np.int32], offsets: Ints, similar: float = 1.0) -> Alike:
    """Compare each place with all places above it in its ranking; nothing is estimated.

    Place i holds the text of row `text[i]`, -1 for none; ranking q has the places
    `offsets[q]:offsets[q + 1]`. With `similar` = 1 two places say the same when their texts are equal after
    normalisation; below 1 when they share at least that much of their shingles.

    >>> texts = Ids.of(["One two.", "three", "one TWO."])
    >>> first_alike(texts, np.array([0, 1, 2, 2]), np.array([0, 3, 4])).above.tolist()
    [-1, -1, 0, -1]
    """
    used, number = np.unique(text.astype(np.int64), return_inverse=True)
    held = Texts.of(texts.subset(used[used >= 0]))
    equal = np.concatenate([np.full(int((used < 0).sum()), -1), first_equal(held)])[number]
    if similar >= 1:
        above = _equal_above(equal, offsets)
        share = np.where(above >= 0, 1.0, np.nan)
    else:
        above, share = _near_above(held, equal, offsets, similar)
    return Alike(sealed(above), sealed(share), sealed(equal >= 0))


def _equal_above(equal: Ints, offsets: Ints) -> Ints:
    ranking = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    _, first, which = np.unique(np.stack([ranking, equal]), axis=1, return_index=True, return_inverse=True)
    above = first[which.reshape(-1)]
    return np.where((above < np.arange(len(equal))) & (equal >= 0), above, -1)


def _near_above(texts: Texts, equal: Ints, offsets: Ints, similar: float) -> tuple[Ints, NDArray[np.float64]]:
    rows = np.unique(equal[equal >= 0])
    shingles = Shingles.of(texts, rows)
    row = np.where(equal >= 0, np.searchsorted(rows, equal), -1).tolist()
    above, share = np.full(len(equal), -1), np.full(len(equal), np.nan)
    for low, high in pairwise(offsets.tolist()):
        sets = (shingles.row(one).tolist() if one >= 0 else [] for one in row[low:high])
        for place, other, its in _walk(sets, similar):
            above[low + place], share[low + place] = low + other, its
    return above, share


def _walk(sets: Iterable[list[int]], similar: float) -> Iterator[tuple[int, int, float]]:
    """Down one ranking: a place, the highest place above it that says the same, and the share."""
    holders: dict[int, list[int]] = {}
    sizes: list[int] = []
    for place, its in enumerate(sets):
        common = Counter(chain.from_iterable(holders[one] for one in its if one in holders))
        for other in sorted(common):
            share = common[other] / (len(its) + sizes[other] - common[other])
            if share >= similar:
                yield place, other, share
                break
        sizes.append(len(its))
        for one in its:
            holders.setdefault(one, []).append(place)
