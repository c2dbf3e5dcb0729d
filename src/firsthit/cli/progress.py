"""A progress bar on standard error, for input that takes more than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["progress_on_terminal"]

PATIENCE = 0.5
"""Seconds without a bar: what is done by then needs none."""


class LateBar:
    """Called with bytes done and in all; shows a bar, and imports rich, only after `PATIENCE`."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.done = 0

    def __call__(self, done: int, total: int | None) -> None:
        if self.bar is None and time.monotonic() - self.started < PATIENCE:
            return
        bar = self.bar or self._start()
        if self.task is None or done < self.done:
            self.task = bar.add_task("reading", total=total or None)
        self.done = done
        bar.update(self.task, completed=done)

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.bar.start()
        return self.bar

    def stop(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


@contextmanager
def progress_on_terminal() -> Iterator[Callable[[int, int | None], None] | None]:
    """A progress callback where standard error is a terminal, else None."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = LateBar()
    try:
        yield bar
    finally:
        bar.stop()
