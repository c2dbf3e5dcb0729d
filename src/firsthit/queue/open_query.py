"""One query and its open documents: unjudged, and high enough in some ranking to change its value."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from firsthit.queue.aims import Aim

__all__ = ["OpenQuery", "Ordered"]

Floats = NDArray[np.float64]


class Ordered(msgspec.Struct, frozen=True, eq=False):
    """The open documents in the order of judging, and per document what its turn is worth.

    `worth` never rises: it is the expected narrowing per judgment of the best stretch that the document
    belongs to. `left[j]` is how open the query is after j documents, none of them relevant.
    """

    documents: NDArray[np.int64]
    worth: Floats
    left: Floats


class OpenQuery(msgspec.Struct, frozen=True, eq=False):
    """A query's settled values, and the documents that may still change them.

    `gain[d, r]` is what the value in run r becomes when document d is relevant, `rank[d, r]` its rank there
    (0: not above the cutoff). Values are in units of the mean: reciprocal ranks divided by the number of
    queries.
    """

    query_id: str
    critical: bool
    settled: Floats
    doc_ids: Sequence[str]
    rank: NDArray[np.int64]
    gain: Floats

    @property
    def outcomes(self) -> Floats:
        """The values with exactly one document relevant: [document, run]."""
        return np.maximum(self.gain, self.settled)

    def open(self) -> OpenQuery:
        """The query without documents that a relevant one already outranks wherever they stand."""
        kept = np.flatnonzero((self.gain > self.settled).any(axis=1))
        return self if len(kept) == len(self.gain) else self._keep(kept)

    def judged(self, document: int, relevant: bool) -> OpenQuery:
        """The query after a judgment: a relevant document settles its ranks, any other one is out."""
        rest = np.delete(np.arange(len(self.gain)), document)
        settled = np.maximum(self.settled, self.gain[document]) if relevant else self.settled
        return replace(self._keep(rest), settled=settled).open()

    def _keep(self, kept: NDArray[np.int64]) -> OpenQuery:
        ids = [self.doc_ids[i] for i in kept.tolist()]
        return replace(self, doc_ids=ids, rank=self.rank[kept], gain=self.gain[kept])

    def spread(self, aim: Aim) -> float:
        """How open the query is now."""
        return float(aim.spread(self.settled, self.outcomes))

    def ordered(self, aim: Aim, chance: float) -> Ordered:
        """The documents by how far a label narrows the query on average, and the worth of each one's turn.

        `chance` is the probability that an open document is relevant.
        """
        order = np.argsort(-self._narrowing(aim, chance).round(15), kind="stable")
        outcomes = self.outcomes[order]
        left = aim.spread(self.settled, _none_of_the_first(outcomes, self.settled))
        found = aim.spread(outcomes, _first_is(outcomes))
        return Ordered(order, _worth(left, found, chance), left)

    def _narrowing(self, aim: Aim, chance: float) -> Floats:
        outcomes = self.outcomes
        itself = np.eye(len(outcomes), dtype=bool)[..., None]
        own = outcomes[:, None, :]
        without = aim.spread(self.settled, np.where(itself, self.settled, outcomes))
        found = aim.spread(outcomes, np.maximum(outcomes, own))
        return aim.spread(self.settled, outcomes) - chance * found - (1 - chance) * without


def _none_of_the_first(outcomes: Floats, settled: Floats) -> Floats:
    """[j, document, run]: the outcomes that remain when the first j documents are not relevant."""
    number = len(outcomes)
    remaining = np.arange(number) >= np.arange(number + 1)[:, None]
    return np.where(remaining[..., None], outcomes, settled)


def _first_is(outcomes: Floats) -> Floats:
    """[j, document, run]: the outcomes that remain when document j is the first that is relevant."""
    number = np.arange(len(outcomes))
    remaining = number > number[:, None]
    own = outcomes[:, None, :]
    return np.where(remaining[..., None], np.maximum(outcomes, own), own)


def _worth(left: Floats, found: Floats, chance: float) -> Floats:
    """Per document the narrowing per judgment of its stretch: the best ratio from where the last one ended.

    A stretch is judged until a document is relevant. With chance p it narrows in the mean by
    sum_j p (1-p)^j (left_0 - found_j) + (1-p)^m (left_0 - left_m), for (1 - (1-p)^m) / p judgments.
    """
    worth = np.zeros(len(found))
    start = 0
    while start < len(found):
        steps = np.arange(len(found) - start)
        reached = (1 - chance) ** steps
        relevant = np.cumsum(chance * reached * (left[start] - found[start:]))
        narrowed = relevant + reached * (1 - chance) * (left[start] - left[start + 1 :])
        ratio = narrowed / np.cumsum(reached)
        end = int(np.argmax(ratio)) + 1
        worth[start : start + end] = max(ratio[end - 1], 0.0)
        start += end
    return np.minimum.accumulate(worth)
