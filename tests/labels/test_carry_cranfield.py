"""Labels of 1,400 real abstracts, carried to the same abstracts cut, renamed and changed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from firsthit.labels import LabelRow, carry, read_label_file
from firsthit.passages import Passages
from firsthit.resolve.quotes import normalised
from firsthit.staleness.corpus import Corpus
from tests.labels.corpora import cut, passages, sentences, whole, windows


@pytest.fixture(scope="module")
def texts(test_data: Path) -> dict[str, str]:
    with gzip.open(test_data / "cranfield" / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {str(row["id"]): row["text"] for row in rows if row["text"].strip()}


@pytest.fixture(scope="module")
def rows(test_data: Path, texts: dict[str, str]) -> list[LabelRow]:
    """The labels of abstracts that have a text."""
    file = read_label_file(test_data / "cranfield" / "qrels.txt")
    return [row for row in file.rows if row.doc_id in texts]


def documents(texts: dict[str, str], prefix: str = "") -> Passages:
    return passages([{"doc_id": f"{prefix}{name}", "text": text} for name, text in texts.items()])


def test_an_unchanged_collection_keeps_every_label(texts: dict[str, str], rows: list[LabelRow]) -> None:
    corpus = documents(texts)
    assert len(rows) > 1_700
    assert carry(rows, corpus, corpus).rows == rows


def test_renamed_abstracts_are_found_by_their_text(texts: dict[str, str], rows: list[LabelRow]) -> None:
    found = carry(rows, documents(texts), documents(texts, "cran-"))
    twice = {text for text in texts.values() if list(texts.values()).count(text) > 1}
    unclear = [row for row in rows if texts[row.doc_id] in twice]
    assert found.count("carried") == len(rows) - len(unclear)
    assert all(row.doc_id.startswith("cran-") for row in found.rows)


@pytest.mark.parametrize("way", [sentences, windows])
def test_abstracts_that_are_cut_take_a_quote(way: Any, texts: dict[str, str], rows: list[LabelRow]) -> None:
    """A quote of three words is found in every piece of its abstract that holds it, and nowhere else."""
    pieces = cut(texts, way, "p")
    corpus, old = Corpus(pieces), passages([{"doc_id": n, "source": n, "text": t} for n, t in texts.items()])
    quoted = [
        LabelRow(row.query_id, row.doc_id, row.grade, quote=" ".join(texts[row.doc_id].split()[:3]))
        for row in rows
    ]
    found = carry(quoted, old, pieces)
    for move in found.moves:
        holding = [
            pieces.doc_ids[place]
            for place in corpus.rows_of(move.row.doc_id)
            if normalised(move.row.quote) in corpus.normal(place)
        ]
        if move.rule == "quote":
            assert {row.doc_id for row in move.rows} <= set(holding)
        elif move.row.grade <= 0:
            assert move.status != "carried" or move.rule == "text"
    assert found.count("carried") > 0.9 * sum(row.grade > 0 for row in rows)
    assert carry(found.rows, pieces, pieces).rows == found.rows


def test_labels_of_sources_need_no_carrying(texts: dict[str, str], rows: list[LabelRow]) -> None:
    of_sources = [LabelRow(row.query_id, "", row.grade, source=row.doc_id) for row in rows]
    found = carry(of_sources, cut(texts, whole, "w"), cut(texts, sentences, "s"))
    assert found.rows == of_sources
