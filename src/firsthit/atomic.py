"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from pathlib import Path
from threading import Thread
from typing import Any

from firsthit.errors import FirsthitError

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], blocks: Iterable[bytes]) -> None:
    """Write the blocks to `path`, compressed when it ends in .gz or .zst.

    They go to a new file in the same folder, which takes the place of `path` only once it is complete and on
    the disk: a full disk, an error in `blocks` or Ctrl-C leave an old file as it was and nothing beside it.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise FirsthitError(f"{path}: cannot save here: not a regular file")
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        _write(partial, _compressed(blocks, target.suffix))
        os.replace(partial, target)
    except OSError as error:
        old = "; the file that was there is unchanged" if target.exists() else ""
        raise FirsthitError(f"{path}: cannot save: {error.strerror or error}{old}") from error
    finally:
        partial.unlink(missing_ok=True)


def _write(path: Path, blocks: Iterable[bytes]) -> None:
    """Write the blocks, each on a thread of its own: the next one is made while one is written."""
    with open(path, "xb", buffering=0) as file:
        writing = _Writing(file)
        try:
            for block in blocks:
                writing.start(block)
        finally:
            writing.finish()
        os.fsync(file.fileno())


class _Writing:
    """One block on its way into a file."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._thread: Thread | None = None
        self._failure: BaseException | None = None

    def start(self, block: bytes) -> None:
        self.finish()
        self._thread = Thread(target=self._write, args=(block,))
        self._thread.start()

    def finish(self) -> None:
        """Wait for the block, and raise what went wrong with it."""
        if self._thread is not None:
            self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _write(self, block: bytes) -> None:
        rest = memoryview(block)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except BaseException as failure:  # handed to the thread that waits
            self._failure = failure


def _compressed(blocks: Iterable[bytes], suffix: str) -> Iterator[bytes]:
    if suffix not in (".gz", ".zst"):
        yield from blocks
        return
    packer = _gzip() if suffix == ".gz" else _zstd()
    for block in blocks:
        yield packer.compress(block)
    yield packer.flush()


def _gzip() -> Any:
    """A gzip stream whose header holds no time and no name, so that equal content gives equal bytes."""
    return zlib.compressobj(6, zlib.DEFLATED, 31)


def _zstd() -> Any:
    make: Callable[[], Any]
    if sys.version_info >= (3, 14):
        from compression import zstd

        make = zstd.ZstdCompressor
    else:
        import zstandard

        make = zstandard.ZstdCompressor().compressobj
    return make()
