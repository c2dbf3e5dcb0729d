"""What holds for every comparison: a wider limit is never stricter, and groups do not depend on the order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firsthit.gate import Gate, Rule, RuleResult, decide
from firsthit.groups import Column, GroupComparison, compare_groups
from firsthit.significance import interval, sign_flip
from tests.gate.scenario import compared, table

RANKS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=40)
LIMITS = [0.0, 0.01, 0.05, 0.2, 0.5, 1.0]
WORST_FIRST = {"fail": 0, "cannot_tell": 1, "pass": 2}


def the_rule(rule: Rule, pairs: list[tuple[int, int]]) -> RuleResult:
    comparison = compared([old for old, _ in pairs], [new for _, new in pairs])
    gate = Gate(source="gate", rules=(rule,), min_queries=1)
    return decide(gate, comparison).rules[0]


@given(RANKS, st.sampled_from(["interval", "estimate"]))
def test_a_larger_allowed_drop_is_never_stricter(pairs: list[tuple[int, int]], on: Any) -> None:
    found = [WORST_FIRST[the_rule(Rule("max_drop", limit, on=on), pairs).status] for limit in LIMITS]
    assert found == sorted(found)
    assert found[-1] == WORST_FIRST["pass"]
    if on == "estimate":
        assert WORST_FIRST["cannot_tell"] not in found


@given(RANKS)
def test_the_interval_fails_or_passes_only_what_the_estimate_does_too(pairs: list[tuple[int, int]]) -> None:
    for limit in LIMITS:
        careful = the_rule(Rule("max_drop", limit), pairs).status
        bold = the_rule(Rule("max_drop", limit, on="estimate"), pairs).status
        assert careful in ("cannot_tell", bold)


@given(RANKS, st.integers(1, 12))
def test_exact_rules_hold_exactly_where_no_query_is_listed(pairs: list[tuple[int, int]], k: int) -> None:
    old, new = [a for a, _ in pairs], [b for _, b in pairs]
    comparison = compared(old, new, queries=table(critical=[True] * len(pairs)))
    gate = Gate(source="gate", rules=(Rule("keep_top", k, critical=True),), min_queries=1)
    (found,) = decide(gate, comparison).rules
    lost = sum(1 <= a <= k and not 1 <= b <= k for a, b in pairs)
    assert (len(found.queries), found.status) == (lost, "fail" if lost else "pass")


VALUES = st.sampled_from([0.0, 1 / 3, 0.5, 1.0])
QUERIES = st.lists(st.tuples(VALUES, VALUES, st.sampled_from("abc")), min_size=1, max_size=30)


def groups_of(rows: list[tuple[float, float, str]]) -> dict[str, GroupComparison]:
    old, new = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = compare_groups(
        [Column("c", tuple(row[2] for row in rows))],
        old,
        new,
        interval_of=lambda members: interval((new - old)[members], low=-1, high=1),
        p_of=lambda members: sign_flip((new - old)[members], seed=0).p,
        kind=lambda differences, between, p: "cannot_tell",
        min_queries=5,
    )
    return {group.value: group for group in found}


@given(QUERIES, st.randoms(use_true_random=False))
def test_the_order_of_the_queries_changes_nothing(rows: list[tuple[float, float, str]], random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = groups_of(rows), groups_of(shuffled)
    assert list(one) == list(two)
    for value, group in one.items():
        other = two[value]
        assert (group.n, group.wins, group.losses, group.p_holm) == (
            other.n,
            other.wins,
            other.losses,
            other.p_holm,
        )
        assert (group.old, group.new, group.difference) == (other.old, other.new, other.difference)


@given(QUERIES)
def test_groups_share_out_the_whole(rows: list[tuple[float, float, str]]) -> None:
    groups = groups_of(rows).values()
    assert sorted(i for group in groups for i in group.members.tolist()) == list(range(len(rows)))
    total = sum(group.difference * group.n for group in groups)
    assert abs(total - sum(new - old for old, new, _ in rows)) < 1e-9


@given(QUERIES)
def test_swapping_the_versions_negates(rows: list[tuple[float, float, str]]) -> None:
    swapped = groups_of([(new, old, value) for old, new, value in rows])
    for value, group in groups_of(rows).items():
        other = swapped[value]
        assert (group.old, group.new, group.difference) == (other.new, other.old, -other.difference)
        assert (group.wins, group.losses, group.p) == (other.losses, other.wins, other.p)
        assert (group.interval.low, group.interval.high) == (-other.interval.high, -other.interval.low)
