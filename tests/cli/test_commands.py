"""The group of commands: help, exit codes, and what is imported when."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from firsthit import __version__
from firsthit.cli.commands import COMMANDS, commands, guarded
from firsthit.cli.sections import SectionedCommand, SectionedGroup
from firsthit.errors import InputError, NotComparableError, Problem, UsageError
from tests.cli.reference import every_command, loaded


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments, prog_name="firsthit")


NAMES = pytest.mark.parametrize("names", every_command(), ids=" ".join)


def test_version() -> None:
    result = run("--version")
    assert (result.exit_code, result.output) == (0, f"firsthit {__version__}\n")


def test_help_lists_every_command_in_order() -> None:
    output = run("--help").output
    places = [output.index(f"  {name} ") for name in COMMANDS]
    assert places == sorted(places)


def test_help_ends_in_an_example() -> None:
    assert run("--help").output.rstrip().splitlines()[-1].strip().startswith("Example: firsthit ")


@NAMES
def test_the_help_of_every_command_ends_in_an_example(names: tuple[str, ...]) -> None:
    result = run(*names, "--help")
    assert result.exit_code == 0
    *_, heading, examples = result.output.rstrip().split("\n\n")
    assert heading in ("Example:", "Examples:")
    assert any(f"firsthit {' '.join(names)}" in line for line in examples.splitlines())
    assert all(line.startswith("  ") and "firsthit " in line for line in examples.splitlines())


@NAMES
def test_every_option_says_what_it_does(names: tuple[str, ...]) -> None:
    command = loaded(*names)
    assert isinstance(command, SectionedCommand | SectionedGroup)
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert all(option.help for option in options), [option.name for option in options if not option.help]


@NAMES
def test_dash_h_is_help(names: tuple[str, ...]) -> None:
    assert run(*names, "-h").output == run(*names, "--help").output


def test_an_unknown_command_is_wrong_use() -> None:
    result = run("evaluate")
    assert result.exit_code == 2
    assert "No such command 'evaluate'" in result.output


def test_a_missing_argument_is_wrong_use() -> None:
    result = run("eval", "qrels.txt")
    assert result.exit_code == 2
    assert "RUN" in result.output


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no such measure", hint="look"), 2, "Error: no such measure\nlook\n"),
        (InputError("run.txt", [Problem("bad", 3, "x")]), 2, "Error: run.txt: line 3: bad: 'x'\n"),
        (NotComparableError("other labels"), 3, "Error: other labels\n"),
        (KeyboardInterrupt(), 130, "Error: interrupted; nothing was written.\n"),
        (
            FileNotFoundError(2, "No such file or directory", "a.txt"),
            2,
            "Error: a.txt: No such file or directory\n",
        ),
        (OSError(28, "No space left on device"), 2, "Error: output: No space left on device\n"),
        (MemoryError(), 2, "Error: not enough memory.\n"),
    ],
)
def test_every_error_is_one_message_and_an_exit_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail) == code
    assert capsys.readouterr() == ("", said)


def imported_by(*arguments: str) -> set[str]:
    """The modules in memory after a command, in a process of its own."""
    script = (
        "import sys; from firsthit.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("eval", "--help"), ("compare", "--help")]
)
def test_help_is_printed_without_numpy_or_rich(arguments: tuple[str, ...]) -> None:
    assert not {"numpy", "rich", "firsthit._core"} & imported_by(*arguments)
