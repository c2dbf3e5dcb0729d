"""The demo's files, copied from the package to a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from firsthit.errors import UsageError

__all__ = ["FILES", "write_files"]

FILES = Path(__file__).parent / "files"


def write_files(folder: Path) -> list[str]:
    """Copy the collection to `folder`, which must be new or empty, and return the names of what was written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     "qrels.txt" in write_files(Path(folder) / "demo")
    True
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder.", hint="Name a new folder: firsthit demo FOLDER")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(
            f"The folder {folder} is not empty; nothing was written.",
            hint="Name a new folder: firsthit demo FOLDER",
        )
    try:
        shutil.copytree(FILES, folder, dirs_exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from error
    return sorted(path.name for path in folder.iterdir())
