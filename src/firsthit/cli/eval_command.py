"""`firsthit eval`: one or several runs against labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from firsthit.cli import options
from firsthit.cli.sections import SectionedCommand, option
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation

__all__ = ["LISTS", "command"]

LISTS = (
    "miss",
    "absent",
    "unlabelled",
    "no-relevant",
    "tied",
    "duplicates",
    "redundant",
    "deduplicated",
    "same-need",
    "needs",
    "partial",
    "unresolved",
    "sources",
    "has-answer",
    "skipped",
)
"""What --list can show: the lists behind the counts of the card."""

EPILOG = """
Examples:

  firsthit eval qrels.txt bm25.run
  firsthit eval qrels.txt bm25.run dense.run -m RR@10 -m nDCG@10 --rel 2
  firsthit eval qrels.txt bm25.run --per-query --format csv > values.csv
  zcat bm25.run.gz | firsthit eval qrels.txt - --name bm25 --save bm25.jsonl
"""


@click.command("eval", cls=SectionedCommand, epilog=EPILOG)
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@options.measure_option
@options.queries_option
@option("--per-query", is_flag=True, section="Output", help="One row for each query, in place of the means.")
@option(
    "--list",
    "listed",
    section="Output",
    type=click.Choice(LISTS),
    help="The queries or lines behind one count of the card, in place of the means.",
)
@option(
    "--overlaps",
    is_flag=True,
    section="Output",
    help="The mean where a passage must cover 0.1, 0.2, …, 1.0 of a labelled span, in place of the means.",
)
@option(
    "--human",
    section="Output",
    metavar="QRELS",
    help="With --match answers: how labels by people agree with the answer strings, in place of the means.",
)
@option("--card", is_flag=True, section="Output", help="The whole card: every rule, input, count and digest.")
@options.output_format_option
@option(
    "--save",
    section="Output",
    metavar="PATH",
    help="Save the evaluation for later comparisons: a file for one run, a folder for several.",
)
@option(
    "--html",
    section="Output",
    metavar="FILE",
    help="A page of the evaluation, in one file (needs firsthit[report]).",
)
@option(
    "--depth",
    section="Output",
    type=int,
    metavar="N",
    help="How many ids of each ranking are saved.  [default: the deepest cutoff, 10 to 100]",
)
@options.names_option
@options.max_stale_option
@options.collection_options
@options.reading_options
@options.threads_option
@options.rule_options
def command(
    *,
    qrels: str,
    runs: tuple[str, ...],
    per_query: bool,
    listed: str | None,
    overlaps: bool,
    human: str | None,
    card: bool,
    output_format: str,
    save: str | None,
    html: str | None,
    **settings: Any,
) -> None:
    """Evaluate runs (RUN) against labels (QRELS).

    QRELS says which documents answer which query; each RUN holds what one system returned. Both may be
    TREC text, CSV, TSV, JSON Lines or another known format, also compressed; "-" is standard input. The
    values are printed with a short card: the formula, what was counted, and how far missing labels and
    equal scores could move the number. The exit code is 3 where labels are stale (docs/stale-labels.md).
    """
    outputs = {
        "--per-query": per_query,
        "--list": listed,
        "--overlaps": overlaps,
        "--human": human,
        "--card": card,
    }
    _refuse_contradictions(outputs, output_format)
    if save is not None:
        from firsthit.cli.targets import refuse_target

        refuse_target(save, len(runs))
    if html is not None:
        _check_page(html, runs)
    kept = save is not None or html is not None
    evaluations = _evaluate(qrels, runs, settings, kept=kept, digest=card or save is not None)
    if save is not None:
        from firsthit.cli.saving import save_evaluations

        save_evaluations(evaluations, save)
    if html is not None:
        _write_page(evaluations[0], html)
    _print(evaluations, outputs, output_format)
    if any(found.card.staleness is not None and found.card.staleness.over for found in evaluations):
        raise click.exceptions.Exit(options.STALE)


def _print(evaluations: Sequence[Evaluation], outputs: dict[str, Any], output_format: str) -> None:
    """One of the outputs that stand in place of each other, and the notices where numbers are shown."""
    from firsthit.cli import eval_output

    per_query, card = outputs["--per-query"], outputs["--card"]
    if outputs["--list"]:
        eval_output.print_list(evaluations, outputs["--list"], output_format)
    elif outputs["--overlaps"]:
        eval_output.print_overlaps(evaluations, output_format)
    elif outputs["--human"]:
        eval_output.print_agreement(evaluations, outputs["--human"], output_format)
    elif per_query:
        eval_output.print_per_query(evaluations, output_format)
        eval_output.print_notices(evaluations, beside=False)
    else:
        eval_output.print_means(evaluations, output_format, full=card)
        if not card:
            eval_output.print_notices(evaluations, beside=output_format == "table")


def _refuse_contradictions(outputs: dict[str, Any], output_format: str) -> None:
    asked = [name for name, given in outputs.items() if given]
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} are different outputs.", hint="Ask for one at a time.")
    if outputs["--card"] and output_format != "table":
        raise UsageError("--card is text.", hint="--format json always holds the whole card, as data.")


def _check_page(path: str, runs: Sequence[str]) -> None:
    from firsthit.cli.targets import refuse_unwritable

    if len(runs) > 1:
        raise UsageError("--html is the page of one run.", hint="firsthit compare --html shows several.")
    refuse_unwritable(path)


def _write_page(evaluation: Evaluation, path: str) -> None:
    from firsthit.files.atomic import write_whole
    from firsthit.report import evaluation_html

    write_whole(path, [evaluation_html(evaluation).encode()])
    click.echo(f"saved: {path}", err=True)


def _evaluate(
    qrels: str, runs: tuple[str, ...], settings: dict[str, Any], *, kept: bool, digest: bool
) -> list[Evaluation]:
    from firsthit import evaluate_runs
    from firsthit.cli.names import names_of
    from firsthit.cli.progress import progress_on_terminal

    beside = (settings[name] for name in ("queries", "passages", "sources"))
    options.refuse_shared_input(qrels, *runs, *beside)
    names = names_of(settings.pop("names"), runs)
    rules = options.given_rules(settings)
    settings["max_stale"] = options.stale_limit(settings["max_stale"])
    if settings["depth"] is None and not kept:
        settings["depth"] = 0
    with progress_on_terminal() as progress:
        found = evaluate_runs(qrels, runs, names=names, digest=digest, progress=progress, **settings, **rules)
        return list(found)
