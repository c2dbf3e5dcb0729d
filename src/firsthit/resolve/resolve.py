"""Labels about sources, spans and quotes become labels of the passages that were retrieved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.evidence import Evidence
from firsthit.ids import Ids
from firsthit.matching.hits import sealed
from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.resolve.quotes import Texts, contained, lengths
from firsthit.resolve.spans import Keys, Pairs, shares

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved

__all__ = [
    "REASONS",
    "Candidates",
    "Resolved",
    "Unit",
    "candidates",
    "distinct",
    "known_sources",
    "open_rows",
    "with_documents",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

REASONS = (
    "",
    "the query is absent from the run",
    "its quote is empty",
    "its source is not retrieved",
    "the retrieved passages name no source",
    "the retrieved passages of its source have no span",
    "the retrieved passages have no text",
    "its quote is in no retrieved passage",
    "no retrieved passage covers any of it",
    "no retrieved passage covers enough of it",
)
"""Why no retrieved passage satisfies a label, by number; 0: one does."""

ABSENT, EMPTY_QUOTE, NO_SOURCE, NO_SOURCES, NO_SPANS, NO_TEXTS, NO_QUOTE, UNCOVERED, TOO_LITTLE = range(1, 10)


class Unit(msgspec.Struct, frozen=True, eq=False):
    """What each passage counts as: passage i is a place of `doc_ids[number[i]]`."""

    number: Ints
    doc_ids: Ids

    @classmethod
    def of(cls, passages: Passages) -> Unit:
        """Each passage as itself."""
        return cls(np.arange(len(passages)), passages.doc_ids)


class Resolved(msgspec.Struct, frozen=True, eq=False):
    """Labels by passage, at one overlap.

    `qrels` holds each label once for each retrieved passage that satisfies it, and as given where none does.
    `partial` are the pairs of a label and a place that covers some of its span, but too little; `share` how
    much. `why[row]` is the reason, a number of `REASONS`, that no retrieved passage satisfies that label.
    """

    qrels: Qrels
    partial: Pairs
    share: Floats
    why: NDArray[np.int8]


class Candidates(msgspec.Struct, frozen=True, eq=False):
    """The labels that are about no document, each with the places that satisfy it at some overlap.

    `share[i]` is how much of the label of pair i its place covers: 1 where it holds the quote, or where the
    label is about the whole source. `why` is why a label has no pair, and 0 where it has one.
    """

    qrels: Qrels
    passage: NDArray[np.int32]  # of each place
    unit: Unit
    pairs: Pairs
    share: Floats
    why: NDArray[np.int8]

    def at(self, overlap: float) -> Resolved:
        """The labels by passage where a passage must cover this share of a span."""
        enough = self.share >= overlap
        satisfied = self.pairs.where(enough)
        why = self.why.copy()
        found = np.zeros(len(self.qrels), np.bool_)
        found[satisfied.label] = True
        why[self.pairs.label] = TOO_LITTLE
        why[found] = 0
        why.flags.writeable = False
        return Resolved(
            qrels=with_documents(self.qrels, satisfied.label, self.passage[satisfied.place], self.unit),
            partial=self.pairs.where(~enough),
            share=self.share[~enough],
            why=why,
        )


def candidates(qrels: Qrels, retrieved: Retrieved, unit: Unit | None = None) -> Candidates:
    """The retrieved passages that may satisfy the labels of their query: by source, span or quote.

    The labels become labels of passages, or of the documents that `unit` says they are from.
    """
    unit = unit or Unit.of(retrieved.passages)
    rows, evidence = open_rows(qrels), qrels.evidence
    if evidence is None or not len(rows):
        none = np.zeros(0, np.int64)
        why = np.zeros(len(qrels), np.int8)
        pairs = Pairs(none, none)
        return Candidates(qrels, retrieved.passage, unit, pairs, np.zeros(0), why)
    joined = _Joined.of(qrels, evidence, retrieved)
    pairs, share = joined.satisfied()
    return Candidates(
        qrels=qrels,
        passage=retrieved.passage,
        unit=unit,
        pairs=pairs,
        share=share,
        why=joined.why(pairs, retrieved.retrieved),
    )


def open_rows(qrels: Qrels) -> Ints:
    """The rows that are about no document: a source, a span, a quote."""
    return np.flatnonzero(lengths(qrels.doc_ids) == 0)


def with_documents(
    qrels: Qrels, label: Ints, passage: NDArray[np.int32], unit: Unit, grade: Floats | None = None
) -> Qrels:
    """The labels with each row once for each of its passages, and as given where none has its grade.

    `grade` is what each pair says, where that is not the label's own grade; of several the first counts.

    >>> from firsthit import read_qrels
    >>> labels, unit = read_qrels({"q": {"a": 1}}), Unit(np.arange(2), Ids.of(["x", "y"]))
    >>> list(with_documents(labels, np.array([0, 0]), np.array([1, 0]), unit).doc_ids)
    ['x', 'y']
    """
    many = max(len(unit.doc_ids), 1)
    pairs, chosen = np.unique(label * many + unit.number[passage], return_index=True)
    label, document = np.divmod(pairs, many)
    said = qrels.grade[label] if grade is None else grade[chosen]
    left = np.setdiff1d(np.arange(len(qrels)), label[said == qrels.grade[label]])
    origin = np.concatenate([label, left])
    order = np.argsort(origin, kind="stable")
    taken = np.concatenate([document, len(unit.doc_ids) + left])[order]
    documents = Ids.joined(unit.doc_ids, qrels.doc_ids).subset(taken)
    origin = sealed(origin[order])
    found = qrels.rows(origin, documents, np.concatenate([said, qrels.grade[left]])[order])
    return msgspec.structs.replace(found, original=qrels, origin=origin)


class _Joined(msgspec.Struct, frozen=True, eq=False):
    """Labels and places that stand in one query and one source, or one query where a source is not known."""

    qrels: Qrels
    evidence: Evidence
    passages: Passages
    passage: NDArray[np.int32]  # of each place
    by_source: Pairs
    by_query: Pairs  # candidates by quote alone
    rows: Ints
    has_quote: Mask  # over all label rows
    has_source: Mask

    @classmethod
    def of(cls, qrels: Qrels, evidence: Evidence, retrieved: Retrieved) -> _Joined:
        rows = open_rows(qrels)
        has_source, has_quote = lengths(evidence.source) > 0, lengths(evidence.quote) > 0
        query = np.repeat(np.arange(len(retrieved.retrieved)), np.diff(retrieved.offsets))
        by_source = _by_source(qrels, evidence, retrieved, query, rows[has_source[rows]])
        by_query = _by_quote(qrels, retrieved, query, rows[has_quote[rows]], has_source)
        passages, passage = retrieved.passages, retrieved.passage
        return cls(qrels, evidence, passages, passage, by_source, by_query, rows, has_quote, has_source)

    def satisfied(self) -> tuple[Pairs, Floats]:
        """The pairs in which a place covers something of a label, and the share."""
        label, place = self.by_source.label, self.by_source.place
        by_span = self._by_span()
        quoted = self.has_quote[label] & ~by_span
        whole = ~self.evidence.spans[label] & ~self.has_quote[label]
        share = np.where(whole, 1.0, 0.0)
        share[by_span] = self._shares(self.by_source.where(by_span))
        asked = Pairs(
            np.concatenate([label[quoted], self.by_query.label]),
            np.concatenate([place[quoted], self.by_query.place]),
        )
        holding = asked.where(self._quoted(asked))
        kept = share > 0
        pairs = Pairs(
            np.concatenate([label[kept], holding.label]), np.concatenate([place[kept], holding.place])
        )
        return pairs, np.concatenate([share[kept], np.ones(len(holding))])

    def _by_span(self) -> Mask:
        """The pairs by source in which both the label and the passage have a span."""
        start = self.passages.start
        if start is None:
            return np.zeros(len(self.by_source), np.bool_)
        spanned: Mask = start >= 0
        chosen: Mask = self.evidence.spans[self.by_source.label]
        return chosen & spanned[self.passage[self.by_source.place]]

    def _shares(self, pairs: Pairs) -> Floats:
        start, end = self.passages.start, self.passages.end
        if start is None or end is None:
            return np.zeros(len(pairs))
        label, passage = pairs.label, self.passage[pairs.place]
        return shares(self.evidence.start[label], self.evidence.end[label], start[passage], end[passage])

    def _quoted(self, pairs: Pairs) -> Mask:
        """Whether the passage of each pair holds the quote of its label."""
        text = self.passages.text
        if text is None or not len(pairs):
            return np.zeros(len(pairs), np.bool_)
        used = np.zeros(len(self.passages), np.bool_)
        used[self.passage[pairs.place]] = True
        number = np.cumsum(used) - 1
        texts = Texts.of(text if used.all() else text.subset(np.flatnonzero(used)))
        quote, quotes = distinct(self.evidence.quote)
        return contained(texts, Texts.of(quotes), number[self.passage[pairs.place]], quote[pairs.label])

    def why(self, pairs: Pairs, retrieved: Ints) -> NDArray[np.int8]:
        """Why a label has no pair at all; 0 where it has one, and for labels of documents."""
        spans, asked = self.evidence.spans, np.zeros(len(self.qrels), np.bool_)
        seen = asked.copy()
        asked[self.by_query.label] = True
        seen[self.by_source.label] = True
        has_span = np.zeros(len(self.qrels), np.bool_)
        has_span[self.by_source.label[self._by_span()]] = True
        by_quote = self.has_quote & (asked | (seen & ~has_span))
        reasons = [
            (retrieved[self.qrels.query] < 0, ABSENT),
            (self.has_quote & ~self._words() & (by_quote | ~self.has_source), EMPTY_QUOTE),
            (has_span, UNCOVERED),
            (by_quote & (self.passages.text is None), NO_TEXTS),
            (by_quote, NO_QUOTE),
            (seen & spans, NO_SPANS),
            (np.full(len(self.qrels), self.passages.source is None and not seen.any()), NO_SOURCES),
            (np.ones(len(self.qrels), np.bool_), NO_SOURCE),
        ]
        why = np.select([chosen for chosen, _ in reasons], [reason for _, reason in reasons]).astype(np.int8)
        done = np.ones(len(self.qrels), np.bool_)
        done[self.rows] = False
        done[pairs.label] = True
        why[done] = 0
        return why

    def _words(self) -> Mask:
        """Which quotes are not empty once normalised."""
        rows = np.flatnonzero(self.has_quote)
        found = np.zeros(len(self.has_quote), np.bool_)
        quotes = Texts.of(self.evidence.quote.subset(rows))
        found[rows] = quotes.end > quotes.start
        return found


def distinct(texts: Ids) -> tuple[Ints, Ids]:
    """For each text which of the distinct ones it is, and these, in the order of first appearance.

    >>> number, texts = distinct(Ids.of(["b", "a", "b"]))
    >>> number.tolist(), list(texts)
    ([0, 1, 0], ['b', 'a'])
    """
    first = _first_of_each(texts)
    chosen = np.flatnonzero(first == np.arange(len(first)))
    return np.searchsorted(chosen, first), texts.subset(chosen)


def _first_of_each(texts: Ids) -> Ints:
    """For each text the first row with the same one."""
    rows = len(texts)
    nothing = np.full(rows, ord("-"), np.uint8), np.arange(rows + 1)
    return _core.Labels(nothing, (texts.data, texts.offsets)).first_row


def known_sources(passages: Passages) -> Ids:
    """The source of each passage; one whose source is not known is its own."""
    source, doc_ids = passages.source, passages.doc_ids
    if source is None:
        return doc_ids
    unknown = lengths(source) == 0
    if not unknown.any():
        return source
    rows = np.arange(len(source))
    return Ids.joined(source, doc_ids).subset(np.where(unknown, len(source) + rows, rows))


def _by_source(qrels: Qrels, evidence: Evidence, retrieved: Retrieved, query: Ints, rows: Ints) -> Pairs:
    """Labels and the places of their query in their source; places in other sources are left out first."""
    of_label, of_passage = _source_numbers(evidence.source.subset(rows), retrieved.passages)
    source = of_passage[retrieved.passage]
    places = np.flatnonzero(source >= 0)
    keys = Keys.of(qrels.query[rows] * np.int64(len(rows)) + of_label, rows)
    return keys.matches(query[places] * len(rows) + source[places], places)


def _source_numbers(labelled: Ids, passages: Passages) -> tuple[Ints, Ints]:
    """The labelled sources as numbers, and for each passage that of its source, -1 for no labelled one."""
    first = _first_of_each(Ids.joined(labelled, known_sources(passages)))
    of_label, of_passage = first[: len(labelled)], first[len(labelled) :]
    return of_label, np.where(of_passage < len(labelled), of_passage, -1)


def _by_quote(qrels: Qrels, retrieved: Retrieved, query: Ints, rows: Ints, has_source: Mask) -> Pairs:
    """Labels with a quote and the places that may hold it: all of its query, but those of another source."""
    free, bound = rows[~has_source[rows]], rows[has_source[rows]]
    pairs = _with_every_place(qrels, retrieved, free)
    source = retrieved.passages.source
    unknown = np.ones(len(retrieved.passages), np.bool_) if source is None else lengths(source) == 0
    if not len(bound) or not unknown.any():
        return pairs
    places = np.flatnonzero(unknown[retrieved.passage])
    keys = Keys.of(qrels.query[bound].astype(np.int64), bound)
    found = keys.matches(query[places], places)
    return Pairs(np.concatenate([pairs.label, found.label]), np.concatenate([pairs.place, found.place]))


def _with_every_place(qrels: Qrels, retrieved: Retrieved, rows: Ints) -> Pairs:
    """Labels with all places of their query, by label."""
    query = qrels.query[rows]
    count = np.diff(retrieved.offsets)[query]
    before = np.cumsum(count) - count
    label = np.repeat(rows, count)
    return Pairs(label, np.arange(len(label)) + np.repeat(retrieved.offsets[query] - before, count))
