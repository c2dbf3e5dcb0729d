"""The lines that a digest of labels is made of, where labels point at sources, spans or quotes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from json.encoder import encode_basestring

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.evidence import Evidence
from firsthit.ids import Ids
from firsthit.qrels import Qrels

__all__ = ["EvidenceLines"]

FNV_START, FNV_PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)


class EvidenceLines(msgspec.Struct, frozen=True, eq=False, dict=True):
    """What `_core.LabelLines` gives for labels of documents: lines sorted by bytes, and a hash a query."""

    qrels: Qrels
    evidence: Evidence

    @cached_property
    def _rows(self) -> list[bytes]:
        """The line of each row."""
        qrels, evidence = self.qrels, self.evidence
        columns = zip(
            map(_text, qrels.query_ids.take(qrels.query)),
            map(_text, qrels.doc_ids),
            map(_text, evidence.source),
            map(_place, evidence.start.tolist()),
            map(_place, evidence.end.tolist()),
            map(_text, evidence.quote),
            map(_text, qrels.need or [""] * len(qrels)),
            map(_number, qrels.grade.tolist()),
            strict=True,
        )
        return [f"[{','.join(values)}]\n".encode() for values in columns]

    @cached_property
    def _sorted(self) -> list[bytes]:
        return sorted(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def text(self, start: int, end: int) -> bytes:
        """The sorted lines start to end."""
        return b"".join(self._sorted[start:end])

    def digests(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The 64-bit FNV-1a hash of each query's sorted lines, as 16 hexadecimal digits."""
        of_query: list[list[bytes]] = [[] for _ in self.qrels.query_ids]
        for query, line in zip(self.qrels.query.tolist(), self._rows, strict=True):
            of_query[query].append(line)
        hashes = _fnv([b"".join(sorted(lines)) for lines in of_query])
        digests = Ids.of(f"{value:016x}" for value in hashes.tolist())
        return digests.data, digests.offsets


def _text(text: str) -> str:
    return encode_basestring(text) if text else "null"


def _place(number: int) -> str:
    return str(number) if number >= 0 else "null"


def _number(grade: float) -> str:
    return str(int(grade)) if grade == int(grade) else repr(grade)


def _fnv(texts: Sequence[bytes]) -> NDArray[np.uint64]:
    """The hashes of all texts, a byte of each at a time."""
    data = np.frombuffer(b"".join(texts), np.uint8)
    lengths = np.array([len(text) for text in texts], np.int64)
    starts = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")
    starts, lengths = starts[order], lengths[order]
    found = np.full(len(texts), FNV_START, np.uint64)
    for place in range(int(lengths.max(initial=0))):
        active = int(np.searchsorted(-lengths, -place, side="left"))
        found[:active] = (found[:active] ^ data[starts[:active] + place]) * FNV_PRIME
    hashes = np.empty_like(found)
    hashes[order] = found
    return hashes
