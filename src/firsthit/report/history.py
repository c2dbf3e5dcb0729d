"""The mean of each version in the order given, with its interval, and where the labels changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from firsthit.report.charts import Plot, finished
from firsthit.report.numbers import shorten, value
from firsthit.report.svg import COLOURS, altair, inline_svg
from firsthit.report.words import mean_name
from firsthit.significance import mean_interval
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison

__all__ = ["MOST_VERSIONS", "history"]

MOST_VERSIONS = 40
"""A version takes three marks: its point, its interval, and its part of the line."""

ROW, LABELS = 30, 150
"""The height of a version, and the width of its name."""


def history(comparisons: Sequence[Comparison]) -> Plot:
    """The versions against OLD, which stands first: each mean over its compared queries, with a BCa interval.

    Where the content of the labels is not that of the version before, a line stands between the two: the
    compared queries have the same labels all the same.
    """
    shown = comparisons[: MOST_VERSIONS - 1]
    points = _points(shown)
    changed = [now["version"] for before, now in pairwise(points) if before["labels"] != now["labels"]]
    caption = _caption(len(comparisons) + 1, len(points), changed)
    name = mean_name(comparisons[0].measure)
    rows = [
        (one["name"], value(one["mean"]), value(one["low"]), value(one["high"]), one["labels"][:12])
        for one in points
    ]
    return Plot(
        f"{name}, version by version",
        caption,
        inline_svg(_chart(points, changed, name), f"Points with intervals. {caption}"),
        ("version", name, "from", "to", "labels"),
        tuple(rows),
    )


def _points(comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    """OLD, then each NEW: name, mean, interval, digest of the labels."""
    first = comparisons[0]
    versions = [
        (first.old, first.card_old, first.value_old),
        *((one.new, one.card_new, one.value_new) for one in comparisons),
    ]
    points = []
    for place, (name, card, values) in enumerate(versions, 1):
        interval = mean_interval(values, low=0.0, high=1.0, seed=first.seed)
        points.append(
            {
                "place": place,
                "version": f"{place} {shorten(name, 18)}",
                "name": name,
                "mean": float(values.mean()),
                "low": interval.low,
                "high": interval.high,
                "labels": card.labels.sha256,
            }
        )
    return points


def _caption(versions: int, shown: int, changed: Sequence[str]) -> str:
    said = "Each mean with its 95% interval (BCa bootstrap), in the order given."
    if changed:
        said += f" A dashed line: the labels changed before {', '.join(changed)}."
    if versions > shown:
        said += f" The first {shown} of {many(versions, 'version')}."
    return said


def _chart(points: list[dict[str, Any]], changed: Sequence[str], name: str) -> Any:
    """A row a version, so that names can be read; the line goes from one to the next."""
    alt = altair()
    order = [point["version"] for point in points]
    axis = alt.Axis(labelLimit=LABELS, ticks=False, domain=False)
    y = alt.Y("version:N", sort=order, scale=alt.Scale(domain=order), title=None, axis=axis)
    scale, few = alt.Scale(zero=False), alt.Axis(tickCount=4, labelFlush=False)
    mean = alt.X("mean:Q", title=name, scale=scale, axis=few)
    base = alt.Chart(alt.Data(values=points)).encode(y=y)
    line = base.mark_line(color=COLOURS["even"], strokeWidth=1.5).encode(x=mean, order="place:Q")
    reach = base.mark_rule(color=COLOURS["new"], strokeWidth=2).encode(
        x=alt.X("low:Q", title=name, scale=scale, axis=few), x2="high:Q"
    )
    dots = base.mark_point(color=COLOURS["new"], filled=True, size=60, opacity=1).encode(x=mean)
    marked = alt.Data(values=[point for point in points if point["version"] in changed])
    breaks = alt.Chart(marked).mark_rule(color=COLOURS["ink"], strokeDash=[4, 3], yOffset=-ROW // 2)
    return finished(line + reach + dots + breaks.encode(y=y), ROW * len(points), beside=LABELS)
