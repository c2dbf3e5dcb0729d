"""The settings that define a score, as one frozen struct.

A rule is one field here and one row of the table in docs/rules.md; docs/card.md shows where each is printed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, get_args, get_type_hints

import msgspec

from firsthit.errors import UsageError

__all__ = ["RuleOptions", "Rules", "choices", "rules_from"]

Relevant = Literal["graded", "listed"]
Grades = Literal["exact", "truncate"]
Negative = Literal["unjudged", "nonrelevant"]
Conflicts = Literal["error", "last", "max"]
Needs = Literal["ignore", "iter"]
LabelsJudge = Literal["not stated", "passages", "documents"]
Share = Literal["zero", "exclude"]
Unjudged = Literal["nonrelevant", "condensed", "bounds"]
Order = Literal["auto", "score", "rank", "given"]
Ties = Literal["docid-desc", "docid-asc", "given", "best", "worst", "expected"]
ScoreBits = Literal[64, 32]
Duplicates = Literal["error", "best", "first", "last", "keep"]
SelfHits = Literal["keep", "drop"]
Comments = Literal["data", "skip"]
EmptyRun = Literal["error", "score"]
Unit = Literal["passage", "document"]
Match = Literal["labels", "answers"]
Tokens = Literal["column", "words", "chars4"]


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that a user can set and that can change a number; the defaults are the card's.

    >>> Rules().ties
    'docid-desc'
    >>> Rules(rel=2) == Rules(rel=2.0)
    True
    """

    rel: float = 1.0
    relevant: Relevant = "graded"
    grades: Grades = "exact"
    negative: Negative = "unjudged"
    conflicts: Conflicts = "error"
    needs: Needs = "ignore"
    labels_judge: LabelsJudge = "not stated"
    absent: Share = "zero"
    no_relevant: Share = "zero"
    unjudged: Unjudged = "nonrelevant"
    order: Order = "auto"
    ties: Ties = "docid-desc"
    score_bits: ScoreBits = 64
    duplicates: Duplicates = "error"
    self_hits: SelfHits = "keep"
    comments: Comments = "data"
    empty_run: EmptyRun = "error"
    unit: Unit = "passage"
    overlap: float = 0.5
    match: Match = "labels"
    tokens: Tokens = "column"


class RuleOptions(TypedDict, total=False):
    """The keyword arguments that every function with `**rules` takes: the fields of `Rules`."""

    rel: float
    relevant: Relevant
    grades: Grades
    negative: Negative
    conflicts: Conflicts
    needs: Needs
    labels_judge: LabelsJudge
    absent: Share
    no_relevant: Share
    unjudged: Unjudged
    order: Order
    ties: Ties
    score_bits: ScoreBits
    duplicates: Duplicates
    self_hits: SelfHits
    comments: Comments
    empty_run: EmptyRun
    unit: Unit
    overlap: float
    match: Match
    tokens: Tokens


def choices(rule: str) -> tuple[Any, ...]:
    """The values that a rule takes, the default first; empty for `rel` and `overlap`, which are numbers.

    >>> choices("ties")
    ('docid-desc', 'docid-asc', 'given', 'best', 'worst', 'expected')
    """
    return get_args(get_type_hints(Rules)[rule])


def rules_from(options: Mapping[str, Any], base: Rules | None = None) -> Rules:
    """`base` (the defaults) with some rules changed; every wrong name or value is reported in one UsageError.

    >>> rules_from({"ties": "best"}).ties
    'best'
    >>> rules_from({"ties": "random", "level": 2})
    Traceback (most recent call last):
    ...
    firsthit.errors.UsageError: no rule 'level' (rules: rel, relevant, grades, negative, conflicts, needs,
    labels_judge, absent, no_relevant, unjudged, order, ties, score_bits, duplicates, self_hits, comments,
    empty_run, unit, overlap, match, tokens)
    ties = 'random': choose one of docid-desc, docid-asc, given, best, worst, expected
    """
    wrong = [problem for name, value in options.items() if (problem := _problem(name, value))]
    if wrong:
        raise UsageError("\n".join(sorted(wrong)))
    return msgspec.structs.replace(base or Rules(), **options)


_NUMBERS: Mapping[str, tuple[Callable[[float], bool], str]] = {
    "rel": (lambda value: value >= 0, "a number of at least 0"),
    "overlap": (lambda value: 0 < value <= 1, "a number above 0 and at most 1"),
}
"""The rules that are numbers: which are allowed, in code and in words."""


def _problem(name: str, value: Any) -> str:
    if name not in Rules.__struct_fields__:
        return f"no rule {name!r} (rules: {', '.join(Rules.__struct_fields__)})"
    if name in _NUMBERS:
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        within, said = _NUMBERS[name]
        return "" if good and math.isfinite(value) and within(value) else f"{name} = {value!r}: {said}"
    allowed = choices(name)
    if value in allowed and not isinstance(value, bool):
        return ""
    return f"{name} = {value!r}: choose one of {', '.join(str(choice) for choice in allowed)}"
