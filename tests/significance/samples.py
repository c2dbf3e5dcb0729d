"""Pairs of systems with realistic first ranks, whose true mean difference is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RECIPROCAL = np.array([1 / rank for rank in range(1, 11)] + [0.0])
FIRST_RANKS = {
    "one relevant page a query": [
        0.128,
        0.081,
        0.059,
        0.045,
        0.030,
        0.026,
        0.020,
        0.021,
        0.017,
        0.017,
        0.556,
    ],
    "abstracts, few relevant": [0.316, 0.244, 0.107, 0.062, 0.044, 0.009, 0.004, 0.018, 0.022, 0.018, 0.156],
    "news, many relevant": [0.52, 0.16, 0.05, 0.09, 0.02, 0.02, 0.01, 0.05, 0.0, 0.01, 0.07],
}
"""The share of queries with first rank 1 to 10 or none: MS MARCO documents, Cranfield, Robust 2003."""


class Law(NamedTuple):
    """The law of one non-zero difference: its values and their probabilities."""

    values: Floats
    probability: Floats

    def mean(self, tied: float) -> float:
        """The true mean difference when this share of queries is tied."""
        return float(self.values @ self.probability) * (1 - tied)

    def draw(self, tied: float, shape: tuple[int, ...], seed: int | list[int]) -> Floats:
        """Differences of `shape`, tied ones 0."""
        generator = np.random.default_rng(seed)
        drawn = generator.choice(self.values, shape, p=self.probability)
        return np.where(generator.random(shape) < tied, 0.0, drawn)


def law(shares: list[float], better: float) -> Law:
    """Two different first ranks drawn from these shares; the new system has the better with this chance.

    At one half the two systems are exchanged at random for each query: a true null.
    """
    high, low = np.triu_indices(len(shares), 1)
    weight = np.multiply(np.array(shares)[high], np.array(shares)[low])
    weight /= weight.sum()
    gain = RECIPROCAL[high] - RECIPROCAL[low]
    probability = np.concatenate((weight * better, weight * (1 - better)))
    return Law(np.concatenate((gain, -gain)), probability)


def realistic(number: int, *, seed: int, tied: float = 0.6, better: float = 0.55) -> Floats:
    """Differences of RR@10 between two systems of a collection like MS MARCO's documents."""
    return law(FIRST_RANKS["one relevant page a query"], better).draw(tied, (number,), seed)


reciprocal_differences = st.lists(
    st.builds(lambda a, b: float(a - b), *[st.sampled_from(RECIPROCAL.tolist())] * 2), max_size=40
)
"""Differences of two values of RR@10."""

any_differences = st.one_of(
    reciprocal_differences, st.lists(st.floats(-1, 1, allow_subnormal=False), max_size=40)
)
