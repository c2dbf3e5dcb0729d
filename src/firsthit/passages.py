"""Passages: where each stands in its source, and what it says."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.passage_rows import Row, given, rows_of
from firsthit.ids import Ids
from firsthit.wording import many

__all__ = ["Passages", "holds_texts", "read_passages", "texts_of"]

HINT = (
    "A passage has a doc_id that stands once; its source, start and end (whole numbers, the end excluded) "
    "say where it stands, start and end only with a source. docs/units.md lists the columns."
)


class Passages(msgspec.Struct, frozen=True, eq=False):
    """What is known of each passage, one row each; a doc_id stands once.

    A text is "" and a number -1 where it is not known; a column is None where no row has it. `start` and
    `end` count Unicode code points of the source's text, `end` excluded. `line` is where a row was read.
    """

    doc_ids: Ids
    source: Ids | None = None
    start: NDArray[np.int64] | None = None
    end: NDArray[np.int64] | None = None
    text: Ids | None = None
    tokens: NDArray[np.int64] | None = None
    line: NDArray[np.int64] | None = None
    name: str = "passages"
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.doc_ids)


def read_passages(path: str | os.PathLike[str], *, name: str | None = None) -> Passages:
    r"""The passages of a JSON Lines file (a BEIR corpus, too), CSV, TSV, or an MS MARCO collection.

    The columns are doc_id, text, source, start, end and tokens; a title is no part of the text, in which
    offsets count. InputError with the first 20 rows that cannot be used. A text whose length is not that of
    its span is a note: white space may have been cut off.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+", suffix=".tsv") as file:
    ...     _ = file.write("doc_id\tsource\tstart\tend\nd#0\td\t0\t40\n")
    ...     file.flush()
    ...     found = read_passages(file.name)
    >>> found.doc_ids[0], found.source[0], found.end.tolist()
    ('d#0', 'd', [40])
    """
    blocks = Blocks(path)
    reading = _Reading()
    for line, row in rows_of(blocks):
        reading.add(line, row)
    if not reading.doc and not reading.problems:
        raise InputError(blocks.name, [Problem("holds no passages: it is empty")], hint=HINT)
    if reading.problems:
        raise InputError(blocks.name, reading.problems[:20], len(reading.problems), hint=HINT)
    return reading.passages(name or os.path.basename(blocks.path))


class _Reading:
    """Rows as they come; `problems` holds what is wrong with some."""

    def __init__(self) -> None:
        self.doc: dict[str, int] = {}  # -> row
        self.lines: list[int] = []
        self.texts: dict[str, list[str]] = {"source": [], "text": []}
        self.numbers: dict[str, list[int]] = {"start": [], "end": [], "tokens": []}
        self.problems: list[Problem] = []

    def add(self, line: int, row: Row) -> None:
        doc_id = _text(row, "doc")
        numbers = {role: _whole(row, role) for role in self.numbers}
        wrong = _wrong(doc_id, _text(row, "source"), numbers)
        if wrong:
            self.problems.append(Problem(wrong, line, doc_id))
        elif doc_id in self.doc:
            self.problems.append(self._again(doc_id, line, _text(row, "source")))
        else:
            self.doc[doc_id] = len(self.lines)
            self.lines.append(line)
            for role, column in self.texts.items():
                column.append(_text(row, role))
            for role, values in self.numbers.items():
                number = numbers[role]
                values.append(-1 if number is None else number)

    def _again(self, doc_id: str, line: int, source: str) -> Problem:
        row = self.doc[doc_id]
        first, other = self.texts["source"][row], self.lines[row]
        if source != first:
            what = f"the passage {doc_id!r} has the source {source!r}, and {first!r} before"
            return Problem(what, line, other_line=other)
        return Problem("the doc_id stands twice", line, doc_id, other)

    def passages(self, name: str) -> Passages:
        numbers = {role: _column(values) for role, values in self.numbers.items()}
        texts = {role: Ids.of(column) if any(column) else None for role, column in self.texts.items()}
        return Passages(
            doc_ids=Ids.of(self.doc),
            source=texts["source"],
            text=texts["text"],
            start=numbers["start"],
            end=numbers["end"],
            tokens=numbers["tokens"],
            line=np.array(self.lines, np.int64),
            name=name,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        places = zip(self.numbers["start"], self.numbers["end"], self.texts["text"], strict=True)
        fit = [start < 0 or not text or end - start == len(text) for start, end, text in places]
        if count := fit.count(False):
            example = list(self.doc)[fit.index(False)]
            some = many(count, "passage whose span is", "passages whose spans are")
            yield f"{some} longer or shorter than the text, such as {example}"


def _text(row: Row, role: str) -> str:
    value = given(row, role)
    return "" if value is None else str(value)


def _whole(row: Row, role: str) -> int | None:
    """A whole number of 0 or more, -2 for anything else, None where there is nothing."""
    value = given(row, role)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    if isinstance(value, float) and value.is_integer() and 0 <= value < 2**53:
        return int(value)
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 17 else -2


def _wrong(doc_id: str, source: str, numbers: dict[str, int | None]) -> str:
    """What is wrong with a row, the first that applies; "" for nothing."""
    start, end = numbers["start"], numbers["end"]
    odd = next((role for role, number in numbers.items() if number == -2), "")
    if not doc_id:
        return "has no doc_id"
    if odd:
        return f"{odd} is not a whole number of 0 or more"
    if (start is None) != (end is None):
        return "has start without end" if end is None else "has end without start"
    if start is not None and not source:
        return "has start and end without a source"
    backwards = start is not None and end is not None and end < start
    return f"ends at {end:,}, before its start at {start:,}" if backwards else ""


def _column(values: list[int]) -> NDArray[np.int64] | None:
    """A column of numbers, None where no row has one."""
    column = np.array(values, np.int64)
    column.flags.writeable = False
    return column if (column >= 0).any() else None


def texts_of(path: str | os.PathLike[str], wanted: Collection[str]) -> dict[str, str]:
    r"""The texts of the wanted documents in a JSON Lines, CSV or TSV file; a title goes before its text.

    The file may be a corpus, or a run whose rows carry texts: of a document that stands there several times
    the first text counts. InputError where a row names no document or has no text.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+", suffix=".csv") as file:
    ...     _ = file.write("doc_id,text\na,One.\nb,Two.\n")
    ...     file.flush()
    ...     texts_of(file.name, {"b"})
    {'b': 'Two.'}
    """
    blocks = Blocks(path)
    found: dict[str, str] = {}
    for number, row in rows_of(blocks):
        doc_id, text = given(row, "doc"), given(row, "text")
        if doc_id is None or text is None:
            hint = "Texts are read from JSON Lines, CSV or TSV with the columns doc_id and text."
            what = f"has no {'doc_id' if doc_id is None else 'text'}"
            raise InputError(blocks.name, [Problem(what, number)], hint=hint)
        if str(doc_id) in wanted:
            title = given(row, "title")
            found.setdefault(str(doc_id), f"{title}\n{text}" if title else str(text))
    return found


def holds_texts(path: str | os.PathLike[str]) -> bool:
    """Whether the first row of a file has a text."""
    _, row = next(rows_of(Blocks(path)), (0, {}))
    return given(row, "text") is not None
