"""A run: one system's rankings, described here and read when it is matched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Columns", "Run", "TextFile"]


@dataclass(frozen=True)
class TextFile:
    """Rankings in a text file: its path ("-" is standard input) and how its lines are laid out."""

    path: Path | str
    format: str
    layout: Any  # formats.Layout description, see firsthit.formats
    name: str = "run"


@dataclass(frozen=True, eq=False)
class Columns:
    """Rankings in memory: a mapping {query: {doc: score}} or {query: [doc, ...]}, or a table that exports Arrow."""

    source: Any
    format: str  # "mapping" or "arrow"
    columns: dict[str, str]  # role -> column name, for tables
    name: str = "run"


Run = TextFile | Columns
