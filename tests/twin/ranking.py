"""One query's records into a ranking: order and ties, duplicates, self-hits, ranks, tie groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from tests.twin.cells import LONGEST_VALUE, RawProblem


class Ordering:
    """How rankings are made."""

    def __init__(
        self,
        key: str,
        *,
        bits: int = 64,
        ties: str = "docid-desc",
        duplicates: str = "error",
        drop_self_hits: bool = False,
        check_rank: bool = False,
    ) -> None:
        self.key = key
        self.bits = bits
        self.ties = ties
        self.duplicates = duplicates
        self.drop_self_hits = drop_self_hits
        self.check_rank = check_rank


@dataclass(frozen=True)
class Doc:
    """One record: where it stood, doc id, score or rank, rank column (None: not a whole number), fields."""

    number: int
    line: int
    doc: bytes
    key: float = 0.0
    rank: float | None = None
    fields: Mapping[str, bytes] = field(default_factory=dict, compare=False)


def in_order(docs: list[Doc], ordering: Ordering) -> list[Doc]:
    """The records best first; `docs` stand in file order, which decides what nothing else does."""
    if ordering.key == "given":
        return docs
    if ordering.key == "rank":
        return sorted(docs, key=lambda doc: doc.key)
    if ordering.ties != "given":
        docs = sorted(docs, key=lambda doc: doc.doc, reverse=ordering.ties == "docid-desc")
    return sorted(docs, key=lambda doc: doc.key, reverse=True)


def repeated_ranks(docs: list[Doc]) -> list[RawProblem]:
    first: dict[float, Doc] = {}
    problems = []
    for doc in docs:
        earlier = first.setdefault(doc.key, doc)
        if earlier is not doc:
            problems.append(("repeated-rank", doc.line, doc.doc[:LONGEST_VALUE], earlier.line))
    return problems


def repeats(docs: list[Doc]) -> list[tuple[Doc, Doc]]:
    """Every later record of a document, with its first record; `docs` stand in file order."""
    first: dict[bytes, Doc] = {}
    return [(doc, first[doc.doc]) for doc in docs if first.setdefault(doc.doc, doc) is not doc]


def without_duplicates(ranking: list[Doc], rule: str) -> list[Doc]:
    """One record a document: the best ranked, or the first or last of the file."""
    if rule in ("keep", "error"):
        return ranking
    chosen: dict[bytes, Doc] = {}
    for doc in ranking:
        other = chosen.setdefault(doc.doc, doc)
        if (rule == "first" and doc.number < other.number) or (rule == "last" and doc.number > other.number):
            chosen[doc.doc] = doc
    return [doc for doc in ranking if chosen[doc.doc] is doc]


def tie_groups(ranking: list[Doc], ordering: Ordering) -> list[tuple[int, int]]:
    """For each rank the first and the last rank of the equal scores around it."""
    if ordering.key != "score":
        return [(rank, rank) for rank in range(1, len(ranking) + 1)]
    ranks: dict[float, list[int]] = {}
    for rank, doc in enumerate(ranking, 1):
        ranks.setdefault(doc.key, []).append(rank)
    return [(ranks[doc.key][0], ranks[doc.key][-1]) for doc in ranking]


def rising_and_falling(docs: list[Doc]) -> tuple[int, int]:
    """Adjacent pairs in rank order whose scores rise and fall; equal ranks or scores count as neither."""
    column = sorted([(doc.rank, doc.key) for doc in docs if doc.rank is not None], key=lambda pair: pair[0])
    rise = fall = 0
    for (rank, score), (next_rank, next_score) in pairwise(column):
        if rank != next_rank:
            rise += next_score > score
            fall += next_score < score
    return rise, fall
