"""Small corpora for tests: sources, cut in several ways, with the places of the pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from firsthit.ids import Ids
from firsthit.passages import Passages

__all__ = ["cut", "passages", "sentences", "whole", "windows"]

Span = tuple[int, int]


def passages(rows: Sequence[Mapping[str, Any]]) -> Passages:
    """Passages from rows as a file has them."""

    def texts(name: str) -> Ids | None:
        return Ids.of(str(row.get(name, "")) for row in rows) if any(name in row for row in rows) else None

    def places(name: str) -> Any:
        found = np.array([int(row.get(name, -1)) for row in rows], np.int64)
        return found if any(name in row for row in rows) else None

    return Passages(
        doc_ids=Ids.of(str(row["doc_id"]) for row in rows),
        source=texts("source"),
        start=places("start"),
        end=places("end"),
        text=texts("text"),
    )


def sentences(text: str) -> Iterator[Span]:
    """Each sentence."""
    return (found.span() for found in re.finditer(r"[^.\s][^.]*\.?", text))


def windows(text: str, size: int = 3) -> Iterator[Span]:
    """Windows of some words, one after the other."""
    words = [found.span() for found in re.finditer(r"\S+", text)]
    return ((words[i][0], words[min(i + size, len(words)) - 1][1]) for i in range(0, len(words), size))


def whole(text: str) -> Iterator[Span]:
    """All of it."""
    return iter([(0, len(text))] if text.strip() else [])


def cut(sources: Mapping[str, str], way: Any, prefix: str, *, spans: bool = True) -> Passages:
    """The passages of all sources; ids are `prefix` and a number."""
    rows: list[dict[str, Any]] = []
    for source, text in sources.items():
        for start, end in way(text):
            row = {"doc_id": f"{prefix}{len(rows)}", "source": source, "text": text[start:end]}
            rows.append(row | ({"start": start, "end": end} if spans else {}))
    return passages(rows)
