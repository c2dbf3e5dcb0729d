"""Markdown for a pull request: the verdict first, short enough for any host, replaceable by a bot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from firsthit.report.markup import clean
from firsthit.report.needs import HEADS, traded_rows, traded_words
from firsthit.report.numbers import between, count, p_value, rank, shorten, signed, value
from firsthit.report.words import (
    CELL_WORDS,
    VERDICT_WORDS,
    agreement_words,
    bounds_words,
    comparability,
    mean_name,
    order_by_change,
    pairing_words,
)
from firsthit.wording import many, percent

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.gate import GateResult, RuleResult
    from firsthit.groups import GroupComparison

__all__ = ["MARKER", "MOST_CHARACTERS", "markdown"]

MARKER = "<!-- firsthit report -->"
"""The hidden first line: a bot looks for it to replace its earlier comment."""

MOST_CHARACTERS = 64_000
"""Below the 65,536 that hosts of pull requests take."""

_SPECIAL = re.compile(r"[^\w\s.,()%+/;…→–−-]|_")
_STATUS = {"pass": "pass", "fail": "**FAIL**", "cannot_tell": "cannot tell"}


def markdown(
    comparisons: Comparison | Sequence[Comparison], gate: GateResult | Sequence[GateResult] | None = None
) -> str:
    """The report as one comment. Lists grow shorter until it fits; ids and texts cannot become markup."""
    found = list(comparisons) if isinstance(comparisons, Sequence) else [comparisons]
    results = [gate] * len(found) if gate is None or not isinstance(gate, Sequence) else list(gate)
    for most in (25, 10, 5, 2, 0):
        blocks = [_blocks(one, result, most) for one, result in zip(found, results, strict=True)]
        whole = f"{MARKER}\n" + "\n---\n\n".join("\n".join(block) for block in blocks)
        if len(whole) <= MOST_CHARACTERS:
            return whole
    return f"{MARKER}\n" + "\n\n".join("\n".join(_verdict(one)) for one in found)[: MOST_CHARACTERS - 100]


def _blocks(comparison: Comparison, gate: GateResult | None, most: int) -> Iterator[str]:
    yield from _verdict(comparison)
    yield from _gate(gate, most) if gate is not None else ()
    yield from _means(comparison)
    parts: list[Callable[[], Iterator[str]]] = [
        partial(_critical, comparison, most),
        partial(_groups, comparison, most),
        partial(_traded, comparison, most),
        partial(_changed, comparison, most),
        partial(_answers, comparison),
        partial(_turning, comparison, most),
    ]
    for part in parts if most else parts[:1]:
        yield from part()
    yield from _compared(comparison)


def _verdict(comparison: Comparison) -> Iterator[str]:
    found = comparison.verdict
    yield f"## {VERDICT_WORDS[found.kind]}: {_plain(comparison.old)} → {_plain(comparison.new)}"
    yield ""
    yield f"**{_plain(found.sentence, 2000)}**"
    yield ""
    if found.second_sentence:
        yield f"{_plain(found.second_sentence, 2000)}\n"


def _gate(result: GateResult, most: int) -> Iterator[str]:
    yield f"### {_plain(result.sentence, 400)}\n"
    order = {"fail": 0, "cannot_tell": 1, "pass": 2}
    rules = sorted(result.rules, key=lambda found: order[found.status])
    if rules:
        yield from _table(
            ("Rule", "Result", "Why"), [_rule(found, most) for found in rules[: 4 * most + 20]], 3
        )
    for notice in result.notices:
        yield f"{_plain(notice, 400)}\n"


def _rule(found: RuleResult, most: int) -> Sequence[str]:
    listed = ""
    if found.queries and found.status != "pass" and most:
        shown = ", ".join(_id(query_id) for query_id in found.queries[:most])
        more = f" and {count(len(found.queries) - most)} more" if len(found.queries) > most else ""
        listed = f"<br>{shown}{more}"
    return _plain(str(found.rule), 200), _STATUS[found.status], _plain(found.text, 300) + listed


def _means(comparison: Comparison) -> Iterator[str]:
    rows = [
        (
            f"**{mean_name(found.measure)}**"
            if found.measure == comparison.measure
            else mean_name(found.measure),
            value(found.old),
            value(found.new),
            signed(found.difference),
            between(found.interval.low, found.interval.high),
            p_value(found.p_holm),
            f"{count(found.wins)} / {count(found.losses)} / {count(found.ties)}",
        )
        for found in list(comparison.means.values())[:40]
    ]
    heads = (
        "",
        _plain(comparison.old),
        _plain(comparison.new),
        "difference",
        "95% interval",
        "p",
        "better / worse / same",
    )
    yield from _table(heads, rows, 1)


def _critical(comparison: Comparison, most: int) -> Iterator[str]:
    worse = np.flatnonzero(comparison.critical & (comparison.difference < 0)).tolist()
    if not worse:
        return
    yield f"**{many(len(worse), 'critical query', 'critical queries')} got worse**\n"
    yield from _queries(comparison, worse[: max(5, most)])


def _traded(comparison: Comparison, most: int) -> Iterator[str]:
    """The queries whose first hit improved while a need fell out of the window."""
    if not comparison.needs_lost:
        return
    yield f"**{traded_words(comparison)}**\n"
    rows = [
        (_id(query_id), first, _plain(need, 60), ranks)
        for query_id, first, need, ranks in traded_rows(comparison, max(5, most))
    ]
    yield from _table(HEADS, rows, len(HEADS))


def _groups(comparison: Comparison, most: int) -> Iterator[str]:
    if not comparison.groups:
        return
    rows = [_group(group) for group in comparison.groups[: 2 * most]]
    heads = ("Group", "queries", "old", "new", "difference", "95% interval", "better / worse", "verdict")
    title = many(len(comparison.groups), "group")
    yield from _folded(
        title, _table(heads, rows, 1), opened=any(group.critical for group in comparison.groups)
    )


def _group(group: GroupComparison) -> Sequence[str]:
    verdict = VERDICT_WORDS[group.verdict].lower() if group.verdict else "report only"
    return (
        _plain(group.name) + (" **critical**" if group.critical else ""),
        count(group.n),
        value(group.old),
        value(group.new),
        signed(group.difference),
        between(group.interval.low, group.interval.high, 3),
        f"{count(group.wins)} / {count(group.losses)}",
        verdict,
    )


def _changed(comparison: Comparison, most: int) -> Iterator[str]:
    order = [i for i in order_by_change(comparison) if comparison.difference[i]]
    for words, sign in (("worse", -1), ("better", 1)):
        moved = [i for i in order if comparison.difference[i] * sign > 0]
        if moved:
            shown = "" if len(moved) <= most else f", the {most} that changed most"
            yield from _folded(
                f"{many(len(moved), 'query', 'queries')} {words}{shown}", _queries(comparison, moved[:most])
            )


def _queries(comparison: Comparison, chosen: Sequence[int]) -> Iterator[str]:
    rows = []
    for i in chosen:
        query_id = comparison.query_ids[i]
        old, new = (rank(int(ranks[i])) for ranks in (comparison.first_rank_old, comparison.first_rank_new))
        top = comparison.top_new[i]
        words = (comparison.query_text or {}).get(query_id, "")
        moved = f"{old} → {new}", signed(float(comparison.difference[i]), 3)
        rows.append((_id(query_id), *moved, _id(top) if top else "nothing", _plain(words, 80)))
    heads = ("Query", "first rank", "difference", "on top now", "")
    yield from _table(heads, rows, len(heads))


def _answers(comparison: Comparison) -> Iterator[str]:
    found = comparison.answers
    if found is None:
        return
    yield f"**Answers.** {_plain(found.sentence, 500)} {_plain(found.second_sentence, 500)}\n"
    rows = [
        (_plain(name), *(count(len(cells[cell])) for cell in CELL_WORDS))
        for name, cells in ((comparison.old, found.old), (comparison.new, found.new))
    ]
    yield from _table(("", *CELL_WORDS.values()), rows, 1)


def _turning(comparison: Comparison, most: int) -> Iterator[str]:
    if not comparison.turning:
        return
    rows = [
        (
            _id(one.query_id),
            _id(one.doc_id),
            str(one.rank_old or "–"),
            str(one.rank_new or "–"),
            signed(one.shift),
        )
        for one in comparison.turning[:most]
    ]
    title = f"{many(len(comparison.turning), 'unjudged document')} could turn the verdict"
    yield from _folded(title, _table(("Query", "Document", "rank old", "rank new", "shift"), rows, 2))


def _compared(comparison: Comparison) -> Iterator[str]:
    facts = [
        f"{_plain(pairing_words(comparison), 300)}",
        f"unjudged documents: {_plain(bounds_words(comparison), 400)}",
    ]
    if alike := agreement_words(comparison):
        facts.append(f"rankings: {_plain(alike, 300)}")
    for what, old, new in comparability(comparison):
        same = _plain(old) if old == new else f"{_plain(old)} against {_plain(new)}"
        facts.append(f"{what.lower()}: {same}")
    facts += [_plain(notice, 400) for notice in comparison.notices[:20]]
    shares = (comparison.judged_share_old, comparison.judged_share_new)
    title = f"What was compared ({' and '.join(percent(share, 0) for share in shares)} of the top judged)"
    yield from _folded(title, (f"- {fact}" for fact in facts))


def _folded(title: str, lines: Iterator[str], *, opened: bool = False) -> Iterator[str]:
    yield f"<details{' open' if opened else ''}><summary>{title}</summary>\n"
    yield from lines
    yield "\n</details>\n"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], texts: int) -> Iterator[str]:
    """A table whose columns from `texts` on are numbers, set to the right."""
    rule = ["---" if i < texts else "---:" for i in range(len(heads))]
    for row in (heads, rule, *rows):
        yield f"| {' | '.join(row)} |"
    yield ""


def _plain(words: str, length: int = 80) -> str:
    """Words that stay words: whatever could be markup, a mention or a link becomes an entity."""
    short = shorten(" ".join(clean(words).split()), length)
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", short).replace("www.", "www&#46;")


def _id(words: str) -> str:
    return f"<code>{_plain(words, 60)}</code>"
