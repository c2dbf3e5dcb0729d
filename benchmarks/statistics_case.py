"""The statistics of a comparison against scipy.stats: 6,980 differences of RR@10, in one process.

    python benchmarks/statistics_case.py

Both sides draw as often. Rounds alternate.
Prints Markdown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np
from scipy import stats

from firsthit.significance import interval, mean_interval, percentile_interval, sign_flip

QUERIES = 6_980
DRAWS = 10_000
FLIPS_AT_A_TIME, RESAMPLES_AT_A_TIME = 1_000, 20
"""What was quickest for scipy.stats among all at once, 1,000, 100 and 20."""
ROUNDS = 3
FIRST_RANKS = [0.128, 0.081, 0.059, 0.045, 0.030, 0.026, 0.020, 0.021, 0.017, 0.017, 0.556]
"""The share of queries with first rank 1 to 10 or none: BM25 on MS MARCO documents."""


def values(tied: float = 0.6) -> tuple[np.ndarray, np.ndarray]:
    """RR@10 of two systems: a share of queries tied, the others drawn afresh."""
    generator = np.random.default_rng(1)
    reciprocal = np.array([1 / rank for rank in range(1, 11)] + [0.0])
    old, fresh = generator.choice(reciprocal, (2, QUERIES), p=FIRST_RANKS)
    return old, np.where(generator.random(QUERIES) < tied, old, fresh)


def permutation(differences: np.ndarray) -> None:
    """SciPy's sign flips."""
    stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=DRAWS, batch=FLIPS_AT_A_TIME
    )


def bootstrap(differences: np.ndarray, method: str) -> None:
    """SciPy's bootstrap."""
    stats.bootstrap((differences,), np.mean, n_resamples=DRAWS, batch=RESAMPLES_AT_A_TIME, method=method)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    old, new = values()
    difference = new - old
    pairs: dict[str, tuple[Callable[[], object], Callable[[], object], int]] = {
        "sign flips, 10,000 draws | permutation_test": (
            lambda: sign_flip(difference, seed=0, draws=DRAWS),
            lambda: permutation(difference),
            20,
        ),
        "percentile bootstrap of the difference, 10,000 | bootstrap": (
            lambda: percentile_interval(difference, seed=0, resamples=DRAWS),
            lambda: bootstrap(difference, "percentile"),
            3,
        ),
        "BCa of a single mean, 10,000 | bootstrap": (
            lambda: mean_interval(new, low=0, high=1, seed=0, resamples=DRAWS),
            lambda: bootstrap(new, "BCa"),
            3,
        ),
    }
    alone = {
        "sign flips, 100,000 draws": lambda: sign_flip(difference, seed=0),
        "paired t interval": lambda: interval(difference, low=-1, high=1),
    }
    distinct, nonzero = len(np.unique(difference)), np.count_nonzero(difference)
    print(f"\n### Statistics, {QUERIES:,} differences of RR@10 ({nonzero:,} not 0, {distinct} distinct)\n")
    print("| what | scipy.stats | firsthit s | scipy.stats s | times | at least |")
    print("|---|---|---:|---:|---:|---:|")
    for name, (ours, theirs, floor) in pairs.items():
        rounds = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
        our, their = (median(side) for side in zip(*rounds, strict=True))
        times = median(their / our for our, their in rounds)
        print(f"| {name} | {our:.3f} | {their:.3f} | {times:.0f} | {floor} |")
    for name, ours in alone.items():
        print(f"| {name} | | {median(seconds(ours) for _ in range(ROUNDS)):.4f} | | | |")


if __name__ == "__main__":
    main()
