"""`firsthit demo`: a small collection, and a story told on it."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from firsthit.cli.output import paragraph
from firsthit.cli.sections import SectionedCommand

if TYPE_CHECKING:
    from firsthit.demo import Step

__all__ = ["command"]

EPILOG = """
Example:

  firsthit demo my-demo
"""


@click.command("demo", cls=SectionedCommand, epilog=EPILOG)
@click.argument("folder", default="firsthit-demo", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write a small collection to FOLDER (./firsthit-demo) and show firsthit on it.

    The collection was written for this purpose: the help centre of a coffee roaster that does not exist, the
    questions of its customers with labels, and the rankings of two search systems. FOLDER must be new or
    empty. Each command of the story is shown with its real output.
    """
    from firsthit.demo import CLOSING, STEPS, opening, write_files

    write_files(folder)
    pages = all(find_spec(module) for module in ("altair", "vl_convert"))
    click.echo("\n\n".join(map(paragraph, opening(folder))))
    for number, step in enumerate(STEPS, 1):
        _play(number, step, folder, pages=pages)
    click.echo(CLOSING.format(folder=shlex.quote(str(folder))), nl=False)


def _play(number: int, step: Step, folder: Path, *, pages: bool) -> None:
    """Say what comes, show the command as typed in the folder, and run it there."""
    arguments = step.command(pages=pages)
    said = paragraph(f"{number}. {step.said}", indent=3)
    click.echo(f"\n{said}\n\n$ firsthit {shlex.join(arguments)}")
    _run(arguments, folder)
    if step.page is not None:
        click.echo(f"\n{paragraph(_about(step.page, folder, pages=pages))}")


def _about(page: str, folder: Path, *, pages: bool) -> str:
    if pages:
        return f"Open {folder / page} in a browser: the same with plots, and every question in a table."
    return f"The page {page} is left out: its plots need `pip install 'firsthit[report]'`."


def _run(arguments: tuple[str, ...], folder: Path) -> None:
    """Run it in the folder; an exit code that is a finding (stale labels) does not end the story."""
    from firsthit.cli.commands import commands

    before = Path.cwd()
    os.chdir(folder)
    try:
        with suppress(Exit), commands.make_context("firsthit", list(arguments)) as context:
            commands.invoke(context)
    finally:
        os.chdir(before)
