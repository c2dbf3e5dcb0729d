"""Measures of the first relevant document: RR and Success."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from firsthit.matching.hits import Hits
from firsthit.measures.view import Cut, Cutoff, Floats, Ints, View, once, refuse_below_1, sealed, view_of

__all__ = ["first_rank", "reached", "reciprocal", "rr", "success"]


def rr(hits: Hits, k: Cutoff = None, rel: float = 1.0) -> Floats:
    """Reciprocal rank: 1 divided by the rank of the first relevant document.

    Formula: RR@k = 1/r, where r is the smallest rank of a document with grade >= rel; 0 when there is
    none or r > k.
    Reading: 1 means the first result is relevant, 0.5 the second, 0.1 the tenth, 0 that nothing
    relevant stands within k. MRR is the mean over queries. 1/MRR is the harmonic mean rank, not the
    average rank.
    Edge cases: A query that is absent from the run, has no relevant label or has no labels at all
    scores 0. Without k the whole ranking counts, so MRR and MRR@10 are different numbers: say which.
    Limits: It sees the first relevant document only. When a user needs several documents, use R, AP or
    nDCG; when every place in a short list is as good as another, use Success. The step from rank 1 to 2
    weighs as much as all steps below; look at the distribution of first ranks beside it.
    Source: E. M. Voorhees, The TREC-8 Question Answering Track Report, 1999; trec_eval `recip_rank`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}, "q2": {"b": 1}}), read_run({"q1": ["x", "a"], "q2": ["y"]}))
    >>> measures.rr(hits, k=10).tolist()
    [0.5, 0.0]
    """
    return reciprocal(first_rank(hits, rel), k)


def success(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """Success, also called hit rate: whether a relevant document stands in the top k.

    Formula: Success@k = 1 when some document of rank <= k has grade >= rel, else 0.
    Reading: The mean is the share of queries that were answered within k results. Success@1 equals
    RR@1.
    Edge cases: A query that is absent, has no relevant label or has no labels scores 0.
    Limits: It does not see where in the top k the document stands (use RR), nor how many there are (use
    R). With few queries it moves in large steps: one query of 50 is 2 points.
    Source: trec_eval `success`; known as Hit@k, hit rate and accuracy@k in other tools.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}, "q2": {"b": 1}}), read_run({"q1": ["x", "a"], "q2": ["y"]}))
    >>> measures.success(hits, k=2).tolist()
    [1.0, 0.0]
    """
    return reached(first_rank(hits, rel), k)


def first_rank(hits: Hits, rel: float = 1.0) -> Ints:
    """The rank of each query's first relevant document, not cut off; 0 where none was retrieved.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}, "q2": {"b": 1}}), read_run({"q1": ["x", "a"], "q2": ["y"]}))
    >>> measures.first_rank(hits).tolist()
    [2, 0]
    """
    view = view_of(hits)
    return once(view.memo, ("first rank", rel), lambda: _first_rank(view, rel))


def _first_rank(view: View, rel: float) -> Ints:
    found = view.relevant(rel)
    first = found.nth == 1
    ranks = np.zeros(view.queries, np.int64)
    ranks[found.query[first]] = found.rank[first]
    ranks.flags.writeable = False
    return ranks


def reciprocal(first: Ints, k: Cutoff = None) -> Floats:
    """1/rank of these first ranks, 0 where there is none (rank 0) or it is deeper than k.

    >>> reciprocal(np.array([1, 4, 0, 11]), k=10).tolist()
    [1.0, 0.25, 0.0, 0.0]
    """
    values = np.zeros(len(first))
    np.divide(1.0, first, out=values, where=_inside(first, k))
    return sealed(values)


def reached(first: Ints, k: Cutoff = None) -> Floats:
    """1 where these first ranks are at most k, 0 where there is none (rank 0) or it is deeper.

    >>> reached(np.array([1, 4, 0, 11]), k=10).tolist()
    [1.0, 1.0, 0.0, 0.0]
    """
    return sealed(_inside(first, k).astype(np.float64))


def _inside(first: Ints, k: Cutoff) -> NDArray[np.bool_]:
    refuse_below_1(k)
    found: NDArray[np.bool_] = first > 0
    return found if k is None else found & (first <= k)
