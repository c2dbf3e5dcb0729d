"""The table of queries: every query a row, the largest difference first, all readable without script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firsthit.comparison.changes import CHANGES, within
from firsthit.report.fixture import judge_command
from firsthit.report.glyphs import Slopes
from firsthit.report.listing import Choice, Heading, listing
from firsthit.report.markup import Markup, join, mark, tag, text
from firsthit.report.numbers import count, rank, shorten, signed
from firsthit.report.words import answers_of, order_by_change

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison

__all__ = ["query_table"]

MOST_GROUPS = 200
"""Values of a column that the group filter offers."""

KEYS = (
    ("j k", "move"),
    ("Enter", "opens"),
    ("r", "worse"),
    ("i", "better"),
    ("u", "disputed"),
    ("a", "all"),
    ("l", "how to judge it"),
)

SEPARATOR = "\x1f"
_FACES = {"gained": "gained", "lost": "lost", "both_miss": "miss"}


@dataclass(frozen=True)
class _Rows:
    """What the rows need, as plain lists."""

    comparison: Comparison
    slopes: Slopes
    details: frozenset[int]
    prefix: str
    answers: list[str]
    disputed: set[str]
    within_old: list[int]
    within_new: list[int]
    longest: int

    def row(self, i: int) -> Markup:
        comparison = self.comparison
        difference = float(comparison.difference[i])
        face = _FACES.get(CHANGES[comparison.change[i]], "")
        detail = f"{self.prefix}q{i}" if i in self.details else ""
        query_id = comparison.query_ids[i]
        attributes = [
            f' data-s="{"+" if difference > 0 else "-" if difference < 0 else "0"}"',
            f' data-c="{face}"' if face else "",
            ' data-k="1"' if comparison.critical[i] else "",
            ' data-u="1"' if query_id in self.disputed else "",
            f' data-detail="{detail}"' if detail else "",
            self._groups_attribute(i),
        ]
        cells = [self._query(i, query_id, detail), *self._numbers(i, difference)]
        return Markup(f"<tr{''.join(attributes)}>{''.join(cells)}</tr>")

    def _groups_attribute(self, i: int) -> str:
        values = [f"{name}={found[i]}" for name, found in self.comparison.groups_of.items() if found[i]]
        return f' data-g="{text(_joined(values))}"' if values else ""

    def _query(self, i: int, query_id: str, detail: str) -> Markup:
        short = shorten(query_id, 80)
        shown = tag("span", short, class_="id", data_id=query_id if short != query_id else None)
        link = tag("a", shown, href=f"#{detail}") if detail else shown
        star = Markup(' <span class="star">critical</span>') if self.comparison.critical[i] else ""
        words = (self.comparison.query_text or {}).get(query_id, "")
        below = mark("span.words", shorten(words, self.longest)) if words else ""
        groups = [value for found in self.comparison.groups_of.values() if (value := found[i])]
        if groups:
            below = join([below, mark("span.groups", " · ".join(shorten(value, 40) for value in groups))])
        return Markup(f'<td class="t">{link}{star}{below}</td>')

    def _numbers(self, i: int, difference: float) -> list[str]:
        comparison = self.comparison
        old, new = self.within_old[i], self.within_new[i]
        ranks = f"{_rank(comparison.first_rank_old, i)} → {_rank(comparison.first_rank_new, i)}"
        sign = " gain" if difference > 0 else " loss" if difference < 0 else ""
        cells = [
            f'<td class="ranks" data-v="{new or 99999}">{self.slopes.mark(old, new)}{ranks}</td>',
            f'<td class="n{sign}" data-v="{difference:.6g}">{signed(difference, 3)}</td>',
            f'<td class="id" data-l="on top">{self._top(i)}</td>',
            f'<td class="n" data-l="unjudged above">{self._open(i)}</td>',
        ]
        return (
            [*cells, f'<td class="answer" data-l="answer">{self.answers[i]}</td>']
            if comparison.answers
            else cells
        )

    def _top(self, i: int) -> str:
        old, new = self.comparison.top_old[i], self.comparison.top_new[i]
        if old == new:
            return '<span class="soft">unchanged</span>' if new else ""
        return text(shorten(new, 60)) or "nothing"

    def _open(self, i: int) -> str:
        found = [int(x[i]) for x in (self.comparison.unjudged_above_old, self.comparison.unjudged_above_new)]
        if found == [0, 0]:
            return ""
        return " → ".join("?" if one < 0 else str(one) for one in found)


def _rank(ranks: NDArray[np.int64], i: int) -> str:
    return rank(int(ranks[i]))


def _joined(values: Sequence[str]) -> str:
    return SEPARATOR.join(values)


def query_table(comparison: Comparison, details: Sequence[int], slopes: Slopes, prefix: str) -> Markup:
    """All queries with the controls that filter them; `details` are those that a row can open."""
    order = order_by_change(comparison)
    rows = _Rows(
        comparison,
        slopes,
        frozenset(details),
        prefix,
        [text(answer) for answer in answers_of(comparison)],
        set(comparison.disputed),
        within(comparison.first_rank_old, comparison.cutoff).tolist(),
        within(comparison.first_rank_new, comparison.cutoff).tolist(),
        160 if len(order) <= 2000 else 80,
    )

    def summary(start: int, end: int) -> str:
        ends = [signed(float(comparison.difference[order[i]]), 3) for i in (start, end - 1)]
        return f"Queries {count(start + 1)} to {count(end)}: differences {' to '.join(ends)}"

    return listing(
        _headings(comparison),
        [rows.row(i) for i in order],
        summary,
        choices=_choices(comparison),
        groups=_group_names(comparison),
        keys=KEYS,
        names="stack",
        judge=judge_command(comparison),
    )


def _headings(comparison: Comparison) -> list[Heading]:
    heads = [("Query", False), ("First rank", False), ("Difference", True)]
    heads += [(f"On top in {comparison.new}", False), ("Unjudged above it", True)]
    return [*heads, ("Answer", False)] if comparison.answers is not None else heads


def _choices(comparison: Comparison) -> list[Choice]:
    changes, primary = comparison.changes, comparison.primary
    return [
        Choice("all", "All", len(comparison.query_ids)),
        Choice("worse", "Worse", primary.losses, "s", "-"),
        Choice("better", "Better", primary.wins, "s", "+"),
        Choice("same", "Same", primary.ties, "s", "0"),
        Choice("lost", "Lost its hit", changes["lost"], "c", "lost"),
        Choice("gained", "Gained a hit", changes["gained"], "c", "gained"),
        Choice("miss", "No hit in both", changes["both_miss"], "c", "miss"),
        Choice("critical", "Critical", int(np.count_nonzero(comparison.critical)), "k", "1"),
        Choice("disputed", "Disputed", len(comparison.disputed), "u", "1"),
    ]


def _group_names(comparison: Comparison) -> list[str]:
    return [
        f"{name}={value}"
        for name, found in comparison.groups_of.items()
        for value in sorted({one for one in found if one})[:MOST_GROUPS]
    ]
