"""CSV and TSV with a header that names the columns; BEIR labels are one of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from firsthit.formats.model import Format, Lines, Role
from firsthit.formats.names import detail_of, roles_of

__all__ = ["DELIMITERS", "header_format", "split_header"]

DELIMITERS = {"\t": "tsv", ",": "csv", ";": "csv"}
"""The delimiters that are looked for, the most telling first."""


def split_header(line: str, delimiter: str) -> list[str]:
    """The names in a header line.

    >>> split_header('"query_id",doc id', ",")
    ['query_id', 'doc id']
    """
    if '"' not in line:
        return [name.strip() for name in line.split(delimiter)]
    import csv

    try:
        return [name.strip() for name in next(csv.reader([line], delimiter=delimiter, strict=True))]
    except (csv.Error, StopIteration):
        return [line]


def header_format(names: Sequence[str], delimiter: str, header: int, role: Role) -> Format:
    """The format of a file whose columns are named: `header` lines come before the data."""
    columns = roles_of(names, role)
    kind: Literal["csv", "delimited"] = "csv" if delimiter != "\t" else "delimited"
    lines = Lines(kind, columns, width=(len(names), len(names)), delimiter=delimiter, header=header)
    plain = role == "labels" and [name.lower() for name in names] == ["query-id", "corpus-id", "score"]
    detail = detail_of({column: names[at] for column, at in columns.items()}, role)
    return Format("beir" if plain else DELIMITERS[delimiter], role, frozenset(columns), lines, detail=detail)
