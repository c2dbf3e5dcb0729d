"""The grammar of measures' names, the names that other tools use, and what is said about wrong ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.errors import UsageError
from firsthit.measures import DEFAULT_MEASURES, MEASURES, Measure, describe, parse_measures

CANONICAL = [
    "RR",
    "RR@10",
    "RR(rel=2)@10",
    "RR(rel=0.5)",
    "Success@5",
    "P@10",
    "P(rel=2)@5",
    "R@100",
    "AP",
    "AP@100",
    "nDCG",
    "nDCG@10",
    "nDCG(dcg='exp-log2')@10",
    "Rprec",
    "Rprec(rel=2)",
    "Bpref",
    "RBP(p=0.8)",
    "RBP(p=0.95,rel=2)@10",
    "ERR@10",
    "Judged@10",
    "NumRet",
    "NumRel",
    "NumRel(rel=2)",
    "NumRelRet@100",
]

BROUGHT = {
    "recip_rank": "RR",
    "mrr": "RR",
    "MRR": "RR",
    "mrr@10": "RR@10",
    "MRR@10": "RR@10",
    "mrr_at_10": "RR@10",
    "mrr_cut_10": "RR@10",
    "rr@10": "RR@10",
    "Reciprocal_Rank@10": "RR@10",
    "MRR(rel=2)@10": "RR(rel=2)@10",
    "hit_rate@5": "Success@5",
    "Hit@5": "Success@5",
    "hit@5": "Success@5",
    "hitrate@5": "Success@5",
    "accuracy@1": "Success@1",
    "success_1": "Success@1",
    "success.5": "Success@5",
    "hit-rate@3": "Success@3",
    "P_10": "P@10",
    "P.5": "P@5",
    "precision@5": "P@5",
    "Precision@5": "P@5",
    "p@3": "P@3",
    "precision_at_3": "P@3",
    "recall@100": "R@100",
    "Recall@100": "R@100",
    "recall_100": "R@100",
    "recall.100": "R@100",
    "r@100": "R@100",
    "map": "AP",
    "MAP": "AP",
    "map_cut_10": "AP@10",
    "map_cut.10": "AP@10",
    "MAP@100": "AP@100",
    "map_at_5": "AP@5",
    "ndcg": "nDCG",
    "ndcg_cut.10": "nDCG@10",
    "ndcg_cut_10": "nDCG@10",
    "NDCG@10": "nDCG@10",
    "ndcg_at_10": "nDCG@10",
    "bpref": "Bpref",
    "rprec": "Rprec",
    "Rprec": "Rprec",
    "R-precision": "Rprec",
    "err@20": "ERR@20",
    "RBP": "RBP(p=0.8)",
    "rbp(p=0.5)": "RBP(p=0.5)",
    "judged@10": "Judged@10",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "numret": "NumRet",
    "nDCG(dcg=exp-log2)@5": "nDCG(dcg='exp-log2')@5",
    'ndcg(dcg="exp-log2")': "nDCG(dcg='exp-log2')",
    "nDCG(dcg='log2')@5": "nDCG@5",
    " RR ( rel = 2.0 ) @ 10 ": "RR(rel=2)@10",
    "RR()@3": "RR@3",
    "RR@010": "RR@10",
}

WRONG = {
    "RR@0": "the cutoff is a whole number from 1",
    "RR@-1": "the cutoff is a whole number from 1",
    "RR@1.5": "the cutoff is a whole number from 1",
    "RR@ten": "the cutoff is a whole number from 1",
    "RR@": "the cutoff is a whole number from 1",
    "RR@٣": "the cutoff is a whole number from 1",
    "RR@99999999999999999999": "the cutoff is a whole number from 1",
    "P_0": "the cutoff is a whole number from 1",
    "P.5.5": "the cutoff is a whole number from 1",
    "P": "needs a cutoff, as in P@10",
    "recall": "needs a cutoff, as in R@10",
    "hit_rate": "needs a cutoff, as in Success@10",
    "ndcg_cut": "needs a cutoff, as in nDCG@10",
    "mrr_cut": "needs a cutoff, as in RR@10",
    "RR(rel=-1)": "rel is a number of at least 0, not -1",
    "map_cut": "needs a cutoff, as in AP@10",
    "Rprec@5": "Rprec takes no cutoff",
    "Bpref@5": "Bpref takes no cutoff",
    "NumRel@5": "NumRel takes no cutoff",
    "mrrr@10": "unknown measure; nearest: RR",
    "succes@10": "unknown measure; nearest: Success",
    "ndgc@10": "unknown measure; nearest: nDCG",
    "hits_rate@5": "unknown measure; nearest: Success",
    "f_score@5": "unknown measure",
    "": "not a measure's name",
    "@10": "not a measure's name",
    "RR(rel=2": "not a measure's name",
    "RR)@10": "not a measure's name",
    "RR(tokens=2000)@10": "takes a cutoff or tokens, not both: RR@10 is without",
    "RR(tokens=0)": "tokens is a whole number from 1 to 1,000,000,000, not '0'",
    "Coverage(tokens=2.5)": "tokens is a whole number from 1",
    "AP(tokens=2000)": "AP has no parameter 'tokens'; it has: rel",
    "Coverage": "needs a cutoff, as in Coverage@10",
    "alpha_nDCG(alpha=2)@10": "alpha is from 0 to 1, not 2",
    "RR(rell=2)": "RR has no parameter 'rell'; nearest: rel",
    "nDCG(rel=2)@10": "nDCG has no parameter 'rel'; it has: dcg",
    "Judged(rel=2)@10": "Judged has no parameter 'rel'; it has none",
    "RR(rel=high)": "'high' is not a number",
    "RR(rel=nan)": "'nan' is not a number",
    "RR(rel=1e999)": "'1e999' is not a number",
    "RR(rel=)": "'' is not a number",
    "RR(rel)": "parameter 'rel' is given once, as in rel=",
    "RR(rel=1,rel=2)": "parameter 'rel' is given once",
    "RBP(p=1)": "p is between 0 and 1",
    "RBP(p=0)": "p is between 0 and 1",
    "nDCG(dcg='burges')": "dcg is 'log2' or 'exp-log2'",
}


def text(name: str) -> str:
    (measure,) = parse_measures([name])
    return str(measure)


@pytest.mark.parametrize("name", [*CANONICAL, *DEFAULT_MEASURES])
def test_a_canonical_name_is_its_own_text(name: str) -> None:
    assert text(name) == name


@pytest.mark.parametrize("name", BROUGHT)
def test_names_of_other_tools_are_understood(name: str) -> None:
    assert text(name) == BROUGHT[name]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_name_is_explained(name: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"{name!r}: {WRONG[name]}")):
        parse_measures([name])


def test_all_wrong_names_are_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        parse_measures(["RR@10", *WRONG])
    assert caught.value.message.count("\n") == len(WRONG) - 1
    assert "firsthit measures" in caught.value.hint


def test_a_measure_named_twice_is_computed_once() -> None:
    assert [str(m) for m in parse_measures(["MRR@10", "RR@10", "AP", Measure("RR", 10)])] == ["RR@10", "AP"]


def test_an_own_threshold_is_another_measure_than_the_evaluations() -> None:
    assert parse_measures(["RR(rel=1)", "RR"])[0] != parse_measures(["RR"])[0]


@given(
    st.sampled_from(sorted(MEASURES)),
    st.none() | st.integers(1, 10**9),
    st.none() | st.floats(0, allow_nan=False, allow_infinity=False),
    st.floats(0.01, 0.99),
)
def test_the_text_of_a_measure_parses_to_itself(
    name: str, k: int | None, rel: float | None, p: float
) -> None:
    definition = MEASURES[name]
    params: dict[str, float] = {"rel": rel} if rel is not None and "rel" in definition.parameters else {}
    params |= {"p": p} if "p" in definition.parameters else {}
    k = None if definition.cutoff == "none" else (k or 1 if definition.cutoff == "required" else k)
    measure = Measure(name, k, tuple(sorted(params.items())))
    assert parse_measures([str(measure)]) == (measure,)
    assert hash(parse_measures([str(measure)])[0]) == hash(measure)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_documents_its_formula_reading_edges_limits_and_source(name: str) -> None:
    documentation = describe(name)
    for part in ("Formula: ", "Reading: ", "Edge cases: ", "Limits: ", "Source: ", ">>> "):
        assert f"\n{part}" in documentation
    assert documentation.startswith(name)
    assert MEASURES[name].summary in documentation


def test_a_measure_is_described_by_any_name_with_or_without_cutoff() -> None:
    assert describe("mrr") == describe("RR") == describe("RR@10") == describe("recip_rank")
    assert describe("P").startswith("P@k, P(rel=…)@k\n")
    assert describe("Bpref").startswith("Bpref, Bpref(rel=…)\n")
    with pytest.raises(UsageError, match="'nDGC': unknown measure; nearest: nDCG"):
        describe("nDGC")


def test_one_name_may_stand_alone() -> None:
    assert parse_measures("RR@10") == parse_measures(["RR@10"])


def test_a_name_that_is_no_text_is_told_with_the_others() -> None:
    with pytest.raises(UsageError, match=r"5: a measure's name is text.*\n'XX': unknown measure"):
        parse_measures([5, "XX"])  # type: ignore[list-item]
