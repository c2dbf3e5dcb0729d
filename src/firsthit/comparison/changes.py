"""What changed for each query: its first rank before and after, and the transitions of all queries."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["CHANGES", "Transition", "Transitions", "changes_of", "transitions_of", "within"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHANGES = ("gained", "lost", "up", "down", "same", "both_miss")
"""The words for the codes of a change: index into this tuple."""

GAINED, LOST, UP, DOWN, SAME, BOTH_MISS = range(len(CHANGES))


class Transition(msgspec.Struct, frozen=True):
    """All queries whose first rank went from `old` to `new`; None is no hit within the cutoff.

    `contribution` is what they add to the mean difference, `share` that as a share of the whole mean
    difference: shares sum to 1, may be negative or above 1, and are None where the difference is 0.
    """

    old: int | None
    new: int | None
    queries: int
    contribution: float
    share: float | None


class Transitions(msgspec.Struct, frozen=True):
    """The rank-transition matrix over 1..cutoff and none, as its cells that hold a query.

    The cells are sorted by old rank, then new rank, none last. Without a cutoff `deepest` is the deepest
    first rank that occurs.
    """

    deepest: int
    cells: tuple[Transition, ...]

    def matrix(self) -> Ints:
        """The numbers of queries: row old, column new, ranks 1..deepest, then none."""
        counts = np.zeros((self.deepest + 1, self.deepest + 1), np.int64)
        for cell in self.cells:
            counts[(cell.old or 0) - 1, (cell.new or 0) - 1] = cell.queries
        return counts

    def by_weight(self) -> tuple[Transition, ...]:
        """The cells with a contribution, the largest first, whatever its sign."""
        moved = [cell for cell in self.cells if cell.contribution]
        return tuple(sorted(moved, key=lambda cell: -abs(cell.contribution)))


def changes_of(old: Ints, new: Ints, cutoff: int | None) -> NDArray[np.int8]:
    """The code of each query's change, from its first ranks (0: no hit); a rank beyond the cutoff is none.

    >>> codes = changes_of(np.array([0, 3, 3, 1, 2, 0, 12]), np.array([1, 0, 1, 2, 2, 0, 11]), 10)
    >>> [CHANGES[code] for code in codes]
    ['gained', 'lost', 'up', 'down', 'same', 'both_miss', 'both_miss']
    """
    old, new = within(old, cutoff), within(new, cutoff)
    conditions = [(old == 0) & (new == 0), old == 0, new == 0, new < old, new > old]
    codes = np.select(conditions, [BOTH_MISS, GAINED, LOST, UP, DOWN], SAME).astype(np.int8)
    codes.flags.writeable = False
    return codes


def within(first_rank: Ints, cutoff: int | None) -> Ints:
    """The first ranks, 0 where they are deeper than the cutoff."""
    return first_rank if cutoff is None else np.where(first_rank <= cutoff, first_rank, 0)


def transitions_of(old: Ints, new: Ints, difference: Floats, cutoff: int | None) -> Transitions:
    """The transitions of these first ranks, with what each adds to the mean of `difference`.

    >>> found = transitions_of(np.array([1, 1, 9]), np.array([2, 2, 10]), np.array([-.5, -.5, -1 / 90]), 10)
    >>> [(cell.old, cell.new, cell.queries, round(cell.share, 3)) for cell in found.cells]
    [(1, 2, 2, 0.989), (9, 10, 1, 0.011)]
    """
    old, new = within(old, cutoff), within(new, cutoff)
    deepest = int(max(old.max(initial=1), new.max(initial=1))) if cutoff is None else cutoff
    row, column = (np.where(rank == 0, deepest, rank - 1) for rank in (old, new))
    cell = row * (deepest + 1) + column
    order = np.argsort(cell, kind="stable")
    starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
    whole = math.fsum(difference)
    cells = []
    for places in np.split(order, starts[1:]) if len(order) else ():
        first = places[0]
        moved = math.fsum(difference[places])
        cells.append(
            Transition(
                old=int(old[first]) or None,
                new=int(new[first]) or None,
                queries=len(places),
                contribution=moved / len(difference),
                share=moved / whole if whole else None,
            )
        )
    return Transitions(deepest, tuple(cells))
