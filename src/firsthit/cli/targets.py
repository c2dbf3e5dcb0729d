"""Files that a command is to write: looked at before anything is computed."""

from __future__ import annotations

import os

from firsthit.errors import FirsthitError

__all__ = ["refuse_unwritable"]


def refuse_unwritable(path: str) -> None:
    """Refuse a file in a folder that is not there or cannot be written."""
    folder = os.path.dirname(os.path.realpath(path))
    hint = "Nothing was written."
    if not os.path.isdir(folder):
        raise FirsthitError(f"{path}: there is no folder {folder}", hint=hint)
    if os.path.isdir(path):
        raise FirsthitError(f"{path}: a folder, where a file is to be written", hint=hint)
    if not os.access(folder, os.W_OK):
        raise FirsthitError(f"{path}: the folder {folder} cannot be written", hint=hint)
