"""The names that columns and JSON keys may have for each role, and what they decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firsthit.formats.model import Role

__all__ = ["KNOWN", "PASSAGE", "POINTING", "detail_of", "folded", "json_keys", "needed", "roles_of"]

_QUERY = (
    "query_id",
    "qid",
    "topic_id",
    "query_no",
    "query_number",
    "question_id",
    "topic",
    "query",
    "question",
)
_DOC = (
    "doc_id",
    "corpus_id",
    "pid",
    "did",
    "docno",
    "document_id",
    "passage_id",
    "chunk_id",
    "node_id",
    "product_id",
    "item_id",
    "doc",
    "document",
    "passage",
    "item",
    "id",
)
_GRADE = ("grade", "relevance", "rel", "label", "rating", "judgment", "judgement", "relevance_grade", "gain")
_NEED = ("need", "subtopic", "intent")
_ITER = ("iter", "iteration")
_QUERY_TEXT = ("query_text", "query", "question")
_PLACE = {
    "source": ("source", "source_id", "source_file", "parent_id", "doc_uri"),
    "start": ("start", "start_char", "char_start", "begin"),
    "end": ("end", "end_char", "char_end"),
}
_EVIDENCE = {
    **_PLACE,
    "quote": ("quote", "evidence", "evidence_text"),
    "kind": ("kind", "label_kind"),
    "assessor": ("assessor", "annotator", "judge"),
}
_PASSAGE = {
    **_PLACE,
    "text": ("text", "contents", "content", "body", "passage_text", "segment"),
    "tokens": ("tokens", "token_count", "n_tokens", "num_tokens"),
}
_SCORE = ("score", "similarity", "sim", "retrieval_score")
_RANK = ("rank", "position", "pos")

KNOWN: Mapping[Role, Mapping[str, tuple[str, ...]]] = {
    "labels": {"query": _QUERY, "doc": _DOC, "grade": (*_GRADE, "score"), "need": _NEED, "iter": _ITER}
    | _EVIDENCE
    | {"text": _QUERY_TEXT},
    "run": {"query": _QUERY, "doc": _DOC, "score": _SCORE, "rank": _RANK} | _PASSAGE,
}
"""Role of the file -> role of the column -> accepted names, the first present wins. Letter case,
`_`, `-` and blanks do not matter. The text of a query is a column beside the one that is its id."""


POINTING = ("doc", "source", "quote")
"""The columns of which a label needs one: they say what it is about."""

PASSAGE = tuple(_PASSAGE)
"""The columns of a run that say what a passage is; only evidence asks for them."""


def folded(name: str) -> str:
    """A column's name as names are compared.

    >>> folded(" Corpus-ID"), folded("_id")
    ('corpusid', 'id')
    """
    return name.strip().lower().replace("-", "").replace("_", "").replace(" ", "")


def roles_of(names: Sequence[str], role: Role) -> dict[str, int]:
    """Which of `names` fills which role: role -> position.

    >>> roles_of(["topic", "docid", "rating", "note"], "labels")
    {'query': 0, 'doc': 1, 'grade': 2}
    """
    at = {name: place for place, name in reversed(list(enumerate(map(folded, names))))}
    found: dict[str, int] = {}
    for column, accepted in KNOWN[role].items():
        free = at if column != "text" else {name: p for name, p in at.items() if p != found.get("query")}
        place = next((free[name] for name in map(folded, accepted) if name in free), None)
        if place is not None:
            found[column] = place
    return found


def detail_of(names: Mapping[str, str], role: Role) -> str:
    """Which column is read as what, in words: role of the column -> its name. A run's passages are left out.

    >>> detail_of({"query": "qid", "doc": "id", "text": "body"}, "run")
    "query_id from 'qid', doc_id from 'id'"
    """
    titles = {"query": "query_id", "doc": "doc_id"}
    named = {column: name for column, name in names.items() if role == "labels" or column not in PASSAGE}
    return ", ".join(f"{titles.get(column, column)} from {name!r}" for column, name in named.items())


def json_keys(role: Role, column: str, seen: str | None = None) -> tuple[str, ...]:
    """The keys that may hold a column in JSON Lines; `seen` is the first record's.

    >>> json_keys("labels", "need")[:3]
    ('need', 'subtopic', 'intent')
    """
    spellings: list[str] = []
    for name in KNOWN[role][column]:
        first, *others = name.split("_")
        camel = first + "".join(word.capitalize() for word in others)
        spellings += dict.fromkeys((name, name.replace("_", "-"), camel, name.replace("_", "")))
    if column == "doc":
        spellings.append("_id")
    return tuple(spellings) if seen is None or seen in spellings else (seen, *spellings)


def needed(role: Role, found: Iterable[str]) -> str:
    """What a header or record lacks, as a sentence; empty when it has all.

    >>> needed("labels", {"query"})
    'no column for doc_id (doc_id, corpus_id, pid, did, …), grade (grade, relevance, rel, label, …)'
    """
    columns = set(found)
    if role == "labels" and columns & set(POINTING):
        columns.add("doc")
    wanted = ("query", "doc", "grade") if role == "labels" else ("query", "doc")
    missing = [column for column in wanted if column not in columns]
    titles = {"query": "query_id", "doc": "doc_id"}
    parts = [f"{titles.get(c, c)} ({', '.join(KNOWN[role][c][:4])}, …)" for c in missing]
    return f"no column for {', '.join(parts)}" if parts else ""
