"""Labels moved to the passages of another chunking: only where it is certain that they still hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from firsthit.labels.merging import merged
from firsthit.labels.nearest import Candidate, Nearest
from firsthit.labels.rows import LabelRow
from firsthit.passages import Passages
from firsthit.resolve.quotes import normalised
from firsthit.staleness.corpus import Corpus, places_of

__all__ = ["RULES", "Carried", "Move", "carry"]

Status: TypeAlias = Literal["carried", "suggested", "lost", "merged"]
Found: TypeAlias = Iterator[tuple[str, Sequence[int]]]

RULES = {
    "same": "the same passage",
    "span": "same source and span",
    "text": "equal text in the same source",
    "elsewhere": "equal text in exactly one passage",
    "quote": "the quote found in its source",
    "source": "a source, span or quote that NEW holds as OLD did",
    "already": "a passage of NEW already",
}
"""How a label is carried, the first rule that applies."""


class Move(msgspec.Struct, frozen=True):
    """What became of one label row: the rows it is written as and the rule; or why it is not carried."""

    row: LabelRow
    status: Status
    rule: str = ""
    rows: tuple[LabelRow, ...] = ()
    why: str = ""
    candidates: tuple[Candidate, ...] = ()


class Carried(msgspec.Struct, frozen=True):
    """What became of all label rows, in their order."""

    moves: tuple[Move, ...]

    @property
    def rows(self) -> list[LabelRow]:
        """The labels that hold for NEW."""
        return [row for move in self.moves for row in move.rows]

    def count(self, status: Status) -> int:
        """How many label rows ended like this."""
        return sum(move.status == status for move in self.moves)

    @property
    def by_rule(self) -> dict[str, int]:
        """How many label rows each rule carried."""
        counts = {rule: sum(move.rule == rule for move in self.moves) for rule in RULES}
        return {rule: count for rule, count in counts.items() if count}

    @property
    def not_carried(self) -> list[Move]:
        """The suggested, lost and merged ones."""
        return [move for move in self.moves if move.status != "carried"]


def carry(rows: Sequence[LabelRow], old: Passages, new: Passages) -> Carried:
    """The label rows of `old` as labels of `new`.

    A passage is the same one where source and span are equal, where the same source has its text, or where
    exactly one passage of another source has it; one that holds the label's quote in its source supports it,
    too, unless the grade is 0 or less: a quote says why a passage is relevant, not why it is not. Anything
    else is suggested or lost, and never a label. Nothing changes where `old` and `new` are the same.
    """
    carrying = _Carrying(Corpus(old), Corpus(new))
    return Carried(tuple(merged([carrying.move(row) for row in rows])))


class _Carrying:
    """The two corpora, and what a label needs to find its place in the new one."""

    def __init__(self, old: Corpus, new: Corpus) -> None:
        self.old, self.new = old, new
        self.nearest = Nearest(new)

    def move(self, row: LabelRow) -> Move:
        if not row.doc_id:
            return _Anchored(self, row).move()
        place = self.old.row.get(row.doc_id)
        if place is not None:
            return self._passage(row, place)
        if row.doc_id in self.new.row:
            return Move(row, "carried", "already", (row,))
        return Move(row, "lost", why="OLD does not hold the document")

    def _passage(self, row: LabelRow, place: int) -> Move:
        """The first rule that finds the passage of the label."""
        for rule, found in self._found(row, place):
            if found:
                return Move(row, "carried", rule, tuple(self._to(row, place, target) for target in found))
        return self._not_carried(row, place)

    def _found(self, row: LabelRow, place: int) -> Found:
        new, old = self.new, self.old
        source, text, span = old.sources[place], old.normal(place), old.span(place)
        same_id = new.row.get(row.doc_id)
        if same_id is not None and new.sources[same_id] == source and self._is(place, same_id):
            yield "same", [same_id]
        if span is not None:
            there = new.rows_of(source)
            yield "span", [one for one in there if new.span(one) == span and self._agree(place, one)][:1]
        with_text = new.with_text(text)
        in_source = [one for one in with_text if new.sources[one] == source]
        yield "text", in_source if len(in_source) == 1 else self._nth(place, in_source)
        if not in_source and len(with_text) == 1:
            yield "elsewhere", with_text
        yield "span", self._covering(row, place)
        yield "quote", self._with_quote(row, place)

    def _is(self, place: int, target: int) -> bool:
        """Whether a passage of the same id and source is the same: text and span are, as far as known."""
        spans = self.old.span(place), self.new.span(target)
        texts = bool(self.old.text(place)) and self.old.normal(place) == self.new.normal(target)
        if texts:
            return True
        return self._agree(place, target) and spans[0] == spans[1]

    def _agree(self, place: int, target: int) -> bool:
        """Whether two passages have the same text, or one of them none that is known."""
        texts = self.old.normal(place), self.new.normal(target)
        return not all(texts) or texts[0] == texts[1]

    def _nth(self, place: int, found: Sequence[int]) -> Sequence[int]:
        """Of equal passages of a source the one at the same place among them, if there are as many."""
        text, source = self.old.normal(place), self.old.sources[place]
        before = [one for one in self.old.rows_of(source) if self.old.normal(one) == text]
        return [found[before.index(place)]] if len(before) == len(found) > 0 else []

    def _with_quote(self, row: LabelRow, place: int) -> Sequence[int]:
        quote = normalised(row.quote)
        if row.grade <= 0 or not quote:
            return []
        there = self.new.rows_of(self._source(row, place))
        return [one for one in there if quote in self.new.normal(one)]

    def _covering(self, row: LabelRow, place: int) -> Sequence[int]:
        """The passages that hold the whole labelled span, where its words are still the same."""
        source = self._source(row, place)
        said = _said_at(self.new, source, row.span)
        if row.grade <= 0 or row.span is None or not said or said != _said_at(self.old, source, row.span):
            return []
        spans = ((one, self.new.span(one)) for one in self.new.rows_of(source))
        return [one for one, span in spans if span and span[0] <= row.span[0] and row.span[1] <= span[1]]

    def _source(self, row: LabelRow, place: int) -> str:
        """The source that a label is about, "" where neither it nor OLD says."""
        return row.source or ("" if self.old.passages.source is None else self.old.sources[place])

    def _to(self, row: LabelRow, place: int, target: int) -> LabelRow:
        """The label of another passage; what it says about its source follows."""
        source = self.new.sources[target]
        changes: dict[str, Any] = {"doc_id": self.new.passages.doc_ids[target]}
        if row.source and row.source != source:
            changes["source"] = source
        if row.span is not None:
            changes["span"] = self._span(row, place, target)
        return msgspec.structs.replace(row, **changes)

    def _span(self, row: LabelRow, place: int, target: int) -> tuple[int, int] | None:
        """Where the labelled words stand now; None where that is not known."""
        source, before = self.new.sources[target], row.source or self.old.sources[place]
        if source == before and _said_at(self.new, source, row.span) == _said_at(self.old, before, row.span):
            return row.span
        if row.quote:
            return _place_of(row.quote, self.new.text_with_places(source))
        start, moved = self.old.span(place), self.new.span(target)
        if row.span is None or start is None or moved is None:
            return None
        return row.span[0] - start[0] + moved[0], row.span[1] - start[0] + moved[0]

    def _not_carried(self, row: LabelRow, place: int) -> Move:
        text, source = self.old.text(place), self.old.sources[place]
        candidates = self.nearest.to(text or row.quote, source)
        equal = self.new.with_text(self.old.normal(place))
        if equal:
            candidates = tuple(Candidate.of(self.new, one, 1.0) for one in equal[:5])
            where = "its source" if any(self.new.sources[one] == source for one in equal) else "other sources"
            why = f"{len(equal):,} passages of {where} have its text: which one is meant is not certain"
            return Move(row, "suggested", why=why, candidates=candidates)
        why = self._why(row, source)
        return Move(row, self.nearest.status(candidates), why=why, candidates=candidates)

    def _why(self, row: LabelRow, source: str) -> str:
        if not self.new.rows_of(source) and self.old.passages.source is not None:
            return f"NEW does not hold its source {source!r}"
        if row.quote and row.grade <= 0:
            return "its text is cut or written in another way, and a grade of 0 is not carried by a quote"
        if row.quote:
            return "neither its text nor its quote stands in its source"
        return "its text is cut or written in another way, and the label has no quote"


class _Anchored:
    """A label of a source, a span or a quote: it holds for any chunking while what it names is there."""

    def __init__(self, carrying: _Carrying, row: LabelRow) -> None:
        self.old, self.new, self.nearest = carrying.old, carrying.new, carrying.nearest
        self.row = row
        self.quote = normalised(row.quote)

    def move(self) -> Move:
        row = self.row
        if not row.source:
            return self._quote_only()
        if not self.new.rows_of(row.source):
            return self._gone(f"NEW does not hold its source {row.source!r}")
        if self._as_it_was():
            return Move(row, "carried", "source", (row,))
        text = self.new.text_with_places(row.source)
        moved = _place_of(_words_at(self.old, row.source, row.span), text)
        if moved is not None:
            return Move(row, "carried", "text", (msgspec.structs.replace(row, span=moved),))
        if not self._quoted():
            return self._gone(self._what_changed())
        span = row.span and _place_of(row.quote, text)
        return Move(row, "carried", "quote", (msgspec.structs.replace(row, span=span),))

    def _as_it_was(self) -> bool:
        """Whether what the label names says in NEW what it says in OLD, as far as that is known."""
        source, row = self.row.source, self.row
        words = _said_at(self.old, source, row.span), _said_at(self.new, source, row.span)
        if all(words):
            return words[0] == words[1]
        texts = self.old.normal_source(source), self.new.normal_source(source)
        if all(texts) and texts[0] == texts[1]:
            return True
        if row.span is None:
            return not row.quote and bool(self.old.rows_of(source) or not all(texts))
        return not all(texts) and not self.new.beyond(source, row.span)

    def _quoted(self) -> bool:
        return self.row.grade > 0 and self.new.says(self.row.source, self.quote) is True

    def _quote_only(self) -> Move:
        """A quote without a source holds for every passage that contains it."""
        now, before = self._containing(self.new), self._containing(self.old)
        if now and (self.row.grade > 0 or now == before):
            return Move(self.row, "carried", "quote" if self.row.grade > 0 else "source", (self.row,))
        if now:
            return self._gone("a grade of 0 is not carried by a quote, and other passages hold it now")
        return self._gone("no passage of NEW holds its quote")

    def _containing(self, corpus: Corpus) -> set[str]:
        texts = map(corpus.normal, range(len(corpus)))
        return {text for text in texts if self.quote and self.quote in text}

    def _what_changed(self) -> str:
        if self.row.quote and self.row.grade <= 0:
            return "its source changed, and a grade of 0 is not carried by a quote"
        if self.row.quote:
            return "its quote is no longer in its source"
        return "its source changed where the span is, and the label has no quote"

    def _gone(self, why: str) -> Move:
        source = self.row.source
        said = self.row.quote or _words_at(self.old, source, self.row.span) or self.old.source_text(source)
        candidates = self.nearest.to(said, source)
        return Move(self.row, self.nearest.status(candidates), why=why, candidates=candidates)


def _words_at(corpus: Corpus, source: str, span: tuple[int, int] | None) -> str:
    """The words of a span; "" where there is none, or they are not known."""
    return "" if span is None else corpus.text_with_places(source)[slice(*span)]


def _said_at(corpus: Corpus, source: str, span: tuple[int, int] | None) -> str:
    """The words of a span, normalised."""
    return normalised(_words_at(corpus, source, span))


def _place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whatever its blanks and letter case; None unless at one place.

    >>> _place_of("the  Fee", "We pay the fee."), _place_of("a", "a a")
    ((7, 14), None)
    """
    found = places_of(quote, text)
    return found[0] if len(found) == 1 else None
