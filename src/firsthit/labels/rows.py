"""Label rows as they stand in a file, every column kept, for what moves or checks labels row by row."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from firsthit.files.blocks import Blocks
from firsthit.formats import Format
from firsthit.formats.header import split_header
from firsthit.formats.label_rows import LabelRows, rows_of_file
from firsthit.formats.names import roles_of
from firsthit.formats.parquet import parquet_rows
from firsthit.rules import Rules

__all__ = ["LabelFile", "LabelRow", "read_label_file"]

TITLES = {"query": "query_id", "doc": "doc_id"}
"""Names of columns that are not those of their roles."""


class LabelRow(msgspec.Struct, frozen=True):
    """One row: what the library reads of it, and `record`: all of it, columns by their plain names."""

    query_id: str
    doc_id: str
    grade: float
    source: str = ""
    span: tuple[int, int] | None = None
    quote: str = ""
    need: str = ""
    line: int = 0
    record: Mapping[str, Any] = {}

    def written(self) -> dict[str, Any]:
        """The row as it is to be written: its record with the document, source and span that it has now."""
        start, end = self.span or (None, None)
        changed = {"doc_id": self.doc_id, "source": self.source, "start": start, "end": end}
        left = {key: value for key, value in self.record.items() if key not in changed}
        known = {key: value for key, value in changed.items() if value not in (None, "")}
        order = [*self.record, *(key for key in known if key not in self.record)]
        return {key: (left | known)[key] for key in order if key in left or key in known}


class LabelFile(msgspec.Struct, frozen=True, eq=False):
    """The rows of a label file, in its order, and the format that it has."""

    rows: tuple[LabelRow, ...]
    format: Format
    name: str


def read_label_file(path: str | os.PathLike[str], format: str | None = None) -> LabelFile:
    """All rows of a label file, every assessor's; InputError as `read_qrels` gives it."""
    blocks = Blocks(path)
    rows, layout = rows_of_file(blocks, format, Rules())
    found = tuple(
        _row(rows, i, record) for i, record in enumerate(_records(blocks, layout, rows)) if record is not None
    )
    return LabelFile(found, layout, blocks.name)


def _row(rows: LabelRows, i: int, record: Mapping[str, Any]) -> LabelRow:
    evidence, span = rows.evidence, None
    need = rows.iter if rows.need is None else rows.need  # whether it is read or not, it is kept apart
    if evidence is not None and evidence.start[i] >= 0:
        span = int(evidence.start[i]), int(evidence.end[i])
    return LabelRow(
        query_id=rows.query[i],
        doc_id=rows.doc[i],
        grade=float(rows.grade[i]),
        source="" if evidence is None else evidence.source[i],
        span=span,
        quote="" if evidence is None else evidence.quote[i],
        need="" if need is None else need[i],
        line=int(rows.line[i]),
        record=record,
    )


def _records(blocks: Blocks, format: Format, rows: LabelRows) -> Iterator[dict[str, Any]]:
    """The records behind the rows, in their order."""
    if format.load is not None:
        yield from _loaded_records(blocks, format, rows)
        return
    lines = blocks.whole().decode("utf-8-sig").split("\n")
    names = _names(lines, format)
    for line in rows.line.tolist():
        yield _plain(_fields(lines[line - 1].removesuffix("\r"), format, names))


def _loaded_records(blocks: Blocks, format: Format, rows: LabelRows) -> Iterator[dict[str, Any]]:
    if format.name == "parquet":
        yield from map(_plain, parquet_rows(blocks))
        return
    for i in range(len(rows.line)):
        grade = float(rows.grade[i])
        yield {"query_id": rows.query[i], "doc_id": rows.doc[i], "grade": _whole(grade)}


def _names(lines: Sequence[str], format: Format) -> list[str]:
    """The columns of a file of lines: those of its header, or of the format."""
    spec = format.lines
    if spec is None or spec.kind == "json":
        return []
    if spec.header:
        return split_header(lines[spec.header - 1].removesuffix("\r"), spec.delimiter)
    places = {place: TITLES.get(role, role) for role, place in spec.columns.items()}
    return [places[place] for place in sorted(places)]


def _fields(line: str, format: Format, names: Sequence[str]) -> dict[str, Any]:
    spec = format.lines
    if spec is None or spec.kind == "json":
        found: dict[str, Any] = msgspec.json.decode(line)
        return found
    if spec.kind == "csv":
        fields = next(csv.reader([line], delimiter=spec.delimiter, strict=True))
    else:
        fields = line.split(spec.delimiter) if spec.kind == "delimited" else line.split()
    return dict(zip(names, fields, strict=False))


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the plain names of the columns that are known, without empty ones."""
    names = list(record)
    titles = {names[place]: TITLES.get(role, role) for role, place in roles_of(names, "labels").items()}
    plain = {titles.get(name, name): value for name, value in record.items() if value not in (None, "")}
    for name in ("grade", "start", "end"):
        if name in plain:
            plain[name] = _whole(float(plain[name]))
    return plain


def _whole(number: float) -> float | int:
    return int(number) if np.isfinite(number) and number == int(number) else number
