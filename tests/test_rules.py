"""Rules: what can be set, and how wrong settings are reported."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from firsthit import Rules, UsageError
from firsthit.rules import RuleOptions, choices, rules_from

DOCS = Path(__file__).parent.parent / "docs" / "rules.md"


def test_the_keyword_arguments_are_the_rules() -> None:
    assert tuple(RuleOptions.__annotations__) == Rules.__struct_fields__


def test_the_first_choice_of_each_rule_is_its_default() -> None:
    for rule in Rules.__struct_fields__:
        if choices(rule):
            assert getattr(Rules(), rule) == choices(rule)[0]


@pytest.mark.parametrize("overlap", [0, -0.5, 1.01, float("nan"), "0.5", True])
def test_an_overlap_is_above_0_and_at_most_1(overlap: object) -> None:
    with pytest.raises(UsageError, match=r"overlap = .*: a number above 0 and at most 1"):
        rules_from({"overlap": overlap})


def test_every_choice_is_accepted() -> None:
    for rule in Rules.__struct_fields__:
        for choice in choices(rule):
            assert getattr(rules_from({rule: choice}), rule) == choice


@pytest.mark.parametrize("rel", [-1, float("nan"), float("inf"), "2", True])
def test_rel_is_a_finite_number_of_at_least_0(rel: object) -> None:
    with pytest.raises(UsageError, match="a number of at least 0"):
        rules_from({"rel": rel})


def test_all_wrong_rules_are_reported_together() -> None:
    with pytest.raises(UsageError) as caught:
        rules_from({"ties": "random", "level": 1, "score_bits": 16})
    assert [line.split(" ")[0] for line in str(caught.value).splitlines()] == ["no", "score_bits", "ties"]


def test_rules_are_changed_from_a_base() -> None:
    base = rules_from({"rel": 2})
    assert rules_from({"ties": "best"}, base) == Rules(rel=2, ties="best")


def test_rules_survive_json() -> None:
    rules = Rules(rel=2, ties="expected")
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


def test_the_docs_state_every_rule_with_its_choices() -> None:
    text = DOCS.read_text()
    for rule in Rules.__struct_fields__:
        row = re.search(rf"^\| `{rule}` \|(.*)$", text, re.MULTILINE)
        assert row, f"docs/rules.md has no row for {rule}"
        for choice in choices(rule):
            assert f"`{choice}`" in row[1], (rule, choice)
