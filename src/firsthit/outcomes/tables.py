"""Hits against answers: the tables of each version, what moved between them, and what that says."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.outcomes.answers import Answers
from firsthit.significance import interval
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.significance import Interval

__all__ = ["ANSWER_CHANGES", "CELLS", "RANK_CHANGES", "AnswersAtRank", "Outcomes", "outcomes"]

CELLS = ("hit_right", "hit_wrong", "miss_right", "miss_wrong")
"""Hit and wrong: the answer fails although the evidence is there. Miss and right: from memory, or luck."""

RANK_CHANGES = ("better", "same", "worse")
ANSWER_CHANGES = ("became_right", "stayed_right", "stayed_wrong", "became_wrong")

_RANKS = {
    "1": (1, 1),
    "2": (2, 2),
    "3": (3, 3),
    "4-5": (4, 5),
    "6-10": (6, 10),
    "deeper": (11, 0),
    "none": (0, 0),
}

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Queries = tuple[str, ...]


class AnswersAtRank(msgspec.Struct, frozen=True):
    """The answers to the queries whose first rank lies in a class; `share` is P(right | first rank)."""

    rank: str
    right: Queries
    wrong: Queries

    @property
    def n(self) -> int:
        """How many queries have their first rank here."""
        return len(self.right) + len(self.wrong)

    @property
    def share(self) -> float | None:
        """The share of right answers; None without a query."""
        return len(self.right) / self.n if self.n else None


class Outcomes(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Answers and ranks of two versions. Each cell of a table holds its query ids.

    `old` and `new` go over CELLS; `transitions` over pairs of them (OLD's cell, NEW's cell) that occur;
    `changes` over RANK_CHANGES x ANSWER_CHANGES. `by_rank_*` are P(right | first rank). `difference` is the
    share of right answers, NEW - OLD, with its interval. `came_with` says whether a gain in ranks came
    with a gain in answers, on the whole and among the queries that rank better; None without a gain in ranks.
    `sentence` says it in words, `second_sentence` what happened where ranks fell. `text_*` are the answers
    themselves, in the order of the queries, where the files hold them.
    """

    name_old: str
    name_new: str
    queries: int
    share_old: float
    share_new: float
    difference: float
    interval: Interval
    old: Mapping[str, Queries]
    new: Mapping[str, Queries]
    transitions: Mapping[tuple[str, str], Queries]
    changes: Mapping[tuple[str, str], Queries]
    by_rank_old: tuple[AnswersAtRank, ...]
    by_rank_new: tuple[AnswersAtRank, ...]
    came_with: bool | None
    sentence: str
    second_sentence: str
    right_from: float | None = None
    text_old: tuple[str | None, ...] | None = None
    text_new: tuple[str | None, ...] | None = None
    notices: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """The outcomes as plain data, every cell with its queries."""
        return {
            "queries": self.queries,
            "share": {"old": self.share_old, "new": self.share_new, "difference": self.difference},
            "interval": msgspec.to_builtins(self.interval),
            "right_from": self.right_from,
            "old": _lists(self.old),
            "new": _lists(self.new),
            "transitions": [_pair("old", "new", pair, ids) for pair, ids in self.transitions.items()],
            "changes": [_pair("rank", "answer", pair, ids) for pair, ids in self.changes.items()],
            "by_rank": {"old": _rows(self.by_rank_old), "new": _rows(self.by_rank_new)},
            "came_with": self.came_with,
            "sentence": self.sentence,
            "second_sentence": self.second_sentence,
            "notices": list(self.notices),
        }


def outcomes(
    old: Answers,
    new: Answers,
    query_ids: Sequence[str],
    *,
    rank_old: Ints,
    rank_new: Ints,
    value_old: Floats,
    value_new: Floats,
) -> Outcomes:
    """Join answers and ranks, query by query.

    `rank_*` are first ranks within the cutoff, 0 for a miss; `value_*` the per-query values behind them: a
    query ranks better where its value rose.
    """
    if old.right_from != new.right_from:
        raise UsageError("the answers of one version are scores and those of the other are not")
    ids = np.array(list(query_ids), object)
    right = new.right.astype(np.int64) - old.right.astype(np.int64)
    cell_old, cell_new = _cells(rank_old > 0, old.right), _cells(rank_new > 0, new.right)
    changes = _cross(ids, _signs(value_old, value_new), RANK_CHANGES, _answers(old, new), ANSWER_CHANGES)
    came_with, statement = _gain(changes, math.fsum((value_new - value_old).tolist()), int(right.sum()))
    return Outcomes(
        name_old=old.name,
        name_new=new.name,
        queries=len(ids),
        share_old=old.share,
        share_new=new.share,
        difference=math.fsum(right.tolist()) / len(ids),
        interval=interval(right.astype(float), low=-1.0, high=1.0),
        old=_table(ids, cell_old, CELLS),
        new=_table(ids, cell_new, CELLS),
        transitions={k: v for k, v in _cross(ids, cell_old, CELLS, cell_new, CELLS).items() if v},
        changes=changes,
        by_rank_old=_by_rank(ids, rank_old, old.right),
        by_rank_new=_by_rank(ids, rank_new, new.right),
        came_with=came_with,
        sentence=f"{statement} {_whole(old, new)}",
        second_sentence=_loss(changes),
        right_from=old.right_from,
        text_old=old.text,
        text_new=new.text,
        notices=tuple(_notice(answers) for answers in (old, new) if answers.others),
    )


def _cells(hit: NDArray[np.bool_], right: NDArray[np.bool_]) -> Ints:
    """The number of each query's cell in CELLS."""
    return np.where(hit, 0, 2) + np.where(right, 0, 1)


def _signs(old: Floats, new: Floats) -> Ints:
    """The number of each query's change in RANK_CHANGES."""
    return 1 - np.sign(new - old).astype(np.int64)


def _answers(old: Answers, new: Answers) -> Ints:
    """The number of each query's change in ANSWER_CHANGES."""
    return np.where(old.right, np.where(new.right, 1, 3), np.where(new.right, 0, 2))


def _table(ids: NDArray[Any], code: Ints, names: Sequence[str]) -> dict[str, Queries]:
    return {name: tuple(ids[code == i]) for i, name in enumerate(names)}


def _cross(
    ids: NDArray[Any], rows: Ints, row_names: Sequence[str], columns: Ints, column_names: Sequence[str]
) -> dict[tuple[str, str], Queries]:
    pairs = itertools.product(enumerate(row_names), enumerate(column_names))
    return {(row, column): tuple(ids[(rows == i) & (columns == j)]) for (i, row), (j, column) in pairs}


def _by_rank(ids: NDArray[Any], rank: Ints, right: NDArray[np.bool_]) -> tuple[AnswersAtRank, ...]:
    """One row a class of first ranks; "deeper" only where a query is that deep."""
    found = []
    for name, (first, last) in _RANKS.items():
        inside = (rank >= first) & (rank <= (last or rank.max(initial=0))) if first else rank == 0
        if inside.any() or name != "deeper":
            found.append(AnswersAtRank(name, tuple(ids[inside & right]), tuple(ids[inside & ~right])))
    return tuple(found)


def _gain(
    changes: Mapping[tuple[str, str], Queries], rank_gain: float, answer_gain: int
) -> tuple[bool | None, str]:
    """Whether a gain in ranks came with a gain in answers, there and on the whole; in words too."""
    better, right, wrong = _counts(changes, "better")
    if not better:
        return None, "No query ranks better, so there is no rank gain that answers could follow."
    became = f"of {_queries(better)} that ranked better, {right:,} became right and {wrong:,} became wrong."
    if rank_gain <= 0:
        return None, f"Ranks did not gain on the whole: {became}"
    gained = right > wrong and answer_gain > 0
    return gained, f"The rank gain {'came' if gained else 'did not come'} with an answer gain: {became}"


def _whole(old: Answers, new: Answers) -> str:
    before, after = (int(np.count_nonzero(answers.right)) for answers in (old, new))
    return f"Of all {len(old.right):,} answers, {before:,} were right, and {after:,} are."


def _loss(changes: Mapping[tuple[str, str], Queries]) -> str:
    """What happened to the answers of the queries that rank worse; nothing where there are none."""
    worse, right, wrong = _counts(changes, "worse")
    if not worse:
        return ""
    return f"Of {_queries(worse)} that ranked worse, {wrong:,} became wrong and {right:,} became right."


def _counts(changes: Mapping[tuple[str, str], Queries], rank: str) -> tuple[int, int, int]:
    """The queries with this change of rank: all, those that became right, those that became wrong."""
    everything = sum(len(changes[rank, answer]) for answer in ANSWER_CHANGES)
    return everything, len(changes[rank, "became_right"]), len(changes[rank, "became_wrong"])


def _queries(n: int) -> str:
    return many(n, "query", "queries")


def _notice(answers: Answers) -> str:
    are = "is" if answers.others == 1 else "are"
    return f"{answers.name}: answers to {_queries(answers.others)} that {are} not compared"


def _lists(table: Mapping[str, Queries]) -> dict[str, list[str]]:
    return {name: list(ids) for name, ids in table.items()}


def _pair(first: str, second: str, pair: tuple[str, str], ids: Queries) -> dict[str, Any]:
    return {first: pair[0], second: pair[1], "queries": list(ids)}


def _rows(rows: Sequence[AnswersAtRank]) -> list[dict[str, Any]]:
    return [
        {"rank": row.rank, "n": row.n, "share": row.share, "right": list(row.right), "wrong": list(row.wrong)}
        for row in rows
    ]
