"""`firsthit judge next`, through its runner."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit import read_qrels
from firsthit.cli.commands import commands
from firsthit.errors import FirsthitError

QRELS = "q1 0 b 1\nq2 0 c 1\nq3 0 x 0\n"
OLD = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 1 t\nq3 Q0 x 1 1 t\n"
NEW = "q1 Q0 b 1 2 t\nq2 Q0 a 1 2 t\nq2 Q0 c 2 1 t\nq3 Q0 y 1 1 t\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("old.run").write_text(OLD)
    Path("new.run").write_text(NEW)
    Path("queries.csv").write_text(
        "query_id,text,topic,critical\nq1,one?,tax,false\nq2,two?,law,true\nq3,three?,tax,false\n"
    )
    Path("corpus.jsonl").write_text(
        '{"_id": "a", "text": "Text of a."}\n{"_id": "y", "text": "Text, of y."}\n'
    )
    return tmp_path


def judge(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["judge", "next", "qrels.txt", *arguments], prog_name="firsthit")


def test_one_run_says_how_many_documents_make_its_mean_exact() -> None:
    result = judge("old.run")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "Judge this one document, and MRR@10 is exact; now between 0.5000 and 0.6667.\n\n"
        "place  query_id  doc_id  rank in old.run  change    left\n"
        "    1  q1        a                     1  0.1667  0.0000\n"
    )


def test_one_query_can_be_looked_at_alone() -> None:
    result = judge("old.run", "--query", "q1")
    assert result.stdout.startswith(
        "Judge this one document, and MRR@10 is exact; now between 0.5000 and 1.0000"
    )
    assert judge("old.run", "--query", "q2").stdout.startswith("Nothing to judge")
    both = judge("old.run", "new.run", "--query", "q3", "--query", "q1", "--queries", "queries.csv")
    assert [line.split()[1] for line in both.stdout.splitlines()[-2:]] == ["q3", "q1"]


def test_a_query_that_the_table_lacks_is_wrong_use() -> None:
    result = judge("old.run", "--query", "q9", "--queries", "queries.csv")
    assert result.exit_code == 2
    assert "--query q9: queries.csv has no such query." in result.stderr


def test_two_runs_are_about_their_difference() -> None:
    result = judge("old.run", "new.run")
    assert result.stdout == (
        "Judge at most these 3 documents, in this order, and the difference in MRR@10 "
        "(new.run less old.run)\n"
        "is exact; now between -0.1667 and +0.5000.\n\n"
        "place  query_id  doc_id  rank in old.run  rank in new.run  change    left\n"
        "    1  q3        y                     -                1  0.3333  0.3333\n"
        "    2  q1        a                     1                -  0.1667  0.1667\n"
        "    3  q2        a                     -                1  0.1667  0.0000\n"
    )


def test_the_aim_may_be_the_means() -> None:
    result = judge("old.run", "new.run", "--aim", "means")
    said = " ".join(result.stdout.split("\n\n")[0].split())
    assert said == (
        "Judge at most these 3 documents, in this order, and MRR@10 of all 2 runs is exact; "
        "now old.run: between 0.5000 and 0.6667, new.run: between 0.5000 and 1.0000."
    )


def test_a_limit_says_what_is_left_after_it() -> None:
    result = judge("old.run", "new.run", "--limit", "1")
    said = " ".join(result.stdout.split("\n\n")[0].split())
    assert said.endswith("after the first one, if none is relevant, the interval is 0.3333 wide.")
    assert result.stdout.count("\n") == 6
    assert result.stderr == ""


def test_critical_queries_and_groups_come_first() -> None:
    marked = judge("old.run", "new.run", "--queries", "queries.csv", "--format", "csv")
    assert [row["query_id"] for row in rows(marked.stdout)] == ["q2", "q3", "q1"]
    grouped = judge(
        "old.run", "new.run", "--groups", "queries.csv:topic", "--critical", "law", "--format", "csv"
    )
    assert [row["critical"] for row in rows(grouped.stdout)] == ["true", "false", "false"]
    wrong = judge("old.run", "--groups", "queries.csv:topic", "--critical", "lawn")
    assert wrong.exit_code == 2
    assert "nearest: law" in wrong.stderr


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_export_holds_texts_where_they_are_known() -> None:
    result = judge(
        "old.run", "new.run", "--queries", "queries.csv", "--passages", "corpus.jsonl", "-o", "to-judge.csv"
    )
    assert result.exit_code == 0
    assert result.stderr == "saved: to-judge.csv\n"
    assert "\n\n" not in result.stdout
    found = rows(Path("to-judge.csv").read_text())
    assert [(row["query"], row["text"]) for row in found] == [
        ("two?", "Text of a."),
        ("three?", "Text, of y."),
        ("one?", "Text of a."),
    ]
    assert found[0]["rank in new.run"] == "1"
    assert found[0]["rank in old.run"] == ""


def test_an_export_that_is_filled_in_can_be_read_as_labels() -> None:
    judge("old.run", "new.run", "-o", "to-judge.csv")
    filled = rows(Path("to-judge.csv").read_text())
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(filled[0]))
    writer.writeheader()
    writer.writerows({**row, "grade": "1"} for row in filled)
    Path("judged.csv").write_text(buffer.getvalue())
    qrels = read_qrels("judged.csv")
    assert list(qrels.doc_ids) == ["y", "a", "a"]
    assert qrels.grade.tolist() == [1, 1, 1]


def test_the_export_may_be_json_lines_and_compressed() -> None:
    judge("old.run", "new.run", "--passages", "corpus.jsonl", "-o", "to-judge.jsonl.gz", "--limit", "2")
    lines = gzip.decompress(Path("to-judge.jsonl.gz").read_bytes()).decode().splitlines()
    first = json.loads(lines[0])
    assert len(lines) == 2
    assert first["ranks"] == {"old.run": None, "new.run": 1}
    assert (first["query_id"], first["text"], first["grade"]) == ("q3", "Text, of y.", None)


def test_texts_are_taken_from_runs_that_hold_them() -> None:
    row = {"query_id": "q1", "doc_id": "a", "score": 1, "text": "From the run."}
    Path("old.jsonl").write_text(json.dumps(row) + "\n")
    found = json.loads(judge("old.jsonl", "--format", "jsonl").stdout)
    assert found["text"] == "From the run."


def test_json_says_what_is_settled() -> None:
    found = json.loads(judge("old.run", "new.run", "--format", "json").stdout)
    assert found["said"].startswith("Judge at most these 3 documents")
    assert found["difference"] == pytest.approx([-1 / 6, 1 / 2])
    assert [item["doc_id"] for item in found["documents"]] == ["y", "a", "a"]


def test_data_formats_hold_data_only() -> None:
    result = judge("old.run", "--format", "csv")
    assert result.stdout.startswith("place,query_id,doc_id,grade,")
    assert result.stderr.startswith("note: Judge this one document")


def test_only_mean_reciprocal_ranks_have_a_queue() -> None:
    result = judge("old.run", "-m", "nDCG@10")
    assert result.exit_code == 2
    assert "nDCG@10: the queue is for RR measures" in result.stderr


def test_without_a_cutoff_every_rank_counts() -> None:
    Path("deep.run").write_text(
        "".join(f"q1 Q0 n{i} {i} {-i} t\n" for i in range(1, 151)) + "q1 Q0 b 151 -151 t\n"
    )
    assert "Judge at most 150 documents" in judge("deep.run", "-m", "RR").stdout


def test_a_long_queue_is_cut_in_the_table_and_says_so() -> None:
    Path("deep.run").write_text("".join(f"q1 Q0 n{i} {i} {-i} t\n" for i in range(1, 41)))
    result = judge("deep.run", "-m", "RR")
    assert result.stdout.count("\n") < 26
    assert "20 of 40 documents are shown" in result.stderr


@pytest.mark.parametrize("path", ["to-judge.txt", "nowhere/to-judge.csv"])
def test_an_export_that_cannot_be_is_refused_before_anything_is_computed(path: str) -> None:
    result = judge("missing.run", "-o", path)
    assert result.exit_code == 2
    assert path in result.stderr


def test_the_aim_difference_takes_two_runs() -> None:
    assert judge("old.run", "--aim", "difference").exit_code == 2


def test_standard_input_stands_for_one_file() -> None:
    result = CliRunner().invoke(commands, ["judge", "next", "-", "-"], prog_name="firsthit")
    assert result.exit_code == 2


def test_an_export_never_replaces_what_is_read() -> None:
    Path("labels.csv").write_text("query_id,doc_id,grade\nq1,b,1\n")
    done = CliRunner().invoke(commands, ["judge", "next", "labels.csv", "old.run", "-o", "labels.csv"])
    assert isinstance(done.exception, SystemExit | FirsthitError)
    assert "reads that file" in f"{done.exception}{done.output}"
    assert Path("labels.csv").read_text().startswith("query_id,doc_id")
