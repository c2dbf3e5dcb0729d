"""The short cards of several runs as one."""

from __future__ import annotations

from firsthit.cli.cards import shared_lines


def test_one_card_stays_as_it_is() -> None:
    assert shared_lines({"a": "x = 1\ny: 2 · z"}) == ["x = 1", "y: 2 · z"]


def test_equal_cards_are_said_once() -> None:
    assert shared_lines({"a": "x = 1\ny: 2", "b": "x = 1\ny: 2"}) == ["x = 1", "y: 2"]


def test_facts_that_differ_stand_below_those_that_do_not() -> None:
    assert shared_lines({"a": "order: score · 1 tied", "bb": "order: score · 2 tied"}) == [
        "order: score",
        "  a:  1 tied",
        "  bb: 2 tied",
    ]


def test_lines_without_a_common_fact_are_named_and_not_indented() -> None:
    assert shared_lines({"a": "4 queries: 1 hit", "b": "4 queries: 2 hit"}) == [
        "a: 4 queries: 1 hit",
        "b: 4 queries: 2 hit",
    ]


def test_a_line_that_one_run_lacks_keeps_its_place() -> None:
    assert shared_lines({"a": "x: 1\nz: 3", "b": "x: 1\ny: 2\nz: 3"}) == ["x: 1", "b: y: 2", "z: 3"]


def test_a_first_line_that_one_run_has_alone_comes_first() -> None:
    assert shared_lines({"a": "x: 1", "b": "NOTHING: 0\nx: 1"}) == ["b: NOTHING: 0", "x: 1"]
