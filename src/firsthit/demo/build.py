"""Ranks the demo's passages with two real systems and writes the runs: `python -m firsthit.demo.build`.

"bm25" is BM25 over words. "dense" is the cosine similarity of 512-dimensional vectors in which the character
n-grams of the words and the concepts of a small thesaurus are hashed: it finds paraphrases and blurs exact
words. Both are plain Python without randomness, so that the shipped runs can be made again and checked.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firsthit.demo.writing import FILES

__all__ = ["DEPTH", "bm25", "build", "dense", "passages_of", "rank"]

DEPTH = 10
DIMENSIONS = 512
STOP_WORDS = frozenset(Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8").split())

Scores = Sequence[float]


def passages_of(document: Path) -> list[dict[str, str | int]]:
    """Cut a document at its headings; `start` and `end` count the characters of the whole document."""
    text = document.read_text(encoding="utf-8")
    sections = re.finditer(r"^## (?P<passage>(?P<title>.+)\n(?:(?!## ).*\n?)*)", text, re.MULTILINE)
    return [_passage(document, match) for match in sections]


def _passage(document: Path, match: re.Match[str]) -> dict[str, str | int]:
    text = match["passage"].rstrip()
    slug = re.sub(r"[^a-z0-9]+", "-", match["title"].lower()).strip("-")
    start = match.start("passage")
    return {
        "doc_id": f"{document.stem}/{slug}",
        "source": document.name,
        "start": start,
        "end": start + len(text),
        "text": text,
    }


def terms(text: str) -> list[str]:
    """The words of a text in lower case, without stop words.

    >>> terms("How do I stop my subscription?")
    ['stop', 'subscription']
    """
    return [word for word in re.findall(r"[a-z0-9£]+", text.lower()) if word not in STOP_WORDS]


def bm25(query: str, texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> Scores:
    """The BM25 score of each text; 0 where no word of the query stands in it."""
    counts = [Counter(terms(text)) for text in texts]
    lengths = [count.total() for count in counts]
    average = sum(lengths) / len(lengths)
    containing = Counter(word for count in counts for word in count)

    def weight(word: str, count: Counter[str], length: int) -> float:
        idf = math.log(1 + (len(texts) - containing[word] + 0.5) / (containing[word] + 0.5))
        return idf * count[word] * (k1 + 1) / (count[word] + k1 * (1 - b + b * length / average))

    words = terms(query)
    return [sum(weight(w, c, n) for w in words if c[w]) for c, n in zip(counts, lengths, strict=True)]


def dense(query: str, texts: Sequence[str]) -> Scores:
    """The cosine similarity of the query's vector and that of each text."""
    concepts = _thesaurus()
    features = [_features(text, concepts) for text in texts]
    containing = Counter(feature for counts in features for feature in counts)
    idf = {feature: math.log((len(texts) + 1) / (count + 1)) for feature, count in containing.items()}
    unseen = math.log(len(texts) + 1)
    vectors = [_vector(counts, idf, unseen) for counts in features]
    asked = _vector(_features(query, concepts), idf, unseen)
    return [sum(x * y for x, y in zip(asked, vector, strict=True)) for vector in vectors]


def _thesaurus() -> dict[str, list[str]]:
    lines = Path(__file__).with_name("thesaurus.txt").read_text(encoding="utf-8").splitlines()
    concepts: dict[str, list[str]] = {}
    for number, line in enumerate(lines):
        for word in line.split():
            concepts.setdefault(word, []).append(f"concept{number}")
    return concepts


def _features(text: str, concepts: Mapping[str, Sequence[str]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word in terms(text):
        padded = f"^{word}$"
        counts.update(padded[i : i + n] for n in (3, 4, 5) for i in range(len(padded) - n + 1))
        counts.update(dict.fromkeys(concepts.get(word, ()), 4))
    return counts


def _vector(counts: Mapping[str, int], idf: Mapping[str, float], unseen: float) -> list[float]:
    vector = [0.0] * DIMENSIONS
    for feature, count in counts.items():
        code = zlib.crc32(feature.encode())
        sign = 1 if code >> 31 else -1
        vector[code % DIMENSIONS] += sign * math.sqrt(count) * idf.get(feature, unseen)
    norm = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / norm for x in vector]


def rank(scores: Scores, depth: int = DEPTH) -> list[tuple[int, float]]:
    """The positions and rounded scores of the best `depth` texts; a text that scores 0 is not returned.

    >>> rank([0.0, 2.0, 3.5])
    [(2, 3.5), (1, 2.0)]
    """
    rounded = [(position, round(score, 4)) for position, score in enumerate(scores)]
    return sorted((item for item in rounded if item[1] > 0), key=lambda item: (-item[1], item[0]))[:depth]


def build(folder: Path = FILES) -> None:
    """Write passages.jsonl, the runs as JSON Lines and as TREC text, and the labels as TREC text."""
    documents = sorted((folder / "documents").glob("*.md"))
    passages = [passage for document in documents for passage in passages_of(document)]
    _write(folder / "passages.jsonl", map(_json, passages))
    queries = [json.loads(line) for line in _lines(folder / "queries.jsonl")]
    texts = [str(passage["text"]) for passage in passages]
    for name, system in (("bm25", bm25), ("dense", dense)):
        rows = [
            _row(query["query_id"], place, score, passages[position])
            for query in queries
            for place, (position, score) in enumerate(rank(system(query["text"], texts)), 1)
        ]
        _write(folder / f"{name}.jsonl", map(_json, rows))
        _write(folder / f"{name}.run", (_trec_run_line(row, name) for row in rows))
    labels = map(json.loads, _lines(folder / "labels.jsonl"))
    _write(folder / "qrels.txt", (f"{x['query_id']} 0 {x['doc_id']} {x['grade']}" for x in labels))


def _row(
    query_id: str, place: int, score: float, passage: Mapping[str, str | int]
) -> dict[str, str | int | float]:
    named = {"query_id": query_id, "doc_id": passage["doc_id"], "rank": place, "score": score}
    return named | dict(passage) | {"tokens": round(len(str(passage["text"])) / 4)}


def _trec_run_line(row: Mapping[str, str | int | float], tag: str) -> str:
    return f"{row['query_id']} Q0 {row['doc_id']} {row['rank']} {row['score']:.4f} {tag}"


def _json(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    build()
