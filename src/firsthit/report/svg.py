"""Charts as inline SVG that takes the page's colours and fonts, in light and in dark.

Charts are drawn with stand-in colours, one for each role; here each is replaced by the page's variable.
"""

from __future__ import annotations

import re
import zlib
from typing import Any

from firsthit.errors import FirsthitError
from firsthit.report.markup import Markup, clean, text

__all__ = ["COLOURS", "altair", "inline_svg"]

COLOURS = {
    "ink": "#010101",
    "soft": "#020202",
    "rule": "#030303",
    "old": "#040404",
    "new": "#050505",
    "gain": "#060606",
    "loss": "#070707",
    "even": "#080808",
    "paper": "#090909",
}
"""The stand-in colour of each role. The page's CSS defines a variable of the same name."""

_VARIABLE = {colour: f"var(--{role})" for role, colour in COLOURS.items()}


def altair() -> Any:
    """The module altair, or an error that says how to install what draws the plots."""
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError as error:
        message = f"the plots of a report need {error.name or 'altair'}, which is not installed"
        raise FirsthitError(message, hint='Install it with: pip install "firsthit[report]"') from error
    return altair


def inline_svg(chart: Any, label: str) -> Markup:
    """The chart as an SVG element with this text alternative; nothing is fetched to draw it."""
    import vl_convert

    specification = {"background": None, **chart.to_dict(validate=False)}
    return _adapted(vl_convert.vegalite_to_svg(specification, allowed_base_urls=[]), label)


def _adapted(svg: str, label: str) -> Markup:
    size = re.search(r'viewBox="[^"]*"', svg)
    if size is None:
        raise FirsthitError("the plot could not be drawn: the SVG has no size")
    body = clean(svg[svg.index(">") + 1 :])
    body = re.sub(r"<[^>]*>", _adapted_tag, body)
    body = re.sub(r'<path d="M0,0h0v0h0Z"[^>]*>(</path>)?', "", body)
    body = _own_ids(body)
    return Markup(f'<svg class="plot" {size[0]} role="img" aria-label="{text(label)}">{body}')


def _adapted_tag(found: re.Match[str]) -> str:
    """A tag in the page's colours, without what the page says itself; words between tags stay."""
    tag = re.sub(r' (font-family|aria-[a-z]+|role|class|pointer-events)="[^"]*"', "", found[0])
    tag = re.sub(r"#0[0-9a-f]{5}", lambda colour: _VARIABLE.get(colour[0], colour[0]), tag)
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag)


def _own_ids(body: str) -> str:
    """The ids of clip paths named by what is drawn: the renderer numbers them on from plot to plot."""
    numbers = list(dict.fromkeys(re.findall(r'id="clip(\d+)"', body)))
    place = {number: i for i, number in enumerate(numbers, 1)}
    drawn = zlib.crc32(re.sub(r"clip\d+", "clip", body).encode())
    return re.sub(
        r"(?<=[#\"])clip(\d+)\b", lambda found: f"clip-{drawn:08x}-{place.get(found[1], found[1])}", body
    )
