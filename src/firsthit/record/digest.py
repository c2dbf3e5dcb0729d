"""Digests of labels by content, so that two label files are the same when their labels are.

A label set's digest is the sha256 over one line of JSON a row, `[query_id, doc_id, source, start, end,
quote, need, grade]` as given, sorted by bytes. The digest of one query is a short hash of its lines in the
same order: there may be a hundred thousand, and they tell labels that changed, not labels that were forged.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from firsthit import _core
from firsthit.files.ahead import Later
from firsthit.ids import Ids
from firsthit.qrels import Qrels

if TYPE_CHECKING:
    from firsthit.record.evidence_lines import EvidenceLines

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


def _lines(qrels: Qrels) -> _core.LabelLines | EvidenceLines:
    """The rows as sorted lines: those of documents alone by the core, there may be millions of them."""
    if qrels.evidence is not None and qrels.evidence.points:
        from firsthit.record.evidence_lines import EvidenceLines

        return EvidenceLines(qrels, qrels.evidence)
    needs = None if qrels.need is None else Ids.of(qrels.need)
    return _core.LabelLines(
        (qrels.query_ids.data, qrels.query_ids.offsets),
        qrels.query,
        (qrels.doc_ids.data, qrels.doc_ids.offsets),
        None if needs is None else (needs.data, needs.offsets),
        qrels.grade,
    )
