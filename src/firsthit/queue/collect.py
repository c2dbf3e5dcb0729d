"""The open documents of several evaluations, gathered query by query."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import NotComparableError, UsageError
from firsthit.evaluation.plan import threshold
from firsthit.measures import parse_measures
from firsthit.queue.open_query import OpenQuery

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["Standing", "open_queries", "refuse_unfit", "standings"]

Floats = NDArray[np.float64]

FIXED_ORDERS = ("docid-desc", "docid-asc", "given")


class Standing(msgspec.Struct, frozen=True, eq=False):
    """How one run stands: each query's value in units of the mean, and its unjudged documents above that.

    `place`, `rank` and `entry` go over the open documents: the query's place, the rank, and the number of the
    saved id. `judged` and `relevant` count the judged documents above the cutoff.
    """

    evaluation: Evaluation
    settled: Floats
    weight: float
    place: NDArray[np.int64]
    rank: NDArray[np.int64]
    entry: NDArray[np.int64]
    judged: int
    relevant: int


def standings(evaluations: Sequence[Evaluation]) -> list[Standing]:
    """One standing a run."""
    return [_standing(evaluation) for evaluation in evaluations]


def _standing(evaluation: Evaluation) -> Standing:
    measure = parse_measures([evaluation.card.primary])[0]
    cutoff = np.iinfo(np.int64).max if measure.cutoff is None else measure.cutoff
    ranked = evaluation.record().detail.ranked
    saved = np.diff(ranked.offsets)
    place = np.repeat(np.arange(len(saved)), saved)
    rank = np.arange(len(place)) - ranked.offsets[:-1][place] + 1
    counted = evaluation.counted
    first = evaluation.first_rank
    found = counted & (first > 0) & (first <= cutoff)
    last = np.where(found, first - 1, np.minimum(np.maximum(evaluation.retrieved, 0), cutoff))
    _refuse_shallow(evaluation, counted & (last > saved))
    shown = counted[place] & (rank <= cutoff)
    judged = shown & ~np.isnan(ranked.number)
    rel = measure.rel_or(threshold(evaluation.card.rules))
    entry = np.flatnonzero(shown & np.isnan(ranked.number) & (rank <= last[place]))
    weight = 1 / max(int(counted.sum()), 1)
    return Standing(
        evaluation=evaluation,
        settled=np.where(found, weight / np.maximum(first, 1), 0.0),
        weight=weight,
        place=place[entry],
        rank=rank[entry],
        entry=entry,
        judged=int(judged.sum()),
        relevant=int((judged & (ranked.number >= rel)).sum()),
    )


def _refuse_shallow(evaluation: Evaluation, cut: NDArray[np.bool_]) -> None:
    if not cut.any():
        return
    query = evaluation.query_ids[int(np.argmax(cut))]
    what = f"{evaluation.card.name}: the ids are known to rank {evaluation.card.depth} only (query {query})"
    raise UsageError(
        what, hint="Evaluate with a larger depth, or name a measure with a cutoff, such as RR@10."
    )


def open_queries(found: Sequence[Standing], critical: Container[str] = ()) -> Iterator[OpenQuery]:
    """The queries with an open document, in label order."""
    query_ids = found[0].evaluation.query_ids
    settled = np.stack([standing.settled for standing in found], axis=1)
    starts = [np.searchsorted(s.place, np.arange(len(query_ids) + 1)) for s in found]
    for place in np.flatnonzero(np.sum([np.diff(start) for start in starts], axis=0)).tolist():
        ranks: dict[str, list[int]] = {}
        for run, (standing, start) in enumerate(zip(found, starts, strict=True)):
            ids = standing.evaluation.record().detail.ranked.ids
            for i in range(start[place], start[place + 1]):
                doc_id = ids[int(standing.entry[i])]
                ranks.setdefault(doc_id, [0] * len(found))[run] = int(standing.rank[i])
        query_id = query_ids[place]
        yield _query(query_id, query_id in critical, settled[place], ranks, [s.weight for s in found])


def _query(
    query_id: str, critical: bool, settled: Floats, ranks: dict[str, list[int]], weights: Sequence[float]
) -> OpenQuery:
    rank = np.array(list(ranks.values()))
    gain = np.where(rank > 0, np.array(weights) / np.maximum(rank, 1), 0.0)
    return OpenQuery(query_id, critical, settled, list(ranks), rank, gain).open()


def refuse_unfit(evaluations: Sequence[Evaluation]) -> None:
    """Only runs with the same labels, queries, measure and rules, in a fixed order, have a common queue."""
    if not evaluations:
        raise UsageError("there is no run to judge for")
    first = evaluations[0]
    for other in evaluations[1:]:
        _refuse_other(first, other)
    rules = first.card.rules
    if rules.unjudged == "condensed" or rules.ties not in FIXED_ORDERS or rules.duplicates == "keep":
        what = "what judging can change is only known in a fixed order of the whole ranking"
        hint = "Leave out unjudged=condensed, ties=best, worst or expected, and duplicates=keep."
        raise UsageError(what, hint=hint)
    if rules.absent == "exclude" and any((e.counted != first.counted).any() for e in evaluations):
        what = "absent=exclude takes the means of these runs over different queries"
        raise UsageError(what, hint="Leave it out, or name one run.")


def _refuse_other(first: Evaluation, other: Evaluation) -> None:
    same = {
        "measure": first.card.primary == other.card.primary,
        "rules": first.card.rules == other.card.rules,
        "labels": first.card.labels.sha256 == other.card.labels.sha256,
        "queries": list(first.query_ids) == list(other.query_ids),
    }
    differing = [name for name, equal in same.items() if not equal]
    if differing:
        names = f"{first.card.name} and {other.card.name}"
        raise NotComparableError(f"{names} were evaluated with different {' and '.join(differing)}.")
