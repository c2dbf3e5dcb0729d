"""Quotes: normalised texts, and which of them hold which words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.ids import Ids
from firsthit.resolve.quotes import Texts, contained, normalised
from tests.resolve.rankings import plain

ODD = "aAbB  \t\r\n\x1c\x1f\u00a0\u2028.ßİﬁe\u0301é😀👩\u200dשל\u0600"
TEXTS = st.lists(st.text(st.sampled_from(ODD), max_size=10), max_size=6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  The\r\n FIRST\tline ", "the first line"),
        ("ﬁne Straße", "fine strasse"),
        ("cafe\u0301", "café"),
        ("one\u00a0\u2003two\u2029", "one two"),
        ("שלום  עולם", "שלום עולם"),
        ("👩\u200d👧", "👩\u200d👧"),
        (" \u00a0\n", ""),
    ],
)
def test_texts_are_compared_after_nfkc_case_folding_and_whitespace_collapse(text: str, said: str) -> None:
    assert normalised(text) == said


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@given(TEXTS)
def test_texts_at_once_are_normalised_as_one_by_one(texts: list[str]) -> None:
    found = Texts.of(Ids.of(texts))
    parts = [found.data[start:end].decode() for start, end in zip(found.start, found.end, strict=True)]
    assert parts == [normalised(text) for text in texts] == [plain(text) for text in texts]


@given(TEXTS, st.lists(st.text(st.sampled_from(ODD), max_size=3), max_size=4))
def test_a_quote_is_held_where_the_normalised_text_contains_it(texts: list[str], quotes: list[str]) -> None:
    pairs = [(text, quote) for text in range(len(texts)) for quote in range(len(quotes))] * 2
    text, quote = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    found = contained(Texts.of(Ids.of(texts)), Texts.of(Ids.of(quotes)), text, quote)
    words = [(plain(texts[text]), plain(quotes[quote])) for text, quote in pairs]
    assert found.tolist() == [bool(quote) and quote in text for text, quote in words]


def test_a_part_of_an_id_column_is_normalised_from_its_own_offsets() -> None:
    whole = Ids.of(["Skipped ", " One ", "É"])
    part = Ids(whole.data, whole.offsets[1:])
    found = Texts.of(part)
    parts = [found.data[start:end].decode() for start, end in zip(found.start, found.end, strict=True)]
    assert parts == ["one", "é"]
