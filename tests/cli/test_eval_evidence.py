"""`firsthit eval` over passages: what stands in place of the means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firsthit.cli.commands import commands

LABELS = '{"query_id": "q1", "source": "d", "start": 0, "end": 10, "grade": 1}\n'
PASSAGES = "doc_id\tsource\tstart\tend\na\td\t0\t4\nb\td\t4\t12\n"
RUN = "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n"
TEXTS = (
    '{"query_id": "q1", "doc_id": "a", "score": 2, "text": "In 1843."}\n'
    '{"query_id": "q1", "doc_id": "b", "score": 1, "text": "Later."}\n'
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    contents = {"labels.jsonl": LABELS, "passages.tsv": PASSAGES, "a.run": RUN, "texts.jsonl": TEXTS}
    contents |= {"answers.tsv": "q1\t['1843']\n", "qrels.txt": "q1 0 a 1\nq1 0 b 1\n"}
    for name, content in contents.items():
        Path(name).write_text(content)


def ran(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(commands, ["eval", *arguments], prog_name="firsthit")
    assert result.exit_code == code, result.output
    return result.output


def test_overlaps_are_a_table() -> None:
    out = ran("labels.jsonl", "a.run", "--passages", "passages.tsv", "--overlaps", "--format", "csv")
    assert out.splitlines()[:8] == [
        "overlap,MRR@10",
        "0.1,1.0",
        "0.2,1.0",
        "0.3,1.0",
        "0.4,1.0",
        "0.5,0.5",
        "0.6,0.5",
        "0.7,0.0",
    ]


def test_partial_evidence_is_listed() -> None:
    out = ran("labels.jsonl", "a.run", "--passages", "passages.tsv", "--list", "partial", "--format", "csv")
    assert out == "query_id,doc_id,rank,source,share,line\nq1,a,1,d,0.4,1\n"


def test_labels_by_people_stand_beside_answer_strings() -> None:
    out = ran("answers.tsv", "texts.jsonl", "--match", "answers", "--human", "qrels.txt")
    assert out.splitlines()[:3] == [
        "human         answer string  no answer string",
        "relevant                  1                 1",
        "not relevant              0                 0",
    ]
    assert "they agree on 50.0%" in out
    rows = json.loads(
        ran("answers.tsv", "texts.jsonl", "--match", "answers", "--human", "qrels.txt", "--format", "json")
    )
    assert rows["agreement"][0]["agreed"] == 0.5


def test_an_overlap_outside_its_limits_is_bad_usage() -> None:
    out = ran("labels.jsonl", "a.run", "--overlap", "1.5", code=2)
    assert "overlap = 1.5: a number above 0 and at most 1" in out


def test_two_outputs_at_once_are_refused() -> None:
    out = ran("labels.jsonl", "a.run", "--overlaps", "--card", code=2)
    assert "--overlaps and --card are different outputs." in out
