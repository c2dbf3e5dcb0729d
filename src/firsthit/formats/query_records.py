"""Rows of a queries file, from JSON Lines, JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.content import check_text
from firsthit.formats.header import split_header
from firsthit.formats.json_document import read_json
from firsthit.formats.names import folded

__all__ = ["Record", "answers_of", "records_of"]

_NAMES = {
    "query_id": ("query_id", "qid", "topic_id", "q_id", "query_no", "question_id", "id", "topic"),
    "text": ("text", "query_text", "query", "question", "title"),
    "critical": ("critical",),
    "answerable": ("answerable",),
    "needs": ("needs",),
    "answers": ("answers",),
    "groups": ("groups",),
}
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


class Record(msgspec.Struct, frozen=True):
    """One row, and what is wrong with it."""

    line: int
    query_id: str
    text: str | None = None
    critical: bool = False
    answerable: bool = True
    needs: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    groups: dict[str, str] = {}
    left_out: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


Row = tuple[int, Mapping[str, Any]]


def records_of(blocks: Blocks) -> tuple[list[Record], str]:
    """All rows of a file, and its format."""
    check_text(blocks.head, blocks.name)
    rows, format = _rows(blocks)
    records = [_record(line, row) for line, row in rows]
    if not records:
        raise InputError(
            blocks.name, [Problem("holds no queries: it is empty")], hint="Write one query a line."
        )
    return records, format


def _rows(blocks: Blocks) -> tuple[list[Row], str]:
    start = blocks.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = start.split(b"\n", 1)[0]
    if start.startswith(b"[") or (start.startswith(b"{") and not _is_record(first)):
        return list(_document_rows(read_json(blocks), blocks.name)), "json"
    text = _decoded(blocks)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if start.startswith(b"{"):
        return list(_json_rows(lines, blocks.name)), "jsonl"
    return _delimited_rows(lines, blocks.name)


def _decoded(blocks: Blocks) -> str:
    data = blocks.whole()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "Convert the file to UTF-8, for example: iconv -f latin1 -t utf-8 FILE"
        raise InputError(blocks.name, [Problem("is not UTF-8", line)], hint=hint) from None


def _is_record(line: bytes) -> bool:
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "query_id" in _by_role(found)


def _json_rows(lines: Sequence[str], source: str) -> Iterator[Row]:
    import json

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            hint = "JSON Lines hold one object a line."
            raise InputError(source, [Problem("is no JSON object", number, line[:80])], hint=hint)
        yield number, found


def _document_rows(found: Any, source: str) -> Iterator[Row]:
    """A list of objects, or {query_id: text} or {query_id: object}."""
    if isinstance(found, dict):
        items = found.items()
        found = [{"query_id": key, **(v if isinstance(v, dict) else {"text": v})} for key, v in items]
    for number, item in enumerate(found, 1):
        if not isinstance(item, dict):
            hint = "A queries file in JSON is a list of objects or {query_id: text}."
            raise InputError(source, [Problem(f"item {number:,} is no JSON object")], hint=hint)
        yield number, item


def _delimited_rows(lines: Sequence[str], source: str) -> tuple[list[Row], str]:
    used = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not used:
        return [], ""
    for delimiter, name in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        names = split_header(used[0][1], delimiter)
        if "query_id" in _by_role(dict.fromkeys(names)) and (len(names) > 1 or delimiter == ","):
            return list(_named_rows(used[1:], names, delimiter, source)), name
    if all("\t" in line for _, line in used):
        return [
            (n, dict(zip(("query_id", "text"), line.split("\t", 1), strict=True))) for n, line in used
        ], "tsv"
    if not any(set(" \t,") & set(line.strip()) for _, line in used):
        return [(number, {"query_id": line.strip()}) for number, line in used], "ids"
    hint = (
        "Write a header that names query_id and the other columns (TSV, CSV), JSON Lines, query_id and text "
        "separated by a tab, or one query_id a line."
    )
    raise InputError(source, [Problem("is not recognised as a queries file", *_shown(used[0]))], hint=hint)


def _shown(line: tuple[int, str]) -> tuple[int, str]:
    return line[0], line[1][:80]


def _named_rows(
    lines: Sequence[tuple[int, str]], names: Sequence[str], delimiter: str, source: str
) -> Iterator[Row]:
    for number, line in lines:
        fields = line.split(delimiter) if delimiter == "\t" else _csv_fields(line, delimiter)
        if fields is None or len(fields) != len(names):
            what = f"{len(fields or ())} columns where the header has {len(names)}"
            raise InputError(
                source, [Problem(what, number, line[:80])], hint="A quoted field may not span lines."
            )
        yield number, dict(zip(names, fields, strict=True))


def _csv_fields(line: str, delimiter: str) -> list[str] | None:
    import csv

    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration):
        return None


def _by_role(row: Mapping[str, Any]) -> dict[str, str]:
    """Role -> the key that fills it."""
    at = {folded(key): key for key in reversed(list(row))}
    wanted = {role: [folded(name) for name in names] for role, names in _NAMES.items()}
    return {
        role: next(at[name] for name in names if name in at)
        for role, names in wanted.items()
        if any(name in at for name in names)
    }


def _record(line: int, row: Mapping[str, Any]) -> Record:
    keys = _by_role(row)
    given = {role: row[key] for role, key in keys.items()}
    facts = {role: _fact(given.get(role)) for role in ("critical", "answerable")}
    problems = [
        Problem(f"{role} is neither true nor false", line, str(given[role]))
        for role, fact in facts.items()
        if fact is None and _scalar(given.get(role)) is not None
    ]
    query_id = _scalar(given.get("query_id"))
    if not query_id:
        problems.append(Problem("has no query_id", line))
    if not _are_names(given.get("needs")):
        problems.append(Problem("needs is no list of names", line, str(given["needs"])[:80]))
    if not _is_unicode(row):
        problems.append(Problem("holds an escape that is no Unicode character", line))
    extra = _extra(row, keys, given.get("groups"))
    return Record(
        line=line,
        query_id=query_id or "",
        text=_scalar(given.get("text")),
        critical=facts["critical"] is True,
        answerable=facts["answerable"] is not False,
        needs=_needs(given.get("needs")),
        answers=answers_of(given.get("answers")),
        groups={key: text for key, value in extra.items() if (text := _scalar(value)) is not None},
        left_out=tuple(key for key, value in extra.items() if isinstance(value, dict | list)),
        problems=tuple(problems),
    )


def _is_unicode(value: Any) -> bool:
    r"""Whether all texts in a value can be written: JSON allows half of a pair, such as \ud800, alone."""
    if isinstance(value, str):
        return value.isascii() or value.encode("utf-8", "ignore").decode() == value
    parts = (
        (*value, *value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    )
    return all(_is_unicode(part) for part in parts)


def _extra(row: Mapping[str, Any], keys: Mapping[str, str], groups: Any) -> dict[str, Any]:
    """The columns that have no role, and the members of `groups`."""
    extra = {key: value for key, value in row.items() if key not in keys.values()}
    given = groups if isinstance(groups, dict) else {"groups": groups}
    return extra | {key: value for key, value in given.items() if value is not None}


def _fact(value: Any) -> bool | None:
    text = (_scalar(value) or "").strip().lower()
    return text in _TRUE if text in _TRUE or text in _FALSE else None


def _needs(value: Any) -> tuple[str, ...]:
    """A list, or in TSV and CSV names separated by semicolons."""
    parts = value if isinstance(value, list) else (_scalar(value) or "").split(";")
    return tuple(text for part in parts if (text := (_scalar(part) or "").strip()))


def _are_names(needs: Any) -> bool:
    return not any(isinstance(part, dict | list) for part in (needs if isinstance(needs, list) else [needs]))


def answers_of(value: Any) -> tuple[str, ...]:
    """A list; in TSV and CSV one text, or a list as JSON or Python writes it, as DPR's question files do.

    >>> answers_of("['14 December 1972', 'December 1972']")
    ('14 December 1972', 'December 1972')
    """
    text = _scalar(value) or ""
    parts = value if isinstance(value, list) else _listed(text) if text.startswith("[") else [text]
    return tuple(answer for part in parts if (answer := _scalar(part) or ""))


def _listed(text: str) -> list[Any]:
    import ast

    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        found = None
    return found if isinstance(found, list) else [text]


def _scalar(value: Any) -> str | None:
    """Text of a text, number or truth value; None for anything else and for empty text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str) and value else None
