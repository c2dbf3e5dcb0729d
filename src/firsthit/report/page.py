"""The frame of a page: one file that holds its style and script, and may load nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import count

import firsthit
from firsthit.report.charts import Plot
from firsthit.report.markup import Markup, join, mark, tag

__all__ = ["figure", "fold", "page", "plots", "section", "table"]


@cache
def _file(name: str) -> str:
    return files("firsthit.report").joinpath("files", name).read_text(encoding="utf-8")


def page(title: str, content: Markup) -> str:
    """The whole file. Its own policy forbids every script but the one it holds, and every request."""
    script = _file("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    head = join(
        [
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=f"{policy}; form-action 'none'"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="generator", content=f"firsthit {firsthit.__version__}"),
            tag("title", title),
            tag("style", Markup(_file("report.css"))),
        ],
        "\n",
    )
    foot = mark("footer", f"Made by firsthit {firsthit.__version__}. This file needs no network.")
    body = mark("body", mark("main", content, foot), tag("script", Markup(script)))
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n{body}\n</html>\n'


def section(heading: str, *content: object, lead: object = None, anchor: str | None = None) -> Markup:
    """A part of the page with its heading, and a sentence below it."""
    words = mark("p.lead", lead) if lead else None
    return tag("section", mark("h2", heading), words, *content, id=anchor)


def fold(summary: object, *content: object) -> Markup:
    """Content behind a line that opens it, without script."""
    return mark("details.fold", mark("summary", summary), *content)


def table(
    columns: Iterable[object],
    rows: Iterable[Markup | Iterable[object]],
    *,
    numbers: Iterable[int] = (),
    names: str = "",
) -> Markup:
    """A table; the columns at the places `numbers` are set to the right; the first cell heads its row.

    Rows are sequences of cells, or Markup that is a whole row.
    """
    right = set(numbers)
    heads = [
        tag("th", name, scope="col", class_="n" if i in right else None) for i, name in enumerate(columns)
    ]
    body = [row if isinstance(row, Markup) else mark("tr", *_cells(row, right)) for row in rows]
    whole = tag("table", mark("thead", mark("tr", *heads)), mark("tbody", *body), class_=names or None)
    return mark("div.scroll", whole)


def _cells(row: Iterable[object], right: set[int]) -> list[Markup]:
    """The cells of a row: a heading first, numbers to the right."""
    classes = ("n" if i in right else None for i in count())
    head, *others = zip(row, classes, strict=False)
    first = tag("th", head[0], scope="row", class_=head[1])
    return [first, *(tag("td", cell, class_=class_) for cell, class_ in others)]


def figure(plot: Plot) -> Markup:
    """A plot with its title, its sentence, and its data as a table that opens."""
    data = table(plot.columns, plot.rows, numbers=range(1, len(plot.columns)))
    opening = mark("details", mark("summary", "The data of this plot"), data)
    return mark("figure", mark("h3", plot.title), mark("figcaption", plot.caption), plot.svg, opening)


def plots(drawn: list[Plot]) -> Markup:
    """Plots side by side where there is room."""
    return mark("div.plots", *map(figure, drawn))
