"""What the core found wrong, as errors that say what, where, and what to do about it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from firsthit.errors import FirsthitError, InputError, Problem
from firsthit.formats import Format

if TYPE_CHECKING:
    from firsthit._core import RawProblem

__all__ = ["input_error", "reading"]


def input_error(
    source: str, raw: Sequence[RawProblem], total: int, format: Format, *, number: str, records: bool = False
) -> InputError:
    """The error for a reader's problems; `number` names the column that is read as a number.

    `records`: places are record numbers, as in tables and mappings, not lines of a file.
    """
    problems = [_problem(problem, format, number, records) for problem in raw]
    return InputError(source, problems, total, hint=_hint(raw, format, number))


@contextmanager
def reading(name: str, source: object, number: str) -> Iterator[None]:
    """Errors of a mapping or table while it is read, its own ones too, as one InputError."""
    try:
        yield
    except FirsthitError:
        raise
    except Exception as error:
        what = " ".join(str(part) for part in error.args) or type(error).__name__
        if "KeyboardInterrupt" in what:  # an Arrow stream that Python makes has only words for what it raised
            raise KeyboardInterrupt from None
        what = what.partition(". Detail: Python exception")[0]
        hint = f"Ids are text or whole numbers, {number}s are numbers."
        if isinstance(source, Mapping):
            hint = f"Give {{query: {{doc: {number}}}}} or {{query: [doc, ...]}}. {hint}"
        elif not isinstance(error, TypeError):
            what = f"the table could not be read to its end: {what}"
        raise InputError(name, [Problem(what)], hint=hint) from error


def _problem(raw: RawProblem, format: Format, number: str, records: bool) -> Problem:
    kind, line, value, other = raw
    if kind == "passage":
        return _contradiction(line, value, other, records)
    text = value.decode("utf-8", "replace")
    what = _WHAT[kind](text, other, format, number)
    shown = "" if kind in _ROLE_IS_VALUE or (kind == "utf8" and text in _ROLES) else text
    second = other if kind in ("duplicate", "repeated-rank") else 0
    if records:
        return Problem(
            f"record {line:,}: {what}" + (f" (first in record {second:,})" if second else ""), 0, shown
        )
    return Problem(what, line, shown, second)


def _contradiction(line: int, value: bytes, other: int, records: bool) -> Problem:
    """What two rows say differently of one passage."""
    doc, field, new, old = (part.decode("utf-8", "replace") for part in value.split(b"\0"))
    what = f"passage {doc!r} has {field} {new!r}, and {old!r} before"
    if records:
        return Problem(f"record {line:,}: {what} (record {other:,})")
    return Problem(f"{what} (line {other:,})", line)


_ROLE_IS_VALUE = ("missing", "type", "empty-id", "null")
_ROLES = ("query", "doc", "need", "source", "start", "end", "text", "tokens")
_TITLES = {"query": "query_id", "doc": "doc_id"}


def _title(role: str) -> str:
    return _TITLES.get(role, role)


def _fields(value: str, found: int, format: Format, number: str) -> str:
    fewest, most = format.lines.width if format.lines else (0, 0)
    wanted = f"{fewest}" if fewest == most else f"{fewest} or more" if not most else f"{fewest} to {most}"
    return f"{found} {'column' if found == 1 else 'columns'} where {wanted} are needed"


_CUT_INTEGER = re.compile(r"[-+]?[0-9]{70,}")
"""A whole number that was shortened for the message; only one that is too large is a problem."""


def _unread(value: str) -> str:
    if not value:
        return "empty"
    if _CUT_INTEGER.fullmatch(value):
        return "too large for a 64-bit float"
    try:
        overflows = math.isinf(float(value))
    except ValueError:
        overflows = False
    return "too large for a 64-bit float" if overflows else "not a decimal number"


def _missing(value: str, found: int, format: Format, number: str) -> str:
    keys = format.lines.keys.get(value, ()) if format.lines else ()
    return f"has no {_title(value)}" + (f" (none of the keys {', '.join(keys[:4])}, …)" if keys else "")


_WHAT: dict[str, Callable[[str, int, Format, str], str]] = {
    "fields": _fields,
    "missing": _missing,
    "number": lambda value, other, format, number: f"the {number} is {_unread(value)}",
    "not-finite": lambda value, other, format, number: f"the {number} is not a finite number",
    "utf8": lambda value, other, format, number: (
        f"the {_title(value)} is not valid Unicode" if value in _ROLES else "is not UTF-8"
    ),
    "nul": lambda value, other, format, number: "holds a NUL byte",
    "empty-id": lambda value, other, format, number: f"the {_title(value)} is empty",
    "quote": lambda value, other, format, number: "a double quote is misplaced or never closed",
    "json": lambda value, other, format, number: "is not one JSON object",
    "type": lambda value, other, format, number: f"the {_title(value)} has the wrong JSON type",
    "duplicate": lambda value, other, format, number: "the document stands twice in one ranking",
    "repeated-rank": lambda value, other, format, number: "the rank stands twice in one ranking, at document",
    "null": lambda value, other, format, number: f"the {_title(value)} is null",
    "start": lambda value, other, format, number: "the start is not a whole number of 0 or more",
    "end": lambda value, other, format, number: "the end is not a whole number of 0 or more",
    "tokens": lambda value, other, format, number: "tokens is not a whole number of 0 or more",
}


def _hint(raw: Sequence[RawProblem], format: Format, number: str) -> str:
    """What to do about the first problem, whose kind is most often that of all."""
    if any(kind in ("fields", "number", "json") and value.startswith(b"#") for kind, _, value, _ in raw):
        return (
            "Lines that start with '#' are data; --comments skip (in Python comments='skip') leaves them out."
        )
    kind = raw[0][0] if raw else ""
    if kind in ("number", "not-finite"):
        return _number_hint(format, number)
    if kind == "fields":
        return _fields_hint(format)
    return _HINTS.get(kind, "")


def _number_hint(format: Format, number: str) -> str:
    if format.role == "labels":
        what = "A grade is a number" if number == "grade" else "Grades are numbers, start and end whole ones"
        return f"{what}: correct it, or remove rows that are not judged."
    others = [f"--order {order}" for order in ("score", "rank", "given") if order in {*format.roles, "given"}]
    others.remove(f"--order {number}")
    return f"Correct the {number}s, or rank by something else: {' or '.join(others)}."


def _fields_hint(format: Format) -> str:
    option = "--qrels-format" if format.role == "labels" else "--run-format"
    lines = format.lines
    if lines is not None and lines.kind == "blank" and lines.width[0] == lines.width[1] >= 4:
        return (
            f"The file was read as {format}. Ids with blanks need tabs between columns and {option} trec-tab."
        )
    return f"The file was read as {format}; {option} names another format."


_SPAN_HINT = (
    "start and end count the characters of the source from 0; where they are not known leave both empty."
)
_HINTS = {
    "utf8": "Convert the file to UTF-8, for example: iconv -f latin1 -t utf-8 FILE",
    "nul": "The file is damaged, or is no text: write it again as UTF-8.",
    "duplicate": (
        "--duplicates best (in Python duplicates='best') keeps the best ranked line (or: first, last, keep)."
    ),
    "repeated-rank": "Correct the ranks, or rank by something else, such as --order given.",
    "empty-id": "Give every row a query_id and a doc_id, or remove it.",
    "quote": "Double a quote inside a quoted field (RFC 4180); a TSV file takes quotes as they are.",
    "json": "JSON Lines hold one object a line; a whole document is named by the format json.",
    "null": "Remove the rows with nulls, or fill them.",
    "type": "Ids are text or whole numbers; scores, ranks and grades are numbers, not text.",
    "missing": "Every record needs the same keys.",
    "start": _SPAN_HINT,
    "end": _SPAN_HINT,
    "tokens": "The tokens of a passage are a whole number; where it is not known leave the field empty.",
    "passage": "A doc_id names one passage, with the same source, span and text wherever it is retrieved.",
}
