"""What a reader should know about a matched run before believing its numbers, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.ids import Ids
from firsthit.matching.run_facts import RunFacts
from firsthit.qrels import Qrels
from firsthit.rules import Rules
from firsthit.wording import many, percent

__all__ = ["NOTHING_FOUND", "notices_of", "refuse_inverted"]

NOTHING_FOUND = "no labelled document is retrieved for any query, so every value is 0"

_SHOWN = 5
_LOOKED_AT = 10_000
"""How many ids are compared to find out why they do not match."""


def notices_of(
    facts: RunFacts, qrels: Qrels, rules: Rules, retrieved: NDArray[np.int64], strangers: Ids | None = None
) -> RunFacts:
    """The facts with their notices: the most serious first.

    `strangers` are ids of retrieved documents, given where no labelled document is among them.
    """
    notices = [
        *_document_notices(qrels, retrieved, strangers),
        *_query_notices(facts, qrels, retrieved),
        *_rank_notices(facts, rules),
        *_line_notices(facts),
    ]
    return msgspec.structs.replace(facts, notices=tuple(notices))


def refuse_inverted(facts: RunFacts, rules: Rules, source: str) -> None:
    """Where ranks oppose scores and nobody said which counts, stop."""
    if rules.order == "auto" and _inverted(facts):
        hint = (
            "Scores that are distances, or ranks counted from the worst, look like this. Say which one "
            "ranks: --order rank or --order score."
        )
        raise InputError(source, [Problem(_against(facts))], hint=hint)


def _inverted(facts: RunFacts) -> bool:
    return facts.order == "score" and facts.pairs_rise > facts.pairs_fall


def _against(facts: RunFacts) -> str:
    pairs = facts.pairs_rise + facts.pairs_fall
    return (
        f"the rank column contradicts the scores: in {facts.pairs_rise:,} of {pairs:,} neighbouring ranks "
        f"({percent(facts.rising_share)}) the score rises with the rank"
    )


def _document_notices(qrels: Qrels, retrieved: NDArray[np.int64], strangers: Ids | None) -> Iterator[str]:
    """That no labelled document was found although queries are shared, and why it probably was not."""
    if strangers is None:
        return
    rows = np.flatnonzero(np.isin(qrels.query, np.flatnonzero(retrieved > 0)))
    alike = _likeness(qrels.doc_ids.take(rows[:_LOOKED_AT]), strangers)
    yield f"{NOTHING_FOUND}{alike}"


def _query_notices(facts: RunFacts, qrels: Qrels, retrieved: NDArray[np.int64]) -> Iterator[str]:
    absent = np.flatnonzero(retrieved < 0)
    unlabelled = len(facts.unlabelled)
    if not facts.records and not unlabelled:
        return
    if len(absent) == len(retrieved):
        none = "its 1 query is not" if unlabelled == 1 else f"none of its {unlabelled:,} queries is"
        among = "the labelled one" if len(retrieved) == 1 else f"among the {len(retrieved):,} labelled ones"
        why = _alike(facts, qrels, absent)
        yield f"no query of the run has labels: {none} {among}, so every value is 0{why}"
    elif unlabelled:
        shown = ", ".join(islice(facts.unlabelled, _SHOWN))
        more = ", …" if unlabelled > _SHOWN else ""
        yield (
            f"{many(unlabelled, 'query', 'queries')} of the run without labels, not counted: {shown}{more}"
            f"{_alike(facts, qrels, absent)}"
        )


def _alike(facts: RunFacts, qrels: Qrels, absent: NDArray[np.int64]) -> str:
    """Why the queries that found no partner probably did not, on either side."""
    if not len(absent):
        return ""
    return _likeness(qrels.query_ids.take(absent[:_LOOKED_AT]), facts.unlabelled)


def _likeness(labels: Sequence[str], run: Ids) -> str:
    from firsthit.matching.likeness import likeness

    found = likeness(labels, list(islice(run, _LOOKED_AT)))
    return f". {found}" if found else ""


def _rank_notices(facts: RunFacts, rules: Rules) -> Iterator[str]:
    if facts.rank_column == "constant":
        yield "the rank column is the same on every line: it is no rank column and was ignored"
    if facts.rank_column == "fractional":
        yield "the rank column, which orders the run, does not hold whole numbers everywhere"
    if facts.rank_column == "not-integer":
        yield "the rank column does not hold whole numbers everywhere: it is no rank column and was ignored"
    if _inverted(facts) and rules.order != "auto":
        yield f"{_against(facts)}; the order is by score"
    elif facts.inverted_count:
        shown = ", ".join(islice(facts.inverted, _SHOWN))
        more = ", …" if facts.inverted_count > _SHOWN else ""
        what = many(facts.inverted_count, "query has", "queries have")
        yield f"{what} scores that rise with the rank, ordered by score all the same: {shown}{more}"


def _line_notices(facts: RunFacts) -> Iterator[str]:
    if count := facts.duplicates_removed:
        yield f"{many(count, 'duplicate', 'duplicates')} removed"
    if count := facts.self_hits_dropped:
        yield f"{many(count, 'self-hit', 'self-hits')} dropped"
