"""Labels of several old passages that came to one new passage: one label is left, of the highest grade."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from firsthit.labels.rows import LabelRow

if TYPE_CHECKING:
    from firsthit.labels.carry import Move

__all__ = ["merged"]

Key = tuple[str, str, str]


def merged(moves: Sequence[Move]) -> Iterator[Move]:
    """The moves, but for rows that another old passage's label of a higher or equal grade replaces.

    A label that stood twice for one old passage is as it was: what its grades mean is for the reader of the
    labels, not for a move.
    """
    winner: dict[Key, tuple[float, str]] = {}
    for move in moves:
        for row in move.rows:
            if move.row.doc_id:
                key = _key(row)
                best = winner.get(key)
                if best is None or move.row.grade > best[0]:
                    winner[key] = (move.row.grade, move.row.doc_id)
    return (_without_losers(move, winner) for move in moves)


def _without_losers(move: Move, winner: dict[Key, tuple[float, str]]) -> Move:
    if not move.row.doc_id:
        return move
    kept = tuple(row for row in move.rows if winner[_key(row)][1] == move.row.doc_id)
    if len(kept) == len(move.rows):
        return move
    if kept:
        return msgspec.structs.replace(move, rows=kept)
    grade, other = winner[_key(move.rows[0])]
    why = f"{move.rows[0].doc_id!r} has grade {grade:g} already, from {other!r}"
    return msgspec.structs.replace(move, status="merged", rule="", rows=(), why=why)


def _key(row: LabelRow) -> Key:
    """What may have one grade only: assessors are combined when labels are read."""
    return row.query_id, row.doc_id, row.need
