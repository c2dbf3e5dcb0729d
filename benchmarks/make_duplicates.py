"""A corpus with planted duplicates, and labels for it: deterministic.

    python make_duplicates.py OUTDIR [PASSAGES]

100,000 passages of 60 words unless told otherwise, words drawn by Zipf's law from 50,000. Of every 20
passages one is an equal copy of an earlier one and one a near copy, in which one or two words are others.
`planted.txt` holds the copies that share at least 0.8 of their shingles of 5 words with what they were
copied from, equal ones included, as lines "doc_id doc_id".
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

WORDS, LENGTH, SHINGLE, THRESHOLD = 50_000, 60, 5, 0.8


def shingles(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


def near_copy(rng: np.random.Generator, words: list[str]) -> list[str]:
    """One or two words replaced."""
    copy = list(words)
    for place in rng.integers(0, LENGTH, rng.integers(1, 3)).tolist():
        copy[place] = f"new{rng.integers(10**9)}"
    return copy


def make(folder: Path, count: int) -> None:
    rng = np.random.default_rng(5)
    vocabulary = [f"{chr(97 + i % 26)}word{i:x}" for i in range(WORDS)]
    chances = 1 / np.arange(1, WORDS + 1)
    drawn = rng.choice(WORDS, (count, LENGTH), p=chances / chances.sum()).astype(np.int32)
    passages, planted = [], []
    for i in range(count):
        source = i - 1 - int(rng.integers(10)) if i % 20 in (18, 19) else i
        words = [vocabulary[word] for word in drawn[i].tolist()] if source == i else passages[source]
        passages.append(near_copy(rng, words) if i % 20 == 19 else words)
        if source != i:
            one, other = shingles(passages[i]), shingles(passages[source])
            if len(one & other) / len(one | other) >= THRESHOLD:
                planted.append(f"p{source} p{i}\n")
    with (folder / "corpus.jsonl").open("w") as file:
        for i, words in enumerate(passages):
            file.write(json.dumps({"doc_id": f"p{i}", "text": " ".join(words)}) + "\n")
    (folder / "qrels.txt").write_text("".join(f"q{i} 0 p{i} 1\n" for i in range(100)))
    (folder / "planted.txt").write_text("".join(planted))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    make(target, int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
