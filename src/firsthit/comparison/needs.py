"""Queries whose first hit improved while a need that was covered is covered no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from firsthit.comparison.changes import within
from firsthit.comparison.pairs import Pairs

__all__ = ["LostNeed", "Traded", "traded_of"]


class LostNeed(msgspec.Struct, frozen=True):
    """A need whose first source stood in the window before; `rank_new` is None where none is retrieved."""

    need: str
    rank_old: int
    rank_new: int | None


class Traded(msgspec.Struct, frozen=True):
    """A query whose first hit is nearer and some of whose needs fell out of the window."""

    query_id: str
    first_rank_old: int
    first_rank_new: int
    needs: tuple[LostNeed, ...]


def traded_of(pairs: Pairs, cutoff: int | None) -> tuple[Traded, ...]:
    """These queries, in their order; none where a record knows no needs.

    The window is the cutoff of the primary measure, or the whole ranking. The needs are those that count:
    the required ones, where a queries file names them.
    """
    old, new = pairs.old.detail.needs, pairs.new.detail.needs
    if old is None or new is None:
        return ()
    first_old, first_new = (within(ranks, cutoff) for ranks in pairs.first_ranks)
    nearer = (first_new > 0) & (first_new < first_old)
    found = []
    for i in nearer.nonzero()[0].tolist():
        before, after = old[pairs.rows_old[i]], new[pairs.rows_new[i]]
        if lost := tuple(_lost(before, after, cutoff)):
            found.append(Traded(pairs.query_ids[i], int(first_old[i]), int(first_new[i]), lost))
    return tuple(found)


def _lost(
    before: Mapping[str, int | None], after: Mapping[str, int | None], cutoff: int | None
) -> Iterator[LostNeed]:
    for need, rank_old in before.items():
        rank_new = after.get(need)
        if _inside(rank_old, cutoff) and rank_old is not None and not _inside(rank_new, cutoff):
            yield LostNeed(need, rank_old, rank_new)


def _inside(rank: int | None, cutoff: int | None) -> bool:
    return rank is not None and (cutoff is None or rank <= cutoff)
