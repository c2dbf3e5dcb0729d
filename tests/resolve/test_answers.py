"""Answer strings: files of answers, tokens as DPR makes them, which passages hold one."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import InputError
from firsthit.queries import Queries
from firsthit.resolve.agreement import Agreement
from firsthit.resolve.answers import answered, holds_answer, read_answers, tokens
from firsthit.resolve.resolve import Unit
from firsthit.resolve.units import documents_of
from tests.resolve.rankings import Passage, passages_of, retrieved_of

ODD = "aBé e\u0301ßΣς1½Ⅷ_-.'😀\u0301\u200d \n\u00a0של"


def dpr_tokens(text: str) -> list[str]:
    """DPR's tokens, one character after the other: runs of \\p{L}\\p{N}\\p{M}, or one of [^\\p{Z}\\p{C}]."""
    found: list[str] = []
    inside = False
    for character in unicodedata.normalize("NFD", text):
        kind = unicodedata.category(character)[0]
        if kind in "LNM":
            if inside:
                found[-1] += character
            else:
                found.append(character)
        elif kind not in "ZC":
            found.append(character)
        inside = kind in "LNM"
    return [token.lower() for token in found]


@given(st.text(st.sampled_from(ODD)) | st.text())
def test_tokens_are_those_of_dpr(text: str) -> None:
    assert tokens(text) == dpr_tokens(text)


@given(st.text(st.sampled_from(ODD), max_size=12), st.text(st.sampled_from(ODD), max_size=4))
def test_an_answer_is_held_where_its_tokens_follow_each_other(text: str, answer: str) -> None:
    words, wanted = dpr_tokens(text), dpr_tokens(answer)
    starts = range(len(words) - len(wanted) + 1)
    held = bool(wanted) and any(words[start : start + len(wanted)] == wanted for start in starts)
    assert holds_answer(text, [answer]) == held


@pytest.mark.parametrize("answer", ["", " \u00a0", "\u200b"])
def test_an_answer_without_a_token_is_in_no_text(answer: str) -> None:
    assert not holds_answer("any text", [answer])


LINES = (
    '{"question": "who", "answers": ["Ada", "the \\"first\\""]}\n{"question": "when", "answers": ["1843"]}\n'
)
TSV = "who\t['Ada', 'the \"first\"']\nwhen\t[\"1843\"]\n"
DPR = """[{"question": "who", "answers": ["Ada", "the \\"first\\""], "ctxs": []},
 {"question": "when", "answers": ["1843"], "ctxs": [{"id": "a", "text": "1843", "score": "1"}]}]"""
KEYED = (
    '{"who": {"question": "Who?", "answers": ["Ada", "the \\"first\\""]},\n "when": {"answers": ["1843"]}}'
)
CSV = 'query_id,answers\nwho,"[""Ada"", ""the \\""first\\""""]"\nwhen,1843\n'
QUOTED = 'question\tanswers\nwho\t"[""Ada"", ""the \\""first\\""""]"\nwhen\t1843\n'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", LINES),
        ("a.tsv", TSV),
        ("a.json", DPR),
        ("b.json", KEYED),
        ("a.csv", CSV),
        ("q.tsv", QUOTED),
    ],
)
def test_answers_are_read_from_what_people_have(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    found = read_answers(tmp_path / name)
    assert found.evidence is not None
    rows = list(zip(found.query_ids.take(found.query), found.evidence.quote, strict=True))
    assert rows == [("who", "Ada"), ("who", 'the "first"'), ("when", "1843")]
    assert set(found.evidence.kind) == {"answer-string"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"question": "who", "answers": []}\n', "line 1: has no answers: 'who'"),
        ('{"answers": ["a"]}\n', "line 1: has no query_id and no question"),
        ('{"query_id": "q", "doc_id": "a", "grade": 1}\n', "line 1: has no answers: 'q'"),
        (
            '{"qid": "q", "answers": ["a"]}\n{"qid": "q", "answers": ["b"]}\n',
            "line 2: the question stands twice: 'q' (first on line 1)",
        ),
        ("who\n", "line 1: is not recognised as answers: 'who'"),
        ("[]", "holds no answers: it is empty"),
        ("[1]", "question 1 is no JSON object"),
    ],
)
def test_answers_that_cannot_be_used_are_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a").write_text(content)
    with pytest.raises(InputError) as caught:
        read_answers(tmp_path / "a")
    assert str(caught.value).splitlines()[0] == f"{tmp_path}/a: {said}"


def test_an_unanswerable_query_needs_no_answers(tmp_path: Path) -> None:
    rows = '{"query_id": "q1", "answers": ["a"]}\n{"query_id": "q2", "answerable": false, "answers": []}\n'
    (tmp_path / "a.jsonl").write_text(rows)
    assert list(read_answers(tmp_path / "a.jsonl").query_ids) == ["q1"]


def test_a_question_is_found_by_its_text_in_the_queries_file(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("Who was it?\t['Ada']\n")
    table = Queries(("7",), ("Who was it?",), {}, (False,), (True,), ((),))
    assert list(read_answers(tmp_path / "a.tsv", queries=table).query_ids) == ["7"]


PASSAGES = [Passage("a", "s", text="Ada Lovelace"), Passage("b", "s", text="Adamant"), Passage("c", "t")]


def test_what_was_retrieved_is_judged_and_nothing_else() -> None:
    labels = read_answers({"q": ["ada"], "r": ["x"]})
    held = answered(labels, retrieved_of(labels, passages_of(PASSAGES), {"q": ["b", "c", "a"]}))
    assert held.holds.tolist() == [0, -1, 1]
    found = held.labels(Unit.of(passages_of(PASSAGES)))
    assert dict(zip(found.doc_ids, found.grade.tolist(), strict=True)) == {"a": 1.0, "b": 0.0, "": 1.0}
    assert list(found.query_ids) == ["q", "r"]


def test_a_document_holds_what_one_of_its_passages_holds() -> None:
    labels = read_answers({"q": ["ada"]})
    held = answered(labels, retrieved_of(labels, passages_of(PASSAGES), {"q": ["b", "a"]}))
    found = held.labels(documents_of(passages_of(PASSAGES)))
    assert list(found.doc_ids) == ["s"]
    assert found.grade.tolist() == [1.0]


def test_a_run_without_texts_cannot_be_searched() -> None:
    labels, bare = read_answers({"q": ["ada"]}), [Passage("a")]
    retrieved = retrieved_of(labels, passages_of(bare), {"q": ["a"]})
    with pytest.raises(InputError, match="has no texts to search for answers"):
        answered(labels, retrieved)


def test_kappa_is_none_where_chance_alone_agrees() -> None:
    assert Agreement(5, 0, 0, 0).kappa is None
    assert Agreement(0, 0, 0, 0).agreed is None
    assert "No passage" in Agreement(0, 0, 0, 0).sentence
