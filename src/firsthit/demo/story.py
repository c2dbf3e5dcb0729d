"""The story of the demo: which commands it runs, and one sentence that says what to look at."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["STEPS", "Step"]


@dataclass(frozen=True)
class Step:
    """One command of the story; `arguments` is what follows `firsthit`, `said` what the output shows."""

    arguments: tuple[str, ...]
    said: str


STEPS: tuple[Step, ...] = ()
