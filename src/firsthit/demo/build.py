"""Makes what can be made of the demo's files: `python -m firsthit.demo.build`.

Written by hand are the documents, the questions, the judgments and the answers; the passages, the labels and
the rankings follow from them, so that the shipped files can be made again and checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firsthit.demo.chunking import CHUNKINGS, Chunk, sections
from firsthit.demo.labelling import judgments, label
from firsthit.demo.ranking import SYSTEMS, rank
from firsthit.demo.writing import FILES

__all__ = ["build"]

Query = Mapping[str, str]
Row = dict[str, str | int | float]


def build(folder: Path = FILES) -> None:
    """Write the passages, labels and runs of the collection, its other chunkings and its later states."""
    documents = sorted((folder / "documents").glob("*.md"))
    queries = [json.loads(line) for line in _lines(folder / "queries.jsonl")]
    passages = [passage for document in documents for passage in sections(document)]
    _write(folder / "passages.jsonl", map(_json, passages))
    _write_labels(folder, passages)
    for name in SYSTEMS:
        rows = _ranked(name, queries, passages)
        _write(folder / f"{name}.jsonl", map(_json, rows))
        _write_run(folder / f"{name}.run", rows, name)
    _write_chunks(folder / "chunks", documents, queries)
    _write_revised(folder / "revised", documents, queries)
    _write_repeated(folder / "repeated", passages, queries)


def _write_labels(folder: Path, passages: Sequence[Chunk]) -> None:
    """The judgments, as labels of the documents and as TREC labels of the passages."""
    rows, section = judgments(), {passage["doc_id"]: passage for passage in passages}
    _write(folder / "labels.jsonl", (_json(label(row, section[row["doc_id"]])) for row in rows))
    _write(folder / "qrels.txt", (f"{row['query_id']} 0 {row['doc_id']} {row['grade']}" for row in rows))


def _write_chunks(folder: Path, documents: Sequence[Path], queries: Sequence[Query]) -> None:
    """The same documents cut in three other ways, all passages in one file, and a run a way and system."""
    cut = {way: [x for document in documents for x in chunks(document)] for way, chunks in CHUNKINGS.items()}
    _write(folder / "passages.jsonl", (_json(chunk) for chunks in cut.values() for chunk in chunks))
    for way, chunks in cut.items():
        for name in SYSTEMS:
            _write_run(folder / f"{name}-{way}.run", _ranked(name, queries, chunks), name)


def _write_revised(folder: Path, documents: Sequence[Path], queries: Sequence[Query]) -> None:
    """The collection after a document was revised and its passages got new ids."""
    revised = {document.name: document for document in (folder / "documents").glob("*.md")}
    passages = [
        passage | {"doc_id": f"{document.name}#{number}"}
        for document in documents
        for number, passage in enumerate(sections(revised.get(document.name, document)), 1)
    ]
    _write_corpus(folder, passages, queries)


def _write_repeated(folder: Path, passages: Sequence[Chunk], queries: Sequence[Query]) -> None:
    """The collection with a page that repeats what other pages say."""
    more = [x for document in sorted((folder / "documents").glob("*.md")) for x in sections(document)]
    _write_corpus(folder, [*passages, *more], queries)


def _write_corpus(folder: Path, passages: Sequence[Chunk], queries: Sequence[Query]) -> None:
    _write(folder / "passages.jsonl", map(_json, passages))
    _write_run(folder / "dense.run", _ranked("dense", queries, passages), "dense")


def _ranked(name: str, queries: Sequence[Query], passages: Sequence[Chunk]) -> list[Row]:
    scores = SYSTEMS[name]([str(passage["text"]) for passage in passages])
    return [
        _row(query["query_id"], place, score, passages[position])
        for query in queries
        for place, (position, score) in enumerate(rank(scores(query["text"])), 1)
    ]


def _row(query_id: str, place: int, score: float, passage: Chunk) -> Row:
    named = {"query_id": query_id, "doc_id": passage["doc_id"], "rank": place, "score": score}
    return {**named, **passage, "tokens": round(len(str(passage["text"])) / 4)}


def _write_run(path: Path, rows: Iterable[Row], tag: str) -> None:
    """The rows in TREC's form."""
    _write(path, (f"{x['query_id']} Q0 {x['doc_id']} {x['rank']} {x['score']:.4f} {tag}" for x in rows))


def _json(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    build()
