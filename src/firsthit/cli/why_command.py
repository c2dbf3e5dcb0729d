"""`firsthit why`: which queries and which rule make two tools' numbers differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from firsthit.cli import options
from firsthit.cli.output import encode, print_rows, terminal_width, wrap, write
from firsthit.cli.sections import SectionedCommand, option
from firsthit.errors import FirsthitError
from firsthit.profiles import PROFILES

if TYPE_CHECKING:
    from firsthit.explanation import WhyReport

__all__ = ["command"]

EPILOG = """
Examples:

  firsthit why qrels.txt bm25.run --against trec_eval9
  firsthit why qrels.txt bm25.run --against ir_measures -m RR --format csv
"""


@click.command("why", cls=SectionedCommand, epilog=EPILOG)
@click.argument("qrels")
@click.argument("run")
@option(
    "--against",
    section=options.MEASURES,
    type=click.Choice(list(PROFILES)),
    required=True,
    help="The other tool.",
)
@option(
    "-m",
    "--measure",
    section=options.MEASURES,
    default="RR@10",
    show_default=True,
    help="The measure whose values are compared.",
)
@options.queries_option
@options.output_format_option
@options.reading_options
@options.threads_option
@options.only_rule_options
def command(*, qrels: str, run: str, against: str, measure: str, output_format: str, **settings: Any) -> None:
    """Explain why another tool prints another number for RUN.

    Lists the queries whose values differ between firsthit's rules and the other tool's, and the rule that
    makes them differ: one rule is changed at a time, and rules that make a difference only together are named
    together. Rules given here count on firsthit's side.
    """
    from firsthit.cli.progress import progress_on_terminal
    from firsthit.explanation import why

    options.refuse_shared_input(qrels, run, settings["queries"])
    rules = options.given_rules(settings)
    with progress_on_terminal() as progress:
        report = why(qrels, run, against, measure, progress=progress, **settings, **rules)
    hopeless = [refusal.message for refusal in report.refusals if not refusal.rules]
    if len(hopeless) == 2:
        raise FirsthitError(hopeless[0])
    _print(report, output_format)


def _print(report: WhyReport, output_format: str) -> None:
    """The report in words and below it the queries; the data formats hold data only."""
    if output_format == "json":
        write(encode(report.data(), indent=True) + "\n")
        return
    rows = [dict(zip(report.columns, row, strict=True)) for row in report.rows]
    if output_format == "table":
        width = terminal_width()
        write("".join(f"{wrap(line, width)}\n" for line in report.text().splitlines()))
        write("\n" if rows else "")
    if rows or output_format != "table":
        print_rows(rows, report.columns, output_format)
