"""Label files that hold the text of each query: one query_id has one text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.ids import Ids

__all__ = ["refuse_two_texts"]

HINT = "A query_id stands for one query: correct the text, or give the other query an id of its own."


def refuse_two_texts(query: Ids, text: Ids, line: NDArray[np.int64], source: str, *, records: bool) -> None:
    """InputError where one query_id has two texts; a row without a text is fine."""
    first: dict[bytes, int] = {}
    problems = []
    for row in np.flatnonzero(np.diff(text.offsets)).tolist():
        earlier = first.setdefault(query.raw(row), row)
        if text.raw(row) != text.raw(earlier):
            problems.append(_problem(query[row], text[row], int(line[row]), int(line[earlier]), records))
    if problems:
        raise InputError(source, problems[:20], len(problems), hint=HINT)


def _problem(query_id: str, text: str, line: int, earlier: int, records: bool) -> Problem:
    what = f"query {query_id!r} has two texts"
    if records:
        return Problem(f"record {line:,}: {what} (first in record {earlier:,})", 0, text[:80])
    return Problem(what, line, text[:80], earlier)
