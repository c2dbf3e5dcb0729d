"""Two versions compared within groups, against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.groups import Column, GroupComparison, compare_groups, critical_members
from firsthit.significance import Interval, interval

OLD = np.array([1.0, 1.0, 0.5, 0.0, 0.5, 1.0])
NEW = np.array([0.5, 1.0, 1.0, 0.0, 1.0, 0.0])
TOPIC = Column("topic", ("tax", "tax", "law", "law", "law", "pay"))


def compared(
    columns: Sequence[Column] = (TOPIC,), p: Sequence[float] = (0.01, 0.04), **options: Any
) -> tuple[GroupComparison, ...]:
    waiting = iter(p)
    return compare_groups(
        columns,
        OLD,
        NEW,
        interval_of=lambda members: interval((NEW - OLD)[members], low=-1, high=1),
        p_of=lambda members: next(waiting),
        kind=kind,
        **{"min_queries": 2} | options,
    )


def kind(differences: NDArray[np.float64], between: Interval, p: float) -> str:
    return f"{differences.sum():g} {p:g}"


def test_the_numbers_of_each_group_are_those_worked_out_by_hand() -> None:
    law, tax, pay = compared()
    assert (law.name, law.n, law.old, law.new, law.difference) == ("topic=law", 3, 1 / 3, 2 / 3, 1 / 3)
    assert (law.wins, law.losses, law.members.tolist()) == (2, 0, [2, 3, 4])
    assert (tax.n, tax.old, tax.new, tax.difference, tax.wins, tax.losses) == (2, 1.0, 0.75, -0.25, 0, 1)
    assert (pay.n, pay.difference, pay.losses) == (1, -1.0, 1)


def test_each_column_is_one_family() -> None:
    law, tax, _ = compared()
    assert (law.p, law.p_holm) == (0.01, 0.02)
    assert (tax.p, tax.p_holm) == (0.04, 0.04)
    alone = Column("kind", ("a",) * 6)
    assert [group.p_holm for group in compared((TOPIC, alone), (0.01, 0.04, 0.03))] == [
        0.02,
        0.04,
        None,
        0.03,
    ]


def test_the_verdict_is_asked_with_the_adjusted_p() -> None:
    assert [group.verdict for group in compared()] == ["1 0.02", "-0.5 0.04", None]


def test_small_groups_are_reported_only_and_outside_the_family() -> None:
    law, tax, pay = compared(min_queries=3, p=(0.03,))
    assert [law.report_only, tax.report_only, pay.report_only] == [False, True, True]
    assert (law.p_holm, tax.p, tax.p_holm, tax.verdict) == (0.03, None, None, None)
    assert tax.interval.padded


@pytest.mark.parametrize("name", ["pay", "topic=pay"])
def test_critical_groups_stand_on_top(name: str) -> None:
    groups = compared(critical=[name])
    assert [group.value for group in groups] == ["pay", "law", "tax"]
    assert [group.critical for group in groups] == [True, False, False]
    assert critical_members(groups, 6).tolist() == [False] * 5 + [True]


def test_critical_queries_are_a_group() -> None:
    marked = np.array([True, False, False, False, False, True])
    groups = compared(critical_queries=marked, critical=["law"], p=(0.5,) * 3)
    assert [group.name for group in groups[:2]] == ["topic=law", "critical=true"]
    assert groups[1].members.tolist() == [0, 5]
    assert {group.name for group in groups[2:]} == {"topic=tax", "topic=pay"}
    assert critical_members(groups, 6).tolist() == [True, False, True, True, True, True]


def test_a_table_that_marks_no_query_makes_no_group() -> None:
    groups = compared(critical_queries=np.zeros(6, bool))
    assert {group.column for group in groups} == {"topic"}


def test_unknown_critical_groups_are_all_named() -> None:
    with pytest.raises(UsageError) as caught:
        compared(critical=["taxes", "kind=law", "law"])
    assert str(caught.value) == (
        "critical group 'taxes': there is no such group; nearest: tax\n"
        "critical group 'kind=law': there is no such group; nearest: law\n"
        "Critical groups are values of the columns given with groups, as VALUE or COLUMN=VALUE."
    )


def test_a_column_that_is_asked_for_twice_is_compared_once() -> None:
    assert len(compared((TOPIC, TOPIC))) == 3
    other = Column("topic", ("tax",) * 6, "b.csv")
    with pytest.raises(UsageError, match=r"two columns are called 'topic': in a\.csv and b\.csv"):
        compared((Column("topic", TOPIC.values, "a.csv"), other))


def test_a_column_named_critical_is_the_one_that_marks() -> None:
    column = Column("critical", ("true", "false", "false", "false", "false", "true"))
    groups = compared((column,), critical_queries=np.array([True, False, False, False, False, True]))
    assert [(group.name, group.critical) for group in groups] == [
        ("critical=true", True),
        ("critical=false", False),
    ]
