"""A look at labels and runs before anything is computed: all that could spoil a number, problems first.

A check does not stop at the first problem: it goes on with the offending rule relaxed, so that one
look shows all there is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from firsthit.errors import FirsthitError, InputError, Problem
from firsthit.evaluation.assemble import labels_of
from firsthit.evaluation.joined import Beside, Reading, join
from firsthit.evaluation.plan import DEFAULT_PRIMARY, threshold
from firsthit.passages import Passages, read_passages
from firsthit.preflight.duplicates import passage_duplicates, place_duplicates, similarities
from firsthit.preflight.evidence import corpus_findings, evidence_findings, need_findings
from firsthit.preflight.findings import label_findings, query_findings, run_findings
from firsthit.profiles import rules_for
from firsthit.qrels import Qrels
from firsthit.queries import Queries, read_queries
from firsthit.rules import Rules
from firsthit.run import Run, read_run
from firsthit.staleness import MAX_STALE
from firsthit.staleness.find import refuse_beyond

if TYPE_CHECKING:
    from typing import Unpack

    from firsthit.files.blocks import Progress
    from firsthit.resolve.sources import Sources
    from firsthit.rules import RuleOptions

__all__ = ["CheckReport", "Finding", "check"]

Level: TypeAlias = Literal["problem", "notice", "fact"]
LEVELS: tuple[Level, ...] = ("problem", "notice", "fact")

HEAD = 10
"""How many ids of each ranking are looked at, to see whether they are those of the labels."""

SHOWN = 5
"""How many problems of one kind are shown."""

MORE = "… and"
"""How a sentence begins that only counts the problems not shown."""


@dataclass(frozen=True)
class Finding:
    """One thing found: a problem, a notice or a fact about a file, and what to do about it."""

    level: Level
    about: str
    text: str
    hint: str = ""


@dataclass(frozen=True)
class CheckReport:
    """What a check found, problems first.

    `refused` says whether an evaluation would stop with an error, `stale` whether more labels point at what
    is gone than is allowed.
    """

    findings: tuple[Finding, ...]
    refused: bool
    stale: bool = False

    @property
    def exit_code(self) -> int:
        """2 where an evaluation would stop with an error, 3 where the labels are stale, else 0."""
        return 2 if self.refused else 3 if self.stale else 0

    def at(self, level: Level) -> tuple[Finding, ...]:
        """The findings of one level."""
        return tuple(finding for finding in self.findings if finding.level == level)

    def data(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        counts = {f"{level}s": len(self.at(level)) for level in LEVELS}
        found = [asdict(finding) for finding in self.findings]
        return {"refused": self.refused, "stale": self.stale, **counts, "findings": found}

    def text(self) -> str:
        """The report in words: problems, notices, facts, and whether an evaluation would go on."""
        return "\n".join(_lines(self))


@dataclass(eq=False)
class _Look:
    """A check under way."""

    rules: Rules
    similar: tuple[float, ...] = (1.0,)  # kinds of duplicates to look for
    findings: list[Finding] = field(default_factory=list)
    refused: bool = False
    stale: bool = False

    def add(self, about: str, found: Iterator[tuple[Level, str]]) -> None:
        """Add what was found, unless a problem says it already."""
        problems = tuple(finding.text for finding in self.findings if finding.about == about)
        self.findings += [
            Finding(level, about, text) for level, text in found if not text.startswith(problems)
        ]

    def refuse(self, about: str, error: FirsthitError) -> None:
        """Add what is wrong, unless it is known already, and that an evaluation stops at it."""
        self.refused = True
        known = {(finding.about, finding.text) for finding in self.findings}
        sentences = list(_sentences(error))
        if all((about, text) in known for text in sentences if not text.startswith(MORE)):
            return  # counted anew, by an attempt that asks less
        for text in sentences:
            if (about, text) not in known:
                self.findings.append(Finding("problem", about, text, error.hint))


def check(
    qrels: Any,
    runs: Sequence[Any] = (),
    *,
    compat: str | None = None,
    queries: Queries | str | os.PathLike[str] | None = None,
    passages: Passages | str | os.PathLike[str] | None = None,
    sources: Sources | str | os.PathLike[str] | None = None,
    source_separator: str | None = None,
    max_stale: float = MAX_STALE,
    similar: float | None = None,
    names: Sequence[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **rules: Unpack[RuleOptions],
) -> CheckReport:
    """Look at labels and any number of runs; nothing is computed, everything is said.

    With `passages`, the corpus, labels are stale where it does not hold what they point at: more than
    `max_stale` of the relevant ones is a problem. `sources` and `source_separator` say which source a passage
    was cut from. Passages with equal texts are found where texts are at hand; with `similar` (such as 0.8)
    those of runs are read too, and near duplicates are found, which share this much. Inputs and rules are
    those of `evaluate`. Bad input is a finding, not an exception; a wrong rule is a UsageError.

    >>> report = check({"q1": {"a": 1}}, [{"q1.v2": ["a"]}])
    >>> report.refused, report.findings[0].text
    (False, "no query of the run has labels: its 1 query is not the labelled one, so every value is 0. The ids
    look alike: 'q1' in the labels, 'q1.v2' in the run (a version is appended in the run).")
    """
    look = _Look(rules_for(compat, DEFAULT_PRIMARY, rules), similarities(similar))
    labels = _labels(look, qrels, qrels_format)
    corpus = _passages(look, passages)
    beside = _beside(look, corpus, sources, source_separator)
    if corpus is not None:
        look.add(corpus.name, passage_duplicates(corpus, look.similar, "passages"))
    if labels is not None:
        labels = _population(look, labels, queries)
        look.add(labels.name, need_findings(labels, threshold(look.rules)))
        _corpus(look, labels, beside, max_stale)
    for i, run in enumerate(runs):
        name = names[i] if names is not None else None
        described = _described(look, run, run_format, name)
        if described is not None and labels is not None:
            texts = similar is not None
            reading = Reading(depth=HEAD, threads=threads, progress=progress, texts=texts)
            _run(look, labels, described, beside, reading)
    order = {level: i for i, level in enumerate(LEVELS)}
    findings = tuple(sorted(look.findings, key=lambda one: order[one.level]))
    return CheckReport(findings, look.refused, look.stale)


def _labels(look: _Look, source: Any, format: str | None) -> Qrels | None:
    """The labels; read again with conflicts, needs and comments allowed where they are refused."""
    relaxed = msgspec.structs.replace(look.rules, conflicts="max", needs="iter", comments="skip")
    for rules in (look.rules, relaxed):
        try:
            qrels = labels_of(source, format, rules)
        except FirsthitError as error:
            look.refuse(_about(source, "labels"), error)
        else:
            look.add(qrels.name, label_findings(qrels.graded(look.rules), look.rules))
            return qrels
    return None


def _population(look: _Look, labels: Qrels, queries: Queries | str | os.PathLike[str] | None) -> Qrels:
    if queries is None:
        return labels
    try:
        table = queries if isinstance(queries, Queries) else read_queries(queries)
    except FirsthitError as error:
        look.refuse(_about(queries, "queries"), error)
        return labels
    look.add(table.name, query_findings(labels, table))
    labels = labels.with_queries(list(table.query_id))
    try:
        return labels.with_needs(table)
    except FirsthitError as error:
        look.refuse(labels.name, error)
        return labels


def _passages(look: _Look, source: Passages | str | os.PathLike[str] | None) -> Passages | None:
    if source is None or isinstance(source, Passages):
        return source
    try:
        return read_passages(source)
    except FirsthitError as error:
        look.refuse(_about(source, "passages"), error)
        return None


def _beside(look: _Look, passages: Passages | None, sources: Any, separator: str | None) -> Beside:
    try:
        return Beside.of(passages, sources, separator)
    except InputError as error:
        look.refuse(_about(sources, "sources"), error)
        return Beside.of(passages, None, separator)


def _corpus(look: _Look, labels: Qrels, beside: Beside, limit: float) -> None:
    """The labels beside the corpus that they are about; answers are about none."""
    collection, rules = beside.collection, look.rules
    if collection is None or collection.passages is None or rules.match == "answers":
        return
    documents = rules.unit == "document"
    try:
        corpus = collection.filled(collection.passages)
        found, stale, look.stale = corpus_findings(
            labels, corpus, threshold(rules), limit, documents=documents
        )
        look.add(labels.name, iter(found))
        refuse_beyond(labels, stale)
    except FirsthitError as error:
        look.refuse(labels.name, error)


def _described(look: _Look, source: Any, format: str | None, name: str | None) -> Run | None:
    try:
        return read_run(source, format=format, name=name, comments=look.rules.comments == "skip")
    except FirsthitError as error:
        look.refuse(_about(source, name or "run"), error)
        return None


def _run(look: _Look, labels: Qrels, run: Run, beside: Beside, reading: Reading) -> None:
    """The run as it is; where it is refused, with ever less asked of it."""
    graded = labels.graded(look.rules)
    for attempt, rules in enumerate(_ever_weaker(look.rules)):
        try:
            joined = join(graded, run, rules=rules, measures=(), beside=beside, reading=reading)
        except FirsthitError as error:
            if attempt < 2:  # later attempts only look for what can still be said
                look.refuse(run.name, error)
        else:
            look.add(run.name, run_findings(joined.hits, look.rules))
            look.add(run.name, evidence_findings(joined))
            if joined.retrieved is not None:
                passages = joined.retrieved.passages
                look.add(run.name, passage_duplicates(passages, look.similar, "retrieved passages"))
                look.add(run.name, place_duplicates(joined.retrieved, look.similar))
            return


def _ever_weaker(rules: Rules) -> Iterator[Rules]:
    yield rules
    weaker = msgspec.structs.replace(rules, duplicates="keep", empty_run="score", comments="skip")
    yield weaker
    for order in ("score", "rank", "given"):
        yield msgspec.structs.replace(weaker, order=order)


def _about(source: Any, otherwise: str) -> str:
    return os.path.basename(source) if isinstance(source, str | os.PathLike) else otherwise


def _sentences(error: FirsthitError) -> Iterator[str]:
    """Each problem of an error as a sentence of its own, the first five of a kind."""
    if not isinstance(error, InputError):
        yield error.message
        return
    kinds: dict[str, list[str]] = {}
    for problem in error.problems:
        kinds.setdefault(_kind(problem), []).append(str(problem))
    unseen = error.total - len(error.problems)
    for sentences in kinds.values():
        yield from sentences[:SHOWN]
        more = len(sentences) - SHOWN + (unseen if len(kinds) == 1 else 0)
        if more > 0:
            yield f"{MORE} {more:,} more of the same kind"
    if unseen and len(kinds) > 1:
        yield f"{MORE} {unseen:,} more problems"


def _kind(problem: Problem) -> str:
    """What is wrong, without the ids and numbers of the line."""
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|\d[\d,.]*", "", problem.what)


def _lines(report: CheckReport) -> Iterator[str]:
    for level in LEVELS:
        found = report.at(level)
        if found:
            yield f"{level}s"
            yield from _said(found)
    yield "eval would refuse this" if report.refused else "eval would go on"


def _said(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings; a hint stands once, after the last finding that has it."""
    for i, finding in enumerate(findings):
        yield f"  {finding.about}: {finding.text}"
        following = findings[i + 1] if i + 1 < len(findings) else None
        if finding.hint and (following is None or following.hint != finding.hint):
            yield f"    {finding.hint}"
