"""Which retrieved passages say what stands above them, for Redundancy and for lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.evaluation.joined import Joined
from firsthit.evaluation.seen import Seen
from firsthit.ids import Ids
from firsthit.matching.hits import Hits
from firsthit.measures import Measure

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved
    from firsthit.redundancy.above import Alike

__all__ = ["deduplicated", "needs_texts", "redundant", "same_need", "with_groups"]

Row = tuple[Any, ...]
Label = tuple[float | None, str | None]  # grade, and the needs it is relevant to

NO_MEASURE = "which measure: the list is of what a Redundancy measure counts, and none was computed"
NO_TEXTS = "no texts of passages are at hand"
HINT = "Name one with -m: Redundancy@10 for equal texts, 'Redundancy(similar=0.8)@10' for near duplicates."


def needs_texts(measures: Iterable[Measure]) -> bool:
    """Whether a measure compares texts."""
    return any(measure.name == "Redundancy" for measure in measures)


def similarity(measure: Measure) -> float:
    """From which share of common shingles on passages are duplicates; 1 where their texts must be equal."""
    return float(dict(measure.params).get("similar", 1.0))


def with_groups(hits: Hits, joined: Joined, measures: Iterable[Measure]) -> Hits:
    """The hits with what Redundancy needs; unchanged where it is not asked for, or no text is known."""
    wanted = {similarity(measure) for measure in measures if measure.name == "Redundancy"}
    passages = None if joined.retrieved is None else joined.retrieved.passages
    if not wanted or hits.head is None or passages is None or passages.text is None:
        return hits
    from firsthit.redundancy import first_alike

    row = {doc_id: i for i, doc_id in enumerate(passages.doc_ids)}
    text = np.array([row.get(doc_id, -1) for doc_id in hits.head.ids], np.int64)
    offsets = hits.head.offsets
    return replace(
        hits, groups={share: first_alike(passages.text, text, offsets, share).groups for share in wanted}
    )


def redundant(seen: Seen, counted: NDArray[np.bool_]) -> Iterator[Row]:
    """Places within the cutoff that say again what stands above: the measure's, with what they carry."""
    measure, retrieved = _asked(seen)
    top = _Tops.of(retrieved, np.where(counted, measure.cutoff or 0, 0), similarity(measure))
    labels = _Labels(seen)
    for place in np.flatnonzero(top.alike.above >= 0).tolist():
        query, rank, doc_id = top.at(place)
        _, above, like = top.at(int(top.alike.above[place]))
        share = float(top.alike.share[place])
        yield retrieved.qrels.query_ids[query], doc_id, rank, like, above, share, *labels.of(query, rank)


def deduplicated(seen: Seen, counted: NDArray[np.bool_]) -> Iterator[Row]:
    """What would move up within the cutoff if nothing stood there twice, and what it carries."""
    measure, retrieved = _asked(seen)
    share, cutoff = similarity(measure), measure.cutoff or 0
    top = _Tops.of(retrieved, np.where(counted, cutoff, 0), share)
    moved = np.zeros(len(counted), np.bool_)
    moved[top.query[top.alike.above >= 0]] = True
    whole = _Tops.of(retrieved, np.where(moved, np.maximum(retrieved.retrieved, 0), 0), share)
    labels, kept = _Labels(seen), np.zeros(len(counted), np.int64)
    for place in np.flatnonzero(whole.alike.above < 0).tolist():
        query, rank, doc_id = whole.at(place)
        kept[query] += 1
        if kept[query] < rank and kept[query] <= cutoff:
            its = labels.of(query, rank)
            yield retrieved.qrels.query_ids[query], int(kept[query]), rank, doc_id, *its


def same_need(seen: Seen, counted: NDArray[np.bool_]) -> Iterator[Row]:
    """Places within the cutoff that carry a need which a place above them carries."""
    hits, cutoff = seen.hits, seen.plan.primary.cutoff
    needs, doc_ids = hits.qrels.need or ("",) * len(hits.qrels), hits.qrels.doc_ids
    first: dict[tuple[int, str], int] = {}
    for entry in np.flatnonzero(counted[hits.query] & (hits.grade >= seen.rel)).tolist():
        query, rank, label = (int(column[entry]) for column in (hits.query, hits.rank, hits.label))
        above = first.setdefault((query, needs[label]), entry)
        if hits.rank[above] < rank and (cutoff is None or rank <= cutoff):
            ids = doc_ids[label], doc_ids[int(hits.label[above])]
            query_id = hits.qrels.query_ids[query]
            yield query_id, needs[label] or None, ids[0], rank, ids[1], int(hits.rank[above])


def _asked(seen: Seen) -> tuple[Measure, Retrieved]:
    """The first Redundancy measure, and the rankings with their texts."""
    measure = next((one for one in seen.plan.shown if one.name == "Redundancy"), None)
    if measure is None:
        raise UsageError(NO_MEASURE, hint=HINT)
    retrieved = seen.joined.retrieved
    if retrieved is None or retrieved.passages.text is None:
        raise UsageError(NO_TEXTS, hint="Give a run whose rows have texts, or --passages FILE.")
    return measure, retrieved


class _Tops(msgspec.Struct, frozen=True, eq=False):
    """The tops of rankings, one place after the other, and which places say the same."""

    retrieved: Retrieved
    query: NDArray[np.int64]
    place: NDArray[np.int64]  # in the whole rankings
    alike: Alike

    @classmethod
    def of(cls, retrieved: Retrieved, depth: NDArray[np.int64], share: float) -> _Tops:
        """The top `depth[q]` of the ranking of each query."""
        from firsthit.redundancy import first_alike

        lengths = np.minimum(np.diff(retrieved.offsets), depth)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        query = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(len(query)) + (retrieved.offsets[:-1] - offsets[:-1])[query]
        texts = retrieved.passages.text or Ids.of([])
        return cls(retrieved, query, place, first_alike(texts, retrieved.passage[place], offsets, share))

    def at(self, place: int) -> tuple[int, int, str]:
        """Query, rank and doc_id of a place."""
        query, at = int(self.query[place]), int(self.place[place])
        doc_id = self.retrieved.passages.doc_ids[int(self.retrieved.passage[at])]
        return query, at - int(self.retrieved.offsets[query]) + 1, doc_id


class _Labels:
    """What labels say of a place of the whole ranking: the highest grade, and the needs it is relevant to."""

    def __init__(self, seen: Seen) -> None:
        self.hits, self.rel = seen.full, seen.rel
        self.entries: dict[tuple[int, int], list[int]] = defaultdict(list)
        for entry, place in enumerate(zip(self.hits.query.tolist(), self.hits.rank.tolist(), strict=True)):
            self.entries[place].append(entry)

    def of(self, query: int, rank: int) -> Label:
        """The grade (None where nobody judged it) and the needs of a place."""
        entries = self.entries.get((query, rank), [])
        grades = self.hits.grade[entries].tolist()
        names = self.hits.qrels.need
        rows = self.hits.label[entries].tolist()
        carried = (row for row, grade in zip(rows, grades, strict=True) if names and grade >= self.rel)
        needs = dict.fromkeys(names[row] for row in carried if names and names[row])
        return max(grades, default=None), ", ".join(needs) or None
