"""Where evaluations are saved: one file, or a folder with one file a run; all of them or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firsthit.cli.targets import is_folder, refuse_other_file
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["save_evaluations"]


def save_evaluations(evaluations: Sequence[Evaluation], target: str) -> None:
    """Save one evaluation to a file, or several to a folder, and say on standard error where they are."""
    if is_folder(target, len(evaluations)):
        paths = _save_together(evaluations, Path(target))
    else:
        paths = [Path(target)]
        evaluations[0].save(target)
    click.echo(f"saved: {', '.join(map(str, paths))}", err=True)


def _file_names(runs: Sequence[str]) -> list[str]:
    """The runs' names without their endings, or with them where only they differ."""
    names = [name.replace("/", "-").replace(os.sep, "-").lstrip(".-") or "run" for name in runs]
    stems = [Path(name.removesuffix(".gz").removesuffix(".zst")).stem for name in names]
    for candidates in (stems, names):
        if len(set(candidates)) == len(candidates):
            return candidates
    doubled = sorted({name for name in names if names.count(name) > 1})
    raise UsageError(f"several runs are called {', '.join(doubled)}.", hint="Name each with --name.")


def _save_together(evaluations: Sequence[Evaluation], folder: Path) -> list[Path]:
    """Write everything aside first, so that a full disk leaves the old files whole."""
    names = [f"{name}.jsonl" for name in _file_names([item.card.name for item in evaluations])]
    folder.mkdir(exist_ok=True)
    for name in names:
        refuse_other_file(folder / name)
    with tempfile.TemporaryDirectory(prefix=".saving-", dir=folder) as aside:
        for evaluation, name in zip(evaluations, names, strict=True):
            evaluation.save(Path(aside) / name)
        for name in names:
            (Path(aside) / name).replace(folder / name)
    return [folder / name for name in names]
