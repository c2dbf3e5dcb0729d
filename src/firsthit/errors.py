"""The error tree: every error knows what is wrong, where, what to do, and its exit code.

`FirsthitError` is the only exception that library code raises on bad input or bad use; the command
line prints `str(error)` and exits with `error.exit_code`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FirsthitError", "InputError", "NotComparableError", "Problem", "UsageError"]


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input: a sentence, and where it stands.

    `line` is the physical line in the file, starting at 1 (0: the whole file); `value` is the offending
    text as it stands in the file, shortened; `other_line` is the second place, for example of a duplicate.
    """

    what: str
    line: int = 0
    value: str = ""
    other_line: int = 0

    def __str__(self) -> str:
        place = f"line {self.line:,}: " if self.line else ""
        value = f": {self.value!r}" if self.value else ""
        other = f" (first on line {self.other_line:,})" if self.other_line else ""
        return f"{place}{self.what}{value}{other}"


class FirsthitError(Exception):
    """Base of all errors of firsthit; `hint` says what to do about it."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(FirsthitError):
    """A wrong option, an unknown measure, a cutoff below 1."""


class InputError(FirsthitError):
    """A file or table that cannot be used as it is; `problems` holds the first 20 of `total`.

    >>> print(InputError("run.txt", [Problem("the score is not a number", 3, "high")], 1))
    run.txt: line 3: the score is not a number: 'high'
    """

    def __init__(self, source: str, problems: Sequence[Problem], total: int = 0, *, hint: str = "") -> None:
        self.source = source
        self.problems = tuple(problems)
        self.total = max(total, len(self.problems))
        super().__init__(self._text(), hint=hint)

    def _text(self) -> str:
        if len(self.problems) == 1 and self.total == 1:
            return f"{self.source}: {self.problems[0]}"
        lines = [f"{self.source}: {self.total:,} problems"]
        lines += [f"  {problem}" for problem in self.problems]
        if self.total > len(self.problems):
            lines.append(f"  … and {self.total - len(self.problems):,} more")
        return "\n".join(lines)


class NotComparableError(FirsthitError):
    """Two evaluations that must not be compared, or labels that are stale."""

    exit_code = 3
