"""From passages to the documents they were cut from, in rankings and in labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import UsageError
from firsthit.evidence import Evidence, item_keys
from firsthit.ids import Ids
from firsthit.matching.hits import sealed
from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.resolve.quotes import lengths
from firsthit.resolve.resolve import Unit, distinct, known_sources
from firsthit.resolve.sources import Collection

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved

__all__ = ["about_sources", "documents_of", "folded", "folded_labels", "sources_of"]

Ints = NDArray[np.int64]


def documents_of(passages: Passages) -> Unit:
    """The source of each passage; one whose source is not known is a document of its own.

    UsageError where no source is known at all.

    >>> found = documents_of(Passages(Ids.of(["d#1", "e", "d#2"]), source=Ids.of(["d", "", "d"])))
    >>> found.number.tolist(), list(found.doc_ids)
    ([0, 1, 0], ['d', 'e'])
    """
    found = sources_of(passages)
    if found is None:
        hint = (
            "Give --sources FILE, --source-separator TEXT, --passages FILE, or a run with a field `source`."
        )
        raise UsageError("unit=document folds passages to their sources, and none is known", hint=hint)
    return found


def sources_of(passages: Passages) -> Unit | None:
    """As `documents_of`, and None where no source is known."""
    if passages.source is None or not lengths(passages.source).any():
        return None
    return Unit(*distinct(known_sources(passages)))


def folded(retrieved: Retrieved, documents: Unit) -> tuple[Retrieved, int]:
    """The rankings of documents: each at the place of its first passage; and how many places were removed.

    Ranks, ties and the number retrieved follow. Folding what is folded changes nothing.
    """
    query = np.repeat(np.arange(len(retrieved.retrieved)), np.diff(retrieved.offsets))
    number = documents.number[retrieved.passage]
    _, first = np.unique(query * max(len(documents.doc_ids), 1) + number, return_index=True)
    kept = np.sort(first)
    removed = len(query) - len(kept)
    group = np.cumsum(~retrieved.tied)  # of equal scores, all rankings through
    tied = np.zeros(len(kept), np.bool_)
    tied[1:] = (group[kept][1:] == group[kept][:-1]) & (query[kept][1:] == query[kept][:-1])
    counts = np.bincount(query[kept], minlength=len(retrieved.retrieved))
    passages = Passages(documents.doc_ids, source=documents.doc_ids, name=retrieved.passages.name)
    return msgspec.structs.replace(
        retrieved,
        retrieved=sealed(np.where(retrieved.retrieved < 0, -1, counts)),
        offsets=sealed(np.concatenate([[0], np.cumsum(counts)])),
        passage=sealed(number[kept].astype(np.int32)),
        tied=sealed(tied),
        record=sealed(retrieved.record[kept]),
        passages=passages,
        has_answer=None,
    ), removed


def folded_labels(qrels: Qrels, retrieved: Passages, collection: Collection) -> Qrels:
    """The labels by document: the source they name, else that of the passage, with the highest grade.

    Labels about a quote and no source stay as they are: they are about a document once they are resolved.
    """
    documents = _documents_of_labels(qrels, retrieved, collection)
    keys = item_keys(documents, qrels.evidence)
    queries = qrels.query_ids.subset(qrels.query)
    index = _core.Labels((queries.data, queries.offsets), (keys.data, keys.offsets))
    kept = _highest(qrels, index.first_row)
    return qrels.rows(kept, documents.subset(kept), qrels.grade[kept])


def _documents_of_labels(qrels: Qrels, retrieved: Passages, collection: Collection) -> Ids:
    """The document of each label: the source it names, else that of its passage, "" for a quote alone."""
    named = [""] * len(qrels) if qrels.evidence is None else list(qrels.evidence.source)
    ids, sources = list(qrels.doc_ids), retrieved.source
    pairs = () if sources is None else zip(retrieved.doc_ids, sources, strict=True)
    known = {doc_id: its for doc_id, its in pairs if its}
    of_passage = collection.source_of(ids, known)
    return Ids.of(
        source or (its if doc_id else "") for source, doc_id, its in zip(named, ids, of_passage, strict=True)
    )


def about_sources(qrels: Qrels, retrieved: Passages) -> Qrels:
    """The labels, those whose doc_id is that of a source and of no passage retrieved about that source."""
    if retrieved.source is None:
        return qrels
    sources, passages = set(retrieved.source), set(retrieved.doc_ids)
    ids = list(qrels.doc_ids)
    rows = [i for i, doc_id in enumerate(ids) if doc_id in sources and doc_id not in passages]
    if not rows:
        return qrels
    given = qrels.evidence or _no_evidence(len(qrels))
    named = list(given.source)
    for row in rows:
        ids[row], named[row] = "", ids[row]
    return msgspec.structs.replace(
        qrels, doc_ids=Ids.of(ids), evidence=msgspec.structs.replace(given, source=Ids.of(named))
    )


def _no_evidence(rows: int) -> Evidence:
    none, nowhere = Ids.of([""] * rows), np.full(rows, -1, np.int64)
    return Evidence(source=none, start=nowhere, end=nowhere, quote=none, kind=none)


def _highest(qrels: Qrels, first: Ints) -> Ints:
    """Of the rows of one query, document and need the one with the highest grade, in their order."""
    need = np.zeros(len(qrels), np.int64)
    if qrels.need is not None:
        number = {name: i for i, name in enumerate(dict.fromkeys(qrels.need))}
        need = np.array([number[name] for name in qrels.need], np.int64)
    order = np.lexsort((-qrels.grade, need, first))
    changed = (np.diff(first[order], prepend=-1) != 0) | (np.diff(need[order], prepend=-1) != 0)
    return np.sort(order[np.flatnonzero(changed)])
