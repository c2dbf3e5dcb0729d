"""Measures that weigh each document by its rank or grade: nDCG, RBP, ERR."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.measures.view import (
    Cutoff,
    Floats,
    Ints,
    Pool,
    View,
    items_of,
    leads,
    log2_of_next,
    nth_in_query,
    once,
    ratio,
    sealed,
    total,
    view_of,
    within,
)

__all__ = ["MAX_GRADE", "Gain", "err", "gains", "ideal", "ndcg", "rbp"]

Gain: TypeAlias = Literal["log2", "exp-log2"]
MAX_GRADE = 4
"""The highest grade that ERR knows."""


def ndcg(hits: Hits, k: Cutoff = None, dcg: Gain = "log2") -> Floats:
    """Normalised discounted cumulative gain: gain over the best possible gain.

    Formula: nDCG@k = DCG@k / ideal DCG@k, where DCG@k = sum over ranks r <= k of gain / log2(r + 1),
    gain = max(grade, 0), and the ideal ranking holds all labelled documents, highest grade first. With
    dcg='exp-log2' the gain is 2^grade - 1.
    Reading: 1 means that no order of the labelled documents is better. It is the usual measure when
    grades differ.
    Edge cases: It takes no `rel`: every grade above 0 is a gain. The ideal is taken from all labels,
    not from what was retrieved. Where one passage satisfies several labels of sources, spans or quotes,
    its gain is that of the highest grade among those that no passage above it satisfies. A query that is
    absent, has no grade above 0 or has no labels scores 0.
    Limits: Values depend on the grades' scale and on the gain: nDCG and nDCG(dcg='exp-log2') are
    different numbers, equal only where grades are 0 and 1. Unjudged documents count as nonrelevant.
    Source: K. Järvelin and J. Kekäläinen, Cumulated Gain-based Evaluation of IR Techniques, 2002;
    trec_eval `ndcg_cut`. The exponential gain: C. Burges et al., Learning to Rank using Gradient
    Descent, 2005.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}}), read_run({"q1": ["x", "y", "a"]}))
    >>> measures.ndcg(hits, k=10).tolist()
    [0.5]
    """
    view = items_of(hits)
    best = ideal(view.pool, k, dcg)
    seen = (view.grade > 0) & within(view.rank, view.query, k)
    if view.shared:
        seen &= leads(view.query, view.rank)
    discounted = gains(view.grade[seen], dcg) / log2_of_next(view.rank[seen])
    return ratio(view.total(view.query[seen], discounted), best)


def gains(grade: Floats, dcg: Gain) -> Floats:
    """What a document of this grade adds at rank 1; grades below 0 add nothing."""
    grade = np.maximum(grade, 0.0)
    return np.exp2(grade) - 1.0 if dcg == "exp-log2" else grade


def ideal(pool: Pool, k: Cutoff, dcg: Gain) -> Floats:
    """The highest DCG that any ranking can reach, for each query."""
    if isinstance(k, np.ndarray):
        return _ideal(pool, k, dcg)
    return once(pool.memo, ("ideal", k, dcg), lambda: _ideal(pool, k, dcg))


def _ideal(pool: Pool, k: Cutoff, dcg: Gain) -> Floats:
    query, rank, grade = pool.ideal_ranking()
    seen = within(rank, query, k)
    with np.errstate(over="ignore"):
        values = total(query[seen], gains(grade[seen], dcg) / log2_of_next(rank[seen]), pool.queries)
    if not np.isfinite(values).all():
        raise UsageError(f"the labels hold grades too high for nDCG: {grade.max():g} (dcg={dcg!r})")
    return sealed(values)


def rbp(hits: Hits, k: Cutoff = None, rel: float = 1.0, p: float = 0.8) -> Floats:
    """Rank-biased precision: the relevant share of what a reader of a given patience looks at.

    Formula: RBP@k = (1 - p) × sum of p^(r - 1) over the documents of rank r <= k with grade >= rel.
    Reading: A reader looks at the first result and goes on from each to the next with probability p;
    RBP is the rate of relevant documents among those looked at. p = 0.8 looks at five on average, 0.5
    at two, 0.95 at twenty.
    Edge cases: Relevance is binary. The value is not normalised: with one relevant document it is at
    most 1 - p. A query that is absent, has no relevant label or has no labels scores 0.
    Limits: p is an assumption about readers and must be named beside the value. With few labels all
    values are small.
    Source: A. Moffat and J. Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness,
    2008.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}}), read_run({"q1": ["x", "a"]}))
    >>> measures.rbp(hits, p=0.5).tolist()
    [0.25]
    """
    view = view_of(hits)
    found = view.relevant(rel)
    seen = within(found.rank, found.query, k)
    weights = np.asarray((1.0 - p) * p ** (found.rank[seen] - 1.0), np.float64)
    return sealed(view.total(found.query[seen], weights))


def err(hits: Hits, k: Cutoff = None) -> Floats:
    """Expected reciprocal rank: the mean of 1/rank of where a reader stops.

    Formula: ERR@k = sum over ranks r <= k of 1/r × s(r) × product over ranks i < r of (1 - s(i)), where
    s = (2^grade - 1) / 2^4 is the probability of stopping at a document.
    Reading: RR for graded labels: a document of the highest grade at rank 1 gives 0.9375, one of grade
    1 gives 0.0625.
    Edge cases: It takes no `rel`. Grades of 0 and below stop nobody. The scale ends at grade 4; labels
    with a higher grade are refused. A query that is absent, has no grade above 0 or has no labels
    scores 0.
    Limits: The stopping probabilities belong to a scale of 0 to 4: on labels of 0 and 1 all values are
    tiny, and RR is the measure to use. Its highest value depends on the labels of the query, so it is
    not 1 for a perfect ranking.
    Source: O. Chapelle et al., Expected Reciprocal Rank for Graded Relevance, 2009; gdeval's ERR@k with
    max grade 4.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 4}}), read_run({"q1": ["x", "a"]}))
    >>> measures.err(hits, k=10).tolist()
    [0.46875]
    """
    view = view_of(hits)
    _refuse_above_max(view.pool)
    seen = (view.grade > 0) & within(view.rank, view.query, k)
    query, rank = view.query[seen], view.rank[seen]
    stops = gains(view.grade[seen], "exp-log2") / 2**MAX_GRADE
    return sealed(_stopped(view, query, rank, stops))


def _stopped(view: View, query: NDArray[np.int32], rank: Ints, stops: Floats) -> Floats:
    """Sums 1/rank × stop × goes-on: first over the first document of every query, then the second, …"""
    values, goes_on = np.zeros(view.queries), np.ones(view.queries)
    nth = nth_in_query(query)
    by_turn = np.argsort(nth, kind="stable")
    for turn in np.split(by_turn, np.cumsum(np.bincount(nth)[1:])[:-1]):
        values[query[turn]] += goes_on[query[turn]] * stops[turn] / rank[turn]
        goes_on[query[turn]] *= 1.0 - stops[turn]
    return values


def _refuse_above_max(pool: Pool) -> None:
    highest = pool.grade.max(initial=0.0)
    if highest > MAX_GRADE:
        raise UsageError(f"ERR knows grades up to {MAX_GRADE}, and the labels hold a grade of {highest:g}")
