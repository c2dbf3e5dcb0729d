"""Tables on standard output: aligned text for people, and five data formats at full precision."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import click

__all__ = [
    "FORMATS",
    "encode",
    "note",
    "paragraph",
    "print_rows",
    "print_rows_as_json",
    "printable",
    "terminal_width",
    "wrap",
    "write",
]

FORMATS = ("table", "json", "jsonl", "csv", "tsv", "markdown")

READING_WIDTH = 100
"""Width of wrapped text where standard output is no terminal."""

BATCH = 512

PIECE = 16_384
"""Characters written at once; a pipe takes more than this whole."""

Row = Mapping[str, Any]


def print_rows(rows: Iterable[Row], columns: Sequence[str], output_format: str) -> None:
    """Print rows in a format; each row has a value for each column, None or NaN where there is none."""
    if output_format == "table":
        write(table(list(rows), columns, terminal_width()))
    elif output_format == "markdown":
        write(markdown(list(rows), columns))
    elif output_format in ("csv", "tsv"):
        for piece in separated(rows, columns, "\t" if output_format == "tsv" else ","):
            write(piece)
    else:
        for some in _in_batches(rows):
            write("".join(f"{encode(row)}\n" for row in some))


def print_rows_as_json(name: str, rows: Iterable[Row]) -> None:
    """One indented JSON object with all rows under a name, printed while they are made."""
    write(f'{{\n  "{name}": [')
    before, end = "\n", "]\n}\n"
    for some in _in_batches(rows):
        inner = encode(some, indent=True)[2:-2]  # without the brackets and their lines
        write(before + "  " + inner.replace("\n", "\n  "))
        before, end = ",\n", "\n  ]\n}\n"
    write(end)


def _in_batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows some hundred at a time, so that the first are printed while the last are made."""
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def write(text: str) -> None:
    """Print text as it is, in pieces: a closed pipe is noticed also where Python does not buffer."""
    for start in range(0, len(text), PIECE):
        click.echo(text[start : start + PIECE], nl=False)


def printable(text: str) -> str:
    r"""Text for people with its control characters escaped: an id must not move a cursor or break a row.

    >>> print(printable("a\x1b[2Jb\nc é"))
    a\x1b[2Jb\nc é
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def encode(value: Any, *, indent: bool = False) -> str:
    """JSON text; NaN becomes null."""
    import msgspec

    encoded = msgspec.json.encode(value)
    return (msgspec.json.format(encoded, indent=2) if indent else encoded).decode()


def terminal_width() -> int | None:
    """The columns of the terminal; None where standard output is no terminal."""
    if not sys.stdout.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def note(text: str) -> None:
    """A note on standard error, folded where that is a terminal; a file or pipe gets it as one line."""
    line = printable(f"note: {text}")
    if sys.stderr.isatty():
        line = _fold(line, os.get_terminal_size(sys.stderr.fileno()).columns or READING_WIDTH)
    click.echo(line, err=True)


def table(rows: Sequence[Row], columns: Sequence[str], width: int | None = None) -> str:
    """Aligned text: numbers to the right, 4 decimals; wider than `width` it continues in further blocks.

    >>> print(table([{"run": "a", "RR@10": 0.5}, {"run": "b", "RR@10": 0.25}], ["run", "RR@10"]), end="")
    run   RR@10
    a    0.5000
    b    0.2500
    """
    cells = {name: [_cell(row[name]) for row in rows] for name in columns}
    numeric = {name: all(_is_number(row[name]) for row in rows) for name in columns}
    widths = {name: max(map(len, [name, *cells[name]])) for name in columns}
    blocks = []
    for block in _blocks(columns, widths, width):
        heading = _line(block, block, widths, numeric)
        lines = [_line(block, [cells[name][i] for name in block], widths, numeric) for i in range(len(rows))]
        blocks.append("".join(f"{line}\n" for line in [_bold(heading), *lines]))
    return "\n".join(blocks)


def _blocks(columns: Sequence[str], widths: Mapping[str, int], width: int | None) -> Iterator[list[str]]:
    first, *rest = columns
    block, used = [first], widths[first]
    for name in rest:
        if width is not None and len(block) > 1 and used + 2 + widths[name] > width:
            yield block
            block, used = [first], widths[first]
        block.append(name)
        used += 2 + widths[name]
    yield block


def _line(
    names: Sequence[str], texts: Sequence[str], widths: Mapping[str, int], numeric: Mapping[str, bool]
) -> str:
    aligned = (
        text.rjust(widths[name]) if numeric[name] else text.ljust(widths[name])
        for name, text in zip(names, texts, strict=True)
    )
    return "  ".join(aligned).rstrip()


def _bold(line: str) -> str:
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\033[1m{line}\033[0m" if coloured else line


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float, tuple)) and not isinstance(value, bool))


def _cell(value: Any) -> str:
    """A value for people.

    >>> _cell(0.123456), _cell(1234), _cell((0.5, 1.0)), _cell(float("nan")), _cell(None), _cell(True)
    ('0.1235', '1,234', '[0.5000, 1.0000]', '-', '-', 'yes')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_cell, value))}]"
    return f"{value:,}" if isinstance(value, int) else printable(str(value))


def markdown(rows: Sequence[Row], columns: Sequence[str]) -> str:
    r"""A Markdown table, rounded as the plain one.

    >>> print(markdown([{"run": "a|b", "RR": 0.5}], ["run", "RR"]), end="")
    | run | RR |
    |---|---:|
    | a\|b | 0.5000 |
    """
    numeric = [all(_is_number(row[name]) for row in rows) for name in columns]
    lines = [columns, *([_cell(row[name]) for name in columns] for row in rows)]
    text = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
    text.insert(1, f"|{'|'.join('---:' if right else '---' for right in numeric)}|")
    return "".join(f"{line}\n" for line in text)


def separated(rows: Iterable[Row], columns: Sequence[str], delimiter: str) -> Iterator[str]:
    r"""CSV or TSV in pieces, at full precision; empty where there is no value; [lower, upper] is one cell.

    >>> "".join(separated([{"run": "a", "RR": 1 / 3}], ["run", "RR"], ","))
    'run,RR\na,0.3333333333333333\n'
    """
    import csv
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    for batch in _in_batches(rows):
        writer.writerows([_data(row[name]) for name in columns] for row in batch)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _data(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_data, value))}]"
    return repr(value) if isinstance(value, float) else str(value)


def paragraph(text: str, indent: int = 0) -> str:
    """Text filled to the width of the terminal, 100 columns at most; lines after the first are indented."""
    import textwrap

    width = min(terminal_width() or READING_WIDTH, READING_WIDTH)
    return textwrap.fill(text, width, subsequent_indent=" " * indent, break_on_hyphens=False)


def wrap(line: str, width: int | None = None) -> str:
    """A line folded at its separators " · ", continued with an indent; at most 100 columns.

    >>> print(wrap("one fact · another fact · a third", 26))
    one fact · another fact
        · a third
    """
    width = width or READING_WIDTH
    lines, current = [], ""
    for part in printable(line).split(" · "):
        joined = f"{current} · {part}" if current else part
        if current and len(joined) > width:
            lines.append(current)
            joined = f"    · {part}"
        current = joined
    return "\n".join(_fold(text, width) for text in [*lines, current])


_HELD = "\0"
"""Stands for a blank at which a line must not break: [0.25, 0.50] stays in one piece."""


def _fold(line: str, width: int) -> str:
    import textwrap

    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    hanging = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    hanging.subsequent_indent = indent + "    "
    whole = re.sub(r"\[[^\]]*\]", lambda found: found[0].replace(" ", _HELD), line)
    return hanging.fill(whole).replace(_HELD, " ")
