"""Text into records: lines, fields, and the cell of each role."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.twin.cells import BadValue, Cell, RawProblem, is_utf8

BLANKS = b" \t\v\f"
MARK = b"\xef\xbb\xbf"


class Layout:
    """How one line is split and which field is what."""

    def __init__(
        self,
        kind: str,
        *,
        columns: Mapping[str, int] | None = None,
        keys: Mapping[str, Sequence[str]] | None = None,
        width: tuple[int, int] = (0, 0),
        delimiter: str = "\t",
        header: int = 0,
        comments: bool = False,
    ) -> None:
        self.kind = kind
        self.columns = dict(columns or {})
        self.keys = {role: list(names) for role, names in (keys or {}).items()}
        self.width = width
        self.delimiter = delimiter.encode()
        self.header = header
        self.comments = comments


@dataclass(frozen=True)
class Record:
    """A data row: its number from 0, its line (or number from 1), and the cell of each role asked for."""

    number: int
    line: int
    cells: dict[str, Cell]


@dataclass
class Records:
    """Everything that was read."""

    records: list[Record] = field(default_factory=list)
    problems: list[RawProblem] = field(default_factory=list)
    lines: int = 0
    count: int = 0
    blank_lines: int = 0
    comment_lines: int = 0
    present: list[bytes] = field(default_factory=list)  # queries of a mapping, also those without a record
    ranked: bool = False  # there is a rank column to look at

    def add(self, line: int, cells: dict[str, Cell]) -> None:
        self.records.append(Record(self.count, line, cells))
        self.count += 1

    def refuse(self, line: int, error: BadValue) -> None:
        self.problems.append(error.at(line))
        self.count += 1


def read(data: bytes, layout: Layout, needed: Sequence[str], optional: Sequence[str] = ()) -> Records:
    """Reads a whole text; `needed` roles must be there, `optional` ones may be missing."""
    found = Records()
    lines = split_lines(data)
    found.lines = len(lines)
    found.ranked = "rank" in layout.columns
    for number, line in enumerate(lines, 1):
        if number <= layout.header:
            continue
        if line.strip(BLANKS) == b"":
            found.blank_lines += 1
        elif layout.comments and line.startswith(b"#"):
            found.comment_lines += 1
        else:
            try:
                found.add(number, cells_of(line, layout, needed, optional))
            except BadValue as error:
                found.refuse(number, error)
    return found


def split_lines(data: bytes) -> list[bytes]:
    pieces = data.removeprefix(MARK).split(b"\n")
    if pieces[-1] == b"":
        pieces.pop()
    return [piece.removesuffix(b"\r") for piece in pieces]


def cells_of(line: bytes, layout: Layout, needed: Sequence[str], optional: Sequence[str]) -> dict[str, Cell]:
    if b"\0" in line:
        raise BadValue("nul", line)
    if not is_utf8(line):
        raise BadValue("utf8", line)
    if layout.kind == "json":
        return cells_of_object(line, layout, [*needed, *optional])
    fields = split_fields(line, layout)
    fewest, most = layout.width
    if len(fields) < fewest or (most and len(fields) > most):
        raise BadValue("fields", line, len(fields))
    if any(layout.columns[role] >= len(fields) for role in needed):
        raise BadValue("fields", line, len(fields))
    return {role: cell_at(fields, layout.columns.get(role)) for role in [*needed, *optional]}


def cell_at(fields: list[bytes], index: int | None) -> Cell:
    return Cell("missing") if index is None or index >= len(fields) else Cell("text", fields[index])


def split_fields(line: bytes, layout: Layout) -> list[bytes]:
    if layout.kind == "blank":
        return [piece for piece in as_spaces(line).split(b" ") if piece]
    if layout.kind == "delimited":
        return line.split(layout.delimiter)
    return split_csv(line, layout.delimiter)


def as_spaces(line: bytes) -> bytes:
    return line.replace(b"\t", b" ").replace(b"\v", b" ").replace(b"\f", b" ")


def split_csv(line: bytes, delimiter: bytes) -> list[bytes]:
    """RFC 4180: a field is quoted as a whole or holds no quote at all."""
    fields = []
    rest: bytes | None = line
    while rest is not None:
        one, rest = (
            next_quoted(line, rest, delimiter) if rest[:1] == b'"' else next_plain(line, rest, delimiter)
        )
        fields.append(one)
    return fields


def next_plain(line: bytes, rest: bytes, delimiter: bytes) -> tuple[bytes, bytes | None]:
    one, separator, after = rest.partition(delimiter)
    if b'"' in one:
        raise BadValue("quote", line)
    return one, after if separator else None


def next_quoted(line: bytes, rest: bytes, delimiter: bytes) -> tuple[bytes, bytes | None]:
    content, at = b"", 1
    while True:
        end = rest.find(b'"', at)
        if end < 0:
            raise BadValue("quote", line)
        content += rest[at:end]
        if rest[end + 1 : end + 2] != b'"':
            break
        content += b'"'
        at = end + 2
    after = rest[end + 1 :]
    if after and not after.startswith(delimiter):
        raise BadValue("quote", line)
    return content, after[1:] if after else None


class Members(list[tuple[str, object]]):
    """A JSON object as its (key, value) pairs, in order."""


def cells_of_object(line: bytes, layout: Layout, roles: Sequence[str]) -> dict[str, Cell]:
    try:
        members = json.loads(
            line.decode(),
            parse_int=lambda text: Cell("integer", text.encode()),
            parse_float=lambda text: Cell("number", text.encode()),
            parse_constant=lambda text: Cell("constant", text.encode()),
            object_pairs_hook=Members,
        )
    except ValueError:
        raise BadValue("json", line) from None
    if not isinstance(members, Members):
        raise BadValue("json", line)
    return {role: cell_of_key(line, members, layout.keys.get(role, [])) for role in roles}


def cell_of_key(line: bytes, members: Members, accepted: Sequence[str]) -> Cell:
    for name in accepted:
        values = [value for key, value in members if key == name]
        if len(values) > 1:
            raise BadValue("json", line)
        if values:
            return cell_of_json(values[0])
    return Cell("missing")


def cell_of_json(value: object) -> Cell:
    if isinstance(value, Cell):
        return value
    if isinstance(value, str):
        return Cell("text", value.encode("utf-8", "surrogatepass"))
    return Cell("json null" if value is None else "other")
