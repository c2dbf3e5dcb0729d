"""Findings about needs, and about labels beside the corpus that they are about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firsthit.matching.notices import NOTHING_FOUND
from firsthit.preflight.check import CheckReport, check

LABELS = [
    {"query_id": "q1", "doc_id": "a#0", "grade": 1, "need": "policy"},
    {"query_id": "q1", "source": "a", "quote": "fee rose", "grade": 1, "need": "fee"},
    {"query_id": "q2", "source": "a", "grade": 0, "need": "policy"},
    {"query_id": "q2", "source": "a", "quote": "fee fell", "grade": 1},
    {"query_id": "q3", "doc_id": "gone", "grade": 0},
]
CORPUS = """{"doc_id": "a#0", "source": "a", "start": 0, "end": 9, "text": "The first"}
{"doc_id": "a#1", "source": "a", "start": 10, "end": 19, "text": "fee rose."}
"""
QUERIES = """{"query_id": "q1", "needs": ["policy", "fee", "exception"]}
{"query_id": "q2"}
{"query_id": "q3"}
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "labels.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in LABELS))
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    (tmp_path / "queries.jsonl").write_text(QUERIES)
    return tmp_path


def texts(report: CheckReport, level: Any) -> list[str]:
    return [finding.text for finding in report.at(level)]


def test_required_needs_that_nobody_judged_are_listed(files: Path) -> None:
    report = check(files / "labels.jsonl", queries=files / "queries.jsonl")
    assert "1 required need that nobody judged, never covered: q1 exception" in texts(report, "notice")
    assert "needs: 3, in 2 queries" in texts(report, "fact")


def test_needs_without_a_relevant_label_are_listed(files: Path) -> None:
    report = check(files / "labels.jsonl")
    assert "1 need without a relevant label: q2 policy" in texts(report, "notice")


def test_labels_without_needs_say_nothing_of_them() -> None:
    report = check({"q1": {"a": 1}})
    assert not [finding for finding in report.findings if "need" in finding.text]


def test_a_need_that_is_not_declared_would_stop_an_evaluation(files: Path) -> None:
    (files / "queries.jsonl").write_text(QUERIES.replace("policy", "other"))
    report = check(files / "labels.jsonl", queries=files / "queries.jsonl")
    assert (report.refused, report.exit_code) == (True, 2)
    assert texts(report, "problem") == [
        "line 1: query 'q1' declares no need 'policy', only other, fee, exception"
    ]


def test_stale_labels_are_a_problem_over_the_limit_and_a_notice_below(files: Path) -> None:
    report = check(files / "labels.jsonl", passages=files / "corpus.jsonl")
    assert (report.refused, report.stale, report.exit_code) == (False, True, 3)
    said = "1 of 3 relevant labels (33.3%) are stale (quote no longer in its source: 1)"
    assert texts(report, "problem") == [f"labels stale, not a regression: {said}"]
    gone = "document 'gone' of query 'q3' is not in the corpus"
    listed = f"labels of documents that the corpus does not hold: 1, such as: {gone}"
    assert listed in texts(report, "notice")
    relaxed = check(files / "labels.jsonl", passages=files / "corpus.jsonl", max_stale=0.5)
    assert (relaxed.exit_code, texts(relaxed, "problem")) == (0, [])
    assert said in texts(relaxed, "notice")


def test_a_span_beyond_its_source_would_stop_an_evaluation(files: Path) -> None:
    row = {"query_id": "q1", "source": "a", "start": 15, "end": 99, "grade": 1}
    (files / "labels.jsonl").write_text(json.dumps(row))
    report = check(files / "labels.jsonl", passages=files / "corpus.jsonl")
    assert (report.refused, report.exit_code) == (True, 2)
    assert "line 1: the span 15 to 99 is beyond the end of source 'a' of query 'q1'" in texts(
        report, "problem"
    )


def test_a_corpus_that_cannot_be_read_is_a_finding(files: Path) -> None:
    report = check(files / "labels.jsonl", passages=files / "nowhere.jsonl")
    assert (report.refused, texts(report, "problem")) == (True, ["no such file"])


def test_a_run_whose_passages_are_not_known_satisfies_no_label(files: Path) -> None:
    quote = {"query_id": "q1", "source": "a", "quote": "fee rose", "grade": 1}
    (files / "quotes.jsonl").write_text(json.dumps(quote) + "\n")
    report = check(files / "quotes.jsonl", [{"q1": ["a#1", "b"]}])
    assert texts(report, "problem") == [NOTHING_FOUND]
    assert [text for text in texts(report, "notice") if "because the retrieved passages have no" in text]
    report = check(files / "quotes.jsonl", [{"q1": ["a#1"]}], passages=files / "corpus.jsonl")
    assert not texts(report, "problem")
    assert not [text for text in texts(report, "notice") if "because" in text]


def test_answer_strings_are_called_a_weaker_kind_of_label(files: Path) -> None:
    (files / "answers.jsonl").write_text('{"query_id": "q1", "answers": ["rose"]}\n')
    run = [{"q1": ["a#1", "a#0"]}]
    report = check(files / "answers.jsonl", run, passages=files / "corpus.jsonl", match="answers")
    notices = texts(report, "notice")
    assert [text for text in notices if text.startswith("answer strings are a weaker kind of label")]
    assert not [text for text in notices if "relevant documents only" in text]
