"""The queries behind a rule, with a few words on each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firsthit.gate.rules import Rule
from firsthit.population import UNANSWERABLE

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison

__all__ = ["falls", "low_values", "moved", "shares"]

Floats = NDArray[np.float64]
Indexes = NDArray[np.int64]
Listed = tuple[tuple[str, ...], tuple[str, ...]]


def falls(comparison: Comparison, rule: Rule, members: Indexes | None) -> Listed:
    """The queries whose value fell, the largest fall first."""
    old, new = _values(comparison, rule)
    chosen = _chosen(members, len(old))
    fall = (old - new)[chosen]
    order = np.argsort(-fall, kind="stable")
    return _described(comparison, rule, chosen[order[fall[order] > 0]])


def low_values(comparison: Comparison, rule: Rule, members: Indexes | None) -> Listed:
    """The queries whose new value is below the rule's limit, the lowest first."""
    _, new = _values(comparison, rule)
    chosen = _chosen(members, len(new))
    order = np.argsort(new[chosen], kind="stable")
    return _described(comparison, rule, chosen[order[new[chosen][order] < rule.limit]])


def moved(comparison: Comparison, queries: Indexes) -> Listed:
    """The first ranks of these queries; those that were highest and fell deepest first."""
    old, new = comparison.first_rank_old[queries], comparison.first_rank_new[queries]
    depth = np.where(new == 0, np.iinfo(np.int64).max, new)
    order = np.lexsort((-depth, old))
    details = (f"rank {_rank(a)} → {_rank(b)}" for a, b in zip(old[order], new[order], strict=True))
    return _ids(comparison, queries[order]), tuple(details)


def shares(comparison: Comparison, rule: Rule) -> tuple[float | None, str, tuple[str, ...], tuple[str, ...]]:
    """The share that a rule limits, in words too, and its queries."""
    if rule.kind == "max_stale":
        return _stale(comparison)
    return _absent(comparison) if rule.kind == "max_absent" else _unjudged(comparison)


def _values(comparison: Comparison, rule: Rule) -> tuple[Floats, Floats]:
    """The old and new value of each compared query."""
    if rule.measure in (None, comparison.measure):
        return comparison.value_old, comparison.value_new
    old, new = comparison.record_old.values[rule.measure], comparison.record_new.values[rule.measure]
    return old[comparison.rows_old], new[comparison.rows_new]


def _chosen(members: Indexes | None, n: int) -> Indexes:
    return np.arange(n) if members is None else members


def _described(comparison: Comparison, rule: Rule, queries: Indexes) -> Listed:
    old, new = _values(comparison, rule)
    pairs = zip(old[queries].tolist(), new[queries].tolist(), strict=True)
    return _ids(comparison, queries), tuple(f"{a:.4f} → {b:.4f}" for a, b in pairs)


def _ids(comparison: Comparison, queries: Indexes) -> tuple[str, ...]:
    return tuple(comparison.query_ids[i] for i in queries.tolist())


def _rank(rank: int) -> str:
    return str(rank) if rank else "none"


def _absent(comparison: Comparison) -> tuple[float | None, str, tuple[str, ...], tuple[str, ...]]:
    """The share of NEW's population that its run does not hold, whether or not it is in the mean."""
    record = comparison.record_new
    population = record.codes != UNANSWERABLE
    absent = np.flatnonzero(population & (record.retrieved < 0))
    n = int(np.count_nonzero(population))
    if not n:
        return None, "the evaluation holds no query", (), ()
    text = f"{len(absent):,} of {n:,} queries ({len(absent) / n:.1%}) are absent from {comparison.new}"
    ids = tuple(record.query_ids[i] for i in absent.tolist())
    return len(absent) / n, text, ids, ("absent",) * len(ids)


def _stale(comparison: Comparison) -> tuple[float | None, str, tuple[str, ...], tuple[str, ...]]:
    """The share of relevant labels that point at what NEW's corpus does not hold."""
    found = [side.staleness for side in comparison.stale if side.name == comparison.new]
    if not found:
        return None, f"no corpus was given for {comparison.new}: --passages says what it holds", (), ()
    return found[0].share, found[0].sentence(verdict=False), (), ()


def _unjudged(comparison: Comparison) -> tuple[float | None, str, tuple[str, ...], tuple[str, ...]]:
    """The share of unjudged documents in NEW's top k, over the compared queries."""
    k = comparison.cutoff or comparison.card_new.judged_at
    ranked = comparison.record_new.detail.ranked
    start = ranked.offsets[comparison.rows_new]
    shown = np.minimum(ranked.offsets[comparison.rows_new + 1] - start, k)
    before = np.concatenate([[0], np.cumsum(np.isnan(ranked.number))])
    unjudged = before[start + shown] - before[start]
    total = int(shown.sum())
    if not total:
        return None, "nothing was retrieved, so nothing can be judged", (), ()
    share = float(unjudged.sum() / total)
    order = np.argsort(-unjudged, kind="stable")
    listed = order[unjudged[order] > 0]
    details = tuple(f"{unjudged[i]} of {shown[i]} unjudged" for i in listed.tolist())
    text = f"{unjudged.sum():,} of the {total:,} documents in the top {k} ({share:.1%}) are unjudged"
    return share, text, _ids(comparison, listed), details
