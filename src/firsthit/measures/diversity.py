"""Measures of novelty and diversity over needs, as the diversity tracks compute them: alpha_nDCG, ERR_IA."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.measures.needs import need_numbers
from firsthit.measures.view import (
    Cut,
    Floats,
    Ints,
    log2_of_next,
    nth_in_query,
    once,
    ratio,
    sealed,
    total,
    view_of,
    within,
)
from firsthit.qrels import Qrels

__all__ = ["alpha_ndcg", "err_ia"]

ERR_ALPHA = 0.5
"""What a need is worth again after each document that served it, in ERR_IA."""

Bools = NDArray[np.bool_]


def alpha_ndcg(hits: Hits, k: Cut, rel: float = 1.0, alpha: float = 0.5) -> Floats:
    """Discounted cumulative gain over needs, in which each further document for the same need counts less.

    Formula: alpha_nDCG@k = DCG@k / ideal DCG@k, where DCG@k = sum over ranks r <= k of gain / log2(r + 1),
    and the gain of a document is the sum, over the needs for which its grade is >= rel, of (1 - alpha)^c,
    with c the documents above it that serve the same need.
    Reading: 1 means that the documents which serve the most needs come first, and new needs before the same
    ones again. With alpha = 0 repetition costs nothing; with alpha = 1 only the first document of a need
    counts.
    Edge cases: Relevance is binary for each need. The needs are all that have a relevant label, "0" among
    them, also where a queries file requires others. Labels without a need form one need. A query that is
    absent, has no relevant label or has no labels scores 0.
    Limits: The best ranking is searched greedily (the document that adds most comes next, ties by doc_id
    descending), as in ndeval: it may be missed, and then a value above 1 is possible. Labels about spans,
    sources or quotes have no ideal ranking of documents and are refused; take Coverage, or ERR_IA.
    Source: C. L. A. Clarke et al., Novelty and Diversity in Information Retrieval Evaluation, 2008; ndeval
    `alpha-nDCG`, ir_measures `alpha_nDCG`, which know cutoffs up to 20.

    >>> import pyarrow
    >>> from firsthit import match, measures, read_qrels, read_run
    >>> labels = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "need": ["policy", "exception"]}
    >>> qrels = read_qrels(pyarrow.table(labels | {"grade": [1, 1]}))
    >>> hits = match(qrels, read_run({"q1": ["a", "x", "b"]}))
    >>> measures.alpha_ndcg(hits, k=10).round(4).tolist()
    [0.9197]
    """
    if hits.qrels.original is not None:
        raise UsageError(
            "alpha_nDCG ranks documents ideally, which labels of spans, sources or quotes cannot tell",
            hint="Coverage@k, Complete@k, RRAll@k and ERR_IA@k are defined for them.",
        )
    query, rank, gain = _gains(hits, rel, alpha)
    seen = within(rank, query, k)
    found = total(query[seen], gain[seen] / log2_of_next(rank[seen]), len(hits.retrieved))
    return ratio(found, _ideal(hits, k, rel, alpha))


def err_ia(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """Expected reciprocal rank over needs, each further document for the same need counting half.

    Formula: ERR_IA@k = (sum over ranks r <= k of gain / r) / (sum over r <= k of n / 2^(r - 1) / r), where
    the gain of a document is the sum, over the needs for which its grade is >= rel, of 1 / 2^c, with c the
    documents above it that serve the same need, and n is the number of needs.
    Reading: RR for several needs at once: how early each need meets a reader who stops at half of the
    documents that serve it. 1 would be a ranking of which every document serves all needs.
    Edge cases: At k = 1 it is not divided, as in ndeval: ERR_IA@1 is the number of needs that the first
    document serves, and may exceed 1. The needs are all that have a relevant label, "0" among them, also
    where a queries file requires others. Labels without a need form one need. A query that is absent, has
    no relevant label or has no labels scores 0.
    Limits: Relevance is binary for each need. It is divided by what no collection can offer, so that values
    of queries with many needs are small.
    Source: O. Chapelle et al., Expected Reciprocal Rank for Graded Relevance, 2009; ndeval `ERR-IA`,
    ir_measures `ERR_IA`, which know cutoffs up to 20.

    >>> import pyarrow
    >>> from firsthit import match, measures, read_qrels, read_run
    >>> labels = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "need": ["policy", "exception"]}
    >>> qrels = read_qrels(pyarrow.table(labels | {"grade": [1, 1]}))
    >>> hits = match(qrels, read_run({"q1": ["a", "x", "b"]}))
    >>> measures.err_ia(hits, k=2).tolist()
    [0.4]
    """
    query, rank, gain = _gains(hits, rel, ERR_ALPHA)
    seen = within(rank, query, k)
    found = total(query[seen], gain[seen] / rank[seen], len(hits.retrieved))
    number = once(view_of(hits).memo, ("labelled needs", rel), lambda: _labelled_needs(hits.qrels, rel))
    best = number * _highest_err(k, len(number))
    return sealed(np.where(np.broadcast_to(k, number.shape) == 1, found, ratio(found, best)))


def _labelled_needs(qrels: Qrels, rel: float) -> Ints:
    """How many needs of each query have a relevant label."""
    names, row_need = need_numbers(qrels)
    relevant = qrels.grade >= max(rel, 0.0)
    keys = np.unique(qrels.query[relevant] * np.int64(len(names)) + row_need[relevant])
    return np.bincount(keys // len(names), minlength=len(qrels.query_ids))


def _highest_err(k: Cut, queries: int) -> Floats:
    """The sum of 1 / 2^(r - 1) / r over the ranks within the cutoff of each query."""
    deepest = int(np.max(k, initial=0))
    ranks = np.arange(1, deepest + 1)
    sums = np.concatenate([[0.0], np.cumsum((1.0 - ERR_ALPHA) ** (ranks - 1.0) / ranks)])
    return np.broadcast_to(sums[k], (queries,))


def _gains(hits: Hits, rel: float, alpha: float) -> tuple[Ints, Ints, Floats]:
    """Query, rank and gain of each retrieved document and need that it serves, by query, then rank."""
    return once(view_of(hits).memo, ("gains of needs", rel, alpha), lambda: _gains_of(hits, rel, alpha))


def _gains_of(hits: Hits, rel: float, alpha: float) -> tuple[Ints, Ints, Floats]:
    names, row_need = need_numbers(hits.qrels)
    chosen = hits.grade >= max(rel, 0.0)
    need, rank = row_need[hits.label[chosen]], hits.rank[chosen]
    query = hits.query[chosen].astype(np.int64)
    served_once = np.unique(np.stack([query, need, rank]), axis=1)  # whatever the number of labels
    query, need, rank = served_once
    served = nth_in_query(query * len(names) + need) - 1
    by_rank = np.lexsort((need, rank, query))
    gain: Floats = np.power(1.0 - alpha, served)
    return query[by_rank], rank[by_rank], gain[by_rank]


def _ideal(hits: Hits, k: Cut, rel: float, alpha: float) -> Floats:
    """The DCG of the greedy best ranking of the labelled documents, for each query."""
    deepest = int(np.max(k, initial=0))
    query, rank, gain = once(
        view_of(hits).memo,
        ("ideal of needs", deepest, rel, alpha),
        lambda: _ideal_gains(hits.qrels, deepest, rel, alpha),
    )
    seen = within(rank, query, k)
    return total(query[seen], gain[seen] / log2_of_next(rank[seen]), len(hits.retrieved))


def _ideal_gains(qrels: Qrels, deepest: int, rel: float, alpha: float) -> tuple[Ints, Ints, Floats]:
    """Query, rank and gain of the documents of the greedy best ranking."""
    served = _served(qrels, rel)
    gains = {query: _greedy(documents, deepest, alpha) for query, documents in served.items()}
    query = np.repeat(list(gains), [len(part) for part in gains.values()]).astype(np.int64)
    gain = np.array([value for part in gains.values() for value in part])
    return query, nth_in_query(query), gain


def _served(qrels: Qrels, rel: float) -> dict[int, dict[str, list[int]]]:
    """For each query its relevant documents with the needs that each serves, in order of need."""
    _, row_need = need_numbers(qrels)
    rows = np.flatnonzero(qrels.grade >= max(rel, 0.0))
    rows = rows[np.lexsort((row_need[rows], qrels.query[rows]))]
    doc_ids = qrels.doc_ids.take(rows)
    found: dict[int, dict[str, list[int]]] = {}
    for query, doc_id, need in zip(qrels.query[rows].tolist(), doc_ids, row_need[rows].tolist(), strict=True):
        found.setdefault(query, {}).setdefault(doc_id, []).append(need)
    return found


def _greedy(documents: dict[str, list[int]], deepest: int, alpha: float) -> list[float]:
    """The gains of a ranking in which the document that adds most comes next, ties by doc_id descending.

    Documents that serve the same needs are alike: the next of each kind stands for all of it.
    """
    kinds: dict[tuple[int, ...], list[str]] = {}
    for doc_id in sorted(documents):
        kinds.setdefault(tuple(documents[doc_id]), []).append(doc_id)
    worth = dict.fromkeys((need for needs in kinds for need in needs), 1.0)
    gains: list[float] = []
    while kinds and len(gains) < deepest:
        gain, _, needs = max((_sum(worth, needs), left[-1], needs) for needs, left in kinds.items())
        gains.append(gain)
        kinds[needs].pop()
        if not kinds[needs]:
            del kinds[needs]
        for need in needs:
            worth[need] *= 1.0 - alpha
    return gains


def _sum(worth: dict[int, float], needs: tuple[int, ...]) -> float:
    """The worth of these needs, added in their order, which decides what ties in the last digit."""
    gain = 0.0
    for need in needs:
        gain += worth[need]
    return gain
