"""The demo's labels hold for any way to cut its documents: what firsthit says, against a plain reckoning."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from firsthit import evaluate
from firsthit.demo import FILES
from firsthit.demo.chunking import CHUNKINGS

Row = dict[str, Any]

MEASURES = ["RR@10", "RR(rel=2)@10", "Success@1", "R@10", "AP", "nDCG@10", "Judged@10", "Rprec", "P@5"]
CHUNKED = [f"{system}-{way}" for system in ("bm25", "dense") for way in CHUNKINGS]


@cache
def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (FILES / name).read_text(encoding="utf-8").splitlines()]


@cache
def labels_of(query_id: str) -> list[Row]:
    return [row for row in rows("labels.jsonl") if row["query_id"] == query_id]


def rankings(run: Path) -> dict[str, list[Row]]:
    """The passages of each question in the order of the scores; equal ones by doc_id descending."""
    passages = {row["doc_id"]: row for row in rows("chunks/passages.jsonl")}
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in run.read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, _, score, _ = line.split()
        found[query_id].append((float(score), doc_id))
    return {
        query: [passages[doc] for _, doc in sorted(ranked, reverse=True)] for query, ranked in found.items()
    }


def covers(passage: Row, label: Row, overlap: float) -> bool:
    """Whether the passage holds that share of the labelled span."""
    both: int = min(passage["end"], label["end"]) - max(passage["start"], label["start"])
    same: bool = passage["source"] == label["source"]
    return same and both >= overlap * (label["end"] - label["start"])


def first_ranks(ranked: list[Row], query_id: str, overlap: float) -> dict[str, int]:
    """For each need of the relevant labels ("": none) the rank of the first passage that serves it."""
    first: dict[str, int] = {}
    for rank, passage in enumerate(ranked, 1):
        for label in labels_of(query_id):
            if label["grade"] >= 1 and covers(passage, label, overlap):
                first.setdefault(label.get("need", ""), rank)
    return first


@pytest.mark.parametrize("system", ["bm25", "dense"])
def test_labels_of_spans_and_labels_of_passages_give_the_same_values(system: str) -> None:
    spans = evaluate(FILES / "labels.jsonl", FILES / f"{system}.jsonl", MEASURES)
    passages = evaluate(FILES / "qrels.txt", FILES / f"{system}.run", MEASURES)
    assert spans.query_ids == passages.query_ids
    assert spans.status == passages.status
    assert spans.ties == passages.ties
    assert spans.bounds == passages.bounds
    for measure in MEASURES:
        assert spans[measure].tolist() == pytest.approx(passages[measure].tolist(), nan_ok=True), measure


@pytest.mark.parametrize("overlap", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("run", CHUNKED)
def test_a_passage_is_relevant_when_it_covers_enough_of_the_words(run: str, overlap: float) -> None:
    path = FILES / "chunks" / f"{run}.run"
    passages = FILES / "chunks" / "passages.jsonl"
    found = evaluate(FILES / "labels.jsonl", path, ["RR@10"], passages=passages, overlap=overlap)
    ranked = rankings(path)
    for query_id, value in zip(found.query_ids, found["RR@10"].tolist(), strict=True):
        first = first_ranks(ranked.get(query_id, []), query_id, overlap)
        assert value == (1 / min(first.values()) if first else 0), query_id


@pytest.mark.parametrize("run", CHUNKED)
def test_the_required_needs_of_a_question_are_counted_by_hand_alike(run: str) -> None:
    path = FILES / "chunks" / f"{run}.run"
    measures = ["Coverage@5", "Complete@5", "RRAll@10"]
    found = evaluate(
        FILES / "labels.jsonl",
        path,
        measures,
        passages=FILES / "chunks" / "passages.jsonl",
        queries=FILES / "queries.jsonl",
    )
    ranked = rankings(path)
    required = {row["query_id"]: row.get("needs", [""]) for row in rows("queries.jsonl")}
    for number, query_id in enumerate(found.query_ids):
        if not found.counted[number]:
            continue
        first = first_ranks(ranked.get(query_id, []), query_id, 0.5)
        ranks = [first.get(need, 11) for need in required[query_id]]
        share = sum(rank <= 5 for rank in ranks) / len(ranks)
        expected = [share, float(share == 1), 1 / max(ranks) if max(ranks) <= 10 else 0]
        assert [found[measure][number] for measure in measures] == pytest.approx(expected), query_id


def test_the_warranty_of_a_refurbished_grinder_first_hit_1_both_at_3() -> None:
    """The policy-and-exception case of docs/evidence.md."""
    measures = ["RR@10", "Coverage@1", "Complete@1", "Coverage@3", "Complete@3", "RRAll@10"]
    found = evaluate(FILES / "labels.jsonl", FILES / "bm25.jsonl", measures, queries=FILES / "queries.jsonl")
    number = list(found.query_ids).index("q38")
    assert [found[measure][number] for measure in measures] == [1, 0.5, 0, 1, 1, 1 / 3]


@pytest.mark.parametrize("page", ["evidence.md", "rechunking.md"])
def test_a_row_shown_on_a_page_stands_in_the_files(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    lines = {
        line for path in FILES.rglob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()
    }
    shown = [line for line in text.splitlines() if line.startswith('{"') and '"184"' not in line]
    assert shown
    assert set(shown) <= lines
