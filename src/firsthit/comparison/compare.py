"""Comparing: two or more evaluations, saved or made from runs, query by query."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firsthit.comparison.build import Options, comparison_of, part_of
from firsthit.comparison.comparison import Comparison
from firsthit.comparison.measured import adjusted
from firsthit.comparison.sources import Reading, read_sides
from firsthit.comparison.verdict import Standards
from firsthit.errors import UsageError
from firsthit.queries import Queries, read_queries
from firsthit.staleness import MAX_STALE

if TYPE_CHECKING:
    from typing import Unpack

    from firsthit.files.blocks import Progress
    from firsthit.passages import Passages
    from firsthit.resolve.sources import Sources
    from firsthit.rules import RuleOptions

__all__ = ["compare", "compare_many"]


def compare(
    old: Any,
    new: Any,
    *,
    qrels: Any = None,
    measures: Sequence[str] | None = None,
    common: bool = False,
    groups: Sequence[str] = (),
    critical: Sequence[str] = (),
    answers: Sequence[Any] | None = None,
    right_from: float | None = None,
    margin: float | None = None,
    difference: float | None = None,
    min_queries: int = 30,
    cluster: str | None = None,
    interval: str = "t",
    seed: int = 0,
    max_stale: float = MAX_STALE,
    queries: Queries | str | os.PathLike[str] | None = None,
    names: Sequence[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    passages: Passages | str | os.PathLike[str] | None = None,
    sources: Sources | str | os.PathLike[str] | None = None,
    source_separator: str | None = None,
    compat: str | None = None,
    progress: Progress | None = None,
    **rules: Unpack[RuleOptions],
) -> Comparison:
    """Compare NEW with OLD, query by query.

    Both are an Evaluation, a path of a saved evaluation, or (with `qrels`) a run as `evaluate` takes it. With
    `qrels` a saved evaluation whose labels are others is scored again from the ids that it keeps. Evaluations
    of other labels, queries, cutoffs, units or rules are a NotComparableError that names each difference;
    `common` compares the queries that both hold. `groups` are FILE:COLUMN or fields of the queries table,
    `critical` names groups, `answers` are the answer files of OLD and NEW (`right_from`: the score from which
    one is right). `margin` is the difference up to
    which they are equivalent, `difference` the one worth seeing, `cluster` a column whose queries flip
    together, `interval` "t" or "percentile". Where more than `max_stale` of the relevant labels point at what
    is gone for one of them, the verdict says so. What follows `names` is for runs, as in `evaluate`.

    >>> from firsthit import evaluate
    >>> labels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> found = compare({"q1": ["a"], "q2": ["x", "b"]}, {"q1": ["x", "a"], "q2": ["b"]}, qrels=labels)
    >>> found.difference.tolist(), found.changes["up"], found.verdict.kind
    ([-0.5, 0.5], 1, 'cannot_tell')
    """
    (found,) = compare_many(
        old,
        [new],
        qrels=qrels,
        measures=measures,
        common=common,
        groups=groups,
        critical=critical,
        answers=answers,
        right_from=right_from,
        margin=margin,
        difference=difference,
        min_queries=min_queries,
        cluster=cluster,
        interval=interval,
        seed=seed,
        max_stale=max_stale,
        queries=queries,
        names=names,
        qrels_format=qrels_format,
        run_format=run_format,
        passages=passages,
        sources=sources,
        source_separator=source_separator,
        compat=compat,
        progress=progress,
        **rules,
    )
    return found


def compare_many(
    old: Any,
    news: Sequence[Any],
    *,
    qrels: Any = None,
    measures: Sequence[str] | None = None,
    common: bool = False,
    groups: Sequence[str] = (),
    critical: Sequence[str] = (),
    answers: Sequence[Any] | None = None,
    right_from: float | None = None,
    margin: float | None = None,
    difference: float | None = None,
    min_queries: int = 30,
    cluster: str | None = None,
    interval: str = "t",
    seed: int = 0,
    max_stale: float = MAX_STALE,
    queries: Queries | str | os.PathLike[str] | None = None,
    names: Sequence[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    passages: Passages | str | os.PathLike[str] | None = None,
    sources: Sources | str | os.PathLike[str] | None = None,
    source_separator: str | None = None,
    compat: str | None = None,
    progress: Progress | None = None,
    **rules: Unpack[RuleOptions],
) -> list[Comparison]:
    """Compare several with OLD, each as `compare` does; p is adjusted (Holm) over these comparisons.

    `names` and `answers` have one entry for OLD and one for each of the others.
    """
    _check(news, answers)
    table = queries if queries is None or isinstance(queries, Queries) else read_queries(queries)
    options = Options(
        measures=[measures] if isinstance(measures, str) else measures,
        common=common,
        groups=groups,
        critical=critical,
        right_from=right_from,
        standards=Standards.of(margin, difference, min_queries),
        cluster=cluster,
        interval=interval,
        seed=seed,
        queries=table,
        max_stale=max_stale,
    )
    reading = Reading(
        qrels=qrels,
        measures=options.measures,
        queries=table,
        names=names,
        qrels_format=qrels_format,
        run_format=run_format,
        compat=compat,
        progress=progress,
        common=common,
        beside={"passages": passages, "sources": sources, "source_separator": source_separator},
        rules=rules,
    )
    first, *others = read_sides([old, *news], reading)
    files = [None] * len(others) if answers is None else [(answers[0], one) for one in answers[1:]]
    parts = [part_of(first, side, options, pair) for side, pair in zip(others, files, strict=True)]
    family = adjusted([part.means for part in parts])
    return [comparison_of(part, means) for part, means in zip(parts, family, strict=True)]


def _check(news: Sequence[Any], answers: Sequence[Any] | None) -> None:
    if not news:
        raise UsageError("there is nothing to compare with: give two evaluations or more")
    if answers is not None and len(answers) != len(news) + 1:
        raise UsageError(f"{len(answers)} files of answers for {len(news) + 1} evaluations")
