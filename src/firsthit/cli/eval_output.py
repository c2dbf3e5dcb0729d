"""How evaluations are printed: means with their card, per-query values, and the lists behind the counts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from firsthit.cli.cards import shared_lines
from firsthit.cli.output import encode, print_rows, printable, terminal_width, wrap, write

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["print_list", "print_means", "print_notices", "print_per_query"]


def print_notices(evaluations: Sequence[Evaluation]) -> None:
    """What the user should know, on standard error below the data; once where all runs share it."""
    sys.stdout.flush()
    runs: dict[str, list[str]] = {}
    for evaluation in evaluations:
        for notice in evaluation.card.notices:
            runs.setdefault(notice, []).append(evaluation.card.name)
    for notice, names in runs.items():
        where = "" if len(names) == len(evaluations) else f"{', '.join(names)}: "
        click.echo(f"note: {printable(f'{where}{notice}')}", err=True)


def print_means(evaluations: Sequence[Evaluation], output_format: str, *, full: bool = False) -> None:
    """One row a run, and under the table the card; data formats hold data only."""
    if output_format == "json":
        write(encode({"evaluations": [item.summary() for item in evaluations]}, indent=True) + "\n")
        return
    if output_format == "jsonl":
        write("".join(encode(item.summary()) + "\n" for item in evaluations))
        return
    measures = list(evaluations[0].measures)
    rows = [{"run": e.card.name} | {name: e.shown(name) for name in measures} for e in evaluations]
    print_rows(rows, ["run", *measures], output_format)
    if output_format == "table":
        write("\n" + _cards(evaluations, full=full))


def _cards(evaluations: Sequence[Evaluation], *, full: bool) -> str:
    width = terminal_width()
    if full:
        cards = [evaluation.card for evaluation in evaluations]
        headings = [f"{card.name}\n" if len(cards) > 1 else "" for card in cards]
        texts = [head + card.text(full=True) for head, card in zip(headings, cards, strict=True)]
        return "\n\n".join(_wrapped(text.splitlines(), width) for text in texts) + "\n"
    short = {evaluation.card.name: evaluation.card.text() for evaluation in evaluations}
    return _wrapped(shared_lines(short), width) + "\n"


def _wrapped(lines: Iterable[str], width: int | None) -> str:
    return "\n".join(wrap(line, width) for line in lines)


def print_per_query(evaluations: Sequence[Evaluation], output_format: str) -> None:
    """One row for each query of each run."""
    rows = (row for evaluation in evaluations for row in evaluation.rows())
    if output_format == "json":
        write(encode({"queries": list(rows)}, indent=True) + "\n")
    elif output_format == "jsonl":
        print_rows(rows, (), output_format)
    else:
        flat = ({**row, **row["values"]} for row in rows)
        columns = ["query_id", "status", "first_rank", *evaluations[0].measures]
        print_rows(flat, _columns(evaluations, columns), output_format)


def print_list(evaluations: Sequence[Evaluation], what: str, output_format: str) -> None:
    """The queries or lines behind one count."""
    listings = [(evaluation.card.name, evaluation.listed(what)) for evaluation in evaluations]
    columns = list(listings[0][1].columns)
    rows: list[dict[str, Any]] = [
        {"run": name} | dict(zip(columns, row, strict=True))
        for name, listing in listings
        for row in listing.rows
    ]
    if output_format == "json":
        write(encode({what: rows}, indent=True) + "\n")
        return
    if rows or output_format != "table":
        print_rows(rows, _columns(evaluations, columns), output_format)
    else:
        click.echo(f"nothing is listed as {what}.", err=True)


def _columns(evaluations: Sequence[Evaluation], columns: Sequence[str]) -> list[str]:
    """The run is named where there are several."""
    return ["run", *columns] if len(evaluations) > 1 else list(columns)
