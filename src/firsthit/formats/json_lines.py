"""JSON Lines: one object a line, whose keys name the columns."""

from __future__ import annotations

from collections.abc import Iterable

from firsthit.formats.model import Format, Lines, Role
from firsthit.formats.names import KNOWN, detail_of, json_keys, roles_of

__all__ = ["json_lines_format"]


def json_lines_format(keys: Iterable[str], role: Role) -> Format:
    """The format of records like the first one, which has `keys`."""
    seen = list(keys)
    found = roles_of(seen, role)
    accepted = {
        column: json_keys(role, column, seen[found[column]] if column in found else None)
        for column in KNOWN[role]
    }
    if "query" in found and "text" in accepted:
        accepted["text"] = tuple(key for key in accepted["text"] if key != seen[found["query"]])
    detail = detail_of({column: seen[at] for column, at in found.items()}, role)
    return Format("jsonl", role, frozenset(found), Lines("json", keys=accepted), detail=detail)
