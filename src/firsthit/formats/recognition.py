"""Which format an input has: decided from its beginning, or named; never guessed in silence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from firsthit.errors import InputError, Problem, UsageError
from firsthit.files.blocks import Blocks
from firsthit.formats.by_columns import by_columns
from firsthit.formats.content import PARQUET, check_text
from firsthit.formats.header import DELIMITERS, header_format, split_header
from firsthit.formats.json_document import dpr_format, mapping_format
from firsthit.formats.json_lines import json_lines_format
from firsthit.formats.model import Format, Role
from firsthit.formats.names import POINTING, needed, roles_of
from firsthit.formats.parquet import parquet_format
from firsthit.formats.trec import BY_COLUMNS, columns_format

__all__ = ["format_names", "recognise"]


def format_names(role: Role) -> tuple[str, ...]:
    """The names that `--qrels-format` and `--run-format` take.

    >>> format_names("labels")
    ('trec', 'trec-tab', 'triples', 'pairs', 'beir', 'csv', 'tsv', 'jsonl', 'json', 'parquet')
    """
    plain = [name for of, name in BY_COLUMNS if of == role]
    others = (
        ("beir", "csv", "tsv", "jsonl", "json")
        if role == "labels"
        else ("csv", "tsv", "jsonl", "json", "dpr")
    )
    return (plain[0], "trec-tab", *plain[1:], *others, "parquet")


def recognise(blocks: Blocks, role: Role, name: str | None = None, *, comments: bool = False) -> Format:
    """The format of an input in `role`; `name` says it, else the content does."""
    if name is not None and name not in format_names(role):
        option = "--qrels-format" if role == "labels" else "--run-format"
        raise UsageError(
            f"There is no format {name!r} for {option}.", hint=f"Formats: {', '.join(format_names(role))}"
        )
    if name == "parquet" or (name is None and blocks.head.startswith(PARQUET)):
        return parquet_format(blocks, role)
    check_text(blocks.head, blocks.name)
    head = _Head(blocks, role, comments)
    if not head.lines:
        return columns_format(role, "trec")
    return _named(head, name) if name else _by_content(head)


LONG = "begins with a JSON record of more than 64 MiB"
LONGEST = 1 << 26


class _Head:
    """The beginning of an input as text: `lines` without blank ones and without one that is cut."""

    def __init__(self, blocks: Blocks, role: Role, comments: bool) -> None:
        self.source, self.role = blocks.name, role
        self.text = blocks.head.decode("utf-8", "replace").removeprefix("\ufeff")
        physical = [line.removesuffix("\r") for line in self.text.split("\n")]
        self.cut = not blocks.all_in_head and len(physical) == 1
        if self.cut and self._starts_record() and (line := blocks.first_line(LONGEST)) is not None:
            physical, self.cut = [line.decode("utf-8-sig", "replace").rstrip("\r\n"), ""], False
        if not blocks.all_in_head and not self.cut:
            physical.pop()
        kept = [(number, line) for number, line in enumerate(physical) if line.strip(" \t\v\f")]
        self.lines = [line for _, line in kept]
        first = (number for number, line in kept if not (comments and line.startswith("#")))
        self.first_number = next(first, 0)
        self.first = physical[self.first_number] if self.lines else ""

    def _starts_record(self) -> bool:
        """Whether the text begins as a record of JSON Lines, and not as a document."""
        return self.text.lstrip().startswith("{") and not re.match(_NESTED, self.text)


def _by_content(head: _Head) -> Format:
    start = head.first.lstrip()[:1]
    if start in ("{", "["):
        return _json(head)
    found = _by_header(head)
    return found or by_columns(head.lines, head.role, head.source)


def _named(head: _Head, name: str) -> Format:
    if name in ("csv", "tsv", "beir"):
        delimiters = "\t" if name != "csv" else ",;"
        found = _by_header(head, delimiters)
        if found is None:
            raise _bad_header(head, re.split(f"[{delimiters}]", head.first))
        return found
    simple: dict[str, Callable[[], Format]] = {
        "json": lambda: mapping_format(head.role),
        "jsonl": lambda: _json_lines(head, _object(head.first)),
        "dpr": dpr_format,
        "trec-tab": lambda: columns_format(head.role, "trec", tabs=True),
    }
    return simple[name]() if name in simple else columns_format(head.role, name)


def _by_header(head: _Head, delimiters: str = "".join(DELIMITERS)) -> Format | None:
    """The format of a file whose first line names columns; None where it names none."""
    for delimiter in delimiters:
        names = split_header(head.first, delimiter)
        found = roles_of(names, head.role)
        if len(names) < 2 or any(_is_number(name) for name in names):
            continue
        pointing = POINTING if head.role == "labels" else ("doc",)
        if "query" in found and set(pointing) & set(found):
            return _checked_header(head, names, delimiter)
        if {"query", "doc"} & set(found):
            raise _bad_header(head, names)
    return None


def _checked_header(head: _Head, names: list[str], delimiter: str) -> Format:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        problem = Problem("the header names a column twice", head.first_number + 1, ", ".join(twice))
        raise InputError(head.source, [problem], hint="Give each column its own name.")
    _check_roles(head, names, delimiter)
    return header_format(names, delimiter, head.first_number + 1, head.role)


def _check_roles(head: _Head, names: list[str], delimiter: str = "") -> None:
    """That the columns serve the role: labels have a grade, a run is no label file."""
    found = set(roles_of(names, head.role))
    other = roles_of(names, "run" if head.role == "labels" else "labels")
    beir = delimiter == "\t" and [name.lower() for name in names] == ["query-id", "corpus-id", "score"]
    if head.role == "run" and ((not found & {"score", "rank"} and "grade" in other) or beir):
        what = "names a grade and no rank: this looks like a label file, not a run"
        if beir:
            what = "has the header of BEIR labels: this looks like a label file, not a run"
    elif head.role == "labels" and "rank" in other and not _has_grade(names):
        what = "names a rank and no grade: this looks like a run, not a label file"
    elif needed(head.role, found):
        raise _bad_header(head, names)
    else:
        return
    hint = "The labels come first, then the runs: firsthit eval QRELS RUN..."
    hint += "; the columns of a run are named query_id, doc_id, score." if beir else ""
    raise InputError(head.source, [Problem(what)], hint=hint)


def _has_grade(names: list[str]) -> bool:
    at = roles_of(names, "labels").get("grade")
    return at is not None and names[at].strip().lower() != "score"


def _bad_header(head: _Head, names: list[str]) -> InputError:
    found = roles_of(names, head.role)
    lack = needed(head.role, found) or "a header that names the columns is needed"
    line = head.first_number + 1
    hint = f"The names found are: {', '.join(name.strip() for name in names)[:200]}. Rename the columns."
    return InputError(head.source, [Problem(f"the first line has {lack}", line)], hint=hint)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_DPR = r'"(ctxs|contexts)"\s*:\s*\['
_NESTED = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[\[{]'


def _json(head: _Head) -> Format:
    """JSON Lines where the first line is an object that names a query; else one JSON document."""
    record = _object(head.first)
    nested = record is not None and _is_mapping(record) and len(head.lines) == 1
    if record is not None and not nested:
        return _json_lines(head, record)
    if re.search(_DPR, head.text):
        if head.role == "run":
            return dpr_format()
        hint = "It holds what was retrieved; give it as the run."
        raise InputError(head.source, [Problem("is a DPR result: a run, not a label file")], hint=hint)
    if nested or (head.text.lstrip().startswith("{") and (re.match(_NESTED, head.text) or not head.cut)):
        return mapping_format(head.role)
    what = LONG if head.cut else "is a JSON list"
    raise InputError(
        head.source, [Problem(what)], hint="Write JSON Lines: one object a line, ids and number first."
    )


def _is_mapping(record: dict[str, Any]) -> bool:
    return all(isinstance(value, dict | list) for value in record.values())


def _object(line: str) -> dict[str, Any] | None:
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _json_lines(head: _Head, record: dict[str, Any] | None) -> Format:
    if record is None:
        what = LONG if head.cut else "is no JSON object"
        problem = Problem(what, 0 if head.cut else head.first_number + 1, head.first[:80])
        raise InputError(head.source, [problem], hint="JSON Lines hold one object a line.")
    _check_roles(head, list(record))
    return json_lines_format(record, head.role)
