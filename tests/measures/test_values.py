"""Each measure on cases worked by hand, against its definition in plain Python, and as properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firsthit import measures
from firsthit.errors import UsageError
from firsthit.measures import MEASURES, Measure, parse_measures
from tests.hand import make_hits, ranking
from tests.measures.brute import VALUES, Case, fixed_order
from tests.measures.cases import Small, small_cases

GRADED = replace(
    make_hits(
        {"q": {"a": 3, "b": 1, "c": 0, "d": 2, "e": -1}},
        {"q": ranking(["x", "b", "e", "c", "a", "y"])},
        depth=10,
    ),
    groups={1.0: np.array([4, 1, 4, -1, 1, -1]), 0.8: np.array([4, 4, 4, -1, 1, -1])},
)
"""Grades down the ranking: unjudged, 1, unjudged, 0, 3, unjudged; d (grade 2) is not retrieved.

The third result says again what the first says, the fifth what the second says.
"""

WORKED = {
    "RR": 1 / 2,
    "RR@1": 0.0,
    "RR(rel=2)": 1 / 5,
    "Success@1": 0.0,
    "Success@2": 1.0,
    "P@2": 1 / 2,
    "P@10": 2 / 10,
    "P(rel=2)@5": 1 / 5,
    "R@2": 1 / 3,
    "R@5": 2 / 3,
    "R(rel=3)@5": 1.0,
    "AP": (1 / 2 + 2 / 5) / 3,
    "AP@2": (1 / 2) / 3,
    "nDCG": (1 / math.log2(3) + 3 / math.log2(6)) / (3 + 2 / math.log2(3) + 1 / 2),
    "nDCG@2": (1 / math.log2(3)) / (3 + 2 / math.log2(3)),
    "nDCG(dcg='exp-log2')": (1 / math.log2(3) + 7 / math.log2(6)) / (7 + 3 / math.log2(3) + 1 / 2),
    "Rprec": 1 / 3,
    "Bpref": (1 + (1 - 1 / 1)) / 3,
    "RBP(p=0.5)": 0.5 * (0.5 + 0.5**4),
    "RBP(p=0.5)@2": 0.5 * 0.5,
    "ERR": (1 / 16) / 2 + (15 / 16) * (7 / 16) / 5,
    "ERR@2": (1 / 16) / 2,
    "Coverage@1": 0.0,
    "Coverage@2": 1.0,
    "Coverage(rel=2)@4": 0.0,
    "Complete@2": 1.0,
    "RRAll": 1 / 2,
    "RRAll@1": 0.0,
    "RRAll(rel=2)": 1 / 5,
    "alpha_nDCG@5": (1 / math.log2(3) + 0.5 / math.log2(6)) / (1 + 0.5 / math.log2(3) + 0.25 / 2),
    "alpha_nDCG(alpha=1)@5": 1 / math.log2(3),
    "ERR_IA@5": (1 / 2 + 0.5 / 5) / (1 + 1 / 2 / 2 + 1 / 4 / 3 + 1 / 8 / 4 + 1 / 16 / 5),
    "Redundancy@2": 0.0,
    "Redundancy@4": 1 / 4,
    "Redundancy(similar=0.8)@4": 2 / 4,
    "Redundancy@10": 2 / 6,
    "Judged": 3 / 6,
    "Judged@2": 1 / 2,
    "Judged@100": 3 / 6,
    "NumRet": 6.0,
    "NumRet@4": 4.0,
    "NumRel": 3.0,
    "NumRel(rel=2)": 2.0,
    "NumRelRet": 2.0,
    "NumRelRet@2": 1.0,
}


BY_NEED = ("Coverage", "Complete", "RRAll", "alpha_nDCG", "ERR_IA")
GROUPED = "Redundancy"


def one(name: str) -> Measure:
    return parse_measures([name])[0]


@pytest.mark.parametrize("name", WORKED)
def test_a_measure_has_the_value_worked_by_hand(name: str) -> None:
    assert one(name).values(GRADED).tolist() == pytest.approx([WORKED[name]], abs=1e-15)


def test_every_measure_has_a_case_worked_by_hand() -> None:
    assert {one(name).name for name in WORKED} == set(MEASURES)


def test_first_hits_at_1_and_2_and_none_within_5_give_half() -> None:
    hits = make_hits(
        {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}},
        {"q1": ranking("a"), "q2": ranking("xb"), "q3": ranking("vwxyzc")},
    )
    values = measures.rr(hits, k=5)
    assert values.tolist() == [1.0, 0.5, 0.0]
    assert one("RR@5").over(values) == 0.5


@pytest.mark.parametrize("name", [name for name in WORKED if not name.startswith(("Judged", "Num", GROUPED))])
def test_absent_unlabelled_and_no_relevant_queries_score_0(name: str) -> None:
    hits = make_hits(
        {"absent": {"a": 1}, "no_relevant": {"a": 0}},
        {"no_relevant": ranking("ab"), "unlabelled": ranking("a")},
        queries=["unlabelled", "neither"],
    )
    assert one(name).values(hits).tolist() == [0.0, 0.0, 0.0, 0.0]


def test_judged_has_no_value_where_nothing_was_retrieved() -> None:
    hits = make_hits({"absent": {"a": 1}, "empty": {"a": 1}}, {"empty": [], "other": ranking("a")}, ["other"])
    values = measures.judged(hits, k=10)
    assert np.isnan(values).tolist() == [True, True, False]
    assert one("Judged@10").over(values) == 0.0


def test_counts_are_summed_and_other_measures_averaged() -> None:
    values = np.array([1.0, 2.0, 6.0])
    assert [one(name).over(values) for name in ("NumRet", "NumRel", "NumRelRet", "RR")] == [
        9.0,
        9.0,
        9.0,
        3.0,
    ]
    assert one("NumRet").over(values, np.array([True, False, True])) == 7.0
    assert math.isnan(one("RR").over(np.array([])))


def test_a_cutoff_may_differ_between_queries() -> None:
    hits = make_hits({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ranking("xa"), "q2": ranking("xa")})
    k = np.array([1, 2])
    for function in (
        measures.rr,
        measures.success,
        measures.recall,
        measures.ap,
        measures.ndcg,
        measures.rbp,
    ):
        values = function(hits, k)
        assert values[0] == 0
        assert values[1] > 0
    assert measures.precision(hits, k).tolist() == [0.0, 0.5]
    assert measures.num_ret(hits, k).tolist() == [1.0, 2.0]


def test_a_cutoff_of_nothing_shows_nothing() -> None:
    hits = make_hits({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ranking("a"), "q2": ranking("a")})
    k = np.array([0, 1])
    for function in (measures.rr, measures.precision, measures.recall, measures.ndcg, measures.num_ret):
        assert function(hits, k).tolist() == [0.0, 1.0]
    assert np.isnan(measures.judged(hits, k)).tolist() == [True, False]


def test_a_label_retrieved_twice_counts_once_at_its_first_rank() -> None:
    once = make_hits({"q": {"a": 1, "b": 1}}, {"q": ranking("axyb")})
    twice = make_hits({"q": {"a": 1, "b": 1}}, {"q": [("a", 4.0), ("x", 3.0), ("a", 2.0), ("b", 1.0)]})
    for name in ("RR", "Success@5", "P@5", "R@5", "AP", "nDCG", "Rprec", "Bpref", "RBP", "ERR", "NumRelRet"):
        assert one(name).values(twice).tolist() == one(name).values(once).tolist()
    assert one("Judged").values(twice).tolist() == [0.75]


def test_the_highest_grade_over_needs_counts() -> None:
    hits = make_hits(
        {"q": {"a": {"n1": 0, "n2": 2}, "b": {"n1": 1}, "c": {"n1": -1, "n2": 0}}}, {"q": ranking("cab")}
    )
    plain = make_hits({"q": {"a": 2, "b": 1, "c": 0}}, {"q": ranking("cab")})
    assert len(hits) == 5
    for name in WORKED:
        if not name.startswith((*BY_NEED, GROUPED)):
            assert one(name).values(hits).tolist() == one(name).values(plain).tolist()


def test_err_refuses_grades_beyond_its_scale() -> None:
    hits = make_hits({"q": {"a": 5}}, {"q": ranking("x")})
    with pytest.raises(UsageError, match="grades up to 4, and the labels hold a grade of 5"):
        measures.err(hits, k=10)


def test_ndcg_refuses_grades_whose_gain_is_no_number() -> None:
    hits = make_hits({"q": {"a": 2000}}, {"q": ranking("a")})
    assert measures.ndcg(hits).tolist() == [1.0]
    with pytest.raises(UsageError, match="too high"):
        measures.ndcg(hits, dcg="exp-log2")


def test_values_are_read_only() -> None:
    for name in WORKED:
        assert not one(name).values(GRADED).flags.writeable


@given(
    small_cases(),
    st.sampled_from(sorted(VALUES)),
    st.sampled_from([None, 1, 2, 3, 5, 10]),
    st.sampled_from([0.5, 1, 2]),
)
def test_a_measure_equals_its_definition_in_plain_python(
    case: Small, name: str, k: int | None, rel: float
) -> None:
    base = one(name if name not in ("P", "R", "Success") else f"{name}@1")
    k = None if base.definition.cutoff == "none" else (k or 5 if base.definition.cutoff == "required" else k)
    values = Measure(base.name, k, base.params).values(case.hits(), rel)
    for query, value in zip(case.hits().qrels.query_ids, values.tolist(), strict=True):
        labels, documents = case.of(query)
        expected = VALUES[name](Case(fixed_order(documents, labels), labels, k, rel))
        assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(small_cases(), st.integers(1, 8), st.sampled_from([0.5, 1, 2]))
def test_rr_grows_with_k_and_at_1_is_success(case: Small, k: int, rel: float) -> None:
    hits = case.hits()
    assert np.all(measures.rr(hits, k, rel) <= measures.rr(hits, k + 1, rel))
    assert np.all(measures.rr(hits, k, rel) <= measures.rr(hits, None, rel))
    assert np.array_equal(measures.rr(hits, 1, rel), measures.success(hits, 1, rel))
    assert np.all(measures.rr(hits, k, rel) <= measures.success(hits, k, rel))


@given(small_cases(), st.sampled_from(sorted(name for name in WORKED if not name.startswith(GROUPED))))
def test_values_lie_in_the_range_of_their_measure(case: Small, name: str) -> None:
    low, high = one(name).range
    values = one(name).values(case.hits())
    assert np.all((values >= low) & (values <= high) | np.isnan(values))


@given(small_cases())
def test_documents_below_the_first_hit_change_nothing_in_rr(case: Small) -> None:
    hits = case.hits()
    first = measures.first_rank(hits)
    cut = {
        query: ranked_docs[: first[place]] if first[place] else ranked_docs
        for place, query in enumerate(hits.qrels.query_ids)
        for ranked_docs in [
            sorted(case.run.get(query, []), key=lambda item: (item[1], item[0]), reverse=True)
        ]
        if query in case.run
    }
    assert measures.rr(Small(case.labels, cut).hits()).tolist() == measures.rr(hits).tolist()


@pytest.mark.parametrize("name", [name for name, known in MEASURES.items() if known.cutoff != "none"])
def test_a_cutoff_below_1_is_refused_but_for_single_queries(name: str) -> None:
    definition = MEASURES[name]
    for function in (definition.function, definition.expected):
        if function is not None:
            with pytest.raises(UsageError, match="a cutoff is at least 1"):
                function(GRADED, k=0)
    assert len(definition.function(GRADED, k=np.array([0]))) == 1
