"""The join of one run with the labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tests.twin.cells import (
    LONGEST_VALUE,
    BadValue,
    Cell,
    RawProblem,
    first_problems,
    pack,
    read_number,
    read_text,
)
from tests.twin.columns import records_from_arrow, records_from_mapping, without_nan
from tests.twin.labels import Labels
from tests.twin.passages import FIELDS, NUMBERS, contradictions, passages_of, read_field
from tests.twin.ranking import (
    Doc,
    Ordering,
    in_order,
    repeated_ranks,
    repeats,
    rising_and_falling,
    tie_groups,
    without_duplicates,
)
from tests.twin.text import Layout, Record, Records, read

if TYPE_CHECKING:
    from firsthit._core import MatchResult

MOST_EXAMPLES = 1000


@dataclass(frozen=True)
class Ranking:
    """One query of the run: its records in file order, and its ranking."""

    query: bytes
    docs: list[Doc]
    ranking: list[Doc]
    ties: list[tuple[int, int]]
    dropped: list[Doc]

    @property
    def tied(self) -> int:
        return sum(first != last for first, last in self.ties)


class Matcher:
    """Takes the whole run, then answers; block sizes, threads and grouping change nothing."""

    def __init__(
        self,
        labels: Labels,
        layout: Layout | None,
        ordering: Ordering,
        *,
        depth: int = 0,
        threads: int = 1,
        grouped: bool = False,
        passages: Sequence[str] = (),
    ) -> None:
        self.labels = labels
        self.layout = layout
        self.ordering = ordering
        self.depth = depth
        self.keeps_passages = bool(passages)
        self.fields = [field for field in FIELDS if field in passages]
        self.blocks: list[bytes] = []
        self.fed = (0, 0)
        self.found: Records | None = None

    @property
    def scattered(self) -> bool:
        return False

    def feed(self, block: bytes | bytearray | memoryview, last: bool = False) -> tuple[int, int]:
        self.blocks.append(bytes(block))
        self.fed = (self.fed[0] + bytes(block).count(b"\n"), self.fed[1] + len(block))
        return self.fed

    def feed_arrow(self, source: Any, columns: Mapping[str, str]) -> None:
        found = records_from_arrow(source, columns, self.roles(), self.optional())
        self.found = without_nan(found, set(self.fields) & set(NUMBERS))

    def feed_mapping(self, source: Mapping[Any, Any]) -> None:
        self.found = records_from_mapping(source)

    def roles(self) -> list[str]:
        key = self.ordering.key
        return ["query", "doc"] if key == "given" else ["query", "doc", key]

    def optional(self) -> list[str]:
        looked_at = self.ordering.check_rank and self.ordering.key == "score"
        return [*(["rank"] if looked_at else []), *self.fields]

    def finish(self) -> MatchResult:
        found = self.found
        if found is None:
            assert self.layout is not None
            found = read(b"".join(self.blocks), self.layout, self.roles(), self.optional())
        by_query = self.docs_by_query(found)
        for docs in by_query.values():
            found.problems += self.ranking_problems(docs)
        self.docs = sorted((doc for docs in by_query.values() for doc in docs), key=lambda doc: doc.number)
        found.problems += contradictions(self.docs, self.fields)
        rankings = {query: self.rank(query, docs) for query, docs in by_query.items()}
        return self.result(found, rankings)

    def docs_by_query(self, found: Records) -> dict[bytes, list[Doc]]:
        by_query: dict[bytes, list[Doc]] = {query: [] for query in found.present}
        for record in found.records:
            try:
                query, doc = self.read_record(record)
            except BadValue as error:
                found.problems.append(error.at(record.line))
            else:
                by_query.setdefault(query, []).append(doc)
        return by_query

    def read_record(self, record: Record) -> tuple[bytes, Doc]:
        query = read_text(record.cells["query"], "query")
        doc = read_text(record.cells["doc"], "doc")
        key = 0.0
        if self.ordering.key != "given":
            key = read_number(record.cells.get(self.ordering.key, Cell("missing")), self.ordering.key)
        if self.ordering.key == "score" and self.ordering.bits == 32:
            with np.errstate(over="ignore"):
                key = float(np.float32(key))
        fields = {field: read_field(record.cells.get(field, Cell("missing")), field) for field in self.fields}
        return query, Doc(record.number, record.line, doc, key, whole_rank(record), fields)

    def ranking_problems(self, docs: list[Doc]) -> list[RawProblem]:
        problems = repeated_ranks(docs) if self.ordering.key == "rank" else []
        if self.ordering.duplicates == "error":
            again = repeats(docs)
            problems += [("duplicate", doc.line, doc.doc[:LONGEST_VALUE], first.line) for doc, first in again]
        return problems

    def rank(self, query: bytes, docs: list[Doc]) -> Ranking:
        ranking = without_duplicates(in_order(docs, self.ordering), self.ordering.duplicates)
        dropped = [doc for doc in ranking if self.ordering.drop_self_hits and doc.doc == query]
        ranking = [doc for doc in ranking if doc not in dropped]
        return Ranking(query, docs, ranking, tie_groups(ranking, self.ordering), dropped)

    def result(self, found: Records, rankings: dict[bytes, Ranking]) -> MatchResult:
        labelled = [rankings.get(query) for query in self.labels.queries]
        unlabelled = [one for query, one in rankings.items() if query not in self.labels.queries]
        column, inverted, rise, fall = self.rank_column(found, rankings.values())
        result = {
            **self.hits(labelled),
            **self.head(labelled),
            **removals(rankings.values(), self.ordering),
            "retrieved": np.array([-1 if one is None else len(one.ranking) for one in labelled], np.int64),
            "unlabelled": pack(one.query for one in unlabelled),
            "unlabelled_retrieved": np.array([len(one.ranking) for one in unlabelled], np.int64),
            "lines": found.lines,
            "records": found.count,
            "blank_lines": found.blank_lines,
            "comment_lines": found.comment_lines,
            "tied_records": sum(one.tied for one in rankings.values()),
            "tied_queries": np.array([q for q, one in enumerate(labelled) if one and one.tied], np.int32),
            "tied_unlabelled": sum(one.tied > 0 for one in unlabelled),
            "rank_column": column,
            "pairs_fall": fall,
            "pairs_rise": rise,
            "inverted": pack(inverted[:MOST_EXAMPLES]),
            "inverted_count": len(inverted),
            "deepest": max((len(one.ranking) for one in rankings.values()), default=0),
            "problems": first_problems(found.problems),
            "problem_count": len(found.problems),
            "scattered": False,
        }
        return cast("MatchResult", result)

    def hits(self, labelled: list[Ranking | None]) -> Any:
        columns: dict[str, list[int]] = {"query": [], "rank": [], "row": [], "tie_first": [], "tie_last": []}
        for q, one in enumerate(labelled):
            for rank, row in enumerate(self.rows(q, one.ranking) if one else [], 1):
                if one is not None and row >= 0:
                    for name, value in zip(columns, (q, rank, row, *one.ties[rank - 1]), strict=True):
                        columns[name].append(value)
        return {
            name: np.array(values, np.int32 if name == "query" else np.int64)
            for name, values in columns.items()
        }

    def head(self, labelled: list[Ranking | None]) -> Any:
        heads = [one.ranking[: self.depth] if one else [] for one in labelled]
        docs = [doc for ranking in heads for doc in ranking]
        return {
            "head_offsets": np.array([0, *np.cumsum([len(ranking) for ranking in heads])], np.int64),
            "head_record": np.array([doc.number for doc in docs], np.int64),
            **(passages_of(docs, self.docs, self.fields) if self.keeps_passages else {}),
            "head_row": np.array(
                [row for q, ranking in enumerate(heads) for row in self.rows(q, ranking)], np.int64
            ),
            "head_ids": pack(b"" if self.keeps_passages else doc.doc for doc in docs),
            "head_tied": np.array([tied for ranking in heads for tied in self.tied(ranking)], np.uint8),
        }

    def tied(self, ranking: list[Doc]) -> list[bool]:
        """Whether each document's score is that of the one before it."""
        by_score = self.ordering.key == "score"
        return [by_score and at > 0 and doc.key == ranking[at - 1].key for at, doc in enumerate(ranking)]

    def rows(self, q: int, ranking: list[Doc]) -> list[int]:
        """The label row of each document at its best rank; -1 for others."""
        seen: set[bytes] = set()
        rows = []
        for doc in ranking:
            row = self.labels.first.get((self.labels.queries[q], doc.doc), -1)
            rows.append(-1 if doc.doc in seen else row)
            seen.add(doc.doc)
        return rows

    def rank_column(self, found: Records, rankings: Iterable[Ranking]) -> tuple[str, list[bytes], int, int]:
        """What the rank column is, the inverted queries, and the pairs that rise and fall."""
        if self.ordering.key == "rank":
            whole = all(doc.key.is_integer() for one in rankings for doc in one.docs)
            return "used" if whole else "fractional", [], 0, 0
        cells = [record.cells.get("rank") for record in found.records]
        present = any(cell is not None and cell.kind != "missing" for cell in cells)
        if "rank" not in self.optional() or not (present or (found.ranked and not cells)):
            return "none", [], 0, 0
        docs = [one.docs for one in rankings]
        ranks = {doc.rank for each in docs for doc in each}
        if None in ranks:
            return "not-integer", [], 0, 0
        if len(ranks) == 1 and any(len(each) > 1 for each in docs):
            return "constant", [], 0, 0
        pairs = [(one.query, *rising_and_falling(one.docs)) for one in rankings]
        inverted = [query for query, rise, fall in pairs if rise > fall]
        return "ok", inverted, sum(rise for _, rise, _ in pairs), sum(fall for _, _, fall in pairs)


def whole_rank(record: Record) -> float | None:
    if "rank" not in record.cells:
        return None
    try:
        value = read_number(record.cells["rank"], "rank")
    except BadValue:
        return None
    return value if value.is_integer() else None


def removals(rankings: Iterable[Ranking], ordering: Ordering) -> Any:
    """What was removed, and the first thousand examples by line."""
    duplicates, dropped = [], []
    for one in rankings:
        if ordering.duplicates not in ("keep", "error"):
            duplicates += [(one.query, doc.doc, doc.line, first.line) for doc, first in repeats(one.docs)]
        dropped += [(one.query, doc.doc, doc.line) for doc in one.dropped]
    return {
        "duplicates_removed": len(duplicates),
        "duplicate_examples": sorted(duplicates, key=lambda example: example[2])[:MOST_EXAMPLES],
        "self_hits_dropped": len(dropped),
        "self_hit_examples": sorted(dropped, key=lambda example: example[2])[:MOST_EXAMPLES],
    }
