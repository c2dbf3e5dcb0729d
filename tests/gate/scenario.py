"""Pairs of runs made from first ranks, and gates made from their text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from firsthit.gate import Gate, GateResult, decide, read_gate
from firsthit.queries import Queries

__all__ = ["compared", "decided", "gate_of", "ids", "labels", "ranking", "statuses", "table"]


def ids(n: int) -> list[str]:
    """Names of n queries."""
    return [f"q{number:03}" for number in range(1, n + 1)]


def labels(n: int) -> dict[str, dict[str, int]]:
    """One relevant document and one that is not, for each of n queries."""
    return {query_id: {"right": 1, "wrong": 0} for query_id in ids(n)}


def ranking(ranks: Sequence[int | None]) -> dict[str, list[str]]:
    """A run whose first hit stands at these ranks; 0 for none in twelve, None for an absent query."""
    run = {}
    for query_id, rank in zip(ids(len(ranks)), ranks, strict=True):
        if rank is not None:
            docs = ["wrong", *(f"other{number}" for number in range(2, 13))]
            run[query_id] = docs if rank == 0 else [*docs[: rank - 1], "right"]
    return run


def table(
    topics: Sequence[str] | None = None, critical: Sequence[bool] | None = None, n: int | None = None
) -> Queries:
    """The queries table: a topic for each, and which are critical."""
    size = len(topics or critical or ids(n or 0))
    return Queries(
        query_id=tuple(ids(size)),
        text=(None,) * size,
        groups={"topic": tuple(topics)} if topics else {},
        critical=tuple(critical or [False] * size),
        answerable=(True,) * size,
        needs=((),) * size,
    )


def compared(old: Sequence[int | None], new: Sequence[int | None], **options: Any) -> Comparison:
    """The comparison of two runs with these first ranks."""
    return compare(
        ranking(old),
        ranking(new),
        qrels=labels(len(old)),
        names=("old", "new"),
        **{"measures": ["RR@10"]} | options,
    )


def gate_of(text: str, tmp_path: Path) -> Gate:
    """The gate with these lines after [gate]."""
    path = tmp_path / "firsthit.toml"
    path.write_text(f"[gate]\n{text}\n", encoding="utf-8")
    return read_gate(path)


def decided(text: str, comparison: Comparison, tmp_path: Path) -> GateResult:
    """The gate's result, with its file named as it is on the command line."""
    found = decide(gate_of(text, tmp_path), comparison)
    assert found.source == str(tmp_path / "firsthit.toml")
    return found


def statuses(result: GateResult) -> list[str]:
    """How each rule but the smallest number of queries ended."""
    return [found.status for found in result.rules if found.rule.kind != "min_queries"]
