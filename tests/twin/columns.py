"""Mappings and Arrow tables into records."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tests.twin.cells import Cell
from tests.twin.table import table_of
from tests.twin.text import Records

if TYPE_CHECKING:
    from firsthit._core import TableResult


def records_from_mapping(source: Mapping[Any, Any]) -> Records:
    """{query: {doc: number}} or {query: [doc, ...]}; a query without documents is present all the same."""
    found = Records()
    for query, documents in source.items():
        found.present.append(cell_of_id(query, "query").text)
        for doc in documents:
            cells = {"query": cell_of_id(query, "query"), "doc": cell_of_id(doc, "doc")}
            if isinstance(documents, Mapping):
                cells["score"] = cells["grade"] = cell_of_number(documents[doc], "score")
            found.add(found.count + 1, cells)
    return found


def table_from_mapping(source: Mapping[Any, Any]) -> TableResult:
    graded = all(isinstance(documents, Mapping) for documents in source.values())
    return table_of(records_from_mapping(source), ["query", "doc"], ["grade"] if graded else [])


def records_from_arrow(
    source: Any, columns: Mapping[str, str], needed: Sequence[str], optional: Sequence[str] = ()
) -> Records:
    """One record a row of anything that exports Arrow."""
    table = pa.table(source)
    found = Records()
    found.ranked = "rank" in columns
    roles = [role for role in [*needed, *optional] if role in columns]
    values = {role: table.column(columns[role]).to_pylist() for role in roles}
    for row in range(table.num_rows):
        cells = {role: cell_of_value(values[role][row], role) for role in roles}
        found.add(row + 1, cells)
    return found


def table_from_arrow(
    source: Any, texts: Mapping[str, str], numbers: Mapping[str, str], optional: Sequence[str] = ()
) -> TableResult:
    found = records_from_arrow(source, {**texts, **numbers}, [*texts, *numbers])
    found = without_nan(found, set(optional) & set(numbers))
    return table_of(found, list(texts), list(numbers), optional)


def cell_of_value(value: object, role: str) -> Cell:
    if value is None:
        return Cell("null")
    if role in ("score", "rank", "grade"):
        return cell_of_number(value, role)
    if role in ("start", "end", "tokens"):
        return cell_of_field(value, role)
    return cell_of_id(value, role)


def cell_of_id(value: object, role: str) -> Cell:
    if isinstance(value, str):
        return Cell("text", value.encode("utf-8", "surrogatepass"))
    if isinstance(value, int) and not isinstance(value, bool):
        return Cell("integer", str(value).encode())
    raise TypeError(f"{role}: {type(value).__name__}")


def cell_of_field(value: object, role: str) -> Cell:
    """A number of a passage: a whole one has no point."""
    cell = cell_of_number(value, role)
    return Cell(cell.kind, cell.text.removesuffix(b".0"))


def without_nan(found: Records, roles: Collection[str]) -> Records:
    """The same records where NaN is no value of these roles."""
    for record in found.records:
        for role in set(roles) & set(record.cells):
            if record.cells[role] == Cell("constant", b"nan"):
                record.cells[role] = Cell("null")
    return found


def cell_of_number(value: object, role: str) -> Cell:
    if isinstance(value, str | bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{role}: {type(value).__name__}")
    try:
        number = float(value)
    except OverflowError:
        return Cell("number", b"beyond the range of floats")
    if math.isfinite(number):
        return Cell("number", repr(number).encode())
    return Cell("constant", str(number).encode())
