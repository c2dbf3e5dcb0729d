"""What is compared: evaluations, saved ones, and run files that are evaluated first."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from firsthit.comparison.rescoring import rescored
from firsthit.errors import InputError, UsageError
from firsthit.evaluation.assemble import Labels
from firsthit.evaluation.evaluation import Evaluation, evaluate_runs
from firsthit.files.blocks import Blocks, Progress
from firsthit.queries import Queries
from firsthit.record.record import Record, load_record

__all__ = ["Reading", "Side", "is_saved_evaluation", "read_sides"]


class Side(msgspec.Struct, frozen=True, eq=False):
    """One evaluation of a comparison, its name, and what was done to it."""

    name: str
    record: Record
    notices: tuple[str, ...] = ()


class Reading(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """How the sources become evaluations: the labels, and all that `evaluate_runs` takes."""

    qrels: Any = None
    measures: Sequence[str] | None = None
    queries: Queries | None = None
    names: Sequence[str] | None = None
    qrels_format: str | None = None
    run_format: str | None = None
    compat: str | None = None
    progress: Progress | None = None
    common: bool = False
    beside: Mapping[str, Any] = {}
    rules: Mapping[str, Any] = {}


def read_sides(sources: Sequence[Any], reading: Reading) -> list[Side]:
    """The evaluations of these sources, in their order.

    With labels, run files are evaluated, and saved evaluations whose labels are others, or that lack a
    measure, are scored again from their ranked ids.
    """
    if reading.names is not None and len(reading.names) != len(sources):
        raise UsageError(f"{len(sources)} evaluations and {len(reading.names)} names")
    found = [_saved(source, reading) for source in sources]
    evaluated = _evaluated(sources, found, reading)
    labels = None if reading.qrels is None else Labels(reading.qrels, reading.qrels_format)
    sides = [
        Side(evaluated[i].card.name, evaluated[i]) if record is None else _kept(record, labels, reading)
        for i, record in enumerate(found)
    ]
    names = reading.names or _distinct([side.name for side in sides], sources)
    return [msgspec.structs.replace(side, name=name) for side, name in zip(sides, names, strict=True)]


def is_saved_evaluation(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins with the card of a saved evaluation; a pipe, read once only, is left alone."""
    if not os.path.isfile(path):
        return False
    head = Blocks(path).head
    return head.startswith(b'{"version":') and b'"primary":' in head.partition(b"\n")[0]


def _saved(source: Any, reading: Reading) -> Record | None:
    """The record of a source that is one; None for a run."""
    if isinstance(source, Record):
        return source
    if isinstance(source, Evaluation):
        return source.record()
    if not isinstance(source, str | os.PathLike):
        if reading.qrels is None:
            raise UsageError("a run is compared with its labels: give qrels")
        return None
    if reading.qrels is not None and not is_saved_evaluation(source):
        return None
    return _loaded(source)


def _loaded(path: str | os.PathLike[str]) -> Record:
    try:
        return load_record(path)
    except InputError as error:
        if not any("not a saved evaluation" in problem.what for problem in error.problems):
            raise
        hint = "A run file is compared with its labels: give --qrels LABELS."
        raise InputError(error.source, error.problems, error.total, hint=hint) from None


def _evaluated(sources: Sequence[Any], found: Sequence[Record | None], reading: Reading) -> dict[int, Record]:
    """The runs among the sources, evaluated."""
    places = [i for i, record in enumerate(found) if record is None]
    if not places:
        _refuse_idle_rules(reading)
        return {}
    kept = next((record.card for record in found if record is not None), None)
    measures = reading.measures or (
        None if kept is None else list(dict.fromkeys([kept.primary, *kept.measures]))
    )
    evaluations = evaluate_runs(
        reading.qrels,
        [sources[i] for i in places],
        measures,
        compat=reading.compat,
        queries=reading.queries,
        names=None if reading.names is None else [reading.names[i] for i in places],
        qrels_format=reading.qrels_format,
        run_format=reading.run_format,
        progress=reading.progress,
        **reading.beside,
        **reading.rules,
    )
    return {i: evaluation.record() for i, evaluation in zip(places, evaluations, strict=True)}


def _refuse_idle_rules(reading: Reading) -> None:
    named = [*(["compat"] if reading.compat else []), *reading.rules]
    if named:
        hint = "Evaluate the runs again with these rules, or give the run files and --qrels."
        raise UsageError(f"{', '.join(named)}: saved evaluations keep the rules of their card", hint=hint)


def _kept(record: Record, labels: Labels | None, reading: Reading) -> Side:
    """A saved evaluation, scored again where there are labels and they ask for it."""
    name = record.card.name
    if labels is None:
        return Side(name, record)
    again, notice = rescored(record, labels, reading.measures, reading.queries, common=reading.common)
    return Side(name, again, (notice,) if notice else ())


def _distinct(names: Sequence[str], sources: Sequence[Any]) -> list[str]:
    """The names, made distinct by their folders where they are paths, else by a number."""
    if len(set(names)) == len(names):
        return list(names)
    paths = [os.fspath(source) if isinstance(source, str | os.PathLike) else "" for source in sources]
    if all(paths) and len(set(paths)) == len(paths):
        return paths
    return [f"{name} ({number})" for number, name in enumerate(names, 1)]
