"""Files that a command is to write: looked at before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from firsthit.errors import FirsthitError

__all__ = ["refuse_unwritable"]


def refuse_unwritable(path: str) -> None:
    """Refuse a file that the command reads, or in a folder that is not there or cannot be written."""
    folder = os.path.dirname(os.path.realpath(path))
    hint = "Nothing was written."
    if not os.path.isdir(folder):
        raise FirsthitError(f"{path}: there is no folder {folder}", hint=hint)
    if os.path.isdir(path):
        raise FirsthitError(f"{path}: a folder, where a file is to be written", hint=hint)
    if not os.access(folder, os.W_OK):
        raise FirsthitError(f"{path}: the folder {folder} cannot be written", hint=hint)
    if any(os.path.samefile(path, read) for read in _arguments() if os.path.exists(path)):
        raise FirsthitError(f"{path}: this command reads that file, so it is not written over", hint=hint)


def _arguments() -> Iterator[str]:
    """The files that the running command was given to read: its arguments, not its options."""
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context else ():
        given = context.params.get(parameter.name or "") if context else None
        if isinstance(parameter, click.Argument):
            names = given if isinstance(given, tuple) else (given,)
            yield from (name for name in names if isinstance(name, str) and os.path.exists(name))
