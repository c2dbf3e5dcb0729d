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
    assert (corpus.source_text("s"), corpus.length_of("s"), corpus.length_of("t")) == ("", None, None)


def test_the_length_of_a_source_is_that_of_its_last_span_or_of_the_whole_document() -> None:
    assert Corpus(cut({"s": TEXT}, sentences, "p")).length_of("s") == len(TEXT)
    assert Corpus(passages([{"doc_id": "s", "text": TEXT}])).length_of("s") == len(TEXT)


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
