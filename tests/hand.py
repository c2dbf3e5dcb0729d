"""Hits of cases worked by hand, made in plain Python by brute force: simple enough to be obviously right.

Labels are `{query: {doc: grade}}` or `{query: {doc: {need: grade}}}`, a run `{query: [(doc, score), ...]}`.
Documents are ordered by score descending, then by doc_id descending as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from firsthit import _core
from firsthit.ids import Ids
from firsthit.matching.hits import Head, Hits
from firsthit.qrels import Qrels

__all__ = ["Labels", "Ranking", "joined", "make_hits", "make_qrels", "ranked", "ranking"]

Labels = Mapping[str, Mapping[str, float | Mapping[str, float]]]
Ranking = Sequence[tuple[str, float]]


def make_qrels(labels: Labels, queries: Iterable[str] = ()) -> Qrels:
    """The labels, and further queries of the population that have none."""
    rows = [
        (query, doc, need, grade)
        for query, docs in labels.items()
        for doc, given in docs.items()
        for need, grade in (given.items() if isinstance(given, Mapping) else [("", given)])
    ]
    labelled = list(dict.fromkeys(query for query, _, _, _ in rows))
    query_ids = Ids.of(dict.fromkeys([*labelled, *queries]))
    texts = (Ids.of(row[0] for row in rows), Ids.of(row[1] for row in rows), query_ids)
    needs = tuple(row[2] for row in rows)
    return Qrels(
        query_ids=query_ids,
        query=np.array([list(query_ids).index(row[0]) for row in rows], np.int32),
        doc_ids=texts[1],
        grade=np.array([row[3] for row in rows], np.float64),
        line=np.arange(1, len(rows) + 1),
        index=_core.Labels(*((text.data, text.offsets) for text in texts)),
        need=needs if any(needs) else None,
    )


def ranked(documents: Ranking) -> list[tuple[str, float]]:
    """The documents by score descending, then doc_id descending as bytes."""
    return sorted(documents, key=lambda item: (item[1], item[0].encode()), reverse=True)


def ranking(docs: Iterable[str]) -> list[tuple[str, float]]:
    """Documents in this order, without ties."""
    return [(doc, -float(place)) for place, doc in enumerate(docs)]


def make_hits(
    labels: Labels, run: Mapping[str, Ranking], queries: Iterable[str] = (), depth: int | None = None
) -> Hits:
    """The labels and the run joined; with a head when `depth` is given."""
    return joined(make_qrels(labels, queries), run, depth)


def joined(qrels: Qrels, run: Mapping[str, Ranking], depth: int | None = None) -> Hits:
    """These labels and the run joined by doc_id; with a head when `depth` is given."""
    rows = list(zip((qrels.query_ids[q] for q in qrels.query), qrels.doc_ids, strict=True))
    entries: list[tuple[int, int, int, int, int]] = []
    head: list[list[tuple[int, int, str]]] = []
    for q, query in enumerate(qrels.query_ids):
        documents = ranked(run.get(query, []))
        scores = [score for _, score in documents]
        top: list[tuple[int, int, str]] = []
        for rank, (doc, score) in enumerate(documents, 1):
            labels_here = [row for row, key in enumerate(rows) if key == (query, doc)]
            first = scores.index(score) + 1
            last = first + scores.count(score) - 1
            entries += [(q, rank, row, first, last) for row in labels_here]
            top.append((rank, labels_here[0] if labels_here else -1, doc))
        head.append(top[: depth or 0])
    columns = np.array(entries, np.int64).reshape(-1, 5).T
    return Hits(
        qrels=qrels,
        query=columns[0].astype(np.int32),
        rank=columns[1],
        label=columns[2],
        tie_first=columns[3],
        tie_last=columns[4],
        retrieved=np.array([len(run[q]) if q in run else -1 for q in qrels.query_ids], np.int64),
        head=None if depth is None else _head(depth, head),
    )


def _head(depth: int, head: list[list[tuple[int, int, str]]]) -> Head:
    flat = [item for top in head for item in top]
    return Head(
        depth=depth,
        offsets=np.cumsum([0, *(len(top) for top in head)]).astype(np.int64),
        record=np.array([rank - 1 for rank, _, _ in flat], np.int64),
        label=np.array([label for _, label, _ in flat], np.int64),
        ids=Ids.of(doc for _, _, doc in flat),
    )
