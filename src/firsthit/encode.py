"""The lines of a saved evaluation as JSON, built column by column.

A query's line is the concatenation of one token a field, and most fields have few distinct tokens, so
100,000 queries cost a few joins instead of as many encoder calls. The words and the order of the keys are
those of `record.QueryLine`, which reads them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.digest import is_plain, number_tokens, quoted
from firsthit.ids import Ids
from firsthit.population import MISS, STATUSES

if TYPE_CHECKING:
    from firsthit.detail import Ragged
    from firsthit.record import Record

__all__ = ["encode_lines"]

ROWS = 4096

_json = msgspec.json.Encoder().encode


def encode_lines(record: Record) -> Iterator[bytes]:
    """The lines of all queries, in blocks of whole lines."""
    values = np.column_stack([*record.values.values(), np.zeros(len(record.query_ids))])
    for start in range(0, len(record.query_ids), ROWS):
        yield _block(record, values, slice(start, min(start + ROWS, len(record.query_ids))))


def _block(record: Record, values: NDArray[np.float64], rows: slice) -> bytes:
    detail = record.detail
    found = record.first_rank[rows] > 0
    fields: list[tuple[bytes, list[bytes]]] = [
        (b'{"query_id":', quoted(_part(record.query_ids, rows.start, rows.stop))),
        (b',"status":', _statuses(record.codes[rows], found)),
        (b',"first_rank":', _integers(record.first_rank[rows])),
        (b',"retrieved":', _integers(record.retrieved[rows])),
        (b',"values":{', _values(tuple(record.values), values[rows])),
        (b'},"ranked":', _id_lists(detail.ranked, rows)),
        (b',"grades":[', _grade_lists(detail.ranked, rows)),
        (b'],"relevant":{', _id_numbers(detail.relevant, rows)),
        (b'},"judged":{', _judged(detail.grades, detail.judged[rows])),
        (b'},"labels":"', [digest.encode() for digest in detail.labels[rows]]),
        (b'"', _extras(record, rows)),
    ]
    return _rows(fields, rows.stop - rows.start, b"}\n")


def _rows(fields: list[tuple[bytes, list[bytes]]], count: int, end: bytes) -> bytes:
    width = 2 * len(fields) + 1
    pieces = [end] * (width * count)
    for i, (key, tokens) in enumerate(fields):
        pieces[2 * i :: width] = [key] * count
        pieces[2 * i + 1 :: width] = tokens
    return b"".join(pieces)


def _part(ids: Ids, start: int, end: int) -> Ids:
    offsets = ids.offsets[start : end + 1]
    return Ids(ids.data[offsets[0] : offsets[-1]], offsets - offsets[0])


def _statuses(codes: NDArray[np.int8], found: NDArray[np.bool_]) -> list[bytes]:
    """Hit and miss are of the cut-off measure; the record says found or none, whatever the cutoff."""
    words = [_json(word) for word in (*STATUSES, "found", "none")]
    which = np.where(codes > MISS, codes, np.where(found, len(STATUSES), len(STATUSES) + 1))
    return [words[i] for i in which.tolist()]


def _integers(numbers: NDArray[np.int64]) -> list[bytes]:
    return _json(numbers.tolist())[1:-1].split(b",")


def _values(names: Sequence[str], values: NDArray[np.float64]) -> list[bytes]:
    keys = [_json(name) for name in names]

    def token(raw: bytes) -> bytes:
        numbers = number_tokens(np.frombuffer(raw, np.float64)[: len(keys)])
        return b",".join(b"%b:%b" % pair for pair in zip(keys, numbers, strict=True))

    return _each_distinct(_cut(values, np.arange(len(values) + 1) * values.shape[1] * 8), token)


def _id_lists(groups: Ragged, rows: slice) -> list[bytes]:
    offsets = groups.offsets[rows.start : rows.stop + 1]
    ids = _part(groups.ids, int(offsets[0]), int(offsets[-1]))
    offsets = offsets - offsets[0]
    if not is_plain(ids.data):
        return _joined(quoted(ids), offsets, b"[%b]")
    text, ends = _separated(ids, b'","')
    bounds = ends[offsets].tolist()
    return [b'["%b"]' % text[a : b - 3] if b > a else b"[]" for a, b in pairwise(bounds)]


def _separated(ids: Ids, separator: bytes) -> tuple[bytes, NDArray[np.int64]]:
    """The ids in one text, each followed by the separator, and where each starts (and the last one ends)."""
    width = len(separator)
    starts = ids.offsets + width * np.arange(len(ids) + 1)
    text = np.empty(starts[-1], np.uint8)
    is_id = np.ones(len(text), bool)
    for i, byte in enumerate(separator):
        places = starts[1:] - width + i
        text[places] = byte
        is_id[places] = False
    text[is_id] = ids.data
    return text.tobytes(), starts


def _grade_lists(groups: Ragged, rows: slice) -> list[bytes]:
    offsets = groups.offsets[rows.start : rows.stop + 1]
    grades = groups.number[offsets[0] : offsets[-1]]

    def token(raw: bytes) -> bytes:
        return b",".join(number_tokens(np.frombuffer(raw, np.float64)))

    return _each_distinct(_cut(grades, (offsets - offsets[0]) * 8), token)


def _id_numbers(groups: Ragged, rows: slice) -> list[bytes]:
    offsets = groups.offsets[rows.start : rows.stop + 1]
    ids = quoted(_part(groups.ids, int(offsets[0]), int(offsets[-1])))
    numbers = number_tokens(groups.number[offsets[0] : offsets[-1]])
    pairs = [b"%b:%b" % pair for pair in zip(ids, numbers, strict=True)]
    return _joined(pairs, offsets - offsets[0], b"%b")


def _joined(tokens: list[bytes], offsets: NDArray[np.int64], shape: bytes) -> list[bytes]:
    bounds = offsets.tolist()
    return [shape % b",".join(tokens[a:b]) for a, b in pairwise(bounds)]


def _judged(grades: NDArray[np.float64], counts: NDArray[np.int64]) -> list[bytes]:
    keys = [b'"%b"' % token for token in number_tokens(grades)]

    def token(raw: bytes) -> bytes:
        found = zip(keys, np.frombuffer(raw, np.int64).tolist(), strict=True)
        return b",".join(b"%b:%d" % (key, count) for key, count in found if count)

    return _each_distinct(_cut(counts, np.arange(len(counts) + 1) * counts.shape[1] * 8), token)


def _cut(array: NDArray[Any], offsets: NDArray[np.int64]) -> list[bytes]:
    raw, bounds = array.tobytes(), offsets.tolist()
    return [raw[a:b] for a, b in pairwise(bounds)]


def _each_distinct(keys: list[bytes], token: Callable[[bytes], bytes]) -> list[bytes]:
    tokens = {key: token(key) for key in set(keys)}
    return [tokens[key] for key in keys]


def _extras(record: Record, rows: slice) -> list[bytes]:
    """The keys that only some queries have: first, needs, groups, critical."""
    detail = record.detail
    if not (detail.first or detail.needs or detail.groups or detail.critical):
        return [b""] * (rows.stop - rows.start)
    return [_extra(record, i) for i in range(rows.start, rows.stop)]


def _extra(record: Record, i: int) -> bytes:
    detail = record.detail
    found: dict[str, Any] = {}
    if i in detail.first:
        found["first"] = {"doc_id": detail.first[i]}
    if detail.needs is not None:
        found["needs"] = detail.needs[i]
    if detail.groups:
        found["groups"] = {name: column[i] for name, column in detail.groups.items()}
    if detail.critical is not None:
        found["critical"] = detail.critical[i]
    return b"," + _json(found)[1:-1] if found else b""
