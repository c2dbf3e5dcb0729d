"""What an evaluation saw of needs and tokens, for the card, the lists and the record."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firsthit.card.needs import NeedFacts, TokenFacts, WindowFacts
from firsthit.evaluation.seen import Outcome, Seen
from firsthit.measures.budget import tokens_to, window
from firsthit.measures.needs import complete, coverage, needs_of

__all__ = ["need_facts", "needs_not_found", "token_facts", "window_facts"]

Mask = NDArray[np.bool_]


def need_facts(seen: Seen, counted: Mask) -> NeedFacts | None:
    """The needs of the queries counted; None where neither labels nor a queries file name any."""
    hits = seen.hits
    if not hits.qrels.has_needs:
        return None
    cutoff = seen.plan.primary.cutoff
    k = np.maximum(hits.retrieved, 0) if cutoff is None else cutoff
    needs, shares, whole = needs_of(hits, seen.rel), coverage(hits, k, seen.rel), complete(hits, k, seen.rel)
    chosen = counted[needs.query]
    has_needs = counted & (needs.number > 0)
    return NeedFacts(
        needs=int(chosen.sum()),
        required=int((needs.required & chosen).sum()),
        unlabelled=int(((needs.labels == 0) & chosen).sum()),
        without_relevant=int(((needs.labels > 0) & (needs.relevant == 0) & chosen).sum()),
        cutoff=cutoff,
        coverage=_mean(shares[counted]),
        complete=_mean(whole[counted]),
        queries=int(has_needs.sum()),
        incomplete=int((has_needs & (whole == 0)).sum()),
    )


def needs_not_found(seen: Seen, counted: Mask) -> Iterator[tuple[Any, ...]]:
    """Query, need, whether it is required, its labels, its relevant labels, and why nothing covers it.

    The need of labels without one is None.
    """
    hits = seen.hits
    if not hits.qrels.has_needs:
        return
    needs = needs_of(hits, seen.rel)
    why = np.select(
        [needs.labels == 0, needs.relevant == 0, hits.retrieved[needs.query] < 0],
        ["it has no label", "it has no relevant label", "the query is absent from the run"],
        "none of its sources is retrieved",
    )
    for i in np.flatnonzero((needs.first_rank == 0) & counted[needs.query]).tolist():
        query_id = hits.qrels.query_ids[int(needs.query[i])]
        numbers = int(needs.labels[i]), int(needs.relevant[i])
        yield query_id, needs.names[needs.need[i]] or None, bool(needs.required[i]), *numbers, str(why[i])


def token_facts(seen: Seen, outcome: Outcome) -> TokenFacts | None:
    """The tokens down to the first hit of the queries counted; None where they are not known."""
    rows = seen.shown.rows
    ranks = np.zeros(len(seen.hits.retrieved), np.int64)
    ranks[rows[outcome.counted]] = outcome.first_rank[outcome.counted]
    found = tokens_to(seen.hits, ranks)
    if found is None:
        return None
    read = found[found >= 0].tolist()
    return TokenFacts(
        counted=seen.joined.tokens,
        queries=len(read),
        mean=math.fsum(read) / len(read) if read else None,
        median=float(np.median(read)) if read else None,
    )


def window_facts(seen: Seen, counted: Mask) -> dict[str, WindowFacts]:
    """What each token budget of the measures holds, by its tokens."""
    budgets = sorted({measure.budget for measure in seen.plan.rules if measure.budget is not None})
    chosen = counted & (seen.full.retrieved > 0)
    return {str(budget): _window(window(seen.full, budget)[chosen].tolist()) for budget in budgets}


def _window(places: list[int]) -> WindowFacts:
    mean = math.fsum(places) / len(places) if places else None
    return WindowFacts(passages=mean, empty=places.count(0))


def _mean(values: NDArray[np.float64]) -> float:
    return math.fsum(values) / len(values) if len(values) else 0.0
