"""Carried labels as bytes: TREC labels stay TREC labels, anything else becomes JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from firsthit.labels.carry import Carried, Move
from firsthit.labels.rows import LabelFile, LabelRow

__all__ = ["label_blocks", "lost_blocks"]

BATCH = 10_000


def label_blocks(file: LabelFile, carried: Carried) -> Iterator[bytes]:
    """The carried labels in the order of the file, each with all columns that it had."""
    trec = file.format.name.startswith("trec") and all(row.doc_id for row in carried.rows)
    return _batches([_trec(row) if trec else _json(row.written()) for row in carried.rows])


def lost_blocks(carried: Carried) -> Iterator[bytes]:
    """What was not carried, as JSON Lines: the label, what became of it, why, and the nearest passages."""
    return _batches([_json(_lost(move)) for move in carried.not_carried])


def _lost(move: Move) -> dict[str, Any]:
    """The label as it stood; its keys come first, so that it can be corrected and added to the others."""
    found = {"status": move.status, "why": move.why, "nearest": move.candidates}
    return move.row.written() | {"line": move.row.line} | found


def _json(row: dict[str, Any]) -> bytes:
    return msgspec.json.encode(row) + b"\n"


def _trec(row: LabelRow) -> bytes:
    grade = row.record.get("grade", row.grade)
    second = row.record.get("iter", "0")
    separator = "\t" if " " in row.doc_id or " " in row.query_id else " "
    return f"{separator.join((row.query_id, str(second), row.doc_id, f'{grade}'))}\n".encode()


def _batches(lines: Sequence[bytes]) -> Iterator[bytes]:
    remaining = iter(lines)
    while batch := list(islice(remaining, BATCH)):
        yield b"".join(batch)
