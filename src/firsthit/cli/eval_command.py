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

LISTS = ("miss", "absent", "unlabelled", "no-relevant", "tied", "duplicates", "skipped")
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
@options.reading_options
@options.threads_option
@options.rule_options
def command(
    *,
    qrels: str,
    runs: tuple[str, ...],
    per_query: bool,
    listed: str | None,
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
    equal scores could move the number.
    """
    _refuse_contradictions(per_query, listed, card, output_format)
    if save is not None:
        from firsthit.cli.targets import refuse_target

        refuse_target(save, len(runs))
    if html is not None:
        _check_page(html, runs)
    kept = save is not None or html is not None
    evaluations = _evaluate(qrels, runs, settings, kept=kept, digest=card or save is not None)
    from firsthit.cli import eval_output

    if save is not None:
        from firsthit.cli.saving import save_evaluations

        save_evaluations(evaluations, save)
    if html is not None:
        _write_page(evaluations[0], html)
    if listed:
        eval_output.print_list(evaluations, listed, output_format)
        return
    if per_query:
        eval_output.print_per_query(evaluations, output_format)
    else:
        eval_output.print_means(evaluations, output_format, full=card)
    if not card:
        eval_output.print_notices(evaluations, beside=output_format == "table" and not per_query)


def _refuse_contradictions(per_query: bool, listed: str | None, card: bool, output_format: str) -> None:
    outputs = {"--per-query": per_query, "--list": listed, "--card": card}
    asked = [name for name, given in outputs.items() if given]
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} are different outputs.", hint="Ask for one at a time.")
    if card and output_format != "table":
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

    options.refuse_shared_input(qrels, *runs, settings["queries"])
    names = names_of(settings.pop("names"), runs)
    rules = options.given_rules(settings)
    if settings["depth"] is None and not kept:
        settings["depth"] = 0
    with progress_on_terminal() as progress:
        found = evaluate_runs(qrels, runs, names=names, digest=digest, progress=progress, **settings, **rules)
        return list(found)
