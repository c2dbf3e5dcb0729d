"""Counts and shares in sentences."""

from __future__ import annotations

import math

__all__ = ["many", "percent"]

MOST_DIGITS = 6


def many(count: int, one: str, more: str = "") -> str:
    """A count with the word for it; without `more`, several are `one` with an s.

    >>> many(1, "query", "queries"), many(1200, "query", "queries"), many(2, "row")
    ('1 query', '1,200 queries', '2 rows')
    """
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share in percent, with as many digits as keep it apart from all and nothing; a dash for none.

    >>> percent(1.0), percent(0.5), percent(0.99967), percent(0.0001)
    ('100.0%', '50.0%', '99.97%', '0.01%')
    >>> percent(0.25, 0), percent(0.9999, 0), percent(None)
    ('25%', '99.99%', '–')
    """
    if share is None or math.isnan(share):
        return "–"
    for more in range(digits, MOST_DIGITS):
        text = f"{share:.{more}%}"
        if share in (0, 1) or 0 < float(text[:-1]) < 100:
            return text
    return ">99.9%" if share > 0.5 else "<0.1%"
