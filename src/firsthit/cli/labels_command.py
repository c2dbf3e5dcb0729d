"""`firsthit labels`: what a label file may hold, whether it fits a corpus, and its way to another one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from firsthit.cli import options
from firsthit.cli.sections import SectionedCommand, SectionedGroup, option
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.labels import Carried
    from firsthit.passages import Passages

__all__ = ["command"]

EPILOG = """
Examples:

  firsthit labels check labels.jsonl passages.jsonl
  firsthit labels carry labels.jsonl old.jsonl new.jsonl -o carried.jsonl --lost lost.jsonl
  firsthit labels schema > label.schema.json
"""

CHECK_EPILOG = """
Examples:

  firsthit labels check labels.jsonl passages.jsonl
  firsthit labels check qrels.txt corpus.jsonl --max-stale 0.05 --format json
"""

CARRY_EPILOG = """
Example:

  firsthit labels carry labels.jsonl old.jsonl new.jsonl -o carried.jsonl --lost lost.jsonl
"""

SCHEMA_EPILOG = """
Example:

  firsthit labels schema > label.schema.json
"""


@click.group("labels", cls=SectionedGroup, epilog=EPILOG)
def command() -> None:
    """Look after label files: check them against a corpus, carry them to new passages.

    docs/labels.md says what a label file may hold, docs/stale-labels.md what happens when a corpus changes.
    """


@command.command("check", cls=SectionedCommand, epilog=CHECK_EPILOG)
@click.argument("qrels")
@click.argument("corpus")
@options.max_stale_option
@options.source_options
@option(
    "--rel",
    section=options.RULES,
    type=click.FLOAT,
    default=1.0,
    show_default=True,
    help="A label is relevant from this grade on; the share is that of relevant labels.",
)
@option(
    "--needs",
    section=options.RULES,
    type=click.Choice(["ignore", "iter"]),
    default="ignore",
    show_default=True,
    help="The second column of TREC labels: ignored, or (iter) the information need.",
)
@option(
    "--unit",
    section=options.RULES,
    type=click.Choice(["passage", "document"]),
    default="passage",
    show_default=True,
    help="What a doc_id of the labels names: a passage, or the document that passages were cut from.",
)
@options.qrels_format_option
@options.words_format_option
def check_command(
    *,
    qrels: str,
    corpus: str,
    max_stale: float | None,
    rel: float,
    needs: str,
    unit: str,
    qrels_format: str | None,
    output_format: str,
    **sources: str | None,
) -> None:
    """Look for labels (QRELS) that point at what CORPUS does not hold.

    CORPUS is a file of passages: JSON Lines, CSV or TSV with doc_id and, where they are known, source, start,
    end and text. A label is stale when its document or source is gone, or its quote is no longer in its
    source. The exit code is 3 when more relevant labels are stale than --max-stale allows, 2 when a span lies
    beyond its source, else 0.
    """
    from firsthit.cli.output import encode, paragraph, write
    from firsthit.labels import check_labels
    from firsthit.qrels import read_qrels
    from firsthit.rules import rules_from

    options.refuse_shared_input(qrels, corpus, sources["sources"])
    labels = read_qrels(qrels, format=qrels_format, rules=rules_from({"needs": needs}))
    limit = options.stale_limit(max_stale)
    passages = _passages(corpus, sources)
    found = check_labels(labels, passages, documents=unit == "document", max_stale=limit, rel=rel)
    if output_format == "json":
        write(encode(found.data(), indent=True) + "\n")
    else:
        write("".join(f"{paragraph(line, 4)}\n" for line in found.text().splitlines()))
    if found.exit_code:
        raise click.exceptions.Exit(found.exit_code)


@command.command("carry", cls=SectionedCommand, epilog=CARRY_EPILOG)
@click.argument("qrels")
@click.argument("old")
@click.argument("new")
@option("-o", "--output", section="Output", required=True, metavar="FILE", help="The labels of NEW.")
@option(
    "--lost",
    section="Output",
    metavar="FILE",
    help="The labels that were not carried, each with the reason and the nearest passages.",
)
@options.source_options
@options.qrels_format_option
def carry_command(
    *,
    qrels: str,
    old: str,
    new: str,
    output: str,
    lost: str | None,
    qrels_format: str | None,
    **sources: str | None,
) -> None:
    """Move labels (QRELS) from the passages of OLD to those of NEW.

    OLD and NEW are files of passages with doc_id, text and, where they are known, source, start and end. A
    label is carried to a passage of the same source and span, or of equal text (in another source only where
    exactly one passage has it), or that holds its quote in its source. Everything else is a suggestion or
    lost, and no label. Files are written whole or not at all.
    """
    from firsthit.cli.output import write
    from firsthit.cli.targets import refuse_unwritable
    from firsthit.files.atomic import write_whole
    from firsthit.labels import carry, label_blocks, lost_blocks, read_label_file

    options.refuse_shared_input(qrels, old, new, sources["sources"])
    for path in filter(None, (output, lost)):
        refuse_unwritable(path)
    if lost is not None and os.path.realpath(lost) == os.path.realpath(output):
        raise UsageError("-o and --lost are one file.", hint="Nothing was written; name another one.")
    file = read_label_file(qrels, qrels_format)
    carried = carry(file.rows, _passages(old, sources), _passages(new, sources))
    if lost is not None:
        write_whole(lost, lost_blocks(carried))
    write_whole(output, label_blocks(file, carried))
    write("".join(f"{line}\n" for line in _counts(carried)))
    for path in filter(None, (output, lost)):
        click.echo(f"saved: {path}", err=True)


def _passages(path: str, sources: dict[str, str | None]) -> Passages:
    """The passages of a corpus, with the sources that a file or the separator says."""
    from firsthit.passages import read_passages
    from firsthit.resolve.sources import Collection

    passages = read_passages(path)
    return Collection.of(None, sources["sources"], sources["source_separator"]).filled(passages)


def _counts(carried: Carried) -> Iterator[str]:
    """How many labels were carried by what, and how many were not."""
    from firsthit.labels import RULES
    from firsthit.wording import many

    labels = many(len(carried.moves), "label")
    yield f"{labels}: {carried.count('carried'):,} carried, as {len(carried.rows):,}"
    yield from (f"  {RULES[rule]}: {count:,}" for rule, count in carried.by_rule.items())
    for status, what in (
        ("suggested", "suggested: a person must decide"),
        ("lost", "lost: nothing in NEW comes near"),
        ("merged", "merged: another label of the same new passage stays"),
    ):
        count = carried.count(status)  # type: ignore[arg-type]
        if count:
            yield f"{what}: {count:,}"


@command.command("schema", cls=SectionedCommand, epilog=SCHEMA_EPILOG)
def schema_command() -> None:
    """Print the JSON Schema of a line of a label file.

    Other keys are allowed and kept; qid, docid, relevance and other names in docs/formats.md are read, too.
    """
    from firsthit.cli.output import encode, write
    from firsthit.labels import label_schema

    write(encode(label_schema(), indent=True) + "\n")
