"""Small labels, passages and rankings, and what they resolve to, found one pair at a time."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from firsthit import _core
from firsthit.evidence import Evidence, item_keys
from firsthit.ids import Ids
from firsthit.passages import Passages
from firsthit.qrels import Qrels


class Passage(NamedTuple):
    """What is known of a passage; "" and -1 where it is not."""

    doc_id: str
    source: str = ""
    start: int = -1
    end: int = -1
    text: str = ""


class Label(NamedTuple):
    """A label about a document, a source, a span or a quote."""

    query_id: str
    doc_id: str = ""
    source: str = ""
    start: int = -1
    end: int = -1
    quote: str = ""
    grade: float = 1.0


def qrels_of(labels: Sequence[Label]) -> Qrels:
    """The labels as they are read."""
    columns = dict(zip(Label._fields, zip(*labels, strict=True), strict=True))
    text = {name: Ids.of(columns[name]) for name in ("query_id", "doc_id", "source", "quote")}
    start, end = (np.array(columns[name], np.int64) for name in ("start", "end"))
    evidence = Evidence(text["source"], start, end, text["quote"], Ids.of([""] * len(labels)))
    keys = item_keys(text["doc_id"], evidence)
    index = _core.Labels(*((ids.data, ids.offsets) for ids in (text["query_id"], keys)))
    return Qrels(
        query_ids=Ids(*index.query_ids),
        query=index.query_of_row,
        doc_ids=text["doc_id"],
        grade=np.array(columns["grade"], np.float64),
        line=np.arange(1, len(labels) + 1),
        index=index,
        evidence=evidence,
    )


def passages_of(passages: Sequence[Passage]) -> Passages:
    """The passages as columns; a column that no passage has is None."""
    columns = dict(zip(Passage._fields, zip(*passages, strict=True), strict=True))
    texts: dict[str, Any] = {
        name: Ids.of(columns[name]) if any(columns[name]) else None for name in ("source", "text")
    }
    numbers = {name: np.array(columns[name], np.int64) for name in ("start", "end")}
    spans: dict[str, Any] = {name: array if (array >= 0).any() else None for name, array in numbers.items()}
    return Passages(Ids.of(columns["doc_id"]), **texts, **spans)


def retrieved_of(qrels: Qrels, passages: Passages, rankings: Mapping[str, Sequence[str]]) -> Any:
    """The rankings as they are retrieved, best first."""
    row = {doc_id: i for i, doc_id in enumerate(passages.doc_ids)}
    found = [rankings.get(query_id) for query_id in qrels.query_ids]
    lengths = [len(ranking or ()) for ranking in found]
    places = [row[doc_id] for ranking in found for doc_id in ranking or ()]
    return SimpleNamespace(
        qrels=qrels,
        retrieved=np.array([-1 if ranking is None else len(ranking) for ranking in found], np.int64),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        passage=np.array(places, np.int64),
        passages=passages,
        run=None,
    )


def plain(text: str) -> str:
    """A text as quotes are compared, one rule after the other."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def share(label: Label, passage: Passage) -> Fraction:
    """How much of a label a passage holds: slow, and so simple that it cannot be wrong."""
    source = passage.source or passage.doc_id
    if label.doc_id:
        return Fraction(label.doc_id == passage.doc_id)
    other = label.source and label.source != source
    quoted = bool(plain(label.quote)) and plain(label.quote) in plain(passage.text)
    if other:
        return Fraction(bool(quoted and not passage.source))
    if label.source and label.start >= 0 and passage.start >= 0:
        common = set(range(label.start, label.end)) & set(range(passage.start, passage.end))
        return Fraction(len(common), label.end - label.start)
    if label.quote:
        return Fraction(quoted)
    return Fraction(label.start < 0)
