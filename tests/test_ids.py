"""Ids: a sequence of strings kept as bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.ids import DECODED, Ids

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=5), max_size=20)


@given(TEXTS)
def test_ids_are_the_strings_they_were_made_of(texts: list[str]) -> None:
    ids = Ids.of(texts)
    assert (list(ids), len(ids), ids[1:3]) == (texts, len(texts), texts[1:3])
    assert [ids[i] for i in range(-len(texts), 0)] == texts
    assert [ids.raw(i) for i in range(len(texts))] == [text.encode() for text in texts]


@given(TEXTS, st.slices(20))
def test_a_slice_of_ids_is_that_of_the_strings(texts: list[str], part: slice) -> None:
    assert Ids.of(texts)[part] == texts[part]


def test_many_ids_are_walked_in_order() -> None:
    texts = [f"é{i}" for i in range(3 * DECODED + 1)]
    assert list(Ids.of(texts)) == texts


@given(TEXTS, st.lists(st.integers(0, 99), max_size=10))
def test_a_subset_is_taken_in_any_order_and_repeatedly(texts: list[str], numbers: list[int]) -> None:
    indexes = [number % len(texts) for number in numbers] if texts else []
    assert list(Ids.of(texts).subset(np.array(indexes, np.int64))) == [texts[i] for i in indexes]
    assert Ids.of(texts).take(indexes) == [texts[i] for i in indexes]


@given(TEXTS, TEXTS)
def test_joined_ids_follow_each_other_and_equal_ids_are_equal(first: list[str], second: list[str]) -> None:
    joined = Ids.joined(Ids.of(first), Ids.of(second))
    assert list(joined) == first + second
    assert joined == Ids.of(first + second)
    assert hash(joined) == hash(Ids.of(first + second))
    assert (Ids.of(first) == Ids.of(second)) == (first == second)


def test_equal_bytes_cut_at_other_places_are_other_ids() -> None:
    assert Ids.of(["ab", "c"]) != Ids.of(["a", "bc"])
    assert Ids.of(["a"]) != ["a"]


def test_an_index_beyond_the_end_is_an_error() -> None:
    with pytest.raises(IndexError):
        Ids.of(["a"])[1]


def test_ids_are_read_only() -> None:
    ids = Ids.of(["a"])
    with pytest.raises(ValueError, match="read-only"):
        ids.data[0] = 0


def test_a_long_sequence_is_shown_by_its_beginning() -> None:
    assert repr(Ids.of("abcde")) == "Ids('a', 'b', 'c', …; 5)"
