"""Deciding the rules of a gate on a comparison."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.gate.queries import falls, low_values, moved, shares
from firsthit.gate.result import STALE, GateResult, RuleResult, Status, exit_code_of
from firsthit.gate.rules import Gate, Rule

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.groups import GroupComparison
    from firsthit.significance import Interval

__all__ = ["decide"]

_EXACT = 1e-12  # the rounding of a mean: a drop of exactly the limit is allowed


class _Numbers(msgspec.Struct, frozen=True):
    """What a floor or a largest drop is decided on: all queries, or one group; `members` None is all."""

    rule: Rule
    n: int
    old: float
    new: float
    difference: float
    interval: Interval
    differing: int
    members: NDArray[np.int64] | None = None


def decide(gate: Gate, comparison: Comparison) -> GateResult:
    """Every rule as pass, fail or cannot tell, with the queries behind it, and the exit code.

    A rule about groups gives one result a group. Groups below the gate's smallest number of queries are only
    reported, unless the rule names them or they are critical. UsageError when the comparison lacks a column,
    group, measure or critical query that a rule is about: such a rule could never fail. Where labels are
    stale the exit code is 3, whatever the rules say.
    """
    _refuse(_lacking(gate, comparison))
    results: list[RuleResult] = []
    notices: list[str] = []
    for rule in gate.rules:
        if rule.kind in ("floor", "max_drop"):
            cases, skipped = _cases(gate, rule, comparison)
            notices += _skipped(rule, skipped, gate)
            results += [_limit(gate, case, comparison) for case in cases]
            if not cases:
                what = f"no group of {rule.column} has {gate.min_queries} queries"
                results.append(RuleResult(rule, "cannot_tell", f"{what}, the smallest number to decide on"))
        else:
            results.append(_exact(rule, comparison))
    code = STALE if comparison.labels_stale else exit_code_of(gate, results)
    notices += [
        f"{side.name}: {side.staleness.sentence()}" for side in comparison.stale if side.staleness.over
    ]
    return GateResult(tuple(results), code, tuple(notices), gate.source)


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        hint = "Each rule of a gate needs something to be about, else it could never fail."
        raise UsageError("\n".join(problems), hint=hint)


def _lacking(gate: Gate, comparison: Comparison) -> list[str]:
    """What rules are about and the comparison does not have, by line."""
    found = []
    for rule in gate.rules:
        what = _lacks(rule, comparison)
        if what:
            found.append(f"{gate.source}: line {rule.line}: {what}")
    return found


def _lacks(rule: Rule, comparison: Comparison) -> str:
    if rule.critical and not comparison.critical.any():
        return "no query is critical: name critical groups, or mark queries in the queries table"
    if rule.column is not None:
        values = [group.value for group in comparison.groups if group.column == rule.column]
        if not values:
            return f"the comparison has no groups of {rule.column!r}: give FILE:{rule.column} as groups"
        if rule.group is not None and rule.group not in values:
            near = difflib.get_close_matches(rule.group, values, 1)
            return f"{rule.column} has no group {rule.group!r}{f'; nearest: {near[0]}' if near else ''}"
    return _lacks_measure(rule, comparison)


def _lacks_measure(rule: Rule, comparison: Comparison) -> str:
    if rule.measure in (None, comparison.measure):
        return ""
    if rule.column is not None or rule.critical:
        return f"groups are compared by {comparison.measure}, not by {rule.measure}"
    if rule.measure not in comparison.means:
        return f"{rule.measure} was not compared; there are {', '.join(comparison.means)}"
    return ""


def _cases(gate: Gate, rule: Rule, comparison: Comparison) -> tuple[list[_Numbers], list[GroupComparison]]:
    """What the rule is decided on, and the groups that are only reported."""
    if rule.column is None and not rule.critical:
        return [_overall(rule, comparison)], []
    groups = [group for group in comparison.groups if _concerns(rule, group)]
    named = rule.critical or rule.group is not None
    decided = [group for group in groups if named or group.n >= gate.min_queries]
    skipped = [group for group in groups if not named and group.n < gate.min_queries]
    return [_of_group(rule, group, comparison) for group in decided], skipped


def _concerns(rule: Rule, group: GroupComparison) -> bool:
    if rule.critical:
        return group.critical
    return group.column == rule.column and rule.group in (None, group.value)


def _overall(rule: Rule, comparison: Comparison) -> _Numbers:
    name = rule.measure or comparison.measure
    found = comparison.means[name]
    return _Numbers(
        msgspec.structs.replace(rule, measure=name),
        found.queries,
        found.old,
        found.new,
        found.difference,
        found.interval,
        found.wins + found.losses,
    )


def _of_group(rule: Rule, group: GroupComparison, comparison: Comparison) -> _Numbers:
    named = msgspec.structs.replace(rule, measure=comparison.measure, column=group.column, group=group.value)
    return _Numbers(
        named,
        group.n,
        group.old,
        group.new,
        group.difference,
        group.interval,
        group.wins + group.losses,
        group.members,
    )


def _skipped(rule: Rule, groups: Sequence[GroupComparison], gate: Gate) -> Iterator[str]:
    if groups:
        names = ", ".join(f"{group.value} ({group.n})" for group in groups[:10])
        more = f" and {len(groups) - 10} more" if len(groups) > 10 else ""
        yield (
            f"{gate.source}, line {rule.line}: groups of {rule.column} below {gate.min_queries} queries are "
            f"reported, not decided: {names}{more}."
        )


def _limit(gate: Gate, case: _Numbers, comparison: Comparison) -> RuleResult:
    if case.rule.kind == "floor":
        status: Status = "pass" if case.new >= case.rule.limit - _EXACT else "fail"
        text = f"{case.rule.mean} is {case.new:.4f} over {case.n:,} queries, and {case.old:.4f} before"
        return RuleResult(case.rule, status, text, *low_values(comparison, case.rule, case.members))
    status, why = _drop(gate, case)
    text = f"{case.rule.mean} {case.old:.4f} → {case.new:.4f} over {case.n:,} queries: {why}"
    return RuleResult(case.rule, status, text, *falls(comparison, case.rule, case.members))


def _drop(gate: Gate, case: _Numbers) -> tuple[Status, str]:
    """Whether the mean dropped by more than the limit, and why that is so or cannot be told."""
    lowest = -case.rule.limit - _EXACT
    if not case.differing:
        return "pass", "no query differs, so the difference is 0"
    if case.rule.on == "estimate":
        status: Status = "pass" if case.difference >= lowest else "fail"
        return status, f"difference {case.difference:+.4f}"
    low, high = case.interval.low, case.interval.high
    why = f"difference {case.difference:+.4f}, 95% interval {low:+.4f} to {high:+.4f}"
    if case.n < gate.min_queries:
        return "cannot_tell", f"{why}; below {gate.min_queries} queries an interval decides nothing"
    if low >= lowest:
        return "pass", f"{why}, all of it on the allowed side"
    return ("fail", f"{why}, none of it on the allowed side") if high < lowest else ("cannot_tell", why)


def _exact(rule: Rule, comparison: Comparison) -> RuleResult:
    """The rules that need no inference."""
    if rule.kind == "min_queries":
        n = len(comparison.query_ids)
        return RuleResult(rule, "pass" if n >= rule.limit else "cannot_tell", f"{n:,} queries were compared")
    if rule.kind in ("keep_rank_1", "keep_top"):
        return _kept(rule, comparison)
    share, text, queries, details = shares(comparison, rule)
    if share is None:
        return RuleResult(rule, "cannot_tell", text)
    status: Status = "pass" if share <= rule.limit + _EXACT else "fail"
    return RuleResult(rule, status, text, queries, details)


def _kept(rule: Rule, comparison: Comparison) -> RuleResult:
    """Whether each critical query that was in the top k still is; k = 1 for rank 1."""
    k = int(rule.limit)
    old, new = comparison.first_rank_old, comparison.first_rank_new
    was = comparison.critical & (old >= 1) & (old <= k)
    lost = np.flatnonzero(was & ((new == 0) | (new > k)))
    place, left = ("at rank 1", "lost") if rule.kind == "keep_rank_1" else (f"in the top {k}", "left")
    text = (
        f"{len(lost):,} of the {np.count_nonzero(was):,} critical queries that stood {place} {left} it "
        f"({np.count_nonzero(comparison.critical):,} are critical)"
    )
    return RuleResult(rule, "fail" if len(lost) else "pass", text, *moved(comparison, lost))
