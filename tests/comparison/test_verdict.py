"""The rule of the verdict, and its sentences."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import UsageError, evaluate
from firsthit.comparison.compare import compare, compare_many
from firsthit.comparison.comparison import Comparison, Kind
from firsthit.comparison.verdict import Standards, kind_of
from firsthit.queries import Queries
from firsthit.significance import Interval
from tests.comparison.cases import evaluation


def ranks(**counts: int) -> dict[str, int]:
    """Queries by their rank: r1=30, r2=10 are 30 queries at rank 1, then 10 at rank 2; r0 has none."""
    every = [int(name[1:]) for name, count in counts.items() for _ in range(count)]
    return {f"q{place}": rank for place, rank in enumerate(every)}


def compared(old: dict[str, int], new: dict[str, int], **options: Any) -> Comparison:
    return compare(evaluation(old), evaluation(new), names=["v1", "v2"], **options)


def between(low: float, high: float, level: float = 0.95) -> Interval:
    return Interval(low, high, "paired t", False, level)


def kind(**changed: Any) -> Kind:
    given: dict[str, Any] = {
        "queries": 50,
        "nonzero": 20,
        "difference": 0.1,
        "p": 0.01,
        "interval": between(0.02, 0.18),
        "equivalence": None,
        "standards": Standards(),
    }
    return kind_of(**{**given, **changed})


def test_a_direction_needs_p_and_interval_and_six_differences_and_queries() -> None:
    assert kind() == "better"
    assert kind(difference=-0.1, interval=between(-0.18, -0.02)) == "worse"
    assert kind(p=0.05) == "cannot_tell"
    assert kind(interval=between(0.0, 0.2)) == "cannot_tell"
    assert kind(nonzero=6) == "better"
    assert kind(nonzero=5) == "cannot_tell"
    assert kind(queries=30) == "better"
    assert kind(queries=29) == "cannot_tell"
    assert kind(queries=29, standards=Standards(min_queries=20)) == "better"


def test_equivalence_needs_a_margin_that_holds_the_90_percent_interval() -> None:
    narrow = between(-0.01, 0.02, 0.90)
    unclear = {"p": 0.5, "interval": between(-0.012, 0.022)}
    assert kind(**unclear, equivalence=narrow, standards=Standards(margin=0.02)) == "equivalent"
    assert kind(**unclear, equivalence=narrow, standards=Standards(margin=0.019)) == "cannot_tell"
    assert kind(**unclear, equivalence=narrow) == "cannot_tell"
    assert kind(**unclear, nonzero=0, equivalence=narrow, standards=Standards(margin=0.02)) == "equivalent"
    few = Standards(margin=0.02)
    assert kind(**unclear, queries=29, equivalence=narrow, standards=few) == "cannot_tell"


def test_a_difference_that_is_sure_and_within_the_margin_is_still_a_direction() -> None:
    sure = between(0.005, 0.015)
    assert (
        kind(interval=sure, equivalence=between(0.006, 0.014), standards=Standards(margin=0.02)) == "better"
    )


def test_better_in_words() -> None:
    found = compared(ranks(r2=20, r1=20), ranks(r1=40))
    assert found.verdict.kind == "better"
    assert found.verdict.sentence.startswith(
        "v2 is better than v1: MRR@10 0.7500 → 1.0000 (+0.2500, 95% interval +0.1690 to +0.3310; paired, "
        "40 queries: 20 better, 0 worse, 20 the same)."
    )
    assert found.verdict.reasons[:2] == (
        "sign-flip randomization p = 1.907e-06 (exact; the smallest possible is 1.91e-06)",
        "the 95% interval (paired t) excludes 0",
    )


def test_worse_is_better_swapped() -> None:
    found = compared(ranks(r1=40), ranks(r2=20, r1=20))
    assert found.verdict.sentence.startswith("v2 is worse than v1: MRR@10 1.0000 → 0.7500 (-0.2500, ")


def test_cannot_tell_names_the_queries_needed_for_a_stated_difference() -> None:
    found = compared(ranks(r2=6, r1=6), ranks(r1=6, r2=6))
    assert found.verdict.kind == "cannot_tell"
    needed = found.verdict.needed_queries
    assert needed is not None
    assert f"About {needed:,} queries would be needed to see a difference of 0.05." in found.verdict.sentence
    assert found.verdict.reasons[0] == "12 queries, fewer than the 30 that a verdict takes"
    wider = compared(ranks(r2=6, r1=6), ranks(r1=6, r2=6), difference=0.5).verdict
    assert wider.difference == 0.5
    assert (wider.needed_queries or 0) < needed
    assert compared(ranks(r1=3), ranks(r1=3), margin=0.1).verdict.difference == 0.1


def test_equal_differences_do_not_make_an_interval_without_width() -> None:
    found = compared(ranks(r2=40), ranks(r1=40))
    assert found.primary.interval.low < 0.5 < found.primary.interval.high
    assert found.verdict.reasons[-2].endswith("were added, since all differences are equal")


def test_where_no_query_differs_it_says_so() -> None:
    verdict = compared(ranks(r1=50), ranks(r1=50)).verdict
    assert verdict.kind == "cannot_tell"
    assert verdict.sentence.startswith(
        "Cannot tell whether v2 is better or worse than v1, since no query differs: MRR@10 1.0000 → 1.0000"
    )
    assert "0 non-zero differences, fewer than the 6 that a direction takes" in verdict.reasons
    assert any("differences of +1 and -1 were added" in reason for reason in verdict.reasons)


def test_where_no_query_differs_many_queries_and_a_margin_are_equivalence() -> None:
    same = ranks(r1=500)
    verdict = compared(same, same, margin=0.05).verdict
    assert verdict.kind == "equivalent"
    assert verdict.sentence.startswith(
        "v2 and v1 are equivalent within ±0.05: MRR@10 1.0000 → 1.0000 (+0.0000, 90%"
    )
    assert compared(ranks(r1=40), ranks(r1=40), margin=0.05).verdict.kind == "cannot_tell"


def test_recall_that_goes_the_other_way_is_the_second_sentence() -> None:
    labels = {f"q{place}": {"r": 1, "s": 1} for place in range(40)}
    old = evaluate(labels, {query: ["x", "r", "s"] for query in labels}, ["RR@10", "R@3", "P@3"])
    new = evaluate(labels, {query: ["r", "x", "y"] for query in labels}, ["RR@10", "R@3", "P@3"])
    found = compare(old, new)
    assert found.verdict.kind == "better"
    assert found.verdict.second_sentence == "But the other way went R@3 1.0000 → 0.5000 (-0.5000)."
    assert compare(old, old).verdict.second_sentence is None
    assert (
        compare(new, old).verdict.second_sentence == "But the other way went R@3 0.5000 → 1.0000 (+0.5000)."
    )


def test_p_is_adjusted_over_the_compared_runs() -> None:
    old = evaluation(ranks(r2=8, r1=32))
    new = evaluation(ranks(r1=40))
    (alone,) = compare_many(old, [new])
    several = compare_many(old, [new] * 8)
    assert alone.primary.p == alone.primary.p_holm == 2 / 2**8
    assert alone.verdict.kind == "better"
    assert [one.primary.p_holm for one in several] == [8 * 2 / 2**8] * 8
    assert several[0].verdict.kind == "cannot_tell"
    assert any("0.0625 after Holm over 8 comparisons" in reason for reason in several[0].verdict.reasons)


def test_clusters_flip_together() -> None:
    old, new = ranks(r2=40), ranks(r1=40)
    table = Queries(
        query_id=tuple(old),
        text=(None,) * 40,
        groups={"need": tuple(f"n{place % 4}" for place in range(40))},
        critical=(False,) * 40,
        answerable=(True,) * 40,
        needs=((),) * 40,
    )
    alone = compared(old, new, queries=table)
    assert (alone.primary.nonzero, alone.verdict.kind) == (40, "better")
    found = compared(old, new, queries=table, cluster="need")
    assert (found.primary.nonzero, found.primary.p) == (4, 2 / 2**4)
    assert (found.primary.wins, found.cluster) == (40, "need")
    assert found.verdict.kind == "cannot_tell"
    assert (found.verdict.needed_queries or 0) > (alone.verdict.needed_queries or 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0}, "margin = 0: a number above 0"),
        ({"difference": -1}, "difference = -1: a number above 0"),
        ({"margin": float("nan")}, "margin = nan: a number above 0"),
        ({"min_queries": 0}, "min_queries = 0: a number of at least 1"),
        ({"interval": "bca"}, "interval = 'bca': choose one of t, percentile"),
        ({"measures": ["NumRel"]}, "NumRel"),
        ({"measures": ["RR(rel=2)@10"]}, r"RR\(rel=2\)@10: not computed"),
    ],
)
def test_bad_options_are_usage_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compared(ranks(r1=2), ranks(r1=2), **options)


def test_wrong_options_are_told_together() -> None:
    with pytest.raises(UsageError) as wrong:
        compared(ranks(r1=2), ranks(r1=2), margin=-1, min_queries=0)
    assert len(str(wrong.value).splitlines()) == 2


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1), st.integers(0, 60))
def test_a_direction_is_never_claimed_against_the_interval(
    difference: float, p: float, low: float, high: float, nonzero: int
) -> None:
    low, high = sorted((low, high))
    found = kind(difference=difference, p=p, interval=between(low, high), nonzero=nonzero)
    assert found in ("better", "worse", "cannot_tell")
    if found != "cannot_tell":
        assert not low <= 0 <= high
        assert p < 0.05
        assert nonzero >= 6
