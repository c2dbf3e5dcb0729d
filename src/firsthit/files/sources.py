"""Where an input's bytes come from: a regular file, standard input, a pipe or memory."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, NoReturn

import msgspec

from firsthit.errors import InputError, Problem

__all__ = ["BLOCK", "Held", "Memory", "OpenFile", "Pipe", "Regular", "Source", "open_source", "refuse"]

BLOCK = 1 << 22
BEGINNING = 1 << 18


class OpenFile(NamedTuple):
    """A regular file that can be read at any place, from several threads."""

    descriptor: int
    start: int  # where the input begins


class Memory(msgspec.Struct, frozen=True, eq=False):
    """Bytes in memory."""

    data: bytes

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.data)

    def blocks(self, size: int) -> Iterator[memoryview]:
        """One pass over the bytes."""
        view = memoryview(self.data)
        return (view[start : start + size] for start in range(0, len(view), size))

    beginning = blocks

    @contextmanager
    def opened(self) -> Iterator[None]:
        """No file."""
        yield


class Regular(msgspec.Struct, frozen=True, eq=False):
    """A file on disk, opened by path for each pass: hundreds of runs hold no open files."""

    path: str
    name: str
    size: int

    def blocks(self, size: int) -> Iterator[memoryview]:
        """One pass over the bytes; a block is valid until the next one is asked for."""
        with self.opened() as file:
            yield from _read_from(file.descriptor, 0, size, self.name)

    beginning = blocks

    @contextmanager
    def opened(self) -> Iterator[OpenFile]:
        """The file, as long as the context lasts."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except OSError as error:
            refuse(self.name, error)
        try:
            yield OpenFile(descriptor, 0)
        finally:
            os.close(descriptor)


class Held:
    """An open descriptor: a temporary file without a name, or redirected standard input."""

    def __init__(self, descriptor: int, start: int, name: str) -> None:
        self.descriptor, self.start, self.name = descriptor, start, name
        self.size = max(os.fstat(descriptor).st_size - start, 0)

    def __del__(self) -> None:
        os.close(self.descriptor)

    def blocks(self, size: int) -> Iterator[memoryview]:
        """One pass over the bytes; a block is valid until the next one is asked for."""
        return _read_from(self.descriptor, self.start, size, self.name)

    beginning = blocks

    @contextmanager
    def opened(self) -> Iterator[OpenFile]:
        """The file, which stays open."""
        yield OpenFile(self.descriptor, self.start)


class Pipe:
    """A pipe or device, which can be read once: it is copied when more than its beginning is needed.

    The beginning is read at once and tells whether the rest is worth reading: it may have no end.
    """

    def __init__(self, descriptor: int, name: str) -> None:
        self.name = name
        self._descriptor = os.dup(descriptor)
        self._copy: Held | None = None
        self._copying = threading.Lock()
        self._start = self._read_start()

    def __del__(self) -> None:
        os.close(self._descriptor)

    @property
    def size(self) -> int:
        """The number of bytes, known once all are copied."""
        return self._copied().size

    def beginning(self, size: int) -> Iterator[memoryview]:
        """The first 256 KiB."""
        return Memory(self._start).blocks(size)

    def blocks(self, size: int) -> Iterator[memoryview]:
        """One pass over the bytes."""
        return self._copied().blocks(size)

    @contextmanager
    def opened(self) -> Iterator[OpenFile]:
        """The copy."""
        with self._copied().opened() as file:
            yield file

    def _read_start(self) -> bytes:
        start = b""
        try:
            while len(start) < BEGINNING and (block := os.read(self._descriptor, BEGINNING - len(start))):
                start += block
        except OSError as error:
            refuse(self.name, error)
        return start

    def _copied(self) -> Held:
        with self._copying:  # the digest is computed on a thread of its own and asks at the same time
            if self._copy is None:
                self._copy = _spooled(self._start, self._descriptor, self.name)
            return self._copy


Source = Regular | Held | Pipe | Memory


def open_source(path: str, name: str) -> Source:
    """The source that a path names; "-" is standard input. InputError where it cannot be read."""
    if path == "-":
        return _standard_input(name)
    try:
        facts = os.stat(path)
        if stat.S_ISDIR(facts.st_mode):
            raise IsADirectoryError
        descriptor = os.open(path, os.O_RDONLY)
    except (OSError, ValueError) as error:
        refuse(name, error)
    try:
        return Regular(path, name, facts.st_size) if stat.S_ISREG(facts.st_mode) else Pipe(descriptor, name)
    finally:
        os.close(descriptor)


def _standard_input(name: str) -> Held | Pipe:
    try:
        if stat.S_ISREG(os.fstat(0).st_mode):
            return Held(os.dup(0), os.lseek(0, 0, os.SEEK_CUR), name)
        return Pipe(0, name)
    except OSError as error:
        refuse(name, error)


def _spooled(start: bytes, descriptor: int, name: str) -> Held:
    import tempfile

    try:
        with tempfile.TemporaryFile(buffering=0) as copy:
            block = start
            while block:
                _write_all(copy.fileno(), block)
                block = os.read(descriptor, BLOCK)
            return Held(os.dup(copy.fileno()), 0, name)
    except OSError as error:
        refuse(name, error)


def _write_all(descriptor: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(descriptor, view) :]


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
        refuse(name, error)
    buffer[: len(data)] = data
    return len(data)


_REASONS: dict[type[BaseException], tuple[str, str]] = {
    FileNotFoundError: ("no such file", "Check the path; paths are relative to the current folder."),
    IsADirectoryError: ("is a folder, not a file", "Name a file inside it."),
    NotADirectoryError: ("no such file", "A part of the path is a file, not a folder."),
    PermissionError: ("may not be read (permission denied)", "Check the file's permissions."),
    ValueError: ("is no path: it holds a NUL byte", ""),
}


def refuse(name: str, error: OSError | ValueError) -> NoReturn:
    """Raise InputError for a path or a file that the system refused."""
    known = _REASONS.get(type(error))
    what, hint = known or (f"cannot be read: {getattr(error, 'strerror', None) or error}", "")
    raise InputError(name, [Problem(what)], hint=hint) from None
