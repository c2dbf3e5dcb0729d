"""The card in words. Everything here returns text; nothing computes a score."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from firsthit.card.evidence import evidence_lines
from firsthit.card.needs import need_lines
from firsthit.rules import Rules
from firsthit.staleness import VERDICT
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.card.card import Card

__all__ = ["beside_notes", "formula", "full_text", "headline", "order_text", "short_text"]

SEPARATOR = " · "

_TIES = {
    "docid-desc": "ties by doc_id descending",
    "docid-asc": "ties by doc_id ascending",
    "given": "ties as given",
    "best": "ties with the relevant first",
    "worst": "ties with the relevant last",
    "expected": "ties as the exact mean over their orders",
}

_UNJUDGED = {
    "nonrelevant": "not relevant",
    "condensed": "removed before ranking",
    "bounds": "open, [lower, upper] in the value's place",
}

_SAID_ELSEWHERE = {
    "rel",
    "relevant",
    "labels_judge",
    "order",
    "ties",
    "score_bits",
    "unjudged",
    "unit",
    "match",
}


def formula(measure: str) -> str:
    """The sentence that defines the mean of an RR measure.

    >>> formula("RR@10")
    'MRR@10 = mean over queries of 1/rank of the first relevant result within 10, else 0'
    >>> formula("RR(rel=2)")
    'MRR(rel=2) = mean over queries of 1/rank of the first result with grade >= 2, else 0'
    """
    cutoff = re.search(r"@(\d+)$", measure)
    within = f" within {int(cutoff[1]):,}" if cutoff else ""
    own = re.search(r"rel=([^,)]+)", measure)
    result = f"result with grade >= {own[1]}" if own else "relevant result"
    return f"M{measure} = mean over queries of 1/rank of the first {result}{within}, else 0"


def short_text(card: Card) -> str:
    """The card as it stands under a table: the formula, the counts, the rules, the bounds, the labels."""
    return "\n".join(_short_lines(card))


def headline(card: Card) -> str:
    """Why the numbers mean nothing, where they do: labels are stale, or share nothing with the run."""
    if card.staleness is not None and card.staleness.over:
        return f"{VERDICT.upper()}: {card.staleness.sentence(verdict=False)}"
    if not card.shared_queries:
        labelled = many(card.counts["queries"], "labelled query", "labelled queries")
        where = f"{labelled}, {card.counts['unlabelled_in_run']:,} in the run"
        return f"NO QUERY IS SHARED by labels and run ({where}): every value below is 0"
    if card.labelled_retrieved == 0 and card.run.records:
        where = f"{many(card.labels.rows, 'label', 'labels')}, {many(card.run.records, 'record', 'records')}"
        return f"NO LABELLED DOCUMENT IS RETRIEVED for any query ({where}): every value below is 0"
    return ""


def beside_notes(card: Card, *, bounds: bool = False) -> tuple[list[str], list[str]]:
    """The lines of the short card and the notices for one screen: what both say stands once.

    A notice that says more than the card takes its place; one that says the same is left out.
    """
    lines = [line.split(SEPARATOR) for line in _short_lines(card, bounds=bounds)]
    said = {fact for line in lines for fact in line}
    longer = {fact for fact in said if any(notice.startswith(f"{fact}: ") for notice in card.notices)}
    shown = [SEPARATOR.join(fact for fact in line if fact not in longer) for line in lines]
    return shown, [notice for notice in card.notices if notice not in said]


def full_text(card: Card) -> str:
    """The whole card: every rule and whether it is the default, every input, count, removal and notice."""
    short, notices = beside_notes(card, bounds=True)
    sections = [
        short,
        ["", *_distribution(card)],
        ["", "rules", *_rule_lines(card)],
        ["", "inputs", *_input_lines(card)],
        ["", "measures", *_measure_lines(card), *_formulas(card)],
    ]
    if notices:
        sections.append(["", "notices", *(f"  {notice}" for notice in notices)])
    return "\n".join(line for section in sections for line in section)


def order_text(order: str, rules: Rules) -> str:
    """The order of a ranking in words.

    >>> order_text("score", Rules())
    'score descending, ties by doc_id descending'
    """
    if order == "score":
        bits = " as 32-bit floats" if rules.score_bits == 32 else ""
        return f"score descending{bits}, {_TIES[rules.ties]}"
    return {"rank": "rank column ascending", "given": "as given"}.get(order, order or "no ranking")


def _short_lines(card: Card, *, bounds: bool = False) -> list[str]:
    lines = [first] if (first := headline(card)) else []
    hidden = "" if card.primary in card.measures else " (not shown; the counts belong to it)"
    lines += [formula(card.primary) + hidden, _counts_line(card)]
    if card.counts["unanswerable"]:
        lines.append(_unanswerable_line(card))
    lines += [
        _ranking_line(card),
        _unjudged_line(card, bounds=bounds),
        *need_lines(card),
        *evidence_lines(card),
    ]
    lines += _other_rules(card)
    lines.append(_origin_line(card))
    return lines


def _counts_line(card: Card) -> str:
    counts = card.counts
    parts = [
        f"{counts['hit']:,} hit",
        f"{counts['miss']:,} miss",
        f"{counts['absent']:,} absent from the run{_excluded(card.rules.absent)}",
        f"{counts['no_relevant']:,} without a relevant label{_excluded(card.rules.no_relevant)}",
    ]
    if counts["unlabelled"]:
        parts.append(f"{counts['unlabelled']:,} without labels (scored 0)")
    if card.queries is None:
        return f"{many(counts['queries'], 'labelled query', 'labelled queries')}: {', '.join(parts)}"
    return f"{many(counts['queries'], 'query', 'queries')} of {card.queries.name}: {', '.join(parts)}"


def _excluded(rule: str) -> str:
    return " (left out of the mean)" if rule == "exclude" else ""


def _unanswerable_line(card: Card) -> str:
    count = card.counts["unanswerable"]
    share = f"something was returned for {card.unanswerable_returned / count:.0%}"
    return f"{many(count, 'unanswerable query', 'unanswerable queries')} in no mean: {share}"


def _ranking_line(card: Card) -> str:
    rules = card.rules
    tied = many(card.tied_at_first_hit, "query", "queries") + " tied at the first hit"
    if card.primary in card.ties:
        tied += _effect(card.ties[card.primary], card.tied_at_first_hit)
    return (
        f"relevant: {_relevant(card)} · labels judge: {rules.labels_judge} · "
        f"order: {order_text(card.run.order, rules)} · {tied}"
    )


def _relevant(card: Card) -> str:
    if card.rules.match == "answers":
        return "holds an answer string"
    if card.rules.relevant == "listed":
        return "every listed document"
    rel, highest = _rel(card), card.labels.highest or 0.0
    unasked = "rel" not in card.given and rel == Rules().rel and "rel=" not in card.primary
    graded = f" (grades go to {highest:g})" if unasked and highest > rel else ""
    return f"grade >= {_number(rel)}{graded}"


def _effect(ties: tuple[float, float, float], tied: int) -> str:
    """What ties could do to the mean; said in a word where queries are tied and nothing comes of it."""
    if tied and math.isclose(ties[0], ties[2], rel_tol=1e-12):
        return " (no effect)"
    return f": {_range(ties)}"


def _negative(card: Card) -> str:
    what = many(
        card.labels.negative, "label with a negative grade counts", "labels with negative grades count"
    )
    return f"{what} as unjudged (else: negative=nonrelevant)"


def _unjudged_line(card: Card, *, bounds: bool) -> str:
    parts = [f"unjudged: {_UNJUDGED[card.rules.unjudged]}"]
    if card.judged_share is not None:
        parts.append(f"{percent(card.judged_share, 0)} of the top {card.judged_at} judged")
    if card.labels.negative:
        parts.append(_negative(card))
    if card.labels.lists_relevant_only:
        aside = ", these aside" if card.labels.negative else ""
        parts.append(f"labels list relevant documents only{aside}")
    shown = bounds or not card.labels.lists_relevant_only or card.rules.unjudged == "bounds"
    if shown and card.primary in card.bounds:
        parts.append(f"bounds if judged: {_range(card.bounds[card.primary])}")
    return " · ".join(parts)


def _other_rules(card: Card) -> Iterator[str]:
    changed = [
        f"{name}={getattr(card.rules, name)}"
        for name in Rules.__struct_fields__
        if name not in _SAID_ELSEWHERE and getattr(card.rules, name) != getattr(Rules(), name)
    ]
    if card.compat:
        changed.insert(0, f"compat={card.compat}")
    removed = _removals(card)
    if changed or removed:
        yield "other rules: " + SEPARATOR.join([*(changed or ["the defaults"]), *removed])
    for measure, rules in card.measure_rules.items():
        yield f"{measure}: {', '.join(_differing(rules, card.rules))}"


def _removals(card: Card) -> list[str]:
    found = [
        (card.run.duplicates_removed, "duplicate", "duplicates", "removed"),
        (card.run.self_hits_dropped, "self-hit", "self-hits", "dropped"),
        (card.labels.overridden, "conflicting label", "conflicting labels", "overridden"),
    ]
    return [f"{many(count, one, more)} {done}" for count, one, more, done in found if count]


def _differing(rules: Rules, base: Rules) -> Iterator[str]:
    for name in Rules.__struct_fields__:
        if getattr(rules, name) != getattr(base, name):
            yield f"{name}={getattr(rules, name)}"


def _origin_line(card: Card) -> str:
    counts = card.counts
    parts = [f"labels sha256:{card.labels.sha256[:12]}…" if card.labels.sha256 else "", *_left_out(counts)]
    return " · ".join([part for part in parts if part] + [f"firsthit {card.firsthit}"])


def _left_out(counts: dict[str, int]) -> Iterator[str]:
    if counts["unlabelled_in_run"]:
        count = many(counts["unlabelled_in_run"], "query", "queries")
        yield f"{count} of the run without labels, not counted"
    if counts["outside_population"]:
        count = many(counts["outside_population"], "labelled query", "labelled queries")
        yield f"{count} outside the population"


def _distribution(card: Card) -> Iterator[str]:
    ranks = "  ".join(f"{rank}: {count:,}" for rank, count in card.first_ranks.items())
    yield f"first ranks ({card.averaged:,} queries)  {ranks}"
    median = "none (most queries have no hit)" if card.median_first_rank is None else card.median_first_rank
    success = "  ".join(f"{name} {value:.4f}" for name, value in card.success.items())
    yield f"median first rank {median}  {success}"
    if card.harmonic_mean_rank is not None:
        yield (
            f"harmonic mean rank 1/M{card.primary} = {card.harmonic_mean_rank:.4g}: "
            "a miss is infinitely deep; this is not the average rank"
        )


def _rule_lines(card: Card) -> Iterator[str]:
    defaults = Rules()
    for name in Rules.__struct_fields__:
        value = getattr(card.rules, name)
        origin = "default" if value == getattr(defaults, name) else "changed"
        if name in card.given:
            origin = "given"
        elif origin == "changed" and card.compat:
            origin = f"from {card.compat}"
        yield f"  {name:<14}{_number(value)!s:<14}({origin})"
    yield f"  {'order used':<14}{order_text(card.run.order, card.rules)}"
    if card.depth:
        yield f"  {'depth saved':<14}{card.depth:,}"


def _input_lines(card: Card) -> Iterator[str]:
    yield f"  labels  {_facts(card.labels)}"
    yield f"  run     {_facts(card.run)}"
    if card.queries is not None:
        yield f"  queries {_facts(card.queries)}"


def _facts(facts: Any) -> str:
    named = ((name, getattr(facts, name)) for name in facts.__struct_fields__)
    said = [(name, value) for name, value in named if value not in ("", 0, None, [], False)]
    said = [
        (name, _RANK_COLUMN.get(value, value) if name == "rank_column" else value) for name, value in said
    ]
    return SEPARATOR.join(
        f"{_FACTS.get(name, name.replace('_', ' '))} {_value(value)}" for name, value in said
    )


_FACTS = {
    "file_sha256": "sha256 of the file",
    "lists_relevant_only": "relevant documents only",
    "id_space": "ids",
    "pairs_fall": "neighbouring ranks with falling scores",
    "pairs_rise": "neighbouring ranks with rising scores",
}


_RANK_COLUMN = {
    "used": "orders the run",
    "fractional": "orders the run, not whole numbers",
    "none": "not looked at",
    "constant": "the same everywhere, ignored",
    "not-integer": "not whole numbers, ignored",
    "ok": "compared with the scores",
}


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes"
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:,}" if isinstance(value, int) else str(_number(value))


def _measure_lines(card: Card) -> Iterator[str]:
    for measure in card.measures:
        mean = card.means[measure]
        parts = ["no value" if mean is None else repr(mean)]
        if measure in card.hits:
            parts.append(f"{card.hits[measure].hit:,} hit, {card.hits[measure].miss:,} miss")
        if measure in card.ties:
            parts.append(f"ties [worst, expected, best] {_range(card.ties[measure])}")
        if measure in card.bounds:
            parts.append(f"bounds {_range(card.bounds[measure])}")
        if card.without_value.get(measure):
            parts.append(f"{card.without_value[measure]:,} queries without a value, left out")
        yield f"  {measure:<14}{' · '.join(parts)}"


def _formulas(card: Card) -> Iterator[str]:
    """The formula of each measure shown, as its documentation has it, each family once."""
    from firsthit.measures import parse_measures

    for definition in {
        measure.name: measure.definition for measure in parse_measures(card.measures)
    }.values():
        found = re.search(
            r"^Formula: (.*?)\n\S+( \S+)?: ", definition.documentation, re.MULTILINE | re.DOTALL
        )
        if found:
            yield f"  {' '.join(found[1].split())}"


def _rel(card: Card) -> float:
    own = re.search(r"rel=([^,)]+)", card.primary)
    return float(own[1]) if own else card.rules.rel


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value == int(value) else value


def _range(values: tuple[float, ...]) -> str:
    return f"[{', '.join(f'{value:.4f}' for value in values)}]"
