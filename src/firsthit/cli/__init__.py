"""The command line: each command parses, makes one library call, and prints. Only this prints."""

from firsthit.cli.commands import commands, main

__all__ = ["commands", "main"]
