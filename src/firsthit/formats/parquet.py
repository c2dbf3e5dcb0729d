"""Tables: anything that exports Arrow (`__arrow_c_stream__`), and Parquet files, read with pyarrow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from firsthit.errors import InputError, Problem, UsageError
from firsthit.files.blocks import Blocks
from firsthit.files.lanes import in_order
from firsthit.formats.model import Format, Loaded, Role
from firsthit.formats.names import PASSAGE, detail_of, needed, roles_of

__all__ = ["ParquetTable", "column_names", "columns_for", "parquet_format", "parquet_rows", "table_format"]

BATCH = 1 << 17
"""How many rows are decoded at a time."""


class ParquetTable:
    """A Parquet file as a stream of Arrow batches of the needed columns, decoded anew for each pass.

    The column `repeated`, where one text stands many times, stays a dictionary: a quarter less time. Row
    groups are decoded on `threads` while earlier ones are used.
    """

    def __init__(self, blocks: Blocks, columns: list[str], repeated: str, threads: int = 1) -> None:
        self._blocks = blocks
        self._columns = columns
        self._repeated = repeated
        self._threads = threads

    def decoded_on(self, threads: int) -> ParquetTable:
        """The same table, decoded on so many threads."""
        return ParquetTable(self._blocks, self._columns, self._repeated, threads)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        pyarrow, _ = _pyarrow()
        source = _source(self._blocks)
        plain = _open(source, self._blocks.name)
        is_text = str(plain.schema_arrow.field(self._repeated).type) == "string"
        dictionaries = [self._repeated] if is_text else []
        file = _open(source, self._blocks.name, dictionaries, plain.metadata)
        schema = pyarrow.schema([file.schema_arrow.field(name) for name in self._columns])

        def batches(group: int) -> Iterator[Any]:
            own = _open(source, self._blocks.name, dictionaries, plain.metadata)
            yield from own.iter_batches(BATCH, row_groups=[group], columns=self._columns, use_threads=False)

        decoded = in_order(batches, plain.num_row_groups, self._threads)
        return pyarrow.RecordBatchReader.from_batches(schema, decoded).__arrow_c_stream__(requested_schema)

    def reading(self, columns: list[str]) -> ParquetTable:
        """The same table with these columns."""
        return ParquetTable(self._blocks, columns, self._repeated, self._threads)


def _source(blocks: Blocks) -> Any:
    """What pyarrow opens: a path, or bytes in memory that any thread may read."""
    pyarrow, _ = _pyarrow()
    plain = blocks.path not in ("", "-") and not blocks.compression
    return blocks.path if plain else pyarrow.BufferReader(blocks.whole())


def _open(source: Any, name: str, dictionaries: Sequence[str] = (), metadata: Any = None) -> Any:
    pyarrow, parquet = _pyarrow()
    try:
        return parquet.ParquetFile(source, read_dictionary=dictionaries, metadata=metadata)
    except (OSError, pyarrow.ArrowException) as error:
        problem = Problem(f"is not a Parquet file that can be read ({str(error).splitlines()[0]})")
        raise InputError(name, [problem]) from None


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
    names = list(_open(_source(blocks), blocks.name).schema_arrow.names)
    found = table_format(names, role, blocks.name, "parquet")
    columns, query = columns_for(found), found.names["query"]
    return msgspec.structs.replace(
        found, load=lambda again: Loaded(ParquetTable(again, columns, query), found.roles)
    )


def parquet_rows(blocks: Blocks) -> list[dict[str, Any]]:
    """The rows of a Parquet file with all their columns."""
    rows: list[dict[str, Any]] = _open(_source(blocks), blocks.name).read().to_pylist()
    return rows
