"""Small pairs of evaluations for tests of comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from firsthit import Evaluation, evaluate

__all__ = ["evaluation", "labels_of", "pairs_of_ranks", "run_of"]

Labels = dict[str, dict[str, float]]
Ranks = Mapping[str, int]


def labels_of(queries: Sequence[str]) -> Labels:
    """For each query the relevant document "r" and the judged, not relevant "n"."""
    return {query: {"r": 1, "n": 0} for query in queries}


def run_of(ranks: Ranks, depth: int = 12) -> dict[str, dict[str, float]]:
    """Rankings with "r" at these ranks (0: nowhere) among unjudged documents."""
    rankings = {}
    for query, rank in ranks.items():
        documents = [f"u{place}" for place in range(1, depth)]
        if rank:
            documents.insert(rank - 1, "r")
        rankings[query] = {doc: float(-place) for place, doc in enumerate(documents)}
    return rankings


def evaluation(ranks: Ranks, measures: Sequence[str] = ("RR@10",), **options: Any) -> Evaluation:
    """The evaluation of a run in which "r" has these ranks."""
    return evaluate(labels_of(list(ranks)), run_of(ranks), list(measures), **options)


@st.composite
def pairs_of_ranks(draw: st.DrawFn, most: int = 40) -> tuple[dict[str, int], dict[str, int]]:
    """First ranks of two systems for some queries; many are equal, some are misses."""
    number = draw(st.integers(1, most))
    rank = st.sampled_from([0, 1, 1, 2, 3, 5, 9, 10, 11])
    old = draw(st.lists(rank, min_size=number, max_size=number))
    new = [draw(st.one_of(st.just(first), rank)) for first in old]
    queries = [f"q{place}" for place in range(number)]
    return dict(zip(queries, old, strict=True)), dict(zip(queries, new, strict=True))
