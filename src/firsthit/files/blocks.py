"""Bytes of an input in blocks: from a path, standard input or memory, decompressed, as often as needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property

from firsthit.files.decompress import MAGIC, decompressed
from firsthit.files.sources import BLOCK, Memory, OpenFile, Source, open_source

__all__ = ["BLOCK", "HEAD", "Blocks", "Progress", "printable"]

Progress = Callable[[int, int], None]
"""Called with the bytes of the input that were read so far and their total."""

HEAD = 1 << 16


class Blocks:
    r"""An input that can be read several times, block by block, in little memory.

    A regular file is opened anew for each pass. Standard input ("-"), pipes and other things that can be
    read only once are copied to an unnamed temporary file once more than `head` is needed. gzip and zstd are
    recognised by their first bytes.

    >>> lines = Blocks.of_bytes(b"q1 0 a 1\n")
    >>> lines.head, lines.size, [bytes(block) for block in lines.read()]
    (b'q1 0 a 1\n', 9, [b'q1 0 a 1\n'])
    """

    def __init__(self, path: str | os.PathLike[str], *, name: str | None = None) -> None:
        self.path = os.fspath(path)
        self.name = name or ("standard input" if self.path == "-" else printable(self.path))
        self._source: Source = open_source(self.path, self.name)

    @classmethod
    def of_bytes(cls, data: bytes, name: str = "text") -> Blocks:
        """Blocks over bytes in memory."""
        blocks = cls.__new__(cls)
        blocks.path, blocks.name = "", name
        blocks._source = Memory(data)
        return blocks

    @property
    def size(self) -> int:
        """The number of bytes of the input itself, compressed as it is."""
        return self._source.size

    @cached_property
    def compression(self) -> str:
        """Either "gzip", "zstd", or "" for bytes that are taken as they are."""
        start = bytes(next(self._source.beginning(4), b""))
        return next((name for magic, name in MAGIC.items() if start.startswith(magic)), "")

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, decompressed."""
        beginning = self._source.beginning(HEAD)
        found = b""
        for block in decompressed(beginning, self.compression, self.name) if self.compression else beginning:
            found += block
            if len(found) >= HEAD:
                break
        return found[:HEAD]

    @property
    def all_in_head(self) -> bool:
        """Whether `head` is the whole input."""
        return len(self.head) < HEAD

    def first_line(self, most: int) -> bytes | None:
        r"""The first line with its end; None where it is longer than `most` bytes.

        >>> Blocks.of_bytes(b"one\ntwo\n").first_line(10)
        b'one\n'
        """
        found = b""
        for block in self.read():
            line, end, _ = bytes(block).partition(b"\n")
            found += line + end
            if end or len(found) > most:
                break
        return found if len(found) <= most else None

    def read(self, progress: Progress | None = None) -> Iterator[bytes | memoryview]:
        """One pass over the content; a block is valid until the next one is asked for."""
        if not self.compression:
            return self._raw(BLOCK, progress)
        return decompressed(self._raw(1 << 16, progress), self.compression, self.name)

    @contextmanager
    def as_file(self) -> Iterator[OpenFile | None]:
        """The content as an open file while the context lasts; None where it is compressed or in memory."""
        if self.compression:
            yield None
            return
        with self._source.opened() as file:
            yield file

    def whole(self, progress: Progress | None = None) -> bytes:
        """The whole content."""
        return b"".join(self.read(progress))

    def raw(self) -> Iterator[memoryview]:
        """One pass over the input's own bytes, compressed as they are: what a digest covers."""
        return self._raw(BLOCK, None)

    def _raw(self, size: int, progress: Progress | None) -> Iterator[memoryview]:
        done = 0
        for block in self._source.blocks(min(size, max(self.size, 1))):
            yield block
            done += len(block)
            if progress is not None:
                progress(done, max(self.size, done))


def printable(path: str) -> str:
    r"""A path as text that can be printed and saved: bytes that are no UTF-8 are replaced.

    >>> printable("caf\udce9.run")
    'caf\ufffd.run'
    """
    return os.fsencode(path).decode("utf-8", "replace")
