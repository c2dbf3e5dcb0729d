"""Ranks beside answers: the tables against cells filled by hand, and the sentences."""

from __future__ import annotations

import numpy as np
import pytest

from firsthit.errors import UsageError
from firsthit.outcomes import ANSWER_CHANGES, CELLS, RANK_CHANGES, Answers, Outcomes, outcomes

IDS = ["a", "b", "c", "d", "e", "f"]
RANK_OLD = np.array([1, 2, 0, 0, 4, 12])
RANK_NEW = np.array([1, 1, 3, 0, 0, 6])
RIGHT_OLD = [True, False, False, True, True, False]
RIGHT_NEW = [True, True, False, True, False, True]


def answers(right: list[bool], others: int = 0) -> Answers:
    return Answers("answers.jsonl", np.array(right), others=others)


def reciprocal(
    rank: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.where(rank > 0, 1 / np.maximum(rank, 1), 0.0)


def joined(
    old: list[bool] = RIGHT_OLD,
    new: list[bool] = RIGHT_NEW,
    rank_old: np.ndarray[tuple[int], np.dtype[np.int64]] = RANK_OLD,
    rank_new: np.ndarray[tuple[int], np.dtype[np.int64]] = RANK_NEW,
) -> Outcomes:
    return outcomes(
        answers(old),
        answers(new),
        IDS,
        rank_old=rank_old,
        rank_new=rank_new,
        value_old=reciprocal(rank_old),
        value_new=reciprocal(rank_new),
    )


def test_the_table_of_each_version_holds_each_query_once() -> None:
    found = joined()
    assert found.old == {
        "hit_right": ("a", "e"),
        "hit_wrong": ("b", "f"),
        "miss_right": ("d",),
        "miss_wrong": ("c",),
    }
    assert found.new == {
        "hit_right": ("a", "b", "f"),
        "hit_wrong": ("c",),
        "miss_right": ("d",),
        "miss_wrong": ("e",),
    }
    for table in (found.old, found.new, found.transitions, found.changes):
        assert sorted(query_id for ids in table.values() for query_id in ids) == IDS


def test_transitions_are_pairs_of_cells_that_occur() -> None:
    assert joined().transitions == {
        ("hit_right", "hit_right"): ("a",),
        ("hit_right", "miss_wrong"): ("e",),
        ("hit_wrong", "hit_right"): ("b", "f"),
        ("miss_right", "miss_right"): ("d",),
        ("miss_wrong", "hit_wrong"): ("c",),
    }


def test_changes_of_rank_are_crossed_with_changes_of_answer() -> None:
    filled = {pair: ids for pair, ids in joined().changes.items() if ids}
    assert filled == {
        ("better", "became_right"): ("b", "f"),
        ("better", "stayed_wrong"): ("c",),
        ("same", "stayed_right"): ("a", "d"),
        ("worse", "became_wrong"): ("e",),
    }
    assert len(joined().changes) == len(RANK_CHANGES) * len(ANSWER_CHANGES)


def test_right_answers_by_first_rank() -> None:
    found = joined()
    old = {row.rank: (row.right, row.wrong, row.share) for row in found.by_rank_old}
    assert old == {
        "1": (("a",), (), 1.0),
        "2": ((), ("b",), 0.0),
        "3": ((), (), None),
        "4-5": (("e",), (), 1.0),
        "6-10": ((), (), None),
        "deeper": ((), ("f",), 0.0),
        "none": (("d",), ("c",), 0.5),
    }
    assert [row.rank for row in found.by_rank_new] == ["1", "2", "3", "4-5", "6-10", "none"]
    assert [row.n for row in found.by_rank_new] == [2, 0, 1, 0, 1, 2]


def test_the_share_of_right_answers_has_a_difference_and_an_interval() -> None:
    found = joined()
    assert (found.share_old, found.share_new, found.difference) == (0.5, 4 / 6, 1 / 6)
    assert found.interval.low < 1 / 6 < found.interval.high
    assert found.interval.padded


def test_a_rank_gain_that_came_with_an_answer_gain() -> None:
    found = joined()
    assert found.came_with is True
    assert found.sentence == (
        "The rank gain came with an answer gain: of 3 queries that ranked better, 2 became right and 0 "
        "became wrong. Of all 6 answers, 3 were right, and 4 are."
    )
    assert found.second_sentence == "Of 1 query that ranked worse, 1 became wrong and 0 became right."


def test_a_rank_gain_without_an_answer_gain_is_said_plainly() -> None:
    found = joined(new=RIGHT_OLD)
    assert found.came_with is False
    assert found.sentence == (
        "The rank gain did not come with an answer gain: of 3 queries that ranked better, 0 became right "
        "and 0 became wrong. Of all 6 answers, 3 were right, and 3 are."
    )


def test_answers_that_improve_where_ranks_do_not_are_no_gain_of_the_ranks() -> None:
    found = joined(old=[False] * 6, new=[True] + [False] * 5)
    assert found.difference > 0
    assert found.came_with is False


def test_without_a_better_rank_nothing_is_claimed() -> None:
    found = joined(rank_new=RANK_OLD)
    assert (found.came_with, found.second_sentence) == (None, "")
    assert found.sentence == (
        "No query ranks better, so there is no rank gain that answers could follow. "
        "Of all 6 answers, 3 were right, and 4 are."
    )


def test_a_mean_that_fell_is_no_rank_gain_though_some_rank_better() -> None:
    found = joined(rank_new=np.array([0, 1, 0, 0, 0, 0]))
    assert found.came_with is None
    assert found.sentence == (
        "Ranks did not gain on the whole: of 1 query that ranked better, 1 became right and 0 became wrong. "
        "Of all 6 answers, 3 were right, and 4 are."
    )


def test_answers_that_are_lost_elsewhere_are_no_answer_gain() -> None:
    found = joined(new=[False, True, False, False, True, True])
    assert (found.came_with, found.difference) == (False, 0.0)


def test_scores_and_truth_values_do_not_mix() -> None:
    scored = Answers("new", np.array(RIGHT_NEW), np.ones(6), 0.5)
    zeros = np.zeros(6)
    with pytest.raises(UsageError, match="one version are scores"):
        outcomes(
            answers(RIGHT_OLD),
            scored,
            IDS,
            rank_old=RANK_OLD,
            rank_new=RANK_NEW,
            value_old=zeros,
            value_new=zeros,
        )


def test_the_data_holds_every_cell_with_its_queries() -> None:
    data = joined().data()
    assert list(data["old"]) == list(CELLS)
    assert {"old": "hit_right", "new": "miss_wrong", "queries": ["e"]} in data["transitions"]
    assert {"rank": "better", "answer": "became_right", "queries": ["b", "f"]} in data["changes"]
    assert data["by_rank"]["old"][0] == {"rank": "1", "n": 1, "share": 1.0, "right": ["a"], "wrong": []}


def test_answers_to_other_queries_are_told() -> None:
    zeros = np.zeros(6)
    found = outcomes(
        answers(RIGHT_OLD, 2),
        answers(RIGHT_NEW, 1),
        IDS,
        rank_old=RANK_OLD,
        rank_new=RANK_NEW,
        value_old=zeros,
        value_new=zeros,
    )
    assert found.notices == (
        "answers.jsonl: answers to 2 queries that are not compared",
        "answers.jsonl: answers to 1 query that is not compared",
    )
