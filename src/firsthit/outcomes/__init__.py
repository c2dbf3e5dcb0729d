"""Answers beside ranks: did a hit lead to a right answer, and a better rank to a better one?"""

from __future__ import annotations

from firsthit.outcomes.answers import Answers, read_answers
from firsthit.outcomes.tables import (
    ANSWER_CHANGES,
    CELLS,
    RANK_CHANGES,
    AnswersAtRank,
    Outcomes,
    outcomes,
)

__all__ = [
    "ANSWER_CHANGES",
    "CELLS",
    "RANK_CHANGES",
    "Answers",
    "AnswersAtRank",
    "Outcomes",
    "outcomes",
    "read_answers",
]
