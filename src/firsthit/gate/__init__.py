"""The gate: rules in a file that a comparison passes, fails, or leaves undecided."""

from __future__ import annotations

from firsthit.gate.decide import decide
from firsthit.gate.read import read_gate
from firsthit.gate.result import GateResult, RuleResult, explain, first_run, worst_exit_code
from firsthit.gate.rules import Gate, Rule

__all__ = [
    "Gate",
    "GateResult",
    "Rule",
    "RuleResult",
    "decide",
    "explain",
    "first_run",
    "read_gate",
    "worst_exit_code",
]
