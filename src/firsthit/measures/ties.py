"""Values over the orders of tied documents: best, worst, and the exact mean over all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.measures.first import reached, reciprocal
from firsthit.measures.gain import Gain, gains, ideal
from firsthit.measures.view import (
    Cut,
    Cutoff,
    Floats,
    Ints,
    log2_of_next,
    nth_in_query,
    once,
    ratio,
    refuse_below_1,
    sealed,
    view_of,
)

__all__ = [
    "FirstGroup",
    "expected_ndcg",
    "expected_precision",
    "expected_rbp",
    "expected_recall",
    "expected_rr",
    "expected_success",
    "first_group",
    "mean_over_orders",
]


class FirstGroup(msgspec.Struct, frozen=True, eq=False):
    """The first tied group of each query that holds a wanted document; `size` is 0 where there is none.

    `before` documents stand above the group, `size` are in it, `wanted` of these are wanted.
    """

    before: Ints
    size: Ints
    wanted: Ints

    @property
    def best_rank(self) -> Ints:
        """The first wanted rank when wanted documents come first; 0 for none."""
        return np.where(self.size > 0, self.before + 1, 0)

    @property
    def worst_rank(self) -> Ints:
        """The first wanted rank when wanted documents come last; 0 for none."""
        return np.where(self.size > 0, self.before + self.size - self.wanted + 1, 0)


def first_group(hits: Hits, rel: float = 1.0) -> FirstGroup:
    """The first tied group with a relevant document; a document that ties with none is a group of one."""
    return once(view_of(hits).memo, ("first group", rel), lambda: _first_group(hits.documents(), rel))


def _first_group(documents: Hits, rel: float) -> FirstGroup:
    chosen = documents.grade >= max(rel, 0.0)
    query, tie_first = documents.query[chosen], documents.tie_first[chosen]
    first = nth_in_query(query) == 1
    before, size = (np.zeros(len(documents.retrieved), np.int64) for _ in range(2))
    before[query[first]] = tie_first[first] - 1
    size[query[first]] = documents.tie_last[chosen][first] - before[query[first]]
    in_group = tie_first == before[query] + 1
    return FirstGroup(before, size, np.bincount(query[in_group], minlength=len(size)))


def expected_rr(hits: Hits, k: Cutoff = None, rel: float = 1.0) -> Floats:
    """The mean of RR over all orders of tied documents."""
    return mean_over_orders(first_group(hits, rel), k, "RR")


def expected_success(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """The mean of Success over all orders of tied documents: the probability of a hit in the top k."""
    return mean_over_orders(first_group(hits, rel), k, "Success")


def mean_over_orders(group: FirstGroup, k: Cutoff, what: Literal["RR", "Success"]) -> Floats:
    """The mean of RR or Success over all orders of the first group with a wanted document.

    With s documents before the group, t in it and r of them wanted, the first wanted one is the j-th of the
    group with probability p(j) = C(t - j, r - 1) / C(t, r): p(1) = r/t, then p(j + 1) = p(j) (t - j - r + 1)
    / (t - j). The mean is the sum of p(j)/(s + j), or of p(j), over the j with s + j <= k.

    >>> one = np.array([1])
    >>> mean_over_orders(FirstGroup(before=one, size=2 * one, wanted=one), None, "RR").round(4).tolist()
    [0.4167]
    """
    last = group.size - group.wanted + 1
    if k is not None:
        last = np.minimum(last, k - group.before)
    last = np.where(group.size > 0, last, 0)
    means = reciprocal(group.best_rank, k) if what == "RR" else reached(group.worst_rank, k)
    open_ones = np.flatnonzero((last > 0) & (group.size > group.wanted) & ((what == "RR") | (means < 1)))
    means = means.copy()
    for chosen in _alike(open_ones, last):
        before, size, wanted = (part[chosen, None] for part in (group.before, group.size, group.wanted))
        probability = _first_at(size, wanted, last[chosen])
        place = np.arange(1, probability.shape[1] + 1)
        means[chosen] = (probability / (before + place) if what == "RR" else probability).sum(axis=1)
    return sealed(np.minimum(means, 1.0))


def _first_at(size: Ints, wanted: Ints, last: Ints) -> Floats:
    """The probability that the j-th document of a group is its first wanted one; 0 beyond `last`."""
    j = np.arange(1, int(last.max()))
    steps = np.maximum(size - j - wanted + 1, 0) / np.maximum(size - j, 1)
    probability = np.cumprod(np.hstack([wanted / size, steps]), axis=1)
    probability[np.arange(1, probability.shape[1] + 1) > last[:, None]] = 0.0
    return probability


def _alike(queries: Ints, length: Ints, cells: int = 1 << 17) -> list[Ints]:
    """The queries in parts of similar length, so that a table of one row a query stays small."""
    by_length = queries[np.argsort(length[queries], kind="stable")]
    octave = np.frexp(length[by_length].astype(np.float64))[1]
    parts = np.split(by_length, np.flatnonzero(np.diff(octave)) + 1) if len(by_length) else []
    rows = [max(1, cells // int(length[part].max())) for part in parts]
    return [part[i : i + n] for part, n in zip(parts, rows, strict=True) for i in range(0, len(part), n)]


def expected_precision(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """The mean of P over all orders of tied documents."""
    return ratio(_expected_number(hits, k, rel), k)


def expected_recall(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """The mean of R over all orders of tied documents."""
    _refuse_resolved(hits, "R")
    return ratio(_expected_number(hits, k, rel), view_of(hits).pool.relevant(rel))


def expected_ndcg(hits: Hits, k: Cutoff = None, dcg: Gain = "log2") -> Floats:
    """The mean of nDCG over all orders of tied documents."""
    _refuse_resolved(hits, "nDCG")
    view = view_of(hits)
    best = ideal(view.pool, k, dcg)
    return ratio(_weighed(hits, gains(view.grade, dcg), k, _discount, _discounts_to), best)


def expected_rbp(hits: Hits, k: Cutoff = None, rel: float = 1.0, p: float = 0.8) -> Floats:
    """The mean of RBP over all orders of tied documents."""
    relevant = view_of(hits).is_relevant(rel).astype(np.float64)
    return sealed(
        _weighed(hits, relevant, k, lambda rank: (1.0 - p) * p ** (rank - 1.0), lambda rank: 1.0 - p**rank)
    )


def _refuse_resolved(hits: Hits, name: str) -> None:
    """A label that several passages satisfy counts at the first of them, and which that is ties decide."""
    if hits.qrels.original is not None:
        raise UsageError(
            f"{name} has no exact mean over the orders of ties for labels of sources, spans or quotes",
            hint="Choose another rule than ties=expected, or RR, Success, P or RBP.",
        )


def _expected_number(hits: Hits, k: Cut, rel: float) -> Floats:
    relevant = view_of(hits).is_relevant(rel).astype(np.float64)
    return _weighed(hits, relevant, k, np.ones_like, lambda rank: rank)


def _weighed(
    hits: Hits,
    gain: Floats,
    k: Cutoff,
    weight: Callable[[Floats], Floats],
    weights_to: Callable[[Floats], Floats],
) -> Floats:
    """The sum of gain × mean weight of the ranks that a document can take: those of its tie group.

    `weight` is the weight of a rank, `weights_to` the sum of the weights of all ranks down to it.
    """
    view = view_of(hits)
    if view.repeats:
        raise UsageError(
            "the mean over the orders of ties is not defined where a document stands twice in a ranking",
            hint="Remove duplicates: --duplicates best.",
        )
    refuse_below_1(k)
    limit = np.inf if k is None else (k[view.query] if isinstance(k, np.ndarray) else k)
    first, last = view.tie_first, view.tie_last
    chosen = (gain > 0) & (first <= limit)
    limit = np.broadcast_to(limit, first.shape)[chosen]
    first, last, query = first[chosen], last[chosen], view.query[chosen]
    top = (first - 1).astype(np.float64)
    mean = (weights_to(np.minimum(last, limit)) - weights_to(top)) / (last - top)
    return view.total(query, gain[chosen] * np.where(first == last, weight(first.astype(np.float64)), mean))


def _discount(rank: Floats) -> Floats:
    return 1.0 / log2_of_next(rank.astype(np.int64))


def _discounts_to(rank: Floats) -> Floats:
    deepest = int(rank.max(initial=0))
    return _discount_sums(deepest.bit_length())[rank.astype(np.int64)]


@lru_cache(maxsize=32)
def _discount_sums(bits: int) -> NDArray[np.float64]:
    """The sum of the discounts of nDCG down to every rank below 2**bits; 0 at rank 0."""
    ranks = np.arange(1, 1 << bits)
    return sealed(np.concatenate([[0.0], np.cumsum(1.0 / log2_of_next(ranks))]))
