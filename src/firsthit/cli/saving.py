"""Where evaluations are saved: one file, or a folder with one file a run; all of them or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["save_evaluations"]


def save_evaluations(evaluations: Sequence[Evaluation], target: str) -> None:
    """Save one evaluation to a file, or several to a folder, and say on standard error where they are."""
    paths = _paths(evaluations, target)
    if len(paths) == 1:
        paths[0].parent.mkdir(parents=True, exist_ok=True)
        evaluations[0].save(paths[0])
    else:
        _save_together(evaluations, paths)
    click.echo(f"saved: {', '.join(map(str, paths))}", err=True)


def _paths(evaluations: Sequence[Evaluation], target: str) -> list[Path]:
    folder = Path(target)
    if len(evaluations) == 1 and not target.endswith(os.sep) and not folder.is_dir():
        return [folder]
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{target} is a file; several runs need a folder.", hint="Name one: --save results/")
    return [folder / f"{name}.jsonl" for name in _file_names([item.card.name for item in evaluations])]


def _file_names(runs: Sequence[str]) -> list[str]:
    """The runs' names without their endings, or with them where only they differ."""
    names = [name.replace("/", "-").replace(os.sep, "-") for name in runs]
    stems = [Path(name.removesuffix(".gz").removesuffix(".zst")).stem for name in names]
    for candidates in (stems, names):
        if len(set(candidates)) == len(candidates):
            return candidates
    doubled = sorted({name for name in names if names.count(name) > 1})
    raise UsageError(f"several runs are called {', '.join(doubled)}.", hint="Name each with --name.")


def _save_together(evaluations: Sequence[Evaluation], paths: Sequence[Path]) -> None:
    """Write everything aside first, so that a full disk leaves the old files whole."""
    folder = paths[0].parent
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".saving-", dir=folder) as aside:
        written = [Path(aside) / path.name for path in paths]
        for evaluation, path in zip(evaluations, written, strict=True):
            evaluation.save(path)
        for source, path in zip(written, paths, strict=True):
            source.replace(path)
