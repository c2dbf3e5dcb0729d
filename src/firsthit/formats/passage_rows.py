"""Rows of a file of passages, from JSON Lines, CSV, TSV, or the two columns of an MS MARCO collection."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NoReturn

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.content import check_text
from firsthit.formats.header import split_header
from firsthit.formats.names import KNOWN, PASSAGE, folded

__all__ = ["Row", "given", "rows_of"]

Row = Mapping[str, object]

_NAMES = {role: tuple(map(folded, KNOWN["run"][role])) for role in ("doc", *PASSAGE)} | {"title": ("title",)}
"""Role -> the folded names that a column may have; the first that is there counts."""


def rows_of(blocks: Blocks, *, header: bool = False) -> Iterator[tuple[int, Row]]:
    """The rows with their lines; keys are folded. Without `header` a file may hold `pid<TAB>text` only."""
    check_text(blocks.head, blocks.name)
    jsonl = blocks.head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return _json_rows(blocks) if jsonl else _delimited_rows(blocks, header)


def given(row: Row, role: str) -> object | None:
    """What a row has for a role; None where it has nothing or an empty text."""
    for name in _NAMES[role]:
        value = row.get(name)
        if value is not None and value != "":
            return value
    return None


_folded = lru_cache(maxsize=1024)(folded)


def _json_rows(blocks: Blocks) -> Iterator[tuple[int, Row]]:
    decode = msgspec.json.Decoder(dict[str, object]).decode
    for number, line in _lines(blocks):
        if line.strip():
            try:
                row = decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                _refuse(blocks, number, "is no JSON object")
            yield number, {_folded(key): value for key, value in row.items()}


def _delimited_rows(blocks: Blocks, header: bool) -> Iterator[tuple[int, Row]]:
    texts = (line.decode("utf-8", "replace") for _, line in _lines(blocks))
    heading = next(texts, "").rstrip("\r\n")
    delimiter = "\t" if "\t" in heading else ","
    names = list(map(folded, split_header(heading, delimiter)))
    if delimiter == "\t":
        reader = csv.reader(texts, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(texts)
    if not header and _is_collection(heading, names):
        names = ["docid", "text"]
        yield 1, dict(zip(names, heading.split("\t"), strict=True))
    for fields in reader:
        if fields:
            yield reader.line_num + 1, dict(zip(names, fields, strict=False))


def _is_collection(heading: str, names: list[str]) -> bool:
    """Whether the first line is no header but an MS MARCO passage: an id and a text."""
    known = {name for role in _NAMES.values() for name in role}
    return heading.count("\t") == 1 and not known & set(names)


def _lines(blocks: Blocks) -> Iterator[tuple[int, bytes]]:
    """The lines with their ends, a byte order mark removed."""
    number, rest = 0, b""
    for block in blocks.read():
        *whole, rest = (rest + bytes(block)).split(b"\n")
        for line in whole:
            number += 1
            yield number, (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line) + b"\n"
    if rest:
        yield number + 1, rest


def _refuse(blocks: Blocks, line: int, what: str) -> NoReturn:
    raise InputError(blocks.name, [Problem(what, line)], hint="JSON Lines hold one object a line.")
