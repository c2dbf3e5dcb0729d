"""Labels and a run joined: the ranks of the retrieved labelled documents, and the head of each ranking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.qrels import Qrels

__all__ = ["Head", "Hits"]


@dataclass(frozen=True, eq=False)
class Head:
    """The top `depth` of each ranking: entries `offsets[q]:offsets[q + 1]` belong to query q, in rank order."""

    depth: int
    offsets: NDArray[np.int64]
    record: NDArray[np.int64]  # record number in the run
    label: NDArray[np.int64]  # label row, or -1
    ids: Ids


@dataclass(frozen=True, eq=False)
class Hits:
    """One entry for each retrieved labelled document and label row, sorted by query, then rank.

    Entry h says: label row `label[h]` of query `query[h]` stands at `rank[h]` (from 1), and the documents with an
    equal score fill ranks `tie_first[h]` to `tie_last[h]`. `retrieved[q]` is the number of documents ranked for
    query q, -1 when the query is absent from the run. The arrays are read-only.
    """

    qrels: Qrels
    query: NDArray[np.int32]
    rank: NDArray[np.int64]
    label: NDArray[np.int64]
    tie_first: NDArray[np.int64]
    tie_last: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    head: Head | None = None

    def __len__(self) -> int:
        return len(self.rank)

    @property
    def grade(self) -> NDArray[np.float64]:
        """The grade of each entry."""
        return self.qrels.grade[self.label]
