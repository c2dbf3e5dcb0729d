"""What rows say of documents: the first value of each field, and what contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.twin.cells import (
    DECIMAL,
    LONGEST_VALUE,
    NOT_FINITE,
    BadValue,
    Cell,
    RawProblem,
    is_absent,
    is_utf8,
    pack,
    read_text,
)
from tests.twin.ranking import Doc

FIELDS = ("source", "start", "end", "text", "tokens")
NUMBERS = ("start", "end", "tokens")


def read_field(cell: Cell, field: str) -> bytes:
    """A field's value as it is spelled; empty where there is none."""
    if is_absent(cell):
        return b""
    if field not in NUMBERS:
        return read_text(cell, field)
    if cell.kind == "other":
        raise BadValue("type", field.encode())
    if cell.kind == "text" and not is_utf8(cell.text):
        raise BadValue("utf8", field.encode())
    if cell.kind == "constant" or NOT_FINITE.fullmatch(cell.text) or not DECIMAL.fullmatch(cell.text):
        raise BadValue(field, cell.text)
    value = float(cell.text)
    if value < 0 or not value.is_integer() or value > 2**53:
        raise BadValue(field, cell.text)
    return cell.text


def same(field: str, a: bytes, b: bytes) -> bool:
    return float(a) == float(b) if field in NUMBERS else a == b


def contradictions(docs: Sequence[Doc], fields: Sequence[str]) -> list[RawProblem]:
    """For each document and field the first row with another value than the first; `docs` in file order."""
    problems: list[RawProblem] = []
    for name in dict.fromkeys(doc.doc for doc in docs):
        for field in fields:
            values = [(doc.line, doc.fields[field]) for doc in docs if doc.doc == name and doc.fields[field]]
            others = [(line, value) for line, value in values if not same(field, value, values[0][1])]
            if others:
                parts = (name, field.encode(), others[0][1], values[0][1])
                text = b"\0".join(part[:LONGEST_VALUE] for part in parts)
                problems.append(("passage", others[0][0], text, values[0][0]))
    return problems


def passages_of(heads: Sequence[Doc], docs: Sequence[Doc], fields: Sequence[str]) -> dict[str, Any]:
    """The passages of the heads, and the row of each place."""
    names = list(dict.fromkeys(doc.doc for doc in heads))
    rows = {name: [doc for doc in docs if doc.doc == name] for name in names}
    columns: dict[str, Any] = {"doc": pack(names)}
    for field in fields:
        values = [next((doc.fields[field] for doc in rows[name] if doc.fields[field]), b"") for name in names]
        columns[field] = (
            np.array([float(value or "nan") for value in values]) if field in NUMBERS else pack(values)
        )
    columns["line"] = np.array([rows[name][0].line for name in names], np.int64)
    return {"passages": columns, "head_passage": np.array([names.index(doc.doc) for doc in heads], np.int32)}
