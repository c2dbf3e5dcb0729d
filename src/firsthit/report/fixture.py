"""What a reader takes away from a query: a fixture for a test, and the command that judges its documents."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.record.record import Record

__all__ = ["fixture", "judge_command"]

USUAL_MEASURE = "RR@10"


def fixture(comparison: Comparison, i: int) -> str:
    """One query as JSON that `evaluate(fixture["labels"], fixture["old"])` takes: labels and both rankings.

    The labels are those that the evaluations kept: of ranked documents, and of all relevant ones.
    """
    query_id = comparison.query_ids[i]
    sides = (
        (comparison.record_old, int(comparison.rows_old[i])),
        (comparison.record_new, int(comparison.rows_new[i])),
    )
    grades: dict[str, float] = {}
    for record, row in sides:
        grades |= _grades(record, row)
    found: dict[str, Any] = {
        "query_id": query_id,
        "text": (comparison.query_text or {}).get(query_id),
        "measure": comparison.measure,
        "labels": {query_id: grades},
    }
    for name, (record, row) in zip(("old", "new"), sides, strict=True):
        found[name] = {query_id: list(record.detail.ranked.group(row))}
    return msgspec.json.encode({key: value for key, value in found.items() if value is not None}).decode()


def _grades(record: Record, row: int) -> dict[str, float]:
    ranked, relevant = record.detail.ranked.group(row), record.detail.relevant.group(row)
    return relevant | {doc_id: grade for doc_id, grade in ranked.items() if not math.isnan(grade)}


def judge_command(comparison: Comparison) -> str:
    """The command that lists the documents to judge; a query's id completes it."""
    labels = comparison.card_new.labels.file or "QRELS"
    runs = [
        card.run.file or name for card, name in ((comparison.card_old, "OLD"), (comparison.card_new, "NEW"))
    ]
    measure = [] if comparison.measure == USUAL_MEASURE else ["-m", comparison.measure]
    return shlex.join(["firsthit", "judge", "next", labels, *runs, *measure, "--query="])
