"""How a judging queue is printed and exported."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click
import msgspec

from firsthit.cli.output import encode, paragraph, print_rows, separated, write
from firsthit.cli.targets import refuse_unwritable
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.queries import Queries
    from firsthit.queue import Item, JudgingQueue

__all__ = ["Texts", "check_target", "print_queue", "write_documents"]

SHOWN = 20
"""How many documents a table shows where --limit does not say."""

ENDS = (".jsonl", ".csv", ".tsv")
WITH_TEXTS = ("jsonl", "csv", "tsv")
"""The formats of runs that may hold texts."""


class Texts(msgspec.Struct, frozen=True):
    """What is known of the texts of queries and documents."""

    queries: Mapping[str, str | None]
    documents: Mapping[str, str]

    @classmethod
    def of(
        cls,
        queue: JudgingQueue,
        limit: int | None,
        table: Queries | None,
        passages: Sequence[str],
        evaluations: Sequence[Evaluation],
    ) -> Texts:
        """The texts of the first `limit` documents, from the files named or else from the runs."""
        from firsthit.passages import texts_of

        queries = {} if table is None else dict(zip(table.query_id, table.text, strict=True))
        wanted = {item.doc_id for item in queue.items[:limit]}
        documents: dict[str, str] = {}
        for path in passages or _runs_with_texts(evaluations):
            documents |= texts_of(path, wanted - documents.keys())
        return cls(queries, documents)


def _runs_with_texts(evaluations: Iterable[Evaluation]) -> list[str]:
    """The runs whose rows carry texts, as their first one shows; standard input was read already."""
    from firsthit.passages import holds_texts

    runs = [evaluation.card.run for evaluation in evaluations]
    read = [run.file for run in runs if run.format.startswith(WITH_TEXTS) and run.file not in ("", "-")]
    return [path for path in read if not path.startswith("/dev/") and holds_texts(path)]


def check_target(path: str | None) -> None:
    """Refuse an output file of an unknown kind before anything is computed."""
    if path is not None and _kind(path) not in ENDS:
        hint = f"Name a file that ends in {', '.join(ENDS)} (and .gz or .zst)."
        raise UsageError(f"{path}: its ending names no format for documents to judge.", hint=hint)
    if path is not None:
        refuse_unwritable(path)


def _kind(path: str) -> str:
    return PurePath(path.removesuffix(".gz").removesuffix(".zst")).suffix


def write_documents(queue: JudgingQueue, limit: int | None, texts: Texts, path: str) -> None:
    """Write the documents with their texts to a file, and say on standard error where they are."""
    from firsthit.files.atomic import write_whole

    kind = _kind(path)
    rows = _rows(queue, limit, texts)
    if kind == ".jsonl":
        text = "".join(f"{encode(row)}\n" for row in rows)
    else:
        flat = [_flat(row) for row in rows]
        text = "".join(separated(flat, _columns(queue), "\t" if kind == ".tsv" else ","))
    write_whole(path, [text.encode()])
    click.echo(f"saved: {path}", err=True)


def print_queue(
    queue: JudgingQueue, limit: int | None, texts: Texts, output_format: str, *, listed: bool
) -> None:
    """Print the sentence and the documents; only the sentence where the documents went to a file."""
    if output_format == "json":
        data = queue.data(limit) | {"documents": _rows(queue, limit, texts) if listed else []}
        write(encode(data, indent=True) + "\n")
        return
    shown = min(limit or (SHOWN if output_format == "table" else len(queue.items)), len(queue.items))
    said = queue.said(shown if listed else limit or len(queue.items))
    if output_format == "table" or not listed:
        click.echo(paragraph(said))
        if listed and queue.items:
            click.echo()
            print_rows(
                [_shown(queue, item, i) for i, item in enumerate(queue.items[:shown], 1)],
                _heading(queue),
                "table",
            )
    else:
        _print_data(queue, shown, texts, output_format)
        sys.stdout.flush()
        click.echo(f"note: {said}", err=True)
    if listed and limit is None and shown < len(queue.items):
        sys.stdout.flush()
        more = f"{shown:,} of {len(queue.items):,} documents are shown; --limit shows more, -o writes all"
        click.echo(f"note: {more}", err=True)


def _print_data(queue: JudgingQueue, shown: int, texts: Texts, output_format: str) -> None:
    rows = _rows(queue, shown, texts)
    if output_format == "jsonl":
        print_rows(rows, (), output_format)
    else:
        print_rows([_flat(row) for row in rows], _columns(queue), output_format)


def _rows(queue: JudgingQueue, limit: int | None, texts: Texts) -> list[dict[str, Any]]:
    """The documents as data, with texts (None: not known) and room for the grade."""
    return [
        row
        | {
            "query": texts.queries.get(row["query_id"]),
            "text": texts.documents.get(row["doc_id"]),
            "grade": None,
        }
        for row in queue.rows(limit)
    ]


def _columns(queue: JudgingQueue) -> list[str]:
    ranks = [_rank_column(run) for run in queue.runs]
    return ["place", "query_id", "doc_id", "grade", "query", "text", *ranks, "critical", "change", "left"]


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for CSV: the ranks are columns of their own."""
    return {**row, **{_rank_column(run): rank for run, rank in row["ranks"].items()}}


def _rank_column(run: str) -> str:
    return f"rank in {run}"


def _heading(queue: JudgingQueue) -> list[str]:
    critical = ["critical"] if any(item.critical for item in queue.items) else []
    return ["place", "query_id", "doc_id", *map(_rank_column, queue.runs), *critical, "change", "left"]


def _shown(queue: JudgingQueue, item: Item, place: int) -> dict[str, Any]:
    ranks = {_rank_column(run): rank for run, rank in zip(queue.runs, item.ranks, strict=True)}
    return {
        "place": place,
        "query_id": item.query_id,
        "doc_id": item.doc_id,
        "critical": item.critical,
        "change": item.change,
        "left": item.left,
        **ranks,
    }
