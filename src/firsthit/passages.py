"""The texts of documents, for those who judge them."""

from __future__ import annotations

import csv
import os
from collections.abc import Collection, Iterator, Mapping
from typing import NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.content import check_text
from firsthit.formats.header import split_header
from firsthit.formats.names import KNOWN, folded
from firsthit.ids import Ids

__all__ = ["Passages", "holds_texts", "texts_of"]

_TEXT = tuple(map(folded, ("text", "contents", "content", "body", "passage_text", "segment")))
_DOC = tuple(map(folded, KNOWN["labels"]["doc"]))

Row = Mapping[str, object]


class Passages(msgspec.Struct, frozen=True, eq=False):
    """What is known of each passage, one row each; a doc_id stands once.

    A text is "" and a number -1 where it is not known; a column is None where no row has it. `start` and
    `end` count Unicode code points of the source's text, `end` excluded. `line` is where a row was read.
    """

    doc_ids: Ids
    source: Ids | None = None
    start: NDArray[np.int64] | None = None
    end: NDArray[np.int64] | None = None
    text: Ids | None = None
    tokens: NDArray[np.int64] | None = None
    line: NDArray[np.int64] | None = None
    name: str = "passages"

    def __len__(self) -> int:
        return len(self.doc_ids)


def texts_of(path: str | os.PathLike[str], wanted: Collection[str]) -> dict[str, str]:
    r"""The texts of the wanted documents in a JSON Lines, CSV or TSV file; a title goes before its text.

    The file may be a corpus, or a run whose rows carry texts: of a document that stands there several times
    the first text counts. InputError where a row names no document or has no text.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+", suffix=".csv") as file:
    ...     _ = file.write("doc_id,text\na,One.\nb,Two.\n")
    ...     file.flush()
    ...     texts_of(file.name, {"b"})
    {'b': 'Two.'}
    """
    blocks = Blocks(path)
    check_text(blocks.head, blocks.name)
    found: dict[str, str] = {}
    for number, row in _rows(blocks):
        doc_id, text = _first(row, _DOC), _first(row, _TEXT)
        if doc_id is None or text is None:
            hint = "Texts are read from JSON Lines, CSV or TSV with the columns doc_id and text."
            what = f"has no {'doc_id' if doc_id is None else 'text'}"
            raise InputError(blocks.name, [Problem(what, number)], hint=hint)
        if str(doc_id) in wanted:
            title = row.get("title")
            found.setdefault(str(doc_id), f"{title}\n{text}" if title else str(text))
    return found


def holds_texts(path: str | os.PathLike[str]) -> bool:
    """Whether the first row of a file has a text."""
    _, row = next(_rows(Blocks(path)), (0, {}))
    return _first(row, _TEXT) is not None


def _first(row: Row, names: Collection[str]) -> object | None:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _rows(blocks: Blocks) -> Iterator[tuple[int, Row]]:
    """The rows with their lines; keys are folded."""
    jsonl = blocks.head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return _json_rows(blocks) if jsonl else _delimited_rows(blocks)


def _json_rows(blocks: Blocks) -> Iterator[tuple[int, Row]]:
    decode = msgspec.json.Decoder(dict[str, object]).decode
    for number, line in _lines(blocks):
        if line.strip():
            try:
                row = decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                _refuse(blocks, number, "is no JSON object")
            yield number, {folded(key): value for key, value in row.items()}


def _delimited_rows(blocks: Blocks) -> Iterator[tuple[int, Row]]:
    texts = (line.decode("utf-8", "replace") for _, line in _lines(blocks))
    heading = next(texts, "")
    delimiter = "\t" if "\t" in heading else ","
    names = list(map(folded, split_header(heading.rstrip("\r\n"), delimiter)))
    if delimiter == "\t":
        reader = csv.reader(texts, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(texts)
    for fields in reader:
        if fields:
            yield reader.line_num + 1, dict(zip(names, fields, strict=False))


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
