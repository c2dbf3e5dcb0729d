"""What an evaluation will do, decided before anything is read: measures, the primary one, rules, depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from firsthit.errors import UsageError
from firsthit.measures import DEFAULT_MEASURES, Measure, parse_measures
from firsthit.profiles import rules_for
from firsthit.rules import Rules

__all__ = ["BOUNDED", "DEFAULT_PRIMARY", "Plan", "threshold"]

DEFAULT_PRIMARY = "RR@10"
BOUNDED = ("RR", "Success")
"""The measures with exact bounds and a tie range."""

FOR_ANSWERS = ("Success@1", "Success@5", "Success@20", "Success@100", "RR@10")
"""What is computed for answer strings: top-k accuracy at the cutoffs of the papers, and MRR beside it."""

FOR_NEEDS = ("Coverage@10", "Complete@10")
"""What stands beside RR where labels have needs and no measure is named."""

NEED_ALL = ("R", "AP", "nDCG", "Rprec", "Bpref", "NumRel", "NumRelRet", "alpha_nDCG")
"""The measures that count relevant things, found or not: answer strings judge only what was retrieved."""

FEWEST_SAVED, MOST_SAVED = 10, 100
DEEPEST = 1_000_000_000


class Plan(msgspec.Struct, frozen=True, eq=False):
    """The measures that are shown, the primary one, and the rules of each.

    The primary measure is the first RR named. Where none is, RR@10 is computed beside the shown ones: status,
    counts and first ranks belong to it.
    """

    shown: tuple[Measure, ...]
    primary: Measure
    rules: Mapping[Measure, Rules]
    compat: str | None
    given: tuple[str, ...]
    depth: int
    chosen: bool = True  # the measures were named

    @classmethod
    def of(
        cls,
        measures: str | Sequence[str] | None = None,
        *,
        compat: str | None = None,
        depth: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Plan:
        """The plan for these options; whatever is wrong with them is a UsageError."""
        shown = _defaults(compat, options) if measures is None else parse_measures(measures)
        if not shown:
            raise UsageError("no measure is named", hint=f"By default: {' '.join(DEFAULT_MEASURES)}.")
        without_budget = (m for m in shown if m.name == "RR" and m.budget is None)
        primary = next(without_budget, parse_measures([DEFAULT_PRIMARY])[0])
        computed = dict.fromkeys((*shown, primary))
        rules = {measure: rules_for(compat, str(measure), options) for measure in computed}
        _refuse_unfit(rules)
        _refuse_combination(rules[primary])
        depth = _depth(computed) if depth is None else depth
        if not 0 <= depth <= DEEPEST:
            raise UsageError(f"depth {depth}: the number of documents to keep is from 0 to {DEEPEST:,}")
        depth = max(depth, *(m.cutoff or 0 for m in computed if m.name == "Redundancy"), 0)
        return cls(shown, primary, rules, compat, tuple(options or ()), depth, measures is not None)

    def with_needs(self, options: Mapping[str, Any] | None = None) -> Plan:
        """The plan for labels with needs: the measures of needs beside RR, where none were named."""
        rules = self.primary_rules
        if self.chosen or rules.unjudged == "bounds" or rules.ties == "expected":
            return self
        of_needs = parse_measures(FOR_NEEDS)
        shown = tuple(dict.fromkeys((self.shown[0], *of_needs, *self.shown[1:])))
        added = {measure: rules_for(self.compat, str(measure), options) for measure in of_needs}
        return msgspec.structs.replace(self, shown=shown, rules={**self.rules, **added})

    @property
    def primary_rules(self) -> Rules:
        """The rules of the primary measure, which the population and the card follow."""
        return self.rules[self.primary]

    def groups(self) -> dict[Rules, list[Measure]]:
        """The measures by their rules, the primary measure's first: the run is matched once for each."""
        found: dict[Rules, list[Measure]] = {self.primary_rules: []}
        for measure, rules in self.rules.items():
            found.setdefault(rules, []).append(measure)
        return found


def _defaults(compat: str | None, options: Mapping[str, Any] | None) -> tuple[Measure, ...]:
    """The default measures, less those that the rules for unjudged documents and ties cannot serve."""
    rules = rules_for(compat, DEFAULT_PRIMARY, options)
    measures = parse_measures(FOR_ANSWERS if rules.match == "answers" else DEFAULT_MEASURES)
    if rules.unjudged == "bounds":
        measures = tuple(measure for measure in measures if measure.name in BOUNDED)
    if rules.ties == "expected":
        measures = tuple(measure for measure in measures if measure.definition.expected)
    return measures


def threshold(rules: Rules) -> float:
    """The grade from which a document is relevant: where every listed document is, all grades are 1."""
    return 1.0 if rules.relevant == "listed" else rules.rel


def _refuse_unfit(rules: Mapping[Measure, Rules]) -> None:
    open_labels = [m for m, r in rules.items() if r.unjudged == "bounds" and m.name not in BOUNDED]
    if open_labels:
        names = ", ".join(str(measure) for measure in open_labels)
        hint = "unjudged=bounds goes with RR and Success only; name these with -m."
        raise UsageError(f"{names}: no exact bounds", hint=hint)
    lacking = [m for m, r in rules.items() if r.match == "answers" and m.name in NEED_ALL]
    if lacking:
        names = ", ".join(str(measure) for measure in lacking)
        why = "answer strings judge the retrieved passages only, so nobody knows all that is relevant"
        raise UsageError(f"{names}: {why}", hint=f"These fit: {' '.join(FOR_ANSWERS)}.")
    _refuse_unfit_budgets(rules)
    listed = [m for m, r in rules.items() if r.relevant == "listed" and m.rel_or(r.rel) != 1]
    if listed:
        names = ", ".join(str(measure) for measure in listed)
        why = "relevant=listed takes every labelled document as relevant, so a threshold has no meaning"
        raise UsageError(f"{names}: {why}", hint="Leave out rel, or relevant=listed.")


def _refuse_unfit_budgets(rules: Mapping[Measure, Rules]) -> None:
    """A budget is filled from the top of the ranking as it was retrieved, in one order."""
    budgets = {measure: its for measure, its in rules.items() if measure.budget is not None}
    condensed = [str(measure) for measure, its in budgets.items() if its.unjudged == "condensed"]
    if condensed:
        why = "unjudged passages are read too, so a token budget does not go with unjudged=condensed"
        raise UsageError(f"{', '.join(condensed)}: {why}")
    loose = [str(measure) for measure, its in budgets.items() if its.ties in ("best", "worst", "expected")]
    if loose:
        why = "which passages fit a token budget depends on the order of ties"
        hint = "Choose ties=docid-desc, docid-asc or given."
        raise UsageError(f"{', '.join(loose)}: {why}", hint=hint)


def _refuse_combination(rules: Rules) -> None:
    if rules.ties == "expected" and rules.duplicates == "keep":
        hint = "Choose duplicates=best, first or last."
        raise UsageError("ties=expected has no exact value where a document is kept twice", hint=hint)


def _depth(measures: Mapping[Measure, None]) -> int:
    """The deepest cutoff among RR and Success, at least 10, at most 100."""
    cutoffs = [m.cutoff for m in measures if m.name in BOUNDED]
    deepest = max((MOST_SAVED if cutoff is None else int(cutoff) for cutoff in cutoffs), default=0)
    return min(max(deepest, FEWEST_SAVED), MOST_SAVED)
