"""Measures that count documents: P, R, Rprec, Judged, NumRet, NumRel, NumRelRet."""

from __future__ import annotations

import numpy as np

from firsthit.matching.hits import Hits
from firsthit.measures.view import (
    Cut,
    Cutoff,
    Floats,
    Ints,
    View,
    items_of,
    ratio,
    refuse_below_1,
    sealed,
    view_of,
    within,
)

__all__ = ["judged", "num_rel", "num_rel_ret", "num_ret", "precision", "recall", "rprec"]


def precision(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """Precision: the share of the top k places that hold a relevant document.

    Formula: P@k = (documents of rank <= k with grade >= rel) / k.
    Reading: P@10 = 0.3 means that three of the first ten results are relevant.
    Edge cases: The divisor is k also where fewer documents were retrieved. A query that is absent, has
    no relevant label or has no labels scores 0.
    Limits: A query with two relevant documents cannot exceed 2/k, so values of queries with different
    numbers of relevant documents are not alike; unjudged documents count as nonrelevant; order inside
    the top k does not matter.
    Source: trec_eval `P`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "b": 1}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.precision(hits, k=2).tolist()
    [0.5]
    """
    return ratio(_relevant_within(view_of(hits), k, rel), k)


def recall(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """Recall: the share of the relevant documents that stand in the top k.

    Formula: R@k = (documents of rank <= k with grade >= rel) / (labels with grade >= rel).
    Reading: R@100 = 0.8 means that four of five known relevant documents are in the first hundred
    results. It is the measure for a first stage that feeds a reranker or a reader.
    Edge cases: The divisor counts all relevant labels, also those beyond k or never retrieved. A label of
    a source, span or quote counts once, however many passages hold it. A query that is absent, has no
    relevant label or has no labels scores 0. It is not hit rate: that is Success.
    Limits: It needs all relevant documents to be labelled; with one label a query it equals Success@k.
    A query with more than k relevant documents cannot reach 1.
    Source: trec_eval `recall`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "b": 1}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.recall(hits, k=2).tolist()
    [0.5]
    """
    items = items_of(hits)
    return ratio(_relevant_within(items, k, rel), items.pool.relevant(rel))


def rprec(hits: Hits, rel: float = 1.0) -> Floats:
    """R-precision: precision at R, the number of relevant documents of the query.

    Formula: Rprec = (documents of rank <= R with grade >= rel) / R, where R = labels with grade >= rel.
    Reading: 1 means that all relevant documents come before everything else. At this cut precision
    equals recall.
    Edge cases: A query that is absent, has no relevant label or has no labels scores 0.
    Limits: With one relevant document it is Success@1. It needs all relevant documents to be labelled.
    Source: trec_eval `Rprec`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "b": 1}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.rprec(hits).tolist()
    [0.5]
    """
    items = items_of(hits)
    relevant = items.pool.relevant(rel)
    return ratio(_relevant_within(items, relevant, rel), relevant)


def judged(hits: Hits, k: Cutoff = None) -> Floats:
    """Judged: the share of the top k documents that have a label.

    Formula: Judged@k = (documents of rank <= k with grade >= 0) / min(k, documents retrieved).
    Reading: How much of what the other measures saw was known to the labels. At 0.4, six of ten results
    were counted as nonrelevant because nobody looked at them.
    Edge cases: It has no value (NaN) where nothing was retrieved; such queries are left out of the mean
    and counted. A negative grade is no judgment. A population query without labels that retrieved
    something scores 0. With `--duplicates keep` only the first place of a labelled document counts as
    judged.
    Limits: It says nothing about quality. When two systems differ much in it, their other values are
    not comparable: look at the bounds.
    Source: ir_measures `Judged@k`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "b": 0}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.judged(hits, k=2).tolist()
    [0.5]
    """
    documents = hits.documents()
    seen = (documents.grade >= 0) & within(documents.rank, documents.query, k)
    shown = num_ret(hits, k)
    values = np.full(len(shown), np.nan)
    np.divide(np.bincount(documents.query[seen], minlength=len(shown)), shown, out=values, where=shown > 0)
    return sealed(values)


def num_ret(hits: Hits, k: Cutoff = None) -> Floats:
    """Number of documents retrieved.

    Formula: NumRet@k = min(k, documents retrieved).
    Reading: A count, given as the sum over queries, not as their mean. Compare it before comparing two
    systems: a system that returns ten documents cannot have the R@100 of one that returns a hundred.
    Edge cases: A query that is absent from the run has 0.
    Limits: It is no measure of quality.
    Source: trec_eval `num_ret`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.num_ret(hits).tolist()
    [3.0]
    """
    refuse_below_1(k)
    retrieved = np.maximum(hits.retrieved, 0)
    return sealed((retrieved if k is None else np.minimum(retrieved, k)).astype(np.float64))


def num_rel(hits: Hits, rel: float = 1.0) -> Floats:
    """Number of relevant documents in the labels, retrieved or not.

    Formula: NumRel = labels with grade >= rel.
    Reading: A count, given as the sum over queries, not as their mean. It is the same for every run.
    Edge cases: It counts documents: a document that is relevant to several needs of a query counts
    once.
    Limits: It is no measure of quality. With few labels a query, measures of recall move in large
    steps.
    Source: trec_eval `num_rel`, which under `-c -l N` counts grades of at least 1 in its summary;
    firsthit does not.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "c": 2}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.num_rel(hits).tolist()
    [2.0]
    """
    return sealed(items_of(hits).pool.relevant(rel).astype(np.float64))


def num_rel_ret(hits: Hits, k: Cutoff = None, rel: float = 1.0) -> Floats:
    """Number of relevant documents retrieved.

    Formula: NumRelRet@k = documents of rank <= k with grade >= rel.
    Reading: A count, given as the sum over queries, not as their mean: it is the numerator of P and R.
    Edge cases: A query that is absent, has no relevant label or has no labels has 0. A label counts
    once, at the first rank that satisfies it.
    Limits: Queries with many relevant documents dominate the sum; R gives each query the same weight.
    Source: trec_eval `num_rel_ret`.

    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1, "c": 2}}), read_run({"q1": ["x", "a", "b"]}))
    >>> measures.num_rel_ret(hits).tolist()
    [1.0]
    """
    return sealed(_relevant_within(items_of(hits), k, rel).astype(np.float64))


def _relevant_within(view: View, k: Cutoff, rel: float) -> Ints:
    """How many relevant entries of each query stand within the cutoff."""
    found = view.relevant(rel)
    return view.number(found.query[within(found.rank, found.query, k)])
