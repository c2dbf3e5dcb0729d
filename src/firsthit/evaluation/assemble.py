"""From labels, a run and a plan to an Evaluation: the rules in their order, the measures, the population."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.bounds import bounds, tie_range
from firsthit.evaluation.evaluation import Evaluation
from firsthit.evaluation.joined import NOTHING, Beside, Joined, Reading, join
from firsthit.evaluation.make_card import make_card
from firsthit.evaluation.plan import BOUNDED, Plan, threshold
from firsthit.evaluation.repeated import needs_texts, with_groups
from firsthit.evaluation.seen import Outcome, Seen
from firsthit.files.blocks import Progress
from firsthit.ids import Ids
from firsthit.matching.hits import Hits, sealed
from firsthit.measures import Measure, first_rank
from firsthit.population import Population, has_relevant, in_mean, population, statuses
from firsthit.qrels import Qrels, read_qrels
from firsthit.queries import Queries
from firsthit.record.digest import LabelDigest
from firsthit.rules import Rules
from firsthit.run import Run
from firsthit.staleness import Staleness

__all__ = ["Labels", "assemble", "in_order", "labels_of", "values_of"]

Floats = NDArray[np.float64]


class Labels(msgspec.Struct, frozen=True, eq=False):
    """The labels of an evaluation, read once for each way of reading them."""

    source: Any
    format: str | None = None
    queries: Queries | None = None
    _read: dict[tuple[str, ...], LabelDigest] = {}

    def read(self, rules: Rules) -> LabelDigest:
        """The labels as `rules` read them, the population's queries among theirs, with their digest."""
        key = (rules.match, rules.conflicts, rules.needs, rules.comments)
        if key not in self._read:
            qrels = labels_of(self.source, self.format, rules, self.queries)
            if self.queries is not None:
                qrels = qrels.with_queries(list(self.queries.query_id)).with_needs(self.queries)
            self._read[key] = LabelDigest(qrels)
            self._read[key].begin()
        return self._read[key]


def labels_of(source: Any, format: str | None, rules: Rules, queries: Queries | None = None) -> Qrels:
    """The labels of a source, or the answers, where the rules say that it holds these."""
    if rules.match == "labels":
        return read_qrels(source, format=format, rules=rules)
    from firsthit.resolve.answers import read_answers

    return read_answers(source, queries=queries)


class _Measured(msgspec.Struct, frozen=True, eq=False):
    """The measures of one set of rules: values, bounds and tie ranges of all numbered queries."""

    hits: Hits  # in the fixed order, condensed where the rules say so
    joined: Joined  # the hits of the whole ranking, and the passages
    rel: float
    values: dict[Measure, Floats] = {}
    bounds: dict[Measure, tuple[Floats, Floats]] = {}
    ties: dict[Measure, tuple[Floats, Floats, Floats]] = {}
    by_passage: dict[Measure, Floats] = {}


def assemble(
    labels: Labels,
    run: Run,
    plan: Plan,
    *,
    beside: Beside = NOTHING,
    threads: int | None = None,
    progress: Progress | None = None,
    digest: bool = False,
) -> Evaluation:
    """Evaluate one run: the rules in the order of docs/rules.md, the population last, as a mask."""
    measured: dict[Measure, _Measured] = {}
    texts = needs_texts(plan.rules)
    reading = Reading(depth=plan.depth, threads=threads, progress=progress, digest=digest, texts=texts)
    for rules, measures in plan.groups().items():
        if measured:  # the primary measure is in the first group; ids and digest are its
            reading = Reading(
                depth=plan.depth if texts else 0, threads=threads, progress=progress, texts=texts
            )
        qrels = labels.read(rules).qrels.graded(rules)
        joined = join(qrels, run, rules=rules, measures=measures, beside=beside, reading=reading)
        measured |= dict.fromkeys(measures, _measure(joined, rules, measures))
    stale = _staleness(labels, measured[plan.primary].joined, plan, beside)
    return _evaluation(plan, labels, measured, stale)


def _staleness(labels: Labels, joined: Joined, plan: Plan, beside: Beside) -> Staleness | None:
    """How well the labels fit the corpus, where one is given; InputError for spans beyond their sources."""
    rules, collection = plan.primary_rules, beside.collection
    if collection is None or collection.passages is None or rules.match == "answers":
        return None
    from firsthit.staleness.find import refuse_beyond, staleness, strangers

    qrels = labels.read(rules).qrels.graded(rules)
    corpus = collection.filled(collection.passages)
    retrieved = None if joined.retrieved is None else joined.retrieved.passages
    summary, stale = staleness(
        qrels,
        corpus,
        retrieved=retrieved,
        documents=rules.unit == "document",
        rel=plan.primary.rel_or(threshold(rules)),
        limit=beside.max_stale,
    )
    refuse_beyond(qrels, stale)
    if not summary.over and retrieved is not None and strangers(retrieved, corpus):
        return None  # labels fit a corpus that is not the run's, which says nothing of the run
    return summary


def _measure(joined: Joined, rules: Rules, measures: list[Measure]) -> _Measured:
    full = joined.hits
    hits = full.condensed() if rules.unjudged == "condensed" else full
    found = _Measured(hits, joined, rel := threshold(rules))
    ordered = with_groups(in_order(hits, rules), joined, measures)
    for measure in measures:
        found.values[measure] = values_of(measure, ordered, rules)
        if measure.name in BOUNDED:
            found.bounds[measure] = bounds(full, measure, rel, rules.ties)
            if measure.budget is None:
                found.ties[measure] = tie_range(hits, measure, rel)
    if joined.by_passage is not None:
        found.by_passage.update(_by_passage(joined.by_passage, rules, measures))
    return found


def _by_passage(full: Hits, rules: Rules, measures: list[Measure]) -> dict[Measure, Floats]:
    """The values of the rankings of passages, where those of documents are evaluated."""
    ordered = in_order(full.condensed() if rules.unjudged == "condensed" else full, rules)
    return {measure: values_of(measure, ordered, rules) for measure in measures}


def in_order(hits: Hits, rules: Rules) -> Hits:
    """The hits with ties as the rules have them, where that is one order."""
    return hits.tied(rules.ties) if rules.ties in ("best", "worst") else hits


def values_of(measure: Measure, ordered: Hits, rules: Rules) -> Floats:
    """The value of each query; under ties = expected the mean over all orders."""
    rel = threshold(rules)
    return measure.expected(ordered, rel) if rules.ties == "expected" else measure.values(ordered, rel)


def _evaluation(
    plan: Plan, labels: Labels, measured: Mapping[Measure, _Measured], stale: Staleness | None
) -> Evaluation:
    primary, rules = measured[plan.primary], plan.primary_rules
    shown, labelled = _population(primary.hits.qrels, labels.queries)
    rel = plan.primary.rel_or(primary.rel)
    seen = Seen(plan, labels.read(rules), primary.hits, primary.joined, shown, rel, labels.queries, stale)
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
    if measure in found.by_passage:
        outcome.by_passage[measure] = masked(found.by_passage[measure])
    if measure in found.bounds:
        lower, upper = found.bounds[measure]
        outcome.bounds[measure] = masked(lower), masked(upper)
        relevant = has_relevant(found.hits, measure.rel_or(found.rel))
        outcome.scorable[measure] = (relevant & (found.hits.retrieved >= 0))[rows]
    if measure in found.ties:
        worst, expected, best = found.ties[measure]
        outcome.ties[measure] = masked(worst), masked(expected), masked(best)


def _population(qrels: Qrels, queries: Queries | None) -> tuple[Population, NDArray[np.bool_]]:
    labelled = np.zeros(len(qrels.query_ids), bool)
    labelled[qrels.query] = True
    if queries is None:
        return population(qrels.query_ids, labelled), labelled
    return population(qrels.query_ids, labelled, queries.query_id, queries.answerable), labelled


def _shown_ids(qrels: Qrels, shown: Population) -> Ids:
    everyone = len(shown.rows) == len(qrels.query_ids)
    return qrels.query_ids if everyone else qrels.query_ids.subset(shown.rows)
