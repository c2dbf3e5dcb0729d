"""firsthit: retrieval evaluation where one decisive hit matters.

>>> import firsthit
>>> firsthit.evaluate({"q1": {"a": 1}}, {"q1": ["x", "a"]}, ["RR@10"]).mean()
0.5
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firsthit import measures
    from firsthit.card.card import Card
    from firsthit.comparison.compare import compare, compare_many
    from firsthit.comparison.comparison import Comparison
    from firsthit.errors import FirsthitError, InputError, NotComparableError, UsageError
    from firsthit.evaluation.evaluation import Evaluation, evaluate, evaluate_runs, load
    from firsthit.explanation import WhyReport, why
    from firsthit.matching.hits import Hits
    from firsthit.matching.match import match
    from firsthit.measures import Measure
    from firsthit.passages import Passages, read_passages
    from firsthit.preflight.check import CheckReport, check
    from firsthit.profiles import PROFILES
    from firsthit.qrels import Qrels, read_qrels
    from firsthit.queries import Queries, read_queries
    from firsthit.queue import JudgingQueue, judging_queue
    from firsthit.resolve.answers import read_answers
    from firsthit.rules import Rules
    from firsthit.run import Run, read_run

__all__ = [
    "PROFILES",
    "Card",
    "CheckReport",
    "Comparison",
    "Evaluation",
    "FirsthitError",
    "Hits",
    "InputError",
    "JudgingQueue",
    "Measure",
    "NotComparableError",
    "Passages",
    "Qrels",
    "Queries",
    "Rules",
    "Run",
    "UsageError",
    "WhyReport",
    "__version__",
    "check",
    "compare",
    "compare_many",
    "evaluate",
    "evaluate_runs",
    "judging_queue",
    "load",
    "match",
    "measures",
    "read_answers",
    "read_passages",
    "read_qrels",
    "read_queries",
    "read_run",
    "why",
]

__version__ = "0.1.0"

_MODULES = {
    "card.card": ("Card",),
    "comparison.compare": ("compare", "compare_many"),
    "comparison.comparison": ("Comparison",),
    "errors": ("FirsthitError", "InputError", "NotComparableError", "UsageError"),
    "evaluation.evaluation": ("Evaluation", "evaluate", "evaluate_runs", "load"),
    "explanation": ("WhyReport", "why"),
    "matching.hits": ("Hits",),
    "matching.match": ("match",),
    "measures": ("Measure",),
    "passages": ("Passages", "read_passages"),
    "preflight.check": ("CheckReport", "check"),
    "profiles": ("PROFILES",),
    "qrels": ("Qrels", "read_qrels"),
    "queries": ("Queries", "read_queries"),
    "queue": ("JudgingQueue", "judging_queue"),
    "resolve.answers": ("read_answers",),
    "rules": ("Rules",),
    "run": ("Run", "read_run"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts without NumPy."""
    if name == "measures":
        return import_module("firsthit.measures")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'firsthit' has no attribute {name!r}")
    value = getattr(import_module(f"firsthit.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, whether they were used or not."""
    return sorted(__all__)
