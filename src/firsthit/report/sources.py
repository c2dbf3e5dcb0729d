"""Which documents of two rankings belong together: the same document, or passages of the same source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["COLOURS", "coloured", "source_of"]

COLOURS = 8
"""How many sources of a query are told apart; the page's CSS has a colour for each."""


def source_of(doc_id: str) -> str:
    """The source that a document's id names: what stands before its last "#"; without one the id itself.

    >>> source_of("returns/refunds#2"), source_of("D1555982")
    ('returns/refunds', 'D1555982')
    """
    source, mark, _ = doc_id.rpartition("#")
    return source if mark and source else doc_id


def coloured(old: Sequence[str], new: Sequence[str]) -> dict[str, int]:
    """A colour (1 to COLOURS) for each document whose source has several places in these rankings.

    Sources take colours in the order in which NEW, then OLD, ranks them; beyond COLOURS there are none.

    >>> coloured(["a#1", "b"], ["a#2", "c"])
    {'a#2': 1, 'a#1': 1}
    """
    places = Counter(map(source_of, [*old, *new]))
    colours: dict[str, int] = {}
    found: dict[str, int] = {}
    for doc_id in [*new, *old]:
        source = source_of(doc_id)
        if places[source] > 1 and (source in colours or len(colours) < COLOURS):
            found[doc_id] = colours.setdefault(source, len(colours) + 1)
    return found
