"""What a gate holds: its rules, each with the line that it stands on."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["ON", "Gate", "Kind", "On", "Rule"]

Kind = Literal[
    "min_queries", "floor", "max_drop", "keep_rank_1", "keep_top", "max_unjudged", "max_absent", "max_stale"
]
On = Literal["interval", "estimate"]

ON: tuple[On, ...] = ("interval", "estimate")
"""What decides a limit on a difference, the default first."""


class Rule(msgspec.Struct, frozen=True):
    """One rule. `limit` is what it allows.

    It is about all queries, about each group of `column`, about one `group` of it, or about each `critical`
    group; `keep_rank_1` and `keep_top` are about the queries of critical groups. `measure` is None for the
    primary one. `on` is how a limit on a difference is decided.
    """

    kind: Kind
    limit: float
    measure: str | None = None
    column: str | None = None
    group: str | None = None
    critical: bool = False
    on: On = "interval"
    line: int = 0

    def __str__(self) -> str:
        return _TEXT[self.kind].format(
            limit=f"{self.limit:g}",
            measure=self.mean,
            where=self.where,
            on=self.on,
        )

    @property
    def mean(self) -> str:
        """What the rule is about: the mean of RR is called MRR."""
        if self.measure is None:
            return "the primary measure"
        return f"M{self.measure}" if self.measure.startswith("RR") else self.measure

    @property
    def where(self) -> str:
        """Which queries the rule is about, in words; nothing when it is about all."""
        if self.group is not None:
            return f" in {'critical ' if self.critical else ''}{self.column}={self.group}"
        if self.critical:
            return " in each critical group"
        return f" in each {self.column}" if self.column is not None else ""


_TEXT: dict[Kind, str] = {
    "min_queries": "at least {limit} queries",
    "floor": "{measure}{where} is at least {limit}",
    "max_drop": "{measure}{where} drops by at most {limit} ({on})",
    "keep_rank_1": "no critical query loses rank 1",
    "keep_top": "no critical query leaves the top {limit}",
    "max_unjudged": "at most {limit} of the top documents are unjudged",
    "max_absent": "at most {limit} of the queries are absent from the run",
    "max_stale": "at most {limit} of the relevant labels are stale",
}


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one file, and what a comparison needs to be made for them.

    `groups` are FILE:COLUMN with the file's path, `critical` the critical groups, `baseline` the name of what
    to compare with; `inconclusive` says what a rule that cannot be decided means for the exit code.
    """

    source: str
    rules: tuple[Rule, ...]
    min_queries: int = 30
    inconclusive: Literal["pass", "fail"] | None = None
    groups: tuple[str, ...] = ()
    critical: tuple[str, ...] = ()
    baseline: str | None = None

    @property
    def max_stale(self) -> float | None:
        """The share of stale labels that a rule allows; None: the comparison's own limit holds."""
        return next((rule.limit for rule in self.rules if rule.kind == "max_stale"), None)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that rules name, which a comparison must have."""
        return tuple(dict.fromkeys(rule.measure for rule in self.rules if rule.measure is not None))
