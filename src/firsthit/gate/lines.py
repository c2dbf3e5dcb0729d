"""On which line each key of a TOML file stands: tomllib does not say."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

__all__ = ["Path", "key_lines"]

Path = tuple[str | int, ...]


def key_lines(text: str) -> dict[Path, int]:
    r"""The physical line of every table and key of a valid TOML document.

    Items of an array of tables are numbered from 0. A key inside an inline table has no line of its own.

    >>> key_lines("[gate]\nfloor = 1\n\n[[gate.drop]]\nmax = 2\n")
    {('gate',): 1, ('gate', 'floor'): 2, ('gate', 'drop', 0): 4, ('gate', 'drop', 0, 'max'): 5}
    """
    found: dict[Path, int] = {}
    items: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _statements(text):
        content = tomllib.loads(statement)
        if statement.startswith("["):
            table = _table(content, items)
            found.setdefault(table, line)
        else:
            found.setdefault((*table, *_key(content, statement)), line)
    return found


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each header or `key = value` with its first line: the shortest run of lines that is TOML by itself."""
    lines: list[str] = []
    start = 0
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not lines and (not line.strip() or line.lstrip().startswith("#")):
            continue
        start = start if lines else number
        lines.append(line)
        if line.rstrip().endswith(",") and "#" not in line:
            continue  # inside an array: long ones would be parsed once a line
        statement = "\n".join(lines).lstrip()
        if _is_toml(statement):
            yield start, statement
            lines = []


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _table(content: dict[str, Any], items: dict[Path, int]) -> Path:
    """The path of the table that a header opens; `items` counts the tables of each array so far."""
    path: Path = ()
    inside: Any = content
    while inside:
        if isinstance(inside, list):
            items[path] = items.get(path, -1) + 1
            return (*path, items[path])
        key = next(iter(inside))
        path, inside = (*path, key), inside[key]
        if path in items and isinstance(inside, dict):
            path = (*path, items[path])
    return path


def _key(content: dict[str, Any], statement: str) -> Path:
    """The dotted key of a statement: as many steps as the value is not yet reached."""
    path: Path = ()
    inside: Any = content
    dots = statement.partition("=")[0].count(".")
    while isinstance(inside, dict) and len(inside) == 1 and len(path) <= dots:
        key = next(iter(inside))
        path, inside = (*path, key), inside[key]
    return path
