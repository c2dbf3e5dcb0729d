"""Small collections for properties of the public interface: labels and runs as mappings, and their files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

from hypothesis import strategies as st

__all__ = ["EVERY_MEASURE", "Labels", "Scores", "collections", "orders_of", "ranked", "write_forms"]

Labels = dict[str, dict[str, float]]
Scores = dict[str, dict[str, float]]

DOCS = ["a", "b", "c", "d", "é", "10", "a#1"]
QUERIES = ["q1", "q2", "二"]
EVERY_MEASURE = [
    "RR", "RR@1", "RR@2", "RR@10", "RR(rel=2)@3", "Success@1", "Success@3", "P@3", "R@3", "AP", "AP@3",
    "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@3", "Rprec", "Bpref", "RBP", "ERR@3", "Judged@3",
    "NumRet", "NumRel", "NumRelRet",
]  # fmt: skip


@st.composite
def collections(draw: st.DrawFn, scores: st.SearchStrategy[float] | None = None) -> tuple[Labels, Scores]:
    """Labels with grades -1 to 3, and a run with many ties; queries may be absent from either."""
    score = st.sampled_from([1.0, 2.0, 2.5]) if scores is None else scores
    grades = st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0, 3.0])
    labels = {
        query: draw(st.dictionaries(st.sampled_from(DOCS), grades, min_size=1, max_size=5))
        for query in QUERIES
    }
    run = {
        query: draw(st.dictionaries(st.sampled_from(DOCS), score, max_size=6)) for query in [*QUERIES, "x"]
    }
    run = {query: docs for query, docs in run.items() if docs}
    return labels, run or {"q1": {"a": 1.0}}


def ranked(docs: dict[str, float]) -> list[tuple[str, float]]:
    """The documents by score descending, then doc_id descending as bytes."""
    by_id = sorted(docs.items(), key=lambda item: item[0].encode(), reverse=True)
    return sorted(by_id, key=lambda item: item[1], reverse=True)


def orders_of(docs: dict[str, float]) -> Iterator[list[str]]:
    """Every ranking that the scores allow."""
    groups: dict[float, list[str]] = {}
    for doc, score in ranked(docs):
        groups.setdefault(score, []).append(doc)
    for order in product(*[permutations(group) for group in groups.values()]):
        yield [doc for group in order for doc in group]


def write_forms(labels: Labels, run: Scores, folder: Path) -> Iterator[tuple[Path, Path]]:
    """The same labels and run as files of every format of lines."""
    graded = [(query, doc, grade) for query, docs in labels.items() for doc, grade in docs.items()]
    scored = [
        (query, doc, rank, score)
        for query, docs in run.items()
        for rank, (doc, score) in enumerate(ranked(docs), 1)
    ]
    label_texts = {
        "trec": "".join(f"{q} 0 {d} {g}\n" for q, d, g in graded),
        "tsv": "query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{d}\t{g}\n" for q, d, g in graded),
        "csv": "doc_id,grade,query_id\n" + "".join(f'"{d}",{g},{q}\n' for q, d, g in graded),
        "jsonl": "".join(
            json.dumps({"query_id": q, "relevance": g, "doc_id": d}) + "\n" for q, d, g in graded
        ),
    }
    run_texts = {
        "trec": "\ufeff" + "".join(f"{q} Q0 {d} {r} {s!r} t\r\n" for q, d, r, s in scored),
        "tsv": "score\tquery_id\tdoc_id\n" + "".join(f"{s!r}\t{q}\t{d}\n" for q, d, r, s in scored),
        "csv": "query_id;doc_id;score;rank\n" + "".join(f'{q};"{d}";{s!r};{r}\n' for q, d, r, s in scored),
        "jsonl": "".join(
            json.dumps({"doc_id": d, "score": s, "query_id": q}) + "\n" for q, d, r, s in scored
        ),
    }
    for form, label_text in label_texts.items():
        paths = folder / f"labels.{form}", folder / f"run.{form}"
        paths[0].write_text(label_text, encoding="utf-8")
        paths[1].write_text(run_texts[form], encoding="utf-8", newline="")
        yield paths
    packed = folder / "run.gz"
    packed.write_bytes(gzip.compress(run_texts["trec"].encode()))
    yield folder / "labels.trec", packed
