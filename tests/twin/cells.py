"""One value as it stands in the input, and how an id or a number is read from it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DECIMAL = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)
LONGEST_VALUE = 80
MOST_PROBLEMS = 20

RawProblem = tuple[str, int, bytes, int]
Text = tuple[NDArray[np.uint8], NDArray[np.int64]]


@dataclass(frozen=True)
class Cell:
    """A value: its kind and its bytes.

    Kinds: text, integer, number, constant, other, null (of a table), json null, missing.
    """

    kind: str
    text: bytes = b""


class BadValue(Exception):
    """A value, or a line, that cannot be read."""

    def __init__(self, kind: str, value: bytes, found: int = 0) -> None:
        super().__init__(kind, value, found)
        self.kind = kind
        self.value = value[:LONGEST_VALUE]
        self.found = found

    def at(self, line: int) -> RawProblem:
        return (self.kind, line, self.value, self.found)


def read_text(cell: Cell, role: str) -> bytes:
    """The bytes of an id or another text."""
    refuse_absent(cell, role)
    if cell.kind not in ("text", "integer"):
        raise BadValue("type", role.encode())
    if cell.text == b"" and role in ("query", "doc"):
        raise BadValue("empty-id", role.encode())
    if not is_utf8(cell.text):
        raise BadValue("utf8", role.encode())
    return cell.text


def read_number(cell: Cell, role: str) -> float:
    """A finite number."""
    refuse_absent(cell, role)
    if cell.kind in ("other", "json null"):
        raise BadValue("type", role.encode())
    if cell.kind == "constant" or NOT_FINITE.fullmatch(cell.text):
        raise BadValue("not-finite", cell.text)
    if not DECIMAL.fullmatch(cell.text) or math.isinf(float(cell.text)):
        raise BadValue("number", cell.text)
    return float(cell.text)


def is_absent(cell: Cell) -> bool:
    """Whether there is no value: a missing key or field, a null, an empty text."""
    return cell.kind in ("missing", "null", "json null") or cell == Cell("text", b"")


def refuse_absent(cell: Cell, role: str) -> None:
    if cell.kind == "missing":
        raise BadValue("missing", role.encode())
    if cell.kind == "null":
        raise BadValue("null", role.encode())


def is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def pack(texts: Iterable[bytes]) -> Text:
    """Many strings as one block of bytes and offsets."""
    items = list(texts)
    offsets = np.array([0, *np.cumsum([len(item) for item in items])], np.int64)
    return np.frombuffer(b"".join(items), np.uint8), offsets


def unpack(column: Text) -> list[bytes]:
    """The strings of a block of bytes and offsets."""
    data, offsets = column
    whole = data.tobytes()
    bounds = offsets.tolist()
    return [whole[bounds[i] : bounds[i + 1]] for i in range(len(bounds) - 1)]


def first_problems(problems: list[RawProblem]) -> list[RawProblem]:
    """The first 20 by line; on one line a repeated rank, a duplicate, and contradictions by the other line."""
    kinds = {"duplicate": 1, "passage": 2}

    def order(problem: RawProblem) -> tuple[int, int, int]:
        kind, line, _, other = problem
        return line, kinds.get(kind, 0), other if kind == "passage" else 0

    return sorted(problems, key=order)[:MOST_PROBLEMS]
