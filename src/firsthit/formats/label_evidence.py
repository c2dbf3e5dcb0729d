"""What label rows point at beyond a document: checked row by row, and refused where it makes no sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.evidence import KINDS, Evidence
from firsthit.ids import Ids

__all__ = ["evidence_of"]

HINT = (
    "A label names a doc_id, a source (with start and end for a part of it) or a quote; start and end are "
    "whole numbers from 0, the end excluded. docs/labels.md lists the columns."
)

LARGEST = 2.0**53
"""The largest number up to which 64-bit floats are exact whole numbers."""

Place = NDArray[np.float64]
Mask = NDArray[np.bool_]


def evidence_of(
    columns: Mapping[str, Any], doc: Ids, line: NDArray[np.int64], name: str, *, records: bool
) -> Evidence | None:
    """The evidence of rows, None where no row has any; `columns` are those of a table by role."""
    if not columns.keys() & {"source", "start", "end", "quote", "kind"}:
        return None
    rows = len(line)
    texts = {role: _text(columns, role, rows) for role in ("source", "quote", "kind")}
    start, end = (_number(columns, role, rows) for role in ("start", "end"))
    _refuse(list(_problems(texts, doc, start, end)), line, name, records)
    if not any(len(text.data) for text in texts.values()) and np.isnan(start).all():
        return None
    return Evidence(
        source=texts["source"],
        start=_places(start),
        end=_places(end),
        quote=texts["quote"],
        kind=texts["kind"],
    )


def _text(columns: Mapping[str, Any], role: str, rows: int) -> Ids:
    if role in columns:
        return Ids(*columns[role])
    return Ids(np.zeros(0, np.uint8), np.zeros(rows + 1, np.int64))


def _number(columns: Mapping[str, Any], role: str, rows: int) -> Place:
    found: Place = columns[role] if role in columns else np.full(rows, np.nan)
    return found


def _places(number: Place) -> NDArray[np.int64]:
    places = np.where(np.isnan(number), -1, number).astype(np.int64)
    places.flags.writeable = False
    return places


def _problems(texts: Mapping[str, Ids], doc: Ids, start: Place, end: Place) -> Iterator[tuple[int, str, str]]:
    """(row, what is wrong, value) of each row that cannot be used; the first thing that is wrong with it."""
    has_doc, has_source, has_quote = (_given(text) for text in (doc, texts["source"], texts["quote"]))
    wrong, kind = _not_whole(start) | _not_whole(end), texts["kind"]
    checks: tuple[tuple[Mask, Callable[[int], tuple[str, str]]], ...] = (
        (~(has_doc | has_source | has_quote), lambda row: ("has no doc_id, source or quote", "")),
        (_not_whole(start), lambda row: ("start is not a whole number of 0 or more", _as_text(start[row]))),
        (_not_whole(end), lambda row: ("end is not a whole number of 0 or more", _as_text(end[row]))),
        (~np.isnan(start) & np.isnan(end), lambda row: ("has a start and no end", "")),
        (np.isnan(start) & ~np.isnan(end), lambda row: ("has an end and no start", "")),
        (
            ~wrong & (end < start),
            lambda row: (f"ends at {end[row]:,.0f}, before its start", _as_text(start[row])),
        ),
        (
            ~wrong & (end == start),
            lambda row: ("ends where it starts: it is empty", _as_text(start[row])),
        ),
        (
            ~np.isnan(start) & ~(has_doc | has_source),
            lambda row: ("has a span, and no source that it is a part of", ""),
        ),
        (
            _unknown_kind(kind),
            lambda row: (f"kind is not one of {', '.join(KINDS)}", kind[row]),
        ),
    )
    seen: Mask = np.zeros(len(start), bool)
    for mask, say in checks:
        for row in np.flatnonzero(mask & ~seen).tolist():
            yield (row, *say(row))
        seen |= mask


def _as_text(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else f"{number:g}"


def _given(text: Ids) -> Mask:
    given: Mask = np.diff(text.offsets) > 0
    return given


def _not_whole(number: Place) -> Mask:
    with np.errstate(invalid="ignore"):
        wrong: Mask = (number < 0) | (number != np.floor(number)) | (number > LARGEST)
    return wrong & ~np.isnan(number)


def _unknown_kind(kind: Ids) -> Mask:
    given = np.flatnonzero(_given(kind))
    unknown: Mask = np.zeros(len(kind), bool)
    unknown[given] = [text not in KINDS for text in kind.take(given)]
    return unknown


def _refuse(found: list[tuple[int, str, str]], line: NDArray[np.int64], name: str, records: bool) -> None:
    if not found:
        return
    found.sort()
    problems = [
        Problem(f"record {line[row]:,}: {what}", 0, value[:80])
        if records
        else Problem(what, int(line[row]), value[:80])
        for row, what, value in found[:20]
    ]
    raise InputError(name, problems, len(found), hint=HINT)
