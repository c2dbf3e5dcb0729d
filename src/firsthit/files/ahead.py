"""Results one ahead: the next is computed on a thread while the present one is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Thread
from typing import Generic, TypeVar

__all__ = ["Later", "ahead"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class Later(Generic[Result]):
    """A call on a thread of its own, which gains where the work releases the interpreter's lock."""

    def __init__(self, call: Callable[[], Result]) -> None:
        self._call = call
        self._found: list[Result] = []
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def result(self) -> Result:
        """What the call returned, once it has; what it raised is raised here."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._found[0]

    def _run(self) -> None:
        try:
            self._found.append(self._call())
        except BaseException as failure:  # handed to the thread that asks
            self._failure = failure


def ahead(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The function of each item, in order.

    >>> list(ahead(len, ["a", "bb", ""]))
    [1, 2, 0]
    """
    coming: Later[Result] | None = None
    for item in items:
        present, coming = coming, Later(partial(function, item))
        if present is not None:
            yield present.result()
    if coming is not None:
        yield coming.result()
