"""How often the interval covers and the test errs, over simulated pairs of systems.

    python -m tests.significance.simulation table --pairs 20000    the table in docs/statistics.md
    python -m tests.significance.simulation methods                what other intervals would cover
    python -m tests.significance.simulation clusters               paraphrases of one need
    python -m tests.significance.simulation skewed --pairs 20000   many small gains, rare large losses

The test of the bands is in test_simulation.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import stats

from firsthit.significance import interval, mean_interval, paired_t, percentile_interval, sign_flip
from tests.significance.samples import FIRST_RANKS, Floats, Law, law

PAIRS = 2_000
TIED = (0.3, 0.5, 0.7, 0.85)
QUERIES = (20, 50, 200)
DRAWS = 2_000
"""Fewer draws than the default leave the level as it is: with add-one it holds for any number."""


class Cell(NamedTuple):
    """One setting: where first ranks fall, the share of tied queries, and the number of queries."""

    collection: str
    tied: float
    queries: int

    @property
    def nonzero(self) -> float:
        """How many differences are not 0 on average."""
        return round((1 - self.tied) * self.queries, 9)

    @property
    def usual(self) -> bool:
        """Whether enough differ for both bands to hold; with fewer, only the safe side is promised."""
        return self.nonzero >= 10

    def pairs(self, better: float, pairs: int = PAIRS) -> tuple[Floats, float]:
        """Differences of so many pairs of systems, one pair a row, and their true mean."""
        one = law(FIRST_RANKS[self.collection], better)
        place = list(FIRST_RANKS).index(self.collection)
        seed = [place, round(100 * self.tied), self.queries, round(100 * better)]
        return one.draw(self.tied, (pairs, self.queries), seed), one.mean(self.tied)


def cells() -> Iterator[Cell]:
    """Every setting."""
    for collection in FIRST_RANKS:
        for tied in TIED:
            for queries in QUERIES:
                yield Cell(collection, tied, queries)


def coverage(differences: Floats, mean: float) -> float:
    """The share of rows whose 95% interval holds the true mean."""
    made = [interval(row, low=-1.0, high=1.0) for row in differences]
    return sum(one.low - 1e-12 <= mean <= one.high + 1e-12 for one in made) / len(made)


def others(differences: Floats, mean: float) -> tuple[float, float, float]:
    """What the plain t interval, the percentile bootstrap and BCa would cover."""
    error = differences.std(axis=1, ddof=1) / np.sqrt(differences.shape[1])
    reach = float(stats.t.ppf(0.975, differences.shape[1] - 1)) * error
    plain = float((np.abs(differences.mean(axis=1) - mean) <= reach + 1e-12).mean())
    made = [
        (
            percentile_interval(row, seed=at, resamples=DRAWS),
            mean_interval(row, low=-1.0, high=1.0, seed=at, resamples=DRAWS),
        )
        for at, row in enumerate(differences)
    ]
    holds = np.array([[one.low - 1e-12 <= mean <= one.high + 1e-12 for one in two] for two in made])
    return plain, *holds.mean(axis=0).tolist()


def rejections(differences: Floats) -> float:
    """The share of rows that the sign-flip test rejects at 5%."""
    return sum(sign_flip(row, seed=at, draws=DRAWS).p <= 0.05 for at, row in enumerate(differences)) / len(
        differences
    )


SKEWED = Law(np.array([0.1, -0.9]), np.array([0.9, 0.1]))
"""Nine queries of ten gain a tenth, one loses nine tenths: the mean is 0, but the law is not symmetric."""


def table(pairs: int) -> None:
    """Coverage and rejections of every cell, as Markdown."""
    print("| first ranks | tied | queries | non-zero | covers, null | covers, better | rejects a null |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for cell in cells():
        null, zero = cell.pairs(0.5, pairs)
        shares = [coverage(null, zero), coverage(*cell.pairs(0.65, pairs)), rejections(null)]
        shown = " | ".join(f"{100 * share:.1f}%" for share in shares)
        print(
            f"| {cell.collection} | {cell.tied:.0%} | {cell.queries} | {cell.nonzero:g} | {shown} |",
            flush=True,
        )


def methods(pairs: int) -> None:
    """What other intervals cover with 20 queries, beside the one that is used."""
    print("| first ranks | tied | non-zero | used | plain t | percentile | BCa |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for cell in cells():
        if cell.queries == 20:
            better = cell.pairs(0.65, pairs)
            shown = " | ".join(f"{100 * share:.1f}%" for share in (coverage(*better), *others(*better)))
            print(f"| {cell.collection} | {cell.tied:.0%} | {cell.nonzero:g} | {shown} |", flush=True)


class Paraphrased(NamedTuple):
    """One row of paraphrased needs: differences, and the need of each."""

    differences: Floats
    needs: list[int]


def paraphrased(needs: int, seed: int) -> Paraphrased:
    """A true null over needs of one to five paraphrases; most paraphrases behave as their need does."""
    generator = np.random.default_rng([needs, seed])
    need = np.repeat(np.arange(needs), generator.integers(1, 6, needs))
    one = law(FIRST_RANKS["abstracts, few relevant"], 0.5)
    shared = one.draw(0.4, (needs,), [needs, seed, 1])[need]
    own = one.draw(0.4, (len(need),), [needs, seed, 2])
    return Paraphrased(np.where(generator.random(len(need)) < 0.7, shared, own), need.tolist())


def clustered(needs: int, pairs: int) -> tuple[float, float, float, float]:
    """Coverage and rejections by need, then as if paraphrases were independent queries."""
    rows = [paraphrased(needs, seed) for seed in range(pairs)]
    labelled = [(row.differences, labels) for row in rows for labels in (row.needs, None)]
    holds = [not interval(d, low=-1.0, high=1.0, clusters=own).excludes(0) for d, own in labelled]
    found = [sign_flip(d, seed=at, draws=DRAWS, clusters=own) for at, (d, own) in enumerate(labelled)]
    rejects = [one.p <= 0.05 for one in found]
    by_need, by_query = slice(0, None, 2), slice(1, None, 2)
    covered, rejected = (
        np.mean([holds[by_need], holds[by_query]], 1),
        np.mean([rejects[by_need], rejects[by_query]], 1),
    )
    return float(covered[0]), float(rejected[0]), float(covered[1]), float(rejected[1])


def clusters(pairs: int) -> None:
    """Paraphrases as clusters, and as if they were independent."""
    print("| needs | covers | rejects a null | covers, no clusters | rejects, no clusters |")
    print("|---:|---:|---:|---:|---:|")
    for needs in (15, 30, 60):
        shown = " | ".join(f"{100 * share:.1f}%" for share in clustered(needs, pairs))
        print(f"| {needs} | {shown} |", flush=True)


def skewed(pairs: int) -> None:
    """How often a mean of 0 is rejected where the differences are far from symmetric."""
    print("| queries | sign flips | paired t | interval excludes 0 |\n|---:|---:|---:|---:|")
    for queries in (20, 30, 50, 100, 200, 500):
        rows = SKEWED.draw(0.0, (pairs, queries), seed=queries)
        t = sum((paired_t(row) or 1.0) <= 0.05 for row in rows) / pairs
        shown = " | ".join(f"{100 * s:.1f}%" for s in (rejections(rows), t, 1 - coverage(rows, 0.0)))
        print(f"| {queries} | {shown} |", flush=True)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("what", choices=["table", "methods", "clusters", "skewed"])
    PARSER.add_argument("--pairs", type=int, default=PAIRS)
    CHOSEN = PARSER.parse_args()
    {"table": table, "methods": methods, "clusters": clusters, "skewed": skewed}[CHOSEN.what](CHOSEN.pairs)
