"""The rankings of a run, whole: every place with its passage, for labels that are more than document ids."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Progress
from firsthit.formats.model import Said
from firsthit.formats.names import PASSAGE
from firsthit.ids import Ids
from firsthit.matching.hits import Hits, sealed
from firsthit.matching.match import Job, hits_of
from firsthit.matching.run_facts import RunFacts
from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.rules import Rules
from firsthit.run import Run

__all__ = ["Retrieved", "retrieve"]

DEFAULT_RULES = Rules()
BACKWARDS = "start and end count the characters of the source from 0, the end excluded: correct them."
WHOLE = 1 << 40
"""A depth that no ranking has."""


class Retrieved(msgspec.Struct, frozen=True, eq=False):
    """Every place of every ranking whose query the labels know, and the passages that stand there.

    Places `offsets[q]:offsets[q + 1]` are the ranking of query q, by rank; `passage` is the row of `passages`
    at each place, `tied` whether its score is that of the place before, `record` its record number in the
    run. `retrieved[q]` is the number of documents ranked, -1 where the query is absent from the run.
    `has_answer` is what the run itself says of a place (1, 0, or -1: nothing), None where it never does.
    """

    qrels: Qrels
    retrieved: NDArray[np.int64]
    offsets: NDArray[np.int64]
    passage: NDArray[np.int32]
    tied: NDArray[np.bool_]
    record: NDArray[np.int64]
    passages: Passages
    run: RunFacts
    has_answer: NDArray[np.int8] | None = None

    def hits(self, qrels: Qrels, depth: int) -> Hits:
        """These rankings joined with labels by document id, as `match` would join the run with them.

        `qrels` numbers the same queries in the same way. The head holds the top `depth`.
        """
        place, row = self._labelled(qrels)
        query = self._query_of(place)
        first, last = self._ties(place)
        head, offsets = self._head(depth)
        label = np.full(len(self.passage) + 1, -1)
        label[place] = row
        arrays = {
            "query": query.astype(np.int32),
            "rank": place - self.offsets[query] + 1,
            "row": row,
            "tie_first": first - self.offsets[query] + 1,
            "tie_last": last - self.offsets[query] + 1,
            "retrieved": self.retrieved,
            "head_offsets": offsets,
            "head_record": self.record[head],
            "head_row": label[head],
        }
        ids = self.passages.doc_ids.subset(self.passage[head])
        return hits_of(qrels, arrays, ids, self.run, depth)

    def _labelled(self, qrels: Qrels) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of labelled documents, each where it ranks best, and its first label row."""
        count = max(len(self.passages), 1)
        rows = np.flatnonzero(qrels.first_row == np.arange(len(qrels)))
        known = _numbers(self.passages.doc_ids, qrels.doc_ids)[rows]
        rows, known = rows[known >= 0], known[known >= 0]
        is_labelled = np.zeros(count, np.bool_)
        is_labelled[known] = True
        place = np.flatnonzero(is_labelled[self.passage])
        keys = self._query_of(place) * count + self.passage[place]
        by_key = np.argsort(wanted := qrels.query[rows] * np.int64(count) + known)
        at = np.searchsorted(wanted, keys, sorter=by_key)
        row = rows[by_key[np.minimum(at, len(rows) - 1)]] if len(rows) else np.zeros(0, np.int64)
        found = wanted[by_key[np.minimum(at, len(rows) - 1)]] == keys if len(rows) else np.zeros(0, np.bool_)
        place, row, keys = place[found], row[found], keys[found]
        _, best = np.unique(keys, return_index=True)
        best.sort()
        return place[best], row[best]

    def _query_of(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        query: NDArray[np.int64] = np.searchsorted(self.offsets, place, side="right") - 1
        return query

    def _ties(self, place: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last place of the equal scores around each of these places."""
        starts = np.append(np.flatnonzero(~self.tied), len(self.tied))
        group = np.searchsorted(starts, place, side="right") - 1
        return starts[group], starts[group + 1] - 1

    def _head(self, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of the top `depth` of each ranking, and where each ranking's begin among them."""
        counts = np.minimum(np.diff(self.offsets), depth)
        offsets = np.concatenate([[0], np.cumsum(counts)])
        places = np.repeat(self.offsets[:-1] - offsets[:-1], counts) + np.arange(offsets[-1])
        return places, offsets


def retrieve(
    qrels: Qrels,
    run: Run,
    *,
    rules: Rules = DEFAULT_RULES,
    columns: Collection[str] = (),
    threads: int | None = None,
    progress: Progress | None = None,
    digest: bool = False,
) -> Retrieved:
    """The whole rankings of a run for the queries of the labels, with these columns of their passages.

    `columns` are any of source, start, end, text, tokens and has_answer; those that the run does not have
    stay None. Rows of one document that contradict each other are an InputError, as all that `match` refuses.

    >>> from firsthit.qrels import read_qrels
    >>> from firsthit.run import read_run
    >>> found = retrieve(read_qrels({"q1": {"b": 1}}), read_run({"q1": {"a": 2.0, "b": 1.0}}))
    >>> list(found.passages.doc_ids), found.passage.tolist(), found.hits(found.qrels, 0).rank.tolist()
    (['a', 'b'], [0, 1], [2])
    """
    fields = tuple(field for field in PASSAGE if field in columns)
    job = Job.of(qrels, run, rules, WHOLE, ("doc", *fields))
    result, facts = job.done(threads, progress, digest=digest)
    said = (
        job.whole.said() if job.whole and job.whole.said and {"text", "has_answer"} & {*columns} else Said()
    )
    flags = said.has_answer if "has_answer" in columns else None
    return Retrieved(
        qrels=qrels,
        retrieved=sealed(result["retrieved"]),
        offsets=sealed(result["head_offsets"]),
        passage=sealed(result["head_passage"]),
        tied=sealed(result["head_tied"].astype(np.bool_)),
        record=sealed(result["head_record"]),
        passages=_passages(result, said.texts if "text" in columns else None, facts.name),
        run=facts,
        has_answer=None if flags is None else sealed(flags[result["head_record"]]),
    )


def _passages(result: _core.MatchResult, texts: Mapping[str, str] | None, name: str) -> Passages:
    found = result["passages"]
    doc_ids = Ids(*found["doc"])
    text = _text(found, "text")
    if texts is not None:
        text = Ids.of(texts.get(doc_id, "") for doc_id in doc_ids)
    start, end, line = _number(found, "start"), _number(found, "end"), found["line"]
    _refuse_backwards(doc_ids, start, end, line, name)
    return Passages(
        doc_ids,
        source=_text(found, "source"),
        start=start,
        end=end,
        text=text,
        tokens=_number(found, "tokens"),
        line=sealed(line),
        name=name,
    )


def _refuse_backwards(
    doc_ids: Ids,
    start: NDArray[np.int64] | None,
    end: NDArray[np.int64] | None,
    line: NDArray[np.int64],
    name: str,
) -> None:
    """InputError where passages end before they start."""
    if start is None or end is None:
        return
    rows = np.flatnonzero((end >= 0) & (end < start))
    problems = [
        Problem(f"ends at {end[row]:,}, before its start at {start[row]:,}", int(line[row]), doc_ids[row])
        for row in rows[:20].tolist()
    ]
    if problems:
        raise InputError(name, problems, len(rows), hint=BACKWARDS)


def _text(found: Mapping[str, Any], field: str) -> Ids | None:
    """A column of texts, None where every one is empty."""
    texts = Ids(*found[field]) if field in found else None
    return texts if texts is not None and texts.offsets[-1] > 0 else None


def _number(found: Mapping[str, Any], field: str) -> NDArray[np.int64] | None:
    """A column of whole numbers, -1 where there is none; None where no row has one."""
    numbers = cast("NDArray[np.float64]", found.get(field, np.zeros(0)))
    absent = np.isnan(numbers)
    return None if absent.all() else sealed(np.where(absent, -1, numbers).astype(np.int64))


def _numbers(passages: Ids, wanted: Ids) -> NDArray[np.int64]:
    """The row of each wanted id among `passages`, -1 where it is none of them."""
    both = Ids.joined(passages, wanted)
    one = np.zeros(len(both) + 1, np.int64)  # all of one query, which has no name
    first = _core.Labels((np.zeros(0, np.uint8), one), (both.data, both.offsets)).first_row[len(passages) :]
    numbers: NDArray[np.int64] = np.where(first < len(passages), first, -1)
    return numbers
