"""Questions with their answers, from JSON Lines, TSV or CSV, a DPR result, or a queries file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.content import check_text
from firsthit.formats.header import split_header
from firsthit.formats.json_document import read_json
from firsthit.formats.names import folded
from firsthit.formats.passage_rows import rows_of
from firsthit.formats.query_records import answers_of

__all__ = ["Asked", "answer_records"]

HINT = (
    'Answers are read from JSON Lines {"query_id" or "question", "answers": [...]}, from lines '
    "question<TAB>['one', 'other'], from a DPR result, or from a queries file with answers."
)

_QUERY = ("queryid", "qid", "topicid", "questionid", "id", "question", "query")
_ANSWERS = ("answers", "answer")


class Asked(msgspec.Struct, frozen=True):
    """One question and the texts of which any answers it; `line` is 0 in a document read whole."""

    line: int
    query_id: str
    answers: tuple[str, ...]


def answer_records(blocks: Blocks) -> tuple[list[Asked], str]:
    """All questions of a file, and its format; InputError with the first 20 that cannot be used."""
    check_text(blocks.head, blocks.name)
    rows, format = _rows(blocks)
    asked, problems = [], []
    first: dict[str, int] = {}
    for number, (line, row) in enumerate(rows, 1):
        one = Asked(line, _text(row, _QUERY), answers_of(_unquoted(_value(row, _ANSWERS))))
        wrong = _wrong(one, row)
        if wrong:
            problems.append(
                Problem(wrong if line else f"question {number:,} {wrong}", line, one.query_id[:80])
            )
        elif one.query_id in first:
            problems.append(
                Problem("the question stands twice", line, one.query_id[:80], first[one.query_id])
            )
        elif one.answers:
            asked.append(one)
        first.setdefault(one.query_id, line)
    if not asked and not problems:
        problems.append(Problem("holds no answers: it is empty"))
    if problems:
        raise InputError(blocks.name, problems[:20], len(problems), hint=HINT)
    return asked, format


def _wrong(one: Asked, row: Mapping[str, Any]) -> str:
    if not one.query_id:
        return "has no query_id and no question"
    if not one.answers and str(row.get("answerable", "")).lower() not in ("false", "no", "0"):
        return "has no answers"
    return ""


def _rows(blocks: Blocks) -> tuple[Iterator[tuple[int, Mapping[str, Any]]], str]:
    start = blocks.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        return _document(read_json(blocks), blocks.name), "json"
    first = start.split(b"\n", 1)[0]
    if start.startswith(b"{"):
        if _is_record(first):
            return rows_of(blocks), "jsonl"
        return _document(read_json(blocks), blocks.name), "json"
    names = _header(first)
    if names:
        return rows_of(blocks, header=True), "tsv" if b"\t" in first else "csv"
    return _pairs(blocks), "tsv"


def _is_record(line: bytes) -> bool:
    """Whether a line is an object about a question, whatever it lacks: then the file is JSON Lines."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool({folded(key) for key in found} & {*_ANSWERS, *_QUERY})


def _header(line: bytes) -> bool:
    """Whether a line names columns, one of which holds answers."""
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    names = set(map(folded, split_header(text, "\t" if "\t" in text else ",")))
    return bool(names & set(_ANSWERS)) and bool(names & set(_QUERY))


def _document(found: Any, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """A list of objects, or {query_id: object}."""
    items = found.items() if isinstance(found, dict) else ((None, item) for item in found)
    for number, (key, item) in enumerate(items, 1):
        if not isinstance(item, dict):
            raise InputError(name, [Problem(f"question {number:,} is no JSON object")], hint=HINT)
        row = {folded(name): value for name, value in item.items()}
        yield 0, row if key is None else {**row, "queryid": key}


def _pairs(blocks: Blocks) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Lines `question<TAB>answers`."""
    text = blocks.whole().decode("utf-8-sig", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.removesuffix("\r").split("\t")
        if line.strip() and len(fields) != 2:
            raise InputError(
                blocks.name, [Problem("is not recognised as answers", number, line[:80])], hint=HINT
            )
        if line.strip():
            yield number, {"question": fields[0].strip(), "answers": fields[1].strip()}


def _unquoted(value: Any) -> Any:
    """A list in a quoted field of TSV, as CSV writers make it: the doubled quotes are single ones again."""
    if isinstance(value, str) and value.startswith('"[') and value.endswith(']"'):
        return value[1:-1].replace('""', '"')
    return value


def _value(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _text(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    value = _value(row, names)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
