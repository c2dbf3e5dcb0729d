"""What a saved evaluation keeps of each query beyond its values: ranked ids, grades, relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firsthit.digest import LabelDigest
from firsthit.hits import Hits
from firsthit.ids import Ids

__all__ = ["Detail", "Ragged", "detail_of"]


@dataclass(frozen=True, eq=False)
class Ragged:
    """Ids with a number each, in groups: group q is `offsets[q]:offsets[q + 1]`."""

    offsets: NDArray[np.int64]
    ids: Ids
    number: NDArray[np.float64]

    def group(self, index: int) -> dict[str, float]:
        """One group as {id: number}."""
        start, end = int(self.offsets[index]), int(self.offsets[index + 1])
        return dict(zip(self.ids[start:end], self.number[start:end].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Detail:
    """One entry a query of an evaluation, in its order.

    `ranked` holds the top of each ranking with grades, NaN for unjudged; `relevant` the documents of at least
    the primary measure's threshold; `judged[q, i]` counts the labels of grade `grades[i]`; `labels` are the
    digests of each query's label rows; `first` names the first hit where it is deeper than `ranked`.
    """

    ranked: Ragged
    relevant: Ragged
    grades: NDArray[np.float64]
    judged: NDArray[np.int64]
    labels: Sequence[str]
    first: dict[int, str] = field(default_factory=dict)
    needs: Sequence[dict[str, int | None]] | None = None
    groups: dict[str, list[str | None]] = field(default_factory=dict)
    critical: Sequence[bool] | None = None


def detail_of(hits: Hits, rows: NDArray[np.int64], rel: float, digest: LabelDigest) -> Detail:
    """The detail of the queries numbered `rows`; groups and critical are left to the caller."""
    grades, judged = _judged(hits, rows)
    ranked = _ranked(hits, rows)
    labels = digest.by_query()
    return Detail(
        ranked=ranked,
        relevant=_relevant(hits, rows, rel),
        grades=grades,
        judged=judged,
        labels=[labels[row] for row in rows.tolist()],
        first=_deep_first(hits, rows, rel, np.diff(ranked.offsets)),
        needs=_needs(hits, rows, rel),
    )


def _ranked(hits: Hits, rows: NDArray[np.int64]) -> Ragged:
    head = hits.head
    if head is None:
        return Ragged(np.zeros(len(rows) + 1, np.int64), Ids.of([]), np.zeros(0))
    items, offsets = _take_groups(head.offsets, rows)
    label = head.label[items]
    grade = np.where(label >= 0, hits.qrels.grade[np.maximum(label, 0)], np.nan)
    grade[grade < 0] = np.nan
    whole = len(items) == len(head.ids) and len(rows) == len(head.offsets) - 1
    return Ragged(offsets, head.ids if whole else head.ids.subset(items), grade)


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
    found = np.flatnonzero((qrels.grade >= rel) & (place[qrels.query] >= 0))
    first = qrels.first_row[found]
    found, first = _highest(found, first, qrels.grade)
    found = found[np.lexsort((first, place[qrels.query[found]]))]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(np.bincount(place[qrels.query[found]], minlength=len(rows)), out=offsets[1:])
    return Ragged(offsets, qrels.doc_ids.subset(found), qrels.grade[found])


def _highest(
    rows: NDArray[np.int64], first: NDArray[np.int64], grade: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of label rows with the same document (equal `first`), the one with the highest grade."""
    if len(np.unique(first)) == len(first):
        return rows, first
    order = np.lexsort((-grade[rows], first))
    rows, first = rows[order], first[order]
    keep = np.ones(len(first), bool)
    keep[1:] = first[1:] != first[:-1]
    return rows[keep], first[keep]


def _judged(hits: Hits, rows: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The grades that occur, and how often each query has each; negative grades are unjudged."""
    qrels = hits.qrels
    place = _places(len(qrels.query_ids), rows)
    kept = (qrels.grade >= 0) & (place[qrels.query] >= 0)
    grades, which = np.unique(qrels.grade[kept], return_inverse=True)
    cells = place[qrels.query[kept]] * len(grades) + which
    return grades, np.bincount(cells, minlength=len(rows) * len(grades)).reshape(len(rows), len(grades))


def _deep_first(hits: Hits, rows: NDArray[np.int64], rel: float, shown: NDArray[np.int64]) -> dict[int, str]:
    place = _places(len(hits.qrels.query_ids), rows)
    entries = np.flatnonzero((hits.grade >= rel) & (place[hits.query] >= 0))
    query = place[hits.query[entries]]
    first = np.ones(len(query), bool)
    first[1:] = query[1:] != query[:-1]
    entries, query = entries[first], query[first]
    deep = hits.rank[entries] > shown[query]
    docs = hits.qrels.doc_ids.take(hits.label[entries[deep]])
    return dict(zip(query[deep].tolist(), docs, strict=True))


def _needs(hits: Hits, rows: NDArray[np.int64], rel: float) -> list[dict[str, int | None]] | None:
    """For each query the first rank of each of its needs, None where it was not found."""
    need, qrels = hits.qrels.need, hits.qrels
    if need is None:
        return None
    place = _places(len(qrels.query_ids), rows)
    found: list[dict[str, int | None]] = [{} for _ in rows]
    for row in np.flatnonzero((qrels.grade >= rel) & (place[qrels.query] >= 0)).tolist():
        found[place[qrels.query[row]]].setdefault(need[row], None)
    for entry in np.flatnonzero((hits.grade >= rel) & (place[hits.query] >= 0)).tolist():
        ranks, name = found[place[hits.query[entry]]], need[int(hits.label[entry])]
        if ranks.get(name) is None:
            ranks[name] = int(hits.rank[entry])
    return found


def _places(queries: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each query number its place among `rows`, or -1."""
    place = np.full(queries, -1, np.int64)
    place[rows] = np.arange(len(rows))
    return place
