"""Digests of labels by content, so that two label files are the same when their labels are.

A label set's digest is the sha256 over one line of JSON a row, `[query_id, doc_id, source, start, end,
quote, need, grade]` as given, sorted by bytes. A line starts with its query, so one sort serves both the
digest of the set and the digests of its queries.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.ids import Ids
from firsthit.qrels import Qrels

__all__ = ["LabelDigest", "number_tokens", "quoted"]

QUERY_DIGEST_LENGTH = 16


def quoted(ids: Ids) -> list[bytes]:
    """Each id as a JSON string.

    >>> quoted(Ids.of(["a", "b"]))
    [b'"a"', b'"b"']
    """
    raw, offsets = ids.data.tobytes(), ids.offsets.tolist()
    ends = pairwise(offsets)
    if is_plain(ids.data):
        return [b'"%b"' % raw[a:b] for a, b in ends]
    encode = msgspec.json.Encoder().encode
    return [encode(raw[a:b].decode()) for a, b in ends]


def is_plain(data: NDArray[np.uint8]) -> bool:
    """Do these bytes stand for themselves in a JSON string?"""
    return not np.any((data < 0x20) | (data == 0x22) | (data == 0x5C))


def number_tokens(values: NDArray[np.float64]) -> list[bytes]:
    """Each number as JSON, the shortest text that reads back as the same float; NaN is null.

    >>> number_tokens(np.array([1.0, 0.1, np.nan]))
    [b'1.0', b'0.1', b'null']
    """
    if not len(values):
        return []
    return msgspec.json.encode(values.tolist())[1:-1].split(b",")


@dataclass(frozen=True, eq=False)
class LabelDigest:
    """The digests of a label set and of each of its queries."""

    qrels: Qrels

    @cached_property
    def _sorted(self) -> tuple[list[bytes], NDArray[np.int32]]:
        """The lines sorted by bytes, and the query of each."""
        qrels = self.qrels
        queries = quoted(qrels.query_ids)
        needs = _needs(qrels.need, len(qrels))
        rows = zip(qrels.query.tolist(), quoted(qrels.doc_ids), needs, _grades(qrels.grade), strict=True)
        lines = [b"[%b,%b,null,null,null,null,%b,%b]\n" % (queries[q], d, n, g) for q, d, n, g in rows]
        order = sorted(range(len(lines)), key=lines.__getitem__)
        return [lines[i] for i in order], qrels.query[np.array(order, np.int64)]

    @cached_property
    def whole(self) -> str:
        """The sha256 of the label set."""
        return hashlib.sha256(b"".join(self._sorted[0])).hexdigest()

    def by_query(self) -> list[str]:
        """The digest of each query's rows, in label order: the first 16 characters of its sha256."""
        lines, query = self._sorted
        starts = np.flatnonzero(np.diff(query, prepend=-1))
        ends = [*starts[1:].tolist(), len(lines)]
        digests = [_short(b"")] * len(self.qrels.query_ids)
        for number, start, end in zip(query[starts].tolist(), starts.tolist(), ends, strict=True):
            digests[number] = _short(b"".join(lines[start:end]))
        return digests


def _short(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:QUERY_DIGEST_LENGTH]


def _needs(need: Sequence[str] | None, rows: int) -> list[bytes]:
    return [b"null"] * rows if need is None else quoted(Ids.of(need))


def _grades(grade: NDArray[np.float64]) -> list[bytes]:
    distinct, which = np.unique(grade, return_inverse=True)
    return list(np.array([*number_tokens(distinct), b""], object)[which])
