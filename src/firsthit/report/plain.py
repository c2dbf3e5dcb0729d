"""The report for a terminal: the verdict first, then tables that fit the width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from firsthit.report.needs import HEADS, traded_rows, traded_words
from firsthit.report.numbers import between, count, p_value, percent, rank, shorten, signed, value
from firsthit.report.words import (
    CHANGE_WORDS,
    VERDICT_WORDS,
    bounds_words,
    interval_words,
    mean_name,
    order_by_change,
    pairing_words,
)
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.groups import GroupComparison

__all__ = ["text"]

Row = Sequence[str]


def text(comparisons: Comparison | Sequence[Comparison], *, width: int = 100, queries: int = 10) -> str:
    """The comparison in words and small tables; `queries` is how many that changed most are listed."""
    found = list(comparisons) if isinstance(comparisons, Sequence) else [comparisons]
    return "\n\n".join("\n".join(_lines(one, width, queries)) for one in found) + "\n"


def _lines(comparison: Comparison, width: int, queries: int) -> Iterator[str]:
    yield from _wrapped(comparison.verdict.sentence, width)
    if comparison.verdict.second_sentence:
        yield from _wrapped(comparison.verdict.second_sentence, width)
    yield ""
    yield from _means(comparison, width)
    yield ""
    yield from _facts(comparison, width)
    yield from _transitions(comparison, width)
    yield from _changed(comparison, width, queries)
    yield from _traded(comparison, width, queries)
    yield from _groups(comparison, width)
    yield from _answers(comparison, width)
    yield from _turning(comparison, width, queries)
    for notice in comparison.notices:
        yield from _wrapped(f"note: {notice}", width)


def _wrapped(words: str, width: int, hanging: str = "") -> list[str]:
    filled = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    filled.subsequent_indent = hanging
    return filled.wrap(words)


def _means(comparison: Comparison, width: int) -> Iterator[str]:
    longest = max(8, (width - 60) // 2)
    heads = ["", *(shorten(name, longest) for name in (comparison.old, comparison.new)), "difference"]
    heads += ["95% interval", "p", "better", "worse", "same"]
    rows = [
        [
            mean_name(found.measure),
            value(found.old),
            value(found.new),
            signed(found.difference),
            between(found.interval.low, found.interval.high),
            p_value(found.p_holm),
            count(found.wins),
            count(found.losses),
            count(found.ties),
        ]
        for found in comparison.means.values()
    ]
    yield from _table(heads, rows)


def _facts(comparison: Comparison, width: int) -> Iterator[str]:
    shares = [percent(share) for share in (comparison.judged_share_old, comparison.judged_share_new)]
    facts = [
        f"paired: {pairing_words(comparison)}",
        f"{mean_name(comparison.measure)}: {interval_words(comparison)}",
        f"judged in the top {comparison.cutoff or comparison.card_old.judged_at}: {' and '.join(shares)}",
        f"unjudged documents: {bounds_words(comparison)}",
    ]
    for fact in facts:
        yield from _wrapped(fact, width, "  ")


def _transitions(comparison: Comparison, width: int) -> Iterator[str]:
    moved = comparison.transitions.by_weight()
    if not moved:
        return
    yield ""
    yield f"first ranks, {comparison.old} → {comparison.new}: what moved the mean"
    rows = [
        [
            f"{cell.old or 'none'} → {cell.new or 'none'}",
            count(cell.queries),
            signed(cell.contribution),
            percent(cell.share) if cell.share is not None else "–",
        ]
        for cell in moved[:8]
    ]
    yield from _table(["ranks", "queries", "of the mean", "share"], rows)
    if len(moved) > 8:
        rest = sum(cell.contribution for cell in moved[8:])
        yield f"and {many(len(moved) - 8, 'further transition')} with {signed(rest)} together"
    counts = ", ".join(f"{count(n)} {CHANGE_WORDS[name]}" for name, n in comparison.changes.items() if n)
    yield from _wrapped(f"queries: {counts}", width, "  ")


def _changed(comparison: Comparison, width: int, queries: int) -> Iterator[str]:
    changed = [i for i in order_by_change(comparison) if comparison.difference[i]][:queries]
    if not changed:
        return
    yield ""
    yield "queries that changed most"
    rows = []
    for i in changed:
        words = (comparison.query_text or {}).get(comparison.query_ids[i], "")
        ranks = [rank(int(r[i])) for r in (comparison.first_rank_old, comparison.first_rank_new)]
        top = "unchanged" if comparison.top_old[i] == comparison.top_new[i] else comparison.top_new[i]
        name = comparison.query_ids[i] + (" (critical)" if comparison.critical[i] else "")
        row = [
            shorten(name, 32),
            " → ".join(ranks),
            signed(float(comparison.difference[i]), 3),
            shorten(top, 36),
        ]
        rows.append([*row, shorten(" ".join(words.split()), max(12, width - 80))])
    heads = ["query", "first rank", "difference", "on top now", "text"]
    if not any(row[-1] for row in rows):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    yield from _table(heads, rows, left=(3, 4))


def _traded(comparison: Comparison, width: int, queries: int) -> Iterator[str]:
    """The queries whose first hit improved while a need fell out of the window."""
    if not comparison.needs_lost:
        return
    yield ""
    yield from _wrapped(traded_words(comparison), width)
    rows = [[shorten(cell, 32) for cell in row] for row in traded_rows(comparison, queries)]
    yield from _table(HEADS, rows, left=(1, 2, 3))
    if len(comparison.needs_lost) > queries:
        yield f"and {many(len(comparison.needs_lost) - queries, 'further query', 'further queries')}"


def _groups(comparison: Comparison, width: int) -> Iterator[str]:
    if not comparison.groups:
        return
    yield ""
    rows = [_group(group, width) for group in comparison.groups[:40]]
    heads = ["group", "queries", "old", "new", "difference", "95% interval", "better", "worse", "verdict"]
    yield from _table(heads, rows, left=(8,))
    if len(comparison.groups) > 40:
        yield f"and {many(len(comparison.groups) - 40, 'further group')}"


def _group(group: GroupComparison, width: int) -> list[str]:
    verdict = VERDICT_WORDS[group.verdict].lower() if group.verdict else "report only"
    return [
        shorten(group.name, max(16, width - 76)) + (" (critical)" if group.critical else ""),
        count(group.n),
        value(group.old),
        value(group.new),
        signed(group.difference),
        between(group.interval.low, group.interval.high, 3),
        count(group.wins),
        count(group.losses),
        verdict,
    ]


def _answers(comparison: Comparison, width: int) -> Iterator[str]:
    found = comparison.answers
    if found is None:
        return
    yield ""
    yield from _wrapped(found.sentence, width)
    if found.second_sentence:
        yield from _wrapped(found.second_sentence, width)
    heads = ["answers", "hit, right", "hit, wrong", "no hit, right", "no hit, wrong"]
    sides = ((comparison.old, found.old), (comparison.new, found.new))
    yield from _table(
        heads, [[shorten(name, 40), *(count(len(ids)) for ids in cells.values())] for name, cells in sides]
    )


def _turning(comparison: Comparison, width: int, queries: int) -> Iterator[str]:
    if not comparison.turning:
        return
    yield ""
    yield "unjudged documents that could turn the verdict, best first"
    rows = [
        [
            shorten(one.query_id, 32),
            shorten(one.doc_id, max(20, width - 70)),
            str(one.rank_old or "–"),
            str(one.rank_new or "–"),
            signed(one.shift),
        ]
        for one in comparison.turning[:queries]
    ]
    yield from _table(["query", "document", "rank old", "rank new", "shift"], rows, left=(1,))
    if len(comparison.turning) > queries:
        yield f"and {count(len(comparison.turning) - queries)} more"


def _table(heads: Row, rows: Sequence[Row], left: Sequence[int] = ()) -> Iterator[str]:
    """Aligned lines: the first column and those in `left` to the left."""
    printed = [[_printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [heads, *printed]) for i in range(len(heads))]
    for row in [heads, *printed]:
        cells = [
            cell.ljust(width) if i == 0 or i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _printable(cell: str) -> str:
    """The cell without control characters, which a terminal might obey."""
    return "".join(char if char.isprintable() else "\ufffd" for char in cell)
