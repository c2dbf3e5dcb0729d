"""The population: which queries are shown, what became of them, and which the means are over."""

from __future__ import annotations

import numpy as np
import pytest

from firsthit.population import STATUSES, first_entries, has_relevant, in_mean, population, statuses
from firsthit.rules import Rules
from tests.hand import make_hits, ranking


def test_without_a_table_every_labelled_query_is_shown() -> None:
    found = population(["a", "b", "c"], np.array([True, False, True]))
    assert found.rows.tolist() == [0, 2]
    assert found.answerable.tolist() == [True, True]
    assert found.outside.tolist() == []


def test_a_table_shows_exactly_its_queries_in_label_order() -> None:
    found = population(["a", "b", "c"], np.array([True, True, False]), ["c", "a"], [True, False])
    assert found.rows.tolist() == [0, 2]
    assert found.answerable.tolist() == [False, True]
    assert found.outside.tolist() == [1]


def test_the_first_status_that_applies_wins() -> None:
    shown = population(list("abcdef"), np.ones(6, bool), list("abcdef"), [True] * 5 + [False])
    codes = statuses(
        shown,
        labelled=np.array([1, 1, 1, 1, 0, 0], bool),
        relevant=np.array([1, 1, 1, 0, 0, 1], bool),
        retrieved=np.array([5, 5, -1, -1, -1, 3]),
        value=np.array([0.5, 0, 0, 0, 0, 1]),
    )
    assert [STATUSES[code] for code in codes] == list(STATUSES)


@pytest.mark.parametrize(
    ("rules", "counted"),
    [
        (Rules(), [1, 1, 1, 1, 1, 0]),
        (Rules(absent="exclude"), [1, 1, 0, 0, 1, 0]),
        (Rules(no_relevant="exclude"), [1, 1, 1, 0, 1, 0]),
    ],
)
def test_what_is_excluded_is_in_no_mean(rules: Rules, counted: list[int]) -> None:
    codes = np.arange(6, dtype=np.int8)
    retrieved = np.array([1, 1, -1, -1, 0, 1])
    assert in_mean(codes, retrieved, rules).tolist() == [bool(one) for one in counted]


def test_the_first_entry_of_each_query_is_its_first_relevant_document() -> None:
    hits = make_hits(
        {"q1": {"a": 0, "b": 1, "c": 2}, "q2": {"d": 1}, "q3": {"e": 0}},
        {"q1": ranking("axbc"), "q2": ranking("xd"), "q3": ranking("e")},
    )
    assert hits.rank[first_entries(hits, 1)].tolist() == [3, 2]
    assert hits.rank[first_entries(hits, 2)].tolist() == [4]
    assert has_relevant(hits, 1).tolist() == [True, True, False]
