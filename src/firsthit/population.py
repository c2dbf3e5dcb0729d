"""Which queries count, and what became of each: the population, as codes and masks.

The population is applied once, by `evaluate`; measures never see it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.matching.hits import Hits
from firsthit.rules import Rules

__all__ = [
    "ABSENT",
    "HIT",
    "MISS",
    "NO_RELEVANT",
    "STATUSES",
    "UNANSWERABLE",
    "UNLABELLED",
    "Population",
    "first_entries",
    "has_relevant",
    "in_mean",
    "population",
    "statuses",
]

STATUSES = ("hit", "miss", "absent", "no_relevant", "unlabelled", "unanswerable")
"""The words for the codes below: index into this tuple."""

HIT, MISS, ABSENT, NO_RELEVANT, UNLABELLED, UNANSWERABLE = range(len(STATUSES))


class Population(msgspec.Struct, frozen=True, eq=False):
    """Which of the numbered queries are evaluated.

    `rows` are the numbers of the queries shown, in label order; `answerable[i]` is False where `rows[i]` is
    outside the population because no answer exists; `outside` are labelled queries that a queries table
    leaves out.
    """

    rows: NDArray[np.int64]
    answerable: NDArray[np.bool_]
    outside: NDArray[np.int64]


def population(
    query_ids: Sequence[str],
    labelled: NDArray[np.bool_],
    table: Sequence[str] | None = None,
    answerable: Sequence[bool | None] | None = None,
) -> Population:
    """Every labelled query; with a queries table exactly those, less the ones marked unanswerable."""
    if table is None:
        rows = np.flatnonzero(labelled)
        return Population(rows, np.ones(len(rows), bool), np.zeros(0, np.int64))
    number = {query_id: i for i, query_id in enumerate(query_ids)}
    listed = np.array([number[query_id] for query_id in table], np.int64)
    shown, answers = np.zeros(len(query_ids), bool), np.ones(len(query_ids), bool)
    shown[listed] = True
    if answerable is not None:
        answers[listed] = [answer is not False for answer in answerable]
    rows = np.flatnonzero(shown)
    return Population(rows, answers[rows], np.flatnonzero(labelled & ~shown))


def has_relevant(hits: Hits, rel: float) -> NDArray[np.bool_]:
    """For each query: is any of its labels at least `rel`?"""
    qrels = hits.qrels
    found = np.zeros(len(qrels.query_ids), bool)
    found[qrels.query[qrels.grade >= rel]] = True
    return found


def first_entries(hits: Hits, rel: float) -> NDArray[np.int64]:
    """The entry of each query's first relevant document, for queries that have one."""
    entries = np.flatnonzero(hits.grade >= rel)
    query = hits.query[entries]
    return entries[np.flatnonzero(np.diff(query, prepend=-1))]


def statuses(
    shown: Population,
    *,
    labelled: NDArray[np.bool_],
    relevant: NDArray[np.bool_],
    retrieved: NDArray[np.int64],
    value: NDArray[np.float64],
) -> NDArray[np.int8]:
    """The code of each shown query: the first that applies, from unanswerable down to hit or miss.

    The arrays cover all numbered queries; `value` is the primary measure, and a hit is a value above 0.
    """
    rows = shown.rows
    codes = np.where(value[rows] > 0, HIT, MISS).astype(np.int8)
    codes[retrieved[rows] < 0] = ABSENT
    codes[~relevant[rows]] = NO_RELEVANT
    codes[~labelled[rows]] = UNLABELLED
    codes[~shown.answerable] = UNANSWERABLE
    codes.flags.writeable = False
    return codes


def in_mean(codes: NDArray[np.int8], retrieved: NDArray[np.int64], rules: Rules) -> NDArray[np.bool_]:
    """Which queries the means are over: the population, less what `absent` and `no_relevant` exclude.

    Absence is read from `retrieved`, not from the code: a query that is absent and has no relevant label
    carries the code of the latter, and both rules apply to it.
    """
    mask: NDArray[np.bool_] = codes != UNANSWERABLE
    if rules.absent == "exclude":
        mask &= retrieved >= 0
    if rules.no_relevant == "exclude":
        mask &= codes != NO_RELEVANT
    mask.flags.writeable = False
    return mask
