"""What was seen while a run was read: every count, and how the ranking was made."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids

__all__ = ["RunFacts"]


class RunFacts(msgspec.Struct, frozen=True, eq=False):
    """The facts of one run as it was matched; arrays are read-only.

    `order` is the order that was used. `rank_column` is "used" (the order is by rank), "fractional" (so too,
    by ranks that are not whole numbers), "none" (there is none, or it was not looked at), "constant",
    "not-integer" or "ok"; then `pairs_rise` of the adjacent pairs in rank order have rising scores,
    `pairs_fall` falling ones, and `inverted` lists queries with more of the first. `duplicate_examples` are
    (query, doc, line, earlier line), `self_hit_examples` (query, doc, line). Lists of queries and examples
    hold at most 1,000.
    """

    name: str
    path: str
    format: str
    order: Literal["score", "rank", "given"]
    unlabelled: Ids
    unlabelled_retrieved: NDArray[np.int64]
    tied_queries: NDArray[np.int32]
    inverted: Ids
    lines: int = 0
    records: int = 0
    blank_lines: int = 0
    comment_lines: int = 0
    tied_records: int = 0
    tied_unlabelled: int = 0
    duplicates_removed: int = 0
    duplicate_examples: tuple[tuple[str, str, int, int], ...] = ()
    self_hits_dropped: int = 0
    self_hit_examples: tuple[tuple[str, str, int], ...] = ()
    rank_column: str = "none"
    pairs_fall: int = 0
    pairs_rise: int = 0
    inverted_count: int = 0
    deepest: int = 0
    sha256: str = ""
    notices: tuple[str, ...] = ()

    @property
    def rising_share(self) -> float:
        """The share of adjacent pairs in rank order whose scores rise; 0 where there is none."""
        pairs = self.pairs_rise + self.pairs_fall
        return self.pairs_rise / pairs if pairs else 0.0
