"""Unjudged documents in a pair: the joint bounds where they are exact, and what could turn the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.card.card import Card
from firsthit.comparison.changes import within
from firsthit.comparison.comparison import Kind, Turning, Verdict
from firsthit.comparison.pairs import Pairs
from firsthit.pair_bounds import JointBounds, Top, joint_bounds, top_of
from firsthit.record.record import Record
from firsthit.wording import many

__all__ = ["Judge", "Tops", "bounds_of", "tops_of", "with_unjudged"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Judge = Callable[[Floats], Kind]
"""The kind of verdict that these differences would have."""


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
        f"({many(queries, 'query', 'queries')})"
    )


def with_unjudged(
    verdict: Verdict,
    pairs: Pairs,
    bounds: JointBounds | None,
    *,
    reason: str,
    differences: Floats,
    judge: Judge,
) -> tuple[Verdict, tuple[Turning, ...]]:
    """The verdict with what unjudged documents could do to it, and these documents, best first.

    `judge` gives the kind of verdict that differences would have.
    """
    if bounds is None:
        return _because(verdict, f"what unjudged documents could change is not shown: {reason}"), ()
    low, high = bounds.mean
    within = f"if all were judged, the difference would lie between {low:+.4f} and {high:+.4f}"
    chosen, enough, turned = _turned(bounds, verdict.kind, differences, judge)
    if not enough:
        stands = "judged as far against it as they allow, the unjudged documents leave the verdict as it is"
        return _because(verdict, f"{stands}; {within}"), ()
    documents = many(enough, "document suffices", "documents suffice")
    words = turned.replace("_", " ")
    verdict = _because(
        verdict, f"unjudged documents alone could turn it into {words!r}: {documents}; {within}"
    )
    do = "decide it" if verdict.kind == "cannot_tell" else "turn this"
    sentence = f"{verdict.sentence} Unjudged documents alone could {do} ({documents})."
    return msgspec.structs.replace(verdict, sentence=sentence), _listed(pairs, bounds, chosen, enough)


def _because(verdict: Verdict, reason: str) -> Verdict:
    return msgspec.structs.replace(verdict, reasons=(*verdict.reasons, reason))


def _turned(bounds: JointBounds, kind: Kind, differences: Floats, judge: Judge) -> tuple[Ints, int, Kind]:
    """The documents that move the verdict most, how many of the first suffice, and the verdict then.

    Of each query the document that moves it furthest is taken, which is as far as judging can move it. None
    suffices (0) where all of them together leave the verdict as it is.
    """
    documents = bounds.documents
    for sign in _ways(kind, differences):
        chosen = _best_of_each_query(bounds, sign)

        def after(number: int, chosen: Ints = chosen) -> Kind:
            moved = differences.copy()
            moved[documents.query[chosen[:number]]] += documents.shift[chosen[:number]]
            return judge(moved)

        if len(chosen) and after(len(chosen)) != kind:
            few, enough = 0, len(chosen)
            while enough - few > 1:
                middle = (few + enough) // 2
                few, enough = (few, middle) if after(middle) != kind else (middle, enough)
            return chosen, enough, after(enough)
    return np.zeros(0, np.int64), 0, kind


def _ways(kind: Kind, differences: Floats) -> tuple[int, ...]:
    """The directions in which the differences must move to turn the verdict, the likelier first."""
    if kind in ("better", "worse"):
        return (-1,) if kind == "better" else (1,)
    return (1, -1) if differences.sum() >= 0 else (-1, 1)


def _best_of_each_query(bounds: JointBounds, sign: int) -> Ints:
    """Of each query the document that moves it most in this direction; those with the largest move first."""
    documents = bounds.documents
    moving = np.flatnonzero(documents.shift * sign > 0)
    size = np.abs(documents.shift[moving])
    order = moving[np.lexsort((documents.rank_new[moving], documents.query[moving], -size))]
    _, first = np.unique(documents.query[order], return_index=True)
    return order[np.sort(first)]


def _listed(pairs: Pairs, bounds: JointBounds, chosen: Ints, enough: int) -> tuple[Turning, ...]:
    documents = bounds.documents
    fields = zip(
        pairs.query_ids.take(documents.query[chosen]),
        documents.doc_ids.take(chosen),
        documents.rank_old[chosen].tolist(),
        documents.rank_new[chosen].tolist(),
        (documents.shift[chosen] / len(pairs.query_ids)).tolist(),
        (np.arange(len(chosen)) < enough).tolist(),
        strict=True,
    )
    return tuple(Turning(*values) for values in fields)
