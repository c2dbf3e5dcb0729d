"""Answers beside ranks: the tables of both versions, what moved, and P(right) by first rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from firsthit.report.markup import Markup, mark, tag
from firsthit.report.numbers import between, count, shorten, signed
from firsthit.report.page import section, table
from firsthit.report.words import CELL_WORDS
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.outcomes import AnswersAtRank, Outcomes

__all__ = ["answer_section"]

MOST_LISTED = 100


def answer_section(comparison: Comparison) -> Markup | None:
    """Where the answers went; every number opens the list of its queries."""
    found = comparison.answers
    if found is None:
        return None
    right = [percent(share, 0) for share in (found.share_old, found.share_new)]
    sides_words = f"{right[0]} in {comparison.old}, {right[1]} in {comparison.new}"
    interval = between(found.interval.low, found.interval.high, 3)
    difference = f"{signed(found.difference, 3)}, 95% interval {interval}"
    shares = f"Right answers: {sides_words} ({difference}, {many(found.queries, 'query', 'queries')})."
    sides = mark(
        "div.grid2",
        mark("div", mark("h3", comparison.old), _cross(found.old)),
        mark("div", mark("h3", comparison.new), _cross(found.new)),
    )
    parts = [
        mark("p", found.sentence),
        mark("p", found.second_sentence) if found.second_sentence else None,
        sides,
    ]
    below = mark(
        "div.grid2",
        mark("div", mark("h3", "What moved"), _transitions(found)),
        mark("div", mark("h3", "Right answers by first rank"), _by_rank(comparison, found)),
    )
    parts.append(below)
    notes = [mark("ul.notes", *(mark("li", notice) for notice in found.notices))] if found.notices else []
    return section("Answers", *parts, *notes, lead=shares)


def _cross(cells: Mapping[str, Sequence[str]]) -> Markup:
    rows = [
        ("Hit", _listed(cells["hit_right"]), _listed(cells["hit_wrong"])),
        ("No hit", _listed(cells["miss_right"]), _listed(cells["miss_wrong"])),
    ]
    return table(("", "Right answer", "Wrong answer"), rows, names="cross")


def _listed(queries: Sequence[str]) -> Markup:
    """A count that opens the list behind it."""
    if not queries:
        return mark("span.soft", "0")
    shown = ", ".join(shorten(query_id, 60) for query_id in queries[:MOST_LISTED])
    more = f", and {count(len(queries) - MOST_LISTED)} more" if len(queries) > MOST_LISTED else ""
    return mark("details", mark("summary", count(len(queries))), tag("span", shown, more, class_="id"))


def _transitions(found: Outcomes) -> Markup:
    moved = {pair: queries for pair, queries in found.transitions.items() if pair[0] != pair[1]}
    if not moved:
        return mark("p.soft", "No query moved from one cell to another.")
    order = sorted(moved.items(), key=lambda item: -len(item[1]))
    rows = [(CELL_WORDS[old], CELL_WORDS[new], _listed(queries)) for (old, new), queries in order]
    return table(("From", "To", "Queries"), rows, names="cross")


def _by_rank(comparison: Comparison, found: Outcomes) -> Markup:
    sides = [{row.rank: row for row in rows} for rows in (found.by_rank_old, found.by_rank_new)]
    classes = [row.rank for row in max(found.by_rank_old, found.by_rank_new, key=len)]
    rows = [(name, *(_share(side.get(name)) for side in sides)) for name in classes]
    return table(("First rank", comparison.old, comparison.new), rows, numbers=(1, 2), names="cross")


def _share(row: AnswersAtRank | None) -> str:
    return f"{percent(row.share, 0)} of {count(row.n)}" if row is not None and row.n else "–"
