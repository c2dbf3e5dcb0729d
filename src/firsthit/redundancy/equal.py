"""Exact duplicates: texts that are equal after normalisation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.matching.hits import sealed
from firsthit.resolve.quotes import Texts

__all__ = ["equal_texts", "first_equal"]

Ints = NDArray[np.int64]


def equal_texts(texts: Ids) -> Ints:
    """For each text the first row with the same text after normalisation; -1 where the text is empty.

    >>> equal_texts(Ids.of(["One  line", "another", "ONE line", " "])).tolist()
    [0, 1, 0, -1]
    """
    return first_equal(Texts.of(texts))


def first_equal(texts: Texts) -> Ints:
    """As `equal_texts`, of texts that are normalised."""
    seen: dict[bytes, int] = {}
    data = texts.data
    found = [
        seen.setdefault(data[start:end], row) if end > start else -1
        for row, (start, end) in enumerate(zip(texts.start.tolist(), texts.end.tolist(), strict=True))
    ]
    return sealed(np.array(found, np.int64))
