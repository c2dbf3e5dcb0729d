"""Measures of how the relevant documents are ordered before the others: AP and Bpref."""

from __future__ import annotations

import numpy as np

from firsthit.matching.hits import Hits
from firsthit.measures.view import Cutoff, Floats, items_of, nth_in_query, ratio, view_of, within

__all__ = ["ap", "bpref"]


def ap(hits: Hits, k: Cutoff = None, rel: float = 1.0) -> Floats:
    """Average precision: the mean of the precision at each relevant document.

    Formula: AP@k = (sum of n/r over the relevant documents of rank r <= k, the n-th of them at rank r)
    / R, where R = labels with grade >= rel.
    Reading: 1 means that all relevant documents come first. A relevant document that is not retrieved,
    or only beyond k, adds 0. MAP is the mean over queries.
    Edge cases: The divisor is R also when R > k. Where one passage satisfies several labels of sources,
    spans or quotes, n counts the ranks down to it that satisfy a new one. A query that is absent, has
    no relevant label or has no labels scores 0. With one relevant document AP equals RR.
    Limits: It needs all relevant documents to be labelled, and it assumes a reader who wants all of
    them.
    Source: C. Buckley and E. M. Voorhees, Evaluating Evaluation Measure Stability, 2000; trec_eval
    `map`, `map_cut`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "b": 1}}), read_run({"q1": ["a", "x", "y", "b"]}))
    >>> measures.ap(hits).tolist()
    [0.75]
    """
    view = items_of(hits)
    found = view.relevant(rel)
    seen = within(found.rank, found.query, k)
    precisions = found.nth[seen] / found.rank[seen]
    return ratio(view.total(found.query[seen], precisions), view.pool.relevant(rel))


def bpref(hits: Hits, rel: float = 1.0) -> Floats:
    """Binary preference: how seldom judged nonrelevant documents come before relevant ones.

    Formula: Bpref = (sum over the relevant documents retrieved of 1 - min(n, R) / min(R, N)) / R, where
    n = judged nonrelevant documents above it, R = labels with grade >= rel, N = labels with 0 <= grade
    < rel.
    Reading: 1 means that no judged nonrelevant document stands above a relevant one. Unjudged documents
    are not seen, so it is less hurt by missing labels than AP.
    Edge cases: Negative grades are no judgments. A query that is absent, has no relevant label or has
    no labels scores 0. Where the labels hold no nonrelevant document, it is recall over the whole
    ranking.
    Limits: It needs judged nonrelevant documents: with labels that list relevant documents only it says
    nothing about order. It takes no cutoff.
    Source: C. Buckley and E. M. Voorhees, Retrieval Evaluation with Incomplete Information, 2004, in
    trec_eval's form (`bpref`, with min(R, N)).

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> labels = {"q1": {"a": 1, "b": 1, "c": 0, "d": 0}}
    >>> measures.bpref(match(read_qrels(labels), read_run({"q1": ["a", "c", "x", "b"]}))).tolist()
    [0.75]
    """
    view = view_of(hits)
    relevant, nonrelevant = view.pool.relevant(rel), view.pool.nonrelevant(rel)
    judged = view.grade >= 0
    query, found = view.query[judged], view.is_relevant(rel)[judged]
    above = nth_in_query(query)[found] - nth_in_query(query[found])
    query = query[found]
    lost = np.minimum(above, relevant[query]) / np.maximum(np.minimum(relevant, nonrelevant)[query], 1)
    return ratio(view.total(query, 1.0 - lost), relevant)
