"""Hypothesis strategies: runs and labels as users have them, well formed, odd and broken, in every format."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from hypothesis import strategies as st

from tests.line_changes import BREAKING, BREAKING_JSON, HARMLESS, HARMLESS_JSON
from tests.odd_values import (
    BAD_NUMBERS,
    BLANK_IDS,
    GOOD_NUMBERS,
    JSON_TOKENS,
    ODD_IDS,
    QUOTED_IDS,
    TOKENS,
)
from tests.rendering import SHAPES, Row, Shape, file_of, joined, line_of, lines_of_file, plain_line

__all__ = [
    "LONG_FIELDS",
    "Case",
    "garbage_cases",
    "good_numbers",
    "ids",
    "label_pairs",
    "long_cases",
    "long_lines",
    "long_pairs",
    "match_cases",
    "orderings",
    "rows",
    "table_cases",
]


@dataclass(frozen=True)
class Case:
    """Everything that a match of a text needs."""

    labels: Sequence[tuple[str, str]]
    layout: dict[str, Any]
    ordering: dict[str, Any]
    data: bytes
    extra: Sequence[str] = ()
    depth: int = 0
    blocks: Sequence[int] = (1 << 20,)
    threads: int = 1
    grouped: bool = False


def ids(kind: str) -> st.SearchStrategy[str]:
    """Ids that this kind of file can hold."""
    forbidden = {"blank": " \t\v\f\n\0", "delimited": "\t\n\0", "csv": "\n\0"}.get(kind, "")
    odd = ODD_IDS + ([] if kind == "blank" else BLANK_IDS) + QUOTED_IDS
    allowed = [one for one in odd if not set(one) & set(forbidden)]
    drawn = st.text(
        st.characters(exclude_characters=forbidden + "\r", exclude_categories=["Cs"]), min_size=1, max_size=40
    )
    plain = st.sampled_from(["d1", "d2", "d3", "d10", "doc_000123", "MARCO_D301595", "a", "b"])
    return st.one_of(plain, st.sampled_from(allowed), drawn)


def orderings(keys: Sequence[str] = ("score", "rank", "given")) -> st.SearchStrategy[dict[str, Any]]:
    """Every way to make rankings."""
    return st.fixed_dictionaries(
        {
            "key": st.sampled_from(keys),
            "bits": st.sampled_from([64, 32]),
            "ties": st.sampled_from(["docid-desc", "docid-asc", "given"]),
            "duplicates": st.sampled_from(["error", "best", "first", "last", "keep"]),
            "drop_self_hits": st.booleans(),
            "check_rank": st.booleans(),
        }
    )


def good_numbers() -> st.SearchStrategy[str]:
    """Numbers in every spelling that is allowed."""
    finite = st.floats(allow_nan=False, allow_infinity=False)
    small = st.floats(-10, 10)
    spelled: list[Callable[[float], str]] = [repr, "{:.3f}".format, "{:.17e}".format, "{:.0f}".format]
    return st.one_of(
        st.sampled_from(["1", "1.0", "2", "2.5", "3"]),
        st.sampled_from(GOOD_NUMBERS),
        st.builds(lambda value, how: how(value), st.one_of(finite, small), st.sampled_from(spelled)),
        st.from_regex(r"[+-]?[0-9]{1,25}\.[0-9]{0,25}(e[+-]?[0-9]{1,2})?", fullmatch=True).filter(
            str.isascii
        ),
    )


@st.composite
def rows(draw: st.DrawFn, names: st.SearchStrategy[str], most: int = 30) -> list[Row]:
    """A small run: queries contiguous or scattered, with or without ties, duplicates and self-hits."""
    queries = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    docs = draw(st.lists(names, min_size=2, max_size=8, unique=True))
    docs += [query for query in queries if query not in docs]
    pairs = [(query, doc) for query in queries for doc in docs]
    if draw(st.sampled_from([True, True, False])):
        pairs = draw(st.permutations(pairs))[: draw(st.sampled_from([most, 8, 3, 1, 0]))]
    else:
        pairs = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=most))
    if draw(st.booleans()):
        pairs.sort(key=lambda pair: queries.index(pair[0]))
    scores = draw(score_column(len(pairs)))
    ranks = draw(rank_column([query for query, _ in pairs]))
    return [
        Row(query, doc, rank, score) for (query, doc), rank, score in zip(pairs, ranks, scores, strict=True)
    ]


@st.composite
def score_column(draw: st.DrawFn, count: int) -> list[str]:
    """Falling scores of one layout, a few values in many spellings, or anything."""
    style = draw(st.sampled_from(["falling", "few", "few", "any", "any", "bad"]))
    if style == "falling":
        return [f"{1000.5 - 0.25 * i:.6f}" for i in range(count)]
    if style == "few":
        pool = st.sampled_from(draw(st.lists(good_numbers(), min_size=1, max_size=3)))
    elif style == "any":
        pool = good_numbers()
    else:
        pool = st.one_of(good_numbers(), good_numbers(), good_numbers(), st.sampled_from(BAD_NUMBERS))
    return draw(st.lists(pool, min_size=count, max_size=count))


@st.composite
def rank_column(draw: st.DrawFn, queries: list[str]) -> list[str]:
    """Ranks from 1 or 0, reversed, all equal, or anything."""
    style = draw(st.sampled_from(["from 1", "from 0", "falling", "equal", "decimal", "any", "odd"]))
    if style == "any":
        return [str(draw(st.integers(-3, 40))) for _ in queries]
    if style == "odd":
        return draw(
            st.lists(
                st.sampled_from(["1", "2", "3.0", "1.5", "x", "nan", "-1"]),
                min_size=len(queries),
                max_size=len(queries),
            )
        )
    positions = [queries[:i].count(query) for i, query in enumerate(queries)]
    spell: dict[str, Callable[[int], str]] = {
        "from 1": lambda at: str(at + 1),
        "from 0": str,
        "falling": lambda at: str(100 - at),
        "equal": lambda at: "7",
        "decimal": lambda at: f"{at + 1}.0",
    }
    return [spell[style](at) for at in positions]


@st.composite
def label_pairs(draw: st.DrawFn, run: list[Row], names: st.SearchStrategy[str]) -> list[tuple[str, str]]:
    """Labels for some of the retrieved, for other documents, for other queries; some rows twice."""
    retrieved = sorted({(row.query, row.doc) for row in run})
    fewest = draw(st.sampled_from([0, 2, 6]))
    pairs = draw(st.lists(st.sampled_from(retrieved), min_size=fewest, max_size=12)) if retrieved else []
    pairs += draw(st.lists(st.tuples(names, names), max_size=3))
    return draw(st.permutations(pairs))


@st.composite
def match_cases(draw: st.DrawFn, shape_name: str) -> Case:
    """A run in one format, its labels, and everything that must not matter."""
    shape = SHAPES[shape_name]
    names = ids(shape.kind)
    run = draw(rows(names))
    header = draw(st.integers(0, 2))
    odd = draw(lines_of_file([draw(line_of(shape, row)) for row in run], shape.kind))
    before, after = draw(filling(shape, run)), draw(filling(shape, run))
    pieces = [b"any \xff header"] * header + before + odd + after
    retrieved = st.sampled_from([row.query for row in run]) if run else names
    return Case(
        labels=draw(label_pairs(run, names)),
        extra=draw(st.lists(st.one_of(names, retrieved), max_size=3)),
        layout=shape.layout(header=header, comments=draw(st.booleans())),
        ordering=draw(orderings(shape.keys)),
        data=draw(joined(pieces)),
        depth=draw(st.sampled_from([0, 1, 2, 5, 1000])),
        **draw(feeding()),
    )


@st.composite
def filling(draw: st.DrawFn, shape: Shape, run: list[Row]) -> list[bytes]:
    """Regular lines around the odd ones: long stretches of lines that look alike are read by faster paths."""
    queries = ["f1", "f2"] + [row.query for row in run[:1]]
    query, count = draw(st.sampled_from(queries)), draw(st.sampled_from([0, 0, 4, 12, 40]))
    start, step = draw(st.sampled_from([100, 900])), draw(st.sampled_from([0.5, 0.25, 0.0]))
    rows = [Row(query, f"fill{start + i}", str(start + i), f"{500 - step * i}") for i in range(count)]
    return [plain_line(shape, row) for row in rows]


class Feeding(TypedDict):
    """How a file is cut and by how many threads it is read."""

    blocks: Sequence[int]
    threads: int
    grouped: bool


@st.composite
def feeding(draw: st.DrawFn) -> Feeding:
    """Any block sizes and 1 to 3 threads."""
    few, many = st.integers(1, 60), st.integers(0, 9000)
    sizes = st.one_of(
        st.just([1 << 20]),
        st.just([1]),
        st.lists(few, min_size=1, max_size=5),
        st.lists(many, min_size=1, max_size=3).filter(any),
    )
    return {"blocks": draw(sizes), "threads": draw(st.integers(1, 3)), "grouped": draw(st.booleans())}


THREE = {"query": 0, "doc": 1, "score": 2}
GARBAGE_LAYOUTS: list[dict[str, Any]] = [
    {"kind": "blank", "columns": {**THREE, "rank": 2}, "width": (2, 0)},
    {"kind": "delimited", "delimiter": "\t", "columns": THREE, "width": (2, 4)},
    {"kind": "csv", "delimiter": ",", "columns": THREE, "width": (2, 4)},
    {"kind": "json", "keys": {"query": ["q"], "doc": ["d", "x"], "score": ["s", "d"]}},
]


@st.composite
def garbage_cases(draw: st.DrawFn) -> Case:
    """Pieces of files in no order, for every kind of layout."""
    layout = draw(st.sampled_from(GARBAGE_LAYOUTS))
    tokens = st.sampled_from(JSON_TOKENS if layout["kind"] == "json" else TOKENS)
    return Case(
        labels=[("q1", "a"), ("q2", "b"), ("1", "1")],
        layout={**layout, "comments": draw(st.booleans())},
        ordering=draw(orderings(["score", "given"])),
        data=b"".join(draw(st.lists(st.one_of(tokens, st.binary(max_size=2)), max_size=40))),
        depth=2,
        **draw(feeding()),
    )


LONG_FIELDS = {
    "trec": "{query} Q0 {doc} {rank} {score} tag",
    "five": "{query} Q0 {doc} {rank} {score}",
    "msmarco": "{query} {doc} {rank}",
    "tsv": "{score}\t{doc}\t{query}",
    "tsv rank": "{query}\t{doc}\t\t{score}\t{rank}",
    "csv": "{query},{doc},{rank},{score}",
    "json": '{{"query_id":"{query}","doc_id":"{doc}","rank":{rank},"score":{score}}}',
}


@st.composite
def long_cases(draw: st.DrawFn) -> Case:
    """A long run as programs write it, where the fast paths are, some lines changed; a seed makes it."""
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    pairs = long_pairs(chance, draw(st.integers(1, 40)), draw(st.integers(1, 60)))
    if draw(st.sampled_from([False, False, True])):
        chance.shuffle(pairs)
    name = draw(st.sampled_from(["trec", "trec", *LONG_FIELDS]))
    lines = long_lines(chance, pairs, draw(st.sampled_from([0, 1, 4, 6, 12, 17])), LONG_FIELDS[name])
    harmless, breaking = (HARMLESS_JSON, BREAKING_JSON) if name == "json" else (HARMLESS, BREAKING)
    changes = draw(st.sampled_from([[], harmless, harmless[:7], harmless + breaking]))
    for at in chance.sample(range(len(lines)), len(lines) // chance.choice([5, 20, 100])) if changes else ():
        lines[at] = chance.choice(changes)(lines[at])
    data = "".join(lines).encode("utf-8", "surrogateescape")
    for old, new in draw(st.sampled_from([[], [], [(b" ", b"\t")], [(b"\r", b""), (b"\n", b"\r\n")]])):
        data = data.replace(old, new)
    return Case(
        labels=[*chance.sample(pairs, len(pairs) // 3 + 1), ("q1", "unseen"), ("other", "x")],
        layout=SHAPES[name].layout(comments=draw(st.booleans())),
        ordering=draw(orderings(SHAPES[name].keys)),
        data=data,
        depth=draw(st.sampled_from([0, 3, 10, 100])),
        **draw(feeding()),
    )


def long_pairs(chance: random.Random, longest: int, queries: int) -> list[tuple[str, str]]:
    """(query, doc) pairs, query by query."""
    pool = ["".join(chance.choices("abcdef0123456789_-é", k=chance.randint(1, longest))) for _ in range(80)]
    pairs = []
    for number in range(queries):
        docs = sorted(set(chance.choices(pool, k=chance.randint(1, 60))))
        pairs += [(f"q{number}", doc) for doc in chance.sample(docs, len(docs))]
    return pairs


def long_lines(chance: random.Random, pairs: list[tuple[str, str]], digits: int, template: str) -> list[str]:
    """Lines with ranks that follow one another and scores that mostly fall."""
    seen: dict[str, int] = {}
    lines = []
    for query, doc in pairs:
        seen[query] = seen.get(query, 0) + 1
        score = chance.choice([20.0, 20.0, 20.0, 300.0, -1.0]) - 0.01 * seen[query] * chance.choice(
            [1, 1, 1, 0]
        )
        lines.append(
            template.format(query=query, doc=doc, rank=seen[query], score=f"{score:.{digits}f}") + "\n"
        )
    return lines


@st.composite
def table_cases(draw: st.DrawFn) -> tuple[dict[str, Any], list[str], list[str], bytes, Sequence[int]]:
    """A label file: layout, text roles, number roles, data and block sizes."""
    name = draw(st.sampled_from(["trec", "csv", "tsv", "json"]))
    shape = SHAPES[name]
    run = draw(rows(ids(shape.kind)))
    data = draw(file_of([draw(line_of(shape, row)) for row in run], shape.kind))
    roles = ["query", "doc"] if name != "trec" else draw(st.permutations(["doc", "query", "rank"]))
    layout = shape.layout(comments=draw(st.booleans()))
    return layout, roles, ["score"], data, draw(feeding())["blocks"]
