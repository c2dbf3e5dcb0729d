"""Whether the labels still fit both versions of a pair: where not, their difference is no regression."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from firsthit.card.card import Card
from firsthit.comparison.comparison import StaleSide, Verdict
from firsthit.comparison.pairs import Pairs
from firsthit.ids import Ids
from firsthit.record.record import Record
from firsthit.staleness import VERDICT, Staleness

__all__ = ["stale_sides", "stale_verdict"]

FOUND_BEFORE = 5
"""Queries with a hit in the other version from which their total loss is no chance."""

FEWEST_IDS = 10
"""Different documents that both versions hold: where fewer are retrieved, sharing none may be chance."""


def stale_sides(pairs: Pairs, limit: float) -> Iterator[StaleSide]:
    """What is known of the labels' fit to either version, OLD first.

    A saved evaluation knows it where a corpus was there. Else only one thing is evidence: one version holds
    no labelled document at all and no document of the other, which found many.
    """
    sides = ((pairs.old_name, pairs.old, pairs.new), (pairs.new_name, pairs.new, pairs.old))
    for name, record, other in sides:
        found = record.card.staleness or _changed_ids(record, other)
        if found is not None:
            yield StaleSide(name, msgspec.structs.replace(found, limit=limit))


def _changed_ids(record: Record, other: Record) -> Staleness | None:
    """All labels as stale where a version has no id in common with the other one and with the labels."""
    if record.card.labelled_retrieved != 0 or np.count_nonzero(other.first_rank) < FOUND_BEFORE:
        return None
    if any(_about_more_than_documents(one.card) for one in (record, other)):
        return None
    ids, others = _ranked(record), _ranked(other)
    labelled = dict.fromkeys(record.detail.relevant.ids)
    if min(len(ids), len(others)) < FEWEST_IDS or not ids.keys().isdisjoint(others | labelled):
        return None
    count = len(record.detail.relevant.ids)
    cause = _cause(labelled, ids)
    return Staleness(count, count, reasons={"document": count}, cause=cause, basis="rankings")


def _about_more_than_documents(card: Card) -> bool:
    """Whether labels are about sources, spans, quotes or answers: these do not change with ids."""
    return card.evidence is not None and any(
        count for what, count in card.evidence.labels.items() if what != "documents"
    )


def _ranked(record: Record) -> dict[str, None]:
    ids: Ids = record.detail.ranked.ids
    return dict.fromkeys(ids)


def _cause(labelled: dict[str, None], ids: dict[str, None]) -> str:
    from firsthit.staleness.find import likely_cause

    return likely_cause(list(labelled), list(ids), "run")


def stale_verdict(verdict: Verdict, sides: tuple[StaleSide, ...]) -> Verdict:
    """The verdict where labels are stale: it cannot be told which version is better, and why."""
    stale = [side for side in sides if side.staleness.over]
    if not stale:
        return verdict
    why = " ".join(f"{side.name}: {side.staleness.sentence(verdict=False)}." for side in stale)
    sentence = f"{VERDICT[0].upper()}{VERDICT[1:]}. {why} The numbers say: {verdict.sentence}"
    return msgspec.structs.replace(verdict, kind="cannot_tell", sentence=sentence, second_sentence=None)
