"""The sentences and words that several reports share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from firsthit.card.text import order_text
from firsthit.comparison.changes import CHANGES
from firsthit.report.numbers import between, count, rank, signed
from firsthit.significance.intervals import FEW
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.card.card import Card
    from firsthit.comparison.comparison import Comparison

__all__ = [
    "CELL_WORDS",
    "CHANGE_WORDS",
    "VERDICT_WORDS",
    "agreement_words",
    "answers_of",
    "bounds_words",
    "comparability",
    "interval_words",
    "mean_name",
    "movement",
    "order_by_change",
    "pairing_words",
]

VERDICT_WORDS = {
    "better": "Better",
    "worse": "Worse",
    "equivalent": "Equivalent",
    "cannot_tell": "Cannot tell",
}

CHANGE_WORDS = {
    "gained": "gained a hit",
    "lost": "lost its hit",
    "up": "up",
    "down": "down",
    "same": "same",
    "both_miss": "no hit in both",
}

CELL_WORDS = {
    "hit_right": "hit, right",
    "hit_wrong": "hit, wrong",
    "miss_right": "miss, right",
    "miss_wrong": "miss, wrong",
}


def mean_name(measure: str) -> str:
    """The name of a measure's mean.

    >>> mean_name("RR@10"), mean_name("nDCG@10")
    ('MRR@10', 'nDCG@10')
    """
    return f"M{measure}" if measure.startswith("RR") else measure


def interval_words(comparison: Comparison) -> str:
    """The interval of the primary difference, and how it was made."""
    interval = comparison.primary.interval
    padded = f", widened: {_why_widened(comparison)}" if interval.padded else ""
    return f"95% interval {between(interval.low, interval.high)}{padded}"


def _why_widened(comparison: Comparison) -> str:
    few = comparison.primary.nonzero < FEW
    return f"fewer than {FEW} queries differ" if few else "all differences are equal"


def pairing_words(comparison: Comparison) -> str:
    """How many queries were paired, and what was left out."""
    pairing = comparison.pairing
    said = many(pairing.paired, "query", "queries") + " in both"
    if pairing.common or pairing.only_old or pairing.only_new:
        left = f"{count(len(pairing.only_old))} only in {comparison.old}, "
        said += f"; left out: {left}{count(len(pairing.only_new))} only in {comparison.new}"
    return said


def bounds_words(comparison: Comparison) -> str:
    """What unjudged documents could do to the difference."""
    if comparison.bounds is None:
        return f"not known: {comparison.bounds_reason}" if comparison.bounds_reason else "not known"
    low, high = comparison.bounds.mean
    disputed = len(comparison.disputed)
    if not disputed and low == high:
        return "none: every document above a first hit is judged"
    queries = many(disputed, "query", "queries")
    return f"the difference is between {between(low, high)} after any further judging; {queries} disputed"


def agreement_words(comparison: Comparison) -> str:
    """How alike the rankings are, in one line that needs no label; empty where it is not known."""
    found = comparison.agreement
    if found is None or not found.queries:
        return ""
    return (
        f"{percent(found.mean_overlap, 0)} of the top {found.cutoff} in both, rank-biased overlap "
        f"{found.mean_rbo:.2f}; another document first for {percent(found.churn_at_1, 0)} of the queries, "
        f"another top {found.cutoff} for {percent(found.churn, 0)}"
    )


def comparability(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """What must be alike for two numbers to be compared: what, in OLD, in NEW."""
    cards = comparison.card_old, comparison.card_new
    shares = comparison.judged_share_old, comparison.judged_share_new
    yield "Labels", *_both(cards, lambda card: _digest(card.labels.sha256))
    yield "Population", *_both(cards, lambda card: many(card.counts["queries"], "query", "queries"))
    yield "Hit, miss, absent", *_both(cards, lambda card: _hits(card.counts))
    yield "Measure", *_both(cards, lambda card: mean_name(card.primary))
    yield "Order", *_both(cards, lambda card: order_text(card.run.order, card.rules))
    yield (
        f"Judged in the top {comparison.cutoff or cards[0].judged_at}",
        percent(shares[0], 0),
        percent(shares[1], 0),
    )


def _both(cards: tuple[Card, Card], say: Callable[[Card], str]) -> tuple[str, str]:
    return say(cards[0]), say(cards[1])


def _digest(digest: str) -> str:
    return f"sha256:{digest[:12]}" if digest else "no digest"


def _hits(counts: dict[str, int]) -> str:
    return ", ".join(count(counts[name]) for name in ("hit", "miss", "absent"))


def order_by_change(comparison: Comparison) -> list[int]:
    """The queries, the largest difference first; a loss before an equal gain, then as they come."""
    difference = comparison.difference
    order: list[int] = np.lexsort((np.arange(len(difference)), difference, -np.abs(difference))).tolist()
    return order


def answers_of(comparison: Comparison) -> list[str]:
    """For each query whether its answer was right in OLD and in NEW; "" without answers."""
    if comparison.answers is None:
        return [""] * len(comparison.query_ids)
    found: dict[str, str] = {}
    for (old, new), queries in comparison.answers.transitions.items():
        words = [cell.split("_")[1] for cell in (old, new)]
        said = words[0] if words[0] == words[1] else " → ".join(words)
        found.update(dict.fromkeys(queries, said))
    return [found.get(query_id, "") for query_id in comparison.query_ids]


def movement(comparison: Comparison, i: int) -> str:
    """One sentence on what happened to a query."""
    old, new = int(comparison.first_rank_old[i]), int(comparison.first_rank_new[i])
    change = CHANGES[comparison.change[i]]
    said = {
        "gained": f"{comparison.new} has a hit at rank {rank(new)}, {comparison.old} has {_where(old)}.",
        "lost": f"{comparison.old} has a hit at rank {rank(old)}, {comparison.new} has {_where(new)}.",
        "up": f"The first hit moved up from rank {rank(old)} to {rank(new)}.",
        "down": f"The first hit moved down from rank {rank(old)} to {rank(new)}.",
        "same": f"The first hit stands at rank {rank(new)} in both.",
        "both_miss": "Neither has a hit within the cutoff.",
    }[change]
    return f"{said} Difference {signed(float(comparison.difference[i]))}.{_unjudged(comparison, i)}"


def _where(first_rank: int) -> str:
    return f"it at rank {rank(first_rank)}, beyond the cutoff" if first_rank else "none"


def _unjudged(comparison: Comparison, i: int) -> str:
    open_new = int(comparison.unjudged_above_new[i])
    if open_new <= 0:
        return ""
    stand = "document stands" if open_new == 1 else "documents stand"
    return f" In {comparison.new}, {count(open_new)} unjudged {stand} above it."
