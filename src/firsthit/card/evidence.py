"""What the card says of passages, sources and spans, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.card.card import Card

__all__ = ["WEAKER", "EvidenceFacts", "evidence_lines"]

SEPARATOR = " · "

WEAKER = "answer strings are a weaker kind of label: a passage that holds the words need not answer"

LABELS = {
    "documents": ("document", "documents"),
    "sources": ("source", "sources"),
    "spans": ("span", "spans"),
    "quotes": ("quote", "quotes"),
    "answers": ("answer string", "answer strings"),
}


class EvidenceFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What labels point at, and what is known of the passages retrieved.

    `labels` counts the labels by what they are about (documents, sources, spans, quotes, answers), `kinds` by
    how they came to be. `sources` says where sources come from. `unresolved` are relevant labels that no
    retrieved passage satisfies, `partial` places that cover too little of a relevant span, `folded` places
    removed because their document stood before. In the top `window` of a query there are `sources_in_window`
    sources, and `largest_share` of it is the source with most places, both on average. `passage_means` are
    the means by passage, where the unit is the document. `flags` counts the has_answer flags of the run that
    were compared with its texts, and those that differ.
    """

    labels: dict[str, int]
    kinds: dict[str, int] = {}
    passages: int = 0
    sources: str = ""
    unresolved: int = 0
    partial: int = 0
    folded: int = 0
    window: int = 0
    sources_in_window: float | None = None
    largest_share: float | None = None
    passage_means: dict[str, float | None] = {}
    flags: dict[str, int] = {}


def evidence_lines(card: Card) -> Iterator[str]:
    """The lines of the short card about evidence; none where labels name documents and nothing else."""
    facts = card.evidence
    if facts is None:
        return
    if set(facts.labels) != {"documents"}:
        yield SEPARATOR.join(_labels(card, facts))
    if card.rules.unit == "document":
        yield SEPARATOR.join(_unit(card, facts))
    if facts.sources_in_window is not None:
        yield SEPARATOR.join(_window(facts))
    if facts.flags.get("differing"):
        which = f"{facts.flags['differing']:,} of {facts.flags['compared']:,}"
        yield f"has_answer flags of the run that the texts contradict: {which} (--list has-answer)"


def _labels(card: Card, facts: EvidenceFacts) -> Iterator[str]:
    """What the labels judge, and how many passages could not be told."""
    counts = [many(count, *LABELS[name]) for name, count in facts.labels.items() if count]
    yield f"evidence: labels of {', '.join(counts)}"
    if facts.labels.get("answers"):
        yield WEAKER
    if facts.labels.get("spans"):
        yield f"a passage must cover {card.rules.overlap:g} of a span"
    if facts.partial:
        yield f"{many(facts.partial, 'place covers', 'places cover')} less (partial evidence, unjudged)"
    if facts.unresolved:
        yield f"{many(facts.unresolved, 'relevant label')} satisfied by no retrieved passage"


def _unit(card: Card, facts: EvidenceFacts) -> Iterator[str]:
    yield "unit: document"
    yield f"{many(facts.folded, 'passage')} folded into an earlier one"
    by_passage = facts.passage_means.get(card.primary)
    if by_passage is not None:
        yield f"M{card.primary} by passage {by_passage:.4f}"


def _window(facts: EvidenceFacts) -> Iterator[str]:
    sources, largest = facts.sources_in_window, facts.largest_share
    if sources is None or largest is None:
        return
    yield f"sources: from {facts.sources}"
    yield f"{sources:.1f} in the top {facts.window:,} on average"
    yield f"the largest holds {percent(largest, 0)} of it"
