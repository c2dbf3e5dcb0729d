"""Results one ahead come in order, and failures come where they are asked for."""

from __future__ import annotations

import pytest

from firsthit.files.ahead import Later, ahead


def test_results_come_in_order() -> None:
    assert list(ahead(lambda i: i * i, range(20))) == [i * i for i in range(20)]
    assert list(ahead(str, [])) == []


def test_no_more_than_one_is_computed_ahead() -> None:
    begun: list[int] = []

    def note(item: int) -> int:
        begun.append(item)
        return item

    results = ahead(note, range(9))
    assert next(results) == 0
    assert len(begun) <= 2


def test_a_failure_is_raised_where_the_result_is_asked_for() -> None:
    def fail() -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        Later(fail).result()
    results = ahead(lambda i: 1 // i, [1, 0, 2])
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)
