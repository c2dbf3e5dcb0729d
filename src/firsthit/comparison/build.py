"""From two evaluations and options to a Comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.comparison.changes import changes_of, transitions_of, within
from firsthit.comparison.comparability import refuse_mismatches
from firsthit.comparison.comparison import (
    Comparison,
    Kind,
    MeasureComparison,
    Pairing,
    StaleSide,
    Verdict,
)
from firsthit.comparison.inference import Inference
from firsthit.comparison.known import Known, known_of
from firsthit.comparison.measured import measured, primary_of, shared_measures
from firsthit.comparison.needs import traded_of
from firsthit.comparison.pairs import Pairs, pair
from firsthit.comparison.remarks import empty_sides, remarks
from firsthit.comparison.sources import Side
from firsthit.comparison.stale import stale_sides, stale_verdict
from firsthit.comparison.unjudged import Judge, Tops, bounds_of, tops_of, with_unjudged
from firsthit.comparison.verdict import Standards, kind_of, verdict_of
from firsthit.errors import UsageError
from firsthit.matching.hits import sealed
from firsthit.measures import Measure
from firsthit.queries import Queries
from firsthit.staleness import MAX_STALE

if TYPE_CHECKING:
    from firsthit.groups import Column, GroupComparison
    from firsthit.outcomes import Outcomes
    from firsthit.significance import Interval

__all__ = ["Options", "Part", "comparison_of", "part_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Options(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """What a comparison is asked for, beyond its sources."""

    measures: Sequence[str] | None
    common: bool
    groups: Sequence[str]
    critical: Sequence[str]
    right_from: float | None
    standards: Standards
    cluster: str | None
    interval: str
    seed: int
    queries: Queries | None
    max_stale: float = MAX_STALE


class Part(msgspec.Struct, frozen=True, eq=False):
    """One pair on its way to a Comparison: the p_holm of its means is not adjusted yet."""

    pairs: Pairs
    options: Options
    primary: Measure
    known: Known
    inference: Inference
    means: dict[str, MeasureComparison]
    answers: tuple[Any, Any] | None
    left_out: tuple[str, ...]
    notices: tuple[str, ...]


def part_of(old: Side, new: Side, options: Options, answers: tuple[Any, Any] | None) -> Part:
    """The pair, joined and found comparable, with the statistics of its measures."""
    pairs = pair(old.record, new.record, (old.name, new.name))
    refuse_mismatches(pairs, options.measures, common=options.common)
    names, left_out = shared_measures(pairs, options.measures)
    primary = primary_of(pairs, names)
    known = known_of(pairs, options.queries)
    inference = Inference.of(options.interval, options.seed, _clusters(pairs, known, options.cluster))
    margin = options.standards.margin
    means = {name: measured(pairs, name, inference, margin) for name in dict.fromkeys([str(primary), *names])}
    notices = (*old.notices, *new.notices)
    return Part(pairs, options, primary, known, inference, means, answers, tuple(left_out), notices)


def comparison_of(part: Part, means: dict[str, MeasureComparison]) -> Comparison:
    """The whole comparison; `means` are those of the part, adjusted over the family."""
    pairs, cutoff, measure = part.pairs, part.primary.cutoff, str(part.primary)
    value_old, value_new = (sealed(values) for values in pairs.of(measure))
    difference = sealed(value_new - value_old)
    rank_old, rank_new = (sealed(ranks) for ranks in pairs.first_ranks)
    columns = _columns(part)
    groups = _groups(part, columns, value_old, value_new)
    tops = tops_of(pairs, cutoff)
    stale = tuple(stale_sides(pairs, part.options.max_stale))
    bounds, reason = bounds_of(pairs, tops)
    verdict = _verdict(part, means, difference)
    verdict, turning = with_unjudged(
        verdict, pairs, bounds, reason=reason, differences=difference, judge=_judge(part, means[measure])
    )
    return Comparison(
        **_sources(part),
        **_settings(part),
        **_of_tops(tops),
        measure=measure,
        cutoff=cutoff,
        groups_of={column.name: column.values for column in columns} or part.known.columns,
        critical=_critical(part, groups),
        first_rank_old=rank_old,
        first_rank_new=rank_new,
        value_old=value_old,
        value_new=value_new,
        difference=difference,
        change=changes_of(rank_old, rank_new, cutoff),
        transitions=transitions_of(rank_old, rank_new, difference, cutoff),
        means=means,
        verdict=stale_verdict(verdict, stale),
        stale=stale,
        needs_lost=traded_of(pairs, cutoff),
        bounds=bounds,
        bounds_reason=reason,
        turning=turning,
        groups=groups,
        answers=_outcomes(part, rank_old, rank_new, value_old, value_new),
        notices=(*part.notices, *_remarks(part, tops, stale)),
    )


def _remarks(part: Part, tops: Tops, stale: Sequence[StaleSide]) -> Iterator[str]:
    over = any(side.staleness.over for side in stale)
    return remarks(part.pairs, tops, part.left_out, common=part.options.common, stale=over)


def _sources(part: Part) -> dict[str, Any]:
    """What is compared: both evaluations, and which of their queries."""
    pairs = part.pairs
    return {
        "old": pairs.old_name,
        "new": pairs.new_name,
        "card_old": pairs.old.card,
        "card_new": pairs.new.card,
        "record_old": pairs.old,
        "record_new": pairs.new,
        "rows_old": pairs.rows_old,
        "rows_new": pairs.rows_new,
        "pairing": _pairing(part),
        "query_ids": pairs.query_ids,
        "query_text": part.known.text,
    }


def _settings(part: Part) -> dict[str, Any]:
    """How it is compared."""
    options = part.options
    return {
        "margin": options.standards.margin,
        "min_queries": options.standards.min_queries,
        "interval_method": part.inference.method,
        "cluster": options.cluster,
        "seed": options.seed,
    }


def _of_tops(tops: Tops) -> dict[str, Any]:
    """What the first documents of each ranking show."""
    above_old, above_new = tops.unjudged_above()
    return {
        "top_old": tops.old.first_ids,
        "top_new": tops.new.first_ids,
        "unjudged_above_old": above_old,
        "unjudged_above_new": above_new,
        "judged_share_old": tops.old.judged_share,
        "judged_share_new": tops.new.judged_share,
    }


def _pairing(part: Part) -> Pairing:
    pairs = part.pairs
    return Pairing(
        paired=len(pairs.query_ids),
        common=part.options.common,
        only_old=pairs.only_old,
        only_new=pairs.only_new,
    )


def _verdict(part: Part, means: dict[str, MeasureComparison], difference: Floats) -> Verdict:
    standards, pairs = part.options.standards, part.pairs
    return verdict_of(
        (pairs.old_name, pairs.new_name),
        means[str(part.primary)],
        means,
        pairing=_pairing(part),
        standards=standards,
        needed=part.inference.needed(difference, standards.planned),
        empty=tuple(empty_sides(pairs)),
    )


def _judge(part: Part, primary: MeasureComparison) -> Judge:
    """The rule of the verdict for other differences of the same queries, p adjusted as it is now."""
    inference, standards = part.inference, part.options.standards
    adjustment = primary.p_holm / primary.p

    def judge(differences: Floats) -> Kind:
        interval = inference.interval(differences)
        test = inference.test(differences) if interval.excludes(0) else None
        return kind_of(
            queries=len(differences),
            nonzero=0 if test is None else test.nonzero,
            difference=float(differences.mean()),
            p=1.0 if test is None else min(1.0, test.p * adjustment),
            interval=interval,
            equivalence=inference.interval(differences, level=0.90),
            standards=standards,
        )

    return judge


def _clusters(pairs: Pairs, known: Known, cluster: str | None) -> list[str | None] | None:
    if cluster is None:
        return None
    from firsthit.groups import NO_VALUE, read_groups

    columns = read_groups(cluster, pairs.query_ids, known.columns)
    if len(columns) != 1:
        raise UsageError(f"cluster {cluster!r}: name one column, as FILE:COLUMN")
    return [None if value == NO_VALUE else value for value in columns[0].values]


def _columns(part: Part) -> tuple[Column, ...]:
    if not part.options.groups:
        return ()
    from firsthit.groups import read_groups

    return tuple(
        column
        for spec in part.options.groups
        for column in read_groups(spec, part.pairs.query_ids, part.known.columns)
    )


def _groups(
    part: Part, columns: Sequence[Column], value_old: Floats, value_new: Floats
) -> tuple[GroupComparison, ...]:
    """Every group is judged by the rule of the whole, with the same kind of interval and test."""
    from firsthit.groups import compare_groups

    inference, options = part.inference, part.options
    difference = value_new - value_old

    def kind(differences: Floats, interval: Interval, p: float) -> Kind:
        return kind_of(
            queries=len(differences),
            nonzero=int(np.count_nonzero(differences)),
            difference=float(differences.mean()),
            p=p,
            interval=interval,
            equivalence=inference.interval(differences, level=0.90)
            if inference.clusters is None
            else interval,
            standards=options.standards,
        )

    return compare_groups(
        columns,
        value_old,
        value_new,
        interval_of=lambda members: inference.interval(difference[members], members),
        p_of=lambda members: inference.test(difference[members], members).p,
        kind=kind,
        critical=options.critical,
        critical_queries=part.known.critical,
        min_queries=options.standards.min_queries,
    )


def _critical(part: Part, groups: Sequence[GroupComparison]) -> NDArray[np.bool_]:
    from firsthit.groups import critical_members

    return critical_members(groups, len(part.pairs.query_ids))


def _outcomes(
    part: Part, rank_old: Ints, rank_new: Ints, value_old: Floats, value_new: Floats
) -> Outcomes | None:
    if part.answers is None:
        return None
    from firsthit.outcomes import outcomes, read_answers

    query_ids, cutoff = part.pairs.query_ids, part.primary.cutoff
    right_from = part.options.right_from
    old, new = (read_answers(path, query_ids, right_from=right_from) for path in part.answers)
    return outcomes(
        old,
        new,
        query_ids,
        rank_old=within(rank_old, cutoff),
        rank_new=within(rank_new, cutoff),
        value_old=value_old,
        value_new=value_new,
    )
