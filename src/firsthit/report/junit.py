"""JUnit XML: the rules of a gate as test cases; without a gate the comparison as one that passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from firsthit.report.markup import clean
from firsthit.report.words import VERDICT_WORDS, mean_name

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.gate import GateResult, RuleResult

__all__ = ["junit"]


def junit(
    comparisons: Comparison | Sequence[Comparison], gate: GateResult | Sequence[GateResult] | None = None
) -> str:
    """One test suite a comparison. A rule that fails is a failure, one that cannot be told is skipped.

    Where the gate says that what cannot be told fails, such a rule is a failure too. Without a gate the
    verdict never fails a build: its test case passes and holds the sentence.
    """
    found = list(comparisons) if isinstance(comparisons, Sequence) else [comparisons]
    results = [gate] * len(found) if gate is None or not isinstance(gate, Sequence) else list(gate)
    suites = [_suite(one, result) for one, result in zip(found, results, strict=True)]
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + f"<testsuites>\n{''.join(suites)}</testsuites>\n"


def _suite(comparison: Comparison, result: GateResult | None) -> str:
    cases = [_verdict_case(comparison)] if result is None else [_case(rule, result) for rule in result.rules]
    failures = sum("<failure" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    name = _quoted(f"firsthit: {comparison.old} → {comparison.new}")
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'
    out = f"  <system-out>{_text(_said(comparison))}</system-out>\n"
    return f"<testsuite name={name} {counts}>\n{_properties(comparison)}{''.join(cases)}{out}</testsuite>\n"


def _said(comparison: Comparison) -> str:
    sentences = [comparison.verdict.sentence, comparison.verdict.second_sentence, *comparison.notices]
    return "\n".join(sentence for sentence in sentences if sentence)


def _properties(comparison: Comparison) -> str:
    primary = comparison.primary
    facts = {
        "measure": mean_name(comparison.measure),
        "verdict": comparison.verdict.kind,
        "old": repr(float(primary.old)),
        "new": repr(float(primary.new)),
        "difference": repr(float(primary.difference)),
        "interval": f"{float(primary.interval.low)!r} {float(primary.interval.high)!r}",
        "queries": str(primary.queries),
    }
    lines = [f"    <property name={_quoted(name)} value={_quoted(fact)}/>\n" for name, fact in facts.items()]
    return f"  <properties>\n{''.join(lines)}  </properties>\n"


def _verdict_case(comparison: Comparison) -> str:
    words = f"{mean_name(comparison.measure)}: {VERDICT_WORDS[comparison.verdict.kind].lower()}"
    return f'  <testcase classname="firsthit.compare" name={_quoted(words)} time="0"/>\n'


def _case(found: RuleResult, result: GateResult) -> str:
    opening = f'  <testcase classname="firsthit.gate" name={_quoted(_name(found))} time="0"'
    if found.status == "pass":
        return f"{opening}/>\n"
    fails = found.status == "fail" or (result.exit_code == 1 and _all_undecided(result))
    element = "failure" if fails else "skipped"
    listed = "\n".join(_queries(found))
    inside = f"<{element} message={_quoted(found.text)}>{_text(listed)}</{element}>"
    return f"{opening}>{inside}</testcase>\n"


def _all_undecided(result: GateResult) -> bool:
    """Whether the gate fails though no rule does: then what cannot be told counts as failing."""
    return not any(rule.status == "fail" for rule in result.rules)


def _name(found: RuleResult) -> str:
    return str(found.rule)


def _queries(found: RuleResult) -> list[str]:
    details = [*found.details, *([""] * (len(found.queries) - len(found.details)))]
    return [
        f"{query_id}: {detail}" if detail else query_id
        for query_id, detail in zip(found.queries, details, strict=True)
    ]


def _text(words: str) -> str:
    return escape(clean(words))


def _quoted(words: str) -> str:
    return quoteattr(clean(words))
