"""`firsthit measures`: what there is, and what each measure means."""

from __future__ import annotations

import re
from typing import Any

import click

from firsthit.cli import options
from firsthit.cli.output import encode, paragraph, print_rows, write
from firsthit.cli.sections import SectionedCommand

__all__ = ["command"]

COLUMNS = ("measure", "written", "meaning", "also_understood")

EPILOG = """
Examples:

  firsthit measures
  firsthit measures RR
"""


@click.command("measures", cls=SectionedCommand, epilog=EPILOG)
@click.argument("name", required=False)
@options.output_format_option
def command(name: str | None, output_format: str) -> None:
    """List the measures, or explain one: formula, reading, limits and source.

    NAME may be any name that is understood, such as mrr or ndcg_cut.
    """
    from firsthit.measures import describe

    if name is not None:
        click.echo(_reflowed(describe(name)))
        return
    rows = _rows()
    if output_format == "table":
        write(_listing(rows))
    elif output_format == "json":
        write(encode({"measures": rows}, indent=True) + "\n")
    elif output_format == "jsonl":
        print_rows(rows, COLUMNS, output_format)
    else:
        print_rows([{key: _text(row[key]) for key in COLUMNS} for row in rows], COLUMNS, output_format)


def _rows() -> list[dict[str, Any]]:
    from firsthit.measures import DEFAULT_MEASURES, MEASURES
    from firsthit.measures.names import spellings

    return [
        {
            "measure": definition.name,
            "written": list(spellings(definition)),
            "meaning": definition.summary,
            "also_understood": list(definition.aliases),
            "default": [name for name in DEFAULT_MEASURES if name.partition("@")[0] == definition.name],
        }
        for definition in MEASURES.values()
    ]


def _listing(rows: list[dict[str, Any]]) -> str:
    """A definition list for people: the name, beside it the meaning, and below that the other names."""
    indent = max(len(row["measure"]) for row in rows) + 2
    lines = []
    for row in rows:
        lines.append(paragraph(row["measure"].ljust(indent) + row["meaning"], indent))
        if row["also_understood"]:
            also = f"also: {', '.join(row['also_understood'])}"
            lines.append(paragraph(" " * indent + also, indent))
    return "\n".join([*lines, "", *map(paragraph, _notes(rows)), ""])


def _notes(rows: list[dict[str, Any]]) -> list[str]:
    return [
        "RR@10 looks at the first 10 results; RR(rel=2)@10 takes grades from 2 on as relevant.",
        f"Without -m: {' '.join(name for row in rows for name in row['default'])}.",
        "firsthit measures NAME prints formula, reading, limits and source.",
    ]


def _reflowed(text: str) -> str:
    """A description in the width at hand; "Formula:" and the like start on lines of their own."""
    prose, prompt, example = text.partition("\n\n>>>")
    parts = re.split(r"\n(?=\n|[A-Z][A-Za-z ]*: )", prose)
    return "\n".join(paragraph(" ".join(part.split())) for part in parts) + prompt + example


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else value
