"""Comparing: two or more evaluations, saved or made from runs, query by query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firsthit.comparison.build import comparison_of, part_of
from firsthit.comparison.comparison import Comparison
from firsthit.comparison.measured import adjusted
from firsthit.comparison.options import CompareOptions, Settings
from firsthit.comparison.sources import read_sides
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["compare", "compare_many"]


def compare(old: Any, new: Any, **options: Unpack[CompareOptions]) -> Comparison:
    """Compare NEW with OLD, query by query.

    Both are an Evaluation, a path of a saved evaluation, or (with `qrels`) a run as `evaluate` takes it. With
    `qrels` a saved evaluation whose labels are others is scored again from the ids that it keeps. Evaluations
    of other labels, queries, cutoffs, units or rules are a NotComparableError that names each difference.

    The options, all by keyword, and their defaults where they are not None:

    - `measures`: those to compare (all that both hold); `common` (False): compare the queries of both
    - `groups`: FILE:COLUMN or fields of the queries table; `critical`: names of groups; `queries`: that table
    - `answers`: their files, one for OLD and one for NEW; `right_from`: the score from which one is right
    - `margin`: the difference up to which they are equivalent; `difference`: the one worth seeing;
      `min_queries` (30): no verdict on fewer; `cluster`: a column whose queries flip together
    - `interval` ("t", or "percentile"); `seed` (0)
    - `max_stale` (0.2): the share of relevant labels that may point at what is gone for one of them
    - `names`, `qrels_format`, `run_format`, `passages`, `sources`, `source_separator`, `progress`;
      `compat` and the rules, for runs, as in `evaluate`

    >>> from firsthit import evaluate
    >>> labels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> found = compare({"q1": ["a"], "q2": ["x", "b"]}, {"q1": ["x", "a"], "q2": ["b"]}, qrels=labels)
    >>> found.difference.tolist(), found.changes["up"], found.verdict.kind
    ([-0.5, 0.5], 1, 'cannot_tell')
    """
    (found,) = compare_many(old, [new], **options)
    return found


def compare_many(old: Any, news: Sequence[Any], **options: Unpack[CompareOptions]) -> list[Comparison]:
    """Compare several with OLD, each as `compare` does; p is adjusted (Holm) over these comparisons.

    `names` and `answers` have one entry for OLD and one for each of the others.
    """
    settings = Settings.of(options)
    answers = settings.answers
    _check(news, answers)
    reading, asked = settings.parts()
    first, *others = read_sides([old, *news], reading)
    files = [None] * len(others) if answers is None else [(answers[0], one) for one in answers[1:]]
    parts = [part_of(first, side, asked, pair) for side, pair in zip(others, files, strict=True)]
    family = adjusted([part.means for part in parts])
    return [comparison_of(part, means) for part, means in zip(parts, family, strict=True)]


def _check(news: Sequence[Any], answers: Sequence[Any] | None) -> None:
    if not news:
        raise UsageError("there is nothing to compare with: give two evaluations or more")
    if answers is not None and len(answers) != len(news) + 1:
        raise UsageError(f"{len(answers)} files of answers for {len(news) + 1} evaluations")
