"""How alike two rankings are: what can be said of a change without a single label."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.pair_bounds import Top, first_of_each

__all__ = ["PERSISTENCE", "Agreement", "agreement_of"]

PERSISTENCE = 0.9
"""The p of rank-biased overlap: the first ten ranks have 86% of the weight."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Agreement(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Two versions' rankings of the same queries, label-free; NaN and False where neither ranked a document.

    `overlap` is the share of the top `cutoff` that both have; `rbo` the rank-biased overlap to `depth`.
    `first_changed` says where another document stands first, `top_changed` where the top `cutoff` is not the
    same documents in the same order. All four go over the paired queries.
    """

    cutoff: int
    depth: int
    overlap: Floats
    rbo: Floats
    first_changed: NDArray[np.bool_]
    top_changed: NDArray[np.bool_]

    @property
    def queries(self) -> int:
        """For how many queries a document was ranked: the means are over these."""
        return int(np.count_nonzero(~np.isnan(self.overlap)))

    @property
    def mean_overlap(self) -> float:
        """The mean of `overlap`; NaN without a query."""
        return _mean(self.overlap)

    @property
    def mean_rbo(self) -> float:
        """The mean of `rbo`; NaN without a query."""
        return _mean(self.rbo)

    @property
    def churn_at_1(self) -> float:
        """The share of queries with another document on top."""
        return _share(self.first_changed, self.queries)

    @property
    def churn(self) -> float:
        """The share of queries whose top `cutoff` changed, be it in its order only.

        Source: Fard et al., Launch and Iterate: Reducing Prediction Churn, NIPS 2016: the share of cases for
        which two versions of a model predict otherwise. Here the prediction is the top of the ranking.
        """
        return _share(self.top_changed, self.queries)


def agreement_of(old: Top, new: Top, cutoff: int, depth: int) -> Agreement:
    """Compare two rankings of each query, of which the first `depth` documents are held.

    overlap@k = |S_k and T_k| / max(|S_k|, |T_k|), where S_k is the top k of one ranking: of two rankings with
    fewer than k documents, the longer one counts.

    RBO = (1 - p) * sum over d of p^(d-1) * A_d, with A_d = |S_d and T_d| / d, and p = 0.9. Below the
    documents held, A is extrapolated: it stays what it was at the end of the longer ranking; between the end
    s of the shorter one and that, its missing documents are taken to agree as those held do, so that
    A_d = (X_d + X_s * (d - s) / s) / d, with X_d shared documents to depth d. Equal rankings have 1.

    Source: Webber, Moffat, Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010, eq. 32.

    >>> ends, none = np.array([0, 2]), np.zeros(2, bool)
    >>> old, new = (Top(ends, Ids.of(ids), none, np.zeros(1, int)) for ids in (["a", "b"], ["b", "a"]))
    >>> found = agreement_of(old, new, 10, 10)
    >>> found.mean_overlap, round(found.mean_rbo, 3), found.churn
    (1.0, 0.9, 1.0)
    """
    shared = _shared(old, new)
    query, deeper = shared.query, np.maximum(shared.at_old, shared.at_new)
    longest = np.minimum(shared.lengths, cutoff).max(axis=0)
    ranked = longest > 0

    def number(chosen: NDArray[np.bool_]) -> Ints:
        """How many of these shared documents each query has."""
        return np.bincount(query[chosen], minlength=len(longest))

    in_place = number((shared.at_old == shared.at_new) & (deeper <= cutoff))
    arrays = {
        "overlap": np.where(ranked, number(deeper <= cutoff) / np.maximum(longest, 1), np.nan),
        "rbo": np.where(ranked, _rbo(shared, depth), np.nan),
        "first_changed": ranked & (number(deeper == 1) == 0),
        "top_changed": in_place < longest,
    }
    for array in arrays.values():
        array.flags.writeable = False
    return Agreement(cutoff=cutoff, depth=depth, **arrays)


class _Shared(msgspec.Struct, frozen=True, eq=False):
    """The documents that both rank, with both ranks; and how many documents each query has in either."""

    query: Ints
    at_old: Ints
    at_new: Ints
    lengths: Ints


def _shared(old: Top, new: Top) -> _Shared:
    """The join of both rankings. A document that stands twice in one counts at its first place."""
    held = len(old.unjudged)
    first = first_of_each(np.concatenate([old.query, new.query]), Ids.joined(old.ids, new.ids))
    kept_old = first[:held] == np.arange(held)
    kept_new = np.zeros(len(new.unjudged), bool)
    kept_new[np.unique(first[held:], return_index=True)[1]] = True
    rank_old, length_old = _ranks(old, kept_old)
    rank_new, length_new = _ranks(new, kept_new)
    both = np.flatnonzero(kept_new & (first[held:] < held))
    lengths = np.array([length_old, length_new])
    return _Shared(new.query[both], rank_old[first[held:][both]], rank_new[both], lengths)


def _ranks(top: Top, kept: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """The rank of each document among those kept of its ranking, and how many each query has."""
    lengths = np.bincount(top.query[kept], minlength=len(top.first_rank))
    before = np.cumsum(lengths) - lengths
    return np.cumsum(kept) - before[top.query], lengths


def _rbo(shared: _Shared, depth: int) -> Floats:
    """Rank-biased overlap, depth by depth: `agreement` stays what it was once both rankings have ended."""
    shorter, longer = np.sort(shared.lengths, axis=0)
    deeper = np.maximum(shared.at_old, shared.at_new)
    found, found_at_end = np.zeros(len(shorter)), np.zeros(len(shorter))
    agreement, total = np.zeros(len(shorter)), np.zeros(len(shorter))
    for d in range(1, depth + 1):
        found += np.bincount(shared.query[deeper == d], minlength=len(shorter))
        found_at_end = np.where(d <= shorter, found, found_at_end)
        missing = found_at_end * np.maximum(d - shorter, 0) / np.maximum(shorter, 1)
        agreement = np.where(d <= longer, (found + missing) / d, agreement)
        total += (1 - PERSISTENCE) * PERSISTENCE ** (d - 1) * agreement
    return total + PERSISTENCE**depth * agreement


def _mean(values: Floats) -> float:
    valued = values[~np.isnan(values)].tolist()
    return math.fsum(valued) / len(valued) if valued else math.nan


def _share(changed: NDArray[np.bool_], queries: int) -> float:
    return int(np.count_nonzero(changed)) / queries if queries else math.nan
