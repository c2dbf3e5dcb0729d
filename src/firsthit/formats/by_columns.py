"""Recognition of files without a header, by the number of columns of their first lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from firsthit.errors import InputError, Problem
from firsthit.formats.model import Format, Role
from firsthit.formats.trec import columns_format

__all__ = ["by_columns"]

_NUMBER = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
_INTEGER = r"[+-]?\d+"
_SAMPLE = 500
_VALID: dict[Role, dict[int, str]] = {
    "labels": {4: "trec"},
    "run": {6: "trec", 5: "trec-no-tag", 3: "msmarco"},
}


def by_columns(lines: Sequence[str], role: Role, source: str) -> Format:
    """The format of lines without a header; InputError where their columns are no label file or run."""
    data = [line for line in lines[:_SAMPLE] if not line.startswith("#")] or list(lines[:_SAMPLE])
    tabbed = _tabbed(data, role)
    if tabbed:
        return columns_format(role, tabbed, tabs=True)
    rows = [line.split() for line in data]
    count = _usual_count(rows, role)
    rows = [row for row in rows if min(len(row), 6) == count]
    _refuse_other_role(rows, count, role, source)
    name = _VALID[role].get(count)
    if name is None or (name == "msmarco" and not _all(rows, 2, _INTEGER)):
        raise _unknown(rows, count, role, source, data)
    exact = count if all(_single_tabs(line, count) for line in data) else 0
    return columns_format(role, name, exact=exact)


def _usual_count(rows: Sequence[Sequence[str]], role: Role) -> int:
    """The most frequent number of columns, of equally frequent ones a known one; 6 is 6 or more."""
    counts = Counter(min(len(row), 6) for row in rows)
    return max(counts, key=lambda count: (counts[count], count in _VALID[role], count))


def _tabbed(data: Sequence[str], role: Role) -> str | None:
    """The format's name where single tabs separate columns and blanks stand inside them."""
    split = [line.split("\t") for line in data]
    widths = {len(fields) for fields in split}
    name = _VALID[role].get(min(widths))
    if len(widths) > 1 or name is None or name == "msmarco":
        return None
    inner = any(" " in field.strip() for fields in split for field in fields[:5])
    return name if inner else None


def _single_tabs(line: str, count: int) -> bool:
    return " " not in line and line.count("\t") == count - 1


def _all(rows: Sequence[Sequence[str]], column: int, pattern: str) -> bool:
    return all(re.fullmatch(pattern, row[column]) for row in rows)


def _refuse_other_role(rows: Sequence[Sequence[str]], count: int, role: Role, source: str) -> None:
    """A run given as the labels, or labels as the run."""
    if role == "labels" and count >= 5 and _mostly_numbers(rows, 4) and _mostly_numbers(rows, 3):
        what = (
            f"has {_written(rows)} columns with a rank and a score: this looks like a run, not a label file"
        )
    elif role == "run" and count == 4 and _all(rows, 3, _NUMBER):
        what = "has 4 columns and a grade in the last: this looks like a label file, not a run"
    else:
        return
    hint = "The labels come first, then the runs: firsthit eval QRELS RUN..."
    raise InputError(source, [Problem(what)], hint=hint)


def _mostly_numbers(rows: Sequence[Sequence[str]], column: int) -> bool:
    return sum(bool(re.fullmatch(_NUMBER, row[column])) for row in rows) * 2 > len(rows)


def _written(rows: Sequence[Sequence[str]]) -> str:
    widths = sorted({len(row) for row in rows})
    return f"{widths[0]}" if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"


_HEADERS = "or give the file a header that names the columns (CSV, TSV)"


def _unknown(
    rows: Sequence[Sequence[str]], count: int, role: Role, source: str, data: Sequence[str]
) -> InputError:
    title = "label file" if role == "labels" else "run"
    delimited = _delimited(data)
    found = delimited or ("1 column" if count == 1 else f"{_written(rows)} columns")
    what = f"is not recognised as a {title}: {found} and no header that names query_id and doc_id"
    hint = _hint(count, role)
    if delimited:
        example = "grade" if role == "labels" else "score"
        hint = f"Write a header that names the columns, such as query_id, doc_id, {example}."
    return InputError(source, [Problem(what, 0, data[0][:80])], hint=hint)


def _delimited(data: Sequence[str]) -> str:
    """The columns of a file whose first lines hold equally many tabs or commas, as words."""
    for delimiter, name in (("\t", "tabs"), (",", "commas"), (";", "semicolons")):
        counts = {line.count(delimiter) + 1 for line in data[:20]}
        if (
            len(counts) == 1
            and (count := counts.pop()) > 1
            and (name != "tabs" or any(" " in line for line in data))
        ):
            return f"{count} columns separated by {name}"
    return ""


def _hint(count: int, role: Role) -> str:
    if role == "labels":
        return _LABEL_HINTS.get(
            count, f"TREC label files have 4 columns: query, iteration, document, grade; {_HEADERS}."
        )
    return _RUN_HINTS.get(
        count, f"TREC runs have 6 columns: query, Q0, document, rank, score, tag; {_HEADERS}."
    )


_LABEL_HINTS = {
    3: "Say what the columns are: --qrels-format triples reads query, document, grade; a file of query, "
    f"document, rank is an MS MARCO run and no label file; {_HEADERS}.",
    2: f"Say what the columns are: --qrels-format pairs reads query, relevant document; {_HEADERS}.",
}
_RUN_HINTS = {
    3: "A run of 3 columns is query, document, rank (MS MARCO) and ranks are whole numbers; where the third "
    "column is a score, give the file a header: query_id, doc_id, score.",
    2: "Name the columns in a header (query_id, doc_id; the order of the lines then ranks).",
}
