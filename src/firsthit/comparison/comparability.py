"""Whether two evaluations may be compared: the exact differences between their contracts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from firsthit.card.card import Card
from firsthit.comparison.pairs import Pairs
from firsthit.errors import NotComparableError
from firsthit.measures import parse_measures
from firsthit.rules import Rules
from firsthit.wording import many

__all__ = ["Mismatch", "mismatches", "refuse_mismatches"]

Needs = Sequence[dict[str, int | None]]

LISTED = 5
"""How many query ids a message names."""


class Mismatch(msgspec.Struct, frozen=True):
    """One thing that differs between two evaluations, with both values."""

    what: str
    old: str
    new: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.old} against {self.new}{self.more and f' ({self.more})'}"


def refuse_mismatches(pairs: Pairs, measures: Sequence[str] | None, *, common: bool) -> None:
    """NotComparableError that names every difference, and what to do about it."""
    found = list(mismatches(pairs, measures, common=common))
    if not found:
        return
    lines = [f"{pairs.old_name} and {pairs.new_name} cannot be compared:", *(f"  {one}" for one in found)]
    raise NotComparableError("\n".join(lines), hint=_hint({one.what for one in found}))


def mismatches(pairs: Pairs, measures: Sequence[str] | None, *, common: bool) -> Iterator[Mismatch]:
    """Every difference of labels, population, units, cutoffs and rules of these measures.

    The primary measures may differ where an RR measure was asked for, which both then have.
    """
    named = [] if measures is None else parse_measures(measures)
    old, new = pairs.old.card, pairs.new.card
    yield from _labels(pairs)
    yield from _needs(pairs)
    yield from _tokens(old, new)
    if not common:
        yield from _population(pairs)
    if old.run.id_space != new.run.id_space:
        yield Mismatch("unit", f"ids are {old.run.id_space}", f"ids are {new.run.id_space}")
    if old.primary != new.primary and not any(measure.name == "RR" for measure in named):
        yield Mismatch("cutoff" if _same_but_cutoff(old, new) else "measure", old.primary, new.primary)
    yield from _rules(old, new, [str(measure) for measure in named])


def _labels(pairs: Pairs) -> Iterator[Mismatch]:
    """Other labels of a query that both hold; labels of other queries do not matter to the pair."""
    old, new = pairs.old.card.labels, pairs.new.card.labels
    if old.sha256 == new.sha256:
        return
    changed = pairs.changed_labels
    if len(changed):
        ids = pairs.query_ids.take(changed[:LISTED])
        more = f"{_named(ids, len(changed))} labelled otherwise"
        yield Mismatch("labels", _labels_text(old.sha256, old.rows), _labels_text(new.sha256, new.rows), more)


def _needs(pairs: Pairs) -> Iterator[Mismatch]:
    """Other needs that count, though the labels are the same: queries files that require other ones."""
    old, new = pairs.old.detail.needs, pairs.new.detail.needs
    if old is None or new is None or len(pairs.changed_labels):
        return
    rows = enumerate(zip(pairs.rows_old.tolist(), pairs.rows_new.tolist(), strict=True))
    changed = [i for i, (a, b) in rows if set(old[a]) != set(new[b])]
    if changed:
        first, ids = changed[0], [pairs.query_ids[i] for i in changed[:LISTED]]
        ours, theirs = (", ".join(needs[rows[first]]) for needs, rows in _sides(pairs, old, new))
        yield Mismatch(
            "needs", ours or "none", theirs or "none", f"{_named(ids, len(changed))} need otherwise"
        )


def _sides(pairs: Pairs, old: Needs, new: Needs) -> Iterator[tuple[Needs, list[int]]]:
    yield old, pairs.rows_old.tolist()
    yield new, pairs.rows_new.tolist()


def _tokens(old: Card, new: Card) -> Iterator[Mismatch]:
    """Tokens that are counted otherwise, where a budget is compared."""
    budget = set(old.windows) & set(new.windows)
    if budget and old.tokens and new.tokens and old.tokens.counted != new.tokens.counted:
        yield Mismatch("tokens", old.tokens.counted, new.tokens.counted)


def _labels_text(sha256: str, rows: int) -> str:
    return f"sha256:{sha256[:12]} with {rows:,} rows"


def _population(pairs: Pairs) -> Iterator[Mismatch]:
    if not pairs.only_old and not pairs.only_new:
        return
    sides = (
        f"{_named(ids[:LISTED], len(ids))} only in {name}"
        for name, ids in ((pairs.old_name, pairs.only_old), (pairs.new_name, pairs.only_new))
        if ids
    )
    old, new = (
        many(len(pairs.query_ids) + len(ids), "query", "queries") for ids in (pairs.only_old, pairs.only_new)
    )
    yield Mismatch("population", old, new, "; ".join(sides))


def _rules(old: Card, new: Card, measures: Sequence[str]) -> Iterator[Mismatch]:
    yield from _fields("", old.rules, new.rules)
    for measure in measures or [name for name in old.measures if name in new.measures]:
        ours, theirs = (card.measure_rules.get(measure, card.rules) for card in (old, new))
        if (ours, theirs) != (old.rules, new.rules):
            yield from _fields(f" of {measure}", ours, theirs)


_NAMED = {"labels_judge": "unit: labels judge", "unit": "unit"}
"""How a rule is called where its name alone says too little."""


def _fields(of: str, old: Rules, new: Rules) -> Iterator[Mismatch]:
    for name in Rules.__struct_fields__:
        ours, theirs = getattr(old, name), getattr(new, name)
        if ours != theirs:
            yield Mismatch(f"{_NAMED.get(name, f'rule {name}')}{of}", _text(ours), _text(theirs))


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _same_but_cutoff(old: Card, new: Card) -> bool:
    return old.primary.partition("@")[0] == new.primary.partition("@")[0]


def _named(ids: Sequence[str], count: int) -> str:
    """How many queries, and the first of them by name."""
    shown = ", ".join(ids) + (", …" if count > len(ids) else "")
    return f"{many(count, 'query', 'queries')} ({shown})"


def _hint(differing: set[str]) -> str:
    if differing == {"population"}:
        return "--common compares the queries that both hold."
    if differing <= {"labels", "population"}:
        return "--qrels LABELS scores both with the same labels."
    return "Evaluate both in the same way, or give the run files and --qrels LABELS."
