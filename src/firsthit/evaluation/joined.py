"""From labels and a run to hits: straight where labels name documents, else over the passages retrieved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.files.blocks import Progress
from firsthit.matching.hits import Hits, Tokens
from firsthit.matching.match import match
from firsthit.measures import Measure
from firsthit.qrels import Qrels
from firsthit.rules import Rules
from firsthit.run import Run
from firsthit.staleness import MAX_STALE

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved
    from firsthit.resolve.counting import Counter
    from firsthit.resolve.resolve import Candidates, Resolved
    from firsthit.resolve.sources import Collection

__all__ = ["NOTHING", "Beside", "Joined", "Reading", "join"]

NOT_COMPARED = "Redundancy is of passages: documents that were folded have no text"
NOT_BUDGETED = "a token budget is for passages: documents that were folded have no tokens"


class Beside(msgspec.Struct, frozen=True, eq=False):
    """What is given beside labels and runs: the collection, and how tokens are counted in Python.

    `max_stale` is the share of labels that may point at what the collection does not hold.
    """

    collection: Collection | None = None
    count_tokens: Counter | None = None
    max_stale: float = MAX_STALE

    @classmethod
    def of(
        cls,
        passages: Any = None,
        sources: Any = None,
        source_separator: str | None = None,
        count_tokens: Counter | None = None,
        max_stale: float = MAX_STALE,
    ) -> Beside:
        """What these arguments of `evaluate` give."""
        if passages is None and sources is None and source_separator is None:
            return cls(None, count_tokens, max_stale)
        from firsthit.resolve.sources import Collection

        return cls(Collection.of(passages, sources, source_separator), count_tokens, max_stale)


NOTHING = Beside()


class Reading(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """How a run is read; `texts` says whether the texts of its passages are needed in any case."""

    depth: int = 0
    threads: int | None = None
    progress: Progress | None = None
    digest: bool = False
    texts: bool = False


class Joined(msgspec.Struct, frozen=True, eq=False):
    """Hits of the whole ranking, and what is known of the passages where they were looked at.

    `retrieved` are the rankings of passages as they were retrieved, `frame` those that are evaluated: folded
    to documents where the unit is the document, which removed `removed` places; then `by_passage` are the
    hits before that. `resolved` and `candidates` are there where labels are about more than documents.
    """

    hits: Hits
    retrieved: Retrieved | None = None
    frame: Retrieved | None = None
    resolved: Resolved | None = None
    candidates: Candidates | None = None
    by_passage: Hits | None = None
    removed: int = 0
    holds: NDArray[np.int8] | None = None  # for each place whether it holds an answer, -1 where not known
    sources: str = ""  # where sources come from, in words
    tokens: str = "column"  # what counts tokens

    def at(self, overlap: float) -> Hits:
        """The hits where a passage must cover this share of a labelled span."""
        if self.candidates is None or self.frame is None:
            return self.hits
        return _hits(self.frame, self.candidates.at(overlap).qrels, 0)


def join(
    qrels: Qrels,
    run: Run,
    *,
    rules: Rules,
    measures: Iterable[Measure],
    beside: Beside,
    reading: Reading,
) -> Joined:
    """The labels and the run joined, by documents or by passages."""
    budget = any(measure.budget is not None for measure in measures)
    if budget and rules.unit == "document":
        raise UsageError(NOT_BUDGETED, hint="Leave out the budget, or unit=document.")
    if any(measure.name == "Redundancy" for measure in measures) and rules.unit == "document":
        raise UsageError(NOT_COMPARED, hint="Leave out Redundancy, or unit=document.")
    if not (budget or reading.texts or _by_passage(qrels, rules, beside)):
        return Joined(match(qrels, run, rules=rules, **_arguments(reading)))
    retrieved, sources = _retrieved(qrels, run, rules, beside, reading, budget=budget)
    if rules.unit == "document":
        joined = _by_document(qrels, retrieved, rules, beside, reading.depth)
    elif rules.match == "answers":
        joined = _answered(qrels, retrieved, reading.depth)
    else:
        joined = _labelled(qrels, retrieved, rules, reading.depth)
    counted = rules.tokens if beside.count_tokens is None else _name(beside.count_tokens)
    return msgspec.structs.replace(joined, sources=sources, tokens=counted)


def _name(counter: Counter) -> str:
    return f"counted by {getattr(counter, '__name__', type(counter).__name__)}"


def _labelled(qrels: Qrels, retrieved: Retrieved, rules: Rules, depth: int) -> Joined:
    from firsthit.resolve.resolve import candidates

    found = candidates(qrels, retrieved)
    resolved = found.at(rules.overlap)
    return Joined(
        hits=_hits(retrieved, resolved.qrels, depth),
        retrieved=retrieved,
        frame=retrieved,
        resolved=resolved,
        candidates=found,
    )


def _hits(frame: Retrieved, qrels: Qrels, depth: int) -> Hits:
    """The labels joined with these rankings, with the tokens of each where all are known."""
    hits: Hits = frame.hits(qrels, depth)
    tokens = frame.passages.tokens
    if tokens is None or (tokens < 0).any():
        return hits
    return msgspec.structs.replace(hits, tokens=Tokens.of(frame.offsets, tokens[frame.passage]))


def _by_passage(qrels: Qrels, rules: Rules, beside: Beside) -> bool:
    """Whether anything asks for more than the ids of documents."""
    more = rules.unit == "document" or rules.match == "answers" or _counter(rules, beside) is not None
    return more or not qrels.by_doc_id or bool(beside.collection)


def _counter(rules: Rules, beside: Beside) -> Counter | None:
    """What counts tokens, None where they are the run's own."""
    if beside.count_tokens is not None or rules.tokens == "column":
        return beside.count_tokens
    from firsthit.resolve.counting import COUNTERS

    return COUNTERS[rules.tokens]


def _arguments(reading: Reading) -> dict[str, Any]:
    arguments = msgspec.structs.asdict(reading)
    del arguments["texts"]
    return arguments


def _retrieved(
    qrels: Qrels, run: Run, rules: Rules, beside: Beside, reading: Reading, *, budget: bool
) -> tuple[Retrieved, str]:
    """The places of all rankings, with what is known of their passages from the run and beside it.

    And where their sources come from, in words.
    """
    from firsthit.matching.retrieved import retrieve
    from firsthit.resolve.counting import with_tokens

    arguments = _arguments(reading)
    del arguments["depth"]
    counter = _counter(rules, beside)
    columns = _columns(qrels, rules, counted=counter is not None)
    if reading.texts:
        columns |= {"text"}
    found = retrieve(qrels, run, rules=rules, columns=columns, **arguments)
    passages, sources = found.passages, "the run" if found.passages.source is not None else ""
    if beside.collection:
        passages, sources = beside.collection.filled(passages), beside.collection.voices(passages)
    if budget or counter is not None:
        passages = with_tokens(passages, counter, run.name)
    return msgspec.structs.replace(found, passages=passages), sources


def _columns(qrels: Qrels, rules: Rules, *, counted: bool) -> frozenset[str]:
    """The columns of the run that are needed beyond ids and order."""
    evidence = qrels.evidence
    quoted = evidence is not None and evidence.quote.offsets[-1] > 0
    columns = {"source", "start", "end"}
    columns.add("text" if counted else "tokens")
    if quoted or rules.match == "answers":
        columns.add("text")
    if rules.match == "answers":
        columns.add("has_answer")
    return frozenset(columns)


def _answered(qrels: Qrels, retrieved: Retrieved, depth: int) -> Joined:
    from firsthit.resolve.answers import answered
    from firsthit.resolve.resolve import Unit

    held = answered(qrels, retrieved)
    hits = _hits(retrieved, held.labels(Unit.of(retrieved.passages)), depth)
    return Joined(hits=hits, retrieved=retrieved, frame=retrieved, holds=held.holds)


def _by_document(qrels: Qrels, retrieved: Retrieved, rules: Rules, beside: Beside, depth: int) -> Joined:
    """The rankings of documents, and beside them those of passages."""
    from firsthit.resolve.answers import answered
    from firsthit.resolve.resolve import Unit, candidates
    from firsthit.resolve.sources import Collection
    from firsthit.resolve.units import about_sources, documents_of, folded, folded_labels

    unit, found, resolved, holds = documents_of(retrieved.passages), None, None, None
    frame, removed = folded(retrieved, unit)
    if rules.match == "answers":
        held = answered(qrels, retrieved)
        labels, of_passages, holds = held.labels(unit), held.labels(Unit.of(retrieved.passages)), held.holds
    else:
        collection = beside.collection or Collection()
        found = candidates(folded_labels(qrels, retrieved.passages, collection), retrieved, unit)
        resolved = candidates(about_sources(qrels, retrieved.passages), retrieved).at(rules.overlap)
        labels, of_passages = found.at(rules.overlap).qrels, resolved.qrels
    return Joined(
        hits=_hits(frame, labels, depth),
        retrieved=retrieved,
        frame=frame,
        resolved=resolved,
        candidates=found,
        by_passage=_hits(retrieved, of_passages, 0),
        removed=removed,
        holds=holds,
    )
