"""Parts of one input that are decoded on threads, each in a lane of its own, and used in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import Full, Queue
from threading import Thread
from typing import Generic, TypeVar

__all__ = ["in_order"]

Item = TypeVar("Item")

ROOM = 8
"""How many items a lane is ahead of the one who uses them."""

PATIENCE = 0.05
"""After how many seconds a lane that waits for room looks whether it is still needed."""


def in_order(read: Callable[[int], Iterator[Item]], parts: int, threads: int) -> Iterator[Item]:
    """The items of read(0), then of read(1), and so on below `parts`, each part read on one of `threads`.

    >>> list(in_order(lambda part: iter([part, part * 10]), parts=3, threads=2))
    [0, 0, 1, 10, 2, 20]
    """
    lanes = [_Lane(read, range(first, parts, threads)) for first in range(min(threads, parts))]
    try:
        for part in range(parts):
            yield from lanes[part % threads].part()
    finally:
        for lane in lanes:
            lane.stop()


class _Lane(Generic[Item]):
    """A thread that reads parts, some items ahead. None ends a part, an exception ends the lane."""

    def __init__(self, read: Callable[[int], Iterator[Item]], parts: range) -> None:
        self._read = read
        self._parts = parts
        self._found: Queue[Item | BaseException | None] = Queue(ROOM)
        self._needed = True
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def part(self) -> Iterator[Item]:
        while (item := self._found.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def stop(self) -> None:
        self._needed = False
        self._thread.join()

    def _run(self) -> None:
        try:
            for part in self._parts:
                for item in self._read(part):
                    if not self._put(item):
                        return
                self._put(None)
        except BaseException as failure:  # handed to the thread that uses the items
            self._put(failure)

    def _put(self, item: Item | BaseException | None) -> bool:
        """Whether the item is still needed."""
        while self._needed:
            try:
                self._found.put(item, timeout=PATIENCE)
            except Full:
                continue
            return True
        return False
