"""From labels, a run and a plan to an Evaluation: the rules in their order, the measures, the population."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.bounds import bounds, tie_range
from firsthit.evaluation.evaluation import Evaluation
from firsthit.evaluation.make_card import make_card
from firsthit.evaluation.plan import BOUNDED, Plan, threshold
from firsthit.evaluation.seen import Outcome, Seen
from firsthit.files.blocks import Progress
from firsthit.ids import Ids
from firsthit.matching.hits import Hits, sealed
from firsthit.matching.match import match
from firsthit.measures import Measure, first_rank
from firsthit.population import Population, has_relevant, in_mean, population, statuses
from firsthit.qrels import Qrels, read_qrels
from firsthit.queries import Queries
from firsthit.record.digest import LabelDigest
from firsthit.rules import Rules
from firsthit.run import Run

__all__ = ["Labels", "assemble"]

Floats = NDArray[np.float64]


class Labels(msgspec.Struct, frozen=True, eq=False):
    """The labels of an evaluation, read once for each way of reading them."""

    source: Any
    format: str | None = None
    queries: Queries | None = None
    _read: dict[tuple[str, ...], LabelDigest] = {}

    def read(self, rules: Rules) -> LabelDigest:
        """The labels as `rules` read them, the population's queries among theirs, with their digest."""
        key = (rules.conflicts, rules.needs, rules.comments)
        if key not in self._read:
            qrels = read_qrels(self.source, format=self.format, rules=rules)
            if self.queries is not None:
                qrels = qrels.with_queries(list(self.queries.query_id))
            self._read[key] = LabelDigest(qrels)
            self._read[key].begin()
        return self._read[key]


class _Measured(msgspec.Struct, frozen=True, eq=False):
    """The measures of one set of rules: values, bounds and tie ranges of all numbered queries."""

    hits: Hits  # in the fixed order, condensed where the rules say so
    full: Hits  # of the whole ranking
    rel: float
    values: dict[Measure, Floats] = {}
    bounds: dict[Measure, tuple[Floats, Floats]] = {}
    ties: dict[Measure, tuple[Floats, Floats, Floats]] = {}


def assemble(
    labels: Labels,
    run: Run,
    plan: Plan,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    digest: bool = False,
) -> Evaluation:
    """Evaluate one run: the rules in the order of docs/rules.md, the population last, as a mask."""
    measured: dict[Measure, _Measured] = {}
    for rules, measures in plan.groups().items():
        first = not measured  # the primary measure is in the first group
        full = match(
            labels.read(rules).qrels.graded(rules),
            run,
            rules=rules,
            depth=plan.depth if first else 0,
            threads=threads,
            progress=progress,
            digest=digest and first,
        )
        measured |= dict.fromkeys(measures, _measure(full, rules, measures))
    return _evaluation(plan, labels, measured)


def _measure(full: Hits, rules: Rules, measures: list[Measure]) -> _Measured:
    hits = full.condensed() if rules.unjudged == "condensed" else full
    ordered = hits.tied(rules.ties) if rules.ties in ("best", "worst") else hits
    found = _Measured(hits, full, rel := threshold(rules))
    for measure in measures:
        averaged = rules.ties == "expected"
        found.values[measure] = measure.expected(hits, rel) if averaged else measure.values(ordered, rel)
        if measure.name in BOUNDED:
            found.bounds[measure] = bounds(full, measure, rel, rules.ties)
            found.ties[measure] = tie_range(hits, measure, rel)
    return found


def _evaluation(plan: Plan, labels: Labels, measured: Mapping[Measure, _Measured]) -> Evaluation:
    primary, rules = measured[plan.primary], plan.primary_rules
    shown, labelled = _population(primary.hits.qrels, labels.queries)
    rel = plan.primary.rel_or(primary.rel)
    seen = Seen(plan, labels.read(rules), primary.hits, primary.full, shown, rel, labels.queries)
    outcome = _outcome(seen, labelled, measured)
    return Evaluation(
        card=make_card(seen, outcome),
        query_ids=_shown_ids(seen.hits.qrels, shown),
        codes=outcome.codes,
        first_rank=outcome.first_rank,
        retrieved=outcome.retrieved,
        values={str(measure): values for measure, values in outcome.values.items()},
        query_bounds={str(measure): limits for measure, limits in outcome.bounds.items()},
        seen=seen,
    )


def _outcome(seen: Seen, labelled: NDArray[np.bool_], measured: Mapping[Measure, _Measured]) -> Outcome:
    """The results of the shown queries, with the population as a mask over every value."""
    primary, rows = seen.plan.primary, seen.shown.rows
    codes = statuses(
        seen.shown,
        labelled=labelled,
        relevant=has_relevant(seen.hits, seen.rel),
        retrieved=seen.hits.retrieved,
        value=measured[primary].values[primary],
    )
    retrieved = sealed(seen.hits.retrieved[rows])
    counted = in_mean(codes, retrieved, seen.plan.primary_rules)
    outcome = Outcome(codes, counted, sealed(first_rank(seen.hits, seen.rel)[rows]), retrieved)
    for measure, found in measured.items():
        _add(outcome, measure, found, rows)
    return outcome


def _add(outcome: Outcome, measure: Measure, found: _Measured, rows: NDArray[np.int64]) -> None:
    def masked(values: Floats) -> Floats:
        return sealed(np.where(outcome.counted, values[rows], np.nan))

    outcome.values[measure] = masked(found.values[measure])
    if measure in found.bounds:
        lower, upper = found.bounds[measure]
        worst, expected, best = found.ties[measure]
        outcome.bounds[measure] = masked(lower), masked(upper)
        outcome.ties[measure] = masked(worst), masked(expected), masked(best)
        relevant = has_relevant(found.hits, measure.rel_or(found.rel))
        outcome.scorable[measure] = (relevant & (found.hits.retrieved >= 0))[rows]


def _population(qrels: Qrels, queries: Queries | None) -> tuple[Population, NDArray[np.bool_]]:
    labelled = np.zeros(len(qrels.query_ids), bool)
    labelled[qrels.query] = True
    if queries is None:
        return population(qrels.query_ids, labelled), labelled
    return population(qrels.query_ids, labelled, queries.query_id, queries.answerable), labelled


def _shown_ids(qrels: Qrels, shown: Population) -> Ids:
    everyone = len(shown.rows) == len(qrels.query_ids)
    return qrels.query_ids if everyone else qrels.query_ids.subset(shown.rows)
