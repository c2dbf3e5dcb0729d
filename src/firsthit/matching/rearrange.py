"""New ranks for the labelled documents of a run, as arrays: condensed, or with ties in another order."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["Documents", "condensed_ranks", "group_bounds", "new_ranks_of_unlabelled", "runs_of", "tied_ranks"]

Ints = NDArray[np.int64]


class Documents(msgspec.Struct, frozen=True, eq=False):
    """The retrieved labelled documents, sorted by query, then rank: one each, whatever its label rows.

    `entry` is the first entry of the document among the hits, `of_entry` the document of each hit, `grade`
    the highest over its label rows.
    """

    entry: Ints
    of_entry: Ints
    query: NDArray[np.int32]
    rank: Ints
    tie_first: Ints
    tie_last: Ints
    grade: NDArray[np.float64]

    @classmethod
    def of(
        cls, query: NDArray[np.int32], rank: Ints, tie_first: Ints, tie_last: Ints, grade: NDArray[np.float64]
    ) -> Documents:
        """The documents of these hits: entries of one query with one rank are one document."""
        entry, of_entry = runs_of(query, rank)
        highest = np.maximum.reduceat(grade, entry) if len(entry) else grade  # right: no run is empty
        return cls(entry, of_entry, query[entry], rank[entry], tie_first[entry], tie_last[entry], highest)


def runs_of(*columns: NDArray[np.int32] | Ints) -> tuple[Ints, Ints]:
    """Where each run of equal rows starts, and the number of the run that each row is in.

    >>> starts, number = runs_of(np.array([0, 0, 1, 1]), np.array([1, 2, 2, 2]))
    >>> starts.tolist(), number.tolist()
    ([0, 1, 2], [0, 1, 2, 2])
    """
    changes = np.zeros(len(columns[0]), np.bool_)
    changes[:1] = True
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changes), np.cumsum(changes) - 1


def condensed_ranks(query: NDArray[np.int32]) -> Ints:
    """The ranks when exactly these documents stay, in the order they have."""
    starts, number = runs_of(query)
    return np.arange(len(query)) - starts[number] + 1


def group_bounds(query: NDArray[np.int32], tie_first: Ints, rank: Ints) -> tuple[Ints, Ints]:
    """The first and last of the new ranks among the documents of each old tie group."""
    starts, number = runs_of(query, tie_first)
    ends = np.append(starts, len(query))[1:] - 1 if len(query) else starts
    return rank[starts][number], rank[ends][number]


def tied_ranks(documents: Documents, order: Literal["best", "worst"]) -> Ints:
    """The ranks when tied documents stand with the highest (or lowest) grade first, then as they stand now.

    Unjudged documents count as grade 0 and need not be known: inside a tie group they and the labelled
    documents of grade 0 and below keep their order, so each moves by the number of higher grades that pass.
    """
    starts, group = runs_of(documents.query, documents.tie_first)
    high = documents.grade > 0
    before, total = _high_before(starts, group, high)
    rank = documents.rank + (total - before if order == "best" else -before)
    rank[high] = _ranks_of_high(documents, group, total, order)[high]
    return rank


def new_ranks_of_unlabelled(
    documents: Documents, query: NDArray[np.int32], rank: Ints, order: Literal["best", "worst"]
) -> Ints:
    """The ranks of documents without a label, known by query and rank, when ties are put in this order."""
    starts, group = runs_of(documents.query, documents.tie_first)
    high = documents.grade > 0
    before, total = _high_before(starts, group, high)
    deepest = max(int(documents.rank.max(initial=0)), int(rank.max(initial=0))) + 1
    labelled = documents.query.astype(np.int64) * deepest + documents.rank
    following = np.searchsorted(labelled, query.astype(np.int64) * deepest + rank)
    near = following if order == "best" else following - 1
    inside = (near >= 0) & (near < len(documents.rank))
    near = near[inside]
    tied = (
        (documents.query[near] == query[inside])
        & (documents.tie_first[near] <= rank[inside])
        & (documents.tie_last[near] >= rank[inside])
    )
    passed = (total - before)[near] if order == "best" else -(before + high)[near]
    moved = rank.copy()
    moved[inside] += np.where(tied, passed, 0)
    return moved


def _high_before(starts: Ints, group: Ints, high: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """For each document, how many of a grade above 0 stand before it in its tie group, and how many in it."""
    so_far: Ints = np.cumsum(high) - high
    before: Ints = so_far - so_far[starts][group]
    return before, np.bincount(group[high], minlength=len(starts))[group]


def _ranks_of_high(documents: Documents, group: Ints, total: Ints, order: Literal["best", "worst"]) -> Ints:
    """The ranks of the documents of a grade above 0 (the other ranks returned mean nothing)."""
    high = np.flatnonzero(documents.grade > 0)
    grade = documents.grade[high]
    in_order = high[np.lexsort((documents.rank[high], -grade if order == "best" else grade, group[high]))]
    starts, number = runs_of(group[in_order])
    place = np.arange(len(in_order)) - starts[number]
    first = documents.tie_first if order == "best" else documents.tie_last - total + 1
    ranks = np.zeros(len(group), np.int64)
    ranks[in_order] = first[in_order] + place
    return ranks
