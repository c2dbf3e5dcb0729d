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
    made = not folder.exists()
    try:
        _copy(FILES, folder)
    except BaseException as error:
        _remove(folder, itself=made)
        if not isinstance(error, OSError):
            raise
        raise UsageError(
            f"{folder} cannot be written: {error.strerror or error}; nothing was kept."
        ) from None
    return sorted(path.name for path in folder.iterdir())


def _copy(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        if path.is_dir():
            _copy(path, target / path.name)
        else:
            shutil.copyfile(path, target / path.name)


def _remove(folder: Path, *, itself: bool) -> None:
    """Take back what was written to a folder that was new or empty before."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    if itself and folder.is_dir():
        folder.rmdir()
