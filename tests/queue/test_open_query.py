"""One query's open documents, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from firsthit.queue.aims import aim_of
from firsthit.queue.open_query import OpenQuery


def query(settled: list[float], gain: list[list[float]]) -> OpenQuery:
    ids = [f"d{i}" for i in range(len(gain))]
    return OpenQuery(
        "q", False, np.array(settled), ids, np.zeros((len(gain), len(settled)), np.int64), np.array(gain)
    )


def test_a_relevant_document_settles_its_rank_and_closes_what_stands_below() -> None:
    after = query([0.0], [[1.0], [0.5], [0.25]]).judged(1, relevant=True)
    assert after.settled.tolist() == [0.5]
    assert after.doc_ids == ["d0"]


def test_a_document_that_is_not_relevant_is_out() -> None:
    after = query([0.25], [[1.0], [0.5]]).judged(0, relevant=False)
    assert after.settled.tolist() == [0.25]
    assert after.doc_ids == ["d1"]
    assert after.spread(aim_of("means", 1)) == 0.25


def test_the_worth_of_a_turn_looks_ahead_to_the_end_of_its_stretch() -> None:
    """Chance 0: ranks 2 and 3 are open, rank 4 holds the hit of 0: 1/2 in two turns, a quarter each."""
    ordered = query([0.0], [[1 / 2], [1 / 3]]).ordered(aim_of("means", 1), chance=1e-9)
    assert ordered.left.tolist() == pytest.approx([1 / 2, 1 / 3, 0])
    assert ordered.worth.tolist() == pytest.approx([1 / 4, 1 / 4])


def test_with_a_chance_of_a_hit_the_first_turn_is_worth_more() -> None:
    """Chance 1/2: one turn narrows by 1/2 x 1/2 + 1/2 x 1/6 = 1/3; two narrow by 1/2 in 3/2 turns, too."""
    ordered = query([0.0], [[1 / 2], [1 / 3]]).ordered(aim_of("means", 1), chance=0.5)
    assert ordered.worth[0] == pytest.approx(1 / 3)
    assert ordered.worth[1] == pytest.approx(1 / 3)


def test_a_document_that_settles_both_runs_alike_is_judged_first() -> None:
    """A hit on top of both rankings would end all doubt about the difference."""
    ordered = query([0.0, 0.0], [[1.0, 1.0], [0.5, 0.0]]).ordered(aim_of("difference", 2), chance=0.9)
    assert ordered.documents.tolist() == [0, 1]
    rarely = query([0.0, 0.0], [[1.0, 1.0], [0.5, 0.0]]).ordered(aim_of("difference", 2), chance=0.1)
    assert rarely.documents.tolist() == [1, 0]
