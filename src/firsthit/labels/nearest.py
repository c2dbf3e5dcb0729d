"""The passages that a label without a place comes nearest to: suggestions for people, never labels."""

from __future__ import annotations

import heapq
from collections import Counter
from functools import cached_property
from typing import Literal

import msgspec

from firsthit.resolve.quotes import normalised
from firsthit.staleness.corpus import Corpus

__all__ = ["Candidate", "Nearest"]

SHOWN = 3
LIKELY = 0.5
"""The share of a label's words from which a passage that holds them is worth a look."""

RAREST = 20
"""How many of a text's words, the rarest ones, find passages of other sources."""

TOO_COMMON = 1_000
"""A word that more passages hold finds none."""


class Candidate(msgspec.Struct, frozen=True):
    """A passage of the new corpus, and the share of the label's words that it holds."""

    doc_id: str
    source: str
    share: float

    @classmethod
    def of(cls, corpus: Corpus, row: int, share: float) -> Candidate:
        """The passage in a row of a corpus."""
        return cls(corpus.passages.doc_ids[row], corpus.sources[row], round(share, 3))


class Nearest:
    """Finds the passages of a corpus that share most words with a text, those of the same source first."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._known: dict[int, frozenset[str]] = {}

    def _words(self, row: int) -> frozenset[str]:
        """The words of a passage; each is split once."""
        if row not in self._known:
            self._known[row] = frozenset(self.corpus.normal(row).split())
        return self._known[row]

    @cached_property
    def _holders(self) -> dict[str, list[int]]:
        """The passages of each word."""
        found: dict[str, list[int]] = {}
        for row in range(len(self.corpus)):
            for word in self._words(row):
                found.setdefault(word, []).append(row)
        return found

    def to(self, text: str, source: str) -> tuple[Candidate, ...]:
        """The nearest passages, the best first; none where the text is not known or nobody shares a word."""
        words = set(normalised(text).split())
        if not words:
            return ()
        rows = self.corpus.rows_of(source) or self._sharing(words)
        shares = {row: len(words & self._words(row)) / len(words) for row in rows}
        best = heapq.nlargest(SHOWN, shares, key=lambda row: (shares[row], -row))
        return tuple(Candidate.of(self.corpus, row, shares[row]) for row in best if shares[row])

    def _sharing(self, words: set[str]) -> list[int]:
        known = [word for word in words if 0 < len(self._holders.get(word, ())) <= TOO_COMMON]
        rarest = heapq.nsmallest(RAREST, known, key=lambda word: (len(self._holders[word]), word))
        counts = Counter(row for word in rarest for row in self._holders[word])
        return [row for row, _ in counts.most_common(10 * SHOWN)]

    @staticmethod
    def status(candidates: tuple[Candidate, ...]) -> Literal["suggested", "lost"]:
        """Suggested where a candidate holds half of the words, else lost."""
        return "suggested" if candidates and candidates[0].share >= LIKELY else "lost"
