"""Ask your own retriever, evaluate what it returns, and look at the questions it fails on.

Run it in the folder that `firsthit demo` writes; put your retriever in the place of `search`.
"""

from __future__ import annotations

import json
from pathlib import Path

import firsthit
from firsthit.demo.ranking import bm25, rank


def read(name: str) -> list[dict[str, str]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines()]


passages = read("passages.jsonl")
scores = bm25([passage["text"] for passage in passages], k1=0.9, b=0.4)
questions = {row["query_id"]: row["text"] for row in read("queries.jsonl")}


def search(question: str) -> dict[str, float]:
    """The ids and scores of the ten best passages."""
    return {passages[position]["doc_id"]: score for position, score in rank(scores(question))}


run = {query_id: search(text) for query_id, text in questions.items()}
found = firsthit.evaluate(
    "labels.jsonl",  # names words of documents; passages.jsonl says which passage holds which
    run,
    ["RR@10", "Success@3"],
    queries="queries.jsonl",
    passages="passages.jsonl",
    name="tuned bm25",
)

print(found.card.text())
print()
for query_id, _, _, _, answer in found.listed("miss").rows:
    print(f"{questions[query_id]!r} should have found {answer}")
