"""Numbers in words and figures, the same in every report."""

from __future__ import annotations

import math

__all__ = ["between", "count", "p_value", "rank", "shorten", "signed", "value"]

MINUS = "\u2212"


def value(number: float | None) -> str:
    """A mean or a per-query value: 4 decimals.

    >>> value(0.47123), value(None), value(float("nan"))
    ('0.4712', '–', '–')
    """
    return "–" if _missing(number) else f"{number:.4f}"


def signed(number: float | None, digits: int = 4) -> str:
    """A difference, always with its sign, and a real minus; what rounds to 0 has no sign.

    >>> signed(0.0812), signed(-0.5, 3), signed(0.0)
    ('+0.0812', '−0.500', '0.0000')
    """
    if number is None or _missing(number):
        return "–"
    figures = f"{abs(number):.{digits}f}"
    if not figures.strip("0."):
        return figures
    return f"{'+' if number > 0 else MINUS}{figures}"


def between(low: float, high: float, digits: int = 4) -> str:
    """An interval.

    >>> between(-0.02, 0.15)
    '[−0.0200, +0.1500]'
    """
    return f"[{signed(low, digits)}, {signed(high, digits)}]"


def p_value(p: float | None) -> str:
    """A p value: 2 significant figures above 0.0001.

    >>> p_value(0.0312), p_value(0.01), p_value(0.000001), p_value(None), p_value(0.6)
    ('0.031', '0.010', '< 0.0001', '–', '0.60')
    """
    if p is None or _missing(p):
        return "–"
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.2f}" if p >= 0.1 else f"{p:#.2g}"


def count(number: int) -> str:
    """A count.

    >>> count(6980)
    '6,980'
    """
    return f"{number:,}"


def rank(first_rank: int, cutoff: int | None = None) -> str:
    """A first rank as people read it: none where nothing was found, and below the cutoff by its number.

    >>> rank(3, 10), rank(0, 10), rank(14, 10)
    ('3', 'none', '14')
    """
    return f"{first_rank:,}" if first_rank else "none"


def shorten(long: str, length: int) -> str:
    """Text of at most this many characters; the middle of what is longer is left out.

    >>> shorten("documents/returns.md#12", 14)
    'docume…s.md#12'
    """
    if len(long) <= length:
        return long
    head = (length - 1) // 2
    return f"{long[:head]}…{long[len(long) - (length - 1 - head) :]}"


def _missing(number: float | None) -> bool:
    return number is None or math.isnan(number)
