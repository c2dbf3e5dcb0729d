"""The queries table: text, groups, and what is known about each query beyond its labels."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.query_records import Record, records_of

__all__ = ["Queries", "read_queries"]


class Queries(msgspec.Struct, frozen=True):
    """One row a query, in the order of the file.

    `groups` maps a column to each query's value, None where it has none. `critical` queries are named when
    they get worse; queries that are not `answerable` have no right answer in the collection and are in no
    mean; `needs` are the names of a query's evidence needs, `answers` the texts of which any answers it.
    `left_out` lists columns of objects or lists.
    """

    query_id: tuple[str, ...]
    text: tuple[str | None, ...]
    groups: dict[str, tuple[str | None, ...]]
    critical: tuple[bool, ...]
    answerable: tuple[bool, ...]
    needs: tuple[tuple[str, ...], ...]
    name: str = "queries"
    format: str = ""
    left_out: tuple[str, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()  # one a query, or none at all

    def __len__(self) -> int:
        return len(self.query_id)

    def take(self, places: Sequence[int]) -> Queries:
        """The rows at these places, in this order."""
        return msgspec.structs.replace(
            self,
            query_id=tuple(self.query_id[i] for i in places),
            text=tuple(self.text[i] for i in places),
            groups={name: tuple(column[i] for i in places) for name, column in self.groups.items()},
            critical=tuple(self.critical[i] for i in places),
            answerable=tuple(self.answerable[i] for i in places),
            needs=tuple(self.needs[i] for i in places),
        )


def read_queries(path: str | os.PathLike[str], *, name: str | None = None) -> Queries:
    """The queries of a JSON Lines, JSON, TSV or CSV file; InputError with the first 20 problems.

    The columns are `query_id`, `text`, `critical`, `answerable`, `needs`, `answers` and `groups` (an object
    in JSON); any other column is a group. A TSV file without header holds query_id and text, a file without
    tabs one query_id a line.
    """
    blocks = Blocks(path)
    records, format = records_of(blocks)
    problems = _problems(records)
    if problems:
        hint = "Each query stands once, with a query_id; critical and answerable are true or false."
        raise InputError(blocks.name, problems[:20], len(problems), hint=hint)
    columns = list(dict.fromkeys(column for record in records for column in record.groups))
    return Queries(
        query_id=tuple(record.query_id for record in records),
        text=tuple(record.text for record in records),
        groups={column: tuple(record.groups.get(column) for record in records) for column in columns},
        critical=tuple(record.critical for record in records),
        answerable=tuple(record.answerable for record in records),
        needs=tuple(record.needs for record in records),
        name=name or os.path.basename(blocks.path),
        format=format,
        left_out=tuple(dict.fromkeys(column for record in records for column in record.left_out)),
        answers=tuple(record.answers for record in records) if any(r.answers for r in records) else (),
    )


def _problems(records: Sequence[Record]) -> list[Problem]:
    """Everything wrong with single records, and queries that stand twice."""
    found = [problem for record in records for problem in record.problems]
    first: dict[str, Record] = {}
    for record in records:
        earlier = first.setdefault(record.query_id, record)
        if earlier is not record and record.query_id:
            two = record.text and earlier.text and record.text != earlier.text
            what = f"the query stands twice{', with two texts' if two else ''}"
            found.append(Problem(what, record.line, record.query_id, earlier.line))
    return sorted(found, key=lambda problem: problem.line)
