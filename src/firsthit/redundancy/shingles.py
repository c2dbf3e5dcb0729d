"""Shingles: the runs of words of a text, by which two texts are compared."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.resolve.quotes import Texts

__all__ = ["WORDS", "Shingles"]

Ints = NDArray[np.int64]
Fingerprints = NDArray[np.uint64]

WORDS = 5
"""How many words in a row make a shingle."""

CHUNK = 4_000
"""How many texts are cut at a time, at most 65,536: what is in memory beside the result."""

ODD = np.uint64(0x9E3779B97F4A7C15)


class Shingles(msgspec.Struct, frozen=True, eq=False):
    """The different shingles of each text, as 64-bit fingerprints.

    Text i has `prints[offsets[i]:offsets[i + 1]]`. A shingle is 5 words in a row; words stand between blanks.
    A shorter text is one shingle as a whole, an empty one has none. Fingerprints depend on nothing but the
    words.
    """

    prints: Fingerprints
    offsets: Ints

    @classmethod
    def of(cls, texts: Texts, rows: Ints) -> Shingles:
        """The shingles of these rows of normalised texts.

        >>> from firsthit.ids import Ids
        >>> Shingles.of(Texts.of(Ids.of(["a b c d e f", "a b", ""])), np.arange(3)).offsets.tolist()
        [0, 2, 3, 3]
        """
        words = _Words()
        prints, counts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
        for low in range(0, len(rows), CHUNK):
            some, of_each = _cut(words, texts, rows[low : low + CHUNK])
            prints.append(some)
            counts.append(of_each)
        return cls(np.concatenate(prints), np.concatenate([[0], np.cumsum(np.concatenate(counts))]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def row(self, row: int) -> Fingerprints:
        """The shingles of one text."""
        return self.prints[self.offsets[row] : self.offsets[row + 1]]


class _Words(dict[bytes, int]):
    """The fingerprint of each word, made when it is first asked for."""

    def __missing__(self, word: bytes) -> int:
        made = self[word] = int.from_bytes(blake2b(word, digest_size=8).digest(), "little")
        return made


def _cut(words: _Words, texts: Texts, rows: Ints) -> tuple[Fingerprints, Ints]:
    """The different shingles of some texts, and how many each has."""
    data, flat, counts = texts.data, [], []
    for start, end in zip(texts.start[rows].tolist(), texts.end[rows].tolist(), strict=True):
        found = list(map(words.__getitem__, data[start:end].split()))
        flat += found
        counts.append(len(found))
    prints, text = _shingled(np.array(flat, np.uint64), np.array(counts, np.int64))
    order = np.argsort(prints)
    order = order[np.argsort(text[order].astype(np.uint16), kind="stable")]  # 10 times as fast as lexsort
    prints, text = prints[order], text[order]
    again = np.zeros(len(prints), np.bool_)
    again[1:] = (prints[1:] == prints[:-1]) & (text[1:] == text[:-1])
    return prints[~again], np.bincount(text[~again], minlength=len(rows))


def _shingled(words: Fingerprints, counts: Ints) -> tuple[Fingerprints, Ints]:
    """The fingerprint of each shingle, and the text it is of."""
    text = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    left = counts[text] - (np.arange(len(words)) - first[text])  # words from here to the end of the text
    whole = np.minimum(counts, WORDS)[text]
    prints = np.zeros(len(words), np.uint64)
    for step in range(WORDS):
        inside = step < whole
        following = np.roll(words, -step)
        prints = np.where(inside, prints * ODD + following, prints)
    starts = left >= whole
    return prints[starts], text[starts]
