"""How a gate ended: each rule with its queries, and the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from firsthit.gate.rules import Gate, Rule

__all__ = [
    "STALE",
    "GateResult",
    "RuleResult",
    "Status",
    "exit_code_of",
    "explain",
    "first_run",
    "worst_exit_code",
]

Status = Literal["pass", "fail", "cannot_tell"]

STALE = 3
"""The exit code where labels are too stale for a decision."""

_WORST_FIRST = (2, STALE, 1, 4)
_TITLES = {"pass": "pass", "fail": "FAIL", "cannot_tell": "cannot tell"}


class RuleResult(msgspec.Struct, frozen=True):
    """One rule, for one group where it is about groups.

    `text` says what was found; `queries` are those behind it, the weightiest first, and `details` has a few
    words on each.
    """

    rule: Rule
    status: Status
    text: str
    queries: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


class GateResult(msgspec.Struct, frozen=True):
    """All rules of a gate, decided.

    `exit_code` is 0 (all pass), 1 (one fails), 4 (one cannot tell), or 3 where the labels are too stale.
    """

    rules: tuple[RuleResult, ...]
    exit_code: int
    notices: tuple[str, ...] = ()
    source: str = ""

    def count(self, status: Status) -> int:
        """How many rules ended like this."""
        return sum(result.status == status for result in self.rules)

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        if not self.rules:
            return "The gate passes: there was nothing to compare."
        parts = [
            f"{n} {_TITLES[status].lower()}"
            for status in ("fail", "cannot_tell", "pass")
            if (n := self.count(status))
        ]
        ends = {0: "passes", 1: "fails", STALE: "finds stale labels", 4: "cannot tell"}
        return f"The gate {ends[self.exit_code]}: {', '.join(parts)} of {len(self.rules)} rules."


def exit_code_of(gate: Gate, rules: Iterable[RuleResult]) -> int:
    """1 when a rule fails, else 4 when one cannot tell, unless the gate says what that means; else 0.

    Where max_stale fails it is 3: a fall of the other rules' numbers is then no regression.
    """
    decided = list(rules)
    if any(result.rule.kind == "max_stale" and result.status == "fail" for result in decided):
        return STALE
    statuses = {result.status for result in decided}
    if "fail" in statuses:
        return 1
    if "cannot_tell" not in statuses:
        return 0
    return {"pass": 0, "fail": 1, None: 4}[gate.inconclusive]


def worst_exit_code(codes: Iterable[int]) -> int:
    """The exit code when several apply: 2, then 3, 1, 4.

    >>> worst_exit_code([0, 4, 1])
    1
    """
    found = set(codes)
    return next((code for code in _WORST_FIRST if code in found), 0)


def first_run(gate: Gate, baseline: str | None = None) -> GateResult:
    """The result without anything to compare with: it passes, and says so."""
    name = baseline or gate.baseline
    which = f"baseline {name!r}" if name else "baseline"
    notice = (
        f"There is no {which} yet, so nothing was compared and the gate passes. "
        f"`firsthit baseline set {name or 'NAME'} EVALUATION` makes one."
    )
    return GateResult((), 0, (notice,), gate.source)


def explain(result: GateResult, *, limit: int = 20) -> str:
    """Each rule with its line, how it ended and why; of one that does not pass, up to `limit` queries."""
    lines = [result.sentence]
    for found in result.rules:
        lines += _explained(found, result.source, limit)
    return "\n".join([*lines, *result.notices])


def _explained(found: RuleResult, source: str, limit: int) -> Iterator[str]:
    place = f" ({source}, line {found.rule.line})" if found.rule.line else ""
    yield f"{_TITLES[found.status]}: {found.rule}{place}"
    yield f"    {found.text}"
    if found.status != "pass":
        yield from _listed(found.queries, found.details, limit)


def _listed(queries: Sequence[str], details: Sequence[str], limit: int) -> Iterator[str]:
    for query_id, detail in zip(queries[:limit], details[:limit], strict=True):
        yield f"    {query_id}: {detail}"
    if len(queries) > limit:
        yield f"    … and {len(queries) - limit:,} more"
