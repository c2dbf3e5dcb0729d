"""Labels that no longer fit the corpus: each one that points at what is gone, and the likely cause."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import islice

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.matching.likeness import Likeness, likeness
from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.resolve.quotes import normalised
from firsthit.staleness.corpus import Corpus, places_of
from firsthit.staleness.summary import MAX_STALE, REASONS, Staleness

__all__ = ["StaleLabel", "likely_cause", "refuse_beyond", "staleness", "strangers"]

LOOKED_AT = 10_000
"""How many ids are compared to find out why they do not match."""

EXPLAINING = 0.5
"""The share of the gone documents that a change of ids must explain to be called the likely cause."""


class StaleLabel(msgspec.Struct, frozen=True):
    """A label whose document, source, quote or span the corpus does not hold; `row` is its row in Qrels."""

    row: int
    reason: str
    text: str


def staleness(
    qrels: Qrels,
    passages: Passages,
    *,
    retrieved: Passages | None = None,
    documents: bool = False,
    rel: float = 1.0,
    limit: float = MAX_STALE,
) -> tuple[Staleness, tuple[StaleLabel, ...]]:
    """The stale labels among `qrels`, given the corpus; and each of them, in label order.

    A label is stale when its document, its source, its quote or its span is not in the corpus, and no ranking
    holds its document or source (`retrieved`, the passages of a run). `documents`: labels name the documents
    that passages were cut from. Without a corpus nothing is certain: a judged document that no run returns is
    normal.

    >>> from firsthit.ids import Ids
    >>> from firsthit.qrels import read_qrels
    >>> labels = read_qrels({"q1": {"a": 1, "b": 1}})
    >>> summary, stale = staleness(labels, Passages(Ids.of(["a", "c"])))
    >>> summary.share, stale[0].text
    (0.5, "document 'b' of query 'q1' is not in the corpus")
    """
    corpus = Corpus(passages)
    held = _Held.of(corpus, retrieved, documents=documents)
    stale = [label for row in range(len(qrels)) if (label := _stale(qrels, row, corpus, held))]
    relevant = qrels.grade >= rel
    counted = [label for label in stale if relevant[label.row]]
    reasons = {name: n for name in REASONS if (n := sum(label.reason == name for label in counted))}
    summary = Staleness(
        labels=int(relevant.sum()),
        stale=len(counted),
        nonrelevant=len(stale) - len(counted),
        reasons=reasons,
        cause=_cause(qrels, stale, corpus),
        limit=limit,
    )
    return summary, tuple(stale)


def refuse_beyond(qrels: Qrels, stale: Sequence[StaleLabel]) -> None:
    """InputError where labels name spans beyond their sources: no chunking has them."""
    found = [label for label in stale if label.reason == "span"]
    if found:
        problems = [Problem(label.text, int(qrels.line[label.row])) for label in found[:20]]
        hint = (
            "start and end count the Unicode code points of the source's text, the end excluded. Where the "
            "source changed, firsthit labels carry moves spans with their words."
        )
        raise InputError(qrels.path or qrels.name, problems, len(found), hint=hint)


def strangers(retrieved: Passages, passages: Passages) -> bool:
    """Whether passages were retrieved, and the corpus knows none of them, nor their sources.

    >>> from firsthit.ids import Ids
    >>> strangers(Passages(Ids.of(["a#0"])), Passages(Ids.of(["b"])))
    True
    >>> strangers(Passages(Ids.of(["a#0"]), Ids.of(["a"])), Passages(Ids.of(["a"])))
    False
    """
    corpus, found = Corpus(passages), Corpus(retrieved)
    known = corpus.row.keys() | corpus.by_source.keys()
    return len(found) > 0 and known.isdisjoint(found.row) and known.isdisjoint(found.by_source)


class _Held(msgspec.Struct, frozen=True, eq=False):
    """The documents and sources that are there: in the corpus, or in the rankings of a run."""

    documents: Container[str]
    also: Container[str]  # documents and sources that only the run holds

    @classmethod
    def of(cls, corpus: Corpus, retrieved: Passages | None, *, documents: bool) -> _Held:
        also: set[str] = set()
        if retrieved is not None:
            also.update(retrieved.doc_ids, Corpus(retrieved).sources)
        known = {**corpus.row, **corpus.by_source} if documents else corpus.row
        return cls(known, also)


def _stale(qrels: Qrels, row: int, corpus: Corpus, held: _Held) -> StaleLabel | None:
    """The first thing that is wrong with what a label points at."""
    doc_id = qrels.doc_ids[row]
    query_id = qrels.query_ids[int(qrels.query[row])]
    if doc_id and doc_id not in held.documents:
        what = f"document {doc_id!r} of query {query_id!r} is not in the corpus"
        return None if doc_id in held.also else StaleLabel(row, "document", what)
    if qrels.evidence is None:
        return None
    of_document = corpus.sources[corpus.row[doc_id]] if doc_id in corpus.row else doc_id
    source = qrels.evidence.source[row] or of_document
    reason = _source_reason(qrels, row, source, corpus)
    if not reason or (reason == "source" and source in held.also):
        return None
    name = f"{source!r} of query {query_id!r}"
    texts = {
        "source": f"source {name} is not in the corpus",
        "span": f"the span {_span(qrels, row)} is beyond the end of source {name}",
        "quote": f"the quote {_short(qrels.evidence.quote[row])!r} is no longer in source {name}",
    }
    texts["moved"] = f"{texts['quote']} at {_span(qrels, row)}"
    if reason == "quote" and not source:
        texts["quote"] = (
            f"the quote {_short(qrels.evidence.quote[row])!r} of query {query_id!r} is in no passage"
        )
    return StaleLabel(row, reason, texts[reason])


def _source_reason(qrels: Qrels, row: int, source: str, corpus: Corpus) -> str:
    """Why a label about a source is stale; "" where it is not, or where that cannot be known."""
    evidence = qrels.evidence
    if evidence is None:
        return ""
    quote = evidence.quote[row]
    if not source:
        return "" if _anywhere(normalised(quote), corpus) else "quote"
    if not corpus.rows_of(source):
        return "source"
    span = int(evidence.start[row]), int(evidence.end[row])
    if span[0] >= 0 and corpus.beyond(source, span):
        return "span"
    if quote and corpus.says(source, normalised(quote)) is False:
        return "quote"
    return "moved" if span[0] >= 0 and _elsewhere(quote, span, corpus.text_with_places(source)) else ""


def _elsewhere(quote: str, span: tuple[int, int], text: str) -> bool:
    """Whether a quote stands in a text, and nowhere near its span: the span is about other words now."""
    places = places_of(quote, text)
    return bool(places) and all(end <= span[0] or span[1] <= start for start, end in places)


def _anywhere(quote: str, corpus: Corpus) -> bool:
    """Whether any passage holds a quote that names no source; a corpus without texts cannot tell."""
    if corpus.passages.text is None:
        return True
    return bool(quote) and any(quote in corpus.normal(row) for row in range(len(corpus)))


def _span(qrels: Qrels, row: int) -> str:
    evidence = qrels.evidence
    return "" if evidence is None else f"{evidence.start[row]:,} to {evidence.end[row]:,}"


def _short(quote: str, most: int = 60) -> str:
    return quote if len(quote) <= most else f"{quote[: most - 1]}…"


def _cause(qrels: Qrels, stale: Sequence[StaleLabel], corpus: Corpus) -> str:
    """What probably happened to the gone documents, else to the gone sources."""
    for reason, ids, known in (
        ("document", qrels.doc_ids, corpus.row),
        ("source", None if qrels.evidence is None else qrels.evidence.source, corpus.by_source),
    ):
        gone = [label.row for label in stale if label.reason == reason]
        if gone and ids is not None:
            names = list(dict.fromkeys(ids.take(gone)))
            every = len(names) == len({one for one in ids if one})
            if cause := likely_cause(names, list(islice(known, LOOKED_AT)), "corpus", every=every):
                return cause
    return ""


def likely_cause(gone: Sequence[str], known: Sequence[str], where: str, *, every: bool = True) -> str:
    """What probably made ids other ones: a change that explains at least half of those that are gone.

    `every`: no id is the same any more, so that all of them changed even where no such change is seen.

    >>> likely_cause(["d1", "d2"], ["d1#0", "d2#0"], "run")
    "The ids look alike: 'd1' in the labels, 'd1#0' in the run (a chunk suffix is appended in the run)"
    >>> likely_cause(["a", "b"], ["77", "78"], "corpus")
    'All ids changed; firsthit labels carry moves labels by text, span or quote'
    """
    looked_at = gone[:LOOKED_AT]
    found = likeness(looked_at, known)
    if found is not None and found.matched >= EXPLAINING * len(looked_at):
        return _in_words(found, where)
    return "All ids changed; firsthit labels carry moves labels by text, span or quote" if every else ""


def _in_words(found: Likeness, where: str) -> str:
    cause = found.cause.replace("in the run", f"in the {where}")
    return f"The ids look alike: {found.label_id!r} in the labels, {found.run_id!r} in the {where} ({cause})"
