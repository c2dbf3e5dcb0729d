"""The join of two evaluations by query_id; never by position."""

from __future__ import annotations

from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import NotComparableError
from firsthit.ids import Ids
from firsthit.population import in_mean
from firsthit.record.record import Record
from firsthit.wording import many

__all__ = ["Pairs", "pair"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Pairs(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The queries that count in both evaluations, in OLD's order, with their places in each record.

    `only_old` and `only_new` count in one evaluation and not in the other.
    """

    old: Record
    new: Record
    old_name: str
    new_name: str
    query_ids: Ids
    rows_old: Ints
    rows_new: Ints
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]

    def of(self, measure: str) -> tuple[Floats, Floats]:
        """The values of a measure in both; NaN where a query has none."""
        return self.old.values[measure][self.rows_old], self.new.values[measure][self.rows_new]

    @cached_property
    def first_ranks(self) -> tuple[Ints, Ints]:
        """The first ranks in both, not cut off."""
        return self.old.first_rank[self.rows_old], self.new.first_rank[self.rows_new]

    @cached_property
    def changed_labels(self) -> Ints:
        """The paired queries whose labels are not the same in both."""
        old, new = self.old.detail.labels, self.new.detail.labels
        same = [a == b for a, b in zip(old.subset(self.rows_old), new.subset(self.rows_new), strict=True)]
        return np.flatnonzero(~np.array(same, bool))


def pair(old: Record, new: Record, names: tuple[str, str]) -> Pairs:
    """Join two evaluations by query_id; NotComparableError where they share no query.

    >>> from firsthit import evaluate
    >>> labels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> one = evaluate(labels, {"q1": ["a"], "q2": ["b"]}).record()
    >>> other = evaluate({"q2": {"b": 1}, "q3": {"c": 1}}, {"q2": ["x", "b"]}).record()
    >>> found = pair(one, other, ("old", "new"))
    >>> list(found.query_ids), found.only_old, found.only_new
    (['q2'], ('q1',), ('q3',))
    """
    places = {query_id: place for place, query_id in _counted(new)}
    rows_old, rows_new, only_old = [], [], []
    for place, query_id in _counted(old):
        other = places.pop(query_id, None)
        if other is None:
            only_old.append(query_id)
        else:
            rows_old.append(place)
            rows_new.append(other)
    if not rows_old:
        what = f"{names[0]} and {names[1]} share no query: {_example(only_old)} against {_example(places)}"
        raise NotComparableError(what)
    taken = np.array(rows_old, np.int64)
    return Pairs(
        old=old,
        new=new,
        old_name=names[0],
        new_name=names[1],
        query_ids=old.query_ids.subset(taken),
        rows_old=taken,
        rows_new=np.array(rows_new, np.int64),
        only_old=tuple(only_old),
        only_new=tuple(places),
    )


def _counted(record: Record) -> list[tuple[int, str]]:
    """The queries of an evaluation that its means are over, with their places."""
    counted = in_mean(record.codes, record.retrieved, record.card.rules)
    return [(place, query_id) for place, query_id in enumerate(record.query_ids) if counted[place]]


def _example(query_ids: list[str] | dict[str, int]) -> str:
    first = ", ".join(list(query_ids)[:3])
    return f"{many(len(query_ids), 'query', 'queries')} ({first}{', …' if len(query_ids) > 3 else ''})"
