"""One JSON document: a mapping {query: {doc: number}}, or the result of a DPR retriever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import msgspec
import numpy as np

from firsthit.errors import InputError, Problem
from firsthit.files.blocks import Blocks
from firsthit.formats.json_lines import json_lines_format
from firsthit.formats.model import Format, Loaded, Role, Said

__all__ = ["dpr_format", "mapping_format", "mapping_roles", "read_json"]


def mapping_format(role: Role) -> Format:
    """A JSON file {query: {doc: grade or score}} or {query: [doc, ...]}."""
    value = "grade" if role == "labels" else "score"
    detail = f"{{query_id: {{doc_id: {value}}}}} or {{query_id: [doc_id, …]}}"
    return Format("json", role, frozenset(("query", "doc", value)), load=_load_mapping, detail=detail)


def dpr_format() -> Format:
    """The result file of a DPR retriever: a list of questions with `ctxs`, or a mapping to `contexts`."""
    lines = json_lines_format(["query_id", "doc_id", "score"], "run").lines
    detail = "questions with ctxs or contexts"
    return Format("dpr", "run", frozenset(("query", "doc", "score")), lines, load=_load_dpr, detail=detail)


def read_json(blocks: Blocks) -> Any:
    """The document; a key that stands twice in one object, NaN and broken JSON are errors."""
    import json

    text = _decoded(blocks)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_not_finite)
    except json.JSONDecodeError as error:
        what = f"is not valid JSON ({error.msg}, column {error.colno:,})"
        raise InputError(blocks.name, [Problem(what, error.lineno)], hint=_JSON_HINT) from None
    except _Refused as refused:
        raise InputError(blocks.name, [Problem(str(refused))], hint=refused.hint) from None
    except (RecursionError, ValueError):
        what = "is JSON with objects nested too deeply or numbers too long"
        raise InputError(blocks.name, [Problem(what)], hint=_JSON_HINT) from None


_JSON_HINT = "A JSON file holds one object {query_id: {doc_id: number}}; JSON Lines one object a line."


class _Refused(ValueError):
    """Valid JSON that cannot be used."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def _decoded(blocks: Blocks) -> str:
    data = blocks.whole()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        value = data[error.start : error.start + 20].decode("latin-1")
        hint = "Convert the file to UTF-8, for example: iconv -f latin1 -t utf-8 FILE"
        raise InputError(blocks.name, [Problem("is not UTF-8", line, value)], hint=hint) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        hint = "One of the two would be lost in silence: remove it, or write one object a line (JSON Lines)."
        raise _Refused(f"the key {twice!r} stands twice in one JSON object", hint)
    return found


def _not_finite(text: str) -> NoReturn:
    raise _Refused(f"the number {text} is not finite", "Scores and grades are finite numbers.")


def _load_mapping(blocks: Blocks) -> Loaded:
    found = read_json(blocks)
    if isinstance(found, dict):
        return Loaded(found, mapping_roles(found))
    raise InputError(blocks.name, [Problem("is JSON, but not an object")], hint=_JSON_HINT)


def mapping_roles(mapping: Mapping[Any, Any]) -> frozenset[str]:
    """What a mapping fills: documents alone where its values are lists, else also their numbers.

    >>> sorted(mapping_roles({"q1": ["a"]})), sorted(mapping_roles({"q1": {"a": 1}}))
    (['doc', 'query'], ['doc', 'grade', 'query', 'score'])
    """
    listed = bool(mapping) and not isinstance(next(iter(mapping.values())), Mapping)
    return frozenset(("query", "doc") if listed else ("query", "doc", "score", "grade"))


def _load_dpr(blocks: Blocks) -> Loaded:
    """The rankings as a mapping; as JSON Lines where a document stands twice, which a mapping would hide."""
    problems: list[Problem] = []
    items = list(_questions(read_json(blocks), problems))
    scored = any(context.score is not None for _, contexts in items for context in contexts)
    twice = any(len({context.doc for context in contexts}) < len(contexts) for _, contexts in items)
    if twice and not all(contexts for _, contexts in items):
        problems.append(Problem("has a document twice in one ranking, and a question without any"))
    if problems:
        hint = 'A DPR result is a list of different questions: {"question", "ctxs": [{"id", "score"}]}.'
        raise InputError(blocks.name, problems[:20], len(problems), hint=hint)
    roles = frozenset(("query", "doc", "score") if scored else ("query", "doc"))
    source: Any = {
        query: {context.doc: _number(context.score) for context in contexts} for query, contexts in items
    }
    if twice:
        rows = (_row(query, context, scored) for query, contexts in items for context in contexts)
        source = Blocks.of_bytes("\n".join(rows).encode(), blocks.name)
    elif not scored:
        source = {query: list(docs) for query, docs in source.items()}
    return Loaded(source, roles, lambda: _said_of(items, blocks.name))


class _Context(msgspec.Struct, frozen=True):
    """One retrieved text."""

    doc: str
    score: Any
    text: str
    has_answer: int


def _questions(found: Any, problems: list[Problem]) -> Iterator[tuple[str, list[_Context]]]:
    """(query id, what was retrieved) for each question; the question's text where it has no id."""
    items = found if isinstance(found, list) else [found]
    keyed = found.items() if isinstance(found, dict) else ((None, item) for item in items)
    seen: set[str] = set()
    for number, (key, item) in enumerate(keyed, 1):
        contexts = item.get("ctxs", item.get("contexts")) if isinstance(item, dict) else None
        query = key if key is not None or contexts is None else _id(item, _QUERY_NAMES)
        if not isinstance(contexts, list) or query is None:
            problems.append(Problem(f"question {number:,} has no 'ctxs' list, or neither id nor question"))
            continue
        rows = [_context(doc, c) for c in contexts if (doc := _id(c, _DOC_NAMES)) is not None]
        if len(rows) < len(contexts):
            problems.append(Problem(f"question {number:,} has a retrieved text without an id", 0, query))
        if query in seen:
            problems.append(Problem(f"question {number:,} stands twice", 0, query))
        seen.add(query)
        yield query, rows


def _context(doc: str, item: dict[str, Any]) -> _Context:
    text, flag = item.get("text"), item.get("has_answer")
    return _Context(
        doc,
        item.get("score"),
        text if isinstance(text, str) else "",
        int(flag) if isinstance(flag, bool) else -1,
    )


def _said_of(items: list[tuple[str, list[_Context]]], name: str) -> Said:
    """The texts, and the flags in the order of the records; the title is no part of a text, as in DPR."""
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for number, (_, contexts) in enumerate(items, 1):
        for context in contexts:
            before = texts.setdefault(context.doc, context.text)
            if before and context.text and before != context.text:
                what = f"passage {context.doc!r} has text {context.text[:80]!r}, and {before[:80]!r} before"
                problems.append(Problem(f"question {number:,}: {what}"))
            texts[context.doc] = before or context.text
    if problems:
        hint = "A passage has one text wherever it is retrieved: give different texts different ids."
        raise InputError(name, problems[:20], len(problems), hint=hint)
    flags = np.array([context.has_answer for _, contexts in items for context in contexts], np.int8)
    return Said(texts if any(texts.values()) else None, flags if (flags >= 0).any() else None)


_QUERY_NAMES = ("query_id", "qid", "id", "question")
_DOC_NAMES = ("id", "docid", "doc_id", "passage_id", "pid", "_id")


def _id(item: Any, names: tuple[str, ...]) -> str | None:
    """The first of these members that is text or a whole number."""
    values = (item.get(name) for name in names) if isinstance(item, dict) else ()
    return next((str(v) for v in values if isinstance(v, str | int) and not isinstance(v, bool)), None)


def _number(score: Any) -> Any:
    """A score that is text as the number it spells; anything else stays, and the core says what it is."""
    if not isinstance(score, str):
        return score
    try:
        return float(score) if set(score) <= set("0123456789+-.eE ") else score
    except ValueError:
        return score


def _row(query: str, context: _Context, scored: bool) -> str:
    import json

    row = {"query_id": query, "doc_id": context.doc}
    return json.dumps(row | {"score": context.score} if scored else row)
