"""The slow twin of a whole evaluation: rules, measures and population, query by query, from docs/rules.md.

`evaluate` takes label rows and run rows in file order and gives the status and the values of every query, or
None where the rules refuse the input.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import numpy as np

LabelRow = tuple[str, str, str, float]
"""query, second column, document, grade."""

RunRow = tuple[str, str, int, float]
"""query, document, rank, score."""

Ranking = list[tuple[str, float]]


@dataclass(frozen=True)
class Outcome:
    """What became of one query; `values` by measure, None where it is in no mean or has no value."""

    status: str
    values: dict[str, float | None]


def evaluate(
    labels: Sequence[LabelRow], run: Sequence[RunRow], rules: Mapping[str, object]
) -> dict[str, Outcome] | None:
    """Every labelled query in order of first appearance."""
    grades = grades_of(labels, rules)
    rankings = rankings_of(run, rules)
    if grades is None or rankings is None:
        return None
    return {query: outcome(judged, rankings.get(query), rules) for query, judged in grades.items()}


def grades_of(labels: Sequence[LabelRow], rules: Mapping[str, object]) -> dict[str, dict[str, float]] | None:
    """{query: {document: grade}}: conflicts settled, needs combined, grades as the rules see them."""
    by_need: dict[str, dict[str, dict[str, float]]] = {}
    for query, need, doc, grade in labels:
        needs = by_need.setdefault(query, {}).setdefault(doc, {})
        if rules["needs"] == "ignore" and need not in needs and needs:
            return None
        if needs.get(need, grade) != grade and rules["conflicts"] == "error":
            return None
        needs[need] = max(needs.get(need, grade), grade) if rules["conflicts"] == "max" else grade
    return {
        query: {doc: max(effective(grade, rules) for grade in needs.values()) for doc, needs in docs.items()}
        for query, docs in by_need.items()
    }


def effective(grade: float, rules: Mapping[str, object]) -> float:
    if rules["grades"] == "truncate":
        grade = float(math.trunc(grade))
    if rules["relevant"] == "listed":
        return 1.0
    return max(grade, 0.0) if rules["negative"] == "nonrelevant" else grade


def rankings_of(run: Sequence[RunRow], rules: Mapping[str, object]) -> dict[str, Ranking] | None:
    """{query: [(document, what it ties on), ...]}, best first, duplicates and self-hits settled."""
    by_query: dict[str, list[RunRow]] = {}
    for row in run:
        by_query.setdefault(row[0], []).append(row)
    if any(is_refused(rows, rules) for rows in by_query.values()):
        return None
    if rules["order"] == "auto" and opposes(list(by_query.values()), rules):
        return None
    return {query: ranking_of(query, rows, rules) for query, rows in by_query.items()}


def is_refused(rows: Sequence[RunRow], rules: Mapping[str, object]) -> bool:
    repeated = len({doc for _, doc, _, _ in rows}) < len(rows)
    ranks_repeat = len({rank for _, _, rank, _ in rows}) < len(rows)
    return (repeated and rules["duplicates"] == "error") or (ranks_repeat and rules["order"] == "rank")


def opposes(queries: Sequence[Sequence[RunRow]], rules: Mapping[str, object]) -> bool:
    """Whether more scores rise than fall with the rank; an all-equal column says nothing."""
    if len({rank for rows in queries for _, _, rank, _ in rows}) == 1:
        return False
    rise = fall = 0
    for rows in queries:
        ordered = sorted(rows, key=lambda row: row[2])
        for one, other in pairwise(ordered):
            if one[2] != other[2]:
                rise += score_of(other, rules) > score_of(one, rules)
                fall += score_of(other, rules) < score_of(one, rules)
    return rise > fall


def score_of(row: RunRow, rules: Mapping[str, object]) -> float:
    return float(np.float32(row[3])) if rules["score_bits"] == 32 else row[3]


def ranking_of(query: str, rows: list[RunRow], rules: Mapping[str, object]) -> Ranking:
    ordered = rows
    if rules["order"] == "rank":
        ordered = sorted(rows, key=lambda row: row[2])
    elif rules["order"] != "given":
        if rules["ties"] != "given":
            ordered = sorted(rows, key=lambda row: row[1].encode(), reverse=rules["ties"] != "docid-asc")
        ordered = sorted(ordered, key=lambda row: -score_of(row, rules))
    chosen = [row for row in ordered if row is choice(row[1], ordered, rows, rules)]
    kept = [row for row in chosen if rules["self_hits"] == "keep" or row[1] != query]
    by_score = rules["order"] in ("auto", "score")
    return [(row[1], score_of(row, rules) if by_score else -float(at)) for at, row in enumerate(kept)]


def choice(doc: str, ordered: list[RunRow], rows: list[RunRow], rules: Mapping[str, object]) -> RunRow:
    """The record of a repeated document that stays."""
    source = {"first": rows, "last": rows[::-1]}.get(str(rules["duplicates"]), ordered)
    return next(row for row in source if row[1] == doc)


def outcome(judged: dict[str, float], ranking: Ranking | None, rules: Mapping[str, object]) -> Outcome:
    rel = float(str(rules["rel"]))
    relevant = any(grade >= rel for grade in judged.values())
    values = values_of(judged, ranking, rules, rel)
    status = "hit" if values["RR@2"] else "miss"
    if ranking is None:
        status = "absent"
    if not relevant:
        status = "no_relevant"
    excluded = (ranking is None and rules["absent"] == "exclude") or (
        status == "no_relevant" and rules["no_relevant"] == "exclude"
    )
    return Outcome(status, dict.fromkeys(values) if excluded else values)


def values_of(
    judged: dict[str, float], ranking: Ranking | None, rules: Mapping[str, object], rel: float
) -> dict[str, float | None]:
    """The value of each measure; under `expected` the mean over every order of tied documents."""
    ranking = ranking or []
    if rules["unjudged"] == "condensed":
        ranking = [(doc, key) for doc, key in ranking if judged.get(doc, -1.0) >= 0]
    if rules["ties"] == "expected" and rules["order"] in ("auto", "score"):
        every = [measured(order, judged, rel) for order in tie_orders(ranking)]
        return {name: math.fsum(float(one[name] or 0) for one in every) / len(every) for name in every[0]}
    sign = {"best": -1.0, "worst": 1.0}.get(str(rules["ties"]))
    if sign is not None:
        ranking = sorted(ranking, key=lambda item: (-item[1], sign * max(judged.get(item[0], 0.0), 0.0)))
    return measured([doc for doc, _ in ranking], judged, rel)


def tie_orders(ranking: Ranking) -> list[list[str]]:
    groups: dict[float, list[str]] = {}
    for doc, key in ranking:
        groups.setdefault(key, []).append(doc)
    every = product(*[permutations(group) for group in groups.values()])
    return [[doc for group in order for doc in group] for order in every]


def measured(docs: list[str], judged: dict[str, float], rel: float) -> dict[str, float | None]:
    """Each measure by its definition."""
    grades = [judged.get(doc, -1.0) for doc in docs]
    ranks = [rank for rank, grade in enumerate(grades, 1) if grade >= rel]
    total = sum(grade >= rel for grade in judged.values())
    top = [rank for rank in ranks if rank <= 2]
    ideal = dcg(sorted(judged.values(), reverse=True)[:2])
    values: dict[str, float | None] = {
        "RR@2": 1 / top[0] if top else 0.0,
        "RR": 1 / ranks[0] if ranks else 0.0,
        "Success@2": float(bool(top)),
        "P@2": len(top) / 2,
        "R@2": len(top) / total if total else 0.0,
        "nDCG@2": dcg(grades[:2]) / ideal if ideal else 0.0,
    }
    return values


def dcg(grades: Sequence[float]) -> float:
    return math.fsum(max(grade, 0.0) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))
