"""From what an evaluation saw and found to its card."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from firsthit.bounds import judged_share, lists_relevant_only
from firsthit.card.card import Card, HitCount, LabelFacts, QueryFacts, RunSummary
from firsthit.evaluation.evidence_facts import evidence_facts, evidence_notices
from firsthit.evaluation.need_facts import need_facts, token_facts, window_facts
from firsthit.evaluation.seen import Outcome, Seen
from firsthit.measures import Measure, distribution, harmonic_mean_rank, median_first_rank
from firsthit.population import STATUSES, UNANSWERABLE, first_entries
from firsthit.rules import Rules

__all__ = ["make_card"]

Floats = NDArray[np.float64]


def make_card(seen: Seen, outcome: Outcome) -> Card:
    """The card of an evaluation."""
    from firsthit import __version__

    plan = seen.plan
    primary, k = plan.primary, plan.primary.cutoff
    ranks = outcome.first_rank[outcome.counted]
    judged_at = k or max(plan.depth, 10)
    counted = _counted_everywhere(seen, outcome)
    return Card(
        firsthit=__version__,
        name=seen.run.name,
        primary=str(primary),
        measures=[str(measure) for measure in plan.shown],
        depth=plan.depth,
        compat=plan.compat,
        given=list(plan.given),
        rules=plan.primary_rules,
        measure_rules=_measure_rules(seen),
        counts=_counts(seen, outcome),
        averaged=int(outcome.counted.sum()),
        without_value=_without_value(outcome),
        means={str(m): _finite(m.over(values)) for m, values in outcome.values.items()},
        hits={str(m): _hit_count(outcome, m) for m in outcome.bounds},
        ties={str(m): (m.over(a), m.over(b), m.over(c)) for m, (a, b, c) in outcome.ties.items()},
        bounds={str(m): (m.over(a), m.over(b)) for m, (a, b) in outcome.bounds.items()},
        first_ranks=distribution(ranks),
        median_first_rank=median_first_rank(ranks),
        success=_success(ranks, primary.cutoff or 10),
        harmonic_mean_rank=harmonic_mean_rank(primary.over(outcome.values[primary])),
        tied_at_first_hit=int((tied_at_first_hit(seen)[seen.shown.rows] & outcome.counted).sum()),
        judged_at=judged_at,
        judged_share=judged_share(seen.full, judged_at, counted),
        unanswerable_returned=int(((outcome.codes == UNANSWERABLE) & (outcome.retrieved > 0)).sum()),
        shared_queries=int((outcome.retrieved >= 0).sum()),
        labelled_retrieved=len(seen.full),
        labels=_label_facts(seen),
        run=_run_summary(seen),
        queries=_query_facts(seen),
        staleness=seen.staleness,
        evidence=evidence_facts(seen, outcome, counted),
        needs=need_facts(seen, counted),
        tokens=token_facts(seen, outcome),
        windows=window_facts(seen, counted),
        notices=list(_notices(seen)),
    )


def _measure_rules(seen: Seen) -> dict[str, Rules]:
    rules = seen.plan.rules
    return {str(m): r for m, r in rules.items() if r != seen.plan.primary_rules}


def _counts(seen: Seen, outcome: Outcome) -> dict[str, int]:
    by_code = np.bincount(outcome.codes, minlength=len(STATUSES)).tolist()
    counts = {"queries": sum(by_code[:UNANSWERABLE])}
    counts |= dict(zip(STATUSES, by_code, strict=True))
    counts["unlabelled_in_run"] = len(seen.run.unlabelled)
    counts["outside_population"] = len(seen.shown.outside)
    return counts


def _without_value(outcome: Outcome) -> dict[str, int]:
    missing = {str(m): int((np.isnan(v) & outcome.counted).sum()) for m, v in outcome.values.items()}
    return {measure: count for measure, count in missing.items() if count}


def _hit_count(outcome: Outcome, measure: Measure) -> HitCount:
    hit = outcome.values[measure] > 0
    return HitCount(int(hit.sum()), int((outcome.scorable[measure] & outcome.counted & ~hit).sum()))


def _success(ranks: NDArray[np.int64], k: int) -> dict[str, float]:
    cutoffs = sorted({1, 3, 5, k}) if len(ranks) else []
    return {f"Success@{cutoff}": float(((ranks > 0) & (ranks <= cutoff)).mean()) for cutoff in cutoffs}


def tied_at_first_hit(seen: Seen) -> NDArray[np.bool_]:
    """Of all numbered queries, those whose first hit has the same score as another document."""
    hits = seen.hits
    tied = np.zeros(len(hits.retrieved), bool)
    first = first_entries(hits, seen.rel)
    tied[hits.query[first]] = hits.tie_last[first] > hits.tie_first[first]
    return tied


def _counted_everywhere(seen: Seen, outcome: Outcome) -> NDArray[np.bool_]:
    counted = np.zeros(len(seen.hits.retrieved), bool)
    counted[seen.shown.rows] = outcome.counted
    return counted


def _label_facts(seen: Seen) -> LabelFacts:
    raw, graded = seen.digest.qrels, seen.hits.qrels
    return LabelFacts(
        name=raw.name,
        file=PurePath(raw.path).name,
        format=raw.format,
        sha256=seen.digest.whole,
        rows=len(raw),
        queries=int(np.count_nonzero(np.bincount(raw.query))),
        collapsed=raw.collapsed,
        overridden=raw.overridden,
        negative=int((graded.grade < 0).sum()),
        blank_lines=raw.blank_lines,
        comment_lines=raw.comment_lines,
        highest=float(graded.grade.max()) if len(graded) else None,
        lists_relevant_only=lists_relevant_only(graded, seen.rel),
    )


def _run_summary(seen: Seen) -> RunSummary:
    run = seen.run
    return RunSummary(
        name=run.name,
        file=PurePath(run.path).name,
        format=run.format,
        file_sha256=run.sha256,
        order=run.order,
        records=run.records,
        lines=run.lines,
        blank_lines=run.blank_lines,
        comment_lines=run.comment_lines,
        deepest=run.deepest,
        tied_records=run.tied_records,
        duplicates_removed=run.duplicates_removed,
        self_hits_dropped=run.self_hits_dropped,
        rank_column=run.rank_column,
        pairs_fall=run.pairs_fall,
        pairs_rise=run.pairs_rise,
    )


def _query_facts(seen: Seen) -> QueryFacts | None:
    if seen.queries is None:
        return None
    return QueryFacts(
        name=seen.queries.name, queries=len(seen.queries.query_id), groups=list(seen.queries.groups)
    )


def _notices(seen: Seen) -> Iterator[str]:
    qrels = seen.hits.qrels
    if seen.staleness is not None and seen.staleness.stale and not seen.staleness.over:
        yield seen.staleness.sentence()
    if len(qrels) and not np.any(qrels.grade >= seen.rel):
        yield (
            f"no label is relevant: the highest grade is {qrels.grade.max():g} and relevant is "
            f"grade >= {seen.rel:g}"
        )
    yield from qrels.notes
    yield from evidence_notices(seen)
    yield from seen.run.notices


def _finite(value: float) -> float | None:
    return None if math.isnan(value) else value
