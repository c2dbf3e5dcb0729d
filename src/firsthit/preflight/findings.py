"""What a check says about labels, queries and a matched run: sentences with a level, most serious first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from firsthit.bounds import judged_share
from firsthit.evaluation.evidence_facts import kind_notices
from firsthit.evaluation.plan import threshold
from firsthit.matching.hits import Hits
from firsthit.matching.likeness import likeness
from firsthit.matching.run_facts import RunFacts
from firsthit.qrels import Qrels
from firsthit.queries import Queries
from firsthit.rules import Rules
from firsthit.wording import many, percent

__all__ = ["label_findings", "query_findings", "run_findings"]

Level: TypeAlias = Literal["problem", "notice", "fact"]
Found: TypeAlias = Iterator[tuple[Level, str]]

SHOWN = 5
LOOKED_AT = 10_000
"""How many ids are compared to find out why they do not match."""

JUDGED_TO = 10

MANY_TIED = 0.5
"""The share of tied documents from which ties are a notice: doc_ids then decide most of the ranking."""


def label_findings(qrels: Qrels, rules: Rules) -> Found:
    """What the labels hold: how many, which grades, what is missing in them."""
    rel = threshold(rules)
    queries = np.unique(qrels.query)
    relevant = np.bincount(qrels.query[qrels.grade >= rel], minlength=len(qrels.query_ids))[queries]
    if not relevant.any():
        yield (
            "notice",
            f"no label is relevant: the highest grade is {qrels.grade.max():g}, relevant is >= {rel:g}",
        )
    elif not relevant.all():
        without = queries[relevant == 0]
        yield (
            "notice",
            f"{_queries(len(without))} without a relevant label: {_some(qrels.query_ids.take(without))}",
        )
    yield from (("notice", note) for note in qrels.notes)
    if qrels.overridden:
        yield "notice", f"labels overridden by another one of the same document: {qrels.overridden:,}"
    if (qrels.grade < 0).any():
        yield "notice", f"negative grades, which count as unjudged: {int((qrels.grade < 0).sum()):,}"
    yield from (("notice", note) for note in kind_notices(qrels))
    if rules.match == "labels" and not ((qrels.grade >= 0) & (qrels.grade < rel)).any():
        yield (
            "notice",
            "labels list relevant documents only: whether any other document was judged is not known",
        )
    yield "fact", f"labels: {len(qrels):,}, of {_queries(len(queries))}, read as {qrels.format}"
    yield "fact", f"grades: {_histogram(qrels.grade)}"
    yield "fact", f"relevant documents a query: {_spread(relevant)}"
    if qrels.collapsed:
        yield "fact", f"labels that stand twice with equal grades, and count once: {qrels.collapsed:,}"
    yield from _ignored_lines(qrels.blank_lines, qrels.comment_lines)


def query_findings(labels: Qrels, table: Queries) -> Found:
    """How the queries table and the labels fit."""
    labelled, listed = set(labels.query_ids), set(table.query_id)
    unlabelled = [query_id for query_id in table.query_id if query_id not in labelled]
    answerable = [q for q, answer in zip(table.query_id, table.answerable, strict=True) if answer]
    missing = [query_id for query_id in unlabelled if query_id in set(answerable)]
    outside = [query_id for query_id in labels.query_ids if query_id not in listed]
    if not labelled & listed:
        which = "its 1 query has no" if len(listed) == 1 else f"none of its {len(listed):,} queries has"
        yield "problem", f"{which} labels.{_alike(labels.query_ids, table.query_id)}"
    elif missing:
        yield (
            "notice",
            f"{_queries(len(missing))} of the population without labels, scored 0: {_some(missing)}",
        )
    if outside:
        yield "notice", f"{_queries(len(outside))} with labels outside the population: {_some(outside)}"
    yield "fact", f"queries: {len(table):,}, {len(table) - len(answerable):,} of them unanswerable"


def run_findings(hits: Hits, rules: Rules) -> Found:
    """What a matched run holds, and how it fits the labels."""
    run = hits.run
    if run is None:
        return
    present = np.flatnonzero(hits.retrieved >= 0)
    yield from _overlap(hits, present)
    for i, notice in enumerate(run.notices):
        yield "problem" if i == 0 and _useless(hits, len(present)) else "notice", notice
    yield from _absent(hits, len(present))
    yield from _depths(hits, present)
    yield from _ties(run)
    yield from _ranks(run)
    yield "fact", f"records: {run.records:,}, read as {run.format}, ordered by {run.order}"
    share = judged_share(hits, JUDGED_TO)
    if share is not None:
        yield "fact", f"judged among the top {JUDGED_TO}: {percent(share)}"
    yield from _ignored_lines(run.blank_lines, run.comment_lines)


def _overlap(hits: Hits, present: NDArray[np.int64]) -> Found:
    """How many of the labelled documents are in the run."""
    if not len(hits):
        return
    relevant = hits.qrels.grade >= 0
    labelled = len(np.unique(hits.qrels.first_row[relevant & np.isin(hits.qrels.query, present)]))
    retrieved = len(np.unique(hits.label[hits.grade >= 0]))
    yield "fact", f"judged documents retrieved: {retrieved:,} of {labelled:,}"


def _useless(hits: Hits, present: int) -> bool:
    """Whether labels and run share no query or no document, which is then the first notice."""
    if not present:
        return hits.run is not None and len(hits.run.unlabelled) > 0
    return not len(hits) and bool((hits.retrieved > 0).any())


def _absent(hits: Hits, present: int) -> Found:
    labelled = np.unique(hits.qrels.query)
    absent = labelled[hits.retrieved[labelled] < 0]
    if len(absent) and present:
        ids = hits.qrels.query_ids.take(absent[:SHOWN])
        yield "notice", f"{_queries(len(absent))} with labels absent from the run: {_some(ids, len(absent))}"
    yield "fact", f"labelled queries in the run: {len(labelled) - len(absent):,} of {len(labelled):,}"


def _depths(hits: Hits, present: NDArray[np.int64]) -> Found:
    if not len(present):
        return
    depth = hits.retrieved[present]
    empty = present[depth == 0]
    if len(empty):
        ids = hits.qrels.query_ids.take(empty[:SHOWN])
        yield "notice", f"{_queries(len(empty))} with an empty ranking: {_some(ids, len(empty))}"
    shallow = int(((depth > 0) & (depth < JUDGED_TO)).sum())
    if shallow:
        yield "notice", f"{_queries(shallow)} with fewer than {JUDGED_TO} documents"
    yield "fact", f"documents a query: {_spread(depth)}"


def _ties(run: RunFacts) -> Found:
    if run.order != "score" or not run.records:
        return
    share = run.tied_records / run.records
    tied = f"{run.tied_records:,} of {run.records:,} ({percent(share)})"
    where = f"in {_queries(len(run.tied_queries))} with labels"
    level: Level = "notice" if share > MANY_TIED else "fact"
    yield level, f"documents with the score of another one: {tied}, {where}"


def _ranks(run: RunFacts) -> Found:
    pairs = run.pairs_rise + run.pairs_fall
    if run.rank_column == "ok" and pairs:
        yield "fact", f"neighbouring ranks whose score rises with the rank: {run.pairs_rise:,} of {pairs:,}"


def _ignored_lines(blank: int, comments: int) -> Found:
    if blank:
        yield "fact", f"blank lines skipped: {blank:,}"
    if comments:
        yield "fact", f"comment lines skipped: {comments:,}"


def _alike(labels: Sequence[str], run: Sequence[str]) -> str:
    found = likeness(islice(labels, LOOKED_AT), islice(run, LOOKED_AT))
    return f" {found}" if found else ""


def _queries(count: int) -> str:
    return many(count, "query", "queries")


def _some(ids: Sequence[str], count: int | None = None) -> str:
    count = len(ids) if count is None else count
    return ", ".join(ids[:SHOWN]) + (", …" if count > SHOWN else "")


def _histogram(grade: NDArray[np.float64]) -> str:
    grades, counts = np.unique(grade, return_counts=True)
    shown = zip(grades.tolist()[:20], counts.tolist(), strict=False)
    more = " · …" if len(grades) > 20 else ""
    return " · ".join(f"{grade:g}: {count:,}" for grade, count in shown) + more


def _spread(counts: NDArray[np.int64]) -> str:
    low, middle, high = int(counts.min()), float(np.median(counts)), int(counts.max())
    if low == high:
        return f"{low:,}"
    median = f"{int(middle):,}" if middle.is_integer() else f"{middle:,.1f}"
    return f"{low:,} to {high:,}, median {median}"
