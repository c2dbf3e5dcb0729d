"""The report for a terminal: the verdict first, then tables that fit the width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from firsthit.report.needs import HEADS, traded_rows, traded_words
from firsthit.report.numbers import between, count, p_value, rank, shorten, signed, value
from firsthit.report.words import (
    CHANGE_WORDS,
    VERDICT_WORDS,
    agreement_words,
    bounds_words,
    interval_words,
    mean_name,
    order_by_change,
    pairing_words,
)
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.groups import GroupComparison

__all__ = ["text"]

Row = Sequence[str]

LEGIBLE, ROOMY = 12, 24
"""Words are not shortened below the one, and not to less than the other where the table is cut anyway."""


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
    filled = textwrap.TextWrapper(width, break_on_hyphens=False)
    filled.subsequent_indent = hanging
    return filled.wrap(words)


def _means(comparison: Comparison, width: int) -> Iterator[str]:
    heads = ["", comparison.old, comparison.new, "difference"]
    heads += ["95% interval", "p", "better/worse/same"]
    rows = [
        [
            mean_name(found.measure),
            value(found.old),
            value(found.new),
            signed(found.difference),
            between(found.interval.low, found.interval.high),
            p_value(found.p_holm),
            "/".join(map(count, (found.wins, found.losses, found.ties))),
        ]
        for found in comparison.means.values()
    ]
    yield from _table(heads, rows, width, names=(1, 2))


def _facts(comparison: Comparison, width: int) -> Iterator[str]:
    shares = [percent(share, 0) for share in (comparison.judged_share_old, comparison.judged_share_new)]
    facts = [
        f"paired: {pairing_words(comparison)}",
        f"{mean_name(comparison.measure)}: {interval_words(comparison)}",
        f"judged in the top {comparison.cutoff or comparison.card_old.judged_at}: {' and '.join(shares)}",
        f"unjudged documents: {bounds_words(comparison)}",
    ]
    if alike := agreement_words(comparison):
        facts.append(f"rankings: {alike}")
    for fact in facts:
        yield from _wrapped(fact, width, "  ")


def _transitions(comparison: Comparison, width: int) -> Iterator[str]:
    moved = comparison.transitions.by_weight()
    if not moved:
        return
    yield ""
    yield from _wrapped(f"first ranks, {comparison.old} → {comparison.new}: what moved the mean", width)
    rows = [
        [
            f"{cell.old or 'none'} → {cell.new or 'none'}",
            count(cell.queries),
            signed(cell.contribution),
            "–" if cell.share is None else f"{signed(100 * cell.share, 0)}%",
        ]
        for cell in moved[:8]
    ]
    yield from _table(["ranks", "queries", "of the mean", "share"], rows, width)
    if len(moved) > 8:
        rest = sum(cell.contribution for cell in moved[8:])
        further = many(len(moved) - 8, "further transition")
        yield from _wrapped(f"and {further} with {signed(rest)} together", width)
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
        name = comparison.query_ids[i] + (" *" if comparison.critical[i] else "")
        moved = [" → ".join(ranks), signed(float(comparison.difference[i]), 3)]
        rows.append([name, *moved, top, " ".join(words.split())])
    heads = ["query", "first rank", "difference", "on top now", "text"]
    texts = [4, 3, 0]
    if not any(row[-1] for row in rows):
        heads, rows, texts = heads[:-1], [row[:-1] for row in rows], texts[1:]
    yield from _table(heads, rows, width, texts=texts)
    if comparison.critical[changed].any():
        yield "* critical"


def _traded(comparison: Comparison, width: int, queries: int) -> Iterator[str]:
    """The queries whose first hit improved while a need fell out of the window."""
    if not comparison.needs_lost:
        return
    yield ""
    yield from _wrapped(traded_words(comparison), width)
    rows = [list(row) for row in traded_rows(comparison, queries)]
    yield from _table(HEADS, rows, width, texts=(3, 1, 0))
    if len(comparison.needs_lost) > queries:
        yield f"and {many(len(comparison.needs_lost) - queries, 'further query', 'further queries')}"


def _groups(comparison: Comparison, width: int) -> Iterator[str]:
    if not comparison.groups:
        return
    yield ""
    rows = [_group(group) for group in comparison.groups[:40]]
    heads = ["group", "queries", "old", "new", "difference", "95% interval", "better", "worse", "verdict"]
    yield from _table(heads, rows, width, texts=(8, 0))
    if any(group.critical for group in comparison.groups):
        yield "* critical"
    if len(comparison.groups) > 40:
        yield f"and {many(len(comparison.groups) - 40, 'further group')}"


def _group(group: GroupComparison) -> list[str]:
    verdict = VERDICT_WORDS[group.verdict].lower() if group.verdict else "report only"
    return [
        group.name + (" *" if group.critical else ""),
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
    rows = [[name, *(count(len(ids)) for ids in cells.values())] for name, cells in sides]
    yield from _table(heads, rows, width)


def _turning(comparison: Comparison, width: int, queries: int) -> Iterator[str]:
    if not comparison.turning:
        return
    yield ""
    yield from _wrapped("unjudged documents that could turn the verdict, best first", width)
    rows = [
        [
            one.query_id,
            one.doc_id,
            str(one.rank_old or "–"),
            str(one.rank_new or "–"),
            signed(one.shift),
        ]
        for one in comparison.turning[:queries]
    ]
    yield from _table(["query", "document", "rank old", "rank new", "shift"], rows, width, texts=(1, 0))
    if len(comparison.turning) > queries:
        yield f"and {count(len(comparison.turning) - queries)} more"


def _table(
    heads: Row, rows: Sequence[Row], width: int, *, texts: Sequence[int] = (0,), names: Sequence[int] = ()
) -> Iterator[str]:
    """Aligned lines of at most `width`: words are shortened, then further columns follow in a block below.

    The columns in `texts` hold words, set to the left; `names` head columns of numbers. The first of them is
    shortened first.
    """
    cells = [[_printable(cell) for cell in row] for row in [heads, *rows]]
    widths = _fitted([max(map(len, column)) for column in zip(*cells, strict=True)], width, [*names, *texts])
    for number, block in enumerate(_blocks(widths, width)):
        if number:
            yield ""
        for row in cells:
            shown = [(i, shorten(row[i], widths[i])) for i in block]
            aligned = [
                cell.ljust(widths[i]) if i in (0, *texts) else cell.rjust(widths[i]) for i, cell in shown
            ]
            yield "  ".join(aligned).rstrip()


def _fitted(widths: list[int], width: int, words: Sequence[int]) -> list[int]:
    """The widths with columns of words made narrower, as far as it takes and words stay legible.

    Where that does not suffice and columns follow in a block below, words have more room.
    """
    fitted = list(widths)
    for i in words:
        over = _total(fitted) - width
        fitted[i] = min(fitted[i], max(LEGIBLE, fitted[i] - max(0, over)))
    if _total(fitted) <= width:
        return fitted
    roomy = max(LEGIBLE, min(ROOMY, (width - 2) // 2))
    return [min(size, roomy) if i in words else size for i, size in enumerate(widths)]


def _total(widths: Sequence[int]) -> int:
    """The length of a line with these columns, two blanks between them."""
    return sum(widths) + 2 * (len(widths) - 1)


def _blocks(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns block by block, each beginning with the first column."""
    block, used = [0], widths[0]
    for i in range(1, len(widths)):
        if len(block) > 1 and used + 2 + widths[i] > width:
            yield block
            block, used = [0], widths[0]
        block.append(i)
        used += 2 + widths[i]
    yield block


def _printable(cell: str) -> str:
    """The cell without control characters, which a terminal might obey."""
    return "".join(char if char.isprintable() else "\ufffd" for char in cell)
