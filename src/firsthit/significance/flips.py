"""The paired randomization test: which sums would chance signs have given?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from firsthit.significance.differences import Clusters, Floats, units

Words: TypeAlias = NDArray[np.uint64]

__all__ = ["EXACT_UP_TO", "SignFlip", "sign_flip"]

EXACT_UP_TO = 20
"""With so many non-zero differences or fewer, every pattern of signs is counted."""

TOLERANCE = 1e-12
"""Sums this close to the observed one, as a share of the sum of all sizes, equal it but for rounding."""

BATCH = 8192
"""Draws made at a time: their sums and one word of each stay in the processor's cache."""


class SignFlip(msgspec.Struct, frozen=True):
    """The two-sided p of the sign-flip test; `draws` is the number of sign patterns looked at.

    `smallest_p` is the smallest p that so many non-zero differences (or draws) can give.
    """

    p: float
    exact: bool
    draws: int
    nonzero: int
    smallest_p: float


def sign_flip(
    differences: ArrayLike, *, seed: int, draws: int = 100_000, clusters: Clusters = None
) -> SignFlip:
    """Paired sign-flip randomization test: under the null each difference is as likely as its negative.

    Zeros are dropped, which changes nothing: their sign does not matter. Up to 20 non-zero differences, all
    patterns of signs are counted and p is exact; beyond, `draws` patterns are drawn and p = (extreme + 1) /
    (draws + 1), which is never 0. A pattern is extreme when |its sum| >= |the observed sum|, but for rounding
    (1e-12 of the sum of all sizes). Signs are drawn for the sizes in ascending order, from bits that NumPy
    keeps the same: neither the order of queries, nor which system is called new, nor the machine changes p.
    With `clusters`, the differences of a cluster are summed and take one sign together.

    Source: Fisher, The Design of Experiments, 1935; for retrieval Smucker, Allan, Carterette, CIKM 2007.

    >>> sign_flip([0.5, 0.5, 0.5, 0.0], seed=0)
    SignFlip(p=0.25, exact=True, draws=8, nonzero=3, smallest_p=0.25)
    """
    sums = units(differences, clusters).sums
    sizes = np.sort(np.abs(sums[sums != 0]))
    extreme_from = abs(math.fsum(sums.tolist())) - TOLERANCE * math.fsum(sizes.tolist())
    if len(sizes) <= EXACT_UP_TO:
        return _exact(sizes, extreme_from)
    return _drawn(sizes, extreme_from, seed, draws)


def _exact(sizes: Floats, extreme_from: float) -> SignFlip:
    patterns = 1 << len(sizes)
    extreme = patterns if extreme_from <= 0 else _extreme_patterns(sizes, extreme_from)
    return SignFlip(extreme / patterns, True, patterns, len(sizes), min(1.0, 2 / patterns))


def _extreme_patterns(sizes: Floats, extreme_from: float) -> int:
    """How many patterns of signs give a sum of at least this size, which is above 0.

    Each pattern is one of the first half with one of the second: two sorted lists of at most 1,024 sums.
    """
    first, second = _all_sums(sizes[::2]), np.sort(_all_sums(sizes[1::2]))
    above = len(second) - np.searchsorted(second, extreme_from - first, side="left")
    below = np.searchsorted(second, -extreme_from - first, side="right")
    return int(above.sum() + below.sum())


def _all_sums(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _drawn(sizes: Floats, extreme_from: float, seed: int, draws: int) -> SignFlip:
    sums_of = _adder(sizes)
    extreme = 0
    for signs in _drawn_signs(len(sizes), seed, draws):
        extreme += int(np.count_nonzero(np.abs(sums_of(signs)) >= extreme_from))
    return SignFlip((extreme + 1) / (draws + 1), False, draws, len(sizes), 1 / (draws + 1))


def _drawn_signs(number: int, seed: int, draws: int) -> Iterator[Words]:
    """Random signs as words[draw, sixty-four sizes], in batches; the batches do not change the draws.

    The sign of size i is bit i % 64 of word i // 64: the same bits, and the same p, however they are added.
    """
    words = -(-number // 64)
    generator = np.random.PCG64(seed)
    for start in range(0, draws, BATCH):
        rows = min(BATCH, draws - start)
        yield generator.random_raw(rows * words).astype("<u8", copy=False).reshape(rows, words)


def _adder(sizes: Floats) -> Callable[[Words], Floats]:
    """What adds up the sizes under drawn signs: by numbers of equal sizes where they are few, else by bytes.

    NumPy counts bits since 2.0.
    """
    runs = _runs(sizes)
    if 2 * len(runs) <= len(sizes) // 8 and hasattr(np, "bitwise_count"):
        return partial(_sums_by_runs, runs, math.fsum(sizes.tolist()))
    return partial(_sums_by_bytes, _byte_tables(sizes))


class _Run(NamedTuple):
    """Equal sizes whose signs are the bits `mask` of one word."""

    word: int
    mask: np.uint64
    size: float


def _runs(sizes: Floats) -> list[_Run]:
    """Equal sizes side by side, cut where a word ends."""
    places = np.arange(len(sizes))
    starts = np.flatnonzero((np.diff(sizes, prepend=-1.0) != 0) | (places % 64 == 0)).tolist()
    ends = [*starts[1:], len(sizes)]
    return [
        _Run(start // 64, np.uint64(((1 << end - start) - 1) << start % 64), float(sizes[start]))
        for start, end in zip(starts, ends, strict=True)
    ]


def _sums_by_runs(runs: list[_Run], total: float, signs: Words) -> Floats:
    """How many of the equal sizes are positive decides their sum: the set bits, a binomial number."""
    words = np.ascontiguousarray(signs.T)
    positive = np.zeros(len(signs))
    for word, mask, size in runs:
        positive += np.bitwise_count(words[word] & mask) * size
    return 2 * positive - total


def _sums_by_bytes(tables: Floats, signs: Words) -> Floats:
    """One number for eight signs at a time, looked up."""
    sums = np.zeros(len(signs))
    for table, byte in zip(tables, np.ascontiguousarray(signs.view(np.uint8).T), strict=False):
        sums += table.take(byte)
    return sums


def _byte_tables(sizes: Floats) -> Floats:
    """For every eight sizes the sum under each of the 256 patterns of their signs: table[group, byte].

    Sums are added in a fixed order, element by element, so that every machine rounds alike.
    """
    eights = np.zeros((-(-len(sizes) // 8), 8))
    eights.flat[: len(sizes)] = sizes
    tables = np.zeros((len(eights), 256))
    byte = np.arange(256)
    for bit in range(8):
        tables += np.where(byte >> bit & 1, 1.0, -1.0) * eights[:, bit : bit + 1]
    return tables
