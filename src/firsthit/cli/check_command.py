"""`firsthit check`: what could spoil the numbers, before they are computed."""

from __future__ import annotations

from typing import Any

import click

from firsthit.cli import options
from firsthit.cli.output import encode, terminal_width, wrap, write
from firsthit.cli.sections import SectionedCommand, option

__all__ = ["command"]

EPILOG = """
Examples:

  firsthit check qrels.txt
  firsthit check qrels.txt bm25.run dense.run
  firsthit check qrels.txt bm25.run --passages corpus.jsonl --similar 0.8
  firsthit check qrels.txt bm25.run --format json
"""


@click.command("check", cls=SectionedCommand, epilog=EPILOG)
@click.argument("qrels")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@options.queries_option
@options.words_format_option
@option(
    "--similar",
    section=options.READING,
    type=float,
    metavar="SHARE",
    help="Also find passages that share this much of their texts (0.8: near duplicates), in runs, too.",
)
@options.max_stale_option
@options.collection_options
@options.reading_options
@options.threads_option
@options.rule_options
def command(*, qrels: str, runs: tuple[str, ...], output_format: str, **settings: Any) -> None:
    """Read labels (QRELS) and runs (RUN), and report every problem.

    No measure is computed. Problems come first: what makes eval stop, then what could mislead (ids that do
    not match, queries without a partner, ties, ranks against scores, duplicates), then what the files hold.
    The exit code is 2 when eval would refuse the files, 3 when labels are stale, else 0.
    """
    from firsthit.cli.names import distinct_names
    from firsthit.cli.progress import progress_on_terminal
    from firsthit.preflight.check import check

    beside = (settings[name] for name in ("queries", "passages", "sources"))
    options.refuse_shared_input(qrels, *runs, *beside)
    rules = options.given_rules(settings)
    settings["max_stale"] = options.stale_limit(settings["max_stale"])
    with progress_on_terminal() as progress:
        report = check(qrels, runs, names=distinct_names(runs), progress=progress, **settings, **rules)
    if output_format == "json":
        write(encode(report.data(), indent=True) + "\n")
    else:
        width = terminal_width()
        write("".join(f"{wrap(line, width)}\n" for line in report.text().splitlines()))
    if report.exit_code:
        raise click.exceptions.Exit(report.exit_code)
