"""Needs that fell out of the window while the first hit came nearer, for every kind of report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from firsthit.report.markup import Markup, tag
from firsthit.report.numbers import count, rank, shorten
from firsthit.report.page import section, table
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.comparison.needs import LostNeed, Traded

__all__ = ["HEADS", "need_section", "traded_rows", "traded_words"]

HEADS = ("query", "first rank", "need", "its rank")
MOST_LISTED = 100


def traded_words(comparison: Comparison) -> str:
    """The sentence that leads the list."""
    window = "ranking" if comparison.cutoff is None else f"top {count(comparison.cutoff)}"
    queries = many(len(comparison.needs_lost), "query has", "queries have")
    return f"{queries} a nearer first hit, and lost a source that is needed from the {window}"


def traded_rows(comparison: Comparison, most: int) -> list[tuple[str, str, str, str]]:
    """Query, first ranks, need and its ranks: one row for each need lost, of the first queries."""
    return [_row(one, lost) for one in comparison.needs_lost[:most] for lost in one.needs]


def _row(one: Traded, lost: LostNeed) -> tuple[str, str, str, str]:
    first = f"{rank(one.first_rank_old)} → {rank(one.first_rank_new)}"
    return one.query_id, first, lost.need or "(unnamed)", f"{lost.rank_old} → {rank(lost.rank_new or 0)}"


def need_section(comparison: Comparison) -> Markup | None:
    """The list as a part of a page."""
    if not comparison.needs_lost:
        return None
    rows: list[Sequence[object]] = [
        (tag("span", shorten(query_id, 80), class_="id"), first, shorten(need, 80), ranks)
        for query_id, first, need, ranks in traded_rows(comparison, MOST_LISTED)
    ]
    shown = table(("Query", "First rank", "Need", "Its rank"), rows)
    rest = len(comparison.needs_lost) - MOST_LISTED
    more = tag("p", f"and {many(rest, 'further query', 'further queries')}") if rest > 0 else None
    return section("Needs lost", shown, more, lead=f"{traded_words(comparison)}.")
