"""Every measure as one row: its name, its function, the names that other tools give it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import msgspec

from firsthit.measures.counts import judged, num_rel, num_rel_ret, num_ret, precision, recall, rprec
from firsthit.measures.diversity import alpha_ndcg, err_ia
from firsthit.measures.first import rr, success
from firsthit.measures.gain import err, ndcg, rbp
from firsthit.measures.needs import complete, coverage, rr_all
from firsthit.measures.order import ap, bpref
from firsthit.measures.redundancy import redundancy
from firsthit.measures.ties import (
    expected_ndcg,
    expected_precision,
    expected_rbp,
    expected_recall,
    expected_rr,
    expected_success,
)
from firsthit.measures.view import Floats

__all__ = ["MEASURES", "Definition"]


class Definition(msgspec.Struct, frozen=True, eq=False, dict=True):
    """What is known about a measure by its name; cutoff and parameters are read off its function.

    `aliases` are names that users bring, without their cutoff; one that ends in "_cut" needs a cutoff.
    `budget`: a token budget may take the place of the cutoff.
    """

    name: str
    function: Callable[..., Floats]
    aliases: tuple[str, ...] = ()
    expected: Callable[..., Floats] | None = None
    highest: float = 1.0
    budget: bool = False
    aggregate: Literal["mean", "sum"] = "mean"

    @cached_property
    def _arguments(self) -> dict[str, Any]:
        """Name and default of the function's arguments after the hits; required ones have no default."""
        arguments = list(inspect.signature(self.function).parameters.values())[1:]
        return {argument.name: argument.default for argument in arguments}

    @property
    def cutoff(self) -> Literal["required", "optional", "none"]:
        """Whether the measure takes a cutoff."""
        if "k" not in self._arguments:
            return "none"
        return "required" if self._arguments["k"] is inspect.Parameter.empty else "optional"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters beside the cutoff, with their defaults (rel: the evaluation's own unless named)."""
        return {name: default for name, default in self._arguments.items() if name != "k"}

    @property
    def shown(self) -> tuple[str, ...]:
        """The parameters that stand in the name also at their default: without p, RBP says nothing."""
        return ("p",) if "p" in self.parameters else ()

    def takes(self, parameter: str) -> bool:
        """Whether the measure may be given this parameter."""
        return parameter in self.parameters or (parameter == "tokens" and self.budget)

    @property
    def documentation(self) -> str:
        """The function's docstring: definition, formula, reading, limits, source, example."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.documentation.partition("\n")[0]


_COUNT: dict[str, Any] = {"highest": math.inf, "aggregate": "sum"}

MEASURES: dict[str, Definition] = {
    definition.name: definition
    for definition in (
        Definition(
            "RR",
            rr,
            ("MRR", "mrr_cut", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank"),
            expected_rr,
            budget=True,
        ),
        Definition("RRAll", rr_all, ("mrr_all",), budget=True),
        Definition("Success", success, ("hit", "hit_rate", "accuracy", "acc"), expected_success, budget=True),
        Definition(
            "Coverage", coverage, ("StRecall", "strec", "subtopic_recall", "need_coverage"), budget=True
        ),
        Definition("Complete", complete, (), budget=True),
        Definition("P", precision, ("precision", "prec"), expected_precision),
        Definition("R", recall, ("recall",), expected_recall, budget=True),
        Definition("AP", ap, ("MAP", "map_cut", "average_precision")),
        Definition("nDCG", ndcg, ("ndcg_cut",), expected_ndcg),
        Definition("Rprec", rprec, ("r_precision",)),
        Definition("Bpref", bpref),
        Definition("RBP", rbp, (), expected_rbp),
        Definition("ERR", err),
        Definition("alpha_nDCG", alpha_ndcg, highest=math.inf),
        Definition("ERR_IA", err_ia, highest=math.inf),
        Definition("Judged", judged),
        Definition("Redundancy", redundancy),
        Definition("NumRet", num_ret, ("num_ret",), **_COUNT, budget=True),
        Definition("NumRel", num_rel, ("num_rel",), **_COUNT),
        Definition("NumRelRet", num_rel_ret, ("num_rel_ret",), **_COUNT),
    )
}
"""All measures by name, in the order in which they are listed."""
