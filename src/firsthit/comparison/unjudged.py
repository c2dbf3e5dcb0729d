"""Unjudged documents in a pair: the joint bounds where they are exact, and what could turn the verdict."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.card.card import Card
from firsthit.comparison.changes import within
from firsthit.comparison.comparison import Turning, Verdict
from firsthit.comparison.pairs import Pairs
from firsthit.pair_bounds import JointBounds, Top, joint_bounds, top_of
from firsthit.record.record import Record

__all__ = ["Tops", "bounds_of", "tops_of", "turning_of", "turns", "with_unjudged"]

Ints = NDArray[np.int64]

NOISE = 1e-12
"""A mean difference up to this size is rounding."""


class Tops(msgspec.Struct, frozen=True, eq=False):
    """The tops of both, and whether each reaches the cutoff or the ranking's end."""

    cutoff: int | None
    old: Top
    new: Top
    whole_old: NDArray[np.bool_]
    whole_new: NDArray[np.bool_]

    def unjudged_above(self) -> tuple[Ints, Ints]:
        """The unjudged documents above each first hit, down to the cutoff; -1 where ids are lacking."""
        return _above(self.old, self.whole_old, self.cutoff), _above(self.new, self.whole_new, self.cutoff)


def tops_of(pairs: Pairs, cutoff: int | None) -> Tops:
    """The top `cutoff` of both rankings of each pair."""
    old, whole_old = _top(pairs.old, pairs.rows_old, cutoff)
    new, whole_new = _top(pairs.new, pairs.rows_new, cutoff)
    return Tops(cutoff, old, new, whole_old, whole_new)


def _top(record: Record, rows: Ints, cutoff: int | None) -> tuple[Top, NDArray[np.bool_]]:
    repeats = record.card.rules.duplicates == "keep"
    top = top_of(record.detail.ranked, rows, record.first_rank, cutoff, repeats=repeats)
    wanted = np.maximum(record.retrieved[rows], 0)
    if cutoff is not None:
        wanted = np.minimum(wanted, cutoff)
    return top, np.diff(top.offsets) >= wanted


def _above(top: Top, whole: NDArray[np.bool_], cutoff: int | None) -> Ints:
    first = within(top.first_rank, cutoff)[top.query]
    above = top.unjudged & ((first == 0) | (top.rank < first))
    counts = np.bincount(top.query[above], minlength=len(top.first_rank))
    held = np.diff(top.offsets)
    known = whole | ((top.first_rank > 0) & (top.first_rank <= held + 1))
    found = np.where(known, counts, -1)
    found.flags.writeable = False
    return found


def bounds_of(pairs: Pairs, tops: Tops) -> tuple[JointBounds | None, str]:
    """The joint bounds, or None and the reason why there are none."""
    reason = next(_obstacles(pairs, tops), "")
    return (None, reason) if reason else (joint_bounds(tops.old, tops.new, tops.cutoff), "")


def _obstacles(pairs: Pairs, tops: Tops) -> Iterator[str]:
    old, new = pairs.old.card, pairs.new.card
    if old.run.id_space != new.run.id_space:
        yield f"the ids are of two kinds ({old.run.id_space} and {new.run.id_space})"
    rules = old.rules
    if rules.ties in ("best", "worst", "expected"):
        yield f"ties = {rules.ties} leaves the order of documents open"
    if rules.unjudged == "condensed":
        yield "the rankings are condensed: unjudged documents were removed"
    for name, card, whole in (
        (pairs.old_name, old, tops.whole_old),
        (pairs.new_name, new, tops.whole_new),
    ):
        if not whole.all():
            yield _too_shallow(name, card, int(np.count_nonzero(~whole)))


def _too_shallow(name: str, card: Card, queries: int) -> str:
    return (
        f"{name} keeps only the top {card.depth} of each ranking, less than the measure looks at "
        f"({queries:,} {'query' if queries == 1 else 'queries'})"
    )


def turns(bounds: JointBounds, difference: float, margin: float | None = None) -> bool:
    """Whether further judging alone could turn what was found.

    A direction turns when the mean difference could become 0 or change its sign; with a margin, equivalence
    turns when it could leave the margin.
    """
    low, high = bounds.mean
    if margin is not None:
        return low < -margin or high > margin
    if abs(difference) <= NOISE:
        return low < -NOISE or high > NOISE
    return low <= NOISE if difference > 0 else high >= -NOISE


def turning_of(
    pairs: Pairs, bounds: JointBounds, difference: float, margin: float | None = None
) -> tuple[Turning, ...]:
    """The unjudged documents that could turn it, best first: of each query the one that moves the mean most.

    `enough` marks the first ones, which suffice together if all of them are relevant. Nothing is listed
    where even all of them do not suffice.
    """
    if not turns(bounds, difference, margin):
        return ()
    sign, distance = _way(bounds, difference, margin)
    chosen = _best_of_each_query(bounds, sign)
    shift = bounds.documents.shift[chosen] / len(pairs.query_ids)
    moved = np.cumsum(np.abs(shift))
    enough = moved - np.abs(shift) < distance - NOISE
    documents = bounds.documents
    return tuple(
        Turning(*fields)
        for fields in zip(
            pairs.query_ids.take(documents.query[chosen]),
            documents.doc_ids.take(chosen),
            documents.rank_old[chosen].tolist(),
            documents.rank_new[chosen].tolist(),
            shift.tolist(),
            enough.tolist(),
            strict=True,
        )
    )


def _way(bounds: JointBounds, difference: float, margin: float | None) -> tuple[int, float]:
    """In which direction the mean must move to turn, and how far."""
    low, high = bounds.mean
    if margin is None:
        sign = 1 if difference < -NOISE or (abs(difference) <= NOISE and high > -low) else -1
        return sign, max(abs(difference), 2 * NOISE)
    sign = 1 if high - margin > -margin - low else -1
    return sign, margin - sign * difference


def _best_of_each_query(bounds: JointBounds, sign: int) -> Ints:
    """Of each query the document that moves it most in this direction; those with the largest move first."""
    documents = bounds.documents
    moving = np.flatnonzero(documents.shift * sign > 0)
    size = np.abs(documents.shift[moving])
    order = moving[np.lexsort((documents.rank_new[moving], documents.query[moving], -size))]
    _, first = np.unique(documents.query[order], return_index=True)
    return order[np.sort(first)]


def with_unjudged(
    verdict: Verdict,
    pairs: Pairs,
    bounds: JointBounds | None,
    *,
    reason: str,
    difference: float,
    margin: float | None,
) -> tuple[Verdict, tuple[Turning, ...]]:
    """The verdict with what unjudged documents could do to it, and these documents."""
    if bounds is None:
        return _because(verdict, f"what unjudged documents could change is not shown: {reason}"), ()
    margin = margin if verdict.kind == "equivalent" else None
    turning = turning_of(pairs, bounds, difference, margin)
    low, high = bounds.mean
    within = f"if all were judged, the difference would lie between {low:+.4f} and {high:+.4f}"
    if not turning:
        return _because(verdict, f"unjudged documents cannot turn it: {within}"), ()
    enough = sum(one.enough for one in turning)
    documents = "1 document suffices" if enough == 1 else f"{enough:,} documents suffice"
    what = "the direction" if verdict.kind == "cannot_tell" else "it"
    verdict = _because(verdict, f"unjudged documents alone could turn {what}: {within}; {documents}")
    if verdict.kind != "cannot_tell":
        said = f"{verdict.sentence} Unjudged documents alone could turn this ({documents})."
        verdict = msgspec.structs.replace(verdict, sentence=said)
    return verdict, turning


def _because(verdict: Verdict, reason: str) -> Verdict:
    return msgspec.structs.replace(verdict, reasons=(*verdict.reasons, reason))
