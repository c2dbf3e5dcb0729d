"""One query in detail: both rankings side by side with grades and moves, both answers, and a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firsthit.report.fixture import fixture
from firsthit.report.markup import Markup, clean, mark, tag
from firsthit.report.numbers import shorten, signed
from firsthit.report.revision import revised
from firsthit.report.sources import coloured
from firsthit.report.words import movement, order_by_change

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.record.record import Record

__all__ = ["DEEPEST", "MOST_DETAILS", "chosen", "details"]

MOST_DETAILS = 60
DEEPEST = 10

_NO_ANSWER = mark("p.soft", "No answer text.")


def chosen(comparison: Comparison) -> list[int]:
    """The queries that are shown in detail: those that changed most, and critical ones that got worse."""
    if not len(comparison.record_old.detail.ranked.ids) and not len(comparison.record_new.detail.ranked.ids):
        return []
    order = order_by_change(comparison)
    if len(order) <= MOST_DETAILS:
        return order
    changed = [i for i in order if comparison.difference[i]]
    critical = np.flatnonzero(comparison.critical & (comparison.difference < 0)).tolist()
    kept = [*changed[:MOST_DETAILS], *critical[:MOST_DETAILS]]
    return list(dict.fromkeys(kept))


def details(comparison: Comparison, queries: list[int], prefix: str) -> Markup:
    """The queries in detail, folded."""
    return tag("div", *(_one(comparison, i, prefix) for i in queries))


def _one(comparison: Comparison, i: int, prefix: str) -> Markup:
    query_id = comparison.query_ids[i]
    words = (comparison.query_text or {}).get(query_id, "")
    sign = signed(float(comparison.difference[i]), 3)
    name = [mark("b.id", shorten(query_id, 120)), mark("span.soft", f" {sign} ", shorten(words, 120))]
    old, new = (
        _ranking(comparison.record_old, comparison.rows_old[i]),
        _ranking(comparison.record_new, comparison.rows_new[i]),
    )
    shown = _Shown(comparison.record_old.card.rules.rel, coloured([d for d, _ in old], [d for d, _ in new]))
    sides = [
        mark("div", _heading(comparison, 0), shown.ranking(old, new, old_side=True)),
        mark("div", _heading(comparison, 1), shown.ranking(new, old, old_side=False)),
    ]
    text = mark("p.soft", shorten(words, 600)) if len(words) > 120 else None
    body = mark(
        "div.body",
        text,
        mark("p", movement(comparison, i)),
        mark("div.sides", *sides),
        _answers(comparison, i),
        _buttons(comparison, i),
    )
    return tag("details", mark("summary", *name), body, class_="one", id=f"{prefix}q{i}")


def _ranking(record: Record, row: int | NDArray[np.int64]) -> list[tuple[str, float]]:
    ranked = record.detail.ranked
    start = int(ranked.offsets[row])
    end = min(int(ranked.offsets[int(row) + 1]), start + DEEPEST)
    return list(zip(ranked.ids[start:end], ranked.number[start:end].tolist(), strict=True))


def _heading(comparison: Comparison, side: int) -> Markup:
    name, key = ((comparison.old, "span.key"), (comparison.new, "span.key.new"))[side]
    return mark("h4", mark(key, name))


def _answers(comparison: Comparison, i: int) -> Markup | None:
    """Both answers, word by word, where the answers' files hold them."""
    found = comparison.answers
    texts = [None if one is None else one[i] for one in (found.text_old, found.text_new)] if found else []
    if not any(texts):
        return None
    said = revised(texts[0] or "", texts[1] or "")
    sides = [
        mark("div", _heading(comparison, side), mark("p.answer-text", words) if words else _NO_ANSWER)
        for side, words in enumerate(said)
    ]
    return mark("div.sides", *sides)


def _buttons(comparison: Comparison, i: int) -> Markup:
    """What the script can copy; hidden without it. JSON is full of double quotes: single ones hold it."""
    data = escape(clean(fixture(comparison, i)), quote=False).replace("'", "&#39;")
    copy = Markup(f"<button type=\"button\" data-copy='{data}' hidden>Copy as fixture</button>")
    return mark("p.bar", copy, tag("button", "Judge it", type="button", hidden=True))


@dataclass(frozen=True)
class _Shown:
    """How the rankings of one query are shown: from which grade on relevant, and in which colours."""

    rel: float
    colours: Mapping[str, int]

    def ranking(
        self, ranking: list[tuple[str, float]], other: list[tuple[str, float]], *, old_side: bool
    ) -> Markup:
        there = {doc_id: place for place, (doc_id, _) in enumerate(other, 1)}
        items = [
            tag(
                "li",
                mark("span", place),
                _grade(grade, self.rel),
                tag("span", shorten(doc_id, 160), class_="id"),
                mark("span.move", _move(place, there.get(doc_id), old_side=old_side)),
                class_=f"c{colour}" if (colour := self.colours.get(doc_id)) else None,
            )
            for place, (doc_id, grade) in enumerate(ranking, 1)
        ]
        return mark("ol.ranking", *items) if items else mark("p.soft", "Nothing was ranked.")


def _grade(grade: float, rel: float) -> Markup:
    if math.isnan(grade):
        return tag("span", "?", class_="grade open", title="not judged")
    shown = f"{grade:g}"
    if grade >= rel:
        return tag("span", shown, class_="grade rel", title=f"relevant, grade {shown}")
    return tag("span", shown, class_="grade", title=f"not relevant, grade {shown}")


def _move(place: int, elsewhere: int | None, *, old_side: bool) -> str:
    """Where the document stands on the other side; told once, on NEW's side, but for what is gone."""
    if elsewhere is None:
        return "out" if old_side else "new"
    if old_side or elsewhere == place:
        return ""
    return f"from {elsewhere}"
