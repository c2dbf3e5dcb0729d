"""Quotes: what a text says, whatever its letter case, blanks and ways to write a character."""

from __future__ import annotations

import unicodedata

__all__ = ["normalised"]


def normalised(text: str) -> str:
    """A text after NFKC, case folding and whitespace collapse, as quotes are compared with it.

    >>> normalised("  The ﬁrst\\u00a0LINE\\r\\n") == "the first line"
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())
