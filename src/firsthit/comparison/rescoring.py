"""Scoring a saved evaluation again with other labels, from the ids that it keeps of each ranking."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from firsthit.card.card import Card
from firsthit.errors import NotComparableError
from firsthit.evaluation.assemble import Labels
from firsthit.evaluation.evaluation import evaluate
from firsthit.measures import Measure, parse_measures
from firsthit.population import UNANSWERABLE
from firsthit.qrels import Qrels
from firsthit.queries import Queries
from firsthit.record.record import Record

__all__ = ["rescored"]


def rescored(
    record: Record,
    labels: Labels,
    measures: Sequence[str] | None,
    queries: Queries | None,
    *,
    common: bool = False,
) -> tuple[Record, str]:
    """The record under these labels, and a notice; the same record and "" where nothing would change.

    NotComparableError where the saved ids do not suffice: too few for a cutoff, an order that needs scores,
    condensed rankings, or labelled queries that the evaluation does not hold.
    """
    card = record.card
    digest = labels.read(card.rules)
    asked = [] if measures is None else [str(measure) for measure in parse_measures(measures)]
    missing = [measure for measure in asked if measure not in record.values]
    if digest.whole == card.labels.sha256 and not missing:
        return record, ""
    _refuse_order(card)
    _refuse_evidence(card, digest.qrels)
    wanted, left_out = _scorable(record, asked)
    table = queries or _population(record, digest.qrels, common=common)
    fresh = evaluate(
        digest.qrels,
        _rankings(record),
        wanted,
        queries=table,
        depth=card.depth,
        name=card.name,
        **{**msgspec.structs.asdict(card.rules), "order": "given", "ties": "given", "empty_run": "score"},
    ).record()
    notice = f"{card.name} was scored again with {digest.qrels.name} from the top {card.depth} ids it keeps"
    if _cut(record):
        notice += "; a first hit below them counts as none"
    if left_out:
        notice += f"; {', '.join(left_out)} cannot be scored from them and are left out"
    return _with_origin(fresh, record), notice


def _refuse_order(card: Card) -> None:
    """The ids are kept in the fixed order: what depends on scores or on the old labels is lost."""
    why = ""
    if card.rules.ties in ("best", "worst", "expected"):
        why = f"ties = {card.rules.ties} depends on scores, which are not saved"
    elif card.rules.unjudged == "condensed":
        why = "its rankings were condensed to the documents that its own labels judge"
    elif not card.depth:
        why = "it was saved without ranked ids (depth 0)"
    if why:
        _refuse(card, why)


def _refuse_evidence(card: Card, qrels: Qrels) -> None:
    """Where the passages stand and what they say is not saved."""
    if card.rules.match == "answers":
        _refuse(card, "answers are searched for in the texts of passages, which are not saved")
    if card.rules.unit == "document":
        _refuse(card, "its passages were folded to documents")
    if not qrels.by_doc_id:
        _refuse(
            card, "the labels are about sources, spans or quotes, and those of its passages are not saved"
        )


def _refuse(card: Card, why: str) -> None:
    hint = "Give the run file in its place, or evaluate it with these labels and save that."
    raise NotComparableError(f"{card.name} cannot be scored again with other labels: {why}", hint=hint)


def _scorable(record: Record, asked: Sequence[str]) -> tuple[list[str], list[str]]:
    """The measures that the saved ids suffice for, and the others, none of which may have been asked for."""
    card = record.card
    names = list(asked or card.measures)
    if not any(measure.name == "RR" for measure in parse_measures(names)):
        names.append(card.primary)
    whole = not _cut(record)
    fits = {
        str(measure): (whole or _within(measure, card.depth)) and _same_order(card, str(measure))
        for measure in parse_measures(names)
    }
    lacking = [name for name, fit in fits.items() if not fit]
    needed = [name for name in lacking if name in asked or name == card.primary]
    if needed:
        _refuse(card, f"{', '.join(needed)} needs more than the top {card.depth} ids that it keeps")
    return [name for name, fit in fits.items() if fit], lacking


def _cut(record: Record) -> bool:
    """Whether some ranking is longer than what was saved of it."""
    return bool(np.any(record.retrieved > np.diff(record.detail.ranked.offsets)))


def _within(measure: Measure, depth: int) -> bool:
    return measure.cutoff is not None and measure.cutoff <= depth


def _same_order(card: Card, measure: str) -> bool:
    """A profile may order documents by measure; what was saved is the primary measure's order."""
    return card.measure_rules.get(measure, card.rules) == card.rules


def _rankings(record: Record) -> dict[str, list[str]]:
    """The saved top of each ranking; absent queries are not there."""
    ranked = record.detail.ranked
    ids, offsets, retrieved = list(ranked.ids), ranked.offsets.tolist(), record.retrieved.tolist()
    return {
        query_id: ids[offsets[i] : offsets[i + 1]]
        for i, query_id in enumerate(record.query_ids)
        if retrieved[i] >= 0
    }


def _population(record: Record, qrels: Qrels, *, common: bool) -> Queries | None:
    """The queries to score: the evaluation's own where it had a table, else every labelled query.

    A labelled query that the evaluation does not hold may have been in the run: it cannot be called absent.
    """
    held = set(record.query_ids)
    if record.card.queries is not None:
        return _table(record, held)
    labelled = set(qrels.query_ids)
    unknown = [query_id for query_id in qrels.query_ids if query_id not in held]
    if not unknown:
        return None
    if not common:
        named = ", ".join(unknown[:5]) + (", …" if len(unknown) > 5 else "")
        why = f"the labels have {len(unknown):,} queries of which it keeps no ranking ({named})"
        hint = "Give the run file in its place, or compare the common queries only (--common)."
        what = f"{record.card.name} cannot be scored again with other labels: {why}"
        raise NotComparableError(what, hint=hint)
    return _table(record, held & labelled)


def _table(record: Record, chosen: set[str]) -> Queries:
    """The chosen queries of an evaluation as a table, with what it knows of them."""
    rows = [i for i, query_id in enumerate(record.query_ids) if query_id in chosen]
    detail, facts = record.detail, record.card.queries
    return Queries(
        query_id=tuple(record.query_ids.take(rows)),
        text=(None,) * len(rows),
        groups={name: tuple(column[i] for i in rows) for name, column in detail.groups.items()},
        critical=tuple(bool(detail.critical and detail.critical[i]) for i in rows),
        answerable=tuple(bool(record.codes[i] != UNANSWERABLE) for i in rows),
        needs=((),) * len(rows),
        name="the saved evaluation" if facts is None else facts.name,
    )


def _with_origin(fresh: Record, record: Record) -> Record:
    """The new record under the old one's rules, run and numbers retrieved: the order is still that one."""
    place = {query_id: i for i, query_id in enumerate(record.query_ids)}
    rows = [place.get(query_id, -1) for query_id in fresh.query_ids]
    retrieved = np.append(record.retrieved, -1)[rows]
    retrieved.flags.writeable = False
    rules = record.card.rules
    card = msgspec.structs.replace(
        fresh.card,
        rules=rules,
        compat=record.card.compat,
        given=record.card.given,
        run=record.card.run,
        queries=record.card.queries,
        ties={},
        measure_rules={},
    )
    return msgspec.structs.replace(fresh, card=card, retrieved=retrieved)
