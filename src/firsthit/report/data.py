"""JSON and CSV: what programs read, in full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from firsthit.comparison.changes import CHANGES
from firsthit.report.words import answers_of

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.gate import GateResult

__all__ = ["csv_text", "json_text"]


def json_text(
    comparisons: Comparison | Sequence[Comparison], gate: GateResult | Sequence[GateResult] | None = None
) -> str:
    """{"comparisons": [...], "gate": [...]}: each comparison's data, and the results of the gate if any."""
    found = list(comparisons) if isinstance(comparisons, Sequence) else [comparisons]
    whole: dict[str, Any] = {"comparisons": [one.data() for one in found]}
    if gate is not None:
        results = list(gate) if isinstance(gate, Sequence) else [gate]
        whole["gate"] = [_gate(result) for result in results]
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _gate(result: GateResult) -> dict[str, Any]:
    rules = [
        {
            "rule": str(found.rule),
            "line": found.rule.line,
            "status": found.status,
            "text": found.text,
            "queries": list(found.queries),
            "details": list(found.details),
        }
        for found in result.rules
    ]
    return {
        "sentence": result.sentence,
        "exit_code": result.exit_code,
        "source": result.source,
        "rules": rules,
        "notices": list(result.notices),
    }


def csv_text(comparisons: Comparison | Sequence[Comparison]) -> str:
    """One row a query and comparison, in the order of the queries, with a heading line."""
    found = list(comparisons) if isinstance(comparisons, Sequence) else [comparisons]
    columns = list(dict.fromkeys(column for one in found for column in one.groups_of))
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*_COLUMNS, *(f"group:{column}" for column in columns)])
    for one in found:
        writer.writerows(_rows(one, columns))
    return buffer.getvalue()


_COLUMNS = (
    "old",
    "new",
    "measure",
    "query_id",
    "critical",
    "first_rank_old",
    "first_rank_new",
    "change",
    "value_old",
    "value_new",
    "difference",
    "top_old",
    "top_new",
    "unjudged_above_old",
    "unjudged_above_new",
    "disputed",
    "answer",
)


def _rows(comparison: Comparison, columns: Sequence[str]) -> Iterator[list[str]]:
    disputed, answers = set(comparison.disputed), answers_of(comparison)
    for i, query_id in enumerate(comparison.query_ids):
        yield [
            comparison.old,
            comparison.new,
            comparison.measure,
            query_id,
            "true" if comparison.critical[i] else "false",
            *(_rank(ranks[i]) for ranks in (comparison.first_rank_old, comparison.first_rank_new)),
            CHANGES[comparison.change[i]],
            *(repr(float(x[i])) for x in (comparison.value_old, comparison.value_new, comparison.difference)),
            comparison.top_old[i],
            comparison.top_new[i],
            *(_known(x[i]) for x in (comparison.unjudged_above_old, comparison.unjudged_above_new)),
            "true" if query_id in disputed else "false",
            answers[i],
            *(_group(comparison, column, i) for column in columns),
        ]


def _rank(first_rank: int) -> str:
    return str(int(first_rank)) if first_rank else ""


def _known(number: int) -> str:
    return "" if number < 0 else str(int(number))


def _group(comparison: Comparison, column: str, i: int) -> str:
    values = comparison.groups_of.get(column)
    return (values[i] or "") if values is not None else ""
