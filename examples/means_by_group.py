"""Means by group: on which topics is a system good, and on which not?

Run it in the folder that `firsthit demo` writes.
"""

from __future__ import annotations

import numpy as np

import firsthit

queries = firsthit.read_queries("queries.jsonl")
topics = dict(zip(queries.query_id, queries.groups["topic"], strict=True))


def means(run: str) -> dict[str | None, float]:
    """The mean RR@10 of each topic, over the questions that count."""
    found = firsthit.evaluate("labels.jsonl", run, ["RR@10"], queries=queries)
    topic = np.array([topics[query_id] for query_id in found.query_ids])
    return {
        name: found["RR@10"][found.counted & (topic == name)].mean() for name in set(topic[found.counted])
    }


bm25, dense = means("bm25.jsonl"), means("dense.jsonl")
print(f"{'topic':<15}{'bm25':>8}{'dense':>8}")
for name in sorted(bm25, key=str):
    print(f"{name:<15}{bm25[name]:>8.4f}{dense[name]:>8.4f}")
