"""What changed for each query, and what each transition adds to the mean difference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from firsthit.comparison.changes import CHANGES, Transition, changes_of, transitions_of
from tests.comparison.cases import pairs_of_ranks


def array(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


def reciprocal(ranks: list[int], cutoff: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([1 / rank if 0 < rank <= cutoff else 0.0 for rank in ranks])


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (0, 3, "gained"),
        (12, 3, "gained"),
        (3, 0, "lost"),
        (10, 11, "lost"),
        (3, 2, "up"),
        (9, 10, "down"),
        (4, 4, "same"),
        (0, 0, "both_miss"),
        (11, 12, "both_miss"),
    ],
)
def test_a_change_is_about_the_top(old: int, new: int, change: str) -> None:
    assert CHANGES[changes_of(array([old]), array([new]), 10)[0]] == change


def test_without_a_cutoff_every_rank_counts() -> None:
    assert CHANGES[changes_of(array([500]), array([499]), None)[0]] == "up"


def test_from_1_to_2_weighs_45_times_as_much_as_from_9_to_10() -> None:
    old, new = [1, 9], [2, 10]
    found = transitions_of(array(old), array(new), reciprocal(new, 10) - reciprocal(old, 10), 10)
    first, last = found.cells
    assert (first.old, first.new, first.contribution) == (1, 2, -0.25)
    assert (last.old, last.new) == (9, 10)
    assert last.contribution == pytest.approx(-1 / 180)
    assert first.share == pytest.approx(45 / 46)
    assert found.by_weight() == (first, last)


def test_the_matrix_has_a_last_row_and_column_for_no_hit() -> None:
    old, new = [1, 1, 0, 2, 7], [2, 2, 1, 0, 0]
    found = transitions_of(array(old), array(new), reciprocal(new, 3) - reciprocal(old, 3), 3)
    assert found.matrix().tolist() == [[0, 2, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]]
    assert [(cell.old, cell.new) for cell in found.cells] == [(1, 2), (2, None), (None, 1), (None, None)]


def test_without_a_cutoff_the_matrix_ends_at_the_deepest_rank() -> None:
    found = transitions_of(array([1, 0]), array([4, 0]), np.array([-0.75, 0.0]), None)
    assert found.deepest == 4
    assert found.matrix()[0, 3] == 1
    assert found.matrix()[4, 4] == 1


def test_shares_do_not_exist_where_the_mean_difference_is_0() -> None:
    found = transitions_of(array([1, 2]), array([2, 1]), np.array([-0.5, 0.5]), 10)
    assert found.cells == (Transition(1, 2, 1, -0.25, None), Transition(2, 1, 1, 0.25, None))


@given(pairs_of_ranks())
def test_transitions_partition_the_queries_and_the_mean_difference(
    pair: tuple[dict[str, int], dict[str, int]],
) -> None:
    old, new = ([*ranks.values()] for ranks in pair)
    difference = reciprocal(new, 10) - reciprocal(old, 10)
    found = transitions_of(array(old), array(new), difference, 10)
    assert found.matrix().sum() == sum(cell.queries for cell in found.cells) == len(old)
    assert sum(cell.contribution for cell in found.cells) == pytest.approx(difference.mean(), abs=1e-12)
    if difference.sum():
        assert sum(cell.share or 0 for cell in found.cells) == pytest.approx(1)
