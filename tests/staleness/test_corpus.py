"""A corpus by source: texts put together from passages, whatever their cuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.resolve.quotes import normalised
from firsthit.staleness.corpus import Corpus, joined
from tests.labels.corpora import cut, passages, sentences, whole, windows

TEXT = "Ein naïver Tag 👍🏽. شكرا جزيلا.\r\nThe ﬁrst  fee is waived."


@pytest.mark.parametrize("way", [sentences, windows, whole])
@pytest.mark.parametrize("spans", [True, False])
def test_a_source_says_the_same_however_it_is_cut(way: Callable[[str], Any], spans: bool) -> None:
    corpus = Corpus(cut({"a": TEXT, "b": "Other."}, way, "p", spans=spans))
    assert corpus.normal_source("a") == normalised(TEXT)
    assert corpus.says("a", normalised("JEZILA. the first fee")) is False
    assert corpus.says("a", normalised("جزيلا. the FIRST fee")) is True


def test_passages_that_overlap_say_what_they_share_once() -> None:
    assert joined(["You may cancel at any time.", "cancel at any time. Write to us."]) == (
        "You may cancel at any time. Write to us."
    )
    assert joined(["A b a", "a c"]) == "A b a a c"  # one letter is chance
    assert joined([]) == ""


def test_passages_cut_inside_words_still_say_the_word() -> None:
    corpus = Corpus(
        passages([{"doc_id": i, "source": "s", "text": t} for i, t in enumerate(("can", "cel now"))])
    )
    assert corpus.says("s", "cancel now") is True


def test_what_is_not_known_is_not_denied() -> None:
    corpus = Corpus(passages([{"doc_id": "a", "source": "s"}, {"doc_id": "b", "source": "t", "text": "x"}]))
    assert (corpus.says("s", "x"), corpus.says("u", "x"), corpus.says("t", "y")) == (None, None, False)
    assert corpus.says("t", "") is False
    assert (corpus.source_text("s"), corpus.beyond("s", (0, 99)), corpus.beyond("t", (0, 99))) == (
        "",
        False,
        False,
    )


def test_a_span_is_beyond_a_whole_document_at_once_and_beyond_passages_by_more_than_half() -> None:
    document = Corpus(passages([{"doc_id": "s", "text": "12345"}]))
    assert [document.beyond("s", (2, end)) for end in (5, 6)] == [False, True]
    cut_off = Corpus(passages([{"doc_id": "p", "source": "s", "start": 0, "end": 5, "text": "12345"}]))
    assert [cut_off.beyond("s", (3, end)) for end in (5, 7, 8)] == [False, False, True]


def test_a_passage_without_a_source_is_its_own() -> None:
    corpus = Corpus(passages([{"doc_id": "a", "text": "x"}, {"doc_id": "b", "source": "s", "text": "x"}]))
    assert (corpus.sources, corpus.with_text("x"), corpus.with_text("")) == (["a", "s"], [0, 1], [])


@given(st.text(st.sampled_from("ab é\u0301👍 \n"), max_size=30), st.integers(1, 7), st.integers(0, 6))
def test_overlapping_windows_with_spans_give_the_source_back(text: str, size: int, shared: int) -> None:
    step = max(size - shared, 1)
    places = [(start, min(start + size, len(text))) for start in range(0, len(text), step)]
    rows = [
        {"doc_id": i, "source": "s", "start": start, "end": end, "text": text[start:end]}
        for i, (start, end) in enumerate(places)
    ]
    if rows:
        assert Corpus(passages(rows)).source_text("s") == text
