"""A scratch git repository with labels, a retriever, a gate, and the steps of the workflow in examples/ci."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firsthit.baseline import set_baseline
from firsthit.comparison.compare import compare
from firsthit.evaluation.evaluation import load
from firsthit.gate import GateResult, decide, first_run, read_gate

__all__ = [
    "CRITICAL_LOSS",
    "FEW",
    "GATE",
    "GROUP_LOSS",
    "HARMLESS",
    "MAIN",
    "WORKFLOW",
    "Ranks",
    "Repository",
    "steps",
]

WORKFLOW = Path(__file__).parents[2] / "examples" / "ci" / "github-actions.yml"

GATE = """\
[gate]
baseline = "main"
groups = ["queries.jsonl:topic"]
max_absent = 0

[[gate.drop]]
max = 0.1

[[gate.drop]]
column = "topic"
max = 0.1

[gate.critical]
groups = ["billing"]
keep_rank_1 = true
"""

RETRIEVER = """\
import json, sys
ranks = json.load(open("index.json"))
for line in open(sys.argv[1]):
    query_id = json.loads(line)["query_id"]
    rank = ranks[query_id]
    docs = ["a", "b", "c", "d", "e"][: rank - 1] + ["right"] + ["x", "y"]
    for place, doc in enumerate(docs, 1):
        print(query_id, "Q0", doc, place, -place, "system")
"""

Ranks = Mapping[str, Sequence[int]]
"""For each topic the first rank of each of its queries."""

MAIN: Ranks = {"billing": [1, 1, 1, 1, 2], "returns": [1] * 36 + [2] * 4, "other": [1] * 15 + [2] * 60}
"""The retriever of the main branch: 5 critical queries, a group of 40, and others."""

CRITICAL_LOSS: Ranks = {**MAIN, "billing": [2, 3, 1, 5, 2], "other": [1] * 75}
"""Three critical queries lose rank 1, and the mean rises."""

GROUP_LOSS: Ranks = {**MAIN, "returns": [2] * 28 + [1] * 12, "other": [1] * 75}
"""The group of 40 falls, and the mean rises."""

HARMLESS: Ranks = {
    "billing": [1, 1, 1, 1, 3],
    "returns": [1] * 36 + [2, 1, 3, 2],
    "other": [1] * 14 + [2] * 59 + [1, 3],
}
"""Some ranks rise and some fall, by little."""

FEW: Ranks = {"billing": [1, 1], "returns": [1] * 5, "other": [2] * 5}
"""Twelve queries."""


@dataclass(frozen=True)
class Step:
    """One `run:` of the workflow: its name, the event that it is for ("" for each), and the command."""

    name: str
    event: str
    command: str


def steps() -> dict[str, Step]:
    """The named steps that run commands, in their order."""
    found = {}
    for part in WORKFLOW.read_text(encoding="utf-8").split("\n      - ")[1:]:
        name, run = re.search(r"^name: (.*)$", part, re.M), re.search(r"^\s*run: (.*)$", part, re.M)
        event = re.search(r"github\.event_name == '(\w+)'", part)
        if name and run:
            found[name[1]] = Step(name[1], event[1] if event else "", run[1])
    return found


class Repository:
    """The repository, and what a push or a pull request does in it."""

    def __init__(self, folder: Path, ranks: Ranks) -> None:
        self.folder = folder
        self.ids = {
            topic: [f"{topic}{number}" for number, _ in enumerate(group, 1)] for topic, group in ranks.items()
        }
        self._git("init", "-q", "-b", "main")
        self._write("firsthit.toml", GATE)
        self._write("retrieve.py", RETRIEVER)
        rows = [(query_id, topic) for topic, ids in self.ids.items() for query_id in ids]
        self._write_lines("queries.jsonl", [{"query_id": one, "topic": topic} for one, topic in rows])
        self._write_lines(
            "labels.jsonl", [{"query_id": one, "doc_id": "right", "grade": 1} for one, _ in rows]
        )
        self._write(".gitignore", ".firsthit/\nsystem.run\nnew.jsonl\n")
        self.commit("main", ranks)

    def commit(self, branch: str, ranks: Ranks) -> None:
        """Commit a retriever with these first ranks on a branch."""
        index = {
            one: rank for topic, ids in self.ids.items() for one, rank in zip(ids, ranks[topic], strict=True)
        }
        self._git("checkout", "-q", "-B", branch)
        self._write("index.json", json.dumps(index))
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", branch)

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run a step of the workflow, with `firsthit` and `python` those of these tests."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["sh", "-ec", steps()[name].command],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def evaluate(self) -> None:
        """The steps that both events have."""
        for name in ("retrieve", "evaluate"):
            done = self.step(name)
            assert done.returncode == 0, done.stderr

    def push(self) -> None:
        """What is evaluated becomes the baseline."""
        self.evaluate()
        set_baseline("main", self.folder / "new.jsonl", self.folder / ".firsthit" / "baselines")

    def pull_request(self) -> GateResult:
        """What is evaluated is held to the gate."""
        self.evaluate()
        gate = read_gate(self.folder / "firsthit.toml")
        baseline = self.folder / ".firsthit" / "baselines" / "main.jsonl"
        if not baseline.exists():
            return first_run(gate)
        found = compare(
            load(baseline),
            load(self.folder / "new.jsonl"),
            groups=gate.groups,
            critical=gate.critical,
            min_queries=gate.min_queries,
        )
        return decide(gate, found)

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def _write_lines(self, name: str, rows: Sequence[Mapping[str, object]]) -> None:
        self._write(name, "".join(json.dumps(row) + "\n" for row in rows))

    def _git(self, *arguments: str) -> None:
        identity = [
            "-c",
            "user.name=tests",
            "-c",
            "user.email=tests@example.org",
            "-c",
            "commit.gpgsign=false",
        ]
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True)
