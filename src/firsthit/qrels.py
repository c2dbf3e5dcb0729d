"""Label rows: which document was judged how for which query."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids

__all__ = ["Qrels"]


@dataclass(frozen=True, eq=False)
class Qrels:
    """Labels, one row a (query, doc, need); a row's number is its identity.

    `query_ids` holds the queries in order of first appearance; `query[row]` is an index into it.
    Rows whose key stood twice with equal grades are already collapsed; grades are finite floats.
    """

    query_ids: Ids
    query: NDArray[np.int32]
    doc_ids: Ids
    grade: NDArray[np.float64]
    line: NDArray[np.int64]
    index: Any  # _core.Labels over these rows
    name: str = "labels"
    format: str = ""
    need: tuple[str, ...] | None = None  # one a row, when needs are read
    collapsed: int = 0  # rows dropped because the same key and grade stood before
    overridden: int = 0  # rows dropped by conflicts = last or max
    blank_lines: int = 0
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.grade)
