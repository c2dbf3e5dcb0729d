"""Evaluations over passages: spans, sources, quotes, answers, documents in place of passages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import (
    InputError,
    NotComparableError,
    UsageError,
    compare,
    evaluate,
    judging_queue,
    load,
    read_qrels,
    read_run,
)
from firsthit.evaluation.joined import Beside, Reading, join
from firsthit.ids import Ids
from firsthit.matching.retrieved import Retrieved
from firsthit.passages import Passages
from firsthit.resolve.units import documents_of, folded
from firsthit.rules import Rules
from tests.resolve.rankings import Label, qrels_of

Row = Mapping[str, Any]


def write(path: Path, rows: Sequence[Row]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def chunked(source: str, length: int, size: int) -> list[Row]:
    """A source cut into pieces of one size; the pieces' names say nothing about their places."""
    starts = range(0, length, size)
    return [
        {
            "doc_id": f"{source}-{size}-{start}",
            "source": source,
            "start": start,
            "end": min(start + size, length),
        }
        for start in starts
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Span labels of two documents, and each document cut in two ways."""
    write(
        tmp_path / "labels.jsonl",
        [
            {"query_id": "q1", "source": "a", "start": 20, "end": 40, "quote": "words", "grade": 2},
            {"query_id": "q1", "source": "b", "start": 0, "end": 10, "grade": 0},
            {"query_id": "q2", "source": "b", "grade": 1},
        ],
    )
    for size in (10, 50):
        write(tmp_path / f"cut-{size}.jsonl", [*chunked("a", 100, size), *chunked("b", 60, size)])
    return tmp_path


def test_labels_written_against_one_chunking_evaluate_a_retriever_with_another(folder: Path) -> None:
    small = {"q1": ["b-10-0", "a-10-20", "a-10-0"], "q2": ["a-10-0", "b-10-30"]}
    large = {"q1": ["b-50-50", "b-50-0", "a-50-0"], "q2": ["b-50-0"]}
    found = {
        size: evaluate(folder / "labels.jsonl", run, ["RR@10"], passages=folder / f"cut-{size}.jsonl")
        for size, run in ((10, small), (50, large))
    }
    assert found[10]["RR@10"].tolist() == [0.5, 0.5]
    assert found[50]["RR@10"].tolist() == [1 / 3, 1.0]
    assert found[10].card.evidence is not None
    assert found[10].card.evidence.labels == {"spans": 2, "sources": 1}
    assert found[10].card.evidence.sources == "cut-10.jsonl"


def test_a_run_may_carry_spans_and_texts_itself(folder: Path) -> None:
    rows = [
        {"query_id": "q1", "doc_id": "x", "score": 3, "source": "a", "start": 0, "end": 29},
        {"query_id": "q1", "doc_id": "y", "score": 2, "source": "a", "text": "Some WORDS."},
        {"query_id": "q1", "doc_id": "z", "score": 1, "source": "a", "start": 30, "end": 99, "text": "words"},
    ]
    found = evaluate(folder / "labels.jsonl", write(folder / "run.jsonl", rows), ["RR@10", "Judged@3"])
    assert found.first_rank.tolist() == [2, 0]
    assert found["Judged@3"].tolist()[0] == pytest.approx(2 / 3)
    assert found.listed("partial").rows == (("q1", "x", 1, "a", 0.45, 1),)


def test_all_kinds_of_labels_may_stand_in_one_file(tmp_path: Path) -> None:
    labels: list[Row] = [
        {"query_id": "q1", "doc_id": "p1", "grade": 1},
        {"query_id": "q2", "source": "s", "grade": 1},
        {"query_id": "q3", "source": "s", "start": 0, "end": 4, "grade": 1},
        {"query_id": "q4", "quote": "The\u00a0 WORD", "grade": 1},
    ]
    passages: list[Row] = [
        {"doc_id": "p1", "source": "s", "start": 0, "end": 3, "text": "one the word two"},
        {"doc_id": "p2", "source": "t", "text": "nothing"},
    ]
    run = {query: ["p2", "p1"] for query in ("q1", "q2", "q3", "q4")}
    found = evaluate(
        write(tmp_path / "l.jsonl", labels), run, ["RR"], passages=write(tmp_path / "p.jsonl", passages)
    )
    assert found.first_rank.tolist() == [2, 2, 2, 2]
    assert found.card.evidence is not None
    assert found.card.evidence.labels == {"documents": 1, "spans": 1, "quotes": 1, "sources": 1}
    assert "evidence: labels of 1 document, 1 span, 1 quote, 1 source" in found.card.text()


PLACES = st.integers(0, 30)
SPANS = st.tuples(PLACES, st.integers(1, 20)).map(lambda place: (place[0], sum(place)))


@given(st.lists(SPANS, min_size=1, max_size=6), st.lists(SPANS, min_size=1, max_size=3), st.data())
def test_a_higher_overlap_never_raises_mrr(
    passages: list[tuple[int, int]], spans: list[tuple[int, int]], data: st.DataObject
) -> None:
    names = [f"p{i}" for i in range(len(passages))]
    start, end = (np.array([span[i] for span in [*passages, (0, 60)]]) for i in (0, 1))
    held = Passages(Ids.of([*names, "whole"]), Ids.of(["s"] * (len(names) + 1)), start, end)
    qrels = qrels_of([Label("q", source="s", start=start, end=end) for start, end in set(spans)])
    run = {"q": data.draw(st.permutations(names))}
    means = list(evaluate(qrels, run, ["RR"], passages=held).at_overlaps().values())
    assert means == sorted(means, reverse=True)


def retrieved(labels: Any, run: Any, separator: str, **rules: Any) -> Retrieved:
    beside = Beside.of(None, None, separator)
    joined = join(
        read_qrels(labels),
        read_run(run),
        rules=Rules(**rules),
        measures=(),
        beside=beside,
        reading=Reading(depth=100),
    )
    assert joined.retrieved is not None
    return joined.retrieved


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from([1.0, 2.0])), max_size=12))
def test_folding_keeps_first_places_and_folding_twice_changes_nothing(
    places: list[tuple[int, int, float]],
) -> None:
    run = {"q": {f"d{document}#{passage}": score for document, passage, score in places}, "r": {"e#1": 1.0}}
    whole = retrieved({"q": {"d0": 1}, "r": {"e": 1}, "absent": {"x": 1}}, run, "#")
    once, removed = folded(whole, documents_of(whole.passages))
    ranking = sorted(run["q"].items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
    documents = list(dict.fromkeys(passage.partition("#")[0] for passage, _ in ranking))
    names = list(once.passages.doc_ids)
    assert [names[i] for i in once.passage[: once.offsets[1]]] == documents
    assert once.retrieved.tolist() == [len(documents), 1, -1]
    assert removed == len(ranking) - len(documents)
    twice, more = folded(once, documents_of(once.passages))
    assert more == 0
    for name in ("retrieved", "offsets", "passage", "tied", "record"):
        assert getattr(twice, name).tolist() == getattr(once, name).tolist()


def test_ties_of_documents_are_those_of_their_first_passages() -> None:
    run = {"q": {"a#1": 3.0, "b#1": 2.0, "a#2": 2.0, "c#1": 2.0, "c#2": 1.0, "d#1": 1.0}}
    found = evaluate({"q": {"c": 1}}, run, ["RR@10"], source_separator="#", unit="document")
    assert found.first_rank.tolist() == [2]
    assert found.ties["RR@10"] == pytest.approx((1 / 3, 5 / 12, 1 / 2))
    assert found.card.evidence is not None
    assert found.card.evidence.folded == 2


def test_labels_of_documents_meet_passages_by_the_separator_and_both_levels_are_shown() -> None:
    labels = {"q1": {"doc1": 1}, "q2": {"doc2": 1}}
    run = {"q1": ["doc3#1", "doc3#2", "doc1#7"], "q2": ["doc2#1"]}
    assert evaluate(labels, run, ["RR@10"]).mean() == 0
    found = evaluate(labels, run, ["RR@10"], source_separator="#", unit="document")
    assert found["RR@10"].tolist() == [0.5, 1.0]
    assert found.card.evidence is not None
    assert found.card.evidence.passage_means == {"RR@10": pytest.approx(2 / 3)}
    assert "1 passage folded into an earlier one · MRR@10 by passage 0.6667" in found.card.text()
    assert found.record().detail.ranked.group(0).keys() == {"doc3", "doc1"}


def test_labels_of_passages_fold_with_the_highest_grade() -> None:
    labels = {"q": {"d#1": 0, "d#9": 2, "e#1": 0}}
    found = evaluate(
        labels, {"q": ["e#1", "d#1"]}, ["RR(rel=2)", "R@5"], source_separator="#", unit="document"
    )
    assert found.first_rank.tolist() == [2]
    assert found["R@5"].tolist() == [1.0]
    assert found.listed("sources").rows == (("e", 1, 0.5, 1), ("d", 1, 0.5, 1))


def test_documents_need_sources_and_have_no_token_budget() -> None:
    with pytest.raises(UsageError, match="folds passages to their sources, and none is known"):
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, unit="document")
    with pytest.raises(UsageError, match="a token budget is for passages"):
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, ["RR(tokens=9)"], unit="document", source_separator="#")


def test_the_queue_offers_passages_for_labels_of_spans(folder: Path) -> None:
    run = {"q1": ["a-10-0", "a-10-20"], "q2": ["a-10-0", "b-10-30"]}
    found = evaluate(folder / "labels.jsonl", run, ["RR@10"], passages=folder / "cut-10.jsonl")
    assert found.bounds["RR@10"] == (0.5, 1.0)
    queue = judging_queue([found])
    assert {(item.query_id, item.doc_id) for item in queue.items} == {("q1", "a-10-0"), ("q2", "a-10-0")}


def test_the_record_names_the_evidence_of_the_first_hit(folder: Path) -> None:
    run = {"q1": ["b-10-0", "a-10-20"], "q2": ["b-10-30"]}
    found = evaluate(folder / "labels.jsonl", run, ["RR@10"], passages=folder / "cut-10.jsonl")
    found.save(folder / "saved.jsonl")
    lines = [json.loads(line) for line in (folder / "saved.jsonl").read_text().splitlines()]
    first = {"doc_id": "a-10-20", "source": "a", "start": 20, "end": 40, "quote": "words"}
    assert [line.get("first") for line in lines[1:3]] == [first, {"doc_id": "b-10-30", "source": "b"}]
    assert lines[1]["relevant"] == {"a-10-20": 2, "a-10-30": 2} or lines[1]["relevant"] == {"a-10-20": 2}
    assert load(folder / "saved.jsonl") == found


def test_other_units_overlaps_and_kinds_of_labels_are_not_compared(folder: Path) -> None:
    run = {"q1": ["b-10-0", "a-10-20"], "q2": ["b-10-30"]}
    options: list[dict[str, Any]] = [{}, {"overlap": 0.3}, {"unit": "document"}]
    one, other, documents = (
        evaluate(folder / "labels.jsonl", run, ["RR@10"], passages=folder / "cut-10.jsonl", **some)
        for some in options
    )
    with pytest.raises(NotComparableError, match=r"rule overlap: 0.5 against 0.3"):
        compare(one, other)
    with pytest.raises(NotComparableError, match="unit: passage against document"):
        compare(one, documents)
    with pytest.raises(NotComparableError, match="about sources, spans or quotes"):
        compare(one, one, qrels=folder / "labels.jsonl", measures=["RR@10", "P@1"])


ANSWERS = {"q1": ["Ada Lovelace"], "q2": ["1843"]}
TEXTS = [
    {"query_id": "q1", "doc_id": "a", "score": 2, "text": "Byron's daughter", "source": "x"},
    {"query_id": "q1", "doc_id": "b", "score": 1, "text": "It was ADA  Lovelace.", "source": "x"},
    {"query_id": "q2", "doc_id": "c", "score": 1, "text": "in 18431", "source": "y"},
]


def test_answer_strings_judge_exactly_what_was_retrieved(tmp_path: Path) -> None:
    found = evaluate(ANSWERS, write(tmp_path / "run.jsonl", TEXTS), match="answers")
    assert found.measures == ("Success@1", "Success@5", "Success@20", "Success@100", "RR@10")
    assert found["RR@10"].tolist() == [0.5, 0.0]
    assert found.bounds["RR@10"] == (0.25, 0.25)
    assert found.status == ["hit", "miss"]
    assert "weaker kind of label" in found.card.text()
    assert found.card.evidence is not None
    assert found.card.evidence.kinds == {"answer-string": 2}


def test_answer_strings_refuse_measures_of_all_that_is_relevant(tmp_path: Path) -> None:
    run = write(tmp_path / "run.jsonl", TEXTS)
    with pytest.raises(
        UsageError, match=r"R@5, AP, nDCG@10: answer strings judge the retrieved passages only"
    ):
        evaluate(ANSWERS, run, ["RR@10", "R@5", "AP", "nDCG@10"], match="answers")


def test_a_document_answers_where_one_of_its_passages_does(tmp_path: Path) -> None:
    run = write(tmp_path / "run.jsonl", TEXTS)
    found = evaluate(ANSWERS, run, match="answers", unit="document")
    assert found["RR@10"].tolist() == [1.0, 0.0]
    assert found.card.evidence is not None
    assert found.card.evidence.passage_means["RR@10"] == 0.25


def test_labels_by_people_are_compared_with_answer_strings(tmp_path: Path) -> None:
    found = evaluate(ANSWERS, write(tmp_path / "run.jsonl", TEXTS), match="answers")
    agreed = found.agreement({"q1": {"a": 1, "b": 1, "z": 1}, "q2": {"c": 0}})
    assert (agreed.both, agreed.human, agreed.answer, agreed.neither, agreed.not_searched) == (1, 1, 0, 1, 1)
    with pytest.raises(UsageError, match="match=answers"):
        evaluate({"q1": {"a": 1}}, {"q1": ["a"]}).agreement({"q1": {"a": 1}})


def test_spans_without_passages_are_said_to_lack_them(folder: Path) -> None:
    rows = [{"query_id": "q1", "doc_id": "x", "score": 1, "source": "a"}]
    labels = [{"query_id": "q1", "source": "a", "start": 0, "end": 9, "grade": 1}]
    found = evaluate(write(folder / "l.jsonl", labels), write(folder / "r.jsonl", rows), ["RR@10"])
    assert any("the retrieved passages of its source have no span" in notice for notice in found.notices)


def test_labels_that_nobody_judged_are_told_apart(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"query_id": "q", "doc_id": "a", "grade": 1, "kind": "llm"},
        {"query_id": "q", "doc_id": "b", "grade": 1, "kind": "answer-string"},
        {"query_id": "q", "doc_id": "c", "grade": 0, "kind": "human"},
    ]
    notices = evaluate(write(tmp_path / "l.jsonl", rows), {"q": ["a"]}, ["RR@10"]).notices
    assert notices[0] == "1 of 3 labels were made by a language model (kind llm)"
    assert notices[1].startswith("1 of 3 labels: answer strings are a weaker kind of label")


def test_overlaps_are_for_labels_of_spans(folder: Path) -> None:
    with pytest.raises(UsageError, match="overlaps are for labels of spans"):
        evaluate({"q": {"a": 1}}, {"q": ["a"]}).at_overlaps()


def test_a_first_hit_that_does_not_fit_is_refused(folder: Path) -> None:
    run = {"q1": ["b-10-0", "a-10-20"], "q2": ["b-10-30"]}
    found = evaluate(folder / "labels.jsonl", run, ["RR@10"], passages=folder / "cut-10.jsonl")
    path = folder / "saved.jsonl"
    found.save(path)
    text = path.read_text().replace('"first":{"doc_id":"a-10-20"', '"first":{"doc_id":"a-10-30"')
    path.write_text(_signed(text))
    with pytest.raises(
        InputError, match="line 2: the first hit is 'a-10-30', and 'a-10-20' stands at its rank"
    ):
        load(path)


def _signed(text: str) -> str:
    """A saved evaluation with the digest that its lines have."""
    import hashlib
    import re

    *lines, _ = text.splitlines(keepends=True)
    bare = [re.sub(r'"created":"[^"]*"}', '"created":""}', lines[0]), *lines[1:]]
    digest = hashlib.sha256("".join(bare).encode()).hexdigest()
    return "".join(lines) + json.dumps({"end": len(lines) - 1, "sha256": digest}) + "\n"


DPR = [
    {
        "question": "who",
        "answers": ["Ada Lovelace"],
        "ctxs": [
            {"id": "a", "title": "T", "text": "Byron's daughter", "score": "2.5", "has_answer": True},
            {"id": "b", "title": "T", "text": "It was ADA  Lovelace.", "score": "2.0", "has_answer": True},
            {"id": "c", "title": "T", "text": "Nobody", "score": "1.5"},
        ],
    }
]


def test_flags_of_a_dpr_result_are_compared_with_its_texts(tmp_path: Path) -> None:
    path = tmp_path / "dpr.json"
    path.write_text(json.dumps(DPR))
    found = evaluate(path, path, ["RR@10"], match="answers")
    assert found.first_rank.tolist() == [2]
    assert found.card.evidence is not None
    assert found.card.evidence.flags == {"compared": 2, "differing": 1}
    assert found.listed("has-answer").rows == (("who", "a", 1, True, False),)
    assert "has_answer flags of the run that the texts contradict: 1 of 2" in found.card.text()
