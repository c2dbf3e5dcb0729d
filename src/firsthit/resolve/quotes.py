"""Quotes: which texts hold which words, whatever the letter case, blanks and ways to write a character."""

from __future__ import annotations

import unicodedata

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.ids import Ids
from firsthit.matching.match import cores

__all__ = ["Texts", "contained", "lengths", "normalised"]

Ints = NDArray[np.int64]

_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f"
"""The ASCII characters beside the blank that `str.split` takes as white space."""

_FOLD = bytes.maketrans(_BLANKS + bytes(range(65, 91)), b" " * len(_BLANKS) + bytes(range(97, 123)))
_BLANK = 32

FEW = 100_000
"""Pairs for which a second thread is not worth its start."""


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
        raw = texts.data[first:last].tobytes()
        data, offsets = _collapsed(raw.translate(_FOLD), offsets)
        start, end = _trimmed(data, offsets)
        if raw.isascii():
            return cls(data, start, end)
        return _with_others(data, start, end, _beyond_ascii(raw, texts.offsets - first), texts)

    @property
    def columns(self) -> tuple[bytes, Ints, Ints]:
        """The block, and where each text starts and ends, as the core takes them."""
        return self.data, self.start, self.end

    @classmethod
    def as_given(cls, texts: Ids) -> Texts:
        """The texts as they are."""
        return cls(texts.data.tobytes(), texts.offsets[:-1], texts.offsets[1:])


def _collapsed(data: bytes, offsets: Ints) -> tuple[bytes, Ints]:
    """Each run of blanks as one; a run that crosses from text to text leaves one in the first."""
    blank = np.frombuffer(data, np.uint8) == _BLANK
    again = blank[1:] & blank[:-1]
    if not again.any():
        return data, offsets
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


def _beyond_ascii(data: bytes, offsets: Ints) -> Ints:
    """The texts that hold other characters than ASCII."""
    places = np.flatnonzero(np.frombuffer(data, np.uint8) >= 128)
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

    An empty quote is held by no text.

    >>> texts, quotes = (Texts.of(Ids.of(some)) for some in (["One two", "Two"], ["TWO", " "]))
    >>> contained(texts, quotes, np.array([0, 1, 0]), np.array([0, 0, 1])).tolist()
    [True, True, False]
    """
    pairs = text.astype(np.int32), quote.astype(np.int32)
    threads = 1 if len(text) < FEW else cores()
    return _core.contained(texts.columns, quotes.columns, *pairs, threads).astype(np.bool_)
