"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any

from firsthit.errors import FirsthitError
from firsthit.files.ahead import Later

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
        written: Later[None] | None = None
        try:
            for block in blocks:
                if written is not None:
                    written.result()
                written = Later(partial(_write_all, file, block))
        finally:
            if written is not None:
                written.result()
        os.fsync(file.fileno())


def _write_all(file: FileIO, block: bytes) -> None:
    rest = memoryview(block)
    while rest:
        rest = rest[file.write(rest) :]


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
