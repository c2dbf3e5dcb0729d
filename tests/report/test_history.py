"""Version by version: means with intervals in the order given, and where the labels changed."""

from __future__ import annotations

from firsthit import evaluate
from firsthit.comparison.compare import compare_many
from firsthit.comparison.comparison import Comparison
from firsthit.report import html
from firsthit.report.charts import MOST_MARKS
from firsthit.report.history import MOST_VERSIONS, history

LABELS: dict[str, dict[str, float]] = {f"q{i}": {"a": 1} for i in range(8)}


def versions(number: int, changed: int | None = None) -> list[Comparison]:
    """So many versions, the n-th with n hits at rank 1; from `changed` on, another query is labelled."""
    found = []
    for place in range(number):
        labels = LABELS | ({"other": {"b": 1}} if changed is not None and place >= changed else {})
        run = {query: ["a"] if int(query[1:]) < place else ["x", "a"] for query in LABELS}
        found.append(evaluate(labels, run, ["RR@10"], name=f"v{place}"))
    return compare_many(found[0], found[1:], common=True)


def test_each_version_is_a_row_in_the_order_given() -> None:
    plot = history(versions(4))
    assert [row[0] for row in plot.rows] == ["v0", "v1", "v2", "v3"]
    assert [row[1] for row in plot.rows] == ["0.5000", "0.5625", "0.6250", "0.6875"]
    assert all(row[2] < row[1] < row[3] for row in plot.rows[1:])
    assert "dashed" not in plot.caption


def test_a_change_of_the_labels_is_marked() -> None:
    plot = history(versions(4, changed=2))
    assert "A dashed line: the labels changed before 3 v2." in plot.caption
    assert plot.rows[1][4] != plot.rows[2][4]
    assert plot.rows[2][4] == plot.rows[3][4]
    assert plot.svg.count("stroke-dasharray") == history(versions(4)).svg.count("stroke-dasharray") + 1


def test_many_versions_stay_below_the_number_of_marks() -> None:
    plot = history(versions(MOST_VERSIONS + 2))
    assert len(plot.rows) == MOST_VERSIONS
    assert 3 * MOST_VERSIONS <= MOST_MARKS
    assert f"The first {MOST_VERSIONS} of {MOST_VERSIONS + 2} versions." in plot.caption


def test_only_a_page_of_several_comparisons_has_it() -> None:
    found = versions(3)
    assert "version by version" in html(found)
    assert "version by version" not in html(found[0])
