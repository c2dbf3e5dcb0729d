"""What labels point at beyond a document's id: a source, a span of it, a quote."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids

__all__ = ["Evidence"]


class Evidence(msgspec.Struct, frozen=True, eq=False):
    """One entry a label row: the source it is about, the span of that source, the words that support it.

    A text is "" and a number -1 where a row has none. `start` and `end` count Unicode code points of the
    source's text, `end` excluded. `kind` says how the label came to be: human, answer-string, llm, imported.
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
