"""The head of a comparison's page: the verdict, the score, what is compared, the means, the gate."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from firsthit.report.glyphs import balance, ruler
from firsthit.report.markup import Markup, mark, tag
from firsthit.report.numbers import between, count, p_value, shorten, signed, value
from firsthit.report.page import section, table
from firsthit.report.words import (
    VERDICT_WORDS,
    bounds_words,
    comparability,
    interval_words,
    mean_name,
    pairing_words,
)
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison, MeasureComparison
    from firsthit.gate import GateResult, RuleResult

__all__ = ["comparable", "gate_box", "means", "score", "verdict"]

MOST_LISTED = 100

STATUS_WORDS = {"pass": "pass", "fail": "fail", "cannot_tell": "cannot tell"}


def verdict(comparison: Comparison, heading: str = "h1") -> Markup:
    """The verdict: a word, the sentence, and what else must be said at once."""
    found = comparison.verdict
    sentence = tag(heading, found.sentence, class_="sentence")
    more = mark("p.more", found.second_sentence) if found.second_sentence else None
    return mark(f"div.verdict.{found.kind}", mark("p.word", VERDICT_WORDS[found.kind]), sentence, more)


def score(comparison: Comparison) -> Markup:
    """Both means, the difference on its ruler, and how many queries moved each way."""
    primary = comparison.primary
    name = mean_name(comparison.measure)
    interval = primary.interval
    moved = f"{count(primary.wins)} better, {count(primary.losses)} worse, {count(primary.ties)} the same"
    pairs = [
        ("", *_side("span.key", comparison.old, primary.old, name)),
        ("", *_side("span.key.new", comparison.new, primary.new, name)),
        (
            "wide",
            mark("dt", "Difference"),
            mark(
                "dd",
                signed(primary.difference),
                ruler(primary.difference, interval.low, interval.high),
                mark("small", interval_words(comparison)),
            ),
        ),
        (
            "wide",
            mark("dt", many(primary.queries, "query", "queries")),
            mark("dd", balance(primary.wins, primary.ties, primary.losses), mark("small", moved)),
        ),
    ]  # fmt: skip
    return mark("dl.score", *(tag("div", *pair, class_=name or None) for name, *pair in pairs))


def _side(key: str, side: str, mean: float, name: str) -> tuple[Markup, Markup]:
    return mark("dt", mark(key, side)), mark("dd", value(mean), mark("small", name))


def comparable(comparison: Comparison) -> Markup:
    """What is compared: both sides' labels, population and rules, and what a reader should know."""
    rows = [
        (what, old if old == new else mark("b", old), "the same" if old == new else mark("b", new))
        for what, old, new in comparability(comparison)
    ]
    facts = table(("", comparison.old, comparison.new), rows, names="facts")
    said = [
        ("Paired", pairing_words(comparison)),
        ("Unjudged documents", bounds_words(comparison)),
        ("Why this verdict", "; ".join(comparison.verdict.reasons)),
    ]
    listed = [mark("div", mark("dt", name), mark("dd", words)) for name, words in said if words]
    more = mark("dl.said", *listed)
    notes = mark("ul.notes", *(mark("li", notice) for notice in comparison.notices))
    return section("What is compared", more, facts, notes if comparison.notices else None)


def means(comparison: Comparison) -> Markup:
    """Every measure: both means, the difference with its interval, p, and the queries behind it."""
    columns = (
        "Measure",
        comparison.old,
        comparison.new,
        "Difference",
        "95% interval",
        "p",
        "p (t)",
        "Better, worse, same",
    )
    rows = [_mean_row(found, comparison.measure) for found in comparison.means.values()]
    shown = table(columns, rows, numbers=range(1, 8))
    family = comparison.primary.family
    adjusted = f", Holm-adjusted over {family} comparisons" if family > 1 else ""
    lead = f"p is of the paired sign-flip randomization test{adjusted}; p (t) of the paired t test."
    return section("Means", shown, lead=lead)


def _mean_row(found: MeasureComparison, primary: str) -> Markup:
    cells = [
        tag("th", mean_name(found.measure), scope="row"),
        *(
            mark("td.n", cell)
            for cell in (
                value(found.old),
                value(found.new),
                signed(found.difference),
                between(found.interval.low, found.interval.high),
                p_value(found.p_holm),
                p_value(found.t_p),
                f"{count(found.wins)}, {count(found.losses)}, {count(found.ties)}",
            )
        ),
    ]
    return mark("tr.main" if found.measure == primary else "tr", *cells)


def gate_box(result: GateResult) -> Markup:
    """The rules of the gate, those that fail first."""
    order = {"fail": 0, "cannot_tell": 1, "pass": 2}
    rules = sorted(result.rules, key=lambda one: order[one.status])
    kind = {0: "calm", 1: "fail"}.get(result.exit_code, "warn")
    rows = [_rule_row(rule) for rule in rules]
    shown = table(("Rule", "Result", "Why"), rows) if rows else None
    notes = [mark("p", notice) for notice in result.notices]
    return mark(f"section.box.{kind}", mark("h2", result.sentence), shown, *notes)


def _rule_row(found: RuleResult) -> Markup:
    status = mark(f"span.status.{found.status}", STATUS_WORDS[found.status])
    queries = None
    if found.queries:
        listed = [
            mark("li", tag("span", shorten(query_id, 80), class_="id"), f": {detail}" if detail else None)
            for query_id, detail in zip_longest(found.queries[:MOST_LISTED], found.details[:MOST_LISTED])
        ]
        if len(found.queries) > MOST_LISTED:
            listed.append(mark("li", f"and {count(len(found.queries) - MOST_LISTED)} more"))
        queries = mark(
            "details",
            mark("summary", many(len(found.queries), "query", "queries")),
            mark("ul.notes", *listed),
        )
    return mark(
        "tr", tag("th", str(found.rule), scope="row"), mark("td", status), mark("td", found.text, queries)
    )
