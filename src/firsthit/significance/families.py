"""Several tests at once: the correction that keeps the chance of any false alarm."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p of each test of a declared family, in the order given.

    The smallest p is multiplied by the number of tests, the next by one less, and so on; none is put below a
    smaller one, none above 1. Whatever the tests share, the chance of any false alarm stays at the level.

    Source: Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.

    >>> holm([0.03, 0.01, 0.04])
    [0.06, 0.03, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, test in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[test]))
        adjusted[test] = largest
    return adjusted
