"""The group of commands: each is imported when it is asked for, and all errors end here."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import click

from firsthit import __version__
from firsthit.errors import FirsthitError

__all__ = ["COMMANDS", "commands", "guarded"]

COMMANDS = {
    "eval": "Evaluate one or several runs against labels.",
    "check": "Read labels and runs, and report every problem; no measure is computed.",
    "compare": "Compare two versions query by query, and say whether to ship.",
    "baseline": "Keep a named evaluation that new versions are compared with.",
    "judge": "Say which unjudged documents to judge next.",
    "labels": "Check label files against a corpus, and carry them to new passages.",
    "why": "Explain, query by query, why another tool prints another number.",
    "measures": "List the measures, or explain one.",
    "demo": "Write a small collection to a folder and show firsthit on it.",
}
"""The commands in the order of the help, each with its one line; the module of the same name holds it."""

BAD_INPUT = 2
INTERRUPTED = 130
CLOSED_PIPE = 141

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

EPILOG = "Example: firsthit eval qrels.txt bm25.run dense.run"


class LazyGroup(click.Group):
    """A group that imports the module of a command only when that command runs or shows its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module, and only that."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"firsthit.cli.{cmd_name}_command")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader that closes the pipe early has enough, and hears no complaint."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _drop_output()
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        return result

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """Parse, run, and leave with the exit code; errors are one message on standard error."""
        extra["standalone_mode"] = False
        _open_closed_streams()
        _escape_unprintable()
        code = guarded(lambda: super(LazyGroup, self).main(args, prog_name or "firsthit", **extra))
        sys.exit(code)


def guarded(work: Callable[[], Any]) -> int:
    """The exit code of some work: its errors are printed, and none ends in a traceback."""
    try:
        code = work()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (FirsthitError, OSError, UnicodeEncodeError, MemoryError, click.Abort, KeyboardInterrupt) as error:
        message, code = _explained(error)
        from firsthit.cli.output import printable

        shown = "\n".join(map(printable, f"Error: {message}".split("\n")))
        click.echo(shown, err=True)
        return code
    return code if isinstance(code, int) else 0


def _explained(error: BaseException) -> tuple[str, int]:
    """What to say about an error, and the exit code."""
    match error:
        case FirsthitError():
            return str(error), error.exit_code
        case OSError():
            return f"{error.filename or 'output'}: {error.strerror or error}", BAD_INPUT
        case UnicodeEncodeError():
            return f"{error.object!a} is not UTF-8.\nRename the file, or write the ids as UTF-8.", BAD_INPUT
        case MemoryError():
            return "not enough memory.", BAD_INPUT
        case _:
            return "interrupted; nothing was written.", INTERRUPTED


def _open_closed_streams() -> None:
    """Where a caller has closed standard output or error, what is written there is lost, and nothing else."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _escape_unprintable() -> None:
    """Where a stream cannot show a character, show its escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush fails no more."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings=SETTINGS)
@click.version_option(__version__, message="firsthit %(version)s")
def commands() -> None:
    """Measure how early a search or RAG system finds the answer.

    firsthit reads labels (which documents answer which query) and runs (what a system returned, in
    order), and prints the mean reciprocal rank and other measures, together with everything that
    defines the numbers.
    """
