"""Answer strings: which retrieved passages hold an answer, token by token, as DPR decides it."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import InputError, Problem
from firsthit.evidence import Evidence, item_keys
from firsthit.files.blocks import Blocks, printable
from firsthit.formats.answer_records import Asked, answer_records
from firsthit.ids import Ids
from firsthit.qrels import Qrels
from firsthit.queries import Queries
from firsthit.resolve.quotes import Texts, contained, lengths
from firsthit.resolve.resolve import Unit, with_documents
from firsthit.resolve.spans import Keys, Pairs

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved

__all__ = ["Held", "answered", "holds_answer", "read_answers", "tokens"]

Ints = NDArray[np.int64]

ANSWER_STRING = "answer-string"
BETWEEN = "\n"
"""Stands between tokens, and in none: white space ends a token."""


class _Classes(dict[int, str]):
    """What each character becomes: part of a word as it is, a token of its own, or a blank."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kind = unicodedata.category(character)[0]
        made = character if kind in "LNM" else " " if kind in "ZC" else f" {character} "
        self[code] = made
        return made


_CLASSES = _Classes()


def tokens(text: str) -> list[str]:
    """The tokens of a text as DPR's evaluation makes them, in lower case.

    Each run of letters, numbers and marks of the text in NFD is a token, and so is each other character
    that is neither white space nor a control character.

    >>> tokens("The U.S. café, 1990s")
    ['the', 'u', '.', 's', '.', 'cafe\u0301', ',', '1990s']
    """
    return [token.lower() for token in unicodedata.normalize("NFD", text).translate(_CLASSES).split()]


def holds_answer(text: str, answers: Iterable[str]) -> bool:
    """Whether the tokens of one of the answers stand in the text, one after the other.

    An answer without a token is in no text.

    >>> holds_answer("Born on 14 December 1972.", ["december 1972"]), holds_answer("1972", ["197", " "])
    (True, False)
    """
    line = _line(text)
    return any(words in line for words in map(_line, answers) if words)


def _line(text: str) -> str:
    """The tokens with a mark around each, "" for none: one line is in another where its tokens are."""
    words = tokens(text)
    return BETWEEN + BETWEEN.join(words) + BETWEEN if words else ""


def read_answers(source: Any, *, queries: Queries | None = None, name: str | None = None) -> Qrels:
    """Answers as labels: a row for each answer of each question, of the kind answer-string.

    `source` is a path or a mapping {query_id: [answer, ...]}. A question whose file has no query_id is found
    by its text in `queries`.

    >>> found = read_answers({"q1": ["blue", "azure"]})
    >>> list(found.evidence.quote), found.evidence.kind[0]
    (['blue', 'azure'], 'answer-string')
    """
    if isinstance(source, Qrels):
        return source
    if isinstance(source, str | os.PathLike):
        blocks = Blocks(source)
        asked, format = answer_records(blocks)
        path = printable(blocks.path)
        return _qrels(_known(asked, queries), name or os.path.basename(path), path, f"answers ({format})")
    asked = [Asked(0, str(query_id), tuple(answers)) for query_id, answers in source.items()]
    return _qrels(asked, name or "answers", "", "answers (mapping)")


def _known(asked: list[Asked], queries: Queries | None) -> list[Asked]:
    """The questions with the ids that a queries file gives their texts."""
    if queries is None:
        return asked
    ids = set(queries.query_id)
    by_text = {text: query_id for query_id, text in zip(queries.query_id, queries.text, strict=True) if text}
    return [
        one
        if one.query_id in ids
        else msgspec.structs.replace(one, query_id=by_text.get(one.query_id, one.query_id))
        for one in asked
    ]


def _qrels(asked: list[Asked], name: str, path: str, format: str) -> Qrels:
    rows = [(one, answer) for one in asked for answer in dict.fromkeys(one.answers)]
    if not rows:
        raise InputError(name, [Problem("holds no answers: it is empty")])
    query = Ids.of(one.query_id for one, _ in rows)
    none = Ids(np.zeros(0, np.uint8), np.zeros(len(rows) + 1, np.int64))
    nowhere = np.full(len(rows), -1, np.int64)
    quote, kind = Ids.of(answer for _, answer in rows), Ids.of([ANSWER_STRING] * len(rows))
    evidence = Evidence(source=none, start=nowhere, end=nowhere, quote=quote, kind=kind)
    keys = item_keys(none, evidence)
    index = _core.Labels((query.data, query.offsets), (keys.data, keys.offsets))
    grade, line = np.ones(len(rows)), np.array([one.line for one, _ in rows], np.int64)
    number = index.query_of_row
    for array in (nowhere, grade, line, number):
        array.flags.writeable = False
    return Qrels(
        query_ids=Ids(*index.query_ids),
        query=number,
        doc_ids=none,
        grade=grade,
        line=line,
        index=index,
        name=name,
        path=path,
        format=format,
        evidence=evidence,
    )


class Held(msgspec.Struct, frozen=True, eq=False):
    """Which places hold an answer to their query: 1, 0, or -1 where the text is not known."""

    qrels: Qrels
    passage: NDArray[np.int32]  # of each place
    holds: NDArray[np.int8]
    found: Pairs  # an answer and a place that holds it
    none: Pairs  # the first answer of a query, and a place that holds none

    def labels(self, unit: Unit) -> Qrels:
        """The answers as labels: all that was retrieved is judged, 1 where it holds an answer, else 0.

        A document holds what one of its retrieved passages holds; an unknown text stays unjudged.
        """
        label = np.concatenate([self.found.label, self.none.label])
        passage = self.passage[np.concatenate([self.found.place, self.none.place])]
        grade = np.concatenate([self.qrels.grade[self.found.label], np.zeros(len(self.none))])
        return with_documents(self.qrels, label, passage, unit, grade)


def answered(qrels: Qrels, retrieved: Retrieved) -> Held:
    """Which retrieved passages hold an answer; InputError where no text is known."""
    text, evidence = retrieved.passages.text, qrels.evidence
    if text is None or evidence is None:
        hint = "Give a run whose rows have texts, or --passages FILE (in Python passages=)."
        raise InputError(_name(retrieved), [Problem("has no texts to search for answers")], hint=hint)
    query = np.repeat(np.arange(len(retrieved.retrieved)), np.diff(retrieved.offsets))
    known = np.flatnonzero(lengths(text)[retrieved.passage] > 0)
    labels = Keys.of(qrels.query.astype(np.int64), np.arange(len(qrels)))
    pairs = labels.matches(query[known], known)
    found = pairs.where(_held(pairs, text, retrieved.passage, evidence.quote))
    without = np.setdiff1d(pairs.place, found.place)
    first = labels.rows[labels.first[np.searchsorted(labels.key, query[without])]]
    holds = np.full(len(query), -1, np.int8)
    holds[without], holds[found.place] = 0, 1
    return Held(qrels, retrieved.passage, holds, found, Pairs(first, without))


def _held(pairs: Pairs, text: Ids, passage: NDArray[np.int32], answer: Ids) -> NDArray[np.bool_]:
    """Whether the passage of each pair holds the answer; each text and answer is cut into tokens once."""
    rows, which = np.unique(passage[pairs.place], return_inverse=True)
    texts = Texts.as_given(Ids.of(map(_line, text.take(rows))))
    answers = Texts.as_given(Ids.of(map(_line, answer)))
    return contained(texts, answers, which, pairs.label)


def _name(retrieved: Retrieved) -> str:
    return retrieved.run.name if retrieved.run is not None else "run"
