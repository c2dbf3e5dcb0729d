"""What labels point at beyond a document's id: a source, a span of it, a quote."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids

__all__ = ["KINDS", "Evidence", "item_keys"]

KINDS = ("human", "answer-string", "llm", "imported")
"""How a label came to be."""


class Evidence(msgspec.Struct, frozen=True, eq=False):
    """One entry a label row: the source it is about, the span of that source, the words that support it.

    A text is "" and a number -1 where a row has none. `start` and `end` count Unicode code points of the
    source's text, `end` excluded. `kind` says how the label came to be, one of `KINDS`.
    """

    source: Ids
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    quote: Ids
    kind: Ids

    @property
    def spans(self) -> NDArray[np.bool_]:
        """Which rows name a span."""
        return self.start >= 0

    @property
    def points(self) -> bool:
        """Whether any row names a source, a span or a quote: a kind alone points at nothing."""
        return len(self.source.data) + len(self.quote.data) > 0 or bool(self.spans.any())

    def row(self, row: int) -> tuple[str | None, int | None, int | None, str | None]:
        """Source, start, end and quote of one row, None where it has none."""
        start, end = int(self.start[row]), int(self.end[row])
        span = (start, end) if start >= 0 else (None, None)
        return self.source[row] or None, *span, self.quote[row] or None

    def subset(self, rows: NDArray[np.int64]) -> Evidence:
        """The evidence of these rows only."""
        start, end = self.start[rows], self.end[rows]
        start.flags.writeable = end.flags.writeable = False
        return Evidence(
            source=self.source.subset(rows),
            start=start,
            end=end,
            quote=self.quote.subset(rows),
            kind=self.kind.subset(rows),
        )


def item_keys(doc_ids: Ids, evidence: Evidence | None) -> Ids:
    """For each label row what it is about, as a text: its doc_id, else its source, span and quote.

    A key without a doc_id holds a NUL, which no id does: it equals no document.
    """
    open_rows = np.flatnonzero(np.diff(doc_ids.offsets) == 0)
    if evidence is None or not len(open_rows):
        return doc_ids
    parts = zip(
        evidence.source.take(open_rows),
        evidence.start[open_rows].tolist(),
        evidence.end[open_rows].tolist(),
        evidence.quote.take(open_rows),
        strict=True,
    )
    keys = Ids.of(f"\0{source}\0{start}\0{end}\0{quote}" for source, start, end, quote in parts)
    chosen = np.arange(len(doc_ids))
    chosen[open_rows] = len(doc_ids) + np.arange(len(keys))
    return Ids.joined(doc_ids, keys).subset(chosen)
