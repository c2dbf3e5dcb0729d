"""`firsthit compare`: two or more versions, query by query, and whether to ship."""

from __future__ import annotations

from typing import Any

import click

from firsthit.cli import options
from firsthit.cli.sections import SectionedCommand, option
from firsthit.errors import UsageError

__all__ = ["command"]

EPILOG = """
Examples:

  firsthit compare old.jsonl new.jsonl
  firsthit compare old.run new.run --qrels qrels.txt --html report.html
  firsthit compare old.jsonl new.jsonl --groups queries.csv:topic --critical billing
  firsthit compare baseline:main new.jsonl --gate firsthit.toml --explain
"""

TELLING = "What the verdict is held to"
REPORTS = "Reports in files"
GATE = "The gate"


@click.command("compare", cls=SectionedCommand, epilog=EPILOG)
@click.argument("evaluations", metavar="OLD NEW...", nargs=-1, required=True)
@option(
    "--qrels",
    section=options.MEASURES,
    metavar="QRELS",
    help="Labels: needed where OLD or NEW is a run file; saved evaluations of other labels are scored again.",
)
@options.compared_measure_option
@options.queries_option
@option(
    "--common",
    is_flag=True,
    section=options.MEASURES,
    help="Compare the queries that all have, where their queries differ; every output says so.",
)
@options.group_options(options.MEASURES, "Groups that come first: values of --groups, with commas.")
@option(
    "--answers",
    section=options.MEASURES,
    metavar="OLD NEW...",
    several=True,
    help="Whether the answers were right: a file of query_id and correct (or score) for each version, in "
    "their order; all words up to the next option.",
)
@option(
    "--right-from",
    section=options.MEASURES,
    type=float,
    metavar="SCORE",
    help="An answer is right from this score on.",
)
@option(
    "--margin",
    section=TELLING,
    type=float,
    metavar="D",
    help="Versions are equivalent when their difference lies within D of 0.",
)
@option(
    "--difference",
    section=TELLING,
    type=float,
    metavar="D",
    help="The difference worth seeing: says how many queries that takes.  [default: --margin, else 0.05]",
)
@option(
    "--min-queries",
    section=TELLING,
    type=click.IntRange(1),
    metavar="N",
    help="No verdict on fewer queries, also of a group.  [default: the gate's, else 30]",
)
@option(
    "--interval",
    section=TELLING,
    type=click.Choice(("t", "percentile")),
    default="t",
    show_default=True,
    help="The interval of a difference: paired t, or the percentile bootstrap.",
)
@option(
    "--cluster",
    section=TELLING,
    metavar="COLUMN",
    help="A column, as --groups takes it, whose queries are no independent cases, such as paraphrases.",
)
@option(
    "--seed",
    section=TELLING,
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of everything random.",
)
@option(
    "--gate",
    section=GATE,
    metavar="FILE",
    help="Rules in firsthit.toml or pyproject.toml: exit code 1 where one fails, 4 where one cannot tell.",
)
@option("--explain", section=GATE, is_flag=True, help="Each rule of the gate with its queries.")
@option("--per-query", section="Output", is_flag=True, help="One row for each query, in place of the report.")
@options.output_format_option
@option(
    "--name",
    "names",
    section="Output",
    multiple=True,
    metavar="TEXT",
    help="Name of a version in the output; once for each.  [default: that of the run]",
)
@option("--html", section=REPORTS, metavar="FILE", help="A page in one file (needs firsthit[report]).")
@option("--markdown", section=REPORTS, metavar="FILE", help="A comment for a pull request.")
@option("--junit", section=REPORTS, metavar="FILE", help="JUnit XML: a test case for each rule of the gate.")
@option("--json", section=REPORTS, metavar="FILE", help="Everything, as one JSON object.")
@option("--csv", section=REPORTS, metavar="FILE", help="One row for each query.")
@options.max_stale_option
@options.collection_options
@options.reading_options
@options.rule_options
def command(
    *,
    evaluations: tuple[str, ...],
    gate: str | None,
    explain: bool,
    per_query: bool,
    output_format: str,
    **settings: Any,
) -> None:
    """Compare NEW (one or several) with OLD, query by query: better, worse, equivalent, or cannot tell.

    OLD and NEW are evaluations that were saved with eval --save, or run files, then with --qrels; OLD may be
    baseline:NAME. Queries are paired by their ids. Evaluations of other labels, queries, cutoffs or rules are
    not compared: exit code 3, and each difference is named. Stale labels give exit code 3, too. But for that
    the verdict never changes the exit code without --gate.
    """
    from firsthit.cli import compare_output
    from firsthit.cli.compare_work import compared, sources_of

    if explain and gate is None:
        raise UsageError("--explain explains a gate.", hint="Name its file: --gate firsthit.toml")
    reports = compare_output.reports_of(settings)
    rules = None if gate is None else _read(gate)
    sources = sources_of(evaluations, rules)
    found = compared(sources, rules, settings)
    compare_output.write_reports(found, reports)
    compare_output.print_comparisons(found, output_format, per_query=per_query, explained=explain)
    if found.exit_code:
        raise click.exceptions.Exit(found.exit_code)


def _read(gate: str) -> Any:
    from firsthit.gate import read_gate

    return read_gate(gate)
