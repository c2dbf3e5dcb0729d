"""Why another tool prints another number: which queries differ, and which rule makes each differ.

Nothing is guessed: the run is evaluated with one rule changed at a time, then two, until the other
tool's value appears.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec

from firsthit.errors import FirsthitError
from firsthit.evaluation.assemble import Labels, assemble
from firsthit.evaluation.plan import Plan
from firsthit.profiles import profile_named, rules_for
from firsthit.queries import Queries, read_queries
from firsthit.rules import Rules, rules_from
from firsthit.run import Run, TextFile, read_run
from firsthit.wording import many

if TYPE_CHECKING:
    from typing import Unpack

    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.files.blocks import Progress
    from firsthit.rules import RuleOptions

__all__ = ["Refusal", "WhyReport", "why"]

SAME = 1e-12
"""Values closer than this are the same: tools add in different orders."""


@dataclass(frozen=True)
class Refusal:
    """One side stops with an error where the other goes on; changing `rules` lets it go on too."""

    side: str
    message: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class WhyReport:
    """What differs between two sets of rules on one run.

    `rows` are the queries that differ: query_id, the value here, the value there (None: in no mean), and the
    rules that make the difference. `changed` holds every rule that differs, whether or not it matters here.
    """

    measure: str
    here: str
    there: str
    changed: dict[str, tuple[Any, Any]]
    means: tuple[float | None, float | None]
    averaged: tuple[int, int]
    refusals: tuple[Refusal, ...]
    rows: tuple[tuple[str, float | None, float | None, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of `rows`."""
        return ("query_id", self.here, self.there, "because")

    @property
    def causes(self) -> dict[str, int]:
        """How many queries differ for each cause, most first."""
        return dict(Counter(row[-1] for row in self.rows).most_common())

    def data(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        keys = ("query_id", "here", "there", "because")
        queries = [dict(zip(keys, row, strict=True)) for row in found.pop("rows")]
        return found | {"causes": self.causes, "queries": queries}

    def text(self) -> str:
        """The report in words, without the rows."""
        return "\n".join(_lines(self))


def why(
    qrels: Any,
    run: Any,
    against: str,
    measure: str = "RR@10",
    *,
    queries: Queries | str | os.PathLike[str] | None = None,
    name: str | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **rules: Unpack[RuleOptions],
) -> WhyReport:
    """Which queries have another value under the profile `against`, and the rule that makes it so.

    `rules` are those of firsthit's side (the defaults). Where one side refuses the input, the report says
    which rule does, and compares as if that rule were changed.

    >>> report = why({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, "ir_measures")
    >>> report.rows
    (('q1', 0.5, 1.0, 'ties=docid-asc'),)
    """
    profile_named(against)
    table = queries if queries is None or isinstance(queries, Queries) else read_queries(queries)
    plan = Plan.of([measure], options=rules)
    trial = _Trial(
        plan=plan,
        labels=Labels(qrels, qrels_format, table),
        source=run,
        format=run_format,
        name=name,
        here=plan.rules[plan.shown[0]],
        there=rules_for(against, str(plan.shown[0])),
        options={"threads": threads, "progress": progress},
    )
    return _report(trial, against)


@dataclass(frozen=True, eq=False)
class _Trial:
    """Evaluations of one run between two sets of rules; each is made once."""

    plan: Plan
    labels: Labels
    source: Any
    format: str | None
    name: str | None
    here: Rules
    there: Rules
    options: Mapping[str, Any]
    _made: dict[Rules, Evaluation | FirsthitError] = field(default_factory=dict)
    _runs: dict[str, Run] = field(default_factory=dict)

    @property
    def changed(self) -> tuple[str, ...]:
        """The rules that differ between the two sides."""
        return tuple(name for name in Rules.__struct_fields__ if self._pair(name)[0] != self._pair(name)[1])

    def _pair(self, name: str) -> tuple[Any, Any]:
        return getattr(self.here, name), getattr(self.there, name)

    def rules(self, flipped: Iterable[str]) -> Rules:
        """The rules of this side with some taken from the other."""
        return rules_from({name: getattr(self.there, name) for name in flipped}, self.here)

    def values(self, flipped: Iterable[str]) -> dict[str, float | None] | FirsthitError:
        """The value of each query under these rules, None where it is in no mean; or the error."""
        found = self.evaluation(flipped)
        if isinstance(found, FirsthitError):
            return found
        values = found[self.measure].tolist()
        return {q: None if math.isnan(v) else v for q, v in zip(found.query_ids, values, strict=True)}

    @property
    def measure(self) -> str:
        return str(self.plan.shown[0])

    def evaluation(self, flipped: Iterable[str]) -> Evaluation | FirsthitError:
        """The evaluation under these rules, or the error that they end in."""
        rules = self.rules(flipped)
        if rules not in self._made:
            try:
                self._made[rules] = assemble(self.labels, self._run(rules), self._plan(rules), **self.options)
            except FirsthitError as error:
                self._made[rules] = error
        return self._made[rules]

    def _plan(self, rules: Rules) -> Plan:
        return Plan.of([self.measure], depth=0, options=msgspec.structs.asdict(rules))

    def _run(self, rules: Rules) -> Run:
        """The run as these rules read it: comment lines stand before a header that names columns."""
        if rules.comments not in self._runs:
            known = next(iter(self._runs.values()), None)
            skip = rules.comments == "skip"
            if isinstance(known, TextFile):
                from firsthit.formats import recognise

                layout = recognise(known.blocks, "run", self.format, comments=skip)
                self._runs[rules.comments] = msgspec.structs.replace(known, layout=layout)
            else:
                self._runs[rules.comments] = read_run(
                    self.source, format=self.format, name=self.name, comments=skip
                )
        return self._runs[rules.comments]


def _report(trial: _Trial, against: str) -> WhyReport:
    changed = trial.changed
    freed_here, freed_there = _freeing(trial, ()), _freeing(trial, changed)
    refusals = tuple(_refusals(trial, against, freed_here, freed_there))
    start = frozenset(freed_here or ())
    end = frozenset(changed) - frozenset(freed_there or ())
    here, there = trial.evaluation(start), trial.evaluation(end)
    compared = not isinstance(here, FirsthitError) and not isinstance(there, FirsthitError)
    return WhyReport(
        measure=trial.measure,
        here="firsthit",
        there=against,
        changed={name: trial._pair(name) for name in changed},
        means=(_mean(here, trial), _mean(there, trial)),
        averaged=(_averaged(here), _averaged(there)),
        refusals=refusals,
        rows=tuple(_differing(trial, start, end)) if compared else (),
    )


def _freeing(trial: _Trial, flipped: tuple[str, ...]) -> tuple[str, ...] | None:
    """The fewest rules whose change makes this side go on; none when it does, None when nothing helps.

    One or two rules are tried, then all: an error that three rules make together was never seen.
    """
    few = (some for some in _subsets(trial.changed) if len(some) <= 2)
    for some in (*few, trial.changed):
        tried = frozenset(flipped) ^ frozenset(some)
        if not isinstance(trial.evaluation(tried), FirsthitError):
            return some
    return None


def _subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All subsets, small ones first."""
    for size in range(len(names) + 1):
        yield from combinations(names, size)


def _refusals(
    trial: _Trial, against: str, here: tuple[str, ...] | None, there: tuple[str, ...] | None
) -> Iterator[Refusal]:
    for side, flipped, freed in (("firsthit", (), here), (against, trial.changed, there)):
        found = trial.evaluation(flipped)
        if isinstance(found, FirsthitError):
            yield Refusal(side, str(found), freed or ())


def _differing(
    trial: _Trial, start: frozenset[str], end: frozenset[str]
) -> Iterator[tuple[str, float | None, float | None, str]]:
    here, there = _known(trial.values(start)), _known(trial.values(end))
    for query_id in dict.fromkeys((*here, *there)):
        before, after = here.get(query_id), there.get(query_id)
        if not _same(before, after):
            yield query_id, before, after, _because(trial, start, end, query_id, after)


def _because(
    trial: _Trial, start: frozenset[str], end: frozenset[str], query_id: str, wanted: float | None
) -> str:
    """The fewest rules that, taken from the other side, give this query the other side's value."""
    names = tuple(name for name in trial.changed if (name in start) != (name in end))
    found: list[str] = []
    for some in _subsets(names):
        if found and len(some) > len(found[0].split(" and ")):
            break
        values = trial.values(start ^ frozenset(some))
        if not isinstance(values, FirsthitError) and _same(values.get(query_id), wanted):
            found.append(" and ".join(f"{name}={getattr(trial.rules(end), name)}" for name in some))
    return " or ".join(found) + (" together" if " and " in found[0] else "")


def _known(values: dict[str, float | None] | FirsthitError) -> dict[str, float | None]:
    return {} if isinstance(values, FirsthitError) else values


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= SAME


def _mean(found: Evaluation | FirsthitError, trial: _Trial) -> float | None:
    mean = None if isinstance(found, FirsthitError) else found.mean(trial.measure)
    return None if mean is None or math.isnan(mean) else mean


def _averaged(found: Evaluation | FirsthitError) -> int:
    return 0 if isinstance(found, FirsthitError) else found.card.averaged


def _lines(report: WhyReport) -> Iterator[str]:
    here, there = (_number(mean) for mean in report.means)
    over = report.averaged
    yield f"mean {report.measure}: {here} by firsthit's rules, {there} by those of {report.there}"
    yield from (_refusal_line(refusal) for refusal in report.refusals)
    if over[0] != over[1]:
        yield f"the mean is over {over[0]:,} queries here and over {over[1]:,} there"
    if report.rows:
        yield f"{many(len(report.rows), 'query differs', 'queries differ')}:"
        yield from (f"  {count:,} by {cause}" for cause, count in report.causes.items())
    elif report.means[0] is not None and report.means[1] is not None:
        yield "no query differs: on this run the rules give the same values"
    yield from _without_effect(report)


def _refusal_line(refusal: Refusal) -> str:
    first = refusal.message.splitlines()[0]
    if not refusal.rules:
        return f"{refusal.side} refuses the input, and no rule of the other side changes that: {first}"
    rules = " and ".join(refusal.rules)
    return f"{refusal.side} refuses the input ({first}); compared as if {rules} were the other's"


def _without_effect(report: WhyReport) -> Iterator[str]:
    matter = {name for refusal in report.refusals for name in refusal.rules}
    matter |= {name for cause in report.causes for name in re.findall(r"(\w+)=", cause)}
    idle = [f"{name}={there}" for name, (_, there) in report.changed.items() if name not in matter]
    if idle:
        yield f"rules of {report.there} that change nothing here: {', '.join(idle)}"


def _number(mean: float | None) -> str:
    return "no value" if mean is None else f"{mean:.4f}"
