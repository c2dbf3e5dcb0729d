"""The lines that a digest of labels is made of, where labels point at sources, spans or quotes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from json.encoder import encode_basestring
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.evidence import Evidence
from firsthit.ids import Ids
from firsthit.qrels import Qrels

__all__ = ["EvidenceLines"]

NOTHING = "null"

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
            _taken([encode_basestring(query) for query in qrels.query_ids], qrels.query),
            _texts(qrels.doc_ids),
            _texts(evidence.source),
            _places(evidence.start),
            _places(evidence.end),
            _texts(evidence.quote),
            map(_text, qrels.need) if qrels.need else [NOTHING] * len(qrels),
            _numbers(qrels.grade),
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
    return encode_basestring(text) if text else NOTHING


def _texts(ids: Ids) -> Iterable[str]:
    """A column of texts as JSON; most label files leave some columns empty."""
    return map(_text, ids) if ids.offsets[-1] > ids.offsets[0] else [NOTHING] * len(ids)


def _places(numbers: NDArray[np.int64]) -> Iterable[str]:
    if (numbers < 0).all():
        return [NOTHING] * len(numbers)
    return [str(number) if number >= 0 else NOTHING for number in numbers.tolist()]


def _numbers(grades: NDArray[np.float64]) -> list[str]:
    """Grades as their shortest decimals; there are few different ones."""
    values, number = np.unique(grades, return_inverse=True)
    return _taken([_number(grade) for grade in values.tolist()], number)


def _number(grade: float) -> str:
    return str(int(grade)) if grade == int(grade) else repr(grade)


def _taken(texts: Sequence[str], number: NDArray[Any]) -> list[str]:
    return [texts[i] for i in number.tolist()]


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
