"""The judging queue of one or several runs: which unjudged documents to judge, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from firsthit.queue.aims import Aim, aim_of, limits
from firsthit.queue.collect import Standing, open_queries, refuse_unfit, standings
from firsthit.queue.open_query import OpenQuery
from firsthit.queue.words import sentence

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["Item", "JudgingQueue", "State", "judging_queue", "relevance_chance"]

Limits = tuple[float, float]

FEW = 1e-12
"""Means closer than this are equal: sums of reciprocal ranks are exact to about 1e-15."""


class Item(msgspec.Struct, frozen=True):
    """One document to judge: where it stands in each run, and what its label could change.

    `ranks` has None where the document is not above the cutoff. `change` is how far the aim's number moves at
    most when the document is relevant; `left` how wide its interval is after this document and all before
    it, if none of them is relevant.
    """

    query_id: str
    doc_id: str
    ranks: tuple[int | None, ...]
    critical: bool
    change: float
    left: float


class State(msgspec.Struct, frozen=True, eq=False):
    """The runs as they stand: their means, and the queries that judging can change."""

    means: tuple[float, ...]
    queries: tuple[OpenQuery, ...]

    @classmethod
    def of(cls, found: Sequence[Standing], critical: Iterable[str] = ()) -> State:
        """The state of these runs."""
        means = tuple(float(standing.settled.sum()) for standing in found)
        return cls(means, tuple(open_queries(found, set(critical))))

    @property
    def intervals(self) -> tuple[Limits, ...]:
        """Each run's mean: when no open document is relevant, and when all are."""
        open_ = np.zeros(len(self.means))
        for query in self.queries:
            open_ += query.outcomes.max(axis=0) - query.settled
        return tuple((mean, mean + float(more)) for mean, more in zip(self.means, open_, strict=True))

    @property
    def difference(self) -> Limits:
        """The smallest and the largest mean of the second run less that of the first."""
        lower = upper = self.means[1] - self.means[0]
        for query in self.queries:
            now = float(query.settled[1] - query.settled[0])
            smallest, largest = limits(query.settled, query.outcomes)
            lower, upper = lower + float(smallest) - now, upper + float(largest) - now
        return lower, upper

    def spread(self, aim: Aim) -> float:
        """How open the number of the aim is, over all queries."""
        return float(sum(query.spread(aim) for query in self.queries))


class JudgingQueue(msgspec.Struct, frozen=True, eq=False):
    """The documents to judge, best first.

    After all `items` are judged the number that `aim` names is exact, whatever the labels say. `intervals`
    are the means of the runs, lower and upper, as things stand; `difference` is that of the second run less
    the first, None unless there are two.
    """

    measure: str
    runs: tuple[str, ...]
    aim: str
    items: tuple[Item, ...]
    intervals: tuple[Limits, ...]
    difference: Limits | None = None

    @property
    def sentence(self) -> str:
        """What judging all these documents settles, in words."""
        return self.said(len(self.items))

    def said(self, limit: int) -> str:
        """What judging the first `limit` documents settles, in words."""
        return sentence(self, min(limit, len(self.items)))

    def rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """The first `limit` documents as plain data; docs/judging-queue.md names every key."""
        return [
            {
                "place": place,
                "query_id": item.query_id,
                "doc_id": item.doc_id,
                "ranks": dict(zip(self.runs, item.ranks, strict=True)),
                "critical": item.critical,
                "change": item.change,
                "left": item.left,
            }
            for place, item in enumerate(self.items[:limit], 1)
        ]

    def data(self, limit: int | None = None) -> dict[str, Any]:
        """The queue as plain data."""
        return {
            "said": self.said(len(self.items) if limit is None else limit),
            "measure": self.measure,
            "aim": self.aim,
            "runs": list(self.runs),
            "intervals": {run: list(limits) for run, limits in zip(self.runs, self.intervals, strict=True)},
            "difference": None if self.difference is None else list(self.difference),
            "needed": len(self.items),
            "documents": self.rows(limit),
        }


def judging_queue(
    evaluations: Sequence[Evaluation],
    *,
    aim: str | None = None,
    critical: Iterable[str] = (),
    chance: float | None = None,
) -> JudgingQueue:
    """The queue of runs that were evaluated with the same labels, with ids to the cutoff (`depth`).

    The primary measure counts. `aim` is what is to become exact: the "means" of the runs, or the "difference"
    of two, the default for two. Documents of `critical` queries come first. `chance` is the probability that
    an unjudged document is relevant; see `relevance_chance`.

    >>> from firsthit import evaluate
    >>> found = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["x", "a"], "q2": ["b", "y"]}, ["RR@10"])
    >>> queue = judging_queue([found])
    >>> [item.doc_id for item in queue.items], queue.intervals
    (['x'], ((0.75, 1.0),))
    """
    refuse_unfit(evaluations)
    aim = aim or ("difference" if len(evaluations) == 2 else "means")
    found = standings(evaluations)
    state = State.of(found, critical)
    goal = aim_of(aim, len(found))
    return JudgingQueue(
        measure=evaluations[0].card.primary,
        runs=tuple(evaluation.card.name for evaluation in evaluations),
        aim=aim,
        items=_items(state, goal, relevance_chance(found) if chance is None else chance),
        intervals=state.intervals,
        difference=state.difference if len(found) == 2 else None,
    )


def relevance_chance(found: Sequence[Standing]) -> float:
    """The share of relevant documents among those judged above the cutoff, one of each added; at most 1/2.

    Labels that list relevant documents only say nothing about the others: one in ten is taken.
    """
    judged, relevant = (sum(getattr(s, what) for s in found) for what in ("judged", "relevant"))
    return 0.1 if judged == relevant else min((relevant + 1) / (judged + 2), 0.5)


def _items(state: State, aim: Aim, chance: float) -> tuple[Item, ...]:
    turns = []
    for number, query in enumerate(state.queries):
        ordered = query.ordered(aim, chance)
        if ordered.left[0] <= FEW * query.gain.max():
            continue
        narrowed = -np.diff(ordered.left)
        alone = aim.alone(query.settled, query.outcomes)
        for place, document in enumerate(ordered.documents.tolist()):
            key = (not query.critical, -ordered.worth[place], number, place)
            turns.append((key, query, document, float(alone[document]), float(narrowed[place])))
    turns.sort(key=lambda turn: turn[0])
    left, items = state.spread(aim), []
    for _, query, document, change, narrower in turns:
        left = max(left - narrower, 0.0)
        ranks = tuple(rank or None for rank in query.rank[document].tolist())
        items.append(Item(query.query_id, query.doc_ids[document], ranks, query.critical, change, left))
    return tuple(items)
