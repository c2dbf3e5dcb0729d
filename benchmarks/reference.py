"""The right MRR@10 of synthetic data, in plain Python: score descending, then doc id descending."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def compute(folder: Path) -> float:
    """Read both files into dicts and rank by sorting."""
    qrels: dict[str, set[str]] = {}
    for line in (folder / "qrels.trec").open():
        query, _, doc, grade = line.split()
        qrels.setdefault(query, set())
        if int(grade) >= 1:
            qrels[query].add(doc)
    run: dict[str, list[tuple[float, str]]] = {}
    for line in (folder / "run.trec").open():
        query, _, doc, _, score, _ = line.split()
        if query in qrels:
            run.setdefault(query, []).append((float(score), doc))
    total = 0.0
    for query, relevant in qrels.items():
        ranked = sorted(run.get(query, []), reverse=True)[:10]
        total += next((1 / rank for rank, (_, doc) in enumerate(ranked, 1) if doc in relevant), 0.0)
    return total / len(qrels)


def reference(folder: Path) -> float:
    """The value, kept beside the data; computed in a process of its own so that this one stays small."""
    kept = folder / "reference.json"
    if not kept.exists():
        subprocess.run([sys.executable, __file__, str(folder)], check=True)
    return float(json.loads(kept.read_text()))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    (target / "reference.json").write_text(json.dumps(compute(target)))
