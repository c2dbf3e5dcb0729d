"""The command line: each command parses, makes one library call, and prints. Only this prints."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """The entry point of the command `firsthit`; Ctrl-C is an exit code from the first import on."""
    try:
        from firsthit.cli.commands import commands
    except KeyboardInterrupt:
        sys.exit(130)
    commands.main()
