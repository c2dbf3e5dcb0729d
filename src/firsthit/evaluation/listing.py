"""The lists behind the counts of a card: which queries and lines they are, with what is needed to act."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from firsthit.errors import UsageError
from firsthit.population import ABSENT, MISS, NO_RELEVANT, UNANSWERABLE, UNLABELLED, first_entries

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.evaluation.seen import Seen
    from firsthit.matching.retrieved import Retrieved

__all__ = ["LISTS", "Listing", "listing"]

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Listing:
    """A list as a table: what is listed, the names of the columns, and one row each."""

    what: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)


def listing(evaluation: Evaluation, what: str) -> Listing:
    """The list of this name; see docs/card.md. A saved evaluation knows those that its queries can tell.

    >>> from firsthit import evaluate
    >>> found = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]}, ["RR@10"])
    >>> found.listed("absent").rows
    (('q2', 1, 'b'),)
    """
    if what not in LISTS:
        raise UsageError(f"no list {what!r}; there are {', '.join(LISTS)}")
    columns, rows = LISTS[what]
    return Listing(what, columns, tuple(rows(evaluation)))


def _absent(evaluation: Evaluation) -> Iterator[Row]:
    for i in _with_code(evaluation, ABSENT):
        yield evaluation.query_ids[i], *_relevant(evaluation, i)


def _miss(evaluation: Evaluation) -> Iterator[Row]:
    for i in _with_code(evaluation, MISS):
        rank = int(evaluation.first_rank[i]) or None
        yield evaluation.query_ids[i], rank, int(evaluation.retrieved[i]), *_relevant(evaluation, i)


def _no_relevant(evaluation: Evaluation) -> Iterator[Row]:
    detail = evaluation.record().detail
    for i in _with_code(evaluation, NO_RELEVANT):
        judged = detail.judged[i]
        highest = float(detail.grades[judged > 0].max()) if judged.any() else None
        yield evaluation.query_ids[i], int(judged.sum()), highest, int(evaluation.retrieved[i])


def _unlabelled(evaluation: Evaluation) -> Iterator[Row]:
    for i in _with_code(evaluation, UNLABELLED):
        yield "queries", evaluation.query_ids[i], int(evaluation.retrieved[i])
    run = _seen(evaluation, "unlabelled").run
    for query_id, retrieved in zip(run.unlabelled, run.unlabelled_retrieved.tolist(), strict=True):
        yield "run", query_id, retrieved


def _tied(evaluation: Evaluation) -> Iterator[Row]:
    seen = _seen(evaluation, "tied")
    hits = seen.hits
    entries = first_entries(hits, seen.rel)
    entries = entries[hits.tie_last[entries] > hits.tie_first[entries]]
    counted = {
        query_id for query_id, one in zip(evaluation.query_ids, evaluation.counted, strict=True) if one
    }
    for entry in entries.tolist():
        query_id = hits.qrels.query_ids[int(hits.query[entry])]
        if query_id in counted:
            doc_id = hits.qrels.doc_ids[int(hits.label[entry])]
            ranks = (hits.rank[entry], hits.tie_first[entry], hits.tie_last[entry])
            yield query_id, doc_id, *map(int, ranks)


def _duplicates(evaluation: Evaluation) -> Iterator[Row]:
    yield from _seen(evaluation, "duplicates").run.duplicate_examples


def _skipped(evaluation: Evaluation) -> Iterator[Row]:
    seen = _seen(evaluation, "skipped")
    for row in seen.shown.outside.tolist():
        yield "labelled query outside the population", seen.hits.qrels.query_ids[row], None, None
    for i in _with_code(evaluation, UNANSWERABLE):
        yield "unanswerable query", evaluation.query_ids[i], None, None
    for i in np.flatnonzero(~evaluation.counted & (evaluation.codes != UNANSWERABLE)).tolist():
        yield f"excluded from the mean: {evaluation.status[i]}", evaluation.query_ids[i], None, None
    for query_id in seen.run.unlabelled:
        yield "query of the run without labels", query_id, None, None
    for query_id, doc_id, line in seen.run.self_hit_examples:
        yield "self-hit", query_id, doc_id, line
    for query_id, doc_id, line, _ in seen.run.duplicate_examples:
        yield "duplicate", query_id, doc_id, line


def _partial(evaluation: Evaluation) -> Iterator[Row]:
    """Places that cover some of a relevant span, but too little of it."""
    seen = _seen(evaluation, "partial")
    resolved, retrieved = seen.joined.resolved, seen.joined.retrieved
    labels = None if resolved is None else resolved.qrels.original
    if resolved is None or retrieved is None or labels is None or labels.evidence is None:
        return
    pairs = resolved.partial
    for label, place, share in zip(
        pairs.label.tolist(), pairs.place.tolist(), resolved.share.tolist(), strict=True
    ):
        if labels.grade[label] >= seen.rel:
            query, doc_id, rank = _at(retrieved, place)
            yield query, doc_id, rank, labels.evidence.source[label], share, int(labels.line[label])


def _at(retrieved: Retrieved, place: int) -> tuple[str, str, int]:
    """The query, passage and rank of a place."""
    query = int(np.searchsorted(retrieved.offsets, place, side="right")) - 1
    doc_id = retrieved.passages.doc_ids[int(retrieved.passage[place])]
    return retrieved.qrels.query_ids[query], doc_id, place - int(retrieved.offsets[query]) + 1


def _unresolved(evaluation: Evaluation) -> Iterator[Row]:
    """Labels that no retrieved passage satisfies."""
    from firsthit.resolve.resolve import REASONS

    resolved = _seen(evaluation, "unresolved").joined.resolved
    if resolved is None or resolved.qrels.original is None:
        return
    labels = resolved.qrels.original
    evidence = labels.evidence
    for row in np.flatnonzero(resolved.why).tolist():
        query_id, line = labels.query_ids[int(labels.query[row])], int(labels.line[row])
        about = (None,) * 4 if evidence is None else evidence.row(row)
        yield query_id, *about, float(labels.grade[row]), REASONS[resolved.why[row]], line


def _needs(evaluation: Evaluation) -> Iterator[Row]:
    """Needs that nothing retrieved covers, with what is known of their labels."""
    from firsthit.evaluation.need_facts import needs_not_found

    seen = _seen(evaluation, "needs")
    counted = np.zeros(len(seen.hits.retrieved), np.bool_)
    counted[seen.shown.rows] = evaluation.counted
    yield from needs_not_found(seen, counted)


def _repeated(what: str) -> Callable[[Evaluation], Iterator[Row]]:
    """The list of this name about duplicate evidence."""

    def rows(evaluation: Evaluation) -> Iterator[Row]:
        from firsthit.evaluation import repeated

        seen = _seen(evaluation, what)
        counted = np.zeros(len(seen.hits.retrieved), np.bool_)
        counted[seen.shown.rows] = evaluation.counted
        return getattr(repeated, what.replace("-", "_"))(seen, counted)  # type: ignore[no-any-return]

    return rows


def _sources(evaluation: Evaluation) -> Iterator[Row]:
    """How much of the windows each source fills, the greatest share first."""
    from firsthit.evaluation.evidence_facts import window_of

    seen = _seen(evaluation, "sources")
    facts, retrieved = evaluation.card.evidence, seen.joined.retrieved
    if retrieved is None or facts is None or not facts.window:
        return
    counted = np.zeros(len(retrieved.retrieved), np.bool_)
    counted[seen.shown.rows] = evaluation.counted
    window = window_of(retrieved, facts.window, counted)
    if window is None:
        return
    places = np.bincount(window.source, window.places, len(window.doc_ids)).astype(np.int64)
    queries = np.bincount(window.source, minlength=len(window.doc_ids))
    for source in np.argsort(-places, kind="stable").tolist():
        if places[source]:
            share = float(places[source] / places.sum())
            yield window.doc_ids[source], int(places[source]), share, int(queries[source])


def _has_answer(evaluation: Evaluation) -> Iterator[Row]:
    """Places whose has_answer flag in the run is not what their text says."""
    from firsthit.evaluation.evidence_facts import flag_differences

    seen = _seen(evaluation, "has-answer")
    retrieved, holds = seen.joined.retrieved, seen.joined.holds
    if retrieved is None or retrieved.has_answer is None or holds is None:
        return
    for place in flag_differences(seen)[0].tolist():
        yield *_at(retrieved, place), bool(retrieved.has_answer[place]), bool(holds[place])


def _with_code(evaluation: Evaluation, code: int) -> list[int]:
    return np.flatnonzero(evaluation.codes == code).tolist()


def _relevant(evaluation: Evaluation, i: int) -> tuple[int, str | None]:
    relevant = evaluation.record().detail.relevant.group(i)
    return len(relevant), next(iter(relevant), None)


def _seen(evaluation: Evaluation, what: str) -> Seen:
    if evaluation.seen is None:
        hint = "Evaluate the run again to see it."
        raise UsageError(f"a saved evaluation does not hold the list {what!r}", hint=hint)
    return evaluation.seen


LISTS: dict[str, tuple[tuple[str, ...], Callable[[Evaluation], Iterator[Row]]]] = {
    "absent": (("query_id", "relevant", "doc_id"), _absent),
    "miss": (("query_id", "first_rank", "retrieved", "relevant", "doc_id"), _miss),
    "unlabelled": (("where", "query_id", "retrieved"), _unlabelled),
    "no-relevant": (("query_id", "labels", "highest_grade", "retrieved"), _no_relevant),
    "tied": (("query_id", "doc_id", "rank", "tie_first", "tie_last"), _tied),
    "duplicates": (("query_id", "doc_id", "line", "first_line"), _duplicates),
    "redundant": (
        ("query_id", "doc_id", "rank", "like", "like_rank", "share", "grade", "needs"),
        _repeated("redundant"),
    ),
    "deduplicated": (
        ("query_id", "new_rank", "rank", "doc_id", "grade", "needs"),
        _repeated("deduplicated"),
    ),
    "same-need": (
        ("query_id", "need", "doc_id", "rank", "like", "like_rank"),
        _repeated("same-need"),
    ),
    "needs": (("query_id", "need", "required", "labels", "relevant", "why"), _needs),
    "partial": (("query_id", "doc_id", "rank", "source", "share", "line"), _partial),
    "unresolved": (
        ("query_id", "source", "start", "end", "quote", "grade", "why", "line"),
        _unresolved,
    ),
    "sources": (("source", "places", "share", "queries"), _sources),
    "has-answer": (("query_id", "doc_id", "rank", "flag", "text"), _has_answer),
    "skipped": (("why", "query_id", "doc_id", "line"), _skipped),
}
"""The lists by name: their columns, and the function that gives the rows."""
