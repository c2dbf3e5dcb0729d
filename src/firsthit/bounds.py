"""What RR and Success would be if more documents were judged, or ties fell otherwise: exact bounds."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.measures import Measure
from firsthit.measures.first import reached, reciprocal
from firsthit.measures.ties import FirstGroup, first_group, mean_over_orders
from firsthit.measures.view import Cutoff, Floats, Ints, nth_in_query, once, view_of, within
from firsthit.qrels import Qrels

__all__ = ["Ties", "bounds", "judged_share", "lists_relevant_only", "tie_range"]

Ties: TypeAlias = Literal["docid-desc", "docid-asc", "given", "best", "worst", "expected"]


def bounds(
    hits: Hits, measure: Measure, rel: float = 1.0, ties: Ties = "docid-desc"
) -> tuple[Floats, Floats]:
    """The smallest and the largest value of each query after any further judging, for RR and Success.

    Lower: no unjudged document is relevant. Upper: every unjudged document of the ranking is. A negative
    grade is no judgment. A query that is absent from the run has [0, 0]; one without labels is open. The hits
    must be the full ranking in a fixed order (not condensed, not put into best or worst order); under ties
    best, worst or expected both bounds are values of that kind. They are exact where each document stands
    once in a ranking; with duplicates kept, later places of a labelled document count as unjudged, so that
    the bounds can only be wider.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 0, "b": 1}}), read_run({"q1": ["a", "x", "b"]}))
    >>> lower, upper = bounds(hits, measures.parse_measures(["RR@10"])[0])
    >>> lower.round(4).tolist(), upper.tolist()
    ([0.3333], [0.5])
    """
    k, rel = _cutoff(measure, hits), measure.rel_or(rel)
    if ties in ("best", "worst", "expected"):
        relevant, unsettled = first_group(hits, rel), _first_open_group(hits, rel)
        return _group_value(measure, relevant, k, ties), _group_value(measure, unsettled, k, ties)
    return measure.values(hits, rel), _value(measure, _first_open_rank(hits, rel), k)


def tie_range(hits: Hits, measure: Measure, rel: float = 1.0) -> tuple[Floats, Floats, Floats]:
    """The worst, the mean and the best value of each query over all orders of ties, for RR and Success.

    Exact where each document stands once in a ranking: with duplicates kept, only its first place is known.
    A token budget has no range: which passages fit it depends on the order of ties.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}}), read_run({"q1": {"x": 2.0, "a": 2.0}}))
    >>> [value.tolist() for value in tie_range(hits, measures.parse_measures(["RR@10"])[0])]
    [[0.5], [0.75], [1.0]]
    """
    if measure.budget is not None:
        raise UsageError(f"{measure}: which passages fit a token budget depends on the order of ties")
    k, group = _cutoff(measure, hits), first_group(hits, measure.rel_or(rel))
    worst, expected, best = (_group_value(measure, group, k, ties) for ties in ("worst", "expected", "best"))
    return worst, expected, best


def judged_share(hits: Hits, k: Cutoff, counted: NDArray[np.bool_] | None = None) -> float | None:
    """The share of judged documents among all that were retrieved to the cutoff, over the queries counted.

    None when nothing was retrieved. This is a share of documents; the mean of Judged@k is one of queries.

    >>> from firsthit import match, read_qrels, read_run
    >>> judged_share(match(read_qrels({"q1": {"a": 0}}), read_run({"q1": ["x", "a", "y", "z"]})), k=2)
    0.5
    """
    documents = hits.documents()
    retrieved = np.maximum(hits.retrieved, 0)
    shown = retrieved if k is None else np.minimum(retrieved, k)
    judged = (documents.grade >= 0) & within(documents.rank, documents.query, k)
    if counted is not None:
        shown, judged = shown[counted], judged & counted[documents.query]
    return int(judged.sum()) / int(shown.sum()) if shown.any() else None


def lists_relevant_only(qrels: Qrels, rel: float = 1.0) -> bool:
    """Whether no label says nonrelevant (0 <= grade < rel): then bounds say little, Bpref nothing of order.

    >>> from firsthit import read_qrels
    >>> lists_relevant_only(read_qrels({"q1": {"a": 1}})), lists_relevant_only(read_qrels({"q1": {"a": 0}}))
    (True, False)
    """
    return not bool(np.any((qrels.grade >= 0) & (qrels.grade < rel)))


def _cutoff(measure: Measure, hits: Hits) -> Cutoff:
    if measure.name not in ("RR", "Success"):
        raise UsageError(f"{measure} has no exact bounds and no tie range: only RR and Success have")
    return measure.depth(hits)


def _value(measure: Measure, rank: Ints, k: Cutoff) -> Floats:
    return reciprocal(rank, k) if measure.name == "RR" else reached(rank, k)


def _group_value(measure: Measure, group: FirstGroup, k: Cutoff, ties: str) -> Floats:
    if ties == "expected":
        return mean_over_orders(group, k, "RR" if measure.name == "RR" else "Success")
    return _value(measure, group.best_rank if ties == "best" else group.worst_rank, k)


def _nonrelevant(hits: Hits, rel: float) -> NDArray[np.bool_]:
    return (hits.grade >= 0) & (hits.grade < rel)


def _first_open_rank(hits: Hits, rel: float) -> Ints:
    """The first rank of each query that no document judged nonrelevant holds; 0 when they fill the ranking.

    The n-th of them stands at rank n exactly as long as they fill the ranking from the top.
    """
    return once(view_of(hits).memo, ("open rank", rel), lambda: _open_rank(hits.documents(), rel))


def _open_rank(documents: Hits, rel: float) -> Ints:
    settled = _nonrelevant(documents, rel)
    query = documents.query[settled]
    from_the_top = query[nth_in_query(query) == documents.rank[settled]]
    rank = np.bincount(from_the_top, minlength=len(documents.retrieved)) + 1
    return np.where(rank <= documents.retrieved, rank, 0)


def _first_open_group(hits: Hits, rel: float) -> FirstGroup:
    """The first tied group of each query that holds a document not judged nonrelevant: relevant or unjudged.

    A group without any labelled document is not known, and need not be: all of it is unjudged.
    """
    return once(view_of(hits).memo, ("open group", rel), lambda: _open_group(hits.documents(), rel))


def _open_group(documents: Hits, rel: float) -> FirstGroup:
    rank = _first_open_rank(documents, rel)
    query, here = documents.query, rank[documents.query]
    around = (documents.tie_first <= here) & (here <= documents.tie_last)
    before, size = rank - 1, np.ones(len(rank), np.int64)
    before[query[around]] = documents.tie_first[around] - 1
    size[query[around]] = documents.tie_last[around] - documents.tie_first[around] + 1
    settled = np.bincount(query[around & _nonrelevant(documents, rel)], minlength=len(rank))
    return FirstGroup(before, np.where(rank > 0, size, 0), size - settled)
