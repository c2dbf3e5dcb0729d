"""Labels and a run joined: the ranks of the retrieved labelled documents, and the head of each ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.matching.rearrange import (
    Documents,
    condensed_ranks,
    group_bounds,
    new_ranks_of_unlabelled,
    tied_ranks,
)
from firsthit.matching.run_facts import RunFacts
from firsthit.qrels import Qrels

__all__ = ["Head", "Hits", "Tokens", "sealed"]

Scalar = TypeVar("Scalar", bound=np.generic)


class Head(msgspec.Struct, frozen=True, eq=False):
    """The top `depth` of each ranking: entries `offsets[q]:offsets[q + 1]` are those of query q, by rank."""

    depth: int
    offsets: NDArray[np.int64]
    record: NDArray[np.int64]  # record number in the run
    label: NDArray[np.int64]  # label row, or -1
    ids: Ids


class Tokens(msgspec.Struct, frozen=True, eq=False):
    """The tokens of each ranking, summed: places `offsets[q]:offsets[q + 1]` are those of query q, by rank.

    `total[i]` is the number of tokens of the ranking from its top to that place, the place included.
    """

    offsets: NDArray[np.int64]
    total: NDArray[np.int64]

    @classmethod
    def of(cls, offsets: NDArray[np.int64], tokens: NDArray[np.int64]) -> Tokens:
        """The totals of rankings whose places have this many tokens each.

        >>> Tokens.of(np.array([0, 2, 3]), np.array([5, 7, 4])).total.tolist()
        [5, 12, 4]
        """
        so_far = np.concatenate([[0], np.cumsum(tokens)])
        before = np.repeat(so_far[offsets[:-1]], np.diff(offsets))
        return cls(offsets, sealed(so_far[1:] - before))


class Hits(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """One entry for each retrieved labelled document and label row, sorted by query, then rank.

    Entry h says: label row `label[h]` of query `query[h]` stands at `rank[h]` (from 1), and the documents
    with an equal score fill ranks `tie_first[h]` to `tie_last[h]`. `retrieved[q]` is the number of documents
    ranked for query q, -1 when the query is absent from the run. `groups[share]` tells which places of the
    head say the same, where that takes this share of common words (1: equal texts): those of one query with
    one number, none below 0. The arrays are read-only.
    """

    qrels: Qrels
    query: NDArray[np.int32]
    rank: NDArray[np.int64]
    label: NDArray[np.int64]
    tie_first: NDArray[np.int64]
    tie_last: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    head: Head | None = None
    run: RunFacts | None = None
    tokens: Tokens | None = None
    groups: Mapping[float, NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return len(self.rank)

    @property
    def grade(self) -> NDArray[np.float64]:
        """The grade of each entry."""
        return self.qrels.grade[self.label]

    def documents(self) -> Hits:
        """The hits with one label row a document, its highest grade over needs; the same hits without needs.

        The labels are reduced in the same way, so counts and ideals follow.
        """
        if self.qrels.documents:
            return self
        first_row = self.qrels.first_row
        grade = self.qrels.grade.copy()
        np.maximum.at(grade, first_row, self.qrels.grade)
        rows = np.flatnonzero(first_row == np.arange(len(first_row)))
        new_row = np.append(np.searchsorted(rows, first_row), -1)  # the last one keeps -1 in the head
        kept = first_row[self.label] == self.label
        head = self.head and replace(self.head, label=sealed(new_row[self.head.label]))
        reduced = replace(self._entries(kept), qrels=_rows(self.qrels, rows, grade), head=head)
        return replace(reduced, label=sealed(new_row[reduced.label]))

    def first_of_each_label(self) -> Hits:
        """The hits with each label row once, at its first rank; the same hits where none comes twice."""
        if np.bincount(self.label).max(initial=0) <= 1:
            return self
        _, first = np.unique(self.label, return_index=True)
        return self._entries(np.sort(first))

    def condensed(self) -> Hits:
        """The hits as if only judged documents had been retrieved: a negative grade is no judgment.

        Ranks, tie groups, the numbers retrieved and the head follow. The head's `record` is -1 for
        documents that came up from below its depth. Tokens and equal passages are known no more.
        """
        documents = self._documents()
        kept = documents.grade >= 0
        query = documents.query[kept]
        ranks = np.zeros(len(kept), np.int64)
        ranks[kept] = condensed_ranks(query)
        first, last = ranks.copy(), ranks.copy()
        first[kept], last[kept] = group_bounds(query, documents.tie_first[kept], ranks[kept])
        number = np.bincount(query, minlength=len(self.retrieved))
        entries = self._entries(kept[documents.of_entry])
        place = documents.of_entry[kept[documents.of_entry]]
        return replace(
            entries,
            rank=sealed(ranks[place]),
            tie_first=sealed(first[place]),
            tie_last=sealed(last[place]),
            retrieved=sealed(np.where(self.retrieved < 0, -1, number)),
            head=self.head and _rebuilt(self, self.head, documents, ranks),
            tokens=None,
            groups=None,
        )

    def tied(self, order: Literal["best", "worst"]) -> Hits:
        """The hits with tied documents in another order: the highest or the lowest grade first, then as now.

        Unjudged documents and negative grades count as 0. From hits whose ties are ordered by doc_id
        descending this gives the order by grade, then doc_id descending. A head ends before the first
        document it does not know. Tokens and equal passages are known no more.
        """
        documents = self._documents()
        ranks = tied_ranks(documents, order)
        by_rank = np.lexsort((ranks[documents.of_entry], self.query))
        head = self.head
        if head is not None:
            places = np.flatnonzero(head.label < 0)
            query, rank = _places(head, places)
            moved = new_ranks_of_unlabelled(documents, query, rank, order)
            head = _rebuilt(self, head, documents, ranks, (places, query, moved))
        rank_of_entry = sealed(ranks[documents.of_entry][by_rank])
        return replace(self._entries(by_rank), rank=rank_of_entry, head=head, tokens=None, groups=None)

    def _documents(self) -> Documents:
        return Documents.of(self.query, self.rank, self.tie_first, self.tie_last, self.grade)

    def _entries(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Hits:
        """The same hits with these entries only, or in this order."""
        return replace(
            self,
            query=sealed(self.query[chosen]),
            rank=sealed(self.rank[chosen]),
            label=sealed(self.label[chosen]),
            tie_first=sealed(self.tie_first[chosen]),
            tie_last=sealed(self.tie_last[chosen]),
        )


def sealed(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The same array, read-only from now on."""
    array.flags.writeable = False
    return array


def _rows(qrels: Qrels, rows: NDArray[np.int64], grade: NDArray[np.float64]) -> Qrels:
    """The labels with these rows only and new grades; which given labels they stand for is told no more."""
    kept = replace(qrels, need=None).rows(rows, qrels.doc_ids.subset(rows), grade[rows])
    return replace(kept, original=None, origin=None)


def _places(head: Head, places: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The query and rank of these places of a head."""
    query = np.searchsorted(head.offsets, places, side="right") - 1
    return query.astype(np.int32), places - head.offsets[query] + 1


def _rebuilt(
    hits: Hits,
    head: Head,
    documents: Documents,
    ranks: NDArray[np.int64],
    unlabelled: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]] | None = None,
) -> Head:
    """The head after its labelled documents moved to new ranks (0: removed), its unlabelled ones to theirs.

    `unlabelled` holds place in the old head, query and new rank; without it they are removed. Labelled
    documents are known at any depth; a ranking ends before the first place that nothing known fills.
    """
    none = np.zeros(0, np.int64)
    places, its_query, its_rank = unlabelled or (none, none.astype(np.int32), none)
    place = head.offsets[documents.query] + documents.rank - 1
    place = np.where(place < head.offsets[documents.query + 1], place, -1)
    label = hits.label[documents.entry]
    query = np.concatenate([documents.query, its_query])
    rank = np.concatenate([ranks, its_rank])
    all_labels = np.concatenate([label, np.full(len(places), -1)])
    all_places = np.concatenate([place, places])
    order = np.lexsort((rank, query))
    order = order[rank[order] > 0]
    nth = condensed_ranks(query[order])
    order = order[(nth == rank[order]) & (nth <= head.depth)]
    known = np.append(head.record, -1)
    counts = np.bincount(query[order], minlength=len(hits.retrieved))
    ids = Ids.joined(head.ids, hits.qrels.doc_ids)
    of_label = len(head.ids) + all_labels[order]
    return Head(
        depth=head.depth,
        offsets=sealed(np.concatenate([[0], np.cumsum(counts)])),
        record=sealed(known[all_places[order]]),
        label=sealed(all_labels[order]),
        ids=ids.subset(np.where(all_labels[order] < 0, all_places[order], of_label)),
    )
