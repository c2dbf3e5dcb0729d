"""The page of a single evaluation, of the same kind as that of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from firsthit.population import STATUSES
from firsthit.report.charts import first_ranks, mean_by_cutoff
from firsthit.report.listing import Choice, listing
from firsthit.report.markup import Markup, join, mark, tag, text
from firsthit.report.numbers import count, rank, shorten, value
from firsthit.report.page import fold, page, plots, section, table
from firsthit.report.words import mean_name
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["evaluation_html"]


def evaluation_html(evaluation: Evaluation) -> str:
    """One self-contained HTML file: the mean, its card, what could change it, every query and plots."""
    card = evaluation.card
    name = mean_name(card.primary)
    counted = evaluation.first_rank[evaluation.counted]
    sides = [(card.name, counted)]
    cutoff = _cutoff(card.primary)
    parts = [
        mark("p.over", f"{card.name} · {name} · {many(card.averaged, 'query', 'queries')}"),
        mark("div.verdict", mark("h1.sentence", _sentence(evaluation))),
        _score(evaluation),
        _notices(evaluation),
        section("Measures", _measures(evaluation)),
        section(
            "Plots", plots([first_ranks(sides), mean_by_cutoff(sides, cutoff, int(counted.max(initial=1)))])
        ),
        section("Queries", _queries(evaluation), lead="The deepest first hits and the misses first."),
        section(
            "What defines the numbers",
            mark("div.card", card.text()),
            fold("The whole card", mark("div.card", card.text(full=True))),
        ),
    ]
    return page(f"{card.name} · {name} {value(card.means[card.primary])}", join(parts))


def _cutoff(measure: str) -> int | None:
    from firsthit.measures import parse_measures

    return parse_measures([measure])[0].cutoff


def _sentence(evaluation: Evaluation) -> str:
    card = evaluation.card
    hit, queries = card.counts["hit"], card.averaged
    share = percent(card.first_ranks.get("1", 0) / queries, 0) if queries else "–"
    return (
        f"{card.name}: {mean_name(card.primary)} is {value(card.means[card.primary])}. Of "
        f"{many(queries, 'query', 'queries')}, {count(hit)} have a hit, {share} at rank 1."
    )


def _score(evaluation: Evaluation) -> Markup:
    card = evaluation.card
    counts = card.counts
    found = [
        ("Hit", count(counts["hit"]), "a value above 0"),
        ("Miss", count(counts["miss"]), "no hit within the cutoff"),
        ("Absent", count(counts["absent"]), "not in the run"),
        (f"Judged in the top {card.judged_at}", percent(card.judged_share, 0), _bounds(evaluation)),
    ]
    pairs = [
        tag("div", mark("dt", name), mark("dd", number, mark("small", words)))
        for name, number, words in found
    ]
    return mark("dl.score", *pairs)


def _bounds(evaluation: Evaluation) -> str:
    card = evaluation.card
    if card.labels.lists_relevant_only or card.primary not in card.bounds:
        return "the labels list relevant documents only" if card.labels.lists_relevant_only else ""
    low, high = card.bounds[card.primary]
    return f"{mean_name(card.primary)} is between {value(low)} and {value(high)} after any further judging"


def _notices(evaluation: Evaluation) -> Markup | None:
    if not evaluation.notices:
        return None
    return mark(
        "div.box.warn",
        mark("h2", "Worth knowing"),
        mark("ul.notes", *(mark("li", one) for one in evaluation.notices)),
    )


def _measures(evaluation: Evaluation) -> Markup:
    card = evaluation.card
    rows = []
    for name in evaluation.measures:
        hits = card.hits.get(name)
        rows.append(
            (
                mean_name(name),
                value(card.means[name]),
                count(hits.hit) if hits else "",
                _ties(card.ties.get(name)),
                _range(card.bounds.get(name)),
            )
        )
    columns = ("Measure", "Mean", "Queries with a hit", "Ties: worst, expected, best", "If judged: from, to")
    return table(columns, rows, numbers=range(1, 5))


def _ties(values: Sequence[float] | None) -> str:
    """The range over the orders of tied documents; a dash where no order changes the mean."""
    return "–" if values and values[0] == values[-1] else _range(values)


def _range(values: Sequence[float] | None) -> str:
    return ", ".join(map(value, values)) if values else ""


def _queries(evaluation: Evaluation) -> Markup:
    rank_of = np.where(evaluation.first_rank == 0, np.iinfo(np.int64).max, evaluation.first_rank)
    values = np.nan_to_num(evaluation.values[evaluation.card.primary], nan=2.0)
    order = np.lexsort((np.arange(len(rank_of)), -rank_of, values)).tolist()
    shown = list(evaluation.measures)[:6]
    columns = {name: evaluation.values[name] for name in shown}
    rows = [_row(evaluation, i, columns) for i in order]
    counts = evaluation.counts
    choices = [Choice("all", "All", len(rows))]
    choices += [
        Choice(name, name.replace("_", " ").capitalize(), counts[name], "c", name) for name in STATUSES
    ]
    headings = [("Query", False), ("Status", False), ("First rank", True), *((name, True) for name in shown)]
    return listing(headings, rows, _summary, choices=choices, keys=(("j k", "move"), ("a", "all")))


def _summary(start: int, end: int) -> str:
    return f"Queries {count(start + 1)} to {count(end)}"


def _row(evaluation: Evaluation, i: int, columns: dict[str, np.ndarray]) -> Markup:
    first = int(evaluation.first_rank[i])
    status = evaluation.status[i]
    numbers = "".join(f'<td class="n">{value(float(column[i]))}</td>' for column in columns.values())
    query_id = mark("span.id", shorten(evaluation.query_ids[i], 80))
    return Markup(
        f'<tr data-c="{status}"><td>{query_id}</td><td>{text(status.replace("_", " "))}</td>'
        f'<td class="n" data-v="{first or 99999}">{rank(first)}</td>{numbers}</tr>'
    )
