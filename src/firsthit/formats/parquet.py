"""Tables: anything that exports Arrow (`__arrow_c_stream__`), and Parquet files, read with pyarrow."""

from __future__ import annotations

import io
from collections.abc import Collection
from typing import Any

import msgspec

from firsthit.errors import InputError, Problem, UsageError
from firsthit.files.blocks import Blocks
from firsthit.formats.model import Format, Loaded, Role
from firsthit.formats.names import PASSAGE, detail_of, needed, roles_of

__all__ = [
    "ParquetTable",
    "column_names",
    "columns_for",
    "parquet_format",
    "parquet_rows",
    "table_format",
]


class ParquetTable:
    """A Parquet file as a stream of Arrow batches of the needed columns, decoded anew for each pass.

    The column `repeated`, where one text stands many times, stays a dictionary: a quarter less time.
    """

    def __init__(self, blocks: Blocks, columns: list[str], repeated: str) -> None:
        self._blocks = blocks
        self._columns = columns
        self._repeated = repeated

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        pyarrow, _ = _pyarrow()
        file = _open(self._blocks, [])
        if str(file.schema_arrow.field(self._repeated).type) == "string":
            file = _open(self._blocks, [self._repeated])
        schema = pyarrow.schema([file.schema_arrow.field(name) for name in self._columns])
        batches = file.iter_batches(batch_size=1 << 17, columns=self._columns)
        reader = pyarrow.RecordBatchReader.from_batches(schema, batches)
        return reader.__arrow_c_stream__(requested_schema)

    def reading(self, columns: list[str]) -> ParquetTable:
        """The same table with these columns."""
        return ParquetTable(self._blocks, columns, self._repeated)


def _open(blocks: Blocks, dictionaries: list[str]) -> Any:
    pyarrow, parquet = _pyarrow()
    plain = blocks.path not in ("", "-") and not blocks.compression
    source = blocks.path if plain else io.BytesIO(blocks.whole())
    try:
        return parquet.ParquetFile(source, memory_map=plain, read_dictionary=dictionaries)
    except (OSError, pyarrow.ArrowException) as error:
        problem = Problem(f"is not a Parquet file that can be read ({str(error).splitlines()[0]})")
        raise InputError(blocks.name, [problem]) from None


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        hint = 'Install it: pip install "firsthit[arrow]"'
        raise UsageError("Parquet files are read with pyarrow, which is not installed.", hint=hint) from None
    return pyarrow, parquet


def column_names(table: Any) -> list[str]:
    """The column names of a table that exports Arrow: pyarrow, Polars, pandas and DuckDB say them."""
    schema = getattr(table, "schema", None)
    for holder, attribute in ((schema, "names"), (table, "column_names"), (table, "columns")):
        names = getattr(holder, attribute, None)
        names = names() if callable(names) else names
        if names is not None:
            return [str(name) for name in names]
    hint = "Give a table with the attribute columns, such as a pyarrow, Polars or pandas one."
    raise UsageError(f"{type(table).__name__} does not say the names of its columns.", hint=hint)


def table_format(names: list[str], role: Role, source: str, name: str = "arrow") -> Format:
    """The format of a table whose columns are `names`."""
    found = roles_of(names, role)
    missing = needed(role, found)
    if missing:
        hint = f"The columns found are: {', '.join(names)}. Rename them, or select them under these names."
        raise InputError(source, [Problem(f"the table has {missing}")], hint=hint)
    twice = sorted({name for name in names if names.count(name) > 1} & {names[at] for at in found.values()})
    if twice:
        what = f"the table has the column {twice[0]!r} twice"
        raise InputError(source, [Problem(what)], hint="Give each column its own name.")
    chosen = {column: names[at] for column, at in found.items()}
    return Format(name, role, frozenset(found), names=chosen, detail=detail_of(chosen, role))


def columns_for(format: Format, passage: Collection[str] = ()) -> list[str]:
    """The columns to read of a table; of those that say what a passage is only the ones asked for."""
    return [
        name
        for column, name in format.names.items()
        if format.role == "labels" or column not in PASSAGE or column in passage
    ]


def parquet_format(blocks: Blocks, role: Role) -> Format:
    """The format of a Parquet file, from its schema."""
    found = table_format(list(_open(blocks, []).schema_arrow.names), role, blocks.name, "parquet")
    columns, query = columns_for(found), found.names["query"]
    return msgspec.structs.replace(
        found, load=lambda again: Loaded(ParquetTable(again, columns, query), found.roles)
    )


def parquet_rows(blocks: Blocks) -> list[dict[str, Any]]:
    """The rows of a Parquet file with all their columns."""
    rows: list[dict[str, Any]] = _open(blocks, []).read().to_pylist()
    return rows
