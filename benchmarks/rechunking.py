"""One set of labels, three ways to cut the documents: Cranfield with labels of sources.

    python benchmarks/rechunking.py [FOLDER]       FIRSTHIT_TEST_DATA names the folder that holds cranfield/

Cuts the 1,400 abstracts into sentences, windows of 100 words and not at all, ranks each with BM25, and
evaluates all three runs against the same labels, which name abstracts and nothing smaller. Prints a Markdown
table; with FOLDER the labels, passages and runs stay there for `firsthit eval`.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from firsthit import Evaluation, evaluate
from firsthit.demo.ranking import bm25, rank

DEPTH = 100
WORDS = 100
Span = tuple[int, int]
Unit = Literal["passage", "document"]


def sentences(text: str) -> list[Span]:
    """A sentence of Cranfield ends with a full stop that stands alone."""
    return [match.span() for match in re.finditer(r"\S.*?(?:(?<=\s)\.(?=\s|$)|$)", text, re.DOTALL)]


def windows(text: str) -> list[Span]:
    """Pieces of 100 words, whatever stands there."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    return [
        (piece[0][0], piece[-1][1]) for piece in (words[i : i + WORDS] for i in range(0, len(words), WORDS))
    ]


def whole(text: str) -> list[Span]:
    """The abstract as it is."""
    return [(0, len(text))]


WAYS: dict[str, Callable[[str], list[Span]]] = {
    "sentences": sentences,
    "100-word windows": windows,
    "whole abstracts": whole,
}


def main() -> None:
    """Write the files, evaluate, print."""
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        print(table(Path(os.environ["FIRSTHIT_TEST_DATA"]) / "cranfield", folder))
        return
    with tempfile.TemporaryDirectory() as name:
        print(table(Path(os.environ["FIRSTHIT_TEST_DATA"]) / "cranfield", Path(name)))


def table(data: Path, folder: Path) -> str:
    """The Markdown table."""
    write_labels(data, folder)
    lines = [
        "| passages | number | words each | RR@10 | Success@1 | RR@10, documents | R@10, documents |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, cut in WAYS.items():
        texts = write_way(data, folder, name.split()[-1], cut)
        words = sum(len(text.split()) for text in texts) / len(texts)
        lines.append(
            f"| {name} | {len(texts):,} | {words:.0f} | {' | '.join(values(folder, name.split()[-1]))} |"
        )
    return "\n".join(lines)


def write_labels(data: Path, folder: Path) -> None:
    """Cranfield's labels as labels of sources."""
    rows = (line.split() for line in (data / "qrels.txt").read_text(encoding="utf-8").splitlines())
    write(folder / "labels.jsonl", ({"query_id": q, "source": d, "grade": int(g)} for q, _, d, g in rows))


def write_way(data: Path, folder: Path, name: str, cut: Callable[[str], list[Span]]) -> list[str]:
    """The passages of one way to cut and the run over them; returns the passages' texts."""
    with gzip.open(data / "docs.jsonl.gz", "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    passages = [
        {
            "doc_id": f"{row['id']}#{number}",
            "source": row["id"],
            "start": start,
            "end": end,
            "text": row["text"][start:end],
        }
        for row in documents
        for number, (start, end) in enumerate(cut(row["text"]), 1)
    ]
    texts = [passage["text"] for passage in passages]
    scores = bm25(texts)
    queries = [line.split("\t") for line in (data / "queries.tsv").read_text(encoding="utf-8").splitlines()]
    write(folder / f"{name}.passages.jsonl", passages)
    write(
        folder / f"{name}.jsonl",
        (
            {"query_id": query_id, "doc_id": passages[position]["doc_id"], "score": score}
            for query_id, text in queries
            for position, score in rank(scores(text), DEPTH)
        ),
    )
    return texts


def values(folder: Path, name: str) -> list[str]:
    """The means: passages as they are, then folded to their documents."""
    passages = evaluation(folder, name, ["RR@10", "Success@1"])
    documents = evaluation(folder, name, ["RR@10", "R@10"], unit="document")
    return [f"{mean:.4f}" for mean in (*passages.means.values(), *documents.means.values())]


def evaluation(folder: Path, name: str, measures: list[str], unit: Unit = "passage") -> Evaluation:
    """A run against the labels."""
    passages = folder / f"{name}.passages.jsonl"
    return evaluate(folder / "labels.jsonl", folder / f"{name}.jsonl", measures, passages=passages, unit=unit)


def write(path: Path, rows: Iterable[dict[str, object]]) -> None:
    """JSON Lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
