"""Files of judged answers: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit.errors import InputError
from firsthit.outcomes import Answers, read_answers


def read(
    tmp_path: Path, text: str, ids: tuple[str, ...] = ("q2", "q1"), level: float | None = None
) -> Answers:
    path = tmp_path / "answers.jsonl"
    path.write_text(text, encoding="utf-8")
    return read_answers(path, ids, right_from=level)


def refused(tmp_path: Path, text: str, ids: tuple[str, ...] = ("q2", "q1")) -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, ids)
    return str(caught.value).replace(str(tmp_path / "answers.jsonl"), "FILE")


def test_answers_follow_the_order_of_the_queries(tmp_path: Path) -> None:
    found = read(tmp_path, '{"query_id": "q1", "correct": true}\n\n{"query_id": "q2", "correct": false}\n')
    assert found.right.tolist() == [False, True]
    assert (found.score, found.text, found.others, found.share, found.name) == (
        None,
        None,
        0,
        0.5,
        "answers.jsonl",
    )


def test_scores_are_right_from_a_half_or_from_what_is_given(tmp_path: Path) -> None:
    text = '{"query_id": "q1", "score": 0.5, "answer": "yes"}\n{"query_id": "q2", "score": 0.49}\n'
    found = read(tmp_path, text)
    assert (found.right.tolist(), found.right_from, found.text) == ([False, True], 0.5, (None, "yes"))
    assert read(tmp_path, text, level=0.4).right.tolist() == [True, True]


def test_scores_on_another_scale_need_a_level(tmp_path: Path) -> None:
    text = '{"query_id": "q1", "score": 1}\n{"query_id": "q2", "score": 4}\n'
    assert refused(tmp_path, text) == (
        "FILE: line 2: a score outside 0 to 1: --right-from says from which score an answer is right: '4.0'"
    )
    assert read(tmp_path, text, level=3).right.tolist() == [True, False]


def test_answers_to_other_queries_are_counted(tmp_path: Path) -> None:
    text = "".join(f'{{"query_id": {number}, "correct": true}}\n' for number in range(5))
    assert read(tmp_path, text, ("3", "1")).others == 3


def test_another_query_set_is_an_error(tmp_path: Path) -> None:
    assert refused(tmp_path, '{"query_id": "topic 1", "correct": true}\n') == (
        "FILE: answers another query set: none of the compared queries is in it\n"
        "Its first query is 'topic 1', the first compared one 'q2'."
    )


def test_a_query_without_an_answer_is_an_error(tmp_path: Path) -> None:
    assert refused(tmp_path, '{"query_id": "q1", "correct": true}\n') == (
        "FILE: has no answer to query 'q2'\nEvery compared query needs an answer from both versions."
    )


def test_all_unreadable_lines_are_named(tmp_path: Path) -> None:
    text = (
        '{"query_id": "q1", "correct": "yes"}\n[1]\n{"correct": true}\n{"query_id": "q2", "score": NaN}\n'
        '{"query_id": "q2", "score": 1, "correct": true}\n{"query_id": "q2", "score": true}\n'
        '{"query_id": "q3"}\n'
    )
    what = "has neither correct (true or false) nor score (a number)"
    assert refused(tmp_path, text) == (
        f"FILE: 7 problems\n  line 1: {what}: 'yes'\n  line 2: is no JSON object: '[1]'\n"
        f"  line 3: has no query_id\n  line 4: {what}: 'nan'\n"
        "  line 5: has correct and score, one of which must go\n"
        f"  line 6: {what}: 'True'\n  line 7: {what}\n"
        'Write one answer a line: {"query_id": "q1", "correct": true}, or "score" with a number in its place.'
    )


def test_two_answers_and_mixed_kinds_are_named_with_both_lines(tmp_path: Path) -> None:
    text = (
        '{"query_id": "q1", "correct": true}\n{"query_id": "q2", "score": 1}\n'
        '{"query_id": "q1", "correct": true}\n'
    )
    assert refused(tmp_path, text) == (
        "FILE: 2 problems\n  line 3: the query is answered twice: 'q1' (first on line 1)\n"
        "  line 2: has a score where another line has correct (first on line 1)"
    )


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    assert refused(tmp_path, "\n").startswith("FILE: 2 problems\n  has no answer to query 'q2'")
