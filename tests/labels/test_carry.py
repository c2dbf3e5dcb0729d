"""Carrying labels: each rule by hand, and what must hold whatever the corpora are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.labels import Carried, LabelRow, carry
from firsthit.passages import Passages
from tests.labels.corpora import cut, passages, sentences, whole, windows

TEXT = "You may cancel at any time. Refunds take five days. We never charge a fee."
OLD = passages(
    [
        {"doc_id": "o1", "source": "terms", "start": 0, "end": 27, "text": "You may cancel at any time."},
        {"doc_id": "o2", "source": "terms", "start": 28, "end": 51, "text": "Refunds take five days."},
        {"doc_id": "o3", "source": "terms", "start": 52, "end": 74, "text": "We never charge a fee."},
    ]
)


def label(doc_id: str = "o2", grade: float = 1, **more: Any) -> LabelRow:
    return LabelRow("q1", doc_id, grade, **more)


def one(row: LabelRow, new: Passages, old: Passages = OLD) -> tuple[str, str, list[str]]:
    (move,) = carry([row], old, new).moves
    return move.status, move.rule, [row.doc_id for row in move.rows]


def refunds(text: str, start: int) -> Passages:
    row = {"doc_id": "n7", "source": "terms", "start": start, "end": start + len(text), "text": text}
    return passages([row])


def test_the_same_passage_keeps_its_label() -> None:
    assert one(label(), OLD) == ("carried", "same", ["o2"])


def test_an_id_whose_text_is_another_one_is_not_the_same_passage() -> None:
    new = passages([{"doc_id": "o2", "source": "terms", "start": 0, "end": 4, "text": "You."}])
    assert one(label(), new) == ("lost", "", [])


def test_the_same_source_and_span_is_the_same_passage_under_another_id() -> None:
    new = refunds("Refunds take five days.", 28)
    assert one(label(), new) == ("carried", "span", ["n7"])


def test_the_same_span_with_other_words_is_no_proof() -> None:
    new = refunds("Refunds take nine days.", 28)
    status, _, found = one(label(), new)
    assert (status, found) == ("suggested", [])


def test_the_same_span_where_no_texts_are_known_is_the_same_passage() -> None:
    old = passages([{"doc_id": "o", "source": "s", "start": 0, "end": 9}])
    new = passages([{"doc_id": "n", "source": "s", "start": 0, "end": 9}])
    assert one(label("o"), new, old) == ("carried", "span", ["n"])


def test_equal_text_in_the_same_source_is_the_same_passage_wherever_it_stands() -> None:
    new = refunds("REFUNDS take\nfive days.", 5)
    assert one(label(), new) == ("carried", "text", ["n7"])


def test_equal_text_elsewhere_counts_only_where_exactly_one_passage_has_it() -> None:
    new = [{"doc_id": "n1", "source": "faq", "text": "Refunds take five days."}]
    assert one(label(), passages(new)) == ("carried", "elsewhere", ["n1"])
    twice = [*new, {"doc_id": "n2", "source": "help", "text": "Refunds take five days."}]
    (move,) = carry([label()], OLD, passages(twice)).moves
    assert (move.status, [found.doc_id for found in move.candidates]) == ("suggested", ["n1", "n2"])


def test_of_equal_passages_of_a_source_each_label_goes_to_the_one_at_its_place() -> None:
    def pair(name: str) -> Passages:
        return passages([{"doc_id": f"{name}{i}", "source": "s", "text": "Read on."} for i in range(2)])

    assert one(label("a1"), pair("b"), pair("a")) == ("carried", "text", ["b1"])


def test_a_quote_is_followed_into_every_passage_of_its_source_that_holds_it() -> None:
    new = passages(
        [
            {"doc_id": "n1", "source": "terms", "text": "any time. Refunds take five"},
            {"doc_id": "n2", "source": "terms", "text": "Refunds take five days. We never"},
            {"doc_id": "n3", "source": "faq", "text": "Refunds take five days, not two."},
        ]
    )
    assert one(label(quote="refunds  take FIVE"), new) == ("carried", "quote", ["n1", "n2"])


@pytest.mark.parametrize("grade", [0, -1])
def test_a_grade_of_0_is_never_carried_by_a_quote(grade: float) -> None:
    new = passages([{"doc_id": "n", "source": "terms", "text": TEXT}])
    status, rule, found = one(label(grade=grade, quote="Refunds take"), new)
    assert (status, rule, found) == ("suggested", "", [])


def test_a_labelled_span_is_followed_into_the_passage_that_covers_it() -> None:
    new = passages([{"doc_id": "n", "source": "terms", "start": 0, "end": 74, "text": TEXT}])
    assert one(label(source="terms", span=(36, 50)), new) == ("carried", "span", ["n"])
    assert one(label(source="terms", span=(36, 50), grade=0), new)[0] == "suggested"


def test_an_empty_quote_finds_nothing() -> None:
    new = passages([{"doc_id": "n", "source": "terms", "text": TEXT}])
    assert one(label(quote=" "), new)[0] == "suggested"


def test_what_is_near_is_suggested_with_its_share_of_the_words_and_what_is_far_is_lost() -> None:
    new = passages([{"doc_id": "n", "source": "terms", "text": "Refunds take nine days."}])
    (near,) = carry([label()], OLD, new).moves
    assert (near.status, near.candidates[0].doc_id, near.candidates[0].share) == ("suggested", "n", 0.75)
    (far,) = carry([label("o3")], OLD, new).moves
    assert (far.status, far.candidates) == ("lost", ())
    assert far.why == "its text is cut or written in another way, and the label has no quote"


def test_a_label_of_no_passage_of_old_is_lost_unless_it_names_one_of_new() -> None:
    new = passages([{"doc_id": "n", "source": "terms", "text": TEXT}])
    assert one(label("x"), new)[0] == "lost"
    assert one(label("n"), new) == ("carried", "already", ["n"])


def test_labels_that_meet_in_one_passage_become_one_of_the_highest_grade() -> None:
    new = passages([{"doc_id": "n", "source": "terms", "text": TEXT}])
    rows = [label("o2", 1, quote="Refunds take"), label("o3", 2, quote="never charge")]
    found = carry(rows, OLD, new)
    assert [(row.doc_id, row.grade) for row in found.rows] == [("n", 2)]
    assert [move.status for move in found.moves] == ["merged", "carried"]
    assert found.moves[0].why == "'n' has grade 2 already, from 'o3'"
    other_needs = [
        label("o2", 1, quote="Refunds take", need="a"),
        label("o3", 2, quote="never charge", need="b"),
    ]
    assert len(carry(other_needs, OLD, new).rows) == 2


def test_every_assessors_label_is_carried() -> None:
    rows = [label(grade=1), label(grade=2)]
    assert len(carry(rows, OLD, OLD).rows) == 2


def anchored(**more: Any) -> LabelRow:
    return label("", **({"source": "terms"} | more))


def test_a_label_of_a_source_stays_while_the_source_is_there() -> None:
    faq = cut({"faq": TEXT}, whole, "n")
    assert one(anchored(), cut({"terms": TEXT}, windows, "n")) == ("carried", "source", [""])
    assert one(anchored(), faq)[0] == "suggested"  # the same words under another name: a person must decide


def test_a_span_stays_where_its_words_are_the_same() -> None:
    longer = cut({"terms": TEXT + " Ask us."}, sentences, "n")
    assert one(anchored(span=(28, 51)), longer) == ("carried", "source", [""])


@pytest.mark.parametrize("grade", [0, 2])
def test_a_span_moves_with_its_words_where_they_stand_at_one_place(grade: float) -> None:
    (move,) = carry(
        [anchored(span=(28, 51), grade=grade)], OLD, cut({"terms": "Hello. " + TEXT}, whole, "n")
    ).moves
    assert (move.status, move.rule, move.rows[0].span) == ("carried", "text", (35, 58))
    twice = cut({"terms": f"{TEXT} Again: {TEXT}"[1:]}, sentences, "n")
    assert one(anchored(span=(28, 51), grade=grade), twice)[0] == "suggested"


def test_a_span_follows_where_line_ends_changed() -> None:
    old, new = (cut({"terms": f"A fee.{end}No fee."}, whole, "t") for end in ("\r\n\r\n", "\n"))
    (move,) = carry([anchored(span=(10, 17))], old, new).moves
    assert move.rows[0].span == (7, 14)


def test_places_are_not_guessed_where_passages_have_none() -> None:
    new = cut({"terms": "Hello.   " + TEXT}, sentences, "n", spans=False)
    (move,) = carry([anchored(span=(28, 51), quote="Refunds take five days.")], OLD, new).moves
    assert (move.rule, move.rows[0].span) == ("quote", None)


def test_a_quote_moves_its_span() -> None:
    moved = cut({"terms": "Hello. " + TEXT.replace("never", "often")}, sentences, "n")
    (move,) = carry([anchored(span=(28, 74), quote="refunds take five days.")], OLD, moved).moves
    assert (move.rule, move.rows[0].span) == ("quote", (35, 58))


def test_a_quote_that_is_gone_loses_its_label() -> None:
    changed = cut({"terms": TEXT.replace("five", "nine")}, sentences, "n")
    (move,) = carry([anchored(quote="Refunds take five days.")], OLD, changed).moves
    assert (move.status, move.why) == ("suggested", "its quote is no longer in its source")


def test_a_quote_without_a_source_stays_while_a_passage_holds_it() -> None:
    bare = label("", quote="take five")
    assert one(bare, cut({"x": TEXT}, whole, "n")) == ("carried", "quote", [""])
    assert one(bare, cut({"x": "Nothing."}, whole, "n"))[0] == "lost"


WORDS = ("fee", "refund", "Tag", "naïve", "é", "مرحبا", "👍🏽", "day.", "cancel.", "ﬁrst")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
SOURCES = st.dictionaries(st.sampled_from("abc"), TEXTS, min_size=1)
WAYS = st.sampled_from([sentences, windows, whole])


@st.composite
def collections(draw: st.DrawFn) -> tuple[Passages, Passages, list[LabelRow]]:
    """A corpus, cut in two ways and perhaps changed, and labels of its first passages and sources."""
    before, after = draw(SOURCES), draw(SOURCES)
    sources = before if draw(st.booleans()) else before | after
    spans = draw(st.booleans())
    old = cut(before, draw(WAYS), "o", spans=spans)
    new = cut(sources, draw(WAYS), draw(st.sampled_from("on")), spans=draw(st.booleans()) and spans)
    rows = draw(st.lists(label_rows(old, before), max_size=6))
    return old, new, rows


@st.composite
def label_rows(draw: st.DrawFn, old: Passages, sources: dict[str, str]) -> LabelRow:
    """A label of a passage, or of a source; with the words that support it, or without."""
    assert old.text is not None
    place = draw(st.integers(0, len(old) - 1))
    source = draw(st.sampled_from(sorted(sources)))
    of_passage = draw(st.booleans())
    text = old.text[place] if of_passage else sources[source]
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return LabelRow(
        query_id=draw(st.sampled_from(("q1", "q2"))),
        doc_id=old.doc_ids[place] if of_passage else "",
        grade=draw(st.sampled_from((0.0, 1.0, 2.0))),
        source="" if of_passage else source,
        span=None if of_passage or draw(st.booleans()) else (start, end),
        quote=text[start:end].strip() if draw(st.booleans()) else "",
        need=draw(st.sampled_from(("", "policy"))),
    )


@given(collections())
def test_an_unchanged_corpus_loses_no_label_and_adds_none(case: tuple[Any, Any, list[LabelRow]]) -> None:
    old, _, rows = case
    found = carry(rows, old, old)
    assert found.rows == rows


@given(collections())
def test_carrying_twice_is_carrying_once(case: tuple[Any, Any, list[LabelRow]]) -> None:
    old, new, rows = case
    once = carry(rows, old, new).rows
    assert carry(once, new, new).rows == once


@given(collections())
def test_a_carried_label_can_be_checked_against_its_new_passage(
    case: tuple[Any, Any, list[LabelRow]],
) -> None:
    old, new, rows = case
    found = carry(rows, old, new)
    assert len(found.moves) == len(rows)
    known = set(new.doc_ids)
    for move in found.moves:
        assert (move.status == "carried") == bool(move.rows)
        assert all(row.doc_id in known for row in move.rows if row.doc_id)
        assert all((row.query_id, row.grade, row.need) == facts_of(move.row) for row in move.rows)
        assert not (move.rule == "quote" and move.row.grade <= 0)
        assert move.status == "carried" or move.why


def facts_of(row: LabelRow) -> tuple[str, float, str]:
    return row.query_id, row.grade, row.need


@given(collections(), st.randoms(use_true_random=False))
def test_renamed_passages_keep_every_label(case: tuple[Any, Any, list[LabelRow]], random: Any) -> None:
    old, _, rows = case
    names = [f"x{i}" for i in range(len(old))]
    random.shuffle(names)
    renamed = passages(
        [
            {"doc_id": name, "source": old.source[i], "text": old.text[i]}
            | ({} if old.start is None else {"start": int(old.start[i]), "end": int(old.end[i])})
            for i, name in enumerate(names)
        ]
    )
    found: Carried = carry(rows, old, renamed)
    assert found.count("carried") == len(rows)
    by_name = dict(zip(old.doc_ids, names, strict=True))
    assert [row.doc_id for row in found.rows] == [by_name.get(row.doc_id, "") for row in rows]
