"""How alike the rankings are, whatever the labels say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from firsthit.report.markup import Markup, mark, tag
from firsthit.report.numbers import count, shorten
from firsthit.report.page import fold, section, table
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.comparison.agreement import Agreement
    from firsthit.comparison.comparison import Comparison

__all__ = ["alike_section", "ids_warning"]

MOST_LISTED = 20

SHARES = (("none", 0.0), ("up to a quarter", 0.25), ("up to half", 0.5), ("up to three quarters", 0.75))
"""Classes of overlap, with the largest share of each; then all but some, and all."""


def ids_warning(comparison: Comparison) -> Markup | None:
    """A banner where both rank documents and share none: then ids were changed, not the retriever."""
    found = comparison.agreement
    empty = None in (comparison.judged_share_old, comparison.judged_share_new)
    if found is None or empty or found.mean_overlap > 0:
        return None
    words = (
        f"No document stands in the top {found.cutoff} of both, for any query. If the ids of documents were "
        "changed, the labels fit one side only, and the difference says nothing about the retriever."
    )
    return mark("div.box.fail", mark("h2", "Were the ids changed?"), mark("p", words))


def alike_section(comparison: Comparison) -> Markup | None:
    """Overlap, rank-biased overlap and churn, how they are spread, and the queries that changed most."""
    found = comparison.agreement
    if found is None or not found.queries:
        return None
    lead = (
        "How far the rankings themselves differ. It needs no label, and says nothing about which is better."
    )
    sides = mark("div.grid2", _spread(found), _least_alike(comparison, found))
    return section("Without labels", _score(found), sides, lead=lead)


def _score(found: Agreement) -> Markup:
    top = f"the top {found.cutoff}"
    facts = [
        ("Overlap", percent(found.mean_overlap, 0), f"of {top} is in both, on average"),
        ("RBO", f"{found.mean_rbo:.2f}", f"rank-biased overlap, p = 0.9, to rank {found.depth}"),
        ("Another document first", percent(found.churn_at_1, 0), "of the queries"),
        (f"Another top {found.cutoff}", percent(found.churn, 0), "of the queries, be it in its order only"),
    ]
    pairs = [
        tag("div", mark("dt", name), mark("dd", number, mark("small", words)))
        for name, number, words in facts
    ]
    return mark("dl.score.four", *pairs)


def _spread(found: Agreement) -> Markup:
    """How many queries share how much of their top."""
    overlap = found.overlap[~np.isnan(found.overlap)]
    edges = [share for _, share in SHARES]
    class_of = np.searchsorted(edges, overlap, side="left")
    class_of[overlap == 1] = len(edges) + 1
    numbers = np.bincount(class_of, minlength=len(edges) + 2).tolist()
    names = [*(name for name, _ in SHARES), "all but some", "all"]
    rows = [
        (name, count(number), percent(number / found.queries, 0))
        for name, number in zip(names, numbers, strict=True)
    ]
    heading = mark("h3", f"The top {found.cutoff} in both")
    return mark("div", heading, table(("Share", "Queries", ""), rows, numbers=(1, 2), names="cross"))


def _least_alike(comparison: Comparison, found: Agreement) -> Markup:
    """The queries whose rankings differ most, those that changed first."""
    order = [i for i in np.argsort(found.rbo, kind="stable").tolist() if found.top_changed[i]][:MOST_LISTED]
    if not order:
        return mark("p.soft", "Every query has the same top in the same order.")
    rows = [
        (
            mark("span.id", shorten(comparison.query_ids[i], 60)),
            percent(float(found.overlap[i]), 0),
            f"{found.rbo[i]:.2f}",
        )
        for i in order
    ]
    shown = table(("Query", "Overlap", "RBO"), rows, numbers=(1, 2), names="cross")
    words = f"The {many(len(order), 'query', 'queries')} whose rankings differ most"
    return mark("div", mark("h3", "Least alike"), fold(words, shown))
