"""What the card says of needs and of tokens, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.card.card import Card

__all__ = ["NeedFacts", "TokenFacts", "WindowFacts", "need_lines"]

SEPARATOR = " · "


class NeedFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The needs of the queries counted.

    `needs` count, `required` of them because a queries file says so; `unlabelled` have no label, `unjudged`
    labels and none that is relevant. `coverage` and `complete` are the means at `cutoff`, which is that of
    the primary measure; None is the whole ranking. `queries` have a need, `incomplete` not all covered.
    """

    needs: int
    required: int = 0
    unlabelled: int = 0
    without_relevant: int = 0
    cutoff: int | None = None
    coverage: float = 0.0
    complete: float = 0.0
    queries: int = 0
    incomplete: int = 0


class WindowFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a token budget holds: passages on average, and for how many queries not even the first.

    Both are over the queries counted that retrieved something.
    """

    passages: float | None = None
    empty: int = 0


class TokenFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How tokens are counted, and how many are read to the first hit, over the `queries` that have one."""

    counted: str
    queries: int = 0
    mean: float | None = None
    median: float | None = None


def need_lines(card: Card) -> Iterator[str]:
    """The lines of the short card about needs and tokens; none where there are neither."""
    if card.needs is not None:
        yield SEPARATOR.join(_needs(card.needs))
    if card.tokens is not None:
        yield SEPARATOR.join(_tokens(card, card.tokens))


def _needs(facts: NeedFacts) -> Iterator[str]:
    required = f", {facts.required:,} required" if facts.required else ""
    yield f"needs: {facts.needs:,} in {many(facts.queries, 'query', 'queries')}{required}"
    at = "" if facts.cutoff is None else f"@{facts.cutoff}"
    yield f"Coverage{at} {facts.coverage:.4f}"
    yield f"Complete{at} {facts.complete:.4f} ({facts.incomplete:,} not complete)"
    missing = [(facts.unlabelled, "without a label"), (facts.without_relevant, "without a relevant label")]
    said = ", ".join(f"{many(count, 'need')} {what}" for count, what in missing if count)
    if said:
        yield f"{said} (--list needs)"


def _tokens(card: Card, facts: TokenFacts) -> Iterator[str]:
    how = {"column": "as the run says", "words": "words", "chars4": "code points / 4"}
    if facts.mean is not None and facts.median is not None:
        over = many(facts.queries, "query", "queries")
        mean, median = f"{facts.mean:,.1f}", f"{facts.median:,.1f}"
        yield f"tokens to the first hit: {mean} on average, median {median}, over {over}"
    yield f"tokens: {how.get(facts.counted, facts.counted)}"
    for budget, window in card.windows.items():
        passages = 0.0 if window.passages is None else window.passages
        empty = many(window.empty, "query", "queries")
        yield f"within {int(budget):,}: {passages:.1f} passages on average, an empty window for {empty}"
