"""The short cards of several runs as one: what all of them say stands once, the rest below it, run by run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

__all__ = ["shared_lines"]

SEPARATOR = " · "


def shared_lines(cards: Mapping[str, str]) -> list[str]:
    r"""The lines of the cards of runs (name -> text), each fact once where every run has it.

    >>> print("\n".join(shared_lines({"a": "order: score · 0 tied", "bc": "order: score · 2 tied"})))
    order: score
      a:  0 tied
      bc: 2 tied
    """
    if len(cards) == 1:
        return next(iter(cards.values())).splitlines()
    lines = {name: {_kind(line): line for line in text.splitlines()} for name, text in cards.items()}
    return [line for kind in _kinds(list(lines.values())) for line in _merged(_facts(lines, kind))]


def _kind(line: str) -> str:
    """What a line is about: the words before its first colon or equals sign."""
    return line.partition(" = ")[0].partition(":")[0]


def _kinds(cards: Sequence[Mapping[str, str]]) -> list[str]:
    """The kinds of all cards in one order: one that only some have keeps its place."""
    order: list[str] = []
    for card in cards:
        place = 0
        for kind in card:
            if kind not in order:
                order.insert(place, kind)
            place = order.index(kind) + 1
    return order


def _facts(lines: Mapping[str, Mapping[str, str]], kind: str) -> dict[str, list[str]]:
    found = {name: card.get(kind, "") for name, card in lines.items()}
    return {name: line.split(SEPARATOR) if line else [] for name, line in found.items()}


def _merged(facts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    first, *others = facts.values()
    common = [fact for fact in first if all(fact in other for other in others)]
    if common:
        yield SEPARATOR.join(common)
    longest = max(map(len, facts)) + 1
    indent = "  " if common else ""
    for name, own in facts.items():
        rest = [fact for fact in own if fact not in common]
        if rest:
            yield f"{indent}{name + ':':<{longest}} {SEPARATOR.join(rest)}"
