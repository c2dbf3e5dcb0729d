"""The pytest plugin: the `firsthit` fixture, which holds a retriever to the rules of a gate.

    def test_retrieval_is_no_worse(firsthit):
        firsthit.check("qrels.txt", my_rankings(), gate="firsthit.toml")

`--firsthit-baseline` names what to compare with. Only this module is imported until the fixture is used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from firsthit.comparison.comparison import Comparison
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.gate import GateResult

__all__ = ["Firsthit", "firsthit", "pytest_addoption", "pytest_configure", "pytest_terminal_summary"]

_NOTICES = pytest.StashKey[list[str]]()


class Firsthit:
    """What the fixture gives: evaluate, compare with the baseline, and hold the result to a gate."""

    def __init__(self, baseline: str | None, root: str, notices: list[str]) -> None:
        self._baseline = baseline
        self._root = root
        self._notices = notices

    def evaluate(
        self, qrels: Any, run: Any, measures: Sequence[str] | None = None, **options: Any
    ) -> Evaluation:
        """Evaluate a run, as `firsthit.evaluate` does."""
        from firsthit.evaluation.evaluation import evaluate

        return evaluate(qrels, run, measures, **options)

    def baseline(self, name: str | None = None) -> Evaluation | None:
        """The evaluation to compare with: what `--firsthit-baseline` says, else `name`; None where it is not.

        It is a baseline's name, or a saved evaluation's path.
        """
        from firsthit.evaluation.evaluation import load

        path = self._path(self._baseline or name)
        return load(path) if path is not None else None

    def _path(self, name: str | None) -> str | None:
        from firsthit.baseline import BASELINES, find_baseline

        if name is None:
            return None
        path = os.path.join(self._root, name)
        if os.path.isfile(path) or os.sep in name or name.endswith((".jsonl", ".gz", ".zst")):
            return path
        found = find_baseline(name, os.path.join(self._root, BASELINES))
        return None if found is None else os.fspath(found)

    def compare(self, old: Any, new: Any, **options: Any) -> Comparison:
        """Compare two evaluations, as `firsthit.compare` does."""
        from firsthit.comparison.compare import compare

        return compare(old, new, **options)

    def check(
        self,
        qrels: Any,
        run: Any,
        measures: Sequence[str] | None = None,
        *,
        gate: str | os.PathLike[str] = "firsthit.toml",
        **options: Any,
    ) -> GateResult:
        """Evaluate a run, compare it with the baseline and fail the test where the gate does not pass.

        `gate` is seen from pytest's root folder; `options` are those of `evaluate`. A rule that cannot be
        decided fails too, unless the gate says `inconclusive = "pass"`. Without a baseline the test passes,
        and the summary of the tests says so.
        """
        return self.hold(self.evaluate(qrels, run, measures, **options), gate=gate)

    def hold(
        self, new: Evaluation, *, gate: str | os.PathLike[str] = "firsthit.toml", **options: Any
    ) -> GateResult:
        """As `check`, for an evaluation that was made already; `options` are those of `compare`."""
        from firsthit.errors import FirsthitError
        from firsthit.gate import explain

        try:
            result = self._held(new, os.path.join(self._root, gate), options)
        except FirsthitError as error:
            pytest.fail(str(error), pytrace=False)
        self._notices.extend(result.notices)
        if result.exit_code:
            pytest.fail(explain(result), pytrace=False)
        return result

    def _held(self, new: Evaluation, gate: str, options: dict[str, Any]) -> GateResult:
        from firsthit.gate import decide, first_run, read_gate

        rules = read_gate(gate)
        old = self.baseline(rules.baseline)
        if old is None:
            return first_run(rules, self._baseline)
        made_for: dict[str, Any] = {"groups": rules.groups, "critical": rules.critical}
        made_for["min_queries"] = rules.min_queries
        if rules.max_stale is not None:
            made_for["max_stale"] = rules.max_stale
        return decide(rules, self.compare(old, new, **made_for | options))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--firsthit-baseline`."""
    group = parser.getgroup("firsthit", "retrieval evaluation")
    group.addoption(
        "--firsthit-baseline",
        metavar="NAME",
        default=None,
        help="What the firsthit fixture compares with: a baseline's name or a saved evaluation.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make room for what should be said after the tests."""
    config.stash[_NOTICES] = list[str]()


@pytest.fixture
def firsthit(pytestconfig: pytest.Config) -> Firsthit:
    """Hold a retriever to a gate: `firsthit.check(qrels, run, gate="firsthit.toml")`."""
    baseline = pytestconfig.getoption("firsthit_baseline")
    return Firsthit(baseline, os.fspath(pytestconfig.rootpath), pytestconfig.stash[_NOTICES])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what a passing test would not show."""
    said: list[str] = config.stash[_NOTICES]
    notices = list(dict.fromkeys(said))
    if notices:
        terminalreporter.section("firsthit")
        for notice in notices:
            terminalreporter.write_line(notice)
