"""The measures of one ranking as a list of grades, in plain Python: the definitions, word by word."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, permutations, product

from tests.hand import Ranking, ranked

__all__ = ["VALUES", "Case", "Grade", "fixed_order", "orders"]

Grade = float | None
"""A document's grade; None when it is not judged."""


@dataclass(frozen=True)
class Case:
    """One query: the grades down its ranking, its labels, a cutoff (None: the whole ranking), a threshold."""

    grades: Sequence[Grade]
    labels: Mapping[str, float]
    k: int | None = None
    rel: float = 1.0

    @property
    def top(self) -> Sequence[Grade]:
        """The grades to the cutoff."""
        return self.grades[: self.k]

    @property
    def hits(self) -> list[bool]:
        """Which documents to the cutoff are relevant."""
        return [grade is not None and grade >= self.rel for grade in self.top]

    @property
    def relevant(self) -> int:
        """How many labels are relevant: R."""
        return sum(grade >= max(self.rel, 0) for grade in self.labels.values())

    @property
    def nonrelevant(self) -> int:
        """How many labels say nonrelevant: N."""
        return sum(0 <= grade < self.rel for grade in self.labels.values())

    def per_relevant(self, total: float) -> float:
        """A total divided by R, 0 without relevant labels."""
        return total / self.relevant if self.relevant else 0.0


def grade_of(doc: str, labels: Mapping[str, float]) -> Grade:
    """The grade of a document, None when it has none or a negative one."""
    grade = labels.get(doc, -1.0)
    return grade if grade >= 0 else None


def fixed_order(documents: Ranking, labels: Mapping[str, float]) -> list[Grade]:
    """The grades down the ranking, ties by doc_id descending."""
    return [grade_of(doc, labels) for doc, _ in ranked(documents)]


def orders(documents: Ranking, labels: Mapping[str, float]) -> Iterator[list[Grade]]:
    """The grades down the ranking for each of the equally likely orders of tied documents."""
    groups = [list(group) for _, group in groupby(ranked(documents), key=lambda item: item[1])]
    for order in product(*(permutations(group) for group in groups)):
        yield [grade_of(doc, labels) for group in order for doc, _ in group]


def _rr(case: Case) -> float:
    return 1 / (case.hits.index(True) + 1) if any(case.hits) else 0.0


def _success(case: Case) -> float:
    return float(any(case.hits))


def _precision(case: Case) -> float:
    return sum(case.hits) / (case.k or 0)


def _recall(case: Case) -> float:
    return case.per_relevant(sum(case.hits))


def _ap(case: Case) -> float:
    return case.per_relevant(sum(sum(case.hits[: i + 1]) / (i + 1) for i, hit in enumerate(case.hits) if hit))


def _rprec(case: Case) -> float:
    return case.per_relevant(sum(case.hits[: case.relevant]))


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _ndcg(case: Case, gain: Callable[[float], float] = float) -> float:
    best = sorted((gain(max(grade, 0.0)) for grade in case.labels.values()), reverse=True)
    ideal = _dcg(best[: case.k])
    return _dcg([gain(grade or 0.0) for grade in case.top]) / ideal if ideal else 0.0


def _ndcg_exp(case: Case) -> float:
    return _ndcg(case, lambda grade: 2**grade - 1)


def _bpref(case: Case) -> float:
    total, above = 0.0, 0
    for grade in case.grades:
        if grade is not None and grade >= case.rel:
            total += 1 - min(above, case.relevant) / min(case.relevant, case.nonrelevant) if above else 1
        elif grade is not None:
            above += 1
    return case.per_relevant(total)


def _rbp(case: Case) -> float:
    return 0.2 * sum(0.8**i for i, hit in enumerate(case.hits) if hit)


def _err(case: Case) -> float:
    total, goes_on = 0.0, 1.0
    for rank, grade in enumerate(case.top, 1):
        stop = (2 ** (grade or 0.0) - 1) / 16
        total += goes_on * stop / rank
        goes_on *= 1 - stop
    return total


def _judged(case: Case) -> float:
    return sum(grade is not None for grade in case.top) / len(case.top) if case.top else math.nan


VALUES: dict[str, Callable[[Case], float]] = {
    "RR": _rr,
    "Success": _success,
    "P": _precision,
    "R": _recall,
    "AP": _ap,
    "nDCG": _ndcg,
    "nDCG(dcg='exp-log2')": _ndcg_exp,
    "Rprec": _rprec,
    "Bpref": _bpref,
    "RBP": _rbp,
    "ERR": _err,
    "Judged": _judged,
    "NumRet": lambda case: float(len(case.top)),
    "NumRel": lambda case: float(case.relevant),
    "NumRelRet": lambda case: float(sum(case.hits)),
}
"""The value of one query, for each measure by its name without cutoff."""
