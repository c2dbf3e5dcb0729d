#!/usr/bin/env python3
"""Deterministic run and labels for the evidence benchmark: the same labels by id, by span and by quote.

    python make_evidence.py OUTDIR                          # 10,000 queries x 100, 100,000 passages
    python make_evidence.py OUTDIR --queries 1000 --passages 10000

`run.jsonl` carries source, start, end and text on every line, as an index of passages returns them. Every
label names one passage; `ids.jsonl` by its doc_id, `spans.jsonl` by a part of its source inside it,
`quotes.jsonl` by ten of its words. Where each of them stands in the rankings is the same, so all three files
give the same MRR: a check of each, and a fair comparison.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

LETTERS = np.frombuffer(b"etaoinshrdlucmfwypvbgk", np.uint8)
PER_SOURCE = 10
WORDS = 70
QUOTED = 10


def vocabulary(rng: np.random.Generator, size: int = 30_000) -> list[str]:
    """Words of 2 to 10 letters."""
    lengths = rng.integers(2, 11, size)
    return [rng.choice(LETTERS, length).tobytes().decode() for length in lengths]


class Passage:
    """One passage: its words, and where it stands in its source."""

    def __init__(self, number: int, start: int, words: list[str]) -> None:
        self.doc_id = f"p{number:06d}"
        self.source = f"s{number // PER_SOURCE:05d}.txt"
        self.start = start
        self.words = words
        self.text = " ".join(words)
        self.end = start + len(self.text)

    def columns(self) -> str:
        row = {"source": self.source, "start": self.start, "end": self.end, "text": self.text}
        return json.dumps(row)[1:]


def passages(rng: np.random.Generator, count: int) -> list[Passage]:
    words, found, start = vocabulary(rng), [], 0
    for number in range(count):
        start = 0 if number % PER_SOURCE == 0 else start
        chosen = rng.integers(0, len(words), WORDS)
        found.append(
            Passage(number, start, [words[i].capitalize() if i % 9 == 0 else words[i] for i in chosen])
        )
        start = found[-1].end + 1
    return found


def labels(rng: np.random.Generator, query_id: str, passage: Passage, grade: int) -> tuple[dict, dict, dict]:
    """One label, by id, by span and by quote."""
    first = int(rng.integers(0, WORDS - QUOTED))
    before = len(" ".join(passage.words[:first])) + (1 if first else 0)
    quote = " ".join(passage.words[first : first + QUOTED])
    start = passage.start + before
    common = {"query_id": query_id, "grade": grade}
    span = {"source": passage.source, "start": start, "end": start + len(quote)}
    return common | {"doc_id": passage.doc_id}, common | span, common | {"quote": quote}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--passages", type=int, default=100_000)
    arguments = parser.parse_args()
    rng = np.random.Generator(np.random.PCG64(20))
    held = passages(rng, arguments.passages)
    columns = [passage.columns() for passage in held]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    files = [(arguments.folder / f"{name}.jsonl").open("w") for name in ("ids", "spans", "quotes")]
    with (arguments.folder / "run.jsonl.part").open("w") as run:
        for query in range(arguments.queries):
            query_id = f"q{query:05d}"
            ranked = rng.choice(arguments.passages, arguments.depth, replace=False).tolist()
            scores = np.sort(rng.random(arguments.depth))[::-1]
            for number, score in zip(ranked, scores.tolist(), strict=True):
                head = (
                    f'{{"query_id": "{query_id}", "doc_id": "{held[number].doc_id}", "score": {score:.6f}, '
                )
                run.write(f"{head}{columns[number]}\n")
            places = rng.choice(arguments.depth + 20, int(rng.integers(1, 4)), replace=False)
            others = [number for number in range(query, query + 200) if number not in set(ranked)]
            for place in places.tolist():
                number = ranked[place] if place < arguments.depth else others[place - arguments.depth]
                for file, row in zip(files, labels(rng, query_id, held[number], 1), strict=True):
                    file.write(json.dumps(row) + "\n")
    for file in files:
        file.close()
    (arguments.folder / "run.jsonl.part").rename(arguments.folder / "run.jsonl")


if __name__ == "__main__":
    main()
