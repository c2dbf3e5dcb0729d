"""Files that a command is to write: looked at before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from firsthit.errors import FirsthitError, UsageError

__all__ = ["is_folder", "refuse_other_file", "refuse_target", "refuse_unwritable"]

UNTOUCHED = "Nothing was written."
READ = ("qrels", "queries", "passages", "sources", "gate")
"""Options that name a file to read."""


def refuse_target(target: str, runs: int) -> None:
    """Refuse a target of --save where the evaluations of so many runs could not be saved."""
    path = Path(target)
    if not is_folder(target, runs):
        refuse_unwritable(target)
        refuse_other_file(path)
        return
    if path.exists() and not path.is_dir():
        raise UsageError(f"{target} is a file; several runs need a folder.", hint="Name one: --save results/")
    _refuse_folder(target)


def is_folder(target: str, runs: int) -> bool:
    """Whether evaluations of so many runs are saved in a folder of this name, not in a file."""
    return runs > 1 or target.endswith(os.sep) or Path(target).is_dir()


def refuse_other_file(path: Path) -> None:
    """Only a saved evaluation is ever replaced by one: a slip must not cost somebody's labels or run."""
    from firsthit.files.blocks import Blocks

    if path.is_file() and path.stat().st_size and not Blocks(path).head.startswith(b'{"version":'):
        raise UsageError(
            f"{path} exists and is not a saved evaluation; it was left as it is.",
            hint="Save to another file.",
        )


def refuse_unwritable(path: str) -> None:
    """Refuse a file that the command reads, or in a folder that is not there or cannot be written."""
    _refuse_folder(path)
    if os.path.isdir(path):
        raise FirsthitError(f"{path}: a folder, where a file is to be written", hint=UNTOUCHED)
    if any(os.path.samefile(path, read) for read in _arguments() if os.path.exists(path)):
        raise FirsthitError(
            f"{path}: this command reads that file, so it is not written over", hint=UNTOUCHED
        )


def _refuse_folder(path: str) -> None:
    """Refuse a path whose folder is not there or cannot be written."""
    shown = os.path.dirname(path.rstrip(os.sep)) or "."
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise FirsthitError(f"{path}: there is no folder {shown}", hint=UNTOUCHED)
    if not os.access(folder, os.W_OK):
        raise FirsthitError(f"{path}: the folder {shown} cannot be written", hint=UNTOUCHED)


def _arguments() -> Iterator[str]:
    """The files that the running command was given to read, by its arguments and options."""
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context else ():
        given = context.params.get(parameter.name or "") if context else None
        if isinstance(parameter, click.Argument) or parameter.name in READ:
            names = given if isinstance(given, tuple) else (given,)
            yield from (name for name in names if isinstance(name, str) and os.path.exists(name))
