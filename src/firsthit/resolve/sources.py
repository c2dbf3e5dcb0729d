"""Which source each passage was cut from: from a file, the run, a passages file, or the passage's id."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem, UsageError
from firsthit.files.blocks import Blocks
from firsthit.formats.passage_rows import given, rows_of
from firsthit.ids import Ids
from firsthit.passages import Passages, read_passages
from firsthit.resolve.quotes import lengths, normalised

__all__ = ["Collection", "Sources", "read_sources"]

HINT = "A sources file has the columns doc_id and source (JSON Lines, CSV, TSV), one line a passage."
CONTRADICTION = "Both speak of the same passage: correct one of them, or leave one out."


class Sources(msgspec.Struct, frozen=True, eq=False):
    """The source of each passage, as a file says; `line` is where."""

    source: Mapping[str, str]
    line: Mapping[str, int]
    name: str = "sources"


def read_sources(path: str | os.PathLike[str]) -> Sources:
    r"""The sources of a JSON Lines, CSV or TSV file with the columns doc_id and source.

    InputError where a passage has two sources, with both lines.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+", suffix=".tsv") as file:
    ...     _ = file.write("doc_id\tsource\nd-1\td\n")
    ...     file.flush()
    ...     read_sources(file.name).source
    {'d-1': 'd'}
    """
    blocks = Blocks(path)
    source: dict[str, str] = {}
    lines: dict[str, int] = {}
    problems = []
    for line, row in rows_of(blocks):
        doc_id, its = (str(given(row, role) or "") for role in ("doc", "source"))
        if not doc_id or not its:
            problems.append(Problem(f"has no {'source' if doc_id else 'doc_id'}", line, doc_id))
        elif source.setdefault(doc_id, its) != its:
            what = f"the passage {doc_id!r} has the source {its!r}, and {source[doc_id]!r} before"
            problems.append(Problem(what, line, other_line=lines[doc_id]))
        lines.setdefault(doc_id, line)
    if not source and not problems:
        what = "it is empty" if blocks.all_in_head and not blocks.head.strip() else "no line below its header"
        problems.append(Problem(f"holds no sources: {what}"))
    if problems:
        raise InputError(blocks.name, problems[:20], len(problems), hint=HINT)
    return Sources(source, lines, os.path.basename(blocks.path))


class Collection(msgspec.Struct, frozen=True, eq=False, dict=True):
    """What is known of passages beside the run: `passages` and `sources` from files, and the `separator`.

    The source of a passage is what the sources file, the run, the passages file or the separator says, in
    this order; where two of them say different ones, that is an InputError. An id without the separator is
    its own source.
    """

    passages: Passages | None = None
    sources: Sources | None = None
    separator: str | None = None

    @classmethod
    def of(
        cls,
        passages: Passages | str | os.PathLike[str] | None = None,
        sources: Sources | str | os.PathLike[str] | None = None,
        separator: str | None = None,
    ) -> Collection:
        """The collection of these files, or of what was read from them."""
        if separator is not None and not separator:
            hint = "For ids such as doc1#3 it is '#'."
            raise UsageError("the source separator is empty", hint=hint)
        held = passages if passages is None or isinstance(passages, Passages) else read_passages(passages)
        mapped = sources if sources is None or isinstance(sources, Sources) else read_sources(sources)
        return cls(held, mapped, separator)

    def __bool__(self) -> bool:
        return not (self.passages is None and self.sources is None and self.separator is None)

    def filled(self, run: Passages) -> Passages:
        """The passages of a run with what is known beside it; the columns that it has itself must agree.

        >>> one = Collection.of(separator="#").filled(Passages(Ids.of(["d#x#2", "e"])))
        >>> list(one.source)
        ['d#x', 'e']
        """
        if not self:
            return run
        columns = {} if run is self.passages else self._columns(run)
        notes = (*run.notes, *self._notes(run))
        return msgspec.structs.replace(run, source=self._sources(run), notes=notes, **columns)

    def _notes(self, run: Passages) -> Iterator[str]:
        """A separator that cuts nothing is most often a mistake: every passage would be its own source."""
        if self.separator and len(run) and not any(map(self._cut, run.doc_ids)):
            yield f"the source separator {self.separator!r} stands in none of the doc_ids of {run.name}"

    def voices(self, run: Passages) -> str:
        """Where the sources of a run's passages come from, in words."""
        named = [
            self.sources.name if self.sources else "",
            "the run" if run.source is not None else "",
            self.passages.name if self._held and self.passages else "",
            f"the separator {self.separator!r}" if self.separator else "",
        ]
        return ", ".join(name for name in named if name)

    def source_of(self, doc_ids: Iterable[str], known: Mapping[str, str]) -> list[str]:
        """The source of each document, also of one that no run holds; its own id where nothing says.

        `known` holds what the run says.
        """
        mapped, held = self._mapped, self._held
        return [
            mapped.get(one) or known.get(one) or held.get(one) or self._cut(one) or one for one in doc_ids
        ]

    @property
    def _mapped(self) -> Mapping[str, str]:
        return self.sources.source if self.sources else {}

    @cached_property
    def _held(self) -> Mapping[str, str]:
        """The sources that the passages file says."""
        passages = self.passages
        if passages is None or passages.source is None:
            return {}
        return {one: source for one, source in zip(passages.doc_ids, passages.source, strict=True) if source}

    def _cut(self, doc_id: str) -> str:
        """The id before the last separator, "" where it has none."""
        return doc_id.rpartition(self.separator)[0] if self.separator else ""

    def _sources(self, run: Passages) -> Ids | None:
        ids = list(run.doc_ids)
        of_run = list(run.source) if run.source is not None else [""] * len(ids)
        found, problems = [], []
        for doc_id, said in zip(ids, of_run, strict=True):
            voices = {"sources": self._mapped.get(doc_id), "run": said, "passages": self._held.get(doc_id)}
            voices["separator"] = self._cut(doc_id)
            heard = {who: source for who, source in voices.items() if source}
            if len(set(heard.values())) > 1:
                problems.append(Problem(self._contradiction(doc_id, heard, run)))
            found.append(next(iter(heard.values()), doc_id if self.separator else ""))
        if problems:
            raise InputError(run.name, problems[:20], len(problems), hint=CONTRADICTION)
        return Ids.of(found) if any(found) else None

    def _contradiction(self, doc_id: str, heard: Mapping[str, str], run: Passages) -> str:
        (who, source), *others = heard.items()
        other, differing = next((name, theirs) for name, theirs in others if theirs != source)
        return (
            f"the passage {doc_id!r} has the source {source!r} by {self._voice(who, doc_id, run)}, and "
            f"{differing!r} by {self._voice(other, doc_id, run)}"
        )

    def _voice(self, who: str, doc_id: str, run: Passages) -> str:
        """Who says it, with the line where it is one of a file."""
        if who == "sources" and self.sources:
            return f"{self.sources.name} (line {self.sources.line[doc_id]:,})"
        if who == "passages" and self.passages:
            return self.passages.name
        return f"the separator {self.separator!r}" if who == "separator" else run.name

    def _columns(self, run: Passages) -> dict[str, object]:
        """Spans, texts and tokens: the run's own, else those of the passages file."""
        if self.passages is None:
            return {}
        row = {doc_id: i for i, doc_id in enumerate(self.passages.doc_ids)}
        held = np.array([row.get(doc_id, -1) for doc_id in run.doc_ids], np.int64)
        found: dict[str, object] = {}
        for name in ("start", "end", "tokens"):
            theirs = getattr(self.passages, name)
            if theirs is not None:
                found[name] = self._numbers(run, name, np.where(held >= 0, theirs[held], -1))
        if self.passages.text is not None:
            texts = _taken(self.passages.text, held)
            found["text"] = texts if run.text is None else self._texts(run, run.text, texts)
        return found

    def _texts(self, run: Passages, ours: Ids, theirs: Ids) -> Ids:
        """The run's own texts, else the file's; one may be part of the other, but not say something else."""
        both = np.flatnonzero((lengths(ours) > 0) & (lengths(theirs) > 0))
        other = [row for row in both.tolist() if ours.raw(row) != theirs.raw(row)]
        pairs = ((row, normalised(ours[row]), normalised(theirs[row])) for row in other)
        rows = [row for row, one, two in pairs if one not in two and two not in one]
        if rows:
            where = self.passages.name if self.passages else ""
            ids = run.doc_ids.take(rows[:20])
            problems = [Problem(f"the passage {doc_id!r} has another text in {where}") for doc_id in ids]
            raise InputError(run.name, problems, len(rows), hint=CONTRADICTION)
        return _first_given(ours, theirs)

    def _numbers(self, run: Passages, name: str, theirs: NDArray[np.int64]) -> NDArray[np.int64]:
        ours = getattr(run, name)
        if ours is not None:
            differing = np.flatnonzero((ours >= 0) & (theirs >= 0) & (ours != theirs))
            if len(differing):
                where = self.passages.name if self.passages else ""
                problems = [
                    Problem(
                        f"the passage {run.doc_ids[row]!r} has {name} {ours[row]:,}, "
                        f"and {theirs[row]:,} in {where}"
                    )
                    for row in differing[:20].tolist()
                ]
                raise InputError(run.name, problems, len(differing), hint=CONTRADICTION)
            theirs = np.where(ours >= 0, ours, theirs)
        theirs.flags.writeable = False
        return theirs


def _taken(column: Ids | None, rows: NDArray[np.int64]) -> Ids:
    """The texts at these rows, "" at -1."""
    empty = Ids(np.zeros(0, np.uint8), np.zeros(2, np.int64))
    if column is None:
        return Ids(np.zeros(0, np.uint8), np.zeros(len(rows) + 1, np.int64))
    whole = Ids.joined(column, empty)
    return whole.subset(np.where(rows < 0, len(column), rows))


def _first_given(first: Ids, second: Ids) -> Ids:
    """The first text of each row where it has one, else the second."""
    rows = np.arange(len(first))
    return Ids.joined(first, second).subset(np.where(np.diff(first.offsets) > 0, rows, len(rows) + rows))
