"""A run: one system's rankings, described here and read when it is matched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks, printable
from firsthit.formats import Format, Loaded, column_names, recognise, table_format
from firsthit.formats.json_document import mapping_roles

__all__ = ["Columns", "Run", "TextFile", "read_run"]


class TextFile(msgspec.Struct, frozen=True, eq=False):
    """Rankings in a file, and how it is laid out; `blocks` can be read again, also of standard input."""

    path: str
    layout: Format
    blocks: Blocks
    name: str = "run"

    @property
    def format(self) -> str:
        """The format and what was decided about it."""
        return str(self.layout)


class Columns(msgspec.Struct, frozen=True, eq=False):
    """Rankings in memory: {query: {doc: score}} or {query: [doc, ...]}, or a table that exports Arrow."""

    source: Any
    layout: Format
    name: str = "run"
    path: str = ""

    @property
    def format(self) -> str:
        """The kind, "mapping" or "arrow", and which column is what."""
        return str(self.layout)


Run = TextFile | Columns


def read_run(
    source: Any, *, format: str | None = None, name: str | None = None, comments: bool = False
) -> Run:
    """One system's rankings in a path ("-": standard input), a mapping, or a table that exports Arrow.

    Only the beginning is looked at here, to decide the format; `comments` skips lines that start with '#'.

    >>> run = read_run({"q1": {"a": 2.5, "b": 1.0}, "q2": {}}, name="bm25")
    >>> run.name, run.format
    ('bm25', 'mapping')
    """
    if isinstance(source, TextFile | Columns):
        return source
    if isinstance(source, str | os.PathLike):
        blocks = Blocks(source)
        path = printable(blocks.path)
        layout = recognise(blocks, "run", format, comments=comments)
        return TextFile(path, layout, blocks, name or _name(path))
    title = name or "run"
    if isinstance(source, Mapping):
        return Columns(source, Format("mapping", "run", mapping_roles(source)), title)
    if hasattr(source, "__arrow_c_stream__"):
        return Columns(source, table_format(column_names(source), "run", title), title)
    what = f"a run cannot be read from {type(source).__name__}"
    hint = "Give a path, a mapping {query: {doc: score}}, or a table that has __arrow_c_stream__."
    raise InputError(title, [Problem(what)], hint=hint)


def _name(path: str) -> str:
    return "run" if path == "-" or path.startswith("/dev/") else os.path.basename(path)


def loaded(run: Run) -> Loaded | None:
    """What is read whole: a mapping, a table, or text made from a document; None for lines of a file."""
    if isinstance(run, Columns):
        return Loaded(run.source, run.layout.roles)
    return run.layout.load(run.blocks) if run.layout.load else None
