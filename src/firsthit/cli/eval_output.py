"""How evaluations are printed: means with their card, per-query values, and the lists behind the counts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from firsthit.cli.cards import shared_lines
from firsthit.cli.output import encode, note, print_rows, print_rows_as_json, terminal_width, wrap, write

if TYPE_CHECKING:
    from firsthit.card.card import Card
    from firsthit.evaluation.evaluation import Evaluation

__all__ = [
    "print_agreement",
    "print_list",
    "print_means",
    "print_notices",
    "print_overlaps",
    "print_per_query",
]


def print_notices(evaluations: Sequence[Evaluation], *, beside: bool) -> None:
    """What the user should know, on standard error below the data; once where all runs share it.

    `beside`: the short cards stand above, and what they say is left out.
    """
    from firsthit.card.text import beside_notes

    sys.stdout.flush()
    runs: dict[str, list[str]] = {}
    for evaluation in evaluations:
        for notice in beside_notes(evaluation.card)[1] if beside else evaluation.card.notices:
            runs.setdefault(notice, []).append(evaluation.card.name)
    for notice, names in runs.items():
        where = "" if len(names) == len(evaluations) else f"{', '.join(names)}: "
        note(f"{where}{notice}")


def print_means(evaluations: Sequence[Evaluation], output_format: str, *, full: bool = False) -> None:
    """One row a run, and under the table the card; data formats hold data only."""
    if output_format == "json":
        write(encode({"evaluations": [item.summary() for item in evaluations]}, indent=True) + "\n")
        return
    if output_format == "jsonl":
        write("".join(encode(item.summary()) + "\n" for item in evaluations))
        return
    if output_format == "table":
        _print_headlines(evaluations)
    measures = list(evaluations[0].measures)
    rows = [{"run": e.card.name} | {name: e.shown(name) for name in measures} for e in evaluations]
    print_rows(rows, ["run", *measures], output_format)
    if output_format == "table":
        write("\n" + _cards(evaluations, full=full))


def _print_headlines(evaluations: Sequence[Evaluation]) -> None:
    """Above everything else, which numbers mean nothing."""
    from firsthit.card.text import headline

    several = len(evaluations) > 1
    first = ((item.card.name, headline(item.card)) for item in evaluations)
    lines = [f"{name}: {line}" if several else line for name, line in first if line]
    if lines:
        write(_wrapped(lines, terminal_width()) + "\n\n")


def _cards(evaluations: Sequence[Evaluation], *, full: bool) -> str:
    width = terminal_width()
    if full:
        cards = [evaluation.card for evaluation in evaluations]
        headings = [f"{card.name}\n" if len(cards) > 1 else "" for card in cards]
        texts = [
            head + _below(card, card.text(full=True)) for head, card in zip(headings, cards, strict=True)
        ]
        return "\n\n".join(_wrapped(text.splitlines(), width) for text in texts) + "\n"
    from firsthit.card.text import beside_notes

    lines = {item.card.name: "\n".join(beside_notes(item.card)[0]) for item in evaluations}
    short = {item.card.name: _below(item.card, lines[item.card.name]) for item in evaluations}
    return _wrapped(shared_lines(short), width) + "\n"


def _below(card: Card, text: str) -> str:
    """The text of a card without its headline, which stands above the table."""
    from firsthit.card.text import headline

    return text.removeprefix(f"{headline(card)}\n")


def _wrapped(lines: Iterable[str], width: int | None) -> str:
    return "\n".join(wrap(line, width) for line in lines)


def print_per_query(evaluations: Sequence[Evaluation], output_format: str) -> None:
    """One row for each query of each run."""
    rows = (row for evaluation in evaluations for row in evaluation.rows())
    if output_format == "json":
        print_rows_as_json("queries", rows)
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


def print_overlaps(evaluations: Sequence[Evaluation], output_format: str) -> None:
    """One row an overlap, one column a run: the mean of the primary measure."""
    found = {item.card.name: item.at_overlaps() for item in evaluations}
    name = f"M{evaluations[0].card.primary}"
    people = output_format in ("table", "markdown")
    rows: list[dict[str, Any]] = [
        {"run": run, "overlap": f"{overlap:g}" if people else overlap, name: mean}
        for run, means in found.items()
        for overlap, mean in means.items()
    ]
    if output_format == "json":
        write(encode({"overlaps": rows}, indent=True) + "\n")
        return
    print_rows(rows, _columns(evaluations, ["overlap", name]), output_format)


def print_agreement(evaluations: Sequence[Evaluation], human: str, output_format: str) -> None:
    """The labels by people against the answer strings: a table and a sentence for each run."""
    found = {evaluation.card.name: evaluation.agreement(human) for evaluation in evaluations}
    if output_format in ("json", "jsonl"):
        rows = [{"run": run} | agreed.data() for run, agreed in found.items()]
        text = encode({"agreement": rows}, indent=True) if output_format == "json" else None
        write(f"{text}\n" if text else "".join(f"{encode(row)}\n" for row in rows))
        return
    rows = [{"run": run} | row for run, agreed in found.items() for row in agreed.rows()]
    print_rows(rows, _columns(evaluations, ["human", "answer string", "no answer string"]), output_format)
    if output_format == "table":
        sentences = {run: agreed.sentence for run, agreed in found.items()}
        write("\n" + _wrapped(shared_lines(sentences), terminal_width()) + "\n")


def _columns(evaluations: Sequence[Evaluation], columns: Sequence[str]) -> list[str]:
    """The run is named where there are several."""
    return ["run", *columns] if len(evaluations) > 1 else list(columns)
