"""Judged answers, one a query: right or wrong, or a score."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.content import check_text

__all__ = ["Answers", "read_answers"]

RIGHT_FROM = 0.5
"""From which score an answer is right, where the scores lie between 0 and 1."""

_SHOWN = 20
_HINT = 'Write one answer a line: {"query_id": "q1", "correct": true}, or "score" with a number in its place.'


class Answers(msgspec.Struct, frozen=True, eq=False):
    """Whether each answer is right, in the order of the queries.

    `score` and `right_from` are there where the file holds scores: an answer is right from that score on.
    `text` holds the answers themselves where the file has them. `others` counts answers to other queries.
    """

    name: str
    right: NDArray[np.bool_]
    score: NDArray[np.float64] | None = None
    right_from: float | None = None
    text: tuple[str | None, ...] | None = None
    others: int = 0

    @property
    def share(self) -> float:
        """The share of right answers."""
        return float(np.count_nonzero(self.right)) / len(self.right)


class _Answer(msgspec.Struct, frozen=True):
    line: int
    query_id: str = ""
    value: bool | float = False
    text: str | None = None
    problem: Problem | None = None


def read_answers(
    path: str | os.PathLike[str], query_ids: Sequence[str], *, right_from: float | None = None
) -> Answers:
    """The answers to these queries from a JSON Lines file; InputError with the first 20 problems.

    Each line is an object with `query_id`, and `correct` (true or false) or `score` (a number); `answer`, the
    text, may be there. Scores between 0 and 1 are right from 0.5 on, or from `right_from`, which scores on
    another scale need. Every query must have one answer; answers to other queries are counted.
    """
    blocks = Blocks(path)
    check_text(blocks.head, blocks.name)
    lines = blocks.whole().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    answers = [_answer(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    _refuse([answer.problem for answer in answers if answer.problem], blocks.name, _HINT)
    _refuse(_misfits(answers, right_from), blocks.name)
    found = {answer.query_id: answer for answer in answers}
    _refuse_missing(found, query_ids, blocks.name)
    chosen = [found[query_id] for query_id in query_ids]
    return _as_answers(blocks.name, chosen, len(found) - len(set(query_ids)), right_from)


def _as_answers(path: str, chosen: Sequence[_Answer], others: int, right_from: float | None) -> Answers:
    scored = any(not isinstance(answer.value, bool) for answer in chosen)
    values = np.array([float(answer.value) for answer in chosen])
    level = (RIGHT_FROM if right_from is None else right_from) if scored else None
    text = tuple(answer.text for answer in chosen)
    return Answers(
        name=os.path.basename(path),
        right=values >= (RIGHT_FROM if level is None else level),
        score=values if scored else None,
        right_from=level,
        text=text if any(one is not None for one in text) else None,
        others=others,
    )


def _answer(number: int, line: bytes) -> _Answer:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        return _bad(number, "is no JSON object", line[:80].decode("utf-8", "replace"))
    query_id, value = _query_id(row), _value(row)
    if not query_id:
        return _bad(number, "has no query_id")
    if value is None and row.get("correct") is not None and row.get("score") is not None:
        return _bad(number, "has correct and score, one of which must go")
    if value is None:
        shown = row.get("correct", row.get("score"))
        what = "has neither correct (true or false) nor score (a number)"
        return _bad(number, what, "" if shown is None else str(shown)[:80])
    text = row.get("answer")
    return _Answer(number, query_id, value, text if isinstance(text, str) else None)


def _bad(number: int, what: str, value: str = "") -> _Answer:
    return _Answer(number, problem=Problem(what, number, value))


def _query_id(row: dict[str, Any]) -> str:
    """The id as text; whole numbers are taken as they are written."""
    found = row.get("query_id")
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""


def _value(row: dict[str, Any]) -> bool | float | None:
    """The judgment: true or false, or a finite score; None where there is no such value, or two."""
    correct, score = row.get("correct"), row.get("score")
    if isinstance(correct, bool):
        return correct if score is None else None
    if correct is not None or isinstance(score, bool) or not isinstance(score, int | float):
        return None
    return float(score) if math.isfinite(score) else None


def _misfits(answers: Sequence[_Answer], right_from: float | None) -> list[Problem]:
    """Queries that are answered twice, scores beside truth values, scores on an unknown scale."""
    found: list[Problem] = []
    first: dict[str, _Answer] = {}
    for answer in answers:
        earlier = first.setdefault(answer.query_id, answer)
        if earlier is not answer:
            found.append(Problem("the query is answered twice", answer.line, answer.query_id, earlier.line))
    scores = [answer for answer in answers if not isinstance(answer.value, bool)]
    if scores and len(scores) < len(answers):
        other = next(answer for answer in answers if isinstance(answer.value, bool))
        found.append(Problem("has a score where another line has correct", scores[0].line, "", other.line))
    outside = next((answer for answer in scores if not 0 <= answer.value <= 1), None)
    if outside and right_from is None:
        what = "a score outside 0 to 1: --right-from says from which score an answer is right"
        found.append(Problem(what, outside.line, str(outside.value)))
    return found


def _refuse(problems: Sequence[Problem], source: str, hint: str = "") -> None:
    if problems:
        raise InputError(source, problems[:_SHOWN], len(problems), hint=hint)


def _refuse_missing(found: dict[str, _Answer], query_ids: Sequence[str], source: str) -> None:
    missing = [query_id for query_id in query_ids if query_id not in found]
    if not missing:
        return
    if len(missing) == len(query_ids) and found:
        what = "answers another query set: none of the compared queries is in it"
        hint = f"Its first query is {next(iter(found))!r}, the first compared one {query_ids[0]!r}."
        raise InputError(source, [Problem(what)], hint=hint)
    problems = [Problem(f"has no answer to query {query_id!r}") for query_id in missing]
    _refuse(problems, source, "Every compared query needs an answer from both versions.")
