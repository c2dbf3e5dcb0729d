"""Redundancy: how much of the top k was there before."""

from __future__ import annotations

import numpy as np

from firsthit.errors import UsageError
from firsthit.matching.hits import Head, Hits
from firsthit.matching.rearrange import Ints
from firsthit.measures.counts import num_ret
from firsthit.measures.view import Cut, Floats, refuse_below_1, sealed

__all__ = ["redundancy"]


def redundancy(hits: Hits, k: Cut, similar: float = 1.0) -> Floats:
    """Redundancy: the share of the top k that says again what stands above it.

    Formula: Redundancy@k = (passages of rank <= k that duplicate a passage ranked above them) / min(k,
    passages retrieved). Two passages are duplicates when their texts are equal after NFKC, case folding and
    white-space collapse; with Redundancy(similar=0.8)@k also when they share at least that much of their
    shingles, which are five words in a row: those of both by those of either (Jaccard).
    Reading: At 0.4, four of ten results are copies of others among the ten: the reader, or the prompt, has
    six. The first of several equal passages is no duplicate.
    Edge cases: It has no value (NaN) where nothing was retrieved; such queries are left out of the mean and
    counted. A passage whose text is not known duplicates nothing. It takes no `rel` and sees no labels.
    Limits: It sees words, not meaning: the same in other words is no duplicate. It changes no other measure:
    a duplicate of a relevant passage counts in RR as its own label says.
    Source: none; the complement of the share of distinct passages.

    >>> import numpy as np
    >>> from msgspec.structs import replace
    >>> from firsthit import match, measures, read_qrels, read_run
    >>> hits = match(read_qrels({"q1": {"a": 1}}), read_run({"q1": ["x", "y", "a"]}), depth=3)
    >>> same = replace(hits, groups={1.0: np.array([7, 7, 8])})
    >>> measures.redundancy(same, k=2).tolist(), measures.redundancy(same, k=4).round(4).tolist()
    ([0.5], [0.3333])
    """
    refuse_below_1(k)
    groups = None if hits.groups is None else hits.groups.get(similar)
    if hits.head is None or groups is None:
        raise UsageError(
            "Redundancy needs to know which passages are equal, and no texts of passages are at hand",
            hint="Give a run whose rows have texts, or --passages FILE (in Python passages=).",
        )
    query, rank = _places(hits.head)
    _refuse_shallow(hits, k)
    inside = rank <= (k[query] if isinstance(k, np.ndarray) else k)
    repeated = _repeats(query, groups) & inside
    shown = num_ret(hits, k)
    values = np.full(len(shown), np.nan)
    np.divide(np.bincount(query[repeated], minlength=len(shown)), shown, out=values, where=shown > 0)
    return sealed(values)


def _places(head: Head) -> tuple[Ints, Ints]:
    """Query and rank of each place of the head."""
    counts = np.diff(head.offsets)
    query = np.repeat(np.arange(len(counts)), counts)
    return query, np.arange(len(query)) - head.offsets[query] + 1


def _refuse_shallow(hits: Hits, k: Cut) -> None:
    """Redundancy is of all places within the cutoff: the head must hold them."""
    if hits.head is None or (np.minimum(np.maximum(hits.retrieved, 0), k) > np.diff(hits.head.offsets)).any():
        raise UsageError(f"Redundancy@{np.max(k)} needs the ids of the top {np.max(k)}: keep that depth")


def _repeats(query: Ints, groups: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which places hold a passage of a group that stands above them; a group below 0 is of no other."""
    known = np.flatnonzero(groups >= 0)
    pairs = np.stack([query[known], groups[known]])
    _, first = np.unique(pairs, axis=1, return_index=True)
    repeated = np.zeros(len(query), np.bool_)
    repeated[known] = True
    repeated[known[first]] = False
    return repeated
