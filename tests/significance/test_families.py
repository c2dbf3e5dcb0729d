"""Holm's correction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.significance import holm

probabilities = st.lists(st.floats(0, 1), max_size=12)


@pytest.mark.parametrize(
    ("given_p", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.5, 0.75], [1.0, 1.0]),
        ([0.25, 0.0625, 0.125], [0.25, 0.1875, 0.25]),
        ([0.125, 0.125, 0.125], [0.375, 0.375, 0.375]),
    ],
)
def test_cases_worked_by_hand(given_p: list[float], adjusted: list[float]) -> None:
    assert holm(given_p) == adjusted


@given(probabilities)
def test_adjusted_p_keeps_the_order_and_stands_between_p_and_bonferroni(given_p: list[float]) -> None:
    adjusted = holm(given_p)
    for p, above in zip(given_p, adjusted, strict=True):
        assert p <= above <= min(1.0, len(given_p) * p)
    by_p = [above for _, above in sorted(zip(given_p, adjusted, strict=True))]
    assert by_p == sorted(by_p)


@given(probabilities, st.floats(0.01, 0.5))
def test_rejects_what_the_step_down_procedure_rejects(given_p: list[float], level: float) -> None:
    rejected = set()
    for rank, test in enumerate(sorted(range(len(given_p)), key=given_p.__getitem__)):
        if (len(given_p) - rank) * given_p[test] > level:
            break
        rejected.add(test)
    assert {test for test, p in enumerate(holm(given_p)) if p <= level} == rejected
