"""What an evaluation saw of passages, and of what labels point at, for the card."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.card.evidence import WEAKER, EvidenceFacts
from firsthit.evaluation.joined import Joined
from firsthit.evaluation.seen import Outcome, Seen
from firsthit.ids import Ids
from firsthit.qrels import Qrels
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved

__all__ = [
    "Window",
    "evidence_facts",
    "evidence_notices",
    "flag_differences",
    "kind_notices",
    "passage_notices",
    "window_of",
]

Ints = NDArray[np.int64]

DEEPEST_WINDOW = 10


class Window(msgspec.Struct, frozen=True, eq=False):
    """How many places of each query's top k each source has: entry i is `places[i]` of `query[i]`."""

    depth: int
    doc_ids: Ids
    query: Ints
    source: Ints  # number in doc_ids
    places: Ints


def window_of(retrieved: Retrieved, k: int, counted: NDArray[np.bool_]) -> Window | None:
    """The sources in the windows of the queries counted; None where no source is known."""
    from firsthit.resolve.units import sources_of

    unit = sources_of(retrieved.passages)
    if unit is None:
        return None
    query = np.repeat(np.arange(len(retrieved.retrieved)), np.diff(retrieved.offsets))
    rank = np.arange(len(query)) - retrieved.offsets[query] + 1
    shown = (rank <= k) & counted[query]
    sources = len(unit.doc_ids)
    keys, places = np.unique(
        query[shown] * sources + unit.number[retrieved.passage[shown]], return_counts=True
    )
    its_query, source = np.divmod(keys, sources)
    return Window(k, unit.doc_ids, its_query, source, places)


def evidence_facts(seen: Seen, outcome: Outcome, counted: NDArray[np.bool_]) -> EvidenceFacts | None:
    """The facts, None where labels and run were joined by the ids of documents alone."""
    joined, rules = seen.joined, seen.plan.primary_rules
    retrieved = joined.retrieved
    if retrieved is None:
        return None
    unresolved, partial = _not_satisfied(seen)
    window = window_of(retrieved, seen.plan.primary.cutoff or DEEPEST_WINDOW, counted)
    averages = _averages(window)
    means = {m: m.over(values) for m, values in outcome.by_passage.items()}
    return EvidenceFacts(
        labels=_about(seen.digest.qrels, answers=rules.match == "answers"),
        kinds=_kinds(seen.digest.qrels),
        passages=len(retrieved.passages),
        sources=joined.sources if window is not None else "",
        unresolved=unresolved,
        partial=partial,
        folded=joined.removed,
        window=0 if window is None else window.depth,
        sources_in_window=averages[0],
        largest_share=averages[1],
        passage_means={str(m): None if math.isnan(mean) else mean for m, mean in means.items()},
        flags=_flags(seen),
    )


def _not_satisfied(seen: Seen) -> tuple[int, int]:
    """Relevant labels that no retrieved passage satisfies, and places that cover too little of one."""
    resolved = seen.joined.resolved
    labels = None if resolved is None else resolved.qrels.original
    if resolved is None or labels is None:
        return 0, 0
    relevant = labels.grade >= seen.rel
    none = int(np.count_nonzero(relevant & (resolved.why > 0)))
    return none, int(np.count_nonzero(relevant[resolved.partial.label]))


def _averages(window: Window | None) -> tuple[float | None, float | None]:
    """How many sources a window holds, and the share of the largest, over the windows that hold anything."""
    if window is None or not len(window.query):
        return None, None
    starts = np.flatnonzero(np.diff(window.query, prepend=-1))
    total, most = np.add.reduceat(window.places, starts), np.maximum.reduceat(window.places, starts)
    sources = np.diff(starts, append=len(window.query))
    return math.fsum(sources) / len(starts), math.fsum(most / total) / len(starts)


def _about(qrels: Qrels, *, answers: bool) -> dict[str, int]:
    """How many labels are about documents, sources, spans, quotes or answers."""
    if answers:
        return {"answers": len(qrels)}
    documents = np.diff(qrels.doc_ids.offsets) > 0
    evidence = qrels.evidence
    if evidence is None:
        return {"documents": len(qrels)}
    source, quote = (np.diff(text.offsets) > 0 for text in (evidence.source, evidence.quote))
    spans = ~documents & source & evidence.spans
    quotes = ~documents & ~spans & quote
    counts = {"documents": documents, "spans": spans, "quotes": quotes}
    counts["sources"] = ~documents & ~spans & ~quotes
    return {name: int(mask.sum()) for name, mask in counts.items() if mask.any()}


def _kinds(qrels: Qrels) -> dict[str, int]:
    if qrels.evidence is None:
        return {}
    kind = qrels.evidence.kind
    if kind.offsets[-1] == kind.offsets[0]:
        return {}
    return dict(sorted(Counter(one or "not stated" for one in kind).items()))


def flag_differences(seen: Seen) -> tuple[Ints, int]:
    """Places whose has_answer flag is not what the text says, and how many flags were compared."""
    retrieved, holds = seen.joined.retrieved, seen.joined.holds
    if retrieved is None or retrieved.has_answer is None or holds is None:
        return np.zeros(0, np.int64), 0
    compared = (retrieved.has_answer >= 0) & (holds >= 0)
    return np.flatnonzero(compared & (retrieved.has_answer != holds)), int(compared.sum())


def _flags(seen: Seen) -> dict[str, int]:
    differing, compared = flag_differences(seen)
    return {"compared": compared, "differing": len(differing)} if compared else {}


def kind_notices(qrels: Qrels) -> Iterator[str]:
    """Labels that nobody judged, as the labels themselves say."""
    kinds = _kinds(qrels)
    if count := kinds.get("llm"):
        whole = many(len(qrels), "label was", "labels were")
        yield f"{count:,} of {whole} made by a language model (kind llm)"
    if count := kinds.get("answer-string"):
        some = "" if count == len(qrels) else f"{count:,} of {len(qrels):,} labels: "
        yield f"{some}{WEAKER}"


def evidence_notices(seen: Seen) -> Iterator[str]:
    """What kind of labels they are, and what keeps them from being satisfied."""
    yield from kind_notices(seen.digest.qrels)
    yield from passage_notices(seen.joined)


def passage_notices(joined: Joined) -> Iterator[str]:
    """What keeps labels from being satisfied that is not the ranking's doing."""
    from firsthit.resolve.resolve import EMPTY_QUOTE, NO_SOURCES, NO_SPANS, NO_TEXTS, REASONS

    if joined.retrieved is None:
        return
    yield from joined.retrieved.passages.notes
    if joined.resolved is None:
        return
    for reason in (EMPTY_QUOTE, NO_SOURCES, NO_SPANS, NO_TEXTS):
        if count := int(np.count_nonzero(joined.resolved.why == reason)):
            which = many(count, "label is", "labels are")
            help_ = (
                "" if reason == EMPTY_QUOTE else "; give the run's rows what is missing, or --passages FILE"
            )
            yield f"{which} satisfied by no passage because {REASONS[reason]}{help_}"
