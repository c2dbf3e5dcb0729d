"""Labels that no longer fit the corpus: what they point at is gone, so a low score is no regression."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.matching.likeness import Likeness, likeness
from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.resolve.quotes import normalised
from firsthit.staleness.corpus import Corpus
from firsthit.wording import many, percent

__all__ = ["MAX_STALE", "REASONS", "VERDICT", "StaleLabel", "Staleness", "staleness"]

MAX_STALE = 0.2
"""The share of stale labels up to which numbers are taken for what they are."""

VERDICT = "labels stale, not a regression"

REASONS = {
    "document": "the document is gone",
    "source": "the source is gone",
    "quote": "the quote is no longer in its source",
    "span": "the span is beyond its source",
}
"""Why a label is stale, the first that applies."""

LOOKED_AT = 10_000
"""How many ids are compared to find out why they do not match."""

EXPLAINING = 0.5
"""The share of the gone documents that a change of ids must explain to be called the likely cause."""


class StaleLabel(msgspec.Struct, frozen=True):
    """A label whose document, source, quote or span the corpus does not hold; `row` is its row in Qrels."""

    row: int
    reason: str
    text: str


class Staleness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the relevant labels point at something that is gone.

    `labels` counts the relevant labels that were looked at, `stale` those of them that point at nothing;
    `nonrelevant` are stale labels below the threshold, which can turn no hit into a miss and are not part of
    the share. `reasons` counts the stale ones by reason, `cause` is the likely one; `basis` says what was
    compared: "corpus", or "rankings" where ids of two versions were.
    """

    labels: int
    stale: int
    nonrelevant: int = 0
    reasons: dict[str, int] = {}
    cause: str = ""
    basis: str = "corpus"

    @property
    def share(self) -> float:
        """The share of the relevant labels that are stale."""
        return self.stale / self.labels if self.labels else 0.0

    def over(self, limit: float) -> bool:
        """Whether more labels are stale than the limit allows.

        >>> Staleness(10, 2).over(0.2), Staleness(10, 3).over(0.2)
        (False, True)
        """
        return self.share > limit

    def sentence(self, limit: float = MAX_STALE) -> str:
        """What is stale and why, with the verdict where it is more than the limit.

        >>> Staleness(4, 3, reasons={"document": 3}).sentence()
        'labels stale, not a regression: 3 of 4 relevant labels (75.0%) point at what is gone: the document is gone: 3'
        """
        what = f"{self.stale:,} of {many(self.labels, 'relevant label')} ({percent(self.share)})"
        verdict = f"{VERDICT}: " if self.over(limit) else ""
        why = ", ".join(f"{REASONS[reason]}: {count:,}" for reason, count in self.reasons.items())
        cause = f". {self.cause}" if self.cause else ""
        return f"{verdict}{what} point at what is gone{f': {why}' if why else ''}{cause}"


def staleness(
    qrels: Qrels, passages: Passages, *, found: NDArray[np.bool_] | None = None, rel: float = 1.0
) -> tuple[Staleness, tuple[StaleLabel, ...]]:
    """The stale labels among `qrels`, given the corpus; and each of them, in label order.

    A label is stale when its document, its source, its quote or its span is not in the corpus and no ranking
    holds its document (`found`, for each label row). Without a corpus nothing is certain: a judged document
    that no run returns is normal.

    >>> from firsthit.ids import Ids
    >>> from firsthit.qrels import read_qrels
    >>> labels = read_qrels({"q1": {"a": 1, "b": 1}})
    >>> summary, stale = staleness(labels, Passages(Ids.of(["a", "c"])))
    >>> summary.share, stale[0].text
    (0.5, "document 'b' of query 'q1' is not in the corpus")
    """
    corpus = Corpus(passages)
    held = np.zeros(len(qrels), bool) if found is None else found
    stale = [label for row in np.flatnonzero(~held).tolist() if (label := _stale(qrels, row, corpus))]
    relevant = qrels.grade >= rel
    counted = [label for label in stale if relevant[label.row]]
    reasons = {name: n for name in REASONS if (n := sum(label.reason == name for label in counted))}
    summary = Staleness(
        labels=int(relevant.sum()),
        stale=len(counted),
        nonrelevant=len(stale) - len(counted),
        reasons=reasons,
        cause=_cause(qrels, stale, corpus),
    )
    return summary, tuple(stale)


def _stale(qrels: Qrels, row: int, corpus: Corpus) -> StaleLabel | None:
    """The first thing that is wrong with what a label points at."""
    doc_id = qrels.doc_ids[row]
    query_id = qrels.query_ids[int(qrels.query[row])]
    if doc_id and doc_id not in corpus.row:
        what = f"document {doc_id!r} of query {query_id!r} is not in the corpus"
        return StaleLabel(row, "document", what)
    if qrels.evidence is None:
        return None
    source = qrels.evidence.source[row] or (corpus.sources[corpus.row[doc_id]] if doc_id else "")
    reason = _source_reason(qrels, row, source, corpus)
    if not reason:
        return None
    name = f"{source!r} of query {query_id!r}"
    texts = {
        "source": f"source {name} is not in the corpus",
        "span": f"the span {_span(qrels, row)} is beyond the end of source {name}",
        "quote": f"the quote {_short(qrels.evidence.quote[row])!r} is no longer in source {name}",
    }
    if reason == "quote" and not source:
        texts["quote"] = f"the quote {_short(qrels.evidence.quote[row])!r} of query {query_id!r} is in no passage"
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
    length = corpus.length_of(source)
    if length is not None and evidence.end[row] > length:
        return "span"
    return "quote" if quote and corpus.says(source, normalised(quote)) is False else ""


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
    """What made the ids of most of the gone documents or sources other ones, if that can be seen."""
    for reason, ids, known in (
        ("document", qrels.doc_ids, corpus.row),
        ("source", None if qrels.evidence is None else qrels.evidence.source, corpus.by_source),
    ):
        gone = [label.row for label in stale if label.reason == reason]
        if gone and ids is not None:
            names = list(dict.fromkeys(ids.take(gone)))[:LOOKED_AT]
            found = alike(names, list(islice(known, LOOKED_AT)))
            if found is not None:
                return _in_words(found, "corpus")
    return ""


def alike(gone: Sequence[str], known: Sequence[str]) -> Likeness | None:
    """The change that explains most of the ids that are gone, where it explains at least half of them."""
    found = likeness(gone, known)
    return found if found is not None and found.matched >= EXPLAINING * len(gone) else None


def _in_words(found: Likeness, where: str) -> str:
    cause = found.cause.replace("in the run", f"in the {where}")
    return f"The ids look alike: {found.label_id!r} in the labels, {found.run_id!r} in the {where} ({cause})"
