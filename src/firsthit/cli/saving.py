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

__all__ = ["refuse_target", "save_evaluations"]


def refuse_target(target: str, runs: int) -> None:
    """Stop before anything is computed where the results of so many runs could not be saved."""
    path = Path(target)
    if _is_folder(target, runs) and path.exists() and not path.is_dir():
        raise UsageError(f"{target} is a file; several runs need a folder.", hint="Name one: --save results/")
    if not path.parent.is_dir():
        raise UsageError(
            f"{target} cannot be saved: there is no folder {path.parent}.", hint="Make it first."
        )
    if not _is_folder(target, runs):
        _refuse_other_file(path)


def _refuse_other_file(path: Path) -> None:
    """Only a saved evaluation is ever replaced: a slip must not cost somebody's labels or run."""
    from firsthit.files.blocks import Blocks

    if path.is_file() and path.stat().st_size and not Blocks(path).head.startswith(b'{"version":'):
        raise UsageError(
            f"{path} exists and is not a saved evaluation; it was left as it is.",
            hint="Save to another file.",
        )


def _is_folder(target: str, runs: int) -> bool:
    return runs > 1 or target.endswith(os.sep) or Path(target).is_dir()


def save_evaluations(evaluations: Sequence[Evaluation], target: str) -> None:
    """Save one evaluation to a file, or several to a folder, and say on standard error where they are."""
    if _is_folder(target, len(evaluations)):
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
        _refuse_other_file(folder / name)
    with tempfile.TemporaryDirectory(prefix=".saving-", dir=folder) as aside:
        for evaluation, name in zip(evaluations, names, strict=True):
            evaluation.save(Path(aside) / name)
        for name in names:
            (Path(aside) / name).replace(folder / name)
    return [folder / name for name in names]
