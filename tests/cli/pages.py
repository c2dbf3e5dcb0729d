"""Blocks of commands in README.md and pages of docs: run on the demo files, compared or written anew.

`python -m tests.cli.pages` writes the outputs into the pages.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner

from firsthit.cli.commands import commands
from firsthit.demo import write_files

__all__ = ["PAGES", "demo_folder", "with_outputs"]

ROOT = Path(__file__).parents[2]
DOCS = (
    "quickstart.md",
    "judging-queue.md",
    "stale-labels.md",
    "duplicates.md",
    "evidence.md",
    "rechunking.md",
    "faq.md",
)
PAGES = (ROOT / "README.md", *(ROOT / "docs" / name for name in DOCS))
BLOCK = re.compile(r"(?<=```console\n).*?(?=```\n)", re.DOTALL)


@contextmanager
def demo_folder() -> Iterator[Path]:
    """A folder with the demo files, as the working directory."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name))
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def with_outputs(page: str) -> str:
    """The page with the output of every `$ firsthit ...` line in its console blocks made anew."""
    return BLOCK.sub(lambda block: "".join(map(_played, _typed(block[0]))), page)


def _typed(block: str) -> list[str]:
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def _played(line: str) -> str:
    program, *arguments = shlex.split(line)
    assert program == "firsthit", line
    result = CliRunner().invoke(commands, arguments, prog_name="firsthit", catch_exceptions=False)
    return f"$ {line}\n{result.output}"


if __name__ == "__main__":
    with demo_folder():
        for path in PAGES:
            path.write_text(with_outputs(path.read_text(encoding="utf-8")), encoding="utf-8")
