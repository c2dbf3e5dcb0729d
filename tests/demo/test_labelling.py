"""From judgments to labels of spans."""

from __future__ import annotations

import pytest

from firsthit.demo import FILES
from firsthit.demo.chunking import Chunk, sections
from firsthit.demo.labelling import judgments, label

SECTIONS = {
    passage["doc_id"]: passage
    for document in sorted((FILES / "documents").glob("*.md"))
    for passage in sections(document)
}
SECTION: Chunk = {"source": "a.md", "start": 10, "end": 30, "text": "Tea ☕. It is free. Yes."}
JUDGMENT = {"query_id": "q1", "doc_id": "a/tea", "grade": "2", "need": "", "assessor": "tom"}


def test_every_judgment_is_about_a_section_of_the_collection() -> None:
    assert {row["doc_id"] for row in judgments()} <= set(SECTIONS)


def test_exactly_what_was_judged_to_answer_is_quoted() -> None:
    assert all(bool(row["quote"]) == (row["grade"] != "0") for row in judgments())


def test_each_quote_stands_at_its_span() -> None:
    for judgment in judgments():
        row = label(judgment, SECTIONS[judgment["doc_id"]])
        text = (FILES / "documents" / str(row["source"])).read_text(encoding="utf-8")
        there = text[int(row["start"]) : int(row["end"])]
        assert there == row.get("quote", SECTIONS[judgment["doc_id"]]["text"])


def test_offsets_count_code_points_from_the_start_of_the_document() -> None:
    row = label({**JUDGMENT, "quote": "It is free."}, SECTION)
    assert row == {
        "query_id": "q1",
        "source": "a.md",
        "start": 17,
        "end": 28,
        "quote": "It is free.",
        "grade": 2,
        "kind": "human",
        "assessor": "tom",
    }


def test_a_judgment_without_a_quote_is_about_the_whole_section() -> None:
    row = label({**JUDGMENT, "grade": "0", "quote": ""}, SECTION)
    assert (row["start"], row["end"], row["grade"]) == (10, 33, 0)
    assert "quote" not in row


@pytest.mark.parametrize(("quote", "times"), [("It costs", 0), ("e", 4)])
def test_a_quote_that_does_not_stand_exactly_once_is_refused(quote: str, times: int) -> None:
    with pytest.raises(ValueError, match=f"q1: the quote stands {times} times"):
        label({**JUDGMENT, "quote": quote}, SECTION)
