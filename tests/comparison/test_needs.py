"""Queries whose first hit came nearer while a needed source fell out of the window are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firsthit import Evaluation, compare, evaluate, load, report
from firsthit.comparison.comparison import Comparison
from firsthit.comparison.needs import LostNeed, Traded
from tests.hand import make_qrels

LABELS = make_qrels(
    {
        "both": {"policy": {"policy": 1}, "exception": {"exception": 1}},
        "kept": {"policy": {"policy": 1}, "exception": {"exception": 1}},
        "lost": {"policy": {"policy": 1}, "exception": {"exception": 1}},
        "worse": {"policy": {"policy": 1}, "exception": {"exception": 1}},
    }
)
OLD = {
    "both": ["x", "policy", "exception"],
    "kept": ["x", "policy", "exception"],
    "lost": ["x", "policy", "exception"],
    "worse": ["policy", "exception"],
}
NEW = {
    "both": ["policy", "x", "y", "exception"],
    "kept": ["policy", "x", "exception"],
    "lost": ["policy", "x"],
    "worse": ["x", "policy"],
}
TRADED = (
    Traded("both", 2, 1, (LostNeed("exception", 3, 4),)),
    Traded("lost", 2, 1, (LostNeed("exception", 3, None),)),
)


def side(run: dict[str, list[str]], name: str, k: int = 3) -> Evaluation:
    return evaluate(LABELS, run, [f"RR@{k}", f"Coverage@{k}"], name=name)


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(side(OLD, "old"), side(NEW, "new"))


def test_they_are_named_with_the_ranks_of_the_need(found: Comparison) -> None:
    assert found.needs_lost == TRADED


def test_a_deeper_window_still_holds_what_is_retrieved() -> None:
    assert compare(side(OLD, "old", 10), side(NEW, "new", 10)).needs_lost == TRADED[1:]


def test_saved_evaluations_know_it_too(tmp_path: Path) -> None:
    for run, name in ((OLD, "old"), (NEW, "new")):
        side(run, name).save(tmp_path / f"{name}.jsonl")
    loaded = [load(tmp_path / f"{name}.jsonl") for name in ("old", "new")]
    assert loaded[0] == side(OLD, "old")
    assert compare(*loaded).needs_lost == TRADED


def test_the_second_sentence_tells_that_coverage_fell(found: Comparison) -> None:
    assert found.verdict.second_sentence == ("But the other way went Coverage@3 1.0000 → 0.6250 (-0.3750).")


def test_labels_without_needs_have_no_such_list() -> None:
    labels = make_qrels({"q": {"a": 1, "b": 1}})
    pair = [evaluate(labels, {"q": docs}, ["RR@2"]) for docs in (["x", "a", "b"], ["b", "x"])]
    assert compare(*pair).needs_lost == ()


def test_every_report_names_them(found: Comparison) -> None:
    sentence = "2 queries have a nearer first hit, and lost a source that is needed from the top 3"
    for kind in (report.text, report.markdown, report.html):
        written = kind(found)
        assert sentence in written
        assert "3 → 4" in written
        assert "exception" in written
    assert "lost   2 → 1       exception  3 → none" in report.text(found)
    assert json.loads(report.json_text([found]))["comparisons"][0]["needs_lost"][0] == {
        "query_id": "both",
        "first_rank_old": 2,
        "first_rank_new": 1,
        "needs": [{"need": "exception", "rank_old": 3, "rank_new": 4}],
    }
