"""The command line: each command parses, makes one library call, and prints. Nothing else in firsthit prints."""

from firsthit.cli.commands import commands, main

__all__ = ["commands", "main"]
