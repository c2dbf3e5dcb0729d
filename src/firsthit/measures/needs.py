"""Measures of several needs of a query: Coverage, Complete, RRAll. One hit is not always enough."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.matching.hits import Hits
from firsthit.measures.first import reciprocal
from firsthit.measures.view import Cut, Cutoff, Floats, Ints, once, ratio, sealed, view_of, within
from firsthit.qrels import Qrels

__all__ = ["Needs", "complete", "coverage", "need_numbers", "needs_of", "rr_all"]


class Needs(msgspec.Struct, frozen=True, eq=False):
    """The needs that count, one entry each, sorted by query; `names[need[i]]` is the name of entry i.

    Where a queries file requires needs of a query these count, else all that have a relevant label; labels
    without a need are one need, "". `labels` and `relevant` say how many labels each has, `first_rank` where
    the first document relevant to it stands: 0 where none was retrieved.
    """

    names: tuple[str, ...]
    queries: int
    query: Ints
    need: Ints
    required: NDArray[np.bool_]
    labels: Ints
    relevant: Ints
    first_rank: Ints

    @property
    def number(self) -> Ints:
        """How many needs of each query count."""
        return np.bincount(self.query, minlength=self.queries)

    def covered(self, k: Cutoff) -> Ints:
        """How many needs of each query are covered within the cutoff."""
        found = (self.first_rank > 0) & within(self.first_rank, self.query, k)
        return np.bincount(self.query[found], minlength=self.queries)

    def last_rank(self) -> Ints:
        """The rank of each query at which the last of its needs is covered; 0 where not all are."""
        last = np.zeros(self.queries, np.int64)
        np.maximum.at(last, self.query, self.first_rank)
        last[self.query[self.first_rank == 0]] = 0
        return last


def coverage(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """Coverage: the share of the needs of a query that the top k serve.

    Formula: Coverage@k = (needs with a document of rank <= k and grade >= rel for that need) / needs.
    Reading: 0.5 means that the top k hold a source for half of what the question needs: the policy, say,
    and not its exception. 1 means that there is one for every need.
    Edge cases: The needs are those that the queries file requires of the query, else all that have a
    relevant label. A required need without a relevant label counts as not covered. Labels without a need
    form one need; where no label has one, Coverage equals Success. A query that is absent, has no relevant
    label or has no labels scores 0.
    Limits: It does not see where in the top k the sources stand, and counts every need alike. It is no
    better than the list of needs: a need that nobody wrote down is not missed.
    Source: C. Zhai, W. W. Cohen and J. Lafferty, Beyond Independent Relevance: Methods and Evaluation
    Metrics for Subtopic Retrieval, 2003 (subtopic recall); ndeval's strec, ir_measures `StRecall`.

    >>> import pyarrow
    >>> from firsthit import match, measures, read_qrels, read_run
    >>> labels = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "need": ["policy", "exception"]}
    >>> qrels = read_qrels(pyarrow.table(labels | {"grade": [1, 1]}))
    >>> hits = match(qrels, read_run({"q1": ["a", "x", "b"]}))
    >>> measures.coverage(hits, k=2).tolist(), measures.coverage(hits, k=3).tolist()
    ([0.5], [1.0])
    """
    needs = needs_of(hits, rel)
    return ratio(needs.covered(k), needs.number)


def complete(hits: Hits, k: Cut, rel: float = 1.0) -> Floats:
    """Complete: whether the top k serve every need of a query.

    Formula: Complete@k = 1 when Coverage@k = 1, else 0.
    Reading: The mean is the share of queries for which the first k results hold everything that a right
    answer rests on. Beside RR it tells queries that were answered from queries that were answered in part.
    Edge cases: As for Coverage. A query with a required need without a relevant label cannot be complete.
    Where no label has a need it equals Success.
    Limits: All or nothing: a query with nine of ten needs served counts as one with none. Use Coverage
    beside it.
    Source: Coverage@k = 1, the perfect recall of subtopics.

    >>> import pyarrow
    >>> from firsthit import match, measures, read_qrels, read_run
    >>> labels = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "need": ["policy", "exception"]}
    >>> qrels = read_qrels(pyarrow.table(labels | {"grade": [1, 1]}))
    >>> hits = match(qrels, read_run({"q1": ["a", "x", "b"]}))
    >>> measures.complete(hits, k=2).tolist(), measures.complete(hits, k=3).tolist()
    ([0.0], [1.0])
    """
    needs = needs_of(hits, rel)
    number = needs.number
    return sealed(((number > 0) & (needs.covered(k) == number)).astype(np.float64))


def rr_all(hits: Hits, k: Cutoff = None, rel: float = 1.0) -> Floats:
    """Reciprocal rank of the last need: 1 divided by the rank at which all needs of a query are served.

    Formula: RRAll@k = 1/r, where r is the largest, over the needs, of the rank of the first document with
    grade >= rel for that need; 0 unless every need has one of rank <= k.
    Reading: RR says how far to read for the first source, RRAll how far for the last one that is needed:
    with the policy at rank 1 and its exception at rank 3, RR is 1 and RRAll 1/3.
    Edge cases: As for Coverage. RRAll is never above RR. Where no label has a need, RRAll equals RR.
    Limits: One need that is not found makes it 0, however many are: look at Coverage beside it.
    Source: RR with the last need in the place of the first relevant document.

    >>> import pyarrow
    >>> from firsthit import match, measures, read_qrels, read_run
    >>> labels = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "need": ["policy", "exception"]}
    >>> qrels = read_qrels(pyarrow.table(labels | {"grade": [1, 1]}))
    >>> hits = match(qrels, read_run({"q1": ["a", "x", "y", "b"]}))
    >>> measures.rr(hits).tolist(), measures.rr_all(hits).tolist(), measures.rr_all(hits, k=3).tolist()
    ([1.0], [0.25], [0.0])
    """
    return reciprocal(needs_of(hits, rel).last_rank(), k)


def needs_of(hits: Hits, rel: float = 1.0) -> Needs:
    """The needs that count at this threshold, and where each is first covered."""
    return once(view_of(hits).memo, ("needs", rel), lambda: _needs_of(hits, rel))


def need_numbers(qrels: Qrels) -> tuple[tuple[str, ...], Ints]:
    """The names of all needs in order of first appearance, and the number of each label row's need."""
    if qrels.need is None:
        return ("",), np.zeros(len(qrels), np.int64)
    number: dict[str, int] = {}
    rows = np.array([number.setdefault(name, len(number)) for name in qrels.need], np.int64)
    return tuple(number), rows


def _needs_of(hits: Hits, rel: float) -> Needs:
    qrels = hits.qrels
    names, row_need = need_numbers(qrels)
    names, asked = _required(qrels, names)
    key = qrels.query * np.int64(len(names)) + row_need
    relevant = qrels.grade >= max(rel, 0.0)
    keys = _counting(np.unique(key[relevant]), asked, len(names))
    chosen = hits.grade >= max(rel, 0.0)
    found, first = np.unique(key[hits.label[chosen]], return_index=True)  # entries stand by rank
    rank = np.zeros(len(keys), np.int64)
    place, known = _places(keys, found)
    rank[place[known]] = hits.rank[chosen][first[known]]
    return Needs(
        names=names,
        queries=len(qrels.query_ids),
        query=keys // len(names),
        need=keys % len(names),
        required=np.isin(keys, asked),
        labels=_count(keys, key),
        relevant=_count(keys, key[relevant]),
        first_rank=rank,
    )


def _required(qrels: Qrels, names: tuple[str, ...]) -> tuple[tuple[str, ...], Ints]:
    """All names, and query × names + need for each need that is required, sorted."""
    number = {name: i for i, name in enumerate(names)}
    pairs = [
        (query, number.setdefault(need, len(number)))
        for query, needs in qrels.required.items()
        for need in needs
    ]
    return tuple(number), np.array(sorted(query * len(number) + need for query, need in pairs), np.int64)


def _counting(relevant: Ints, asked: Ints, names: int) -> Ints:
    """The needs that count: those asked for, and of queries that ask for none those with a relevant label."""
    free = relevant[~np.isin(relevant // names, asked // names)]
    return np.union1d(free, asked)


def _places(keys: Ints, wanted: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Where these stand among the keys, and which of them do."""
    if not len(keys):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted


def _count(keys: Ints, of: Ints) -> Ints:
    place, known = _places(keys, of)
    return np.bincount(place[known], minlength=len(keys))
