"""From what people judged to label rows: `judgments.tsv` names a section and quotes the words that answer.

People quote; a program counts. A label of grade 1 or 2 points at the quoted words, one of grade 0 at the
whole section in which somebody looked for an answer in vain. So the labels are about the documents and hold
for any way to cut them.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from firsthit.demo.chunking import Chunk

__all__ = ["JUDGMENTS", "judgments", "label"]

JUDGMENTS = Path(__file__).with_name("judgments.tsv")

Judgment = Mapping[str, str]


def judgments(path: Path = JUDGMENTS) -> list[Judgment]:
    """The rows: query_id, doc_id of the section, grade, need, assessor, quote."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def label(judgment: Judgment, section: Chunk) -> dict[str, str | int]:
    """The label row of a judgment about a section; the quote must stand there exactly once.

    >>> section = {"source": "a.md", "start": 10, "end": 26, "text": "Tea. It is free."}
    >>> row = {"query_id": "q1", "grade": "2", "need": "", "assessor": "tom", "quote": "It is free."}
    >>> label(row, section)["start"], label(row, section)["end"]
    (15, 26)
    """
    text, quote = str(section["text"]), judgment["quote"]
    if quote and text.count(quote) != 1:
        raise ValueError(f"{judgment['query_id']}: the quote stands {text.count(quote)} times: {quote}")
    start = int(section["start"]) + (text.index(quote) if quote else 0)
    row = {
        "query_id": judgment["query_id"],
        "source": section["source"],
        "start": start,
        "end": start + len(quote or text),
        "quote": quote,
        "grade": int(judgment["grade"]),
        "need": judgment["need"],
        "kind": "human",
        "assessor": judgment["assessor"],
    }
    return {key: value for key, value in row.items() if value != ""}
