"""Four ways to cut a document into passages; each passage says which piece of its source it is.

`start` and `end` count the characters (Unicode code points) of the whole document, `end` excluded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

__all__ = ["CHUNKINGS", "Chunk", "sections", "sentences", "whole", "windows"]

Chunk = dict[str, str | int]
SECTION = re.compile(r"^## (?P<passage>(?P<title>.+)\n(?:(?!## ).*\n?)*)", re.MULTILINE)
SENTENCE = re.compile(r"\S.*?(?:[.?!](?=\s|$)|$)")
WORDS = 100


def sections(document: Path) -> list[Chunk]:
    """Cut at the headings: a heading and what stands below it are one passage."""
    text = document.read_text(encoding="utf-8")
    return [_section(document, text, match) for match in SECTION.finditer(text)]


def _section(document: Path, text: str, match: re.Match[str]) -> Chunk:
    slug = re.sub(r"[^a-z0-9]+", "-", match["title"].lower()).strip("-")
    start = match.start("passage")
    end = start + len(match["passage"].rstrip())
    return _chunk(f"{document.stem}/{slug}", document.name, text, start, end)


def sentences(document: Path) -> list[Chunk]:
    """Cut into sentences; a heading belongs to the first sentence below it."""
    text = document.read_text(encoding="utf-8")
    return [
        _chunk(f"{document.name}#s{number}", document.name, text, start, end)
        for number, (start, end) in enumerate(_sentence_spans(text), 1)
    ]


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    for section in SECTION.finditer(text):
        heading: int | None = section.start("passage")
        for sentence in SENTENCE.finditer(text, section.end("title"), section.end()):
            yield sentence.start() if heading is None else heading, sentence.end()
            heading = None


def windows(document: Path, words: int = WORDS) -> list[Chunk]:
    """Cut into windows of so many words, whatever stands there; the last one may be shorter."""
    text = document.read_text(encoding="utf-8")
    spans = [word.span() for word in re.finditer(r"\S+", text)]
    pieces = [spans[i : i + words] for i in range(0, len(spans), words)]
    return [
        _chunk(f"{document.name}#w{number}", document.name, text, piece[0][0], piece[-1][1])
        for number, piece in enumerate(pieces, 1)
    ]


def whole(document: Path) -> list[Chunk]:
    """Do not cut: the document is its only passage."""
    text = document.read_text(encoding="utf-8")
    return [_chunk(document.name, document.name, text, 0, len(text))]


def _chunk(doc_id: str, source: str, text: str, start: int, end: int) -> Chunk:
    return {"doc_id": doc_id, "source": source, "start": start, "end": end, "text": text[start:end]}


CHUNKINGS: dict[str, Callable[[Path], list[Chunk]]] = {
    "sentences": sentences,
    "windows": windows,
    "documents": whole,
}
"""The three that the demo sets beside its own sections."""
