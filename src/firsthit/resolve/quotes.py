"""Quotes: which texts hold which words, whatever the letter case, blanks and ways to write a character."""

from __future__ import annotations

import unicodedata
from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids

__all__ = ["Texts", "contained", "lengths", "normalised"]

Ints = NDArray[np.int64]

_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f"
"""The ASCII characters beside the blank that `str.split` takes as white space."""

_FOLD = bytes.maketrans(_BLANKS + bytes(range(65, 91)), b" " * len(_BLANKS) + bytes(range(97, 123)))
_BLANK = 32

BETWEEN = b"\xff"
"""Stands between texts: no UTF-8 holds it, so nothing is found across their border."""


def normalised(text: str) -> str:
    r"""A text after NFKC, case folding and whitespace collapse, as quotes are compared with it.

    >>> normalised("  The ﬁrst\u00a0LINE\r\n") == "the first line"
    True
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = unicodedata.normalize("NFKC", text.casefold())  # folding can undo the form
        return " ".join(text.split())
    return " ".join(text.lower().split())


def lengths(texts: Ids) -> Ints:
    """The bytes of each text."""
    return np.diff(texts.offsets)


class Texts(msgspec.Struct, frozen=True, eq=False):
    """Normalised texts in one block of UTF-8: text i is `data[start[i]:end[i]]`."""

    data: bytes
    start: Ints
    end: Ints

    @classmethod
    def of(cls, texts: Ids) -> Texts:
        r"""The texts, each normalised once; ASCII ones all at a time.

        >>> found = Texts.of(Ids.of([" A  b\n", "É"]))
        >>> [found.data[a:b].decode() for a, b in zip(found.start, found.end)]
        ['a b', 'é']
        """
        first, last = int(texts.offsets[0]), int(texts.offsets[-1])
        offsets = texts.offsets - first
        raw = texts.data[first:last]
        data, offsets = _collapsed(raw.tobytes().translate(_FOLD), offsets)
        start, end = _trimmed(data, offsets)
        others = _beyond_ascii(raw, texts.offsets - first)
        return _with_others(data, start, end, others, texts)

    def row(self, row: int) -> bytes:
        """One text."""
        return self.data[self.start[row] : self.end[row]]

    @classmethod
    def as_given(cls, texts: Ids) -> Texts:
        """The texts as they are."""
        return cls(texts.data.tobytes(), texts.offsets[:-1], texts.offsets[1:])


def _collapsed(data: bytes, offsets: Ints) -> tuple[bytes, Ints]:
    """Each run of blanks as one; a run that crosses from text to text leaves one in the first."""
    if b"  " not in data:
        return data, offsets
    blank = np.frombuffer(data, np.uint8) == _BLANK
    again = blank[1:] & blank[:-1]
    dropped = np.flatnonzero(again) + 1
    kept = np.ones(len(data), np.bool_)
    kept[dropped] = False
    return np.frombuffer(data, np.uint8)[kept].tobytes(), offsets - np.searchsorted(dropped, offsets)


def _trimmed(data: bytes, offsets: Ints) -> tuple[Ints, Ints]:
    """Where each text starts and ends without the blank before and after it."""
    letters = np.frombuffer(data or b"-", np.uint8)
    start, end = offsets[:-1].copy(), offsets[1:].copy()
    start += (start < end) & (letters[np.minimum(start, len(letters) - 1)] == _BLANK)
    end -= (start < end) & (letters[end - 1] == _BLANK)
    return start, end


def _beyond_ascii(data: NDArray[np.uint8], offsets: Ints) -> Ints:
    """The texts that hold other characters than ASCII."""
    places = np.flatnonzero(data >= 128)
    return np.unique(np.searchsorted(offsets, places, side="right") - 1)


def _with_others(data: bytes, start: Ints, end: Ints, rows: Ints, texts: Ids) -> Texts:
    """The block with these texts normalised one by one and put at its end."""
    parts, at = [data], len(data)
    for row in rows.tolist():
        part = normalised(texts[row]).encode()
        start[row], end[row] = at, at + len(part)
        parts.append(part)
        at += len(part)
    return Texts(b"".join(parts), start, end)


def contained(texts: Texts, quotes: Texts, text: Ints, quote: Ints) -> NDArray[np.bool_]:
    """For each pair (row of `texts`, row of `quotes`) whether the text holds the quote.

    An empty quote is held by no text. A pair that comes several times is tested once.

    >>> texts, quotes = (Texts.of(Ids.of(some)) for some in (["One two", "Two"], ["TWO", " "]))
    >>> contained(texts, quotes, np.array([0, 1, 0]), np.array([0, 0, 1])).tolist()
    [True, True, False]
    """
    order = np.arange(len(quote)) if (quote[1:] >= quote[:-1]).all() else np.argsort(quote, kind="stable")
    its_quote, its_text = quote[order], text[order]
    found = np.zeros(len(quote), np.bool_)
    borders = np.append(np.flatnonzero(np.diff(its_quote, prepend=-1)), len(quote)).tolist()
    block = _Block(texts, np.zeros(0, np.int64))
    for low, high in pairwise(borders):
        words = quotes.row(int(its_quote[low]))
        if words:
            rows = its_text[low:high]
            if not np.array_equal(rows, block.rows):  # quotes of one query are looked for in the same texts
                block = _Block(texts, rows)
            found[order[low:high][block.holding(words)]] = True
    return found


class _Block:
    """Some texts side by side: one search in a long text is far faster than many in short ones."""

    def __init__(self, texts: Texts, rows: Ints) -> None:
        self.rows = rows
        chosen, self._which = rows, None
        if len(set(rows.tolist())) < len(rows):
            chosen, self._which = np.unique(rows, return_inverse=True)
        self._start, self._end = texts.start[chosen], texts.end[chosen]
        places = zip(self._start.tolist(), self._end.tolist(), strict=True)
        data = texts.data
        self._data = BETWEEN.join([data[low:high] for low, high in places])

    @cached_property
    def _after(self) -> Ints:
        """Where the text after each starts."""
        return np.cumsum(self._end - self._start + len(BETWEEN))

    def holding(self, words: bytes) -> NDArray[np.bool_]:
        """Which of the texts hold these words."""
        found = np.zeros(len(self._start), np.bool_)
        at = self._data.find(words)
        while at >= 0:
            text = int(np.searchsorted(self._after, at, side="right"))
            found[text] = True
            at = self._data.find(words, int(self._after[text]))
        return found if self._which is None else found[self._which]
