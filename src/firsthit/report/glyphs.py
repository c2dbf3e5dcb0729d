"""Small drawings inside text: the slope of a query's first ranks, and an interval on its ruler."""

from __future__ import annotations

from firsthit.report.markup import Markup, join, tag
from firsthit.report.numbers import between
from firsthit.wording import many

__all__ = ["Slopes", "balance", "ruler"]


class Slopes:
    """Slope marks of a page. Heights are reciprocal ranks, so that a slope is what it costs.

    Each shape is drawn once; `mark` refers to it and `shapes` must stand in the page too.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._used: dict[tuple[int, int], str] = {}

    def mark(self, old: int, new: int) -> Markup:
        """The mark of a query that went from one rank to another; 0 is none."""
        name = self._used.setdefault((old, new), f"{self._prefix}s{old}-{new}")
        return Markup(f'<svg class="slope" aria-hidden="true"><use href="#{name}"/></svg>')

    def shapes(self) -> Markup:
        """The shapes of all marks, not shown by themselves."""
        symbols = join(_symbol(name, *ranks) for ranks, name in sorted(self._used.items()))
        return Markup(
            f'<svg width="0" height="0" aria-hidden="true" style="position:absolute">{symbols}</svg>'
        )


def _symbol(name: str, old: int, new: int) -> Markup:
    a, b = (2.5 + 15 * (1 - (1 / rank if rank else 0)) for rank in (old, new))
    colour = "var(--even)" if old == new else "var(--gain)" if b < a else "var(--loss)"
    ends = "".join(
        f'<circle cx="{x}" cy="{y:.1f}" r="2.4" fill="{colour if rank else "none"}" stroke="{colour}"/>'
        for x, y, rank in ((3.5, a, old), (26.5, b, new))
    )
    line = f'<path d="M3.5 {a:.1f}L26.5 {b:.1f}" stroke="{colour}" stroke-width="1.6"/>'
    return Markup(f'<symbol id="{name}" viewBox="0 0 30 20">{line}{ends}</symbol>')


def ruler(difference: float, low: float, high: float) -> Markup:
    """An interval around a difference, on a ruler with 0 in its middle."""
    reach = max(abs(low), abs(high), abs(difference), 1e-9) * 1.1
    x = [round(150 + 140 * number / reach, 1) for number in (low, difference, high)]
    colour = "var(--gain)" if low > 0 else "var(--loss)" if high < 0 else "var(--even)"
    drawn = (
        '<path d="M5 14H295" stroke="var(--rule)" stroke-width="1.5"/>'
        '<path d="M150 4V24" stroke="var(--soft)" stroke-width="1.5"/>'
        f'<path d="M{x[0]} 14H{x[2]}" stroke="{colour}" class="reach"/>'
        f'<circle cx="{x[1]}" cy="14" r="5.5" fill="{colour}"/>'
    )
    label = f"interval {between(low, high)} around 0"
    return Markup(
        f'<svg class="ruler" viewBox="0 0 300 28" preserveAspectRatio="xMinYMid meet" role="img" '
        f'aria-label="{label}">{drawn}</svg>'
    )


def balance(better: int, same: int, worse: int) -> Markup:
    """How many queries are better, the same and worse, as one bar."""
    parts = [("gain", better), ("same", same), ("loss", worse)]
    label = f"{many(better, 'query', 'queries')} better, {same:,} the same, {worse:,} worse"
    bars = [tag("i", class_=name, style=f"flex-grow:{number}") for name, number in parts if number]
    return tag("div", *bars, class_="balance", role="img", aria_label=label)
