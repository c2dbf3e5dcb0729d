"""Whether labels still fit a corpus: stale ones, by reason, with their share and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.staleness import MAX_STALE, Staleness
from firsthit.staleness.find import StaleLabel, staleness
from firsthit.wording import many

__all__ = ["LabelCheck", "check_labels"]

SHOWN = 5
"""Stale labels of each reason that a text names; the data names all."""


class LabelCheck(msgspec.Struct, frozen=True):
    """What `firsthit labels check` found: the share, and each stale label."""

    summary: Staleness
    stale: tuple[StaleLabel, ...]
    passages: int
    labels: int

    @property
    def exit_code(self) -> int:
        """2 where a span lies beyond its source, 3 where more is stale than the limit allows, else 0."""
        if any(label.reason == "span" for label in self.stale):
            return 2
        return 3 if self.summary.over else 0

    def text(self) -> str:
        """The findings as lines; the verdict comes first."""
        return "\n".join(_lines(self))

    def data(self) -> dict[str, Any]:
        """Everything as plain data."""
        summary: dict[str, Any] = msgspec.to_builtins(self.summary) | {"share": self.summary.share}
        return summary | {
            "over": self.summary.over,
            "labels_read": self.labels,
            "passages": self.passages,
            "stale_labels": [msgspec.to_builtins(label) for label in self.stale],
        }


def check_labels(
    qrels: Qrels,
    passages: Passages,
    *,
    documents: bool = False,
    max_stale: float = MAX_STALE,
    rel: float = 1.0,
) -> LabelCheck:
    """The labels that point at what the corpus does not hold.

    `documents`: a doc_id of the labels names the document that passages were cut from.

    >>> from firsthit.ids import Ids
    >>> from firsthit.qrels import read_qrels
    >>> found = check_labels(read_qrels({"q1": {"a": 1, "b": 1}}), Passages(Ids.of(["a"])))
    >>> found.exit_code, found.summary.share
    (3, 0.5)
    """
    summary, stale = staleness(qrels, passages, documents=documents, rel=rel, limit=max_stale)
    return LabelCheck(summary, stale, len(passages), len(qrels))


def _lines(found: LabelCheck) -> Iterator[str]:
    summary = found.summary
    if summary.stale:
        yield summary.sentence()
    else:
        looked_at = f"{many(summary.labels, 'relevant label')} of {found.labels:,}"
        yield f"no relevant label is stale: {looked_at} looked at"
    if summary.nonrelevant:
        yield f"{many(summary.nonrelevant, 'stale label')} below the threshold, which can change no hit"
    yield from _named(found)
    yield f"the corpus holds {many(found.passages, 'passage')}"


def _named(found: LabelCheck) -> Iterator[str]:
    reasons = dict.fromkeys(label.reason for label in found.stale)
    for reason in reasons:
        labels = [label for label in found.stale if label.reason == reason]
        yield from (f"  {label.text}" for label in labels[:SHOWN])
        if len(labels) > SHOWN:
            yield f"  … and {len(labels) - SHOWN:,} more of the same kind"
