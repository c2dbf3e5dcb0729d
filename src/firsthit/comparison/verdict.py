"""The verdict: one sentence that is true, and what decided it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import msgspec

from firsthit.comparison.comparison import Kind, MeasureComparison, Pairing, Verdict
from firsthit.errors import UsageError
from firsthit.significance import Interval
from firsthit.significance.intervals import FEW
from firsthit.wording import many

__all__ = ["DEFAULT_DIFFERENCE", "Standards", "kind_of", "verdict_of"]

DEFAULT_DIFFERENCE = 0.05
"""The difference of means that is worth seeing, where nobody says."""

ALPHA = 0.05
NOISE = 1e-12
"""A mean difference up to this size is rounding: it has no direction."""

OPPOSED = ("R", "Coverage")
"""Measures whose opposite movement a reader of MRR must hear of."""


class Standards(msgspec.Struct, frozen=True, kw_only=True):
    """What a verdict is held to: see docs/comparison.md."""

    margin: float | None = None
    difference: float | None = None
    min_queries: int = 30

    @classmethod
    def of(cls, margin: float | None, difference: float | None, min_queries: int) -> Standards:
        """The same with everything wrong reported in one UsageError."""
        wrong = [
            f"{name} = {value!r}: a number above 0"
            for name, value in (("margin", margin), ("difference", difference))
            if value is not None and not 0 < value < math.inf
        ]
        if min_queries < 1:
            wrong.append(f"min_queries = {min_queries!r}: a number of at least 1")
        if wrong:
            raise UsageError("\n".join(wrong))
        return cls(margin=margin, difference=difference, min_queries=min_queries)

    @property
    def planned(self) -> float:
        """The difference that a comparison should be able to see; never the observed one."""
        return self.difference or self.margin or DEFAULT_DIFFERENCE


def kind_of(
    *,
    queries: int,
    nonzero: int,
    difference: float,
    p: float,
    interval: Interval,
    equivalence: Interval | None,
    standards: Standards,
) -> Kind:
    """The rule of the verdict; `p` is adjusted for the family, `equivalence` is the 90% interval.

    Too few queries say nothing. A direction needs six non-zero differences, p < 0.05 and an interval that
    excludes 0; equivalence needs a margin that holds the whole 90% interval.
    """
    if queries < standards.min_queries:
        return "cannot_tell"
    if nonzero >= FEW and p < ALPHA and interval.excludes(0):
        return "better" if difference > 0 else "worse"
    margin = standards.margin
    if margin is not None and equivalence is not None:
        inside = -margin <= equivalence.low and equivalence.high <= margin
        return "equivalent" if inside else "cannot_tell"
    return "cannot_tell"


def verdict_of(
    names: tuple[str, str],
    measure: MeasureComparison,
    others: Mapping[str, MeasureComparison],
    *,
    pairing: Pairing,
    standards: Standards,
    needed: int | None,
    empty: tuple[str, ...] = (),
) -> Verdict:
    """The verdict on the primary measure, with the movements of the others that oppose it.

    `empty` names evaluations whose run holds none of the queries, which the sentence says first.
    """
    kind = kind_of(
        queries=measure.queries,
        nonzero=measure.nonzero,
        difference=measure.difference,
        p=measure.p_holm,
        interval=measure.interval,
        equivalence=measure.equivalence,
        standards=standards,
    )
    warning = "".join(f"No query is in the run of {name}: every value of it is 0. " for name in empty)
    sentence = (
        f"{warning}{_claim(kind, names, measure, standards)}: {_numbers(kind, names, measure, pairing)}."
    )
    if kind == "cannot_tell":
        sentence += f" {_needed(needed, measure, standards)}"
    return Verdict(
        kind=kind,
        sentence=sentence,
        second_sentence=_opposed(measure, others.values()),
        reasons=tuple(_reasons(measure, standards)),
        difference=standards.planned,
        needed_queries=needed,
    )


def _claim(kind: Kind, names: tuple[str, str], measure: MeasureComparison, standards: Standards) -> str:
    old, new = names
    if kind in ("better", "worse"):
        return f"{new} is {kind} than {old}"
    if kind == "equivalent":
        return f"{new} and {old} are equivalent within ±{standards.margin:g}"
    if not measure.wins and not measure.losses:
        return f"Cannot tell whether {new} is better or worse than {old}, since no query differs"
    return f"Cannot tell whether {new} is better or worse than {old}"


def _numbers(kind: Kind, names: tuple[str, str], measure: MeasureComparison, pairing: Pairing) -> str:
    moved = f"M{measure.measure} {measure.old:.4f} → {measure.new:.4f}"
    if not measure.measure.startswith("RR"):
        moved = moved[1:]
    use_90 = kind == "equivalent" and measure.equivalence is not None
    interval = measure.equivalence if use_90 and measure.equivalence else measure.interval
    within = f"{interval.level:.0%} interval {interval.low:+.4f} to {interval.high:+.4f}"
    counts = f"{measure.wins:,} better, {measure.losses:,} worse, {measure.ties:,} the same"
    return f"{moved} ({measure.difference:+.4f}, {within}; {_queries(names, pairing)}: {counts})"


def _queries(names: tuple[str, str], pairing: Pairing) -> str:
    number = many(pairing.paired, "query", "queries")
    if not pairing.common:
        return f"paired, {number}"
    left_out = [
        f"{len(ids):,} only in {name}"
        for name, ids in zip(names, (pairing.only_old, pairing.only_new), strict=True)
        if ids
    ]
    return f"paired, {number} in common" + (f" ({', '.join(left_out)} left out)" if left_out else "")


def _needed(needed: int | None, measure: MeasureComparison, standards: Standards) -> str:
    if needed is None:
        return ""
    seen = f"to see a difference of {standards.planned:g}"
    if needed <= measure.queries:
        return f"About {needed:,} queries are enough {seen}, so a larger one would probably have shown."
    return f"About {needed:,} queries would be needed {seen}."


def _opposed(primary: MeasureComparison, others: Iterable[MeasureComparison]) -> str | None:
    """The Coverage and Recall measures whose difference has the other sign, in a sentence."""
    moved = [
        f"{one.measure} {one.old:.4f} → {one.new:.4f} ({one.difference:+.4f})"
        for one in others
        if one.measure.partition("@")[0].partition("(")[0] in OPPOSED
        and abs(one.difference) > NOISE
        and one.difference * primary.difference < 0
        and abs(primary.difference) > NOISE
    ]
    return f"But the other way went {', '.join(moved)}." if moved else None


def _reasons(measure: MeasureComparison, standards: Standards) -> Iterable[str]:
    """What was decided on, each condition with its value."""
    if measure.queries < standards.min_queries:
        queries = many(measure.queries, "query", "queries")
        yield f"{queries}, fewer than the {standards.min_queries:,} that a verdict takes"
    if measure.nonzero < FEW:
        yield f"{measure.nonzero:,} non-zero differences, fewer than the {FEW} that a direction takes"
    drawn = "exact" if measure.exact else f"{measure.draws:,} draws"
    text = f"sign-flip randomization p = {measure.p:.4g} ({drawn}"
    if measure.exact or measure.smallest_p > ALPHA:
        text += f"; the smallest possible is {measure.smallest_p:.3g}"
    text += ")"
    if measure.family > 1:
        text += f", {measure.p_holm:.4g} after Holm over {measure.family} comparisons"
    yield text
    interval = measure.interval
    side = "excludes" if interval.excludes(0) else "holds"
    yield f"the 95% interval ({interval.method}) {side} 0"
    if interval.padded:
        why = "so few queries differ" if measure.nonzero < FEW else "all differences are equal"
        yield f"the interval errs wide: differences of +1 and -1 were added, since {why}"
    if standards.margin is not None and measure.equivalence is not None:
        low, high = measure.equivalence.low, measure.equivalence.high
        within = "lies" if -standards.margin <= low and high <= standards.margin else "does not lie"
        yield f"the 90% interval {low:+.4f} to {high:+.4f} {within} within ±{standards.margin:g}"
