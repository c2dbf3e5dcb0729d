"""What `firsthit compare` computes: the comparisons, and the gate's decision on each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from firsthit.cli import options
from firsthit.errors import UsageError
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.gate import Gate, GateResult

__all__ = ["Found", "Sources", "compared", "sources_of"]

BASELINE = "baseline:"


class Sources(msgspec.Struct, frozen=True):
    """The files to compare; `missing` names a baseline that does not exist yet."""

    old: str
    news: tuple[str, ...]
    missing: str = ""


class Found(msgspec.Struct, frozen=True):
    """The comparisons, and the gate's result on each, None without a gate.

    On a first run there is nothing to compare with, and `first` is the new evaluation.
    """

    comparisons: tuple[Comparison, ...]
    gate: tuple[GateResult, ...] | None
    first: Evaluation | None = None

    @property
    def exit_code(self) -> int:
        """0, 3 where labels are stale, or what the gate says: the worst of several."""
        from firsthit.gate import worst_exit_code

        stale = [3 for comparison in self.comparisons if comparison.labels_stale]
        return worst_exit_code([*stale, *(result.exit_code for result in self.gate or ())])


def sources_of(evaluations: Sequence[str], gate: Gate | None) -> Sources:
    """OLD and the others; the gate's baseline where only one is given. A baseline is looked up by name."""
    old, *news = evaluations
    if not news and gate is not None and gate.baseline:
        old, news = f"{BASELINE}{gate.baseline}", [old]
    if not news:
        hint = "Give two evaluations, or one and a gate that names a baseline."
        raise UsageError(f"There is nothing to compare {old} with.", hint=hint)
    if not old.startswith(BASELINE):
        return Sources(old, tuple(news))
    from firsthit.baseline import BASELINES, find_baseline

    name = old.removeprefix(BASELINE)
    path = find_baseline(name)
    if path is None and gate is None:
        hint = f"`firsthit baseline set {name} EVALUATION` makes one."
        raise UsageError(f"There is no baseline {name!r} in {BASELINES}.", hint=hint)
    return Sources(str(path or ""), tuple(news), "" if path else name)


def compared(sources: Sources, gate: Gate | None, settings: dict[str, Any]) -> Found:
    """Compare, and decide the gate; on a first run only look whether the new evaluations can be read."""
    beside = (settings[name] for name in ("qrels", "queries", "passages", "sources"))
    options.refuse_shared_input(sources.old, *sources.news, *beside)
    arguments = _arguments(sources, gate, settings)
    if gate is not None and sources.missing:
        return _first_run(sources, gate, arguments)
    from firsthit.cli.progress import progress_on_terminal
    from firsthit.comparison.compare import compare_many

    with progress_on_terminal() as progress:
        found = tuple(compare_many(sources.old, sources.news, progress=progress, **arguments))
    if gate is None:
        return Found(found, None)
    from firsthit.gate import decide

    return Found(found, tuple(decide(gate, comparison) for comparison in found))


def _arguments(sources: Sources, gate: Gate | None, settings: dict[str, Any]) -> dict[str, Any]:
    """The arguments of compare_many, with what the gate needs among them."""
    rules = options.given_rules(settings)
    given = dict(settings)
    answers = given.pop("answers")
    versions = 1 + len(sources.news)
    if answers and len(answers) != versions:
        files = many(len(answers), "file")
        hint = "Name the versions first, then one file for OLD and one for each NEW, in their order."
        raise UsageError(f"--answers: {files} for {versions} versions.", hint=hint)
    given["answers"] = answers or None
    given["names"] = _names(given["names"], sources)
    minimum = given["min_queries"]
    given["min_queries"] = minimum or (30 if gate is None else gate.min_queries)
    given["max_stale"] = _max_stale(given["max_stale"], gate)
    if gate is not None:
        given["groups"] = _both(gate.groups, given["groups"])
        given["critical"] = _both(gate.critical, given["critical"])
        given["measures"] = _measures(given["measures"], gate, labels=given["qrels"] is not None)
    return given | rules


def _max_stale(given: float | None, gate: Gate | None) -> float:
    """The largest share of stale labels: the option's, else the gate's, else the default."""
    return options.stale_limit(gate.max_stale if given is None and gate is not None else given)


def _both(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *second]))


def _names(given: Sequence[str], sources: Sources) -> Sequence[str] | None:
    number = 1 + len(sources.news)
    if given and len(given) != number:
        hint = "Give --name once for each, OLD first, or never."
        raise UsageError(f"{len(given)} names for {number} versions.", hint=hint)
    return given or None


def _measures(given: Sequence[str] | None, gate: Gate, *, labels: bool) -> list[str] | None:
    """Those asked for and those of the gate's rules; None for all that saved evaluations hold."""
    if given is None and not (labels and gate.measures):
        return None
    from firsthit.measures import DEFAULT_MEASURES

    return list(dict.fromkeys([*(given or DEFAULT_MEASURES), *gate.measures]))


def _first_run(sources: Sources, gate: Gate, arguments: dict[str, Any]) -> Found:
    """Compare the first NEW with itself: whatever is wrong with the input is said on the first day."""
    from firsthit.comparison.compare import compare
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.gate import first_run

    new = sources.news[0]
    record = compare(new, new, **arguments | {"answers": None, "names": None}).record_new
    return Found((), (first_run(gate, sources.missing),), Evaluation.of(record))
