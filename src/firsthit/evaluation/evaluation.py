"""Evaluating a run: from labels and rankings to per-query values, their means, and the card."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.card.card import Card
from firsthit.errors import UsageError
from firsthit.population import STATUSES, in_mean
from firsthit.staleness import MAX_STALE

if TYPE_CHECKING:
    from typing import Unpack

    from firsthit.evaluation.listing import Listing
    from firsthit.evaluation.seen import Seen
    from firsthit.files.blocks import Progress
    from firsthit.passages import Passages
    from firsthit.queries import Queries
    from firsthit.record.record import Record
    from firsthit.resolve.agreement import Agreement
    from firsthit.resolve.counting import Counter
    from firsthit.resolve.sources import Sources
    from firsthit.rules import RuleOptions

__all__ = ["Evaluation", "evaluate", "evaluate_runs", "load"]

ROWS = 4096
"""How many queries are plain objects at a time while rows are made: there may be millions."""


class Evaluation(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Per-query values of one run, with the card that says what they are.

    All arrays go over `query_ids`: the population in label order, and queries marked unanswerable, which are
    in no mean. `first_rank` is the rank of the first relevant document of the primary measure, not cut off,
    0 where there is none; `retrieved` the number of documents ranked, -1 for an absent query. Arrays are
    read-only. Two evaluations are equal when they would be saved as the same bytes, the time aside.

    >>> from firsthit import evaluate
    >>> found = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["x", "b"]}, ["RR@10"])
    >>> found["RR@10"].tolist(), found.mean("RR@10"), found.first_rank.tolist()
    ([1.0, 0.5], 0.75, [1, 2])
    """

    card: Card
    query_ids: Sequence[str]
    codes: NDArray[np.int8]
    first_rank: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    values: Mapping[str, NDArray[np.float64]]
    query_bounds: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]] | None = None  # not saved
    seen: Seen | None = None  # what was read; None once loaded
    saved: Record | None = None  # what was loaded

    @classmethod
    def of(cls, record: Record) -> Evaluation:
        """The evaluation that a record holds; what was read to make it is not there."""
        return cls(
            card=record.card,
            query_ids=record.query_ids,
            codes=record.codes,
            first_rank=record.first_rank,
            retrieved=record.retrieved,
            values=record.values,
            saved=record,
        )

    def __getitem__(self, measure: str) -> NDArray[np.float64]:
        """The value of each query, NaN where the query is in no mean or the measure has no value."""
        return self.values[self._name(measure)]

    def _name(self, measure: str) -> str:
        if measure in self.values:
            return measure
        from firsthit.measures import parse_measures

        name = str(parse_measures([measure])[0])
        if name not in self.values:
            raise UsageError(f"{measure} was not computed; there are {', '.join(self.values)}")
        return name

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they were asked for."""
        return tuple(self.card.measures)

    @cached_property
    def status(self) -> list[str]:
        """What became of each query: hit, miss, absent, no_relevant, unlabelled or unanswerable.

        Hit and miss are those of the primary measure: a value above 0, or not.
        """
        return [STATUSES[code] for code in self.codes.tolist()]

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Which queries the means are over."""
        return in_mean(self.codes, self.retrieved, self.card.rules)

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure, by name."""
        return {measure: self.mean(measure) for measure in self.measures}

    def mean(self, measure: str | None = None) -> float:
        """The mean of a measure (the primary one) over `counted`; NaN when no query has a value.

        NumRet, NumRel and NumRelRet are added up instead.
        """
        name = self._name(measure or self.card.primary)
        mean = self.card.means[name]
        return math.nan if mean is None else mean

    def shown(self, measure: str) -> float | tuple[float, float]:
        """What a table prints: the mean, or under unjudged="bounds" [lower, upper] in its place."""
        if self.card.rules.unjudged == "bounds":
            return self.card.bounds[self._name(measure)]
        return self.mean(measure)

    @property
    def counts(self) -> dict[str, int]:
        """How many queries there are of each status, and how many were left out; see docs/card.md."""
        return self.card.counts

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """For RR and Success the mean when no unjudged document is relevant, and when all are."""
        return self.card.bounds

    @property
    def ties(self) -> dict[str, tuple[float, float, float]]:
        """For RR and Success the worst, expected and best mean over the orders of tied documents."""
        return self.card.ties

    @property
    def distribution(self) -> dict[str, int]:
        """How many counted queries have their first hit at rank 1, 2, 3, 4-5, 6-10, deeper, nowhere."""
        return self.card.first_ranks

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the numbers should know and might not see."""
        return tuple(self.card.notices)

    def columns(self) -> dict[str, Any]:
        """The per-query table as columns for any data frame: `pandas.DataFrame(evaluation.columns())`."""
        table: dict[str, Any] = {
            "query_id": list(self.query_ids),
            "status": self.status,
            "first_rank": self.first_rank,
            "retrieved": self.retrieved,
        }
        return table | {measure: self.values[measure] for measure in self.measures}

    def summary(self) -> dict[str, Any]:
        """The evaluation as plain data: the object that `firsthit eval --format json` prints for a run.

        Under unjudged="bounds" the means are [lower, upper].
        """
        card = msgspec.to_builtins(self.card)
        means = card["bounds"] if self.card.rules.unjudged == "bounds" else card["means"]
        found = {"run": self.card.name, "means": {measure: means[measure] for measure in self.measures}}
        return found | {key: card[key] for key in ("counts", "hits", "ties", "bounds")} | {"card": card}

    def rows(self) -> Iterator[dict[str, Any]]:
        """One object a query: the lines of `firsthit eval --per-query --format jsonl`.

        Under unjudged="bounds" the values are [lower, upper].
        """
        for start in range(0, len(self.codes), ROWS):
            yield from self._rows(slice(start, start + ROWS))

    def _rows(self, part: slice) -> Iterator[dict[str, Any]]:
        columns = zip(*(self._shown_values(name, part) for name in self.measures), strict=True)
        status = (STATUSES[code] for code in self.codes[part].tolist())
        ranks = self.first_rank[part].tolist()
        for query_id, code, rank, values in zip(self.query_ids[part], status, ranks, columns, strict=True):
            yield {
                "run": self.card.name,
                "query_id": query_id,
                "status": code,
                "first_rank": rank or None,
                "values": dict(zip(self.measures, values, strict=True)),
            }

    def _shown_values(self, measure: str, part: slice) -> Sequence[Any]:
        if self.card.rules.unjudged != "bounds" or self.query_bounds is None:
            return _plain(self.values[measure][part])
        lower, upper = (_plain(values[part]) for values in self.query_bounds[measure])
        return [None if low is None else [low, high] for low, high in zip(lower, upper, strict=True)]

    def listed(self, what: str) -> Listing:
        """The list behind a count: absent, miss, unlabelled, no-relevant, tied, duplicates or skipped."""
        from firsthit.evaluation.listing import listing

        return listing(self, what)

    def at_overlaps(self, measure: str | None = None) -> dict[float, float]:
        """The mean where a passage must cover 0.1, 0.2, …, 1.0 of a labelled span to be relevant."""
        from firsthit.evaluation.overlaps import mean_at_overlaps

        return mean_at_overlaps(self, measure)

    def agreement(self, human: Any) -> Agreement:
        """How labels by people (a path, a mapping, or what `read_qrels` returns) agree with answer strings.

        UsageError unless the evaluation was made with match="answers".
        """
        from firsthit.qrels import read_qrels
        from firsthit.resolve.agreement import agreement

        if self.seen is None or self.card.rules.match != "answers":
            raise UsageError("agreement is between labels by people and answer strings: match=answers")
        hits = self.seen.joined.by_passage or self.seen.joined.hits
        return agreement(read_qrels(human), hits.qrels, self.seen.rel)

    def record(self) -> Record:
        """What `save` writes: the values with ranked ids, grades and label digests."""
        return self._record

    @cached_property
    def _record(self) -> Record:
        if self.saved is not None:
            return self.saved
        from firsthit.evaluation.seen import record_of

        return record_of(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the evaluation as docs/saved-evaluation.md describes; .gz and .zst are compressed."""
        from firsthit.record.record import save_record

        save_record(self.record(), path)

    def __eq__(self, other: object) -> bool:
        """Whether both would be saved as the same bytes, but for the time of creation."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        from firsthit.record.record import digest_of

        return digest_of(self.record()) == digest_of(other.record())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        means = ", ".join(f"{name}={value:.4f}" for name, value in self.means.items())
        return f"Evaluation({self.card.name!r}, {len(self.query_ids):,} queries, {means})"


def evaluate(
    qrels: Any,
    run: Any,
    measures: str | Sequence[str] | None = None,
    *,
    compat: str | None = None,
    queries: Queries | str | os.PathLike[str] | None = None,
    depth: int | None = None,
    name: str | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    passages: Passages | str | os.PathLike[str] | None = None,
    sources: Sources | str | os.PathLike[str] | None = None,
    source_separator: str | None = None,
    count_tokens: Counter | None = None,
    max_stale: float = MAX_STALE,
    threads: int | None = None,
    progress: Progress | None = None,
    digest: bool = False,
    **rules: Unpack[RuleOptions],
) -> Evaluation:
    """Evaluate one run: per-query values of the measures, their means, and the card that defines them.

    `qrels` and `run` are paths ("-": standard input), mappings, tables that export Arrow, or what
    `read_qrels` and `read_run` return. `compat` names another tool whose rules apply, `queries` the
    population; `rules` are the fields of `Rules` and win over the profile's. `depth` is how many ids of each
    ranking are kept for `save` (as many as RR and Success need, 10 to 100); `digest` computes the sha256 of
    the run's file. `passages` (a file, or what `read_passages` returns), `sources` and `source_separator` say
    what the run does not about its passages; `count_tokens` counts those of a text, for budgets. With
    `passages` labels are looked for in them: where more than `max_stale` of the relevant ones point at what
    is not there, `card.staleness` is over its limit and a notice says so first.

    Bad input is an InputError, bad use a UsageError. A query that is absent, retrieved nothing or has no
    relevant label counts 0 unless a rule excludes it.

    >>> found = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["x", "a"]}, ["RR@10"])
    >>> found.mean(), found.status
    (0.25, ['hit', 'absent'])
    >>> evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["x", "a"]}, ["RR@10"], absent="exclude").mean()
    0.5
    """
    found = evaluate_runs(
        qrels,
        [run],
        measures,
        compat=compat,
        queries=queries,
        depth=depth,
        names=None if name is None else [name],
        qrels_format=qrels_format,
        run_format=run_format,
        passages=passages,
        sources=sources,
        source_separator=source_separator,
        count_tokens=count_tokens,
        max_stale=max_stale,
        threads=threads,
        progress=progress,
        digest=digest,
        **rules,
    )
    return next(found)


def evaluate_runs(
    qrels: Any,
    runs: Sequence[Any],
    measures: str | Sequence[str] | None = None,
    *,
    compat: str | None = None,
    queries: Queries | str | os.PathLike[str] | None = None,
    depth: int | None = None,
    names: Sequence[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    passages: Passages | str | os.PathLike[str] | None = None,
    sources: Sources | str | os.PathLike[str] | None = None,
    source_separator: str | None = None,
    count_tokens: Counter | None = None,
    max_stale: float = MAX_STALE,
    threads: int | None = None,
    progress: Progress | None = None,
    digest: bool = False,
    **rules: Unpack[RuleOptions],
) -> Iterator[Evaluation]:
    """Evaluate several runs, one after the other, with labels that are read once; else as `evaluate`.

    >>> runs = [{"q1": ["a"]}, {"q1": ["x", "a"]}]
    >>> [found.mean() for found in evaluate_runs({"q1": {"a": 1}}, runs, ["RR@10"], names=["old", "new"])]
    [1.0, 0.5]
    """
    from firsthit.evaluation.assemble import Labels, assemble
    from firsthit.evaluation.joined import Beside
    from firsthit.evaluation.plan import Plan
    from firsthit.queries import Queries, read_queries
    from firsthit.run import read_run

    plan = Plan.of(measures, compat=compat, depth=depth, options=rules)
    table = queries if queries is None or isinstance(queries, Queries) else read_queries(queries)
    labels = Labels(qrels, qrels_format, table)
    comments = plan.primary_rules.comments == "skip"
    if labels.read(plan.primary_rules).qrels.has_needs:
        plan = plan.with_needs(rules)
    beside = Beside.of(passages, sources, source_separator, count_tokens, max_stale)
    for i, run in enumerate(runs):
        name = names[i] if names is not None else None
        described = read_run(run, format=run_format, name=name, comments=comments)
        yield assemble(
            labels, described, plan, beside=beside, threads=threads, progress=progress, digest=digest
        )


def load(path: str | os.PathLike[str]) -> Evaluation:
    """Read a saved evaluation; one that was cut off, edited or saved by a newer version is an InputError."""
    from firsthit.record.record import load_record

    return Evaluation.of(load_record(path))


def _plain(values: NDArray[np.float64]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]
