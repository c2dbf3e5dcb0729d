"""Tables: anything that exports Arrow (`__arrow_c_stream__`), and Parquet files, read with pyarrow."""

from __future__ import annotations

import io
from typing import Any

from firsthit.blocks import Blocks
from firsthit.errors import InputError, Problem, UsageError
from firsthit.formats.model import Format, Loaded, Role
from firsthit.formats.names import needed, roles_of

__all__ = ["ParquetTable", "column_names", "parquet_format", "table_format"]


class ParquetTable:
    """A Parquet file as a stream of Arrow batches of the needed columns, decoded anew for each pass."""

    def __init__(self, blocks: Blocks, columns: list[str] | None = None) -> None:
        self._blocks = blocks
        self.columns = columns

    def _open(self) -> Any:
        pyarrow, parquet = _pyarrow()
        plain = self._blocks.path not in ("", "-") and not self._blocks.compression
        source = self._blocks.path if plain else io.BytesIO(self._blocks.whole())
        try:
            return parquet.ParquetFile(source, memory_map=plain)
        except (OSError, pyarrow.ArrowException) as error:
            problem = Problem(f"is not a Parquet file that can be read ({str(error).splitlines()[0]})")
            raise InputError(self._blocks.name, [problem]) from None

    @property
    def schema(self) -> Any:
        """The Arrow schema of the file."""
        return self._open().schema_arrow

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        pyarrow, _ = _pyarrow()
        file = self._open()
        schema = pyarrow.schema([file.schema_arrow.field(name) for name in self.columns or []])
        batches = file.iter_batches(batch_size=1 << 17, columns=self.columns)
        reader = pyarrow.RecordBatchReader.from_batches(schema, batches)
        return reader.__arrow_c_stream__(requested_schema)


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
    chosen = {column: names[at] for column, at in found.items()}
    titles = {"query": "query_id", "doc": "doc_id"}
    detail = ", ".join(f"{titles.get(column, column)} from {title!r}" for column, title in chosen.items())
    return Format(name, role, frozenset(found), names=chosen, detail=detail)


def parquet_format(blocks: Blocks, role: Role) -> Format:
    """The format of a Parquet file, from its schema."""
    table = ParquetTable(blocks)
    found = table_format(list(table.schema.names), role, blocks.name, "parquet")
    return Format(
        "parquet",
        role,
        found.roles,
        load=lambda again: Loaded(ParquetTable(again, list(found.names.values())), found.roles),
        names=found.names,
        detail=found.detail,
    )
