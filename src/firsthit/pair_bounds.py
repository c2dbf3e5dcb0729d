"""What the difference of two evaluations would be if more documents were judged: exact joint bounds.

The bounds of each evaluation alone are no bounds of a pair: a document that both rank moves both at once.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.ids import Ids
from firsthit.measures.first import reciprocal
from firsthit.record.detail import Ragged

__all__ = ["JointBounds", "OpenDocuments", "Top", "joint_bounds", "top_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Top(msgspec.Struct, frozen=True, eq=False):
    """The first documents of each paired query's ranking in one evaluation: group q is one query.

    `unjudged` marks documents without a label; `first_rank` is the rank of the first relevant document, 0
    where there is none, and may be deeper than the documents held.
    """

    offsets: Ints
    ids: Ids
    unjudged: NDArray[np.bool_]
    first_rank: Ints

    @property
    def query(self) -> Ints:
        """The query that each document belongs to."""
        return np.repeat(np.arange(len(self.first_rank)), np.diff(self.offsets))

    @property
    def rank(self) -> Ints:
        """The rank of each document."""
        return np.arange(len(self.unjudged)) - self.offsets[self.query] + 1


class OpenDocuments(msgspec.Struct, frozen=True, eq=False):
    """The unjudged documents of either top, one row each: by query, then as OLD and NEW rank them.

    `rank_old` and `rank_new` are 0 where the document is not in that top; `shift` is how much the difference
    of its query changes if it alone turns out relevant.
    """

    query: Ints
    doc_ids: Ids
    rank_old: Ints
    rank_new: Ints
    shift: Floats

    def __len__(self) -> int:
        return len(self.shift)


class JointBounds(msgspec.Struct, frozen=True, eq=False):
    """The smallest and the largest RR difference of each query, and of the mean, after any further judging.

    A query is `disputed` when the sign (-, 0, +) of its difference is not the same at both bounds.
    """

    lower: Floats
    upper: Floats
    mean: tuple[float, float]
    disputed: NDArray[np.bool_]
    documents: OpenDocuments
