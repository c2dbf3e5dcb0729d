"""The command line: each command parses, makes one library call, and prints. Only this prints."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """The entry point of the command `firsthit`; Ctrl-C is an exit code from the first import on."""
    # No command multiplies matrices, and starting NumPy's threads for it costs 0.05 s of processor time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A command ends soon; looking for cycles among the rows that it read takes a tenth of its time.
    gc.disable()
    try:
        from firsthit.cli.commands import commands
    except KeyboardInterrupt:
        sys.exit(130)
    commands.main()
