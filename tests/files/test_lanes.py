"""Parts read on threads come in their order, and no thread outlives the one who asks."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from firsthit.files.lanes import ROOM, in_order


def items(part: int) -> Iterator[int]:
    return iter(range(100 * part, 100 * part + part % 7))


@pytest.mark.parametrize("threads", [1, 2, 3, 20])
@pytest.mark.parametrize("parts", [0, 1, 2, 11])
def test_items_come_in_the_order_of_their_parts(parts: int, threads: int) -> None:
    assert list(in_order(items, parts, threads)) == [item for part in range(parts) for item in items(part)]


def test_no_lane_is_further_ahead_than_its_room() -> None:
    read: list[int] = []

    def note(part: int) -> Iterator[int]:
        for item in range(10 * ROOM):
            read.append(item)
            yield item

    found = in_order(note, 1, 1)
    assert next(found) == 0
    assert len(read) <= ROOM + 3
    found.close()  # type: ignore[attr-defined]


def test_a_failure_is_raised_where_its_item_would_have_been() -> None:
    def fail(part: int) -> Iterator[int]:
        yield part
        if part == 2:
            raise KeyError("lost")

    found = in_order(fail, 4, 2)
    assert [next(found), next(found), next(found)] == [0, 1, 2]
    with pytest.raises(KeyError, match="lost"):
        next(found)


def test_threads_end_when_the_items_are_no_longer_wanted() -> None:
    before = threading.active_count()
    found = in_order(lambda part: iter(range(1000)), 4, 2)
    next(found)
    assert threading.active_count() == before + 2
    found.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
