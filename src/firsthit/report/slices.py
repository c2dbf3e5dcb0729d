"""Groups of queries, critical ones first, and what unjudged documents could change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from firsthit.report.markup import Markup, mark, tag
from firsthit.report.numbers import between, count, many, rank, shorten, signed, value
from firsthit.report.page import fold, section, table
from firsthit.report.words import VERDICT_WORDS

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.groups import GroupComparison

__all__ = ["group_section", "unjudged_section"]

MOST_GROUPS = 100
MOST_TURNING = 50


def group_section(comparison: Comparison) -> Markup | None:
    """The groups of each column; the critical ones on top, small ones as a report only."""
    if not comparison.groups:
        return None
    critical = [group for group in comparison.groups if group.critical]
    parts = []
    if critical:
        parts += [
            mark("h3", "Critical"),
            _group_table(comparison, critical, named=True),
            _critical_losses(comparison),
        ]
    for column in dict.fromkeys(group.column for group in comparison.groups):
        others = [group for group in comparison.groups if group.column == column and not group.critical]
        if others:
            parts += [mark("h3", column), _group_table(comparison, others[:MOST_GROUPS], named=False)]
            if len(others) > MOST_GROUPS:
                rest = len(others) - MOST_GROUPS
                parts.append(
                    fold(
                        f"{many(rest, 'further group')}",
                        _group_table(comparison, others[MOST_GROUPS:], named=False),
                    )
                )
    lead = f"Groups under {comparison.min_queries} queries are a report only: too few to judge. "
    lead += "Verdicts are Holm-adjusted over the groups of a column."
    return section("Groups", *parts, lead=lead)


def _group_table(comparison: Comparison, groups: Sequence[GroupComparison], *, named: bool) -> Markup:
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
    return table(columns, [_group_row(group, named=named) for group in groups], numbers=range(1, 7))


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
    return mark("tr.few" if group.report_only else "tr", *cells, mark("td", verdict))


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
    enough = next((i for i, one in enumerate(comparison.turning, 1) if one.enough), None)
    lead = "Nobody judged these documents, and they could turn the verdict. Judge them from the top."
    if enough is not None:
        lead += f" The first {count(enough)} suffice." if enough > 1 else " The first one suffices."
    return section("Documents to judge", table(columns, rows, numbers=range(2, 5)), lead=lead)
