"""Groups of queries, critical ones first, and what unjudged documents could change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from firsthit.report.markup import Markup, join, mark, tag
from firsthit.report.numbers import between, count, rank, shorten, signed, value
from firsthit.report.page import fold, section, table
from firsthit.report.words import VERDICT_WORDS
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.groups import GroupComparison

__all__ = ["group_section", "unjudged_section"]

MOST_GROUPS = 100
MOST_TURNING, SHOWN_TURNING = 50, 12
"""Documents to judge that are listed, and those of them that are not folded."""


def group_section(comparison: Comparison) -> Markup | None:
    """The groups of each column; the critical ones on top, small ones as a report only."""
    if not comparison.groups:
        return None
    critical = [group for group in comparison.groups if group.critical]
    others = [group for group in comparison.groups if not group.critical]
    rows = _named("Critical", critical, named=True)
    for column in dict.fromkeys(group.column for group in others):
        rows += _named(column, [group for group in others if group.column == column], named=False)
    lead = f"Groups under {comparison.min_queries} queries are a report only: too few to judge. "
    lead += "Verdicts are Holm-adjusted over the groups of a column."
    losses = _critical_losses(comparison) if critical or comparison.critical.any() else None
    return section("Groups", losses, _group_tables(comparison, rows), lead=lead)


def _named(heading: str, groups: Sequence[GroupComparison], *, named: bool) -> list[Markup]:
    """The rows of some groups below a row with their heading."""
    if not groups:
        return []
    head = mark("tr.head", tag("th", heading, scope="rowgroup", colspan=8))
    return [head, *(_group_row(group, named=named) for group in groups)]


def _group_tables(comparison: Comparison, rows: Sequence[Markup]) -> Markup:
    """One table, so that columns stand below each other; what is beyond MOST_GROUPS rows is folded."""
    columns = (
        "Group",
        "Queries",
        comparison.old,
        comparison.new,
        "Difference",
        "95% interval",
        "Better, worse",
        "Verdict",
    )
    first = table(columns, rows[:MOST_GROUPS], numbers=range(1, 7))
    rest = rows[MOST_GROUPS:]
    if not rest:
        return first
    return join([first, fold(f"{many(len(rest), 'further row')}", table(columns, rest, numbers=range(1, 7)))])


def _group_row(group: GroupComparison, *, named: bool) -> Markup:
    verdict = VERDICT_WORDS.get(group.verdict or "", "report only")
    interval = between(group.interval.low, group.interval.high, 3)
    numbers = (
        count(group.n),
        value(group.old),
        value(group.new),
        signed(group.difference),
        interval,
        f"{count(group.wins)}, {count(group.losses)}",
    )
    name = group.name if named else group.value
    cells = [tag("th", shorten(name, 80), scope="row"), *(mark("td.n", number) for number in numbers)]
    return mark("tr.few" if group.report_only else "tr", *cells, mark("td.answer", verdict))


def _critical_losses(comparison: Comparison) -> Markup:
    """The critical queries that got worse, each named."""
    worse = np.flatnonzero(comparison.critical & (comparison.difference < 0)).tolist()
    if not worse:
        return mark("p.lead", "No critical query got worse.")
    listed = [
        mark("li", mark("b.id", shorten(comparison.query_ids[i], 80)), " ", _ranks(comparison, i))
        for i in worse[:50]
    ]
    if len(worse) > 50:
        listed.append(mark("li", f"and {count(len(worse) - 50)} more"))
    words = f"{many(len(worse), 'critical query', 'critical queries')} got worse:"
    return mark("div", mark("p", words), mark("ul.notes", *listed))


def _ranks(comparison: Comparison, i: int) -> str:
    old, new = (rank(int(ranks[i])) for ranks in (comparison.first_rank_old, comparison.first_rank_new))
    return f"{old} → {new}, {signed(float(comparison.difference[i]), 3)}"


def unjudged_section(comparison: Comparison) -> Markup | None:
    """The unjudged documents that could turn the verdict, best first."""
    if not comparison.turning:
        return None
    rows = [
        (
            mark("span.id", shorten(one.query_id, 60)),
            mark("span.id", shorten(one.doc_id, 80)),
            rank(one.rank_old) if one.rank_old else "–",
            rank(one.rank_new) if one.rank_new else "–",
            signed(one.shift),
        )
        for one in comparison.turning[:MOST_TURNING]
    ]
    columns = (
        "Query",
        "Document",
        f"Rank in {comparison.old}",
        f"Rank in {comparison.new}",
        "Shift if relevant",
    )
    enough, listed = sum(one.enough for one in comparison.turning), len(comparison.turning)
    lead = "Nobody judged these documents, and they could turn the verdict. Judge them from the top."
    lead += f" The first {count(enough)} suffice" if enough > 1 else " The first one suffices"
    lead += f"; {len(rows)} of {count(listed)} are shown." if listed > len(rows) else "."
    first, rest = rows[:SHOWN_TURNING], rows[SHOWN_TURNING:]
    shown = [table(columns, first, numbers=range(2, 5))]
    if rest:
        shown.append(fold(many(len(rest), "further document"), table(columns, rest, numbers=range(2, 5))))
    return section("Documents to judge", *shown, lead=lead)
