"""A comparison as plain data: the JSON that docs/comparison.md describes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.comparison.changes import CHANGES

if TYPE_CHECKING:
    from firsthit.comparison.agreement import Agreement
    from firsthit.comparison.comparison import Comparison, MeasureComparison, StaleSide
    from firsthit.groups import GroupComparison
    from firsthit.pair_bounds import JointBounds

__all__ = ["data_of"]


def data_of(comparison: Comparison) -> dict[str, Any]:
    """The whole comparison: numbers in full precision, null where there is none."""
    c = comparison
    return {
        "old": c.old,
        "new": c.new,
        "measure": c.measure,
        "cutoff": c.cutoff,
        "verdict": _plain(c.verdict),
        "notices": list(c.notices),
        "pairing": _plain(c.pairing),
        "means": {name: _measure(measure) for name, measure in c.means.items()},
        "changes": c.changes,
        "transitions": _plain(c.transitions),
        "sorted_differences": c.sorted_differences.tolist(),
        "judged_share": {"old": c.judged_share_old, "new": c.judged_share_new},
        "agreement": _agreement(c.agreement),
        "stale": [_stale(side) for side in c.stale],
        "needs_lost": _plain(c.needs_lost),
        "bounds": None if c.bounds is None else _bounds(c, c.bounds),
        "bounds_reason": c.bounds_reason,
        "turning": _plain(c.turning),
        "groups": [_group(c, group) for group in c.groups],
        "answers": None if c.answers is None else c.answers.data(),
        "settings": {
            "margin": c.margin,
            "min_queries": c.min_queries,
            "interval": c.interval_method,
            "cluster": c.cluster,
            "seed": c.seed,
        },
        "cards": {"old": _plain(c.card_old), "new": _plain(c.card_new)},
        "queries": list(_queries(c)),
    }


def _plain(value: Any) -> Any:
    """The value in dictionaries, lists, text and numbers, as JSON gives it back."""
    value = msgspec.to_builtins(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _measure(measure: MeasureComparison) -> dict[str, Any]:
    names = [name for name in measure.__struct_fields__ if name not in ("measure", "differences")]
    found = {name: _number(_plain(getattr(measure, name))) for name in names}
    return found | {"wilcoxon_p": measure.wilcoxon_p, "sign_p": measure.sign_p}


def _stale(side: StaleSide) -> dict[str, Any]:
    found: dict[str, Any] = {"name": side.name, "share": side.staleness.share, "over": side.staleness.over}
    found.update(_plain(side.staleness))
    return found


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _agreement(found: Agreement | None) -> dict[str, Any] | None:
    if found is None:
        return None
    names = ("cutoff", "depth", "queries", "mean_overlap", "mean_rbo", "churn_at_1", "churn")
    return {name: _number(getattr(found, name)) for name in names}


def _bounds(comparison: Comparison, bounds: JointBounds) -> dict[str, Any]:
    return {"difference": list(bounds.mean), "disputed": list(comparison.disputed)}


def _group(comparison: Comparison, group: GroupComparison) -> dict[str, Any]:
    names = [name for name in group.__struct_fields__ if name != "members"]
    found = {name: _plain(getattr(group, name)) for name in names}
    return found | {"queries": comparison.query_ids.take(group.members)}


def _queries(c: Comparison) -> Iterator[dict[str, Any]]:
    """One object a query; ranks are null where there is no hit, and bounds where they are not shown."""
    columns: dict[str, Sequence[Any]] = {
        "query_id": c.query_ids,
        "text": [(c.query_text or {}).get(query_id) for query_id in c.query_ids],
        "change": [CHANGES[code] for code in c.change.tolist()],
        "first_rank_old": _or_null(c.first_rank_old, 0),
        "first_rank_new": _or_null(c.first_rank_new, 0),
        "value_old": c.value_old.tolist(),
        "value_new": c.value_new.tolist(),
        "difference": c.difference.tolist(),
        "top_old": [doc_id or None for doc_id in c.top_old],
        "top_new": [doc_id or None for doc_id in c.top_new],
        "unjudged_above_old": _or_null(c.unjudged_above_old, -1),
        "unjudged_above_new": _or_null(c.unjudged_above_new, -1),
        "critical": c.critical.tolist(),
    }
    count = len(c.query_ids)
    for name in ("lower", "upper", "disputed"):
        columns[name] = [None] * count if c.bounds is None else getattr(c.bounds, name).tolist()
    for name in ("overlap", "rbo"):
        columns[name] = [None] * count if c.agreement is None else _known(getattr(c.agreement, name))
    for i, row in enumerate(zip(*columns.values(), strict=True)):
        groups = {name: column[i] for name, column in c.groups_of.items()}
        yield {**dict(zip(columns, row, strict=True)), "groups": groups}


def _known(values: NDArray[np.float64]) -> list[float | None]:
    return [_number(value) for value in values.tolist()]


def _or_null(numbers: NDArray[np.int64], none: int) -> list[int | None]:
    return [None if number == none else number for number in numbers.tolist()]
