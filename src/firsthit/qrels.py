"""Label rows: which document was judged how for which query."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import InputError, Problem
from firsthit.evidence import Evidence, item_keys
from firsthit.files.blocks import Blocks, printable
from firsthit.formats.label_keys import one_row_a_key
from firsthit.formats.label_rows import LabelRows, rows_of_file, rows_of_object
from firsthit.ids import Ids
from firsthit.rules import Rules

if TYPE_CHECKING:
    from firsthit.queries import Queries

__all__ = ["Qrels", "read_qrels"]

DEFAULT_RULES = Rules()


class Qrels(msgspec.Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Labels, one row a (query, doc, need); a row's number is its identity.

    `query_ids` holds the queries in order of first appearance; `query[row]` is an index into it.
    Rows whose key stood twice with equal grades are already collapsed; grades are finite floats. A row with a
    doc_id is a label of that document, and its evidence says where it stands; a row without one ("") is about
    a source, a span of it or a quote, and is about a document only once it is resolved.

    >>> qrels = read_qrels({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}})
    >>> len(qrels), qrels.query_ids[1], qrels.grade.tolist()
    (3, 'q2', [1.0, 0.0, 2.0])
    """

    query_ids: Ids
    query: NDArray[np.int32]
    doc_ids: Ids
    grade: NDArray[np.float64]
    line: NDArray[np.int64]
    index: _core.Labels  # over these rows
    name: str = "labels"
    path: str = ""
    format: str = ""
    need: tuple[str, ...] | None = None  # one a row, when needs are read
    evidence: Evidence | None = None  # what the labels point at beyond doc_id; then a doc_id may be ""
    required: Mapping[int, tuple[str, ...]] = {}  # query number -> the needs that a queries file requires
    original: Qrels | None = None  # of resolved labels: the labels as given, and for each row here
    origin: NDArray[np.int64] | None = None  # the row there that it stands for
    collapsed: int = 0  # rows dropped because the same key and grade stood before
    overridden: int = 0  # rows dropped by conflicts = last or max
    blank_lines: int = 0
    comment_lines: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.grade)

    @cached_property
    def first_row(self) -> NDArray[np.int64]:
        """For each row the first row of the same query about the same document, source, span or quote."""
        first = self.index.first_row
        first.flags.writeable = False
        return first

    @cached_property
    def documents(self) -> bool:
        """Whether each (query, doc) stands once: no document is labelled for several needs."""
        return bool(np.array_equal(self.first_row, np.arange(len(self))))

    @cached_property
    def by_doc_id(self) -> bool:
        """Whether every row names a document, so that runs can be matched by ids alone."""
        return bool(np.all(np.diff(self.doc_ids.offsets) > 0))

    @property
    def has_needs(self) -> bool:
        """Whether labels or a queries table say which need of a query a document serves."""
        return bool(self.required) or any(self.need or ())

    def with_queries(self, ids: Ids | list[str]) -> Qrels:
        """These labels and the queries of a population: those without a label are numbered after the others.

        >>> list(read_qrels({"q1": {"a": 1}}).with_queries(["q0", "q1"]).query_ids)
        ['q1', 'q0']
        """
        extra = ids if isinstance(ids, Ids) else Ids.of(ids)
        keys = item_keys(self.doc_ids, self.evidence)
        texts = (self.query_ids.subset(self.query), keys, extra)
        index = _core.Labels(*((text.data, text.offsets) for text in texts))
        return msgspec.structs.replace(self, query_ids=Ids(*index.query_ids), index=index)

    def with_needs(self, queries: Queries) -> Qrels:
        """These labels with the needs that a queries table requires of each query.

        Where it declares needs of a query, a label of another need is an InputError; one without a need, or
        of a query that declares none, is fine.
        """
        number = {query_id: i for i, query_id in enumerate(self.query_ids)}
        declared = zip(queries.query_id, queries.needs, strict=True)
        required = {number[query_id]: needs for query_id, needs in declared if needs and query_id in number}
        self._refuse_undeclared(required, queries.name)
        return msgspec.structs.replace(self, required=required)

    def rows(self, chosen: NDArray[np.int64], doc_ids: Ids, grade: NDArray[np.float64]) -> Qrels:
        """The labels at these row numbers, with these documents and grades; the queries keep their numbers.

        A row without a document keeps its own key.

        >>> two = read_qrels({"q1": {"a": 1}, "q2": {"b": 2}})
        >>> one = two.rows(np.array([1]), Ids.of(["B"]), np.array([2.0]))
        >>> list(one.query_ids), one.query.tolist(), list(one.doc_ids)
        (['q1', 'q2'], [1], ['B'])
        """
        query, line = self.query[chosen], self.line[chosen]
        evidence = self.evidence and self.evidence.subset(chosen)
        texts = (self.query_ids.subset(query), item_keys(doc_ids, evidence), self.query_ids)
        for array in (query, grade, line):
            array.flags.writeable = False
        return msgspec.structs.replace(
            self,
            query=query,
            doc_ids=doc_ids,
            grade=grade,
            line=line,
            index=_core.Labels(*((text.data, text.offsets) for text in texts)),
            need=None if self.need is None else tuple(self.need[row] for row in chosen.tolist()),
            evidence=evidence,
        )

    def _refuse_undeclared(self, required: Mapping[int, tuple[str, ...]], table: str) -> None:
        if self.need is None or not required:
            return
        wrong = [
            row
            for row, (query, need) in enumerate(zip(self.query.tolist(), self.need, strict=True))
            if need and query in required and need not in required[query]
        ]
        if wrong:
            problems = [self._undeclared(row, required) for row in wrong[:20]]
            hint = f"Correct the label, or name the need in `needs` of that query in {table}."
            raise InputError(self.path or self.name, problems, len(wrong), hint=hint)

    def _undeclared(self, row: int, required: Mapping[int, tuple[str, ...]]) -> Problem:
        query, need = int(self.query[row]), "" if self.need is None else self.need[row]
        what = f"query {self.query_ids[query]!r} declares no need {need!r}, only {', '.join(required[query])}"
        return Problem(what, int(self.line[row]))

    def graded(self, rules: Rules) -> Qrels:
        """These labels with the grades that `rules` make effective; then a grade below 0 means unjudged.

        >>> read_qrels({"q1": {"a": 1.7, "b": -1}}).graded(Rules(grades="truncate")).grade.tolist()
        [1.0, -1.0]
        """
        grade = np.trunc(self.grade) if rules.grades == "truncate" else self.grade
        if rules.relevant == "listed":
            grade = np.ones(len(self))
        if rules.negative == "nonrelevant":
            grade = np.maximum(grade, 0.0)
        if grade is self.grade:
            return self
        grade.flags.writeable = False
        return msgspec.structs.replace(self, grade=grade)


def read_qrels(
    source: Any, *, format: str | None = None, rules: Rules = DEFAULT_RULES, name: str | None = None
) -> Qrels:
    """The labels of a path ("-": standard input), a mapping {query: {doc: grade}}, or an Arrow table.

    `rules` decide about conflicting grades, needs and comment lines. InputError where anything is wrong.

    >>> read_qrels({"q1": ["a", "b"]}).grade.tolist()
    [1.0, 1.0]
    """
    if isinstance(source, Qrels):
        return source
    if not isinstance(source, str | os.PathLike):
        title = name or "labels"
        return _qrels(one_row_a_key(rows_of_object(source, title), rules), rules, title, "")
    blocks = Blocks(source)
    path = printable(blocks.path)
    unnamed = path == "-" or path.startswith("/dev/")
    title = name or ("labels" if unnamed else os.path.basename(path))
    rows, _ = rows_of_file(blocks, format, rules)
    return _qrels(one_row_a_key(rows, rules), rules, title, path)


def _qrels(rows: LabelRows, rules: Rules, name: str, path: str) -> Qrels:
    query = rows.index.query_of_row
    for array in (query, rows.grade, rows.line):
        array.flags.writeable = False
    ignored = rows.iter is not None and rules.needs != "iter" and _ignored(rows.iter, rows.format)
    return Qrels(
        query_ids=Ids(*rows.index.query_ids),
        query=query,
        doc_ids=rows.doc,
        grade=rows.grade,
        line=rows.line,
        index=rows.index,
        name=name,
        path=path,
        format=rows.format,
        need=None if rows.need is None else tuple(rows.need),
        evidence=rows.evidence,
        collapsed=rows.collapsed,
        overridden=rows.overridden,
        blank_lines=rows.blank_lines,
        comment_lines=rows.comment_lines,
        notes=(ignored,) if ignored else (),
    )


def _ignored(need: Ids, format: str) -> str:
    """What to say about needs that are not read: nothing where a TREC file's second column never varies."""
    row = _other_row(need)
    if not format.startswith("trec"):
        named = sorted({need[0], need[row]} - {""})
        such = f"(such as {', '.join(named)})"
        what = f"the labels' column iter {such} is left aside; --needs iter reads needs from it"
        return what if named else ""
    values = f"{need[0]!r} and {need[row]!r}"
    return f"the labels' second column has several values, such as {values}: it was ignored" if row else ""


def _other_row(need: Ids) -> int:
    """The first row whose need differs from the first one's; 0 where none does."""
    lengths = np.diff(need.offsets)
    other = np.flatnonzero(lengths != lengths[0])
    if not len(other):
        rows = need.data[need.offsets[0] :].reshape(len(need), -1)
        other = np.flatnonzero((rows != rows[0]).any(axis=1))
    return int(other[0]) if len(other) else 0
