"""The plots: what is drawn, in words and as a table too. No plot holds more than 200 marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firsthit.measures import distribution
from firsthit.report.markup import Markup
from firsthit.report.numbers import count, shorten, signed, value
from firsthit.report.svg import COLOURS, altair, inline_svg
from firsthit.wording import many, percent

__all__ = [
    "MOST_MARKS",
    "Plot",
    "finished",
    "first_ranks",
    "mean_by_cutoff",
    "sorted_differences",
    "transition_classes",
    "transition_matrix",
]

MOST_MARKS = 200
WIDTH, HEIGHT, AXIS = 430, 230, 60

Ranks = NDArray[np.int64]
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Plot:
    """A plot: its title, one sentence that says what it shows, the drawing, and its data as a table."""

    title: str
    caption: str
    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def sorted_differences(differences: NDArray[np.float64]) -> Plot:
    """The difference of each query, largest gain first; means of equal shares of the queries beyond 200."""
    ordered = np.sort(differences)[::-1] + 0.0
    edges = np.linspace(0, len(ordered), min(len(ordered), MOST_MARKS) + 1).round().astype(int)
    heights = [float(ordered[a:b].mean()) for a, b in pairwise(edges)]
    better, worse = int((ordered > 0).sum()), int((ordered < 0).sum())
    caption = f"{many(better, 'query', 'queries')} better, {count(worse)} worse, "
    caption += f"{count(len(ordered) - better - worse)} the same."
    if len(ordered) > MOST_MARKS:
        fewest, left = divmod(len(ordered), MOST_MARKS)
        caption += f" Each bar is the mean of {f'{fewest} or {fewest + 1}' if left else fewest} queries."
    bars: list[dict[str, Any]] = [
        {"from": int(a), "to": int(b), "height": height, "colour": COLOURS["gain" if height > 0 else "loss"]}
        for (a, b), height in zip(pairwise(edges), heights, strict=True)
    ]
    return Plot(
        "Differences, sorted",
        caption,
        inline_svg(_differences_chart(bars), f"Differences of the queries, sorted. {caption}"),
        ("queries", "mean difference"),
        tuple((f"{count(bar['from'] + 1)}–{count(bar['to'])}", signed(bar["height"])) for bar in bars),
    )


def _differences_chart(bars: list[dict[str, Any]]) -> Any:
    alt = altair()
    largest = max((abs(bar["height"]) for bar in bars), default=0.0) or 1.0
    chart = alt.Chart(alt.Data(values=bars)).mark_bar(binSpacing=0 if len(bars) > 60 else 1)
    encoded = chart.encode(
        x=alt.X(
            "from:Q", title="queries", axis=alt.Axis(grid=False, tickCount=5, tickMinStep=1, labelFlush=False)
        ),
        x2="to:Q",
        y=alt.Y("height:Q", title="difference", scale=alt.Scale(domain=[-largest, largest])),
        y2=alt.Y2Datum(0),
        color=_own_colour(),
    )
    return finished(encoded, HEIGHT)


def transition_classes(cutoff: int | None) -> tuple[tuple[str, int, int], ...]:
    """The classes of first ranks of the matrix, as (name, first, last); the last one is everything deeper.

    >>> [name for name, _, _ in transition_classes(10)]
    ['1', '2', '3', '4', '5', '6–10', 'none']
    >>> [name for name, _, _ in transition_classes(3)]
    ['1', '2', '3', 'none']
    """
    last = 10 if cutoff is None else cutoff
    starts = [start for start in (1, 2, 3, 4, 5, 6, 11, 51) if start <= last]
    ends = [start - 1 for start in starts[1:]] + [last]
    found = [(str(a) if a == b else f"{a}–{b}", a, b) for a, b in zip(starts, ends, strict=True)]
    deepest = f"> {last}" if cutoff is None else "none"
    return (*found, (deepest, last + 1, 0))


def _class_of(ranks: Ranks, classes: Sequence[tuple[str, int, int]]) -> Ranks:
    place = np.searchsorted([start for _, start, _ in classes], ranks, side="right") - 1
    place[ranks == 0] = len(classes) - 1
    return place


def transition_matrix(
    old: Ranks, new: Ranks, differences: NDArray[np.float64], cutoff: int | None, names: tuple[str, str]
) -> Plot:
    """How many queries went from each first rank to each other, coloured by what that did to the mean."""
    classes = transition_classes(cutoff)
    labels = [name for name, _, _ in classes]
    size = len(classes)
    cell = _class_of(old, classes) * size + _class_of(new, classes)
    counts = np.bincount(cell, minlength=size * size)
    sums = np.bincount(cell, weights=differences, minlength=size * size) / max(1, len(old))
    cells: list[dict[str, Any]] = [
        {
            "old": labels[i // size],
            "new": labels[i % size],
            "queries": int(counts[i]),
            "change": float(sums[i]),
            "colour": COLOURS["gain" if sums[i] > 0 else "loss" if sums[i] < 0 else "even"],
        }
        for i in range(size * size)
        if counts[i]
    ]
    caption = _matrix_caption(cells)
    moved = sorted(cells, key=lambda one: -abs(one["change"]))
    return Plot(
        "From first rank to first rank",
        caption,
        inline_svg(_matrix_chart(cells, labels, names), f"Matrix of first ranks. {caption}"),
        ("old", "new", "queries", "part of the mean difference"),
        tuple((c["old"], c["new"], count(c["queries"]), signed(c["change"])) for c in moved),
    )


def _matrix_caption(cells: list[dict[str, Any]]) -> str:
    moved = max(cells, key=lambda one: abs(one["change"]), default=None)
    if moved is None or not moved["change"]:
        return "No first rank moved between the classes."
    queries = many(moved["queries"], "query", "queries")
    way = f"{moved['old']} → {moved['new']}"
    return f"The number is how many queries. The largest part: {way}, {queries}, {signed(moved['change'])}."


def _matrix_chart(cells: list[dict[str, Any]], labels: list[str], names: tuple[str, str]) -> Any:
    alt = altair()
    largest = max((abs(one["change"]) for one in cells), default=0.0) or 1.0
    shown = [one | {"weight": 0.12 + 0.88 * abs(one["change"]) / largest} for one in cells]
    shown = [one | {"figure": COLOURS["paper" if one["weight"] > 0.55 else "ink"]} for one in shown]
    old, new = (shorten(name, 24) for name in names)
    axis = {"grid": False, "ticks": False, "domain": False, "labelAngle": 0, "labelPadding": 6}
    base = alt.Chart(alt.Data(values=shown)).encode(
        x=alt.X("new:N", sort=labels, scale=alt.Scale(domain=labels), title=f"first rank in {new}",
                axis=alt.Axis(**axis)),
        y=alt.Y("old:N", sort=labels, scale=alt.Scale(domain=labels), title=f"first rank in {old}",
                axis=alt.Axis(**axis)),
    )  # fmt: skip
    tiles = base.mark_rect(stroke=COLOURS["paper"], strokeWidth=2, cornerRadius=3).encode(
        color=_own_colour(), fillOpacity=alt.FillOpacity("weight:Q", scale=None)
    )
    figures = base.mark_text(fontSize=12).encode(
        text=alt.Text("queries:Q", format=","), color=_own_colour("figure")
    )
    return finished(tiles + figures, 34 * len(labels))


def mean_by_cutoff(sides: Sequence[tuple[str, Ranks]], cutoff: int | None, depth: int = 10) -> Plot:
    """The mean reciprocal rank at each cutoff, for one system or two."""
    last = max(10, min(50, cutoff or depth))
    curves = [(name, _mrr_curve(ranks, last)) for name, ranks in sides]
    roles = ("old", "new") if len(curves) == 2 else ("new",)
    points = [
        {"k": k, "mean": float(curve[k - 1]), "colour": COLOURS[role]}
        for (_, curve), role in zip(curves, roles, strict=True)
        for k in range(1, last + 1)
    ]
    at = cutoff or last
    said = ", ".join(f"{value(float(curve[min(at, last) - 1]))} {name}" for name, curve in curves)
    caption = f"MRR at each cutoff k; at {min(at, last)}: {said}."
    table = tuple((k, *(value(float(curve[k - 1])) for _, curve in curves)) for k in range(1, last + 1))
    return Plot(
        "MRR against the cutoff",
        caption,
        inline_svg(_curves_chart(points, at), f"Lines. {caption}"),
        ("k", *(name for name, _ in curves)),
        table,
    )


def _mrr_curve(ranks: Ranks, last: int) -> NDArray[np.float64]:
    found = np.bincount(ranks[(ranks > 0) & (ranks <= last)], minlength=last + 1)[1:]
    return np.cumsum(found / np.arange(1, last + 1)) / max(1, len(ranks))


def _curves_chart(points: list[dict[str, Any]], at: int) -> Any:
    alt = altair()
    top = max((point["mean"] for point in points), default=0.0) or 1.0
    base = alt.Chart(alt.Data(values=points)).encode(
        x=alt.X("k:Q", title="cutoff k", axis=alt.Axis(grid=False, tickMinStep=1, labelFlush=False)),
        y=alt.Y("mean:Q", title="MRR@k", scale=alt.Scale(domain=[0, top], nice=True)),
        color=_own_colour(),
    )
    lines = base.mark_line(strokeWidth=2.5) + base.mark_point(filled=True, size=28, opacity=1)
    return finished(lines + _cutoff_rule(at), HEIGHT)


def _cutoff_rule(at: int) -> Any:
    alt = altair()
    rule = alt.Chart(alt.Data(values=[{"k": at}])).mark_rule(color=COLOURS["soft"], strokeDash=[3, 3])
    return rule.encode(x="k:Q")


def first_ranks(sides: Sequence[tuple[str, Ranks]]) -> Plot:
    """How many queries have their first hit at rank 1, 2, 3, 4-5, 6-10, deeper, nowhere."""
    counts = [(name, distribution(ranks)) for name, ranks in sides]
    roles = ("old", "new") if len(counts) == 2 else ("new",)
    classes = list(counts[0][1])
    bars = [
        {"rank": cls, "share": found[cls] / max(1, len(ranks)), "side": role, "colour": COLOURS[role]}
        for (_, found), (_, ranks), role in zip(counts, sides, roles, strict=True)
        for cls in classes
    ]
    said = "; ".join(
        f"{name}: {percent(found['1'] / max(1, len(ranks)), 0)} at rank 1, "
        f"{count(found['none'])} without a hit"
        for (name, found), (_, ranks) in zip(counts, sides, strict=True)
    )
    table = tuple((cls, *(count(found[cls]) for _, found in counts)) for cls in classes)
    return Plot(
        "Where the first hit stands",
        f"{said}.",
        inline_svg(_ranks_chart(bars, classes, roles), f"Bars. Share of queries by first rank. {said}."),
        ("first rank", *(name for name, _ in counts)),
        table,
    )


def _ranks_chart(bars: list[dict[str, Any]], classes: list[str], roles: Sequence[str]) -> Any:
    alt = altair()
    chart = alt.Chart(alt.Data(values=bars)).mark_bar(cornerRadiusEnd=2)
    encoded = chart.encode(
        x=alt.X(
            "rank:N",
            sort=classes,
            title="first rank",
            axis=alt.Axis(labelAngle=0, labelPadding=6, ticks=False),
        ),
        xOffset=alt.XOffset("side:N", sort=list(roles)),
        y=alt.Y("share:Q", title="share of queries", axis=alt.Axis(format="%", tickCount=5)),
        color=_own_colour(),
    )
    return finished(encoded, HEIGHT)


def _own_colour(field: str = "colour") -> Any:
    """The colour that the data name."""
    return altair().Color(f"{field}:N", scale=None)


def finished(chart: Any, height: int, *, beside: int = AXIS) -> Any:
    """The chart in its size, with the page's type sizes and quiet axes; `beside` is what the labels take."""
    soft, rule = COLOURS["soft"], COLOURS["rule"]
    axis = {
        "labelColor": soft,
        "titleColor": soft,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": rule,
        "domainColor": rule,
        "tickColor": rule,
    }
    padding = {"left": 4 + (beside - AXIS) // 3, "right": 4, "top": 4, "bottom": 4}  # fonts differ in width
    sized = chart.properties(width=WIDTH - beside, height=height, padding=padding)
    return sized.configure(aria=False, axis=axis, view={"stroke": None})
