"""Many ids as one block of bytes and offsets, decoded only when asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ids"]

DECODED = 4096
"""How many ids are strings at a time while all are walked."""
_GATHERED = 1 << 20
"""How many bytes of a subset are gathered at a time."""


class Ids(Sequence[str]):
    """A read-only sequence of strings: id `i` is the UTF-8 bytes `data[offsets[i]:offsets[i + 1]]`.

    >>> ids = Ids.of(["q1", "q二"])
    >>> ids[1], len(ids), ids.raw(0)
    ('q二', 2, b'q1')
    """

    __slots__ = ("data", "offsets")

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self.data = data
        self.offsets = offsets
        self.data.flags.writeable = False
        self.offsets.flags.writeable = False

    @classmethod
    def of(cls, texts: Iterable[str]) -> Ids:
        """The ids of an iterable of strings."""
        raw = [text.encode() for text in texts]
        offsets = np.zeros(len(raw) + 1, np.int64)
        np.cumsum([len(item) for item in raw], out=offsets[1:])
        return cls(np.frombuffer(b"".join(raw), np.uint8).copy(), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return self._decoded(start, stop) if step == 1 else [self[i] for i in range(start, stop, step)]
        return self.raw(index).decode()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), DECODED):
            yield from self._decoded(start, min(start + DECODED, len(self)))

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same ids in the same order."""
        if not isinstance(other, Ids):
            return NotImplemented
        same = len(self) == len(other) and np.array_equal(np.diff(self.offsets), np.diff(other.offsets))
        return bool(same) and self._bytes() == other._bytes()

    def __hash__(self) -> int:
        return hash(self._bytes())

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"Ids({shown}{', …' if len(self) > 3 else ''}; {len(self):,})"

    def _decoded(self, start: int, stop: int) -> list[str]:
        """The strings from `start` on, before `stop`."""
        if stop <= start:
            return []
        offsets = self.offsets[start : stop + 1]
        data, places = self.data[offsets[0] : offsets[-1]].tobytes(), (offsets - offsets[0]).tolist()
        return [data[a:b].decode() for a, b in pairwise(places)]

    def _bytes(self) -> bytes:
        return self.data[self.offsets[0] : self.offsets[-1]].tobytes()

    def raw(self, index: int) -> bytes:
        """The bytes of one id."""
        i = range(len(self))[index]
        return self.data[self.offsets[i] : self.offsets[i + 1]].tobytes()

    def take(self, indexes: Iterable[int]) -> list[str]:
        """The strings at these indexes."""
        return list(self.subset(np.fromiter(indexes, np.int64)))

    def subset(self, indexes: NDArray[Any]) -> Ids:
        """The ids at these indexes, in this order, without decoding them.

        >>> list(Ids.of(["a", "bb", "c"]).subset(np.array([2, 1])))
        ['c', 'bb']
        """
        lengths = np.diff(self.offsets)[indexes]
        offsets = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        shift = self.offsets[:-1][indexes] - offsets[:-1]
        data = np.empty(offsets[-1], np.uint8)
        borders = np.searchsorted(offsets, np.arange(0, offsets[-1], _GATHERED)).tolist()
        for low, high in pairwise([*borders, len(lengths)]):  # 8 bytes a byte at a time only
            places = np.repeat(shift[low:high], lengths[low:high]) + np.arange(offsets[low], offsets[high])
            data[offsets[low] : offsets[high]] = self.data[places]
        return Ids(data, offsets)

    @classmethod
    def joined(cls, first: Ids, second: Ids) -> Ids:
        """The ids of both, one after the other.

        >>> list(Ids.joined(Ids.of(["a"]), Ids.of(["b", "c"])))
        ['a', 'b', 'c']
        """
        offsets = np.concatenate([first.offsets, second.offsets[1:] - second.offsets[0] + first.offsets[-1]])
        start, end = second.offsets[0], second.offsets[-1]
        return cls(np.concatenate([first.data[: first.offsets[-1]], second.data[start:end]]), offsets)
