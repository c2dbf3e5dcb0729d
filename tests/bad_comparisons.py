"""Bad input of `firsthit compare`, case by case, with what the command says; docs/errors.md shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from firsthit import Evaluation, evaluate
from firsthit.cli.commands import commands

__all__ = ["SECTIONS", "Refused", "said"]

LABELS: dict[str, dict[str, float]] = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
VERSIONS = ("old.jsonl", "new.jsonl")
GROUPS = "query_id,topic\nq1,tax\nq2,law\nq3,tax\n"
RIGHT = "".join(f'{{"query_id": "q{i}", "correct": true}}\n' for i in (1, 2, 3))


@dataclass(frozen=True)
class Refused:
    """A comparison that is refused: `options` follow the versions, `files` are written or spoilt."""

    about: str
    options: tuple[str, ...] = ()
    files: Mapping[str, str | Callable[[str], str]] = field(default_factory=dict)
    versions: tuple[str, ...] = VERSIONS
    exit_code: int = 2


def _grouped(about: str, rows: str, column: str = "topic") -> Refused:
    return Refused(about, ("--groups", f"groups.csv:{column}"), {"groups.csv": rows})


def _answered(about: str, rows: str, *options: str) -> Refused:
    return Refused(
        about,
        ("--answers", "right.jsonl", "answers.jsonl", *options),
        {"right.jsonl": RIGHT, "answers.jsonl": rows},
    )


def _gated(about: str, rules: str) -> Refused:
    return Refused(about, ("--gate", "gate.toml"), {"gate.toml": rules})


def _correct(*answers: str) -> str:
    return "".join(f'{{"query_id": "q{i}", {answer}}}\n' for i, answer in enumerate(answers, 1))


SECTIONS: dict[str, list[Refused]] = {
    "Saved evaluations": [
        Refused("A file that is cut off.", files={"new.jsonl": lambda text: text[:-40]}),
        Refused("A file that was edited.", files={"new.jsonl": lambda text: text.replace("0.5", "0.6", 1)}),
        Refused(
            "A file of a newer version.",
            files={"new.jsonl": lambda text: text.replace('"version":1', '"version":9', 1)},
        ),
        Refused("A run file in its place, without `--qrels`.", files={"new.jsonl": "q1 Q0 a 1 2.5 bm25\n"}),
        Refused("Only one evaluation, and no gate that names a baseline.", versions=VERSIONS[:1]),
        Refused("A baseline that does not exist.", versions=("baseline:main", "new.jsonl")),
    ],
    "Evaluations that cannot be compared (exit code 3)": [
        Refused(
            "Other labels, another cutoff, another rule.", versions=("old.jsonl", "other.jsonl"), exit_code=3
        ),
        Refused("No query in common.", versions=("old.jsonl", "strange.jsonl"), exit_code=3),
    ],
    "Groups": [
        _grouped("A column that is not there.", GROUPS, "topics"),
        _grouped("A query that the file lacks.", "query_id,topic\nq1,tax\n"),
        _grouped("A query with two values.", f"{GROUPS}q1,law\n"),
        _grouped("A file of other queries.", "query_id,topic\nx1,tax\n"),
        Refused("A column without a file, where no queries table was given.", ("--groups", "topic")),
        Refused(
            "A critical group that does not exist.",
            ("--groups", "groups.csv:topic", "--critical", "taxes"),
            {"groups.csv": GROUPS},
        ),
    ],
    "Answers": [
        _answered("A query without an answer.", _correct('"correct": true', '"correct": false')),
        _answered("Answers of another query set.", RIGHT.replace("q", "x").replace("xuery", "query")),
        _answered("A query that is answered twice.", RIGHT + _correct('"correct": false')),
        _answered(
            "Truth values beside scores.", _correct('"correct": true', '"score": 0.5', '"correct": true')
        ),
        _answered("Scores of an unknown scale.", _correct('"score": 4', '"score": 2', '"score": 5')),
        _answered(
            "A line without a judgment.", _correct('"correct": "yes"', '"answer": "14 days"', '"score": 1')
        ),
        Refused("Fewer files than versions.", ("--answers", "right.jsonl"), {"right.jsonl": RIGHT}),
    ],
    "Gates": [
        _gated(
            "Keys that are not known, values that cannot be, and rules that contradict each other.",
            "[gate]\nmin_querys = 30\nmax_absent = 2\n[[gate.drop]]\nmax = 0.05\n[[gate.drop]]\nmax = 0.02\n",
        ),
        _gated("A file that is no TOML.", "[gate]\nmin_queries =\n"),
        _gated("A file without a gate.", "[tool]\nname = 'x'\n"),
        _gated("A gate without a rule.", "[gate]\n"),
        _gated(
            "A rule about a column that was not compared.",
            '[gate]\n[[gate.drop]]\nmax = 0.1\ncolumn = "topic"\n',
        ),
    ],
    "Reports": [
        Refused("A folder that is not there.", ("--html", "reports/page.html")),
        Refused("A file that the command reads.", ("--json", "old.jsonl")),
        Refused("Two reports in one file.", ("--json", "out", "--csv", "out")),
    ],
}


def _evaluations() -> dict[str, Evaluation]:
    run = {"q1": ["a"], "q2": ["x", "b"], "q3": ["c"]}
    strange: dict[str, dict[str, float]] = {"x1": {"a": 1}}
    return {
        "old": evaluate(LABELS, run, ["RR@10"], name="old"),
        "new": evaluate(LABELS, run | {"q1": ["x", "a"]}, ["RR@10"], name="new"),
        "other": evaluate(LABELS | {"q1": {"x": 2}}, run, ["RR@5"], name="other", rel=2),
        "strange": evaluate(strange, {"x1": ["a"]}, ["RR@10"], name="strange"),
    }


def said(case: Refused, folder: Path) -> str:
    """What the command says in a folder that holds the case's files; it prints and writes nothing else."""
    for name, evaluation in _evaluations().items():
        evaluation.save(folder / f"{name}.jsonl")
    for name, content in case.files.items():
        path = folder / name
        path.write_text(content if isinstance(content, str) else content(path.read_text()))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    words = [_placed(word, folder) for word in (*case.versions, *case.options)]
    result = CliRunner().invoke(commands, ["compare", *words], prog_name="firsthit")
    assert (result.exit_code, result.stdout) == (case.exit_code, ""), result.output
    assert before == {path: path.read_bytes() for path in folder.iterdir()}
    return (
        result.stderr.replace(f"{folder}/", "").replace(str(folder), ".").removeprefix("Error: ").rstrip("\n")
    )


def _placed(word: str, folder: Path) -> str:
    """The word, as a path in the folder where it is one."""
    return str(folder / word) if "." in word or word == "out" else word
