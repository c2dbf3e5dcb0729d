"""What a saved evaluation keeps of each query beyond its values: ranked ids, grades, relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.matching.hits import Hits
from firsthit.measures.budget import tokens_to
from firsthit.measures.first import first_rank
from firsthit.measures.needs import needs_of
from firsthit.population import first_entries
from firsthit.qrels import Qrels
from firsthit.record.digest import LabelDigest

__all__ = ["Detail", "Ragged", "detail_of"]


class Ragged(msgspec.Struct, frozen=True, eq=False):
    """Ids with a number each, in groups: group q is `offsets[q]:offsets[q + 1]`."""

    offsets: NDArray[np.int64]
    ids: Ids
    number: NDArray[np.float64]

    def group(self, index: int) -> dict[str, float]:
        """One group as {id: number}."""
        start, end = int(self.offsets[index]), int(self.offsets[index + 1])
        return dict(zip(self.ids[start:end], self.number[start:end].tolist(), strict=True))


class Detail(msgspec.Struct, frozen=True, eq=False):
    """One entry a query of an evaluation, in its order.

    `ranked` holds the top of each ranking with grades, NaN for unjudged; `relevant` the documents of at least
    the primary measure's threshold; `judged[q, i]` counts the labels of grade `grades[i]`; `labels` are the
    digests of each query's label rows; `first` names the first hit where that is deeper than `ranked`.
    `evidence` is what the label of each query's first hit points at (source, start, end, quote), None where
    it points at nothing; the column is None where no label points at anything. `needs` are the first ranks of
    each query's needs, `tokens_to_first` the tokens down to its first hit, None where it has none or tokens
    are not known.
    """

    ranked: Ragged
    relevant: Ragged
    grades: NDArray[np.float64]
    judged: NDArray[np.int64]
    labels: Ids
    first: Ids
    evidence: Sequence[dict[str, Any] | None] | None = None
    needs: Sequence[dict[str, int | None]] | None = None
    tokens_to_first: Sequence[int | None] | None = None
    groups: dict[str, list[str | None]] = {}
    critical: Sequence[bool] | None = None


def detail_of(hits: Hits, rows: NDArray[np.int64], rel: float, digest: LabelDigest) -> Detail:
    """The detail of the queries numbered `rows`; groups and critical are left to the caller."""
    grades, judged = _judged(hits, rows)
    ranked = _ranked(hits, rows)
    return Detail(
        ranked=ranked,
        relevant=_relevant(hits, rows, rel),
        grades=grades,
        judged=judged,
        labels=_chosen(digest.by_query, rows),
        first=_deep_first(hits, rows, rel, np.diff(ranked.offsets)),
        evidence=_evidence(hits, rows, rel),
        needs=_needs(hits, rows, rel),
        tokens_to_first=_tokens_to_first(hits, rows, rel),
    )


def _ranked(hits: Hits, rows: NDArray[np.int64]) -> Ragged:
    head = hits.head
    if head is None:
        return Ragged(np.zeros(len(rows) + 1, np.int64), Ids.of([]), np.zeros(0))
    offsets, label, ids = head.offsets, head.label, head.ids
    if len(rows) < len(offsets) - 1:
        items, offsets = _take_groups(offsets, rows)
        label, ids = label[items], ids.subset(items)
    grade = np.append(_grade_of_document(hits.qrels), np.nan)[label]  # label -1 is the last one
    grade[grade < 0] = np.nan
    return Ragged(offsets, ids, grade)


def _grade_of_document(qrels: Qrels) -> NDArray[np.float64]:
    """The grade at the first row of each document: the highest over its needs."""
    if qrels.documents:
        return qrels.grade
    grade = qrels.grade.copy()
    np.maximum.at(grade, qrels.first_row, qrels.grade)
    return grade


def _chosen(ids: Ids, indexes: NDArray[np.int64]) -> Ids:
    """The ids at these indexes; the same ones, not copied, where these are all in order."""
    everything = len(indexes) == len(ids) and np.array_equal(indexes, np.arange(len(ids)))
    return ids if everything else ids.subset(indexes)


def _take_groups(
    offsets: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The item numbers of the chosen groups, and the groups' new offsets."""
    lengths = offsets[rows + 1] - offsets[rows]
    taken = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=taken[1:])
    return np.arange(taken[-1]) + np.repeat(offsets[rows] - taken[:-1], lengths), taken


def _relevant(hits: Hits, rows: NDArray[np.int64], rel: float) -> Ragged:
    """The relevant documents of each query; of several needs a document has its highest grade."""
    qrels = hits.qrels
    place = _places(len(qrels.query_ids), rows)
    about_documents = np.diff(qrels.doc_ids.offsets) > 0  # a label that nothing satisfied may be about none
    found = np.flatnonzero((qrels.grade >= rel) & (place[qrels.query] >= 0) & about_documents)
    if not qrels.documents:
        found = _highest(found, qrels.first_row[found], qrels.grade)
    found = found[np.argsort(place[qrels.query[found]], kind="stable")]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(np.bincount(place[qrels.query[found]], minlength=len(rows)), out=offsets[1:])
    return Ragged(offsets, _chosen(qrels.doc_ids, found), qrels.grade[found])


def _highest(
    rows: NDArray[np.int64], first: NDArray[np.int64], grade: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Of label rows with the same document (equal `first`), the one with the highest grade."""
    order = np.lexsort((-grade[rows], first))
    return rows[order[np.flatnonzero(np.diff(first[order], prepend=-1))]]


def _judged(hits: Hits, rows: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The grades of the labels as given, and how often each query has each; negative ones are unjudged."""
    qrels = hits.qrels.original or hits.qrels
    place = _places(len(qrels.query_ids), rows)
    kept = (qrels.grade >= 0) & (place[qrels.query] >= 0)
    grades = np.sort(qrels.grade[kept])
    grades = grades[np.flatnonzero(np.diff(grades, prepend=-1.0))]
    cells = place[qrels.query[kept]] * len(grades) + np.searchsorted(grades, qrels.grade[kept])
    return grades, np.bincount(cells, minlength=len(rows) * len(grades)).reshape(len(rows), len(grades))


def _deep_first(hits: Hits, rows: NDArray[np.int64], rel: float, shown: NDArray[np.int64]) -> Ids:
    """For each query the id of its first hit where that is deeper than the documents shown, else nothing."""
    place = _places(len(hits.qrels.query_ids), rows)
    entries = first_entries(hits, rel)
    query = place[hits.query[entries]]
    deep = (query >= 0) & (hits.rank[entries] > shown[query])
    ids = hits.qrels.doc_ids.subset(hits.label[entries[deep]])
    lengths = np.zeros(len(rows), np.int64)
    lengths[query[deep]] = np.diff(ids.offsets)
    return Ids(ids.data, np.concatenate([[0], np.cumsum(lengths)]))


def _evidence(hits: Hits, rows: NDArray[np.int64], rel: float) -> list[dict[str, Any] | None] | None:
    """What the label of each query's first hit points at, None without a hit."""
    evidence = hits.qrels.evidence
    if evidence is None:
        return None
    place = _places(len(hits.qrels.query_ids), rows)
    found: list[dict[str, Any] | None] = [None] * len(rows)
    for entry in first_entries(hits, rel).tolist():
        at, label = int(place[hits.query[entry]]), int(hits.label[entry])
        pointing = zip(("source", "start", "end", "quote"), evidence.row(label), strict=True)
        known = {name: value for name, value in pointing if value is not None}
        if at >= 0 and known:
            found[at] = {"doc_id": hits.qrels.doc_ids[label]} | known
    return found


def _needs(hits: Hits, rows: NDArray[np.int64], rel: float) -> list[dict[str, int | None]] | None:
    """For each query the first rank of each of its needs, None where it was not found."""
    if hits.qrels.need is None and not hits.qrels.required:
        return None
    needs, place = needs_of(hits, rel), _places(len(hits.qrels.query_ids), rows)
    found: list[dict[str, int | None]] = [{} for _ in rows]
    columns = (place[needs.query].tolist(), needs.need.tolist(), needs.first_rank.tolist())
    for i, need, rank in zip(*columns, strict=True):
        if i >= 0:
            found[i][needs.names[need]] = rank or None
    return found


def _tokens_to_first(hits: Hits, rows: NDArray[np.int64], rel: float) -> list[int | None] | None:
    """For each query the tokens from the top down to its first hit, None where there is none."""
    read = tokens_to(hits, first_rank(hits, rel))
    return None if read is None else [None if count < 0 else count for count in read[rows].tolist()]


def _places(queries: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each query number its place among `rows`, or -1."""
    place = np.full(queries, -1, np.int64)
    place[rows] = np.arange(len(rows))
    return place
