"""Token budgets in place of a cutoff."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firsthit.bounds import bounds, tie_range
from firsthit.errors import UsageError
from firsthit.evaluation.plan import Plan
from firsthit.matching.hits import Hits, Tokens
from firsthit.measures import MEASURES, Measure, parse_measures
from firsthit.measures.budget import tokens_to, window
from tests.hand import make_hits, ranking
from tests.measures.cases import Small, small_cases

BUDGETED = [name for name, definition in MEASURES.items() if definition.budget]


def one(name: str) -> Measure:
    return parse_measures([name])[0]


def counted(hits: Hits, tokens: list[int]) -> Hits:
    """The hits with this many tokens at each place of all rankings."""
    offsets = np.concatenate([[0], np.cumsum(np.maximum(hits.retrieved, 0))])
    return replace(hits, tokens=Tokens.of(offsets, np.array(tokens, np.int64)))


HITS = counted(
    make_hits(
        {"q": {"a": {"policy": 1}, "b": {"exception": 1}}, "absent": {"a": {"policy": 1}}},
        {"q": ranking(["x", "a", "y", "b"])},
    ),
    [400, 600, 5000, 10],
)
"""The first hit is read at 1,000 tokens; a long passage stands before the second."""


@pytest.mark.parametrize(
    ("name", "value"),
    {
        "RR(tokens=399)": 0.0,
        "RR(tokens=999)": 0.0,
        "RR(tokens=1000)": 1 / 2,
        "Success(tokens=1000)": 1.0,
        "R(tokens=1000)": 1 / 2,
        "Coverage(tokens=2000)": 1 / 2,
        "Coverage(tokens=6009)": 1 / 2,
        "Coverage(tokens=6010)": 1.0,
        "Complete(tokens=2000)": 0.0,
        "Complete(tokens=6010)": 1.0,
        "RRAll(tokens=6010)": 1 / 4,
        "RRAll(tokens=2000)": 0.0,
        "NumRet(tokens=2000)": 2.0,
        "RR(rel=2,tokens=2000)": 0.0,
    }.items(),
)
def test_the_window_is_the_longest_prefix_that_fits(name: str, value: float) -> None:
    assert one(name).values(HITS).tolist() == [pytest.approx(value, abs=1e-12), 0.0]


def test_nothing_is_skipped_though_it_would_fit() -> None:
    assert window(HITS, 2000).tolist() == [2, 0]


def test_passages_without_tokens_fit_any_budget() -> None:
    hits = counted(make_hits({"q": {"b": 1}}, {"q": ranking("abc")}), [5, 0, 1])
    assert window(hits, 5).tolist() == [2]


def test_measures_whose_values_may_fall_with_the_cutoff_take_no_budget() -> None:
    for name in ("nDCG", "P", "Judged", "ERR_IA"):
        with pytest.raises(UsageError, match="no parameter 'tokens'"):
            one(f"{name}(tokens=10)")


def test_names_say_the_budget() -> None:
    assert str(one("rr( tokens = 2000 , rel=2 )")) == "RR(rel=2,tokens=2000)"
    assert str(one("MRR(tokens=500)")) == "RR(tokens=500)"
    assert one("Coverage(tokens=10)").budget == 10
    assert one("Coverage@10").budget is None


def test_tokens_that_nobody_knows_are_an_error() -> None:
    hits = make_hits({"q": {"a": 1}}, {"q": ranking("a")})
    with pytest.raises(UsageError, match="neither in the run nor countable from text"):
        one("RR(tokens=2000)").values(hits)


def test_the_mean_over_ties_and_the_tie_range_are_refused() -> None:
    for refused in (one("RR(tokens=10)").expected, lambda hits: tie_range(hits, one("RR(tokens=10)"))):
        with pytest.raises(UsageError, match="depends on the order of ties"):
            refused(HITS)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"unjudged": "condensed"}, "unjudged passages are read too"),
        ({"ties": "best"}, "depends on the order of ties"),
        ({"ties": "expected"}, "depends on the order of ties"),
    ],
)
def test_rules_that_change_what_is_read_are_refused(rules: dict[str, str], why: str) -> None:
    with pytest.raises(UsageError, match=rf"RR\(tokens=10\): .*{why}"):
        Plan.of(["RR(tokens=10)"], options=rules)


def test_the_primary_measure_has_no_budget() -> None:
    assert str(Plan.of(["RR(tokens=10)", "RR@5"]).primary) == "RR@5"
    assert str(Plan.of(["RR(tokens=10)"]).primary) == "RR@10"


def test_tokens_down_to_a_rank() -> None:
    found = tokens_to(HITS, np.array([2, 0]))
    assert found is not None
    assert found.tolist() == [1000, -1]


@given(small_cases(), st.data(), st.sampled_from(BUDGETED))
def test_values_never_fall_when_the_budget_grows(case: Small, data: st.DataObject, name: str) -> None:
    hits = case.hits()
    places = int(np.maximum(hits.retrieved, 0).sum())
    sizes = st.lists(st.integers(0, 50), min_size=places, max_size=places)
    hits = counted(hits, data.draw(sizes))
    small, large = sorted((data.draw(st.integers(1, 200)), data.draw(st.integers(1, 200))))
    lower, upper = (Measure(name, None, (("tokens", float(n)),)).values(hits) for n in (small, large))
    assert np.all(lower <= upper)


@given(small_cases(), st.data())
def test_bounds_hold_the_value_whatever_is_judged(case: Small, data: st.DataObject) -> None:
    hits = case.hits()
    places = int(np.maximum(hits.retrieved, 0).sum())
    hits = counted(hits, data.draw(st.lists(st.integers(0, 50), min_size=places, max_size=places)))
    for name in ("RR(tokens=60)", "Success(tokens=60)"):
        lower, upper = bounds(hits, one(name))
        values = one(name).values(hits)
        assert np.array_equal(lower, values)
        assert np.all(values <= upper)
        assert np.all(upper[window(hits, 60) == 0] == 0)
