"""Names of runs: file names, with as many folders as it takes to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from firsthit.errors import UsageError

__all__ = ["distinct_names", "names_of"]


def names_of(given: Sequence[str], runs: Sequence[str]) -> Sequence[str] | None:
    """The names given with --name, one a run; without, file names where they need no more.

    >>> names_of(["old", "new"], ["a/x.run", "b/x.run"])
    ['old', 'new']
    """
    if not given:
        return distinct_names(runs)
    if len(given) != len(runs):
        raise UsageError(
            f"{len(given)} names for {len(runs)} runs.", hint="Give --name once for each run, or never."
        )
    if not all(name.strip() for name in given):
        raise UsageError(
            "a run's name must not be empty.", hint="--name TEXT is what the output calls the run."
        )
    return given


def distinct_names(paths: Sequence[str]) -> list[str] | None:
    """A name for each run; None where the file names are distinct already, or nothing can make them so.

    >>> distinct_names(["old/bm25.run", "new/bm25.run", "dense.run"])
    ['old/bm25.run', 'new/bm25.run', 'dense.run']
    """
    parts = [PurePath(path).parts for path in paths]
    deepest = max(map(len, parts), default=0)
    names = [path[-1:] for path in parts]
    if len(set(names)) == len(names):
        return None
    for depth in range(2, deepest + 1):
        names = [
            path[-depth:] if names.count(name) > 1 else name for path, name in zip(parts, names, strict=True)
        ]
    return ["/".join(name) for name in names] if len(set(names)) == len(names) else None
