"""Whether the beginning of an input is text; what is not is refused with what it seems to be."""

from __future__ import annotations

import codecs

from firsthit.errors import InputError, Problem

__all__ = ["PARQUET", "check_text"]

PARQUET = b"PAR1"

_UNICODE = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_BINARY = {
    b"PK\x03\x04": ("a ZIP archive (also .xlsx, .npz, .docx)", "Unpack it, or save the sheet as CSV."),
    b"BZh": ("bzip2 data", "Decompress it: firsthit reads gzip and zstd itself."),
    b"\xfd7zXZ": ("xz data", "Decompress it: firsthit reads gzip and zstd itself."),
    b"\x04\x22\x4d\x18": ("lz4 data", "Decompress it: firsthit reads gzip and zstd itself."),
    b"%PDF": ("a PDF document", ""),
    b"\x80\x04\x95": ("a Python pickle", "Write it as a TREC file, JSON Lines or Parquet."),
    b"SQLite format 3": ("a SQLite database", "Export the rows as CSV."),
    b"ARROW1": ("an Arrow file", "Write it as Parquet, or pass the table to the Python interface."),
}


def check_text(head: bytes, source: str) -> None:
    """Raise InputError where `head` is UTF-16, a known binary format, no text, or ends its lines with CR."""
    unicode = next((name for bom, name in _UNICODE.items() if head.startswith(bom)), "") or _zeros(head)
    if unicode:
        hint = f"Convert it to UTF-8, for example: iconv -f {unicode} -t UTF-8 FILE"
        raise InputError(source, [Problem(f"is {unicode} text, not UTF-8")], hint=hint)
    known = next((found for magic, found in _BINARY.items() if head.startswith(magic)), None)
    if known:
        raise InputError(source, [Problem(f"is {known[0]}, not text")], hint=known[1])
    if b"\n" not in head and b"\r" in head.rstrip(b"\r"):
        hint = r"Convert the line ends, for example: tr '\r' '\n' < FILE"
        raise InputError(source, [Problem("has lines that end with CR alone")], hint=hint)
    if _binary(head):
        hint = "A label file or run is UTF-8 text, gzip or zstd of it, or Parquet."
        raise InputError(source, [Problem("is a binary file, not text")], hint=hint)


def _zeros(head: bytes) -> str:
    """UTF-16 without a byte order mark, by the zero bytes in every second place."""
    sample = head[:4096]
    half = len(sample) // 2
    if half < 4:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    return "UTF-16" if max(even, odd) > 0.7 * half and min(even, odd) < 0.05 * half else ""


def _binary(head: bytes) -> bool:
    """Whether control characters are more than a stray one, which the reader reports by line."""
    control = bytes(code for code in range(32) if code not in b"\t\n\v\f\r")
    return len(head) - len(head.translate(None, control)) > 0.02 * len(head)
