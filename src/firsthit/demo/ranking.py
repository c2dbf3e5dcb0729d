"""The demo's two search systems, in plain Python without randomness, so that its runs can be made again.

"bm25" is BM25 over words. "dense" is the cosine similarity of 512-dimensional vectors in which the character
n-grams of the words and the concepts of a small thesaurus are hashed: it finds paraphrases and blurs exact
words.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

__all__ = ["DEPTH", "SYSTEMS", "Scores", "System", "bm25", "dense", "rank", "terms"]

DEPTH = 10
DIMENSIONS = 512
STOP_WORDS = frozenset(Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8").split())

Scores = Sequence[float]
System = Callable[[str], Scores]
"""What gives each text of a corpus its score for a query."""


def terms(text: str) -> list[str]:
    """The words of a text in lower case, without stop words.

    >>> terms("How do I stop my subscription?")
    ['stop', 'subscription']
    """
    return [word for word in re.findall(r"[a-z0-9£]+", text.lower()) if word not in STOP_WORDS]


def bm25(texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> System:
    """BM25 over these texts; a text scores 0 where no word of the query stands in it.

    >>> [score > 0 for score in bm25(["fresh beans", "gift card"])("are the beans fresh?")]
    [True, False]
    """
    counts = [Counter(terms(text)) for text in texts]
    average = sum(count.total() for count in counts) / len(counts)
    containing = Counter(word for count in counts for word in count)
    weights: dict[str, list[tuple[int, float]]] = {word: [] for word in containing}
    for position, count in enumerate(counts):
        for word, times in count.items():
            idf = math.log(1 + (len(texts) - containing[word] + 0.5) / (containing[word] + 0.5))
            damped = times + k1 * (1 - b + b * count.total() / average)
            weights[word].append((position, idf * times * (k1 + 1) / damped))

    def scores(query: str) -> Scores:
        found = [0.0] * len(texts)
        for word in terms(query):
            for position, weight in weights.get(word, ()):
                found[position] += weight
        return found

    return scores


def dense(texts: Sequence[str]) -> System:
    """The cosine similarity of a query's vector and that of each of these texts."""
    concepts = _thesaurus()
    features = [_features(text, concepts) for text in texts]
    containing = Counter(feature for counts in features for feature in counts)
    idf = {feature: math.log((len(texts) + 1) / (count + 1)) for feature, count in containing.items()}
    unseen = math.log(len(texts) + 1)
    vectors = [_vector(counts, idf, unseen) for counts in features]

    def scores(query: str) -> Scores:
        asked = _vector(_features(query, concepts), idf, unseen)
        return [sum(x * y for x, y in zip(asked, vector, strict=True)) for vector in vectors]

    return scores


SYSTEMS: dict[str, Callable[[Sequence[str]], System]] = {"bm25": bm25, "dense": dense}


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
