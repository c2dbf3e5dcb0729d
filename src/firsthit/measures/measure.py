"""A measure as a value: name, cutoff, parameters; the same text in Python, on the command line, in output."""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.measures.budget import window
from firsthit.measures.registry import MEASURES, Definition
from firsthit.measures.view import Cutoff, Floats

__all__ = ["Measure"]


class Measure(msgspec.Struct, frozen=True):
    """A named function of Hits that gives one value per query; made from its name by `parse_measures`.

    >>> str(Measure("RR", 10, (("rel", 2.0),)))
    'RR(rel=2)@10'
    """

    name: str
    cutoff: int | None = None
    params: tuple[tuple[str, float | str], ...] = ()

    def __str__(self) -> str:
        params = ",".join(f"{name}={_text(value)}" for name, value in self.params)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({params}){cutoff}" if params else f"{self.name}{cutoff}"

    @property
    def definition(self) -> Definition:
        """What is known about the measure by its name."""
        return MEASURES[self.name]

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value that a query can have."""
        return 0.0, self.definition.highest

    @property
    def aggregate(self) -> Literal["mean", "sum"]:
        """How values of queries become one: "sum" for NumRet, NumRel and NumRelRet, "mean" for all others."""
        return self.definition.aggregate

    @property
    def takes_rel(self) -> bool:
        """Whether the measure sees grades as relevant or not; nDCG, ERR, Judged and NumRet do not."""
        return "rel" in self.definition.parameters

    @property
    def budget(self) -> int | None:
        """The tokens that may be read, where these are the cutoff."""
        tokens = dict(self.params).get("tokens")
        return None if tokens is None else int(tokens)

    def rel_or(self, rel: float) -> float:
        """The measure's own relevance threshold, else the evaluation's."""
        return float(dict(self.params).get("rel", rel))

    def values(self, hits: Hits, rel: float = 1.0) -> Floats:
        """The value of each query of the labels, in their order; `rel` holds unless the measure has its own.

        Absent, unlabelled and no_relevant queries have 0; Judged and Redundancy have NaN where nothing was
        retrieved. A token budget needs the tokens of the passages: see `Hits.tokens`.
        """
        return self.definition.function(hits, **self._arguments(rel), **self._depth(hits))

    def expected(self, hits: Hits, rel: float = 1.0) -> Floats:
        """The exact mean of each query's value over all orders of tied documents."""
        if self.definition.expected is None:
            able = ", ".join(name for name, known in MEASURES.items() if known.expected)
            raise UsageError(f"{self} has no exact mean over the orders of ties; these have: {able}")
        if self.budget is not None:
            raise UsageError(f"{self}: which passages fit a token budget depends on the order of ties")
        return self.definition.expected(hits, **self._arguments(rel), **self._depth(hits))

    def over(self, values: Floats, counted: NDArray[np.bool_] | None = None) -> float:
        """The mean (or sum, see `aggregate`) over the queries counted that have a value; NaN when none has.

        >>> Measure("RR").over(np.array([1.0, 0.5, 0.0]))
        0.5
        """
        chosen = values if counted is None else values[counted]
        known = chosen[~np.isnan(chosen)]
        total = math.fsum(known[known != 0.0].tolist())  # zeros, which are many, add nothing
        if self.aggregate == "sum":
            return total
        return total / len(known) if len(known) else math.nan

    def _arguments(self, rel: float) -> dict[str, Any]:
        arguments: dict[str, Any] = {name: value for name, value in self.params if name != "tokens"}
        if self.takes_rel:
            arguments["rel"] = self.rel_or(rel)
        return arguments

    def depth(self, hits: Hits) -> Cutoff:
        """The deepest rank that counts: the cutoff, or what the token budget of each query holds."""
        return self.cutoff if self.budget is None else window(hits, self.budget)

    def _depth(self, hits: Hits) -> dict[str, Cutoff]:
        depth = self.depth(hits)
        return {} if depth is None else {"k": depth}


def _text(value: float | str) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    return str(int(value)) if value.is_integer() else repr(value)
