"""What measures share: the retrieved labelled documents once each, and what the labels hold in all."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.qrels import Qrels

__all__ = [
    "Cut",
    "Cutoff",
    "Floats",
    "Ints",
    "Numbers",
    "Pool",
    "Relevant",
    "View",
    "items_of",
    "leads",
    "log2_of_next",
    "nth_in_query",
    "once",
    "pool_of",
    "ratio",
    "refuse_below_1",
    "sealed",
    "total",
    "view_of",
    "within",
]

Made = TypeVar("Made")
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.int32] | NDArray[np.int64]
"""Numbers of queries."""
Cut: TypeAlias = int | Ints
"""The deepest rank that counts: one for all queries, or one for each query."""
Cutoff: TypeAlias = Cut | None
"""A cut, or the whole ranking."""


class Relevant(msgspec.Struct, frozen=True, eq=False):
    """The relevant documents that were retrieved; `nth` is 1 for the first of its query, then 2, …

    Where several stand at one rank, `nth` counts ranks.
    """

    query: NDArray[np.int32]
    rank: Ints
    nth: Ints


class Pool(msgspec.Struct, frozen=True, eq=False):
    """The labels of each query as counts and ideals, whatever was retrieved; `queries` is their number."""

    queries: int
    query: NDArray[np.int32]
    grade: Floats
    memo: dict[tuple[Any, ...], Any] = {}

    def relevant(self, rel: float) -> Ints:
        """How many relevant labels each query has: R in the formulas."""
        return self._number(max(rel, 0.0), math.inf)

    def nonrelevant(self, rel: float) -> Ints:
        """How many labels each query has that say nonrelevant: N in the formulas."""
        return self._number(0.0, rel)

    def _number(self, low: float, below: float) -> Ints:
        """How many labels have low <= grade < below; low is at least 0: negative grades are no judgments."""
        return once(self.memo, ("number", low, below), lambda: self._count(low, below))

    def _count(self, low: float, below: float) -> Ints:
        chosen = (self.grade >= low) & (self.grade < below)
        return np.bincount(self.query[chosen], minlength=self.queries)

    def ideal_ranking(self) -> tuple[NDArray[np.int32], Ints, Floats]:
        """Query, rank and grade of all labels above 0, the highest grade of each query first."""
        return once(self.memo, ("ideal ranking",), self._ideal_ranking)

    def _ideal_ranking(self) -> tuple[NDArray[np.int32], Ints, Floats]:
        gaining = np.flatnonzero(self.grade > 0)
        query, grade = self.query[gaining], self.grade[gaining]
        if np.any((query[1:] < query[:-1]) | ((query[1:] == query[:-1]) & (grade[1:] > grade[:-1]))):
            best_first = np.lexsort((-grade, query))
            query, grade = query[best_first], grade[best_first]
        return query, nth_in_query(query), grade


class View(msgspec.Struct, frozen=True, eq=False):
    """Each retrieved label once, at its first rank, sorted by query, then rank; arrays only, no Hits."""

    pool: Pool
    retrieved: Ints
    query: NDArray[np.int32]
    rank: Ints
    grade: Floats
    tie_first: Ints
    tie_last: Ints
    repeats: bool
    """Whether a label was retrieved more than once (duplicates kept): only the first rank stands here."""
    shared: bool = False
    """Whether several entries may stand at one rank; then the highest grade of a rank stands first."""
    memo: dict[tuple[Any, ...], Any] = {}

    @property
    def queries(self) -> int:
        """The number of queries, which is the length of every result."""
        return self.pool.queries

    def is_relevant(self, rel: float) -> NDArray[np.bool_]:
        """Which entries are relevant: grade >= rel, and not negative (a negative grade is no judgment)."""
        return self.grade >= max(rel, 0.0)

    def relevant(self, rel: float) -> Relevant:
        """The relevant entries, numbered inside each query."""
        return once(self.memo, ("relevant", rel), lambda: self._relevant(rel))

    def _relevant(self, rel: float) -> Relevant:
        chosen = self.is_relevant(rel)
        query, rank = self.query[chosen], self.rank[chosen]
        return Relevant(query, rank, _nth_rank(query, rank) if self.shared else nth_in_query(query))

    def number(self, query: NDArray[np.int32]) -> Ints:
        """How often each query occurs among these entries."""
        return np.bincount(query, minlength=self.queries)

    def total(self, query: NDArray[np.int32], values: Floats) -> Floats:
        """The sum of the values of each query, added in rank order."""
        return total(query, values, self.queries)


# Both hold arrays and never their key, so an entry goes when its Qrels or Hits goes.
_pools: WeakKeyDictionary[Qrels, Pool] = WeakKeyDictionary()
_views: WeakKeyDictionary[Hits, View] = WeakKeyDictionary()
_items: WeakKeyDictionary[Hits, View] = WeakKeyDictionary()


def pool_of(qrels: Qrels) -> Pool:
    """The pool of labels that stand once for each (query, doc); made once and shared by all runs."""
    if qrels not in _pools:
        _pools[qrels] = Pool(len(qrels.query_ids), qrels.query, qrels.grade)
    return _pools[qrels]


def view_of(hits: Hits) -> View:
    """The view of these hits by document: what measures of documents see. Made once, shared by all."""
    if hits not in _views:
        documents = hits.documents()
        once = documents.first_of_each_label()
        _views[hits] = View(
            pool=pool_of(once.qrels),
            retrieved=once.retrieved,
            query=once.query,
            rank=once.rank,
            grade=once.grade,
            tie_first=once.tie_first,
            tie_last=once.tie_last,
            repeats=len(once) < len(documents),
        )
    return _views[hits]


def items_of(hits: Hits) -> View:
    """The view of these hits by label: what measures of relevant things see (R, AP, nDCG, Rprec, counts).

    Each label as it was given stands once, at the first rank that satisfies it, and the pool holds all of
    them. For labels of documents it is the same as `view_of`.
    """
    if hits.qrels.original is None or hits.qrels.origin is None:
        return view_of(hits)
    if hits not in _items:
        _items[hits] = _by_item(hits, hits.qrels.original, hits.qrels.origin)
    return _items[hits]


def _by_item(hits: Hits, labels: Qrels, origin: Ints) -> View:
    """One entry for each label that something retrieved satisfies, by query, rank, highest grade first."""
    grade = labels.grade.copy()
    np.maximum.at(grade, labels.first_row, labels.grade)  # of several needs the highest
    item = labels.first_row[origin[hits.label]]
    _, entry = np.unique(item, return_index=True)  # entries stand by rank
    entry = entry[np.lexsort((-grade[item[entry]], hits.rank[entry], hits.query[entry]))]
    rows = np.flatnonzero(labels.first_row == np.arange(len(labels)))
    return View(
        pool=Pool(len(labels.query_ids), labels.query[rows], grade[rows]),
        retrieved=hits.retrieved,
        query=hits.query[entry],
        rank=hits.rank[entry],
        grade=grade[item[entry]],
        tie_first=hits.tie_first[entry],
        tie_last=hits.tie_last[entry],
        repeats=len(entry) < len(item),
        shared=True,
    )


def once(memo: dict[tuple[Any, ...], Any], key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
    """What `make` makes, made the first time only; it must hold arrays, never Hits or Qrels."""
    if key not in memo:
        memo[key] = make()
    made: Made = memo[key]
    return made


def nth_in_query(query: Numbers) -> Ints:
    """The position, from 1, of each entry among those of its query; `query` is sorted.

    >>> nth_in_query(np.array([0, 0, 2, 2, 2], np.int32)).tolist()
    [1, 2, 1, 2, 3]
    """
    position = np.arange(len(query), dtype=np.int64)
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    lengths = np.diff(starts, append=len(query))
    return position - np.repeat(starts, lengths) + 1


def leads(query: Numbers, rank: Ints) -> NDArray[np.bool_]:
    """Which entries are the first of their rank; both columns are sorted.

    >>> leads(np.array([0, 0, 0, 1], np.int32), np.array([2, 2, 3, 3])).tolist()
    [True, False, True, True]
    """
    first = np.ones(len(query), np.bool_)
    first[1:] = (query[1:] != query[:-1]) | (rank[1:] != rank[:-1])
    return first


def _nth_rank(query: Numbers, rank: Ints) -> Ints:
    """For each entry how many distinct ranks of its query stand down to its own."""
    first = leads(query, rank)
    nth: Ints = nth_in_query(query[first])[np.cumsum(first) - 1]
    return nth


def total(query: Numbers, values: Floats, queries: int) -> Floats:
    """The sum of the values of each query, in the order in which they stand; 0 for queries without any.

    >>> total(np.array([0, 0, 2], np.int32), np.array([0.5, 0.25, 1.0]), queries=3).tolist()
    [0.75, 0.0, 1.0]
    """
    sums: Floats = np.bincount(query, weights=values, minlength=queries).astype(np.float64, copy=False)
    return sums


def within(rank: Ints, query: Numbers, k: Cutoff) -> NDArray[np.bool_]:
    """Which of these ranks are inside the cutoff of their query."""
    refuse_below_1(k)
    if k is None:
        return np.ones(len(rank), np.bool_)
    return rank <= (k[query] if isinstance(k, np.ndarray) else k)


def refuse_below_1(k: Cutoff) -> None:
    """A cutoff for all queries is at least 1; one for each query may be 0, and then nothing counts."""
    if k is not None and not isinstance(k, np.ndarray) and k < 1:
        raise UsageError(f"k is {k}: a cutoff is at least 1")


def ratio(top: Floats | Ints, bottom: Floats | Ints | int) -> Floats:
    """The quotient, and 0 where the bottom is 0; read-only.

    >>> ratio(np.array([1, 1]), np.array([2, 0])).tolist()
    [0.5, 0.0]
    """
    values = np.zeros(len(top))
    np.divide(top, bottom, out=values, where=np.asarray(bottom) > 0)
    return sealed(values)


def sealed(values: Floats) -> Floats:
    """The same array, read-only from now on."""
    values.flags.writeable = False
    return values


def log2_of_next(rank: Ints) -> Floats:
    """log2(rank + 1), the discount of nDCG, from one table of `math.log2`.

    NumPy's own log2 differs in the last digit between machines; this does not.

    >>> log2_of_next(np.array([1, 3, 7])).tolist()
    [1.0, 2.0, 3.0]
    """
    deepest = int(rank.max(initial=0))
    return _log2_table(max(10, deepest.bit_length()))[rank]


@lru_cache(maxsize=32)
def _log2_table(bits: int) -> Floats:
    """log2(rank + 1) for every rank below 2**bits."""
    return sealed(np.array([math.log2(rank + 1) for rank in range(1 << bits)]))
