"""Label rows from any source, and one row for each key: equal grades collapse, others follow the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats import Format, Loaded, column_names, recognise, table_format
from firsthit.formats.problems import input_error, reading
from firsthit.ids import Ids
from firsthit.rules import Rules

__all__ = ["LabelRows", "one_row_a_key", "rows_of_file", "rows_of_object"]


class LabelRows(msgspec.Struct, frozen=True, eq=False):
    """Rows as they stand in the source; `index` joins (query, doc).

    `records`: the source is no text, and `line` is the number of a record.
    """

    query: Ids
    doc: Ids
    need: Ids | None
    grade: NDArray[np.float64]
    line: NDArray[np.int64]
    index: _core.Labels
    source: str
    format: str
    blank_lines: int = 0
    comment_lines: int = 0
    records: bool = False
    collapsed: int = 0
    overridden: int = 0

    def keep(self, rows: NDArray[np.int64]) -> LabelRows:
        """These rows only."""
        query, doc = self.query.subset(rows), self.doc.subset(rows)
        return msgspec.structs.replace(
            self,
            query=query,
            doc=doc,
            need=self.need and self.need.subset(rows),
            grade=self.grade[rows],
            line=self.line[rows],
            index=_core.Labels((query.data, query.offsets), (doc.data, doc.offsets)),
        )


def rows_of_file(blocks: Blocks, name: str | None, rules: Rules) -> LabelRows:
    """The rows of a file in the format `name`, or the one that its content shows."""
    comments = rules.comments == "skip"
    format = recognise(blocks, "labels", name, comments=comments)
    if format.load is not None:
        return _rows(_of_loaded(format.load(blocks), format, blocks.name), format, blocks.name, records=True)
    if format.lines is None:
        raise AssertionError(format)
    texts = [role for role in ("query", "doc", "need") if role in format.roles or format.lines.keys]
    table = _core.Table(
        format.lines.layout(comments=comments), texts, [r for r in ("grade",) if r in format.roles]
    )
    for block in blocks.read():
        table.feed(block)
    table.feed(b"", last=True)
    return _rows(table.finish(), format, blocks.name)


def rows_of_object(source: Any, name: str) -> LabelRows:
    """The rows of a mapping {query: {doc: grade}}, or of a table that exports Arrow."""
    if isinstance(source, Mapping):
        format = Format("mapping", "labels", frozenset(("query", "doc", "grade")))
        return _rows(_of_loaded(Loaded(source, format.roles), format, name), format, name, records=True)
    if not hasattr(source, "__arrow_c_stream__"):
        what = f"labels cannot be read from {type(source).__name__}"
        hint = "Give a path, a mapping {query: {doc: grade}}, or a table that has __arrow_c_stream__."
        raise InputError(name, [Problem(what)], hint=hint)
    format = table_format(column_names(source), "labels", name)
    return _rows(_of_loaded(Loaded(source, format.roles), format, name), format, name, records=True)


def _of_loaded(loaded: Loaded, format: Format, source: str) -> _core.TableResult:
    with reading(source, loaded.source, "grade"):
        if isinstance(loaded.source, Mapping):
            return _core.table_from_mapping(loaded.source)
        texts = {role: column for role, column in format.names.items() if role != "grade"}
        return _core.table_from_arrow(loaded.source, texts, {"grade": format.names["grade"]})


def _rows(result: _core.TableResult, format: Format, source: str, *, records: bool = False) -> LabelRows:
    if result["problem_count"]:
        raise input_error(
            source, result["problems"], result["problem_count"], format, number="grade", records=records
        )
    columns = result["columns"]
    if not len(result["line"]):
        hint = "Labels are needed: without them nothing can be measured."
        raise InputError(source, [Problem("holds no labels: it is empty")], hint=hint)
    grade = columns.get("grade")
    return LabelRows(
        query=Ids(*columns["query"]),
        doc=Ids(*columns["doc"]),
        need=_need(columns, format),
        grade=np.ones(len(result["line"])) if grade is None else grade,
        line=result["line"],
        index=_core.Labels(columns["query"], columns["doc"]),
        source=source,
        format=str(format),
        blank_lines=result["blank_lines"],
        comment_lines=result["comment_lines"],
        records=records,
    )


def _need(columns: dict[str, Any], format: Format) -> Ids | None:
    """The needs; a JSON record without one was read as its query_id, which stands for no need."""
    if "need" not in columns:
        return None
    need = Ids(*columns["need"])
    if format.lines is None or not format.lines.keys:
        return need
    query = Ids(*columns["query"])
    if need == query:
        return None
    texts = ["" if need.raw(row) == query.raw(row) else need[row] for row in range(len(need))]
    return Ids.of(texts)


def one_row_a_key(rows: LabelRows, rules: Rules) -> LabelRows:
    """One row for each (query, doc), or (query, doc, need) where needs are read."""
    document = rows.index.first_row
    if np.array_equal(document, np.arange(len(document))):
        return rows
    if rules.needs == "iter" and rows.need is not None:
        document = _first_with_need(document, rows.need)
    elif rows.need is not None:
        _refuse_needs(rows, document, rows.need)
    return _resolved(rows, document, rules)


def _first_with_need(document: NDArray[np.int64], need: Ids) -> NDArray[np.int64]:
    """For each row the first row of the same (query, doc, need)."""
    _, number = np.unique(np.array(list(need), object), return_inverse=True)
    key = document * (int(number.max()) + 1) + number
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    rows: NDArray[np.int64] = first[which]
    return rows


def _refuse_needs(rows: LabelRows, document: NDArray[np.int64], need: Ids) -> None:
    later = np.flatnonzero(document != np.arange(len(document)))
    differing = [row for row in later.tolist() if need.raw(row) != need.raw(int(document[row]))]
    if not differing:
        return
    problems = [
        _again(
            rows,
            f"{_key(rows, row)} stands for need {need[row]!r}, and for {need[int(document[row])]!r} before",
            row,
            int(document[row]),
        )
        for row in differing[:20]
    ]
    hint = (
        "--needs iter (in Python needs='iter') reads the second column (or the column need) as the need that "
        "the document serves."
    )
    raise InputError(rows.source, problems, len(differing), hint=hint)


def _resolved(rows: LabelRows, first: NDArray[np.int64], rules: Rules) -> LabelRows:
    """Rows whose key is `first`'s are one, in the first one's place; which grade stays is the rule's."""
    differ = rows.grade != rows.grade[first]
    if rules.conflicts == "error" and differ.any():
        _refuse_conflicts(rows, first, np.flatnonzero(differ))
    keys, which = np.unique(first, return_inverse=True)
    chosen = keys
    if differ.any():
        order = (
            np.arange(len(first))
            if rules.conflicts == "last"
            else np.lexsort((-np.arange(len(first)), rows.grade))
        )
        chosen = np.zeros(len(keys), np.int64)
        chosen[which[order]] = order
    conflicting = np.unique(first[differ])
    dropped = len(first) - len(keys)
    overridden = int(np.isin(first, conflicting).sum() - len(conflicting))
    kept = rows.keep(chosen)
    return msgspec.structs.replace(kept, collapsed=dropped - overridden, overridden=overridden)


def _refuse_conflicts(rows: LabelRows, first: NDArray[np.int64], found: NDArray[np.int64]) -> NoReturn:
    problems: Sequence[Problem] = [
        _again(
            rows,
            f"{_key(rows, row)} has grade {rows.grade[row]:g}, and {rows.grade[first[row]]:g} before",
            row,
            int(first[row]),
        )
        for row in found[:20].tolist()
    ]
    hint = (
        "Correct the labels, or choose: --conflicts last (in Python conflicts='last') keeps the later grade, "
        "max the higher one."
    )
    raise InputError(rows.source, problems, len(found), hint=hint)


def _again(rows: LabelRows, what: str, row: int, first: int) -> Problem:
    """What is wrong with a row for a document that stood before, each at its line or record."""
    line, other = int(rows.line[row]), int(rows.line[first])
    if rows.records:
        return Problem(f"record {line:,}: {what} (first in record {other:,})")
    return Problem(what, line, other_line=other)


def _key(rows: LabelRows, row: int) -> str:
    return f"document {rows.doc[row]!r} of query {rows.query[row]!r}"
