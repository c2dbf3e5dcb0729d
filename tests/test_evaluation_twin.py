"""A whole evaluation under any rules equals the slow twin's, refusals included."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firsthit
from firsthit.errors import InputError
from tests.twin.evaluation import LabelRow, RunRow, evaluate

ROUNDING = 1e-12  # sums in another order
MEASURES = ["RR@2", "RR", "Success@2", "P@2", "R@2", "nDCG@2"]
RULES: dict[str, list[Any]] = {
    "rel": [1.0, 2.0, 0.5],
    "relevant": ["graded", "graded", "listed"],
    "grades": ["exact", "truncate"],
    "negative": ["unjudged", "nonrelevant"],
    "conflicts": ["error", "last", "max"],
    "needs": ["ignore", "iter"],
    "absent": ["zero", "exclude"],
    "no_relevant": ["zero", "exclude"],
    "unjudged": ["nonrelevant", "condensed"],
    "order": ["auto", "score", "rank", "given"],
    "ties": ["docid-desc", "docid-asc", "given", "best", "worst", "expected"],
    "score_bits": [64, 32],
    "duplicates": ["error", "best", "first", "last"],
    "self_hits": ["keep", "drop"],
}
SCORES = [3.0, 2.0, 2.0, 1.0, 0.9000000001, 0.9000000002, -1.0]
CASE = tuple[list[LabelRow], list[RunRow], dict[str, Any]]


@st.composite
def cases(draw: st.DrawFn) -> CASE:
    """Label rows and run rows, with repetitions now and then, and any rules."""
    queries, docs = ["q1", "q2", "q3"], ["a", "b", "é", "q1"]
    needs = draw(st.sampled_from([["0"], ["0"], ["0", "1"]]))
    grade = st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0, 2.5])
    label = st.tuples(st.sampled_from(queries), st.sampled_from(needs), st.sampled_from(docs), grade)
    once = draw(st.booleans())
    labels = draw(st.lists(label, min_size=1, max_size=8, unique_by=(lambda row: row[::2]) if once else None))
    pairs = st.tuples(st.sampled_from([*queries, "x"]), st.sampled_from([*docs, "n1", "n2"]))
    retrieved = draw(
        st.lists(pairs, min_size=1, max_size=14, unique=draw(st.sampled_from([True, True, False])))
    )
    seen = [query for query, _ in retrieved]
    style = draw(st.sampled_from(["from 1", "from 1", "falling", "equal", "any"]))
    any_rank = draw(st.lists(st.integers(0, 9), min_size=len(seen), max_size=len(seen)))
    ranks = {
        "from 1": [seen[:at].count(query) + 1 for at, query in enumerate(seen)],
        "falling": [50 - at for at in range(len(seen))],
        "equal": [0] * len(seen),
        "any": any_rank,
    }[style]
    run = [
        (query, doc, ranks[at], draw(st.sampled_from(SCORES))) for at, (query, doc) in enumerate(retrieved)
    ]
    rules = {name: draw(st.sampled_from(choices)) for name, choices in RULES.items()}
    if rules["relevant"] == "listed":
        rules["rel"] = 1.0  # another threshold has no meaning then, and is refused
    return labels, run, rules


def files_of(labels: list[LabelRow], run: list[RunRow], folder: Path) -> tuple[Path, Path]:
    label_file, run_file = folder / "labels.txt", folder / "run.txt"
    label_file.write_text("".join(f"{q} {need} {doc} {grade}\n" for q, need, doc, grade in labels), "utf-8")
    run_file.write_text("".join(f"{q} Q0 {doc} {rank} {score} t\n" for q, doc, rank, score in run), "utf-8")
    return label_file, run_file


def check(case: CASE) -> None:
    labels, run, rules = case
    expected = evaluate(labels, run, rules)
    with TemporaryDirectory() as folder:
        paths = files_of(labels, run, Path(folder))
        if expected is None:
            with pytest.raises(InputError):
                firsthit.evaluate(*paths, MEASURES, **rules)
            return
        result = firsthit.evaluate(*paths, MEASURES, **rules)
    assert sorted(result.query_ids) == sorted(expected)
    expected = {query: expected[query] for query in result.query_ids}
    assert result.status == [one.status for one in expected.values()]
    for name in MEASURES:
        wanted = [one.values[name] for one in expected.values()]
        floats = np.array([math.nan if value is None else value for value in wanted])
        np.testing.assert_allclose(result[name], floats, rtol=0, atol=ROUNDING, err_msg=name)
        counted = [value for value in wanted if value is not None]
        mean = math.fsum(counted) / len(counted) if counted else math.nan
        assert result.mean(name) == pytest.approx(mean, abs=ROUNDING, nan_ok=True)


@given(cases())
@settings(max_examples=settings().max_examples * 5)
def test_any_rules_give_what_the_twin_gives(case: CASE) -> None:
    check(case)


@pytest.mark.slow
@given(cases())
@settings(max_examples=2000)
def test_many_more_rules_give_what_the_twin_gives(case: CASE) -> None:
    check(case)
