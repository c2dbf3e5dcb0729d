"""`firsthit baseline`: named evaluations that new versions are compared with."""

from __future__ import annotations

import click

from firsthit.cli import options
from firsthit.cli.sections import SectionedCommand, SectionedGroup

__all__ = ["command"]

EPILOG = """
Examples:

  firsthit baseline set main new.jsonl
  firsthit baseline show
  firsthit compare baseline:main new.jsonl
"""

SET_EPILOG = """
Example:

  firsthit baseline set main new.jsonl
"""

SHOW_EPILOG = """
Examples:

  firsthit baseline show
  firsthit baseline show --format json
"""

COLUMNS = ("name", "run", "measure", "mean", "queries", "labels", "created", "path")


@click.group("baseline", cls=SectionedGroup, epilog=EPILOG)
def command() -> None:
    """Keep named evaluations in .firsthit/baselines, to compare new versions with.

    A baseline is a copy of a saved evaluation. firsthit compare takes it as baseline:NAME.
    """


@command.command("set", cls=SectionedCommand, epilog=SET_EPILOG)
@click.argument("name")
@click.argument("evaluation")
def set_command(name: str, evaluation: str) -> None:
    """Make EVALUATION, which was saved with eval --save, the baseline NAME.

    The file is copied; an older baseline of that name is replaced.
    """
    from firsthit.baseline import set_baseline

    click.echo(f"saved: {set_baseline(name, evaluation)}", err=True)


@command.command("show", cls=SectionedCommand, epilog=SHOW_EPILOG)
@options.output_format_option
def show_command(output_format: str) -> None:
    """List the baselines: what they hold, and when they were made."""
    from firsthit.baseline import BASELINES, baselines
    from firsthit.cli.output import encode, print_rows, write

    rows = [{name: getattr(found, name) for name in COLUMNS} for found in baselines()]
    if output_format == "json":
        write(encode({"baselines": rows}, indent=True) + "\n")
    elif rows or output_format != "table":
        short = [row | {"labels": row["labels"][:12]} for row in rows] if output_format == "table" else rows
        print_rows(short, COLUMNS, output_format)
    else:
        click.echo(f"no baselines in {BASELINES}.", err=True)
