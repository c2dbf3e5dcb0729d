"""What the difference of two evaluations would be if more documents were judged: exact joint bounds.

The bounds of each evaluation alone are no bounds of a pair: a document that both rank moves both at once.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.ids import Ids
from firsthit.measures.first import reciprocal
from firsthit.record.detail import Ragged

__all__ = [
    "JointBounds",
    "OpenDocuments",
    "Top",
    "first_of_each",
    "joint_bounds",
    "shared_documents",
    "top_of",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Top(msgspec.Struct, frozen=True, eq=False):
    """The first documents of each paired query's ranking in one evaluation: group q is one query.

    `unjudged` marks documents without a label; `first_rank` is the rank of the first relevant document, 0
    where there is none, and may be deeper than the documents held.
    """

    offsets: Ints
    ids: Ids
    unjudged: NDArray[np.bool_]
    first_rank: Ints

    @property
    def query(self) -> Ints:
        """The query that each document belongs to."""
        return np.repeat(np.arange(len(self.first_rank)), np.diff(self.offsets))

    @property
    def rank(self) -> Ints:
        """The rank of each document."""
        return np.arange(len(self.unjudged)) - self.offsets[self.query] + 1

    @property
    def first_ids(self) -> Ids:
        """The document that stands first for each query, "" where there is none."""
        some = self.offsets[1:] > self.offsets[:-1]
        ids = self.ids.subset(self.offsets[:-1][some])
        lengths = np.zeros(len(some) + 1, np.int64)
        lengths[1:][some] = np.diff(ids.offsets)
        return Ids(ids.data, np.cumsum(lengths))

    @property
    def judged_share(self) -> float | None:
        """The share of judged documents; None without a document."""
        return 1 - float(np.count_nonzero(self.unjudged)) / len(self.unjudged) if len(self.unjudged) else None


class OpenDocuments(msgspec.Struct, frozen=True, eq=False):
    """The unjudged documents of either top, one row each: by query, then as OLD and NEW rank them.

    `rank_old` and `rank_new` are 0 where the document is not in that top; `shift` is how much the difference
    of its query changes if it alone turns out relevant.
    """

    query: Ints
    doc_ids: Ids
    rank_old: Ints
    rank_new: Ints
    shift: Floats

    def __len__(self) -> int:
        return len(self.shift)


class JointBounds(msgspec.Struct, frozen=True, eq=False):
    """The smallest and the largest RR difference of each query, and of the mean, after any further judging.

    A query is `disputed` when the sign (-, 0, +) of its difference is not the same at both bounds.
    """

    lower: Floats
    upper: Floats
    mean: tuple[float, float]
    disputed: NDArray[np.bool_]
    documents: OpenDocuments


def top_of(ranked: Ragged, rows: Ints, first_rank: Ints, cutoff: int | None, *, repeats: bool = False) -> Top:
    """The top `cutoff` of the rankings of these rows; with `repeats` a document may stand in one twice.

    A later place of a document says nothing new: it is then not unjudged, whatever its grade.
    """
    lengths = np.diff(ranked.offsets)[rows]
    if cutoff is not None:
        lengths = np.minimum(lengths, cutoff)
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = np.arange(offsets[-1]) + np.repeat(ranked.offsets[rows] - offsets[:-1], lengths)
    top = Top(offsets, ranked.ids.subset(places), np.isnan(ranked.number[places]), first_rank[rows])
    if repeats:
        first = first_of_each(top.query, top.ids) == np.arange(len(top.unjudged))
        top = msgspec.structs.replace(top, unjudged=top.unjudged & first)
    return top


def joint_bounds(old: Top, new: Top, cutoff: int | None) -> JointBounds:
    """The exact bounds of RR@cutoff of NEW - OLD over every way to judge the unjudged documents.

    Exact where both tops hold everything to the cutoff, the order is fixed and unjudged counts as not
    relevant. Relevant documents other than a query's best one change nothing, so each extreme is attained
    with no unjudged document relevant, or with exactly one.

    >>> offsets, ids = np.array([0, 2]), Ids.of(["a", "x"])
    >>> old = Top(offsets, ids, np.array([False, True]), np.array([1]))
    >>> new = Top(offsets, Ids.of(["x", "a"]), np.array([True, False]), np.array([2]))
    >>> found = joint_bounds(old, new, 10)
    >>> found.lower.tolist(), found.upper.tolist(), found.disputed.tolist()
    ([-0.5], [0.0], [True])
    """
    documents = _open_documents(old, new)
    now = reciprocal(new.first_rank, cutoff) - reciprocal(old.first_rank, cutoff)
    then = _value_with(new, documents.query, documents.rank_new, cutoff)
    then = then - _value_with(old, documents.query, documents.rank_old, cutoff)
    lower, upper = now.copy(), now.copy()
    np.minimum.at(lower, documents.query, then)
    np.maximum.at(upper, documents.query, then)
    disputed = np.sign(lower) != np.sign(upper)
    for array in (lower, upper, disputed):
        array.flags.writeable = False
    documents = msgspec.structs.replace(documents, shift=then - now[documents.query])
    return JointBounds(lower, upper, (_mean(lower), _mean(upper)), disputed, documents)


def shared_documents(old: Top, new: Top) -> int:
    """How many documents stand in both tops of their query.

    >>> ids, none = Ids.of(["a", "x"]), np.zeros(2, bool)
    >>> one, other = (Top(np.array(ends), ids, none, np.zeros(2, int)) for ends in ([0, 1, 2], [0, 2, 2]))
    >>> shared_documents(one, other)
    1
    """
    query = np.concatenate([old.query, new.query])
    first = first_of_each(query, Ids.joined(old.ids, new.ids))
    return int(np.count_nonzero(first[len(old.unjudged) :] < len(old.unjudged)))


def _mean(values: Floats) -> float:
    return math.fsum(values) / len(values) if len(values) else math.nan


def _value_with(top: Top, query: Ints, rank: Ints, cutoff: int | None) -> Floats:
    """RR of the query if the document at this rank (0: in no place of this top) is relevant too."""
    first = top.first_rank[query]
    found = np.where(rank == 0, first, np.where(first == 0, rank, np.minimum(first, rank)))
    return reciprocal(found, cutoff)


def _open_documents(old: Top, new: Top) -> OpenDocuments:
    """The unjudged documents of both tops, those that stand in both once."""
    at_old, at_new = np.flatnonzero(old.unjudged), np.flatnonzero(new.unjudged)
    query = np.concatenate([old.query[at_old], new.query[at_new]])
    ids = Ids.joined(old.ids.subset(at_old), new.ids.subset(at_new))
    first = first_of_each(query, ids)
    rank_old, rank_new = np.zeros(len(query), np.int64), np.zeros(len(query), np.int64)
    rank_old[: len(at_old)] = old.rank[at_old]
    rank_new[first[len(at_old) :]] = new.rank[at_new]
    once = np.flatnonzero(first == np.arange(len(query)))
    once = once[np.argsort(query[once], kind="stable")]
    return OpenDocuments(query[once], ids.subset(once), rank_old[once], rank_new[once], np.zeros(len(once)))


def first_of_each(query: Ints, ids: Ids) -> Ints:
    """For each (query, document) the place where it first stands."""
    numbers = Ids.of(map(str, range(int(query.max(initial=-1)) + 1))).subset(query)
    index = _core.Labels((numbers.data, numbers.offsets), (ids.data, ids.offsets))
    return index.first_row
