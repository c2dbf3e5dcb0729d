"""Decompression of gzip and zstd streams, piece by piece; a stream that is cut off or damaged is an error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from firsthit.errors import InputError, Problem

__all__ = ["MAGIC", "decompressed"]

MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""The first bytes of a compressed file, and what it is called."""


def decompressed(blocks: Iterable[bytes | memoryview], kind: str, name: str) -> Iterator[bytes]:
    """The content of `blocks`, which may hold several compressed members one after the other."""
    new, failure = _gzip() if kind == "gzip" else _zstd()
    try:
        yield from _members(blocks, new, name, kind)
    except failure as error:
        raise InputError(name, [Problem(f"the {kind} data is damaged ({error})")], hint=_AGAIN) from None


_AGAIN = "Copy or download the file again; nothing of it was used."


def _members(
    blocks: Iterable[bytes | memoryview], new: Callable[[], Any], name: str, kind: str
) -> Iterator[bytes]:
    """A member ends inside a block or with it; zeros after the last member are padding."""
    member = new()
    begun = False
    for block in blocks:
        data = bytes(block)
        while data:
            if not begun:
                data = data.lstrip(b"\0")
                begun = bool(data)
                if not begun:
                    break
            text = member.decompress(data)
            if text:
                yield text
            data = b""
            if member.eof:
                data, member, begun = member.unused_data, new(), False
    if begun:
        raise InputError(name, [Problem(f"the {kind} data ends too early: the file is cut off")], hint=_AGAIN)


def _gzip() -> tuple[Callable[[], Any], type[Exception]]:
    import zlib

    return lambda: zlib.decompressobj(wbits=31), zlib.error


def _zstd() -> tuple[Callable[[], Any], type[Exception]]:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.ZstdDecompressor, zstd.ZstdError
    import zstandard

    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError
