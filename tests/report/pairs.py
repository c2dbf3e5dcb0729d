"""Comparisons that the tests of reports share."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from firsthit import Evaluation, evaluate
from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from firsthit.demo import write_files
from firsthit.queries import Queries

__all__ = ["HOSTILE", "demo_evaluation", "demo_pair", "hostile_evaluation", "hostile_pair", "many_queries"]

HOSTILE = (
    "<script>alert(1)</script>",
    "\"quoted\" 'twice' & more",
    "a|b|c `code` **bold** [link](http://evil.example/x)",
    "@someone #1 https://evil.example/y <img src=x onerror=alert(1)>",
    "turned \u202e back",
    "control \x01 \x1b[31m \x7f",
    "</style></svg></table>--><!--",
    "]]> <![CDATA[",
)


@cache
def demo_pair() -> Comparison:
    """The two systems of the demo collection, with its groups, critical queries and answers."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        return compare(
            folder / "bm25.run",
            folder / "dense.run",
            qrels=folder / "qrels.txt",
            queries=folder / "queries.jsonl",
            groups=[f"{folder / 'queries.jsonl'}:topic"],
            critical=["billing"],
            answers=[folder / "answers-bm25.jsonl", folder / "answers-dense.jsonl"],
            names=["bm25", "dense"],
        )


@cache
def demo_evaluation() -> Evaluation:
    """The demo collection's first system alone."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        return evaluate(folder / "qrels.txt", folder / "bm25.run", name="bm25")


def _hostile_labels() -> dict[str, dict[str, float]]:
    return {f"{i} {words}": {f"right {words}": 1, "wrong": 0} for i, words in enumerate(HOSTILE)}


def _hostile_run(rank: int) -> dict[str, list[str]]:
    return {
        query_id: [*(f"{place} {query_id[2:]}" for place in range(1, rank)), f"right {query_id[2:]}"]
        for query_id in _hostile_labels()
    }


@cache
def hostile_evaluation() -> Evaluation:
    """An evaluation whose ids, documents and name would be markup if they could."""
    return evaluate(_hostile_labels(), _hostile_run(2), ["RR@10"], name=HOSTILE[0])


@cache
def hostile_pair(old: str = HOSTILE[0], new: str = HOSTILE[4]) -> Comparison:
    """A pair whose ids, texts, groups, documents and names would be markup if they could."""
    queries = tuple(_hostile_labels())
    table = Queries(
        query_id=queries,
        text=HOSTILE,
        groups={"kind": HOSTILE},
        critical=tuple(i % 2 == 0 for i in range(len(queries))),
        answerable=(True,) * len(queries),
        needs=((),) * len(queries),
    )
    return compare(
        _hostile_run(1),
        _hostile_run(3),
        qrels=_hostile_labels(),
        measures=["RR@10"],
        queries=table,
        groups=["kind"],
        names=[old, new],
    )


@cache
def many_queries(number: int) -> Comparison:
    """A pair of this many queries, half of which changed, with long ids."""
    labels = {f"query-{i:06}": {f"passages/document-{i:06}#1": 1} for i in range(number)}
    runs: list[dict[str, list[str]]] = [{}, {}]
    for i, query_id in enumerate(labels):
        for shift, run in enumerate(runs):
            rank = (i * (1 + shift * (i % 2)) * 7) % 13
            ranking = [f"other-{i:06}-{place}" for place in range(1, 13)]
            run[query_id] = [*ranking[:rank], f"passages/document-{i:06}#1", *ranking[rank:]]
    return compare(*runs, qrels=labels, measures=["RR@10"], names=["old", "new"])
