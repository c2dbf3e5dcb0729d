"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from firsthit.report.markup import Markup, join, mark, text

__all__ = ["revised"]

LONGEST = 4_000
"""Characters of a text that are compared and shown; comparing takes time by the square."""

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def revised(old: str, new: str) -> tuple[Markup, Markup]:
    """Both texts, with what only OLD has marked as deleted and what only NEW has as inserted.

    >>> revised("Within 14 days.", "Within 30 days.")
    ('Within <del>14</del> days.', 'Within <ins>30</ins> days.')
    """
    before, after = _WORDS.findall(_cut(old)), _WORDS.findall(_cut(new))
    left: list[Markup] = []
    right: list[Markup] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = "".join(before[a:b]), "".join(after[c:d])
        left.append(text(gone) if kind == "equal" or not gone else mark("del", gone))
        right.append(text(come) if kind == "equal" or not come else mark("ins", come))
    return join(left), join(right)


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
