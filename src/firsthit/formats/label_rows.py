"""Label rows from any source, as they stand in it; what they point at is checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import InputError, Problem
from firsthit.evidence import Evidence, item_keys
from firsthit.files.blocks import Blocks
from firsthit.formats import Format, Loaded, column_names, recognise, table_format
from firsthit.formats.label_evidence import evidence_of
from firsthit.formats.label_texts import refuse_two_texts
from firsthit.formats.problems import input_error, reading
from firsthit.ids import Ids
from firsthit.rules import Rules

__all__ = ["LabelRows", "rows_of_file", "rows_of_object"]

TEXTS = ("query", "doc", "need", "iter", "source", "quote", "kind", "assessor", "text")
NUMBERS = ("grade", "start", "end")
OPTIONAL = ("doc", "need", "iter", "source", "quote", "kind", "assessor", "text", "start", "end")
"""Roles that a row may lack where the format has names for columns."""


class LabelRows(msgspec.Struct, frozen=True, eq=False):
    """Rows as they stand in the source; `index` joins (query, what the label is about).

    `need` is a column of that name, `iter` the second column of TREC labels or a column called so; each is
    None where no row has one. `records`: the source is no text, and `line` is the number of a record.
    """

    query: Ids
    doc: Ids
    need: Ids | None
    grade: NDArray[np.float64]
    line: NDArray[np.int64]
    index: _core.Labels
    source: str
    format: str
    iter: Ids | None = None
    evidence: Evidence | None = None
    assessor: Ids | None = None
    blank_lines: int = 0
    comment_lines: int = 0
    records: bool = False
    collapsed: int = 0
    overridden: int = 0

    def keep(self, rows: NDArray[np.int64]) -> LabelRows:
        """These rows only."""
        query, doc = self.query.subset(rows), self.doc.subset(rows)
        evidence = self.evidence and self.evidence.subset(rows)
        return msgspec.structs.replace(
            self,
            query=query,
            doc=doc,
            need=self.need and self.need.subset(rows),
            iter=self.iter and self.iter.subset(rows),
            evidence=evidence,
            assessor=self.assessor and self.assessor.subset(rows),
            grade=self.grade[rows],
            line=self.line[rows],
            index=_index(query, doc, evidence),
        )


def _index(query: Ids, doc: Ids, evidence: Evidence | None) -> _core.Labels:
    keys = item_keys(doc, evidence)
    return _core.Labels((query.data, query.offsets), (keys.data, keys.offsets))


def rows_of_file(blocks: Blocks, name: str | None, rules: Rules) -> tuple[LabelRows, Format]:
    """The rows of a file in the format `name`, or the one that its content shows; and that format."""
    comments = rules.comments == "skip"
    format = recognise(blocks, "labels", name, comments=comments)
    if format.load is not None:
        result = _of_loaded(format.load(blocks), format, blocks.name)
        return _rows(result, format, blocks.name, records=True), format
    if format.lines is None:
        raise AssertionError(format)
    known = {*format.lines.keys} or format.roles
    table = _core.Table(
        format.lines.layout(comments=comments),
        [role for role in TEXTS if role in known],
        [role for role in NUMBERS if role in known and not _unread(role, format)],
        _optional(known) if _named(format) else [],
    )
    for block in blocks.read():
        table.feed(block)
    table.feed(b"", last=True)
    return _rows(table.finish(), format, blocks.name), format


def _named(format: Format) -> bool:
    """Whether columns have names: only then a row may point at something else than a document."""
    return format.lines is not None and (bool(format.lines.keys) or format.lines.header > 0)


def _optional(known: Collection[str]) -> list[str]:
    """The roles that a row may lack; a document only where there is something else to point at."""
    other = {"source", "quote"} & set(known)
    return [role for role in OPTIONAL if role in known and (role != "doc" or other)]


def _unread(role: str, format: Format) -> bool:
    return role == "grade" and "grade" not in format.roles


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
        texts = {role: column for role, column in format.names.items() if role in TEXTS}
        numbers = {role: column for role, column in format.names.items() if role in NUMBERS}
        return _core.table_from_arrow(loaded.source, texts, numbers, _optional(format.names))


def _rows(result: _core.TableResult, format: Format, source: str, *, records: bool = False) -> LabelRows:
    if count := result["problem_count"]:
        numbers = [role for role in NUMBERS if role in format.roles or role in format.names]
        number = " or ".join(filter(None, [", ".join(numbers[:-1]), *numbers[-1:]])) or "grade"
        raise input_error(source, result["problems"], count, format, number=number, records=records)
    columns, line = result["columns"], result["line"]
    if not len(line):
        hint = "Labels are needed: without them nothing can be measured."
        raise InputError(source, [Problem("holds no labels: it is empty")], hint=hint)
    texts = {role: Ids(*columns[role]) for role in TEXTS if role in columns}
    grade = columns.get("grade")
    query = texts["query"]
    doc = texts["doc"] if "doc" in texts else _none(len(line))
    if "text" in texts:
        refuse_two_texts(query, texts["text"], line, source, records=records)
    evidence = evidence_of(columns, doc, line, source, records=records)
    return LabelRows(
        query=query,
        doc=doc,
        need=_some(texts.get("need")),
        iter=_some(texts.get("iter")),
        evidence=evidence,
        assessor=_some(texts.get("assessor")),
        grade=np.ones(len(line)) if grade is None else grade,
        line=line,
        index=_index(query, doc, evidence),
        source=source,
        format=str(format),
        blank_lines=result["blank_lines"],
        comment_lines=result["comment_lines"],
        records=records,
    )


def _none(count: int) -> Ids:
    return Ids(np.zeros(0, np.uint8), np.zeros(count + 1, np.int64))


def _some(column: Ids | None) -> Ids | None:
    """A column, or None where all its texts are empty."""
    return column if column is not None and column.offsets[-1] > column.offsets[0] else None
