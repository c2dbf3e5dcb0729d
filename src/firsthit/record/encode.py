"""The lines of a saved evaluation, from columns to JSON; the native core writes the text.

The words and the order of the keys are those of `record.QueryLine`, which reads them back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.files.ahead import ahead
from firsthit.ids import Ids
from firsthit.population import MISS, STATUSES

if TYPE_CHECKING:
    from firsthit.record.detail import Ragged
    from firsthit.record.record import Record

__all__ = ["encode_lines"]

ROWS = 8192
"""How many queries become text at a time: memory stays small beside that of the evaluation."""

Field = tuple[str, tuple[Any, ...]]


def encode_lines(record: Record) -> Iterator[bytes]:
    """The lines of all queries, in blocks of whole lines."""
    count = len(record.query_ids)
    lines = _core.JsonLines(list(_fields(record)), "}\n", count)
    yield from ahead(lambda start: lines.text(start, min(start + ROWS, count)), range(0, count, ROWS))


def _fields(record: Record) -> Iterator[Field]:
    detail = record.detail
    yield '{"query_id":', _texts(record.query_ids)
    yield ',"status":', _statuses(record)
    yield ',"first_rank":', ("integers", record.first_rank)
    yield ',"retrieved":', ("integers", record.retrieved)
    before = ',"values":{'
    for name, values in record.values.items():
        yield f"{before}{_json(name)}:", ("numbers", values)
        before = ","
    yield '},"ranked":', _lists(detail.ranked)
    yield ',"grades":', ("number lists", detail.ranked.offsets, detail.ranked.number)
    relevant = detail.relevant
    yield ',"relevant":', ("text numbers", *_lists(relevant)[1:], relevant.number)
    yield ',"judged":', ("counts", detail.grades.tolist(), detail.judged.ravel())
    yield ',"labels":', _texts(detail.labels)
    if detail.evidence is None:
        yield "", ("optional texts", ',"first":{"doc_id":', "}", detail.first.data, detail.first.offsets)
    optional = (detail.evidence, detail.needs, detail.tokens_to_first, detail.critical)
    if detail.groups or any(column is not None for column in optional):
        extras = Ids.of(_extra(record, i) for i in range(len(record.query_ids)))
        yield "", ("raw", extras.data, extras.offsets)


def _texts(ids: Ids) -> tuple[Any, ...]:
    return "texts", ids.data, ids.offsets


def _lists(groups: Ragged) -> tuple[Any, ...]:
    return "text lists", groups.offsets, groups.ids.data, groups.ids.offsets


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _statuses(record: Record) -> tuple[Any, ...]:
    """Hit and miss are of the cut-off measure; the record says found or none, whatever the cutoff."""
    words = [_json(word) for word in (*STATUSES, "found", "none")]
    found: NDArray[np.int64] = np.where(record.first_rank > 0, len(STATUSES), len(STATUSES) + 1)
    return "choices", words, np.where(record.codes > MISS, record.codes, found).astype(np.int64)


def _extra(record: Record, i: int) -> str:
    """The keys that only evidence, needs, tokens or a queries table give."""
    detail = record.detail
    found: dict[str, Any] = {}
    if detail.evidence is not None:
        deep = {"doc_id": detail.first[i]} if detail.first[i] else None
        if first := detail.evidence[i] or deep:
            found["first"] = first
    if detail.needs is not None:
        found["needs"] = detail.needs[i]
    if detail.tokens_to_first is not None and detail.tokens_to_first[i] is not None:
        found["tokens_to_first"] = detail.tokens_to_first[i]
    if detail.groups:
        found["groups"] = {name: column[i] for name, column in detail.groups.items()}
    if detail.critical is not None:
        found["critical"] = detail.critical[i]
    return "," + _json(found)[1:-1] if found else ""
