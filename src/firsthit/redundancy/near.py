"""Near duplicates of a whole collection: MinHash proposes pairs, their shingles decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.ids import Ids
from firsthit.matching.hits import sealed
from firsthit.redundancy.equal import first_equal
from firsthit.redundancy.shingles import Shingles
from firsthit.resolve.quotes import Texts

__all__ = ["LEAST", "MOST_MISSED", "PERMUTATIONS", "near_texts", "rows_for"]

Ints = NDArray[np.int64]

PERMUTATIONS = 128
SEED = 1
MOST_MISSED = 1e-3
"""The probability at most that a pair just at the threshold is never compared."""

LEAST = 0.1
"""The share from which on MinHash finds what it should."""

CHUNK = 4_000
"""How many texts are digested at a time."""


def near_texts(texts: Ids, similar: float = 0.8) -> Ints:
    """For each text the first row of its group of near duplicates; -1 where the text is empty.

    Two texts are near duplicates when they share at least `similar` of their shingles (Jaccard: those of
    both by those of either), or are equal after normalisation; a group is all that is linked by such pairs.
    MinHash proposes the pairs, and each is compared by all its shingles, so no group rests on an estimate; a
    pair just at the threshold is overlooked with a probability of at most 0.001. With `similar` = 1 equal
    texts only; below 0.1 more pairs may be overlooked. UsageError where the library for MinHash is not
    installed.

    >>> words = "the link in our message works for one hour and can be used once"
    >>> near_texts(Ids.of([words, "something else", f"{words} only"]), 0.8).tolist()
    [0, 1, 0]
    """
    held = Texts.of(texts)
    equal = first_equal(held)
    if similar >= 1:
        return equal
    library = _library()
    rows = np.unique(equal[equal >= 0])
    links = _Links(Shingles.of(held, rows), similar)
    links.add_all(_digests(library, links.shingles))
    first = np.full(len(rows), len(texts))
    np.minimum.at(first, links.label, rows)
    group = first[links.label]
    return sealed(np.where(equal >= 0, np.append(group, -1)[np.searchsorted(rows, equal)], -1))


def rows_for(similar: float, permutations: int = PERMUTATIONS) -> int:
    """How many digests make a band: the most with which a pair at the threshold is found as a rule.

    >>> rows_for(0.8), rows_for(0.5)
    (5, 2)
    """
    enough = [
        rows
        for rows in range(1, permutations + 1)
        if (1 - similar**rows) ** (permutations // rows) <= MOST_MISSED
    ]
    return max(enough, default=1)


def _library() -> Any:
    try:
        import rensa
    except ImportError:
        what = "near duplicates are found with MinHash, and rensa is not installed"
        hint = "pip install 'firsthit[duplicates]'. Equal texts are found without it."
        raise UsageError(what, hint=hint) from None
    return rensa.RMinHash


def _digests(library: Any, shingles: Shingles) -> NDArray[np.uint32]:
    """The MinHash digest of each text, one row each."""
    found = np.zeros((len(shingles), PERMUTATIONS), np.uint32)
    for low in range(0, len(shingles), CHUNK):
        borders = shingles.offsets[low : low + CHUNK + 1]
        prints = shingles.prints[borders[0] : borders[-1]]
        offsets = (borders - borders[0]).astype(np.uint64)
        matrix = library.digest_matrix_from_flat_token_hashes(prints, offsets, PERMUTATIONS, SEED)
        found[low : low + CHUNK] = matrix.to_rows()
    return found


FEW = 8
"""How many texts are compared in full without a quicker look before."""


class _Links:
    """Groups as they grow: `label` is the number of each text's group."""

    def __init__(self, shingles: Shingles, similar: float) -> None:
        self.shingles = shingles
        self.similar = similar
        self.size = np.diff(shingles.offsets)
        self.short = shingles.prints.astype(np.uint16)
        self.label = np.arange(len(shingles))
        self.members: dict[int, list[int]] = {}  # of groups of several

    def add_all(self, digests: NDArray[np.uint32]) -> None:
        """Link all pairs that agree in a band of their digests and are similar."""
        rows = rows_for(self.similar)
        bands = PERMUTATIONS // rows
        keys = np.zeros((bands, len(digests)), np.uint64)
        for band in range(bands):
            for column in range(band * rows, (band + 1) * rows):
                keys[band] = (keys[band] ^ digests[:, column]) * np.uint64(0x100000001B3)
                keys[band] ^= keys[band] >> np.uint64(29)
        for band in range(bands):
            for bucket in self._open_buckets(keys[band]):
                self._add(bucket, keys[:band])

    def _open_buckets(self, keys: NDArray[np.uint64]) -> Iterator[Ints]:
        """The texts that agree in a band, where they are not one group yet."""
        if not len(keys):
            return
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]))
        ends = np.append(starts[1:], len(order))
        starts, ends = starts[ends - starts > 1], ends[ends - starts > 1]
        for low, high in zip(starts.tolist(), ends.tolist(), strict=True):
            bucket = order[low:high]
            label = self.label[bucket]
            if (label != label[0]).any():
                yield bucket

    def _add(self, bucket: Ints, before: NDArray[np.uint64]) -> None:
        """Compare the texts of a bucket, but for pairs that are linked or agreed in a band before."""
        for i, one in enumerate(bucket[:-1].tolist()):
            others = bucket[i + 1 :]
            others = others[self.label[others] != self.label[one]]
            if len(others):
                others = others[~(before[:, others] == before[:, [one]]).any(axis=0)]
                self._compare(one, others)

    def _compare(self, one: int, others: Ints) -> None:
        small = np.minimum(self.size[others], self.size[one])
        large = np.maximum(self.size[others], self.size[one])
        others = self._possible(one, others[small / large >= self.similar])
        its = set(self.shingles.row(one).tolist()) if len(others) else set()
        for other in others.tolist():
            if self.label[other] != self.label[one]:
                common = len(its.intersection(self.shingles.row(other).tolist()))
                if common / (len(its) + int(self.size[other]) - common) >= self.similar:
                    self._join(one, other)

    def _possible(self, one: int, others: Ints) -> Ints:
        """The texts that may have enough in common, by 16 bits of each shingle: none that has is left out."""
        if len(others) < FEW:
            return others
        mark = np.zeros(1 << 16, np.bool_)
        mark[self.short[self.shingles.offsets[one] : self.shingles.offsets[one + 1]]] = True
        kept = []
        for low in range(0, len(others), CHUNK):
            some = others[low : low + CHUNK]
            size = self.size[some]
            first = np.cumsum(size) - size
            places = np.repeat(self.shingles.offsets[some] - first, size) + np.arange(size.sum())
            common = np.add.reduceat(mark[self.short[places]], first, dtype=np.int64)
            kept.append(some[common >= self.similar * (size + self.size[one] - common) - 1e-9])
        return np.concatenate(kept)

    def _join(self, one: int, other: int) -> None:
        """Make one group of two; the smaller takes the other's number."""
        first, second = (int(self.label[row]) for row in (one, other))
        groups = {label: self.members.pop(label, [label]) for label in (first, second)}
        keep, lose = sorted((first, second), key=lambda label: len(groups[label]), reverse=True)
        self.label[groups[lose]] = keep
        self.members[keep] = groups[keep] + groups[lose]
