"""A long table of queries: every row there without script, and controls that the script brings to life."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firsthit.report.markup import Markup, join, mark, tag
from firsthit.report.numbers import count, shorten

__all__ = ["Choice", "Heading", "listing"]

OPEN_ROWS = 200
"""Rows of the first table; the others are folded without script."""

FOLDED_ROWS = 500

Heading = tuple[str, bool]
"""The words over a column, and whether it holds numbers."""


@dataclass(frozen=True)
class Choice:
    """A button that shows some rows: those whose `data-ATTRIBUTE` is `value`; all without an attribute."""

    name: str
    words: str
    rows: int
    attribute: str = ""
    value: str = ""


def listing(
    headings: Sequence[Heading],
    rows: Sequence[Markup],
    summary: Callable[[int, int], str],
    *,
    choices: Sequence[Choice],
    groups: Sequence[str] = (),
    keys: Sequence[tuple[str, str]] = (),
    names: str = "",
    judge: str | None = None,
) -> Markup:
    """The rows as tables with their controls; `summary` words what rows start to end (from 0) are.

    `judge` is the command that judges a row's query once its id is added.
    """
    parts = [_controls(choices, groups), _table(headings, rows[:OPEN_ROWS])]
    for start in range(OPEN_ROWS, len(rows), FOLDED_ROWS):
        part = rows[start : start + FOLDED_ROWS]
        words = mark("summary", summary(start, start + len(part)))
        parts.append(mark("details.more-rows", words, _table(headings, part)))
    return tag(
        "div", *parts, _paging(keys), class_=f"queries {names}".strip(), data_queries=True, data_judge=judge
    )


def _table(headings: Sequence[Heading], rows: Sequence[Markup]) -> Markup:
    cells = [tag("th", words, scope="col", class_="n" if number else None) for words, number in headings]
    whole = mark("table", mark("thead", mark("tr", *cells)), Markup(f"<tbody>{''.join(rows)}</tbody>"))
    return mark("div.scroll", whole)


def _controls(choices: Sequence[Choice], groups: Sequence[str]) -> Markup:
    """Hidden until the script shows them: without it they would do nothing."""
    buttons = [_button(choice) for choice in choices if choice.rows or not choice.attribute]
    parts = [tag("div", *buttons, class_="choice", role="group", aria_label="Which queries")]
    if groups:
        options = [tag("option", shorten(name, 60), value=name) for name in groups]
        parts.append(tag("select", tag("option", "Every group", value=""), *options, aria_label="Group"))
    parts.append(tag("input", type="search", placeholder="Find a query or document", aria_label="Find"))
    return tag("div", *parts, class_="bar", hidden=True)


def _button(choice: Choice) -> Markup:
    return tag(
        "button",
        choice.words,
        mark("span", count(choice.rows)),
        type="button",
        data_kind=choice.name,
        data_attribute=choice.attribute or None,
        data_value=choice.value or None,
        aria_pressed="false" if choice.attribute else "true",
    )


def _paging(keys: Sequence[tuple[str, str]]) -> Markup:
    pages = [
        tag("button", "Back", type="button", class_="before"),
        tag("span", class_="where", aria_live="polite"),
        tag("button", "Next", type="button", class_="after"),
    ]
    said = [join([*(mark("kbd", key) for key in pair.split()), words], " ") for pair, words in keys]
    hint = tag("p", "Keys: ", join(said, ", "), class_="keys", hidden=True) if keys else None
    return join([tag("div", *pages, class_="pages", hidden=True), hint])
