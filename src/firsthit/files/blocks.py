"""Bytes of an input in blocks: from a path, standard input or memory, decompressed, as often as needed."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NoReturn

import msgspec

from firsthit.errors import InputError, Problem
from firsthit.files.decompress import MAGIC, decompressed

__all__ = ["BLOCK", "HEAD", "Blocks", "Progress"]

Progress = Callable[[int, int], None]
"""Called with the bytes of the input that were read so far and their total."""

HEAD = 1 << 16
BLOCK = 1 << 22


class Blocks:
    r"""An input that can be read several times, block by block, in little memory.

    A regular file is opened anew for each pass. Standard input ("-"), pipes and other things that can be
    read only once are copied to an unnamed temporary file first. gzip and zstd are recognised by their
    first bytes.

    >>> lines = Blocks.of_bytes(b"q1 0 a 1\n")
    >>> lines.head, lines.size, [bytes(block) for block in lines.read()]
    (b'q1 0 a 1\n', 9, [b'q1 0 a 1\n'])
    """

    def __init__(self, path: str | os.PathLike[str], *, name: str | None = None) -> None:
        self.path = os.fspath(path)
        self.name = name or ("standard input" if self.path == "-" else self.path)
        self._file: _Regular | _Held | _Memory = _open_source(self.path, self.name)
        self.size = self._file.size

    @classmethod
    def of_bytes(cls, data: bytes, name: str = "text") -> Blocks:
        """Blocks over bytes in memory."""
        blocks = cls.__new__(cls)
        blocks.path, blocks.name, blocks.size = "", name, len(data)
        blocks._file = _Memory(data)
        return blocks

    @cached_property
    def compression(self) -> str:
        """Either "gzip", "zstd", or "" for bytes that are taken as they are."""
        start = bytes(next(self._raw(4, None), b""))
        return next((name for magic, name in MAGIC.items() if start.startswith(magic)), "")

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, decompressed."""
        found = b""
        for block in self._stream(HEAD, None):
            found += block
            if len(found) >= HEAD:
                break
        return found[:HEAD]

    @property
    def all_in_head(self) -> bool:
        """Whether `head` is the whole input."""
        return len(self.head) < HEAD

    def read(self, progress: Progress | None = None) -> Iterator[bytes | memoryview]:
        """One pass over the content; a block is valid until the next one is asked for."""
        return self._stream(BLOCK, progress)

    def whole(self, progress: Progress | None = None) -> bytes:
        """The whole content."""
        return b"".join(self.read(progress))

    def raw(self) -> Iterator[memoryview]:
        """One pass over the input's own bytes, compressed as they are: what a digest covers."""
        return self._raw(BLOCK, None)

    def _stream(self, size: int, progress: Progress | None) -> Iterator[bytes | memoryview]:
        if not self.compression:
            return self._raw(size, progress)
        return decompressed(self._raw(1 << 16, progress), self.compression, self.name)

    def _raw(self, size: int, progress: Progress | None) -> Iterator[memoryview]:
        done = 0
        for block in self._file.blocks(min(size, max(self.size, 1))):
            yield block
            done += len(block)
            if progress is not None:
                progress(done, max(self.size, done))


class _Memory(msgspec.Struct, frozen=True, eq=False):
    """Bytes in memory."""

    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def blocks(self, size: int) -> Iterator[memoryview]:
        view = memoryview(self.data)
        return (view[start : start + size] for start in range(0, len(view), size))


class _Regular(msgspec.Struct, frozen=True, eq=False):
    """A file on disk, opened by path for each pass: hundreds of runs hold no open files."""

    path: str
    name: str
    size: int

    def blocks(self, size: int) -> Iterator[memoryview]:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except OSError as error:
            _refuse(self.name, error)
        try:
            yield from _read_from(descriptor, 0, size, self.name)
        finally:
            os.close(descriptor)


class _Held:
    """An open descriptor: a temporary file without a name, or redirected standard input."""

    def __init__(self, descriptor: int, start: int, name: str) -> None:
        self.descriptor, self.start, self.name = descriptor, start, name
        self.size = max(os.fstat(descriptor).st_size - start, 0)

    def __del__(self) -> None:
        os.close(self.descriptor)

    def blocks(self, size: int) -> Iterator[memoryview]:
        return _read_from(self.descriptor, self.start, size, self.name)


def _read_from(descriptor: int, start: int, size: int, name: str) -> Iterator[memoryview]:
    """Blocks at explicit offsets, so that passes never share a position; one buffer serves a whole pass."""
    buffer = memoryview(bytearray(size))
    while count := _read_at(descriptor, buffer, start, name):
        start += count
        yield buffer[:count]


def _read_at(descriptor: int, buffer: memoryview, start: int, name: str) -> int:
    try:
        if sys.platform != "darwin":
            return os.preadv(descriptor, [buffer], start)
        data = os.pread(descriptor, len(buffer), start)
    except OSError as error:
        _refuse(name, error)
    buffer[: len(data)] = data
    return len(data)


def _open_source(path: str, name: str) -> _Regular | _Held:
    if path == "-":
        return _standard_input(name)
    try:
        facts = os.stat(path)
        if stat.S_ISDIR(facts.st_mode):
            raise IsADirectoryError
        if stat.S_ISREG(facts.st_mode):
            os.close(os.open(path, os.O_RDONLY))
            return _Regular(path, name, facts.st_size)
        descriptor = os.open(path, os.O_RDONLY)
    except (OSError, ValueError) as error:
        _refuse(name, error)
    try:
        return _spooled(descriptor, name)
    finally:
        os.close(descriptor)


def _standard_input(name: str) -> _Held:
    try:
        if stat.S_ISREG(os.fstat(0).st_mode):
            return _Held(os.dup(0), os.lseek(0, 0, os.SEEK_CUR), name)
        return _spooled(0, name)
    except OSError as error:
        _refuse(name, error)


def _spooled(descriptor: int, name: str) -> _Held:
    import tempfile

    try:
        with tempfile.TemporaryFile(buffering=0) as copy:
            while block := os.read(descriptor, BLOCK):
                _write_all(copy.fileno(), block)
            return _Held(os.dup(copy.fileno()), 0, name)
    except OSError as error:
        _refuse(name, error)


def _write_all(descriptor: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(descriptor, view) :]


_REASONS: dict[type[BaseException], tuple[str, str]] = {
    FileNotFoundError: ("no such file", "Check the path; paths are relative to the current folder."),
    IsADirectoryError: ("is a folder, not a file", "Name a file inside it."),
    NotADirectoryError: ("no such file", "A part of the path is a file, not a folder."),
    PermissionError: ("may not be read (permission denied)", "Check the file's permissions."),
    ValueError: ("is no path: it holds a NUL byte", ""),
}


def _refuse(name: str, error: OSError | ValueError) -> NoReturn:
    known = _REASONS.get(type(error))
    what, hint = known or (f"cannot be read: {getattr(error, 'strerror', None) or error}", "")
    raise InputError(name, [Problem(what)], hint=hint) from None
