"""Two kinds of labels of the same passages: how often they agree, and how much of that chance explains."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.ids import Ids
from firsthit.qrels import Qrels
from firsthit.wording import many, percent

__all__ = ["Agreement", "agreement"]


class Agreement(msgspec.Struct, frozen=True):
    """How human labels and answer strings judge the passages that both judge.

    The counts are of (query, passage): `both` are relevant to both, `human` and `answer` to one only,
    `neither` to none. `not_searched` are human labels of passages that were not searched for answers.
    """

    both: int
    human: int
    answer: int
    neither: int
    not_searched: int = 0

    @property
    def compared(self) -> int:
        """How many passages both judge."""
        return self.both + self.human + self.answer + self.neither

    @property
    def agreed(self) -> float | None:
        """The share on which they agree; None where they judge nothing in common."""
        return (self.both + self.neither) / self.compared if self.compared else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: agreement beyond chance, 1 for all of it, 0 for none.

        None where chance alone would agree on everything, or nothing is compared.

        >>> round(Agreement(both=20, human=10, answer=5, neither=15).kappa, 10)
        0.4
        """
        if not self.compared:
            return None
        human, answer = self.both + self.human, self.both + self.answer
        chance = human * answer + (self.compared - human) * (self.compared - answer)
        by_chance = chance / self.compared**2
        found = (self.both + self.neither) / self.compared
        return None if by_chance == 1 else (found - by_chance) / (1 - by_chance)

    @property
    def sentence(self) -> str:
        """The agreement in words."""
        if self.agreed is None:
            return "No passage has a human label and a text that was searched for answers."
        kappa = "no kappa" if self.kappa is None else f"Cohen's kappa {self.kappa:.2f}"
        passages = many(self.compared, "passage has", "passages have")
        return (
            f"{passages} both kinds of label; they agree on {percent(self.agreed)} ({kappa}). "
            f"Of {many(self.both + self.answer, 'passage', 'passages')} with an answer string, "
            f"{self.both:,} are relevant to people; of {self.both + self.human:,} relevant to people, "
            f"{self.both:,} hold one."
        )

    def rows(self) -> list[dict[str, Any]]:
        """The table: one row for each human judgment."""
        return [
            {"human": "relevant", "answer string": self.both, "no answer string": self.human},
            {"human": "not relevant", "answer string": self.answer, "no answer string": self.neither},
        ]

    def data(self) -> dict[str, Any]:
        """The agreement as plain data."""
        return {**msgspec.structs.asdict(self), "agreed": self.agreed, "kappa": self.kappa}


def agreement(human: Qrels, answers: Qrels, rel: float = 1.0) -> Agreement:
    """Human labels of documents against answers that were resolved to the passages retrieved.

    >>> from firsthit import read_qrels
    >>> people, strings = ({"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 1, "b": 1}})
    >>> found = agreement(read_qrels(people), read_qrels(strings))
    >>> found.both, found.answer, found.not_searched
    (1, 1, 1)
    """
    said = _grades(human), _grades(answers)
    keys = Ids.joined(said[0][0], said[1][0])
    queries = Ids.joined(said[0][1], said[1][1])
    first = _core.Labels((queries.data, queries.offsets), (keys.data, keys.offsets)).first_row
    count = len(said[0][2])
    partner = first[count:]
    shared = np.flatnonzero(partner < count)
    by_human, by_answer = said[0][2][partner[shared]] >= rel, said[1][2][shared] >= rel
    return Agreement(
        both=int((by_human & by_answer).sum()),
        human=int((by_human & ~by_answer).sum()),
        answer=int((~by_human & by_answer).sum()),
        neither=int((~by_human & ~by_answer).sum()),
        not_searched=count - len(shared),
    )


def _grades(qrels: Qrels) -> tuple[Ids, Ids, NDArray[np.float64]]:
    """The documents judged, their queries, and the highest grade of each."""
    grade = qrels.grade.copy()
    np.maximum.at(grade, qrels.first_row, qrels.grade)
    lengths = np.diff(qrels.doc_ids.offsets)
    kept = np.flatnonzero((qrels.first_row == np.arange(len(qrels))) & (lengths > 0) & (grade >= 0))
    return qrels.doc_ids.subset(kept), qrels.query_ids.subset(qrels.query[kept]), grade[kept]
