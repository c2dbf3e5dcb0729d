"""Digests of labels by content, so that two label files are the same when their labels are.

A label set's digest is the sha256 over one line of JSON a row, `[query_id, doc_id, source, start, end,
quote, need, grade]` as given, sorted by bytes. The digest of one query is a short hash of its lines in the
same order: there may be a hundred thousand, and they tell labels that changed, not labels that were forged.
"""

from __future__ import annotations

import hashlib
from functools import cached_property

import msgspec

from firsthit import _core
from firsthit.files.ahead import Later
from firsthit.ids import Ids
from firsthit.qrels import Qrels

__all__ = ["LabelDigest"]

CHUNK = 10_000  # lines hashed at a time: the sorted text of a large label set is never whole in memory


class LabelDigest(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The digests of a label set and of each of its queries.

    >>> from firsthit import read_qrels
    >>> one, same = ({"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, {"q2": {"a": 1}, "q1": {"b": 0.0, "a": 1.0}})
    >>> LabelDigest(read_qrels(one)).whole == LabelDigest(read_qrels(same)).whole
    True
    """

    qrels: Qrels

    def begin(self) -> None:
        """Compute the digest of the set beside other work: for a large set it takes a while."""
        self.__dict__["_coming"] = Later(self._whole)

    @cached_property
    def whole(self) -> str:
        """The sha256 of the label set."""
        coming: Later[str] | None = self.__dict__.pop("_coming", None)
        return self._whole() if coming is None else coming.result()

    @cached_property
    def by_query(self) -> Ids:
        """The digest of each query's lines, in label order: 64-bit FNV-1a, 16 hexadecimal digits."""
        return Ids(*_lines(self.qrels).digests())

    def _whole(self) -> str:
        lines, whole = _lines(self.qrels), hashlib.sha256()
        for start in range(0, len(lines), CHUNK):
            whole.update(lines.text(start, min(start + CHUNK, len(lines))))
        return whole.hexdigest()


def _lines(qrels: Qrels) -> _core.LabelLines:
    """The rows as sorted lines."""
    needs = None if qrels.need is None else Ids.of(qrels.need)
    evidence = qrels.evidence
    return _core.LabelLines(
        _text(qrels.query_ids),
        qrels.query,
        _text(qrels.doc_ids),
        None if needs is None else _text(needs),
        qrels.grade,
        None
        if evidence is None or not evidence.points
        else (_text(evidence.source), evidence.start, evidence.end, _text(evidence.quote)),
    )


def _text(ids: Ids) -> _core.Text:
    return ids.data, ids.offsets
