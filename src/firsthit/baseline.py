"""Named baselines: saved evaluations that new versions are compared with, kept in `.firsthit/baselines`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from firsthit.errors import FirsthitError, UsageError
from firsthit.files.atomic import write_whole
from firsthit.files.blocks import Blocks
from firsthit.record.record import load_record

__all__ = ["BASELINES", "Baseline", "baselines", "find_baseline", "set_baseline"]

BASELINES = os.path.join(".firsthit", "baselines")
"""Where baselines are, seen from the folder in which firsthit is run."""

_ENDS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class Baseline(msgspec.Struct, frozen=True):
    """What `firsthit baseline show` tells of a baseline; `labels` is the digest of the labels' content."""

    name: str
    path: str
    run: str
    measure: str
    mean: float | None
    queries: int
    labels: str
    created: str


def set_baseline(
    name: str, evaluation: str | os.PathLike[str], folder: str | os.PathLike[str] = BASELINES
) -> Path:
    """Make a saved evaluation the baseline `name`, and give the path of the copy.

    The file is read as every saved evaluation is, and refused where it is not exactly one; an older baseline
    of that name is replaced only once the new one is complete.
    """
    _check_name(name)
    load_record(evaluation)
    if not os.path.isfile(evaluation):
        hint = "Save the evaluation with `firsthit eval --save FILE` and name that file."
        raise UsageError(f"{evaluation}: a baseline is made from a file, not from a pipe", hint=hint)
    source = os.fspath(evaluation)
    end = next((end for end in _ENDS[1:] if source.endswith(end[6:])), _ENDS[0])
    target = Path(folder) / f"{name}{end}"
    _make_folder(target.parent)
    write_whole(target, (bytes(block) for block in Blocks(evaluation).read()))
    for other in _paths(name, folder):
        if other != target:
            other.unlink(missing_ok=True)
    return target


def find_baseline(name: str, folder: str | os.PathLike[str] = BASELINES) -> Path | None:
    """The file of a baseline, or None where there is none of that name."""
    _check_name(name)
    return next((path for path in _paths(name, folder) if path.is_file()), None)


def baselines(folder: str | os.PathLike[str] = BASELINES) -> tuple[Baseline, ...]:
    """All baselines, by name; a damaged one is an InputError."""
    return tuple(_described(name, path) for name, path in sorted(_all(folder)))


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        hint = "Letters, digits, '_', '-' and '.', for example main or release-1.2."
        raise UsageError(f"{name!r} cannot name a baseline", hint=hint)


def _paths(name: str, folder: str | os.PathLike[str]) -> list[Path]:
    return [Path(folder) / f"{name}{end}" for end in _ENDS]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FirsthitError(f"{folder}: cannot make this folder: {error.strerror or error}") from error


def _all(folder: str | os.PathLike[str]) -> Iterator[tuple[str, Path]]:
    there = Path(folder)
    for path in there.iterdir() if there.is_dir() else ():
        name = next((path.name.removesuffix(end) for end in _ENDS if path.name.endswith(end)), "")
        if _NAME.fullmatch(name):
            yield name, path


def _described(name: str, path: Path) -> Baseline:
    card = load_record(path).card
    return Baseline(
        name=name,
        path=os.fspath(path),
        run=card.name,
        measure=card.primary,
        mean=card.means[card.primary],
        queries=card.averaged,
        labels=card.labels.sha256,
        created=card.created,
    )
