"""A table of labels or queries, read whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.twin.cells import BadValue, first_problems, is_absent, pack, read_number, read_text
from tests.twin.text import Layout, Record, Records, read

if TYPE_CHECKING:
    from firsthit._core import TableResult


class Table:
    """Text roles and number roles as columns."""

    def __init__(
        self, layout: Layout, texts: Sequence[str], numbers: Sequence[str], optional: Sequence[str] = ()
    ) -> None:
        self.layout = layout
        self.texts = list(texts)
        self.numbers = list(numbers)
        self.optional = list(optional)
        self.blocks: list[bytes] = []
        self.fed = (0, 0)

    def feed(self, block: bytes | bytearray | memoryview, last: bool = False) -> tuple[int, int]:
        self.blocks.append(bytes(block))
        self.fed = (self.fed[0] + bytes(block).count(b"\n"), self.fed[1] + len(block))
        return self.fed

    def finish(self) -> TableResult:
        needed = [role for role in [*self.texts, *self.numbers] if role not in self.optional]
        found = read(b"".join(self.blocks), self.layout, needed, self.optional)
        return table_of(found, self.texts, self.numbers, self.optional)


def table_of(
    found: Records, texts: Sequence[str], numbers: Sequence[str], optional: Sequence[str] = ()
) -> TableResult:
    """The columns of what was read."""
    text_columns: dict[str, list[bytes]] = {role: [] for role in texts}
    number_columns: dict[str, list[float]] = {role: [] for role in numbers}
    lines = []
    for record in found.records:
        try:
            row_texts, row_numbers = read_row(record, texts, numbers, optional)
        except BadValue as error:
            found.problems.append(error.at(record.line))
            continue
        lines.append(record.line)
        for role in texts:
            text_columns[role].append(row_texts[role])
        for role in numbers:
            number_columns[role].append(row_numbers[role])
    columns: dict[str, Any] = {role: pack(values) for role, values in text_columns.items()}
    columns |= {role: np.array(values, np.float64) for role, values in number_columns.items()}
    return {
        "columns": columns,
        "line": np.array(lines, np.int64),
        "blank_lines": found.blank_lines,
        "comment_lines": found.comment_lines,
        "problems": first_problems(found.problems),
        "problem_count": len(found.problems),
    }


def read_row(
    record: Record, texts: Sequence[str], numbers: Sequence[str], optional: Sequence[str]
) -> tuple[dict[str, bytes], dict[str, float]]:
    absent = {role for role in optional if is_absent(record.cells[role])}
    row_texts = {role: b"" if role in absent else read_text(record.cells[role], role) for role in texts}
    row_numbers = {
        role: math.nan if role in absent else read_number(record.cells[role], role) for role in numbers
    }
    return row_texts, row_numbers
