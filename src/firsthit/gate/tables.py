"""Taking values out of a gate's tables, and noting by line what is wrong with them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from firsthit.errors import FirsthitError, Problem
from firsthit.gate.lines import Path
from firsthit.gate.rules import ON, On, Rule

if TYPE_CHECKING:
    from firsthit.measures import Measure

__all__ = ["Reader"]

_LARGEST = 1e300  # for measures without a largest value: any number but infinity

Table = Mapping[str, Any]
Choice = TypeVar("Choice", bound=str)


class Reader:
    """Reads values by key; what is missing is None, what is wrong is a problem and None."""

    def __init__(self, lines: Mapping[Path, int]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []

    def line(self, path: Path) -> int:
        """The line of a key, or of the nearest table around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)

    def problem(self, what: str, path: Path, value: Any = None, other: Path | None = None) -> None:
        """Note what is wrong at a key."""
        shown = "" if value is None else str(value)[:80]
        self.problems.append(Problem(what, self.line(path), shown, self.line(other) if other else 0))

    def unknown(self, table: Table, at: Path, known: Sequence[str]) -> None:
        """Note each key that is not known."""
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                other = f"; nearest: {near[0]}" if near else f"; there are {', '.join(known)}"
                self.problem(f"unknown key {key!r}{other}", (*at, key))

    def table(self, table: Table, at: Path, key: str) -> dict[str, Any]:
        """A table inside this one; an empty one where it is missing."""
        found = table.get(key, {})
        if isinstance(found, dict):
            return found
        self.problem(f"{key} is a table: [{_written(at)}.{key}]", (*at, key))
        return {}

    def tables(self, table: Table, at: Path, key: str) -> Iterator[tuple[dict[str, Any], Path]]:
        """The items of an array of tables."""
        found = table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            self.problem(f"{key} is an array of tables: [[{_written(at)}.{key}]]", (*at, key))
            return
        for number, item in enumerate(found):
            yield item, (*at, key, number)

    def number(self, table: Table, at: Path, key: str, low: float, high: float) -> float | None:
        """A number from low to high."""
        found = table.get(key)
        if found is None:
            return None
        good = isinstance(found, int | float) and not isinstance(found, bool)
        if good and low <= found <= high:
            return float(found)
        wanted = f"a number from {low:g} to {high:g}" if high < _LARGEST else f"a number of {low:g} or more"
        self.problem(f"{key} is not {wanted}", (*at, key), found)
        return None

    def count(self, table: Table, at: Path, key: str) -> int | None:
        """A whole number of at least 1."""
        found = table.get(key)
        if found is None:
            return None
        if isinstance(found, int) and not isinstance(found, bool) and found >= 1:
            return found
        self.problem(f"{key} is not a whole number of 1 or more", (*at, key), found)
        return None

    def truth(self, table: Table, at: Path, key: str) -> bool:
        """True or false; false where it is missing."""
        found = table.get(key, False)
        if not isinstance(found, bool):
            self.problem(f"{key} is neither true nor false", (*at, key), found)
        return found is True

    def text(self, table: Table, at: Path, key: str) -> str | None:
        """A text that is not empty."""
        found = table.get(key)
        if found is None or (isinstance(found, str) and found):
            return found
        self.problem(f"{key} is not a text", (*at, key), found)
        return None

    def texts(self, table: Table, at: Path, key: str) -> list[str]:
        """A list of texts; one text is a list of one."""
        found = table.get(key, [])
        found = [found] if isinstance(found, str) else found
        if isinstance(found, list) and all(isinstance(item, str) and item for item in found):
            return found
        self.problem(f"{key} is not a list of texts", (*at, key), found)
        return []

    def choice(self, table: Table, at: Path, key: str, choices: tuple[Choice, ...]) -> Choice | None:
        """One of the choices."""
        found = table.get(key)
        if found is not None and found not in choices:
            self.problem(f"{key} is not one of {', '.join(choices)}", (*at, key), found)
        return found if found in choices else None

    def limit_rule(
        self, kind: Literal["floor", "max_drop"], key: str, item: Table, at: Path, on: On = "interval"
    ) -> Rule | None:
        """A floor or a largest drop, over all queries, groups or critical groups."""
        known = ("measure", key, "column", "group", "critical", *(("on",) if kind == "max_drop" else ()))
        before = len(self.problems)
        self.unknown(item, at, known)
        measure = self._measure(item, at)
        if key not in item:
            self.problem(f"{at[-2]} has no {key}", at)
        limit = self.number(item, at, key, 0.0, min(measure.range[1], _LARGEST) if measure else 1.0)
        column, group = self.text(item, at, "column"), self.text(item, at, "group")
        critical = self.truth(item, at, "critical")
        if group is not None and column is None:
            self.problem("a group without its column", (*at, "group"), group)
        if critical and (column or group):
            self.problem(
                "critical contradicts column: a rule is about the one or the other", (*at, "critical")
            )
        if kind == "max_drop":
            on = self.choice(item, at, "on", ON) or on
        if limit is None or len(self.problems) > before:
            return None
        name = str(measure) if measure else None
        return Rule(kind, limit, name, column, group, critical, on, self.line((*at, key)))

    def _measure(self, item: Table, at: Path) -> Measure | None:
        from firsthit.measures import parse_measures

        name = self.text(item, at, "measure")
        if name is None:
            return None
        try:
            return parse_measures([name])[0]
        except FirsthitError as error:
            self.problem(error.message.partition("\n")[0], (*at, "measure"))
            return None


def _written(path: Path) -> str:
    return ".".join(map(str, path))
