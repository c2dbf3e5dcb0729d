"""Writes the generated part of docs/cli.md: `python -m tests.cli.reference`."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from firsthit.cli.commands import COMMANDS, commands

__all__ = ["PAGE", "help_text", "with_reference"]

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
START = "<!-- From here on generated from --help by `python -m tests.cli.reference`. -->\n"
WIDTH = 100


def help_text(*arguments: str) -> str:
    """What `firsthit ... --help` prints on a terminal of 100 columns."""
    result = CliRunner().invoke(commands, [*arguments, "--help"], prog_name="firsthit", terminal_width=WIDTH)
    assert result.exit_code == 0, result.output
    return result.stdout


def with_reference(page: str) -> str:
    """The page with its generated part made anew."""
    written, _, _ = page.partition(START)
    parts = [written + START, "\n## Commands\n\n", _block(help_text())]
    for name in COMMANDS:
        parts += [f"\n## firsthit {name}\n\n", _block(help_text(name))]
    return "".join(parts)


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
