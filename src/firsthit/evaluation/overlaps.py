"""The mean at several overlaps: how much a score hangs on how much of a span a passage must cover."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["OVERLAPS", "mean_at_overlaps"]

OVERLAPS = tuple(tenths / 10 for tenths in range(1, 11))
"""0.1, 0.2, …, 1.0."""


def mean_at_overlaps(
    evaluation: Evaluation, measure: str | None = None, overlaps: Sequence[float] = OVERLAPS
) -> dict[float, float]:
    """The mean of an RR or another computed measure (the primary one) at each overlap; NaN without a value.

    Labels are resolved once. Where no label has a span, or the evaluation was loaded, that is a UsageError.
    """
    from firsthit.evaluation.assemble import in_order, values_of
    from firsthit.measures import parse_measures

    seen = evaluation.seen
    if seen is None:
        hint = "Evaluate the run again to see it."
        raise UsageError("a saved evaluation does not hold what other overlaps would give", hint=hint)
    facts = evaluation.card.evidence
    if facts is None or not facts.labels.get("spans"):
        raise UsageError("overlaps are for labels of spans, and these have none")
    (wanted,) = parse_measures([measure or evaluation.card.primary])
    rules = seen.plan.primary_rules
    found = {}
    for overlap in overlaps:
        full = seen.joined.at(overlap)
        hits = in_order(full.condensed() if rules.unjudged == "condensed" else full, rules)
        values = values_of(wanted, hits, rules)[seen.shown.rows]
        found[overlap] = wanted.over(np.where(evaluation.counted, values, math.nan))
    return found
