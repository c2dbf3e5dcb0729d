"""A corpus by source and by text: which passages a source was cut into, what it says, who else says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import msgspec

from firsthit.passages import Passages
from firsthit.resolve.quotes import normalised

__all__ = ["Corpus", "joined", "places_of"]

SHORTEST_OVERLAP = 12
"""Code points that two passages share on purpose; fewer are chance, such as the same letter."""


class Corpus(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Passages, looked up by id, source and text; a passage without a source is its own source.

    >>> from firsthit.ids import Ids
    >>> corpus = Corpus(Passages(Ids.of(["d#0", "d#1"]), Ids.of(["d", "d"]), text=Ids.of(["One.", "Two."])))
    >>> corpus.source_text("d"), corpus.rows_of("d"), corpus.with_text("one.")
    ('One. Two.', [0, 1], [0])
    """

    passages: Passages

    def __len__(self) -> int:
        return len(self.passages)

    @cached_property
    def row(self) -> dict[str, int]:
        """The row of each doc_id."""
        return {doc_id: row for row, doc_id in enumerate(self.passages.doc_ids)}

    @cached_property
    def sources(self) -> list[str]:
        """The source of each row."""
        ids, source = self.passages.doc_ids, self.passages.source
        if source is None:
            return list(ids)
        return [one or doc_id for one, doc_id in zip(source, ids, strict=True)]

    @cached_property
    def by_source(self) -> dict[str, list[int]]:
        """The rows of each source."""
        found: dict[str, list[int]] = {}
        for row, source in enumerate(self.sources):
            found.setdefault(source, []).append(row)
        return found

    def rows_of(self, source: str) -> list[int]:
        """The passages of a source, in the order of the file."""
        return self.by_source.get(source, [])

    def text(self, row: int) -> str:
        """The text of a passage, "" where it is not known."""
        return "" if self.passages.text is None else self.passages.text[row]

    @cached_property
    def _normal(self) -> dict[int, str]:
        return {}

    def normal(self, row: int) -> str:
        """The text of a passage as quotes are compared with it; each is normalised once."""
        if row not in self._normal:
            self._normal[row] = normalised(self.text(row))
        return self._normal[row]

    @cached_property
    def by_text(self) -> dict[str, list[int]]:
        """The rows of each normalised text."""
        found: dict[str, list[int]] = {}
        for row in range(len(self)):
            found.setdefault(self.normal(row), []).append(row)
        return found

    def with_text(self, normal: str) -> list[int]:
        """The passages whose normalised text is this one; none for an empty one."""
        return self.by_text.get(normal, []) if normal else []

    def span(self, row: int) -> tuple[int, int] | None:
        """Where in its source a passage stands, None where that is not known."""
        start, end = self.passages.start, self.passages.end
        if start is None or end is None or start[row] < 0 or end[row] < 0:
            return None
        return int(start[row]), int(end[row])

    @cached_property
    def _source_texts(self) -> dict[str, str]:
        return {}

    def source_text(self, source: str) -> str:
        """The text of a source, put together from its passages; "" where one has none.

        Where their spans are known, each stands at its own, and what no passage holds is blank. Else they are
        joined in the order of the file, and what the end of one repeats at the start of the next stands once.
        """
        if source not in self._source_texts:
            self._source_texts[source] = self._put_together(self.rows_of(source))
        return self._source_texts[source]

    def says(self, source: str, quote: str) -> bool | None:
        """Whether a source holds a normalised quote, in one passage or across them; None: not known.

        An empty quote is held by none. Passages cut inside words are joined without a blank, too.
        """
        rows = self.rows_of(source)
        if not rows or not all(self.text(row) for row in rows):
            return None
        if not quote:
            return False
        if any(quote in self.normal(row) for row in rows) or quote in self.normal_source(source):
            return True
        return quote in normalised("".join(self.text(row) for row in rows))

    @cached_property
    def _normal_sources(self) -> dict[str, str]:
        return {}

    def normal_source(self, source: str) -> str:
        """The normalised text of a source; "" where it is not known."""
        if source not in self._normal_sources:
            self._normal_sources[source] = normalised(self.source_text(source))
        return self._normal_sources[source]

    def _put_together(self, rows: Sequence[int]) -> str:
        texts = [self.text(row) for row in rows]
        spans = [span for row in rows if (span := self.span(row))]
        if not texts or not all(texts):
            return ""
        return _placed(texts, spans) if len(spans) == len(texts) else joined(texts)

    def text_with_places(self, source: str) -> str:
        """The text of a source where it is known at which place each of its passages stands, else ""."""
        rows = self.rows_of(source)
        whole = len(rows) == 1 and self.passages.doc_ids[rows[0]] == source
        return self.source_text(source) if whole or all(self.span(row) for row in rows) else ""

    def beyond(self, source: str, span: tuple[int, int]) -> bool:
        """Whether a span lies beyond its source; False where that is not known.

        Where the corpus holds the source as a whole, no part may; else half of the span at most may lie
        behind its last passage: what was cut off at the end, such as blanks, is in no passage.
        """
        rows = self.rows_of(source)
        if len(rows) == 1 and self.passages.doc_ids[rows[0]] == source and self.text(rows[0]):
            return span[1] > len(self.text(rows[0]))
        ends = [known[1] for row in rows if (known := self.span(row))]
        return bool(ends) and 2 * (span[1] - max(ends)) > span[1] - span[0]


def places_of(quote: str, text: str) -> list[tuple[int, int]]:
    r"""Where a quote stands in a text, whatever its blanks and letter case.

    >>> places_of("the  Fee", "We pay the fee. The\nfee?")
    [(7, 14), (16, 23)]
    """
    pattern = r"\s+".join(map(re.escape, quote.split()))
    return [found.span() for found in re.finditer(pattern, text, re.IGNORECASE)] if pattern else []


def _placed(texts: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    """Each text at the start of its span; blanks between them."""
    parts: list[str] = []
    length = 0
    for (start, _), text in sorted(zip(spans, texts, strict=True)):
        parts.append(" " * (start - length) if start > length else "")
        parts.append(text[max(length - start, 0) :])
        length = max(length, start + len(text))
    return "".join(parts)


def joined(texts: Sequence[str]) -> str:
    """Texts one after the other, each without what the one before it ends in.

    >>> joined(["Ask for a refund online.", "a refund online. Pay back", "later."])
    'Ask for a refund online. Pay back later.'
    """
    whole = texts[0] if texts else ""
    for before, text in pairwise(texts):
        shared = _overlap(before, text)
        whole += text[shared:] if shared >= SHORTEST_OVERLAP else f" {text}"
    return whole


def _overlap(before: str, text: str) -> int:
    """The length of the longest end of `before` that `text` starts with, by its failure function."""
    pattern = text + "\0" + before[-len(text) :]
    longest = [0] * len(pattern)
    for i in range(1, len(pattern)):
        length = longest[i - 1]
        while length and pattern[i] != pattern[length]:
            length = longest[length - 1]
        longest[i] = length + (pattern[i] == pattern[length])
    return longest[-1] if pattern else 0
