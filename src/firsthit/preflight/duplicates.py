"""What a check says about passages that say the same, in a corpus and among what was retrieved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from firsthit.errors import UsageError
from firsthit.ids import Ids
from firsthit.passages import Passages
from firsthit.redundancy import first_alike, near_texts
from firsthit.redundancy.near import LEAST
from firsthit.redundancy.shingles import WORDS
from firsthit.wording import many

if TYPE_CHECKING:
    from firsthit.matching.retrieved import Retrieved

__all__ = ["passage_duplicates", "place_duplicates", "similarities"]

Level: TypeAlias = Literal["problem", "notice", "fact"]
Found: TypeAlias = Iterator[tuple[Level, str]]

TOP = 10
SHOWN = 3


def similarities(similar: float | None) -> tuple[float, ...]:
    """The kinds of duplicates to look for: equal texts always, near ones where they are asked for."""
    if similar is None or similar == 1:
        return (1.0,)
    if not LEAST <= similar < 1:
        hint = "0.8 finds near duplicates, 1 equal texts only."
        raise UsageError(f"similar {similar:g}: a share from {LEAST:g} to 1 is needed", hint=hint)
    return 1.0, similar


def passage_duplicates(passages: Passages, similar: tuple[float, ...], which: str) -> Found:
    """Passages of a collection whose text is that of another one, or nearly where `similar` asks for it."""
    if passages.text is None:
        if len(similar) > 1:
            yield "notice", "no texts of its passages are at hand: duplicates were not looked for"
        return
    for share in similar:
        group = near_texts(passages.text, share)
        _, number, size = np.unique(group[group >= 0], return_inverse=True, return_counts=True)
        repeated = np.flatnonzero(group >= 0)[size[number] > 1]
        what = f"{which} {_kind(share, 'another one')}"
        if len(repeated):
            groups = many(int((size > 1).sum()), "group")
            such = _example(passages.doc_ids, repeated[group[repeated] == group[repeated[0]]].tolist())
            yield "notice", f"{what}: {len(repeated):,} of {len(passages):,}, in {groups}, such as {such}"
        else:
            yield "fact", f"{what}: none of {len(passages):,}"


def place_duplicates(retrieved: Retrieved, similar: tuple[float, ...]) -> Found:
    """Places within the top 10 that say what a place above them says."""
    texts = retrieved.passages.text
    if texts is None:
        return
    query = np.repeat(np.arange(len(retrieved.retrieved)), np.diff(retrieved.offsets))
    top = np.arange(len(query)) - retrieved.offsets[query] < TOP
    offsets = np.concatenate([[0], np.cumsum(np.bincount(query[top], minlength=len(retrieved.retrieved)))])
    for share in similar:
        above = first_alike(texts, retrieved.passage[top], offsets, share).above
        places, queries = int((above >= 0).sum()), len(np.unique(query[top][above >= 0]))
        what = f"places in the top {TOP} {_kind(share, 'one above')}"
        where = f", in {many(queries, 'query', 'queries')}" if places else ""
        yield "notice" if places else "fact", f"{what}: {places:,} of {len(above):,}{where}"


def _kind(share: float, other: str) -> str:
    if share >= 1:
        return f"with the text of {other}"
    return f"equal or near (at least {share:g} of their {WORDS}-word shingles in common) to {other}"


def _example(doc_ids: Ids, rows: list[int]) -> str:
    names = doc_ids.take(rows[:SHOWN])
    if len(rows) > SHOWN:
        return ", ".join(names) + ", …"
    return f"{', '.join(names[:-1])} and {names[-1]}"
