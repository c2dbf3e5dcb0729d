"""Rules of one gate that contradict each other, or of which one can never decide anything."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from firsthit.errors import Problem
from firsthit.gate.rules import Rule

__all__ = ["contradictions"]


def contradictions(rules: Sequence[Rule]) -> list[Problem]:
    """A problem for each later rule that repeats, contradicts or is idle beside an earlier one.

    >>> rules = [Rule("floor", 0.4, line=3), Rule("floor", 0.5, line=6)]
    >>> str(contradictions(rules)[0])
    'line 6: contradicts an earlier rule: the primary measure is at least 0.5, and 0.4 (first on line 3)'
    """
    found = []
    for one, two in itertools.combinations(rules, 2):
        if one.kind != two.kind or one.kind not in ("floor", "max_drop"):
            continue
        what = _contradiction(one, two) or _idle(one, two) or _idle(two, one)
        if what:
            found.append(Problem(what, max(one.line, two.line), "", min(one.line, two.line)))
    return found


def _contradiction(one: Rule, two: Rule) -> str:
    """The same rule twice."""
    same = msgspec.structs.replace(one, limit=two.limit, line=two.line)
    if same != two:
        return ""
    if one.limit == two.limit:
        return f"stands twice: {two}"
    return f"contradicts an earlier rule: {two}, and {one.limit:g}"


def _idle(wide: Rule, narrow: Rule) -> str:
    """A rule for one group that allows more than the rule for every group: it decides nothing."""
    beside = msgspec.structs.replace(narrow, group=None, limit=wide.limit, line=wide.line)
    if narrow.group is None or beside != wide:
        return ""
    looser = narrow.limit > wide.limit if narrow.kind == "max_drop" else narrow.limit < wide.limit
    return f"contradicts a stricter rule for every group: {narrow}, but {wide}" if looser else ""
