"""Stale labels: each reason by hand, the share, the likely cause, and what a corpus cannot tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.passages import Passages
from firsthit.qrels import Qrels, read_qrels
from firsthit.staleness import Staleness
from firsthit.staleness.find import likely_cause, staleness
from tests.labels.corpora import passages

CORPUS = passages(
    [
        {"doc_id": "a#0", "source": "a", "start": 0, "end": 9, "text": "The first"},
        {"doc_id": "a#1", "source": "a", "start": 10, "end": 19, "text": "fee rose."},
    ]
)


@pytest.fixture
def labels(tmp_path: Path) -> Any:
    """Labels from rows; each has a query of its own."""

    def read(*rows: dict[str, Any]) -> Qrels:
        path = tmp_path / "labels.jsonl"
        lines = (json.dumps({"query_id": f"q{i}", "grade": 1} | row) for i, row in enumerate(rows))
        path.write_text("\n".join(lines))
        return read_qrels(path)

    return read


def reasons(qrels: Qrels, corpus: Passages = CORPUS) -> list[tuple[int, str]]:
    return [(label.row, label.reason) for label in staleness(qrels, corpus)[1]]


def test_a_document_that_the_corpus_lacks_makes_a_label_stale(labels: Any) -> None:
    assert reasons(labels({"doc_id": "a#0"}, {"doc_id": "b"})) == [(1, "document")]


def test_a_source_that_the_corpus_lacks_makes_a_label_stale(labels: Any) -> None:
    assert reasons(labels({"source": "a"}, {"source": "b"})) == [(1, "source")]


def test_a_quote_may_cross_passages_and_is_compared_normalised(labels: Any) -> None:
    rows = ({"source": "a", "quote": "FIRST\n fee"}, {"source": "a", "quote": "first fees"})
    assert reasons(labels(*rows)) == [(1, "quote")]


def test_a_quote_without_a_source_is_looked_for_in_every_passage(labels: Any) -> None:
    assert reasons(labels({"quote": "fee rose"}, {"quote": "fee fell"})) == [(1, "quote")]


def test_a_document_that_is_there_with_another_text_is_stale_by_its_quote(labels: Any) -> None:
    assert reasons(labels({"doc_id": "a#1", "quote": "fee fell"})) == [(0, "quote")]


def test_a_span_beyond_its_source_is_stale(labels: Any) -> None:
    rows = ({"source": "a", "start": 4, "end": 19}, {"source": "a", "start": 4, "end": 40})
    found = staleness(labels(*rows), CORPUS)[1]
    assert [label.text for label in found] == [
        "the span 4 to 40 is beyond the end of source 'a' of query 'q1'"
    ]


def test_a_span_whose_quote_moved_is_stale(labels: Any) -> None:
    here, near, away = (
        {"source": "a", "quote": "fee ROSE", "start": start, "end": end}
        for start, end in ((10, 18), (3, 12), (0, 9))
    )
    found = staleness(labels(here, near, away), CORPUS)[1]
    assert [(label.row, label.reason) for label in found] == [(2, "moved")]
    assert found[0].text == "the quote 'fee ROSE' is no longer in source 'a' of query 'q2' at 0 to 9"


def test_a_corpus_without_texts_denies_no_quote(labels: Any) -> None:
    ids = passages([{"doc_id": "a#0", "source": "a"}])
    assert reasons(labels({"source": "a", "quote": "anything"}, {"quote": "anything"}), ids) == []


def test_only_relevant_labels_make_the_share(labels: Any) -> None:
    qrels = labels(
        {"doc_id": "a#0"}, {"doc_id": "x"}, {"doc_id": "y", "grade": 0}, {"doc_id": "a#1", "grade": 0}
    )
    summary, stale = staleness(qrels, CORPUS)
    assert (summary.labels, summary.stale, summary.nonrelevant, len(stale)) == (2, 1, 1, 2)
    assert staleness(qrels, CORPUS, rel=2)[0] == Staleness(0, 0, nonrelevant=2, cause=summary.cause)


def test_what_a_run_retrieved_is_there_whatever_the_corpus_says() -> None:
    qrels = read_qrels({"q1": {"x": 1, "y": 1}})
    run = passages([{"doc_id": "x"}])
    assert [staleness(qrels, CORPUS, retrieved=held)[0].stale for held in (run, None)] == [1, 2]


def test_a_source_that_only_the_run_holds_is_there(labels: Any) -> None:
    run = passages([{"doc_id": "b#1", "source": "b"}])
    assert staleness(labels({"source": "b"}, {"source": "c"}), CORPUS, retrieved=run)[0].stale == 1


def test_labels_of_documents_are_held_by_the_sources_of_passages() -> None:
    qrels = read_qrels({"q1": {"a": 1, "b": 1}})
    assert [staleness(qrels, CORPUS, documents=unit)[0].stale for unit in (True, False)] == [1, 2]


@pytest.mark.parametrize(
    ("gone", "known", "cause"),
    [
        (["a", "b"], ["kb/a", "kb/b"], "the prefix 'kb/' in the corpus"),
        (["a.md", "b.md"], ["a", "b"], "a file extension is appended in the labels"),
        (["a", "b"], ["a#0", "a#1", "b#0"], "a chunk suffix is appended in the corpus"),
        (["01", "02"], ["1", "2"], "leading zeros"),
        (["1", "2"], ["1.0", "2.0"], "numbers written in another way"),
    ],
)
def test_the_likely_cause_is_named(gone: list[str], known: list[str], cause: str) -> None:
    assert cause in likely_cause(gone, known, "corpus")


def test_a_cause_explains_at_least_half(labels: Any) -> None:
    assert likely_cause(["a", "p", "q"], ["kb/a", "kb/z"], "corpus", every=False) == ""


def test_all_ids_changed_is_said_only_where_all_did() -> None:
    every, some = ({"q1": dict.fromkeys(ids, 1)} for ids in (["x", "y"], ["x", "a#0"]))
    assert staleness(read_qrels(every), CORPUS)[0].cause.startswith("All ids changed")
    assert staleness(read_qrels(some), CORPUS)[0].cause == ""


@given(st.lists(st.sampled_from(["a#0", "a#1", "b", "c"]), min_size=1, unique=True), st.randoms())
def test_a_label_is_stale_exactly_where_its_document_is_not_in_the_corpus(
    ids: list[str], random: Any
) -> None:
    grades = {doc_id: random.randint(0, 2) for doc_id in ids}
    summary, stale = staleness(read_qrels({"q": grades}), CORPUS)
    gone = {doc_id for doc_id in ids if doc_id not in ("a#0", "a#1")}
    assert {ids[label.row] for label in stale} == gone
    assert summary.stale == sum(grades[doc_id] >= 1 for doc_id in gone)
    assert summary.stale + summary.nonrelevant == len(gone)
    assert 0 <= summary.share <= 1


def test_the_demo_and_its_own_passages_fit(tmp_path: Path) -> None:
    from firsthit.demo import FILES
    from firsthit.passages import read_passages

    qrels = read_qrels(FILES / "qrels.txt")
    summary, stale = staleness(qrels, read_passages(FILES / "passages.jsonl"))
    assert (summary.stale, stale) == (0, ())
    assert summary.labels == np.count_nonzero(qrels.grade >= 1)


def test_real_labels_fit_the_collection_they_were_made_for(test_data: Path) -> None:
    from firsthit.ids import Ids

    qrels = read_qrels(test_data / "dl19_passage" / "qrels.dl19-passage.txt")
    everything = Passages(Ids.of(dict.fromkeys(qrels.doc_ids)))
    assert staleness(qrels, everything)[0].stale == 0
    renamed = Passages(Ids.of(f"msmarco_{one}" for one in dict.fromkeys(qrels.doc_ids)))
    summary, _ = staleness(qrels, renamed)
    assert (summary.share, summary.over) == (1.0, True)
    assert "the prefix 'msmarco_' in the corpus" in summary.cause
