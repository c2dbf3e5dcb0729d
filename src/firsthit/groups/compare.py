"""Two versions compared within each group, and which groups are critical."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.groups.columns import NO_VALUE, Column
from firsthit.significance import holm, wins_losses_ties

if TYPE_CHECKING:
    from firsthit.significance import Interval

__all__ = ["GroupComparison", "compare_groups", "critical_members", "critical_names", "members_of"]

Floats = NDArray[np.float64]
Indexes = NDArray[np.int64]
Kind = Callable[[Floats, "Interval", float], str]
"""The verdict's rule: differences, interval, adjusted p to better, worse, equivalent or cannot_tell."""

CRITICAL = "critical"


class GroupComparison(msgspec.Struct, frozen=True, eq=False):
    """One group: both means, the mean of the differences NEW - OLD with its interval, and a verdict.

    `members` are indexes into the compared queries. A group of fewer queries than the stated number is
    `report_only`: it is shown, and has neither p nor verdict. `p_holm` is p adjusted for the groups of the
    column that were tested. `critical` groups come first.
    """

    column: str
    value: str
    n: int
    old: float
    new: float
    difference: float
    interval: Interval
    wins: int
    losses: int
    members: Indexes
    p: float | None = None
    p_holm: float | None = None
    verdict: str | None = None
    report_only: bool = True
    critical: bool = False

    @property
    def name(self) -> str:
        """The group as it is named on the command line and in the gate's file: COLUMN=VALUE."""
        return f"{self.column}={self.value}"


def members_of(column: Column) -> dict[str, Indexes]:
    """The queries of each group, the largest group first, equal sizes by name; "(no value)" last."""
    places: dict[str, list[int]] = {}
    for i, value in enumerate(column.values):
        places.setdefault(value, []).append(i)
    order = sorted(places, key=lambda value: (value == NO_VALUE, -len(places[value]), value))
    return {value: np.array(places[value], np.int64) for value in order}


def compare_groups(
    columns: Iterable[Column],
    value_old: Floats,
    value_new: Floats,
    *,
    interval_of: Callable[[Indexes], Interval],
    p_of: Callable[[Indexes], float],
    kind: Kind,
    critical: Sequence[str] = (),
    critical_queries: NDArray[np.bool_] | None = None,
    min_queries: int = 30,
) -> tuple[GroupComparison, ...]:
    """Compare two versions in every group of every column, critical groups first.

    `interval_of` and `p_of` infer from the queries with these indexes, `kind` is the rule of the verdict: a
    group is judged as the whole is. `critical` names groups, by value or as COLUMN=VALUE; `critical_queries`
    marks queries, which form the group critical=true. Each column is one family for Holm's adjustment, over
    its groups of at least `min_queries`; smaller ones are only reported.
    """
    columns = _distinct(columns)
    marked = critical_names(critical, columns) | {(CRITICAL, "true")}
    found: list[GroupComparison] = []
    for name, groups in _families(columns, critical_queries):
        tested = [value for value, members in groups.items() if len(members) >= min_queries]
        p = [p_of(groups[value]) for value in tested]
        pairs = dict(zip(tested, zip(p, holm(p), strict=True), strict=True))
        for value, members in groups.items():
            group = _group((name, value), members, value_old, value_new, interval_of(members))
            group = msgspec.structs.replace(group, critical=(name, value) in marked)
            found.append(
                _judged(group, *pairs[value], kind, value_new - value_old) if value in pairs else group
            )
    return tuple(sorted(found, key=lambda group: not group.critical))


def _distinct(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Each column once, in case it was asked for twice; two of one name that differ are a UsageError."""
    found: dict[str, Column] = {}
    for column in columns:
        if found.setdefault(column.name, column).values != column.values:
            sources = f"{found[column.name].source} and {column.source}"
            raise UsageError(f"two columns are called {column.name!r}: in {sources}")
    return tuple(found.values())


def _families(
    columns: Sequence[Column], critical_queries: NDArray[np.bool_] | None
) -> Iterator[tuple[str, dict[str, Indexes]]]:
    """The groups of each column, then the queries that are marked critical."""
    for column in columns:
        yield column.name, members_of(column)
    known = any(column.name == CRITICAL for column in columns)
    if critical_queries is not None and critical_queries.any() and not known:
        yield CRITICAL, {"true": np.flatnonzero(critical_queries)}


def _group(
    name: tuple[str, str], members: Indexes, old: Floats, new: Floats, interval: Interval
) -> GroupComparison:
    """The numbers of a group, without a judgment."""
    column, value = name
    difference = new[members] - old[members]
    wins, losses, _ = wins_losses_ties(difference)
    return GroupComparison(
        column=column,
        value=value,
        n=len(members),
        old=_mean(old[members]),
        new=_mean(new[members]),
        difference=_mean(difference),
        interval=interval,
        wins=wins,
        losses=losses,
        members=members,
    )


def _judged(
    group: GroupComparison, p: float, p_holm: float, kind: Kind, difference: Floats
) -> GroupComparison:
    verdict = kind(difference[group.members], group.interval, p_holm)
    return msgspec.structs.replace(group, p=p, p_holm=p_holm, verdict=verdict, report_only=False)


def _mean(values: Floats) -> float:
    return math.fsum(values.tolist()) / len(values)


def critical_names(critical: Sequence[str], columns: Sequence[Column]) -> set[tuple[str, str]]:
    """(column, value) of each group that is called critical; UsageError for those that do not exist."""
    there = [(column.name, value) for column in columns for value in dict.fromkeys(column.values)]
    found: set[tuple[str, str]] = set()
    wrong: list[str] = []
    for name in critical:
        named = {(column, value) for column, value in there if name in (value, f"{column}={value}")}
        found |= named
        if not named:
            wrong.append(_no_group(name, [value for _, value in there]))
    if wrong:
        hint = "Critical groups are values of the columns given with groups, as VALUE or COLUMN=VALUE."
        raise UsageError("\n".join(wrong), hint=hint)
    return found


def _no_group(name: str, values: Sequence[str]) -> str:
    near = difflib.get_close_matches(name.rpartition("=")[2], values, 1)
    return f"critical group {name!r}: there is no such group{f'; nearest: {near[0]}' if near else ''}"


def critical_members(groups: Iterable[GroupComparison], queries: int) -> NDArray[np.bool_]:
    """For each of so many queries whether it belongs to a critical group."""
    found = np.zeros(queries, bool)
    for group in groups:
        if group.critical:
            found[group.members] = True
    found.flags.writeable = False
    return found
