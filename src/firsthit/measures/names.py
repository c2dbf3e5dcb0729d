"""The names of measures: `RR(rel=2)@10`, and the names that users bring from other tools."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping

from firsthit.errors import UsageError
from firsthit.measures.measure import Measure
from firsthit.measures.registry import MEASURES, Definition

__all__ = ["DEFAULT_MEASURES", "describe", "parse_measures", "spellings"]

DEFAULT_MEASURES = ("RR@10", "Success@1", "Success@10", "R@10", "nDCG@10", "Judged@10")
"""What is computed when no measure is named."""

_DEEPEST = 1_000_000_000
_NAME = re.compile(r"(?P<name>[A-Za-z][A-Za-z_-]*?) *(?:\((?P<params>[^()]*)\))? *(?P<cutoff>@.*)?", re.ASCII)
_FOREIGN = re.compile(r"(?P<name>[A-Za-z][A-Za-z_-]*?)(?:_at_|-at-|[._])(?P<cutoff>[0-9][0-9.]*)", re.ASCII)


def parse_measures(names: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """The measures of these names (or this one), each once, in order; one UsageError tells of all wrong ones.

    A name is `NAME`, `NAME@k`, `NAME(parameter=value)@k` or, with a token budget in place of the cutoff,
    `NAME(tokens=2000)`, in any case, or what another tool calls it.

    >>> [str(measure) for measure in parse_measures(["mrr@10", "RR(rel=2)@10", "ndcg_cut_5", "recip_rank"])]
    ['RR@10', 'RR(rel=2)@10', 'nDCG@5', 'RR']
    """
    measures: dict[Measure, None] = {}
    problems = []
    for name in [names] if isinstance(names, str | Measure) else names:
        try:
            measures[name if isinstance(name, Measure) else _parsed(name)] = None
        except _BadName as bad:
            problems.append(f"{name!r}: {bad}")
    if problems:
        raise UsageError(
            "\n".join(problems), hint="`firsthit measures` lists all measures and the names understood."
        )
    return tuple(measures)


def describe(name: str) -> str:
    """How a measure is written, its other names, its documentation: what `firsthit measures NAME` prints.

    >>> print(describe("mrr").splitlines()[0])
    RR, RR@k, RR(rel=…), RR(rel=…)@k, RR(tokens=…)
    """
    definition = MEASURES[parse_measures([name])[0].name] if "@" in name else _definition_for(name)
    lines = [", ".join(spellings(definition))]
    if definition.aliases:
        lines.append(f"Also understood: {', '.join(definition.aliases)}")
    return "\n".join([*lines, "", definition.documentation])


def spellings(definition: Definition) -> list[str]:
    """How a measure can be written: with and without its cutoff and parameters."""
    params = ", ".join(f"{name}=…" for name in definition.parameters)
    names = [definition.name, *([f"{definition.name}({params})"] if params else [])]
    endings = {"none": [""], "optional": ["", "@k"], "required": ["@k"]}[definition.cutoff]
    budget = [f"{definition.name}(tokens=…)"] if definition.budget else []
    return [name + ending for name in names for ending in endings] + budget


class _BadName(Exception):
    """Why one name is not a measure."""


def _plain(name: str) -> str:
    """A name without case, underscores and hyphens, which tools use differently."""
    return name.lower().replace("_", "").replace("-", "")


_BY_PLAIN_NAME = {
    _plain(name): definition
    for definition in MEASURES.values()
    for name in (definition.name, *definition.aliases)
}


def _definition_for(name: str) -> Definition:
    try:
        return _known(name.strip())
    except _BadName as bad:
        raise UsageError(f"{name!r}: {bad}", hint="`firsthit measures` lists all measures.") from None


def _parsed(text: str) -> Measure:
    if not isinstance(text, str):
        raise _BadName("a measure's name is text, such as 'RR@10'")
    matched = _FOREIGN.fullmatch(text.strip()) or _NAME.fullmatch(text.strip())
    if matched is None:
        raise _BadName(f"not a measure's name; written like RR@10 or RR(rel=2)@10{_nearest(text)}")
    parts = matched.groupdict()
    definition = _known(parts["name"])
    params = _params(definition, parts.get("params"))
    budget = any(name == "tokens" for name, _ in params)
    if budget and parts["cutoff"] is not None:
        raise _BadName(f"takes a cutoff or tokens, not both: {definition.name}{parts['cutoff']} is without")
    cutoff = None if budget else _cutoff(definition, parts["name"], parts["cutoff"])
    return Measure(definition.name, cutoff, params)


def _known(name: str) -> Definition:
    definition = _BY_PLAIN_NAME.get(_plain(name))
    if definition is None:
        raise _BadName(f"unknown measure{_nearest(name)}")
    return definition


def _nearest(text: str) -> str:
    """The measures whose names look most like this text, with what they need."""
    word = _plain(re.split(r"[^A-Za-z_-]", text.strip(), maxsplit=1)[0])
    near = _close(word, _BY_PLAIN_NAME, 3)
    names = dict.fromkeys(_BY_PLAIN_NAME[plain].name for plain in near)
    return f"; nearest: {', '.join(names)}" if names else ""


def _close(word: str, choices: Iterable[str], most: int) -> list[str]:
    import difflib  # only a mistake needs it

    return difflib.get_close_matches(word, list(choices), n=most, cutoff=0.5)


def _cutoff(definition: Definition, name: str, text: str | None) -> int | None:
    if text is None:
        if definition.cutoff == "required" or _plain(name).endswith("cut"):
            raise _BadName(f"needs a cutoff, as in {definition.name}@10")
        return None
    if definition.cutoff == "none":
        raise _BadName(f"{definition.name} takes no cutoff")
    digits = text.removeprefix("@").strip()
    if not re.fullmatch(r"[0-9]{1,10}", digits) or not 1 <= int(digits) <= _DEEPEST:
        raise _BadName(f"the cutoff is a whole number from 1 to {_DEEPEST:,}, not {digits!r}")
    return int(digits)


def _params(definition: Definition, text: str | None) -> tuple[tuple[str, float | str], ...]:
    """The parameters by name; one at its default is left out unless it is always shown."""
    given: dict[str, float | str] = {name: definition.parameters[name] for name in definition.shown}
    seen = set()
    for part in text.split(",") if text and text.strip() else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not definition.takes(name):
            choices = _choices(name, definition.parameters)
            raise _BadName(f"{definition.name} has no parameter {name!r}{choices}")
        if not equals or name in seen:
            raise _BadName(f"parameter {name!r} is given once, as in {name}=…")
        seen.add(name)
        given[name] = _READERS[name](value)
    for name in ("dcg", "alpha", "similar"):
        if name in given and given[name] == definition.parameters[name]:
            del given[name]
    return tuple(sorted(given.items()))


def _choices(name: str, parameters: Mapping[str, object]) -> str:
    if not parameters:
        return "; it has none"
    near = _close(name, parameters, 1)
    return f"; nearest: {near[0]}" if near else f"; it has: {', '.join(parameters)}"


def _number(text: str) -> float:
    try:
        value = float(text) if re.fullmatch(r"[-+0-9.eE]+", text, re.ASCII) else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise _BadName(f"{text!r} is not a number")
    return value


def _threshold(text: str) -> float:
    value = _number(text)
    if value < 0:
        raise _BadName(f"rel is a number of at least 0, not {text}")
    return value


def _patience(text: str) -> float:
    value = _number(text)
    if not 0 < value < 1:
        raise _BadName(f"p is between 0 and 1, not {text}")
    return value


def _gain(text: str) -> str:
    value = text.strip("'\"")
    if value not in ("log2", "exp-log2"):
        raise _BadName(f"dcg is 'log2' or 'exp-log2', not {text}")
    return value


def _intolerance(text: str) -> float:
    value = _number(text)
    if not 0 <= value <= 1:
        raise _BadName(f"alpha is from 0 to 1, not {text}")
    return value


def _similar(text: str) -> float:
    value = _number(text)
    if not 0 < value <= 1:
        raise _BadName(f"similar is above 0 and at most 1, not {text}")
    return value


def _budget(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,10}", text) or not 1 <= int(text) <= _DEEPEST:
        raise _BadName(f"tokens is a whole number from 1 to {_DEEPEST:,}, not {text!r}")
    return float(text)


_READERS: dict[str, Callable[[str], float | str]] = {
    "rel": _threshold,
    "p": _patience,
    "dcg": _gain,
    "alpha": _intolerance,
    "similar": _similar,
    "tokens": _budget,
}
