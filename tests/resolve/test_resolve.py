"""Labels about sources, spans and quotes, against the slow twin and case by case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.resolve.resolve import REASONS, Resolved, candidates
from tests.resolve.rankings import Label, Passage, passages_of, qrels_of, retrieved_of, share

ODD = "aA ﬁe\u0301é😀👩‍👩‍👧\r\nשלום ß\u00a0İ"
"""Ligature, combining mark, emoji of several code points, CRLF, right to left, letters that fold to two."""

TEXTS = st.text(st.sampled_from(ODD), max_size=12)
SOURCES = st.sampled_from(["", "s", "t", "p1"])
PLACES = st.integers(0, 12)


@st.composite
def passages(draw: st.DrawFn, number: int) -> Passage:
    source = draw(SOURCES)
    start, end = sorted((draw(PLACES), draw(PLACES))) if source and draw(st.booleans()) else (-1, -1)
    return Passage(f"p{number}", source, start, end, draw(TEXTS))


@st.composite
def labels(draw: st.DrawFn) -> Label:
    query, grade = draw(st.sampled_from(["q1", "q2"])), draw(st.sampled_from([0.0, 1.0, 2.0]))
    kind = draw(st.sampled_from(["doc", "source", "span", "quote", "all"]))
    if kind == "doc":
        return Label(query, draw(st.sampled_from(["p0", "p1", "x"])), grade=grade)
    source = draw(st.sampled_from(["s", "t", "p1"])) if kind != "quote" else ""
    start = draw(PLACES) if kind in ("span", "all") else -1
    end = start + draw(st.integers(1, 8)) if start >= 0 else -1
    quote = draw(st.text(st.sampled_from(ODD), min_size=1, max_size=3)) if kind in ("quote", "all") else ""
    return Label(query, "", source, start, end, quote, grade)


def pairs_of(found: Resolved) -> set[tuple[int, str]]:
    """The rows of the labels with the passages that satisfy them."""
    qrels = found.qrels
    origin = range(len(qrels)) if qrels.origin is None else qrels.origin.tolist()
    original = qrels.original or qrels
    return {
        (row, doc_id)
        for row, doc_id in zip(origin, qrels.doc_ids, strict=True)
        if doc_id and not original.doc_ids[row]
    }


@given(st.data())
def test_labels_resolve_as_their_slow_twin_says(data: st.DataObject) -> None:
    some = [data.draw(passages(number)) for number in range(data.draw(st.integers(1, 5)))]
    asked = data.draw(st.lists(labels(), min_size=1, max_size=6, unique_by=lambda label: label[:6]))
    rankings = {
        query: data.draw(st.lists(st.sampled_from([p.doc_id for p in some]), unique=True))
        for query in data.draw(st.lists(st.sampled_from(["q1", "q2"]), unique=True))
    }
    overlap = data.draw(st.sampled_from([0.1, 0.3, 0.5, 0.7, 1.0]))
    qrels = qrels_of(asked)
    found = candidates(qrels, retrieved_of(qrels, passages_of(some), rankings)).at(overlap)
    shown = {query: [p for p in some if p.doc_id in ranking] for query, ranking in rankings.items()}
    held = {
        (row, p.doc_id): share(label, p)
        for row, label in enumerate(asked)
        for p in shown.get(label.query_id, [])
        if not label.doc_id
    }
    satisfied = {pair for pair, part in held.items() if float(part) >= overlap}
    assert pairs_of(found) == satisfied
    places = [doc_id for ranking in map(rankings.get, qrels.query_ids) for doc_id in ranking or ()]
    partial = {(row, places[at]) for row, at in zip(found.partial.label, found.partial.place, strict=True)}
    assert partial == {pair for pair, part in held.items() if 0 < float(part) < overlap}
    unsatisfied = {row for row, label in enumerate(asked) if not label.doc_id} - {row for row, _ in satisfied}
    assert {row for row, reason in enumerate(found.why.tolist()) if reason} == unsatisfied


def resolved(label: Label, *some: Passage, overlap: float = 0.5) -> Resolved:
    qrels = qrels_of([label])
    ranking = {"q": [passage.doc_id for passage in some]}
    return candidates(qrels, retrieved_of(qrels, passages_of(some or [Passage("none")]), ranking)).at(overlap)


def test_a_span_label_holds_for_passages_that_cover_half_of_it() -> None:
    cut = [Passage("p0", "s", 0, 10), Passage("p1", "s", 10, 20), Passage("p2", "s", 19, 30)]
    found = resolved(Label("q", source="s", start=5, end=20), *cut)
    assert pairs_of(found) == {(0, "p1")}
    assert found.partial.place.tolist() == [0, 2]
    assert found.share.round(4).tolist() == [0.3333, 0.0667]


def test_a_label_with_a_source_alone_holds_for_every_passage_of_it() -> None:
    some = [Passage("p0", "s", 0, 1), Passage("p1", "s"), Passage("p2", "t"), Passage("s")]
    assert pairs_of(resolved(Label("q", source="s"), *some)) == {(0, "p0"), (0, "p1"), (0, "s")}


def test_labels_that_nothing_satisfies_stay_as_they_were_given() -> None:
    found = resolved(Label("q", source="s"), Passage("p0", "t"))
    assert list(found.qrels.doc_ids) == [""]
    assert found.qrels.origin is not None
    assert found.qrels.origin.tolist() == [0]


@pytest.mark.parametrize(
    ("label", "passage", "reason"),
    [
        (Label("other", quote="a"), Passage("p", text="a"), "the query is absent from the run"),
        (Label("q", quote=" \u00a0"), Passage("p", text="a"), "its quote is empty"),
        (Label("q", source="s"), Passage("p", "t"), "its source is not retrieved"),
        (Label("q", source="s"), Passage("p"), "the retrieved passages name no source"),
        (Label("q", source="s", start=0, end=5), Passage("p", "s"), "have no span"),
        (Label("q", quote="a"), Passage("p", "s"), "have no text"),
        (Label("q", quote="a"), Passage("p", text="b"), "its quote is in no retrieved passage"),
        (Label("q", source="s", quote="a"), Passage("p", "s", text="b"), "its quote is in no"),
        (Label("q", source="s", start=0, end=5), Passage("p", "s", 5, 9), "covers any of it"),
        (Label("q", source="s", start=0, end=5), Passage("p", "s", 4, 9), "covers enough of it"),
    ],
)
def test_why_no_passage_satisfies_a_label_is_said(label: Label, passage: Passage, reason: str) -> None:
    assert reason in REASONS[resolved(label, passage).why[0]]


def test_a_passage_of_another_source_is_no_place_for_a_quote() -> None:
    some = [
        Passage("p0", "t", text="The words"),
        Passage("p1", text="THE  words"),
        Passage("p2", "s", text="words"),
    ]
    assert pairs_of(resolved(Label("q", source="s", quote="the words"), *some)) == {(0, "p1")}
