"""Writes the generated part of docs/cli.md: `python -m tests.cli.reference`."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner

from firsthit.cli.commands import COMMANDS, commands

__all__ = ["PAGE", "every_command", "help_text", "loaded", "with_reference"]

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
START = "<!-- From here on generated from --help by `python -m tests.cli.reference`. -->\n"
WIDTH = 100


def loaded(*names: str) -> click.Command:
    """The command of these names: `loaded("judge", "next")`."""
    command: click.Command = commands
    for name in names:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None, name
        command = found
    return command


def every_command() -> list[tuple[str, ...]]:
    """The names of every command, those of groups after their group."""
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        found.append((name,))
        command = loaded(name)
        if isinstance(command, click.Group):
            found += [(name, below) for below in command.list_commands(click.Context(command))]
    return found


def help_text(*arguments: str) -> str:
    """What `firsthit ... --help` prints on a terminal of 100 columns."""
    result = CliRunner().invoke(commands, [*arguments, "--help"], prog_name="firsthit", terminal_width=WIDTH)
    assert result.exit_code == 0, result.output
    return result.stdout


def with_reference(page: str) -> str:
    """The page with its generated part made anew."""
    written, _, _ = page.partition(START)
    parts = [written + START, "\n## Commands\n\n", _block(help_text())]
    for names in every_command():
        parts += [f"\n## firsthit {' '.join(names)}\n\n", _block(help_text(*names))]
    return "".join(parts)


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
