"""Columns that put queries into groups, from files or from the fields of the queries table."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence

import msgspec

from firsthit.errors import InputError, Problem, UsageError
from firsthit.files.blocks import Blocks
from firsthit.formats.query_records import Record, records_of

__all__ = ["NO_VALUE", "Column", "read_groups"]

NO_VALUE = "(no value)"
"""The group of the queries whose field is empty."""

_SHOWN = 20


class Column(msgspec.Struct, frozen=True):
    """One value a query, in the order of the queries; `source` says where they stand."""

    name: str
    values: tuple[str, ...]
    source: str = ""


Known = Mapping[str, Sequence[str | None]]


def read_groups(spec: str, query_ids: Sequence[str], known: Known | None = None) -> tuple[Column, ...]:
    """The columns that `spec` names, one value for each of `query_ids`.

    `FILE:COLUMN`, `FILE:COLUMN,COLUMN` or `FILE` (every column) reads CSV, TSV, JSON Lines or a queries file;
    `COLUMN` alone is one of `known`: the fields of the queries table that an evaluation was made with. A file
    may hold more queries, but none may be missing, and none may have two values. Queries whose field is empty
    form the group "(no value)".

    >>> read_groups("topic", ["q1", "q2"], {"topic": ["tax", None]})[0].values
    ('tax', '(no value)')
    """
    known = known or {}
    if spec in known:
        return (_known_column(spec, known),)
    path, names = _file_and_names(spec)
    if path is None:
        if names and set(names) <= set(known):
            return tuple(_known_column(name, known) for name in names)
        raise _not_found(spec, known)
    return _file_columns(path, names, query_ids)


def _known_column(name: str, known: Known) -> Column:
    return Column(name, tuple(value or NO_VALUE for value in known[name]), "the queries table")


def _file_and_names(spec: str) -> tuple[str | None, list[str]]:
    """The path (None: no file is meant) and the columns asked for (none: all)."""
    if os.path.exists(spec):
        return spec, []
    path, colon, names = spec.rpartition(":")
    if colon and path:
        return path, [name.strip() for name in names.split(",") if name.strip()]
    return None, [name.strip() for name in spec.split(",") if name.strip()]


def _not_found(spec: str, known: Known) -> UsageError:
    there = f"the queries table has the columns {', '.join(known)}" if known else "no queries table was given"
    return UsageError(
        f"groups {spec!r}: neither FILE:COLUMN nor a column that is known; {there}",
        hint="Write FILE:COLUMN, for example queries.csv:topic.",
    )


def _file_columns(path: str, names: Sequence[str], query_ids: Sequence[str]) -> tuple[Column, ...]:
    blocks = Blocks(path)
    records, _ = records_of(blocks)
    _refuse([problem for record in records for problem in record.problems], blocks.name)
    names = names or list(dict.fromkeys(name for record in records for name in record.groups))
    _refuse_unknown(names, records, blocks.name)
    _refuse(_two_values(records, names), blocks.name, "Each query belongs to one group of a column.")
    _refuse_missing(records, query_ids, blocks.name)
    row = {record.query_id: record for record in records}
    return tuple(
        Column(name, tuple(_value(row[query_id], name) for query_id in query_ids), blocks.name)
        for name in names
    )


def _value(record: Record, name: str) -> str:
    """The field, with the two facts of a queries table as "true" and "false"."""
    if name in record.groups:
        return record.groups[name]
    facts = {"critical": record.critical, "answerable": record.answerable}
    return str(facts[name]).lower() if name in facts else NO_VALUE


def _refuse(problems: Sequence[Problem], source: str, hint: str = "") -> None:
    if problems:
        ordered = sorted(problems, key=lambda problem: problem.line)
        raise InputError(source, ordered[:_SHOWN], len(problems), hint=hint)


def _refuse_unknown(names: Sequence[str], records: Sequence[Record], source: str) -> None:
    there = list(dict.fromkeys(name for record in records for name in record.groups))
    lists = {name for record in records for name in record.left_out}
    wrong = [
        Problem(f"column {name!r} holds lists or objects, not one value a query")
        if name in lists
        else Problem(f"no column {name!r}{_nearest(name, there)}")
        for name in names
        if name in lists or name not in {*there, "critical", "answerable"}
    ]
    columns = (
        f"The columns are {', '.join(there)}." if there else "It has no column beside query_id and text."
    )
    if not names:
        wrong = [Problem("no column that could be a group")]
    _refuse(wrong, source, columns)


def _nearest(name: str, there: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, there, 1)
    return f"; nearest: {near[0]}" if near else ""


def _two_values(records: Sequence[Record], names: Sequence[str]) -> list[Problem]:
    """Queries that stand twice with different values in a column that is asked for."""
    first: dict[str, Record] = {}
    found: list[Problem] = []
    for record in records:
        earlier = first.setdefault(record.query_id, record)
        for name in names:
            one, two = _value(earlier, name), _value(record, name)
            if one != two:
                what = f"{name} of query {record.query_id!r} is {two!r}, and {one!r} before"
                found.append(Problem(what, record.line, "", earlier.line))
    return found


def _refuse_missing(records: Sequence[Record], query_ids: Sequence[str], source: str) -> None:
    there = {record.query_id for record in records}
    missing = [query_id for query_id in query_ids if query_id not in there]
    if not missing:
        return
    hint = "Give every query a row; an empty field is a group of its own."
    if len(missing) == len(query_ids):
        hint = f"None of the compared queries is in it: its first is {records[0].query_id!r}."
    problems = [Problem(f"lacks query {query_id!r}") for query_id in missing[:_SHOWN]]
    raise InputError(source, problems, len(missing), hint=hint)
