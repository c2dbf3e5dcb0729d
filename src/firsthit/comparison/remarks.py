"""What a reader of a comparison should know and might not see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firsthit.card.card import Card
from firsthit.card.evidence import WEAKER
from firsthit.comparison.pairs import Pairs
from firsthit.comparison.unjudged import Tops
from firsthit.pair_bounds import shared_documents
from firsthit.wording import many

__all__ = ["empty_sides", "remarks"]


def empty_sides(pairs: Pairs) -> Iterator[str]:
    """The evaluations whose run holds none of the compared queries: their values are all 0."""
    for name, record, rows in (
        (pairs.old_name, pairs.old, pairs.rows_old),
        (pairs.new_name, pairs.new, pairs.rows_new),
    ):
        if not (record.retrieved[rows] >= 0).any():
            yield name


def remarks(
    pairs: Pairs, tops: Tops, left_out: Sequence[str], *, common: bool, stale: bool = False
) -> Iterator[str]:
    """The notices of a pair: what was left out, and what differs without making it incomparable.

    `stale`: the verdict says already that the labels do not fit both.
    """
    if common:
        yield _common(pairs)
    yield from _absent(pairs)
    yield from _differing(pairs)
    if left_out:
        yield f"not in both evaluations, and not compared: {', '.join(left_out)}"
    if pairs.old.card.rules.match == "answers":
        yield WEAKER
    if pairs.old.card.rules.unjudged == "bounds":
        yield "means and differences take unjudged documents as not relevant; the joint bounds say the rest"
    if not stale:
        yield from _suspect(pairs, tops)


def _common(pairs: Pairs) -> str:
    sides = ((pairs.old_name, pairs.only_old), (pairs.new_name, pairs.only_new))
    left_out = ", ".join(f"{len(ids):,} only in {name}" for name, ids in sides if ids)
    paired = f"{len(pairs.query_ids):,}"
    if not left_out:
        return f"common queries only: all {paired} are in both evaluations"
    return f"common queries only: {paired} are compared, {left_out} left out"


def _absent(pairs: Pairs) -> Iterator[str]:
    """Other queries absent from one run than from the other: a difference that no ranking made."""
    absent_old, absent_new = pairs.old.retrieved[pairs.rows_old] < 0, pairs.new.retrieved[pairs.rows_new] < 0
    sides = (
        (pairs.new_name, pairs.old_name, absent_new & ~absent_old),
        (pairs.old_name, pairs.new_name, absent_old & ~absent_new),
    )
    for name, other, absent in sides:
        if number := int(absent.sum()):
            queries = many(number, "query is", "queries are")
            yield f"{queries} absent from {name} and not from {other}; absent queries count 0"


def _differing(pairs: Pairs) -> Iterator[str]:
    old, new = pairs.old.card, pairs.new.card
    if old.labels.sha256 != new.labels.sha256:
        yield "the label sets differ in queries that are not compared; those compared have the same labels"
    if old.run.order != new.run.order:
        yield (
            f"the documents are ordered by {old.run.order} in {pairs.old_name} and by {new.run.order} "
            f"in {pairs.new_name}"
        )
    if old.firsthit != new.firsthit:
        yield f"evaluated by firsthit {old.firsthit} and {new.firsthit}"
    if old.run.file_sha256 and old.run.file_sha256 == new.run.file_sha256:
        yield "both are evaluations of the same run file"


def _suspect(pairs: Pairs, tops: Tops) -> Iterator[str]:
    """Rankings without a common document: ids may have changed, not the retriever.

    Labels of sources, spans and quotes fit whatever ids passages have.
    """
    by_id = all(_by_doc_id(record.card) for record in (pairs.old, pairs.new))
    if by_id and tops.old.ids and tops.new.ids and not shared_documents(tops.old, tops.new):
        yield (
            f"{pairs.old_name} and {pairs.new_name} share no document in any top: were the ids of documents "
            "changed? The labels may fit one of them only"
        )


def _by_doc_id(card: Card) -> bool:
    """Whether labels name documents, some of them at least."""
    return card.evidence is None or "documents" in card.evidence.labels
