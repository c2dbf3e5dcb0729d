"""The progress bar."""

from __future__ import annotations

import sys
import time

import pytest

from firsthit.cli import progress
from firsthit.cli.progress import LateBar, progress_on_terminal


def test_there_is_none_where_standard_error_is_no_terminal() -> None:
    with progress_on_terminal() as callback:
        assert callback is None


def test_work_that_is_done_at_once_shows_no_bar() -> None:
    bar = LateBar()
    bar(1, 10)
    assert bar.bar is None
    bar.stop()


def test_a_bar_appears_when_work_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    bar = LateBar()
    bar.started = time.monotonic() - 1
    bar(5, 10)
    assert bar.bar is not None
    assert [(task.completed, task.total) for task in bar.bar.tasks] == [(5, 10)]
    bar.stop()


def test_a_second_file_gets_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    bar = LateBar()
    for done, total in ((5, 10), (10, 10), (1, 20)):
        bar(done, total)
    assert bar.bar is not None
    assert [(task.completed, task.total) for task in bar.bar.tasks] == [(10, 10), (1, 20)]
    bar.stop()


def test_a_terminal_gets_the_callback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress_on_terminal() as callback:
        assert callback is not None
        callback(1, 2)
