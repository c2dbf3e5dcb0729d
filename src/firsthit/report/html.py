"""The page of a comparison, or of several with one OLD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firsthit.comparison.changes import within
from firsthit.report.alike import alike_section, ids_warning
from firsthit.report.answers import answer_section
from firsthit.report.charts import Plot, first_ranks, mean_by_cutoff, sorted_differences, transition_matrix
from firsthit.report.detail import DEEPEST, chosen, details
from firsthit.report.glyphs import Slopes
from firsthit.report.history import history
from firsthit.report.markup import Markup, join, mark, tag
from firsthit.report.needs import need_section
from firsthit.report.numbers import between, count, signed, value
from firsthit.report.overview import comparable, gate_box, means, score, verdict
from firsthit.report.page import figure, fold, page, plots, section, table
from firsthit.report.query_table import query_table
from firsthit.report.slices import group_section, unjudged_section
from firsthit.report.words import VERDICT_WORDS, mean_name, pairing_words
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.card.card import Card
    from firsthit.comparison.comparison import Comparison
    from firsthit.gate import GateResult

__all__ = ["html"]


def html(
    comparisons: Comparison | Sequence[Comparison], gate: GateResult | Sequence[GateResult] | None = None
) -> str:
    """One self-contained HTML file: the verdict, every query, groups, answers and plots.

    `gate` is the result for the comparison, or one a comparison. Equal comparisons give equal bytes.
    """
    found = _listed(comparisons)
    results = [gate] * len(found) if gate is None or not isinstance(gate, Sequence) else list(gate)
    first = found[0]
    title = f"{first.old} → {', '.join(one.new for one in found)} · {mean_name(first.measure)}"
    if len(found) == 1:
        return page(title, _whole(first, results[0], "c1-", "h1"))
    articles = [
        tag("article", _whole(one, result, f"c{i}-", "p"), id=f"c{i}")
        for i, (one, result) in enumerate(zip(found, results, strict=True), 1)
    ]
    return page(title, join([_summary(found), *articles]))


def _listed(comparisons: Comparison | Sequence[Comparison]) -> list[Comparison]:
    return list(comparisons) if isinstance(comparisons, Sequence) else [comparisons]


def _summary(comparisons: Sequence[Comparison]) -> Markup:
    """Several versions against one: a row each, and where to read on."""
    first = comparisons[0]
    rows = [
        (
            tag("a", one.new, href=f"#c{i}"),
            VERDICT_WORDS[one.verdict.kind],
            value(one.primary.new),
            signed(one.primary.difference),
            between(one.primary.interval.low, one.primary.interval.high),
            f"{count(one.primary.wins)}, {count(one.primary.losses)}",
        )
        for i, one in enumerate(comparisons, 1)
    ]
    name = mean_name(first.measure)
    columns = ("Version", "Verdict", name, "Difference", "95% interval", "Better, worse")
    heading = mark("h1", f"{many(len(comparisons), 'version')} against {first.old}")
    lead = mark("p.lead", f"{first.old}: {name} {value(first.primary.old)}, {pairing_words(first)}.")
    line = mark("div.wide-plot", figure(history(comparisons)))
    return mark("header", heading, lead, table(columns, rows, numbers=range(2, 6)), line)


def _whole(comparison: Comparison, gate: GateResult | None, prefix: str, heading: str) -> Markup:
    slopes = Slopes(prefix)
    opened = chosen(comparison)
    table = query_table(comparison, opened, slopes, prefix)
    over = (
        f"{comparison.old} → {comparison.new} · {mean_name(comparison.measure)} · {pairing_words(comparison)}"
    )
    parts = [
        mark("p.over", over),
        verdict(comparison, heading),
        ids_warning(comparison),
        score(comparison),
        gate_box(gate) if gate is not None else None,
        comparable(comparison),
        means(comparison),
        need_section(comparison),
        group_section(comparison),
        answer_section(comparison),
        section("Plots", _legend(comparison), plots(_plots(comparison))),
        section(
            "Queries",
            table,
            lead="The largest difference first. A slope's height is 1/rank: it falls by what it costs.",
        ),
        slopes.shapes(),
        _details(comparison, opened, prefix),
        unjudged_section(comparison),
        alike_section(comparison),
        _cards(comparison),
    ]
    return join(parts)


def _details(comparison: Comparison, queries: list[int], prefix: str) -> Markup | None:
    if not queries:
        return None
    shown = (
        f"The {count(len(queries))} queries that changed most"
        if len(queries) < len(comparison.query_ids)
        else "Every query"
    )
    lead = f"{shown}, with both rankings. Black: relevant; ?: nobody judged it; "
    lead += f"out, new: not among the first {DEEPEST} of the other."
    return tag(
        "section",
        mark("h2", "Queries in detail"),
        mark("p.lead", lead),
        details(comparison, queries, prefix),
        data_details=True,
    )


def _legend(comparison: Comparison) -> Markup:
    return mark("p.legend", mark("span.key", comparison.old), mark("span.key.new", comparison.new))


def _plots(comparison: Comparison) -> list[Plot]:
    sides = [(comparison.old, comparison.first_rank_old), (comparison.new, comparison.first_rank_new)]
    cut = [within(ranks, comparison.cutoff) for _, ranks in sides]
    return [
        sorted_differences(comparison.difference),
        transition_matrix(
            cut[0], cut[1], comparison.difference, comparison.cutoff, (comparison.old, comparison.new)
        ),
        mean_by_cutoff(sides, comparison.cutoff, _deepest(sides)),
        first_ranks(sides),
    ]


def _deepest(sides: Sequence[tuple[str, NDArray[np.int64]]]) -> int:
    return int(max(ranks.max(initial=1) for _, ranks in sides))


def _cards(comparison: Comparison) -> Markup:
    sides = ((comparison.old, comparison.card_old), (comparison.new, comparison.card_new))
    cards = [
        mark("div", mark("h3", name), mark("div.card", card.text()), _whole_card(card))
        for name, card in sides
    ]
    return section("What defines the numbers", mark("div.grid2", *cards))


def _whole_card(card: Card) -> Markup:
    return fold("Every rule, input and count", mark("div.card", card.text(full=True)))
