"""One measure over the pairs: means, difference, interval, tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.comparison.comparison import MeasureComparison
from firsthit.comparison.inference import Inference
from firsthit.comparison.pairs import Pairs
from firsthit.errors import UsageError
from firsthit.measures import Measure, parse_measures

__all__ = ["adjusted", "mean", "measured", "primary_of", "shared_measures"]

Floats = NDArray[np.float64]


def shared_measures(pairs: Pairs, asked: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """The measures to compare, and those that only one evaluation has.

    Without names these are the shown measures that both have, with the primary one. Counts (NumRet, NumRel,
    NumRelRet) have no mean and are not compared.
    """
    old, new = pairs.old, pairs.new
    if asked is not None:
        names = [str(measure) for measure in parse_measures(asked)]
        lacking = [name for name in names if name not in old.values or name not in new.values]
        if lacking:
            hint = "Evaluate with -m, or give the labels (--qrels) to score again."
            raise UsageError(f"{', '.join(lacking)}: not computed in both evaluations", hint=hint)
        alone: list[str] = []
    else:
        shown = dict.fromkeys([*old.card.measures, *new.card.measures])
        names = [name for name in shown if name in old.values and name in new.values]
        alone = [name for name in shown if name not in names]
    counts = {str(measure) for measure in parse_measures(names) if measure.aggregate == "sum"}
    if asked is not None and counts:
        raise UsageError(f"{', '.join(sorted(counts))}: counts have no mean to compare")
    return [name for name in names if name not in counts], alone


def primary_of(pairs: Pairs, names: Sequence[str]) -> Measure:
    """The primary measure: the first RR named, else the cards'; first ranks belong to it."""
    kept = parse_measures([pairs.old.card.primary, pairs.new.card.primary])
    chosen = next((one for one in parse_measures(names) if one.name == "RR"), kept[0])
    for one in kept:
        if one.params != chosen.params:
            hint = f"Evaluate with -m '{chosen}' first, so that the first ranks are of it."
            raise UsageError(f"{chosen}: the first ranks that were saved are of {one}", hint=hint)
    return chosen


def measured(pairs: Pairs, measure: str, inference: Inference, margin: float | None) -> MeasureComparison:
    """One measure over the queries that have a value in both; p_holm is still the unadjusted p."""
    from firsthit import significance

    old, new = pairs.of(measure)
    valued = np.flatnonzero(~(np.isnan(old) | np.isnan(new)))
    old, new = old[valued], new[valued]
    differences = new - old
    differences.flags.writeable = False
    (highest,) = (one.range[1] for one in parse_measures([measure]))
    test = inference.test(differences, valued)
    wins, losses, ties = significance.wins_losses_ties(differences)
    return MeasureComparison(
        measure=measure,
        queries=len(valued),
        old=mean(old),
        new=mean(new),
        difference=mean(differences),
        interval=inference.interval(differences, valued, highest=highest),
        equivalence=None
        if margin is None
        else inference.interval(differences, valued, highest=highest, level=0.90),
        p=test.p,
        exact=test.exact,
        draws=test.draws,
        nonzero=test.nonzero,
        smallest_p=test.smallest_p,
        p_holm=test.p,
        family=1,
        t_p=inference.paired_t(differences, valued),
        wins=wins,
        losses=losses,
        ties=ties,
        differences=differences,
    )


def mean(values: Floats) -> float:
    """The mean by `math.fsum`, NaN of nothing: the order of the queries does not matter."""
    return math.fsum(values) / len(values) if len(values) else math.nan


def adjusted(family: Iterable[Mapping[str, MeasureComparison]]) -> list[dict[str, MeasureComparison]]:
    """The same comparisons with p_holm adjusted over the family, measure by measure."""
    from firsthit.significance import holm

    found = [dict(means) for means in family]
    for measure in dict.fromkeys(name for means in found for name in means):
        members = [means for means in found if measure in means]
        for means, p in zip(members, holm([means[measure].p for means in members]), strict=True):
            means[measure] = msgspec.structs.replace(means[measure], p_holm=p, family=len(members))
    return found
