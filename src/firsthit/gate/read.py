"""Reading a gate's file: every unknown, unreadable or contradictory rule is reported at once, by line."""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.content import check_text
from firsthit.gate.contradictions import contradictions
from firsthit.gate.lines import Path, key_lines
from firsthit.gate.rules import ON, Gate, Kind, On, Rule
from firsthit.gate.tables import Reader

__all__ = ["read_gate"]

_HINT = "docs/gate.md lists the rules and their keys."


def read_gate(path: str | os.PathLike[str]) -> Gate:
    """The gate in `path`: the table [gate] of a TOML file, [tool.firsthit.gate] of a pyproject.toml.

    Anything that is not understood, and rules that contradict each other, are problems of one InputError.
    Files of groups are named relative to the gate's file.
    """
    name = os.fspath(path)
    text = _text(name)
    content = _parsed(text, name)
    at: Path = ("tool", "firsthit", "gate") if os.path.basename(name) == "pyproject.toml" else ("gate",)
    table = _table(content, at, name)
    reader = Reader(key_lines(text))
    if len(at) == 1:
        reader.unknown(content, (), ("gate",))
    gate = _gate(reader, table, at, name)
    problems = [*reader.problems, *contradictions(gate.rules)]
    if not problems and len(gate.rules) == 1:
        problems = [Problem("holds no rule that could fail", reader.line(at))]
    if problems:
        problems.sort(key=lambda problem: problem.line)
        raise InputError(name, problems[:20], len(problems), hint=_HINT)
    return gate


def _text(name: str) -> str:
    blocks = Blocks(name)
    check_text(blocks.head, name)
    data = blocks.whole()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(name, [Problem("is not UTF-8", line)], hint="TOML is UTF-8.") from None


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"^(.*) \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        what, line = (found[1], int(found[2] or 0)) if found else (str(error), 0)
        problem = Problem(f"is not TOML: {what[:1].lower()}{what[1:]}", line or text.count("\n") + 1)
        raise InputError(name, [problem], hint=_HINT) from None


def _table(content: dict[str, Any], at: Path, name: str) -> dict[str, Any]:
    found: Any = content
    for key in at:
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise InputError(name, [Problem(f"has no table [{'.'.join(map(str, at))}]")], hint=_HINT)
    return found


_KEYS = (
    "baseline", "critical", "drop", "floor", "groups", "inconclusive", "max_absent", "max_stale",
    "max_unjudged", "min_queries", "on",
)  # fmt: skip
_CRITICAL_KEYS = ("groups", "keep_rank_1", "keep_top")


def _gate(reader: Reader, table: dict[str, Any], at: Path, name: str) -> Gate:
    reader.unknown(table, at, _KEYS)
    critical = reader.table(table, at, "critical")
    reader.unknown(critical, (*at, "critical"), _CRITICAL_KEYS)
    min_queries = reader.count(table, at, "min_queries") or 30
    rules = [
        Rule("min_queries", min_queries, line=reader.lines.get((*at, "min_queries"), 0)),
        *_differences(reader, table, at),
        *_critical_queries(reader, critical, (*at, "critical")),
        *_shares(reader, table, at),
    ]
    folder = os.path.dirname(name)
    return Gate(
        source=name,
        rules=tuple(sorted(rules, key=lambda rule: rule.line)),
        min_queries=min_queries,
        inconclusive=reader.choice(table, at, "inconclusive", ("pass", "fail")),
        groups=tuple(_in_folder(spec, folder) for spec in reader.texts(table, at, "groups")),
        critical=tuple(reader.texts(critical, (*at, "critical"), "groups")),
        baseline=reader.text(table, at, "baseline"),
    )


def _in_folder(spec: str, folder: str) -> str:
    """A file of groups is named relative to the gate's file; a column alone stays as it is."""
    return os.path.join(folder, spec) if ":" in spec or os.path.exists(os.path.join(folder, spec)) else spec


def _differences(reader: Reader, table: dict[str, Any], at: Path) -> list[Rule]:
    """The floors and the largest allowed drops."""
    on: On = reader.choice(table, at, "on", ON) or "interval"
    rules = [
        reader.limit_rule("floor", "min", item, path) for item, path in reader.tables(table, at, "floor")
    ]
    rules += [
        reader.limit_rule("max_drop", "max", item, path, on)
        for item, path in reader.tables(table, at, "drop")
    ]
    return [rule for rule in rules if rule is not None]


def _critical_queries(reader: Reader, critical: dict[str, Any], at: Path) -> list[Rule]:
    """The exact rules about single queries."""
    rules = []
    if reader.truth(critical, at, "keep_rank_1"):
        rules.append(Rule("keep_rank_1", 1, critical=True, line=reader.line((*at, "keep_rank_1"))))
    top = reader.count(critical, at, "keep_top")
    if top:
        rules.append(Rule("keep_top", top, critical=True, line=reader.line((*at, "keep_top"))))
    if top == 1 and critical.get("keep_rank_1") is False:
        what = "keep_top = 1 contradicts keep_rank_1 = false"
        reader.problem(what, (*at, "keep_top"), other=(*at, "keep_rank_1"))
    return rules


_SHARES: tuple[Kind, ...] = ("max_unjudged", "max_absent", "max_stale")


def _shares(reader: Reader, table: dict[str, Any], at: Path) -> list[Rule]:
    rules = []
    for kind in _SHARES:
        share = reader.number(table, at, kind, 0.0, 1.0)
        if share is not None:
            rules.append(Rule(kind, share, line=reader.line((*at, kind))))
    return rules
