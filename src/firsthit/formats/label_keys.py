"""One label row for each key: assessors are combined, equal grades collapse, others follow the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.formats.label_rows import LabelRows
from firsthit.ids import Ids
from firsthit.rules import Rules

__all__ = ["one_row_a_key"]


def one_row_a_key(rows: LabelRows, rules: Rules) -> LabelRows:
    """One row for each (query, what the label is about, need): needs are those that `rules` read.

    A column called need is always read; TREC's second column, and one called iter, with needs = iter.
    """
    iter = rows.iter if rules.needs == "iter" else None
    need = rows.need if rows.need is not None else iter
    rows = msgspec.structs.replace(rows, need=need)
    document = rows.index.first_row
    if np.array_equal(document, np.arange(len(document))):
        return rows
    if need is not None:
        document = _first_with_need(document, need)
    elif rows.iter is not None:
        _refuse_needs(rows, document, rows.iter)
    return _resolved(rows, document, rules)


def _first_with_need(document: NDArray[np.int64], need: Ids) -> NDArray[np.int64]:
    """For each row the first row of the same (query, doc, need)."""
    _, number = np.unique(np.array(list(need), object), return_inverse=True)
    key = document * (int(number.max()) + 1) + number
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    rows: NDArray[np.int64] = first[which]
    return rows


def _refuse_needs(rows: LabelRows, document: NDArray[np.int64], need: Ids) -> None:
    later = np.flatnonzero(document != np.arange(len(document)))
    differing = [row for row in later.tolist() if need.raw(row) != need.raw(int(document[row]))]
    if not differing:
        return
    problems = [
        _again(
            rows,
            f"{_key(rows, row)} stands for need {need[row]!r}, and for {need[int(document[row])]!r} before",
            row,
            int(document[row]),
        )
        for row in differing[:20]
    ]
    hint = (
        "--needs iter (in Python needs='iter') reads the second column (or the column iter) as the need that "
        "the document serves."
    )
    raise InputError(rows.source, problems, len(differing), hint=hint)


def _resolved(rows: LabelRows, first: NDArray[np.int64], rules: Rules) -> LabelRows:
    """Rows whose key is `first`'s are one; which grade stays is the rule's."""
    differ = rows.grade != rows.grade[first]
    if rules.conflicts == "error" and differ.any():
        _refuse_conflicts(rows, first, np.flatnonzero(differ))
    keys, which = np.unique(first, return_inverse=True)
    chosen = keys
    if differ.any():
        order = (
            np.arange(len(first))
            if rules.conflicts == "last"
            else np.lexsort((-np.arange(len(first)), rows.grade))
        )
        chosen = np.zeros(len(keys), np.int64)
        chosen[which[order]] = order
    conflicting = np.unique(first[differ])
    dropped = len(first) - len(keys)
    overridden = int(np.isin(first, conflicting).sum() - len(conflicting))
    kept = rows.keep(chosen)
    return msgspec.structs.replace(kept, collapsed=dropped - overridden, overridden=overridden)


def _refuse_conflicts(rows: LabelRows, first: NDArray[np.int64], found: NDArray[np.int64]) -> NoReturn:
    problems: Sequence[Problem] = [
        _again(rows, _conflict(rows, row, int(first[row])), row, int(first[row]))
        for row in found[:20].tolist()
    ]
    hint = (
        "Correct the labels, or choose: --conflicts last (in Python conflicts='last') keeps the later grade, "
        "max the higher one."
    )
    raise InputError(rows.source, problems, len(found), hint=hint)


def _conflict(rows: LabelRows, row: int, first: int) -> str:
    """Both grades, and who gave them where the labels say."""
    by = rows.assessor
    given = [f" from {by[i]!r}" if by is not None and by[i] else "" for i in (row, first)]
    need = f" for need {rows.need[row]!r}" if rows.need is not None and rows.need[row] else ""
    return (
        f"{_key(rows, row)} has grade {rows.grade[row]:g}{given[0]}{need}, "
        f"and {rows.grade[first]:g}{given[1]} before"
    )


def _again(rows: LabelRows, what: str, row: int, first: int) -> Problem:
    """What is wrong with a row for a document that stood before, each at its line or record."""
    line, other = int(rows.line[row]), int(rows.line[first])
    if rows.records:
        return Problem(f"record {line:,}: {what} (first in record {other:,})")
    return Problem(what, line, other_line=other)


def _key(rows: LabelRows, row: int) -> str:
    """What a row is about, in words."""
    query = f"of query {rows.query[row]!r}"
    if rows.doc[row] or rows.evidence is None:
        return f"document {rows.doc[row]!r} {query}"
    evidence = rows.evidence
    if not evidence.source[row]:
        return f"the quote {evidence.quote[row][:60]!r} {query}"
    span = f" ({evidence.start[row]:,} to {evidence.end[row]:,})" if evidence.start[row] >= 0 else ""
    return f"source {evidence.source[row]!r}{span} {query}"
