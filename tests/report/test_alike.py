"""The part of a page that needs no labels."""

from __future__ import annotations

from firsthit.comparison.compare import compare
from firsthit.report import html
from firsthit.report.alike import alike_section

LABELS: dict[str, dict[str, float]] = {f"q{i}": {"a": 1} for i in range(3)}


def section(new: dict[str, list[str]], measure: str = "RR@4") -> str:
    old = {query: ["a", "b", "c", "d"] for query in LABELS}
    found = compare(old, new, qrels=LABELS, measures=[measure], names=["old", "new"])
    return alike_section(found) or ""


def test_overlap_is_spread_over_classes_that_hold_every_query() -> None:
    shown = section({"q0": ["w", "x", "y", "z"], "q1": ["a", "x", "y", "z"], "q2": ["a", "b", "c", "d"]})
    for name in ("none", "up to a quarter", "all"):
        assert f'{name}</th><td class="n">1</td><td class="n">33%</td>' in shown
    assert 'all but some</th><td class="n">0</td>' in shown


def test_only_queries_that_changed_are_listed_the_least_alike_first() -> None:
    shown = section({"q0": ["a", "b", "c", "d"], "q1": ["b", "a", "c", "d"], "q2": ["w", "x", "y", "z"]})
    listed = shown.partition("Least alike")[2]
    assert listed.index(">q2<") < listed.index(">q1<")
    assert ">q0<" not in listed


def test_equal_rankings_say_so() -> None:
    assert "the same top in the same order" in section({query: ["a", "b", "c", "d"] for query in LABELS})


def test_a_page_without_ids_leaves_it_out() -> None:
    runs = {query: ["a"] for query in LABELS}
    assert "Without labels" in html(compare(runs, runs, qrels=LABELS, names=["old", "new"]))
    empty: dict[str, list[str]] = {query: [] for query in LABELS}
    assert "Without labels" not in html(compare(empty, empty, qrels=LABELS, names=["old", "new"]))


def test_rankings_without_a_common_document_warn_at_the_top() -> None:
    old = {query: ["a", "b"] for query in LABELS}
    renamed = {query: ["new-a", "new-b"] for query in LABELS}
    empty: dict[str, list[str]] = {query: [] for query in LABELS}
    for new, warned in ((renamed, True), (old | {"q0": ["x"]}, False), (empty, False)):
        page = html(compare(old, new, qrels=LABELS, names=["old", "new"]))
        assert ("Were the ids changed?" in page) == warned
