"""`firsthit labels`, through its runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit.cli.commands import commands
from firsthit.labels import label_schema
from firsthit.qrels import read_qrels

OLD = """{"doc_id": "o1", "source": "terms", "text": "You may cancel at any time."}
{"doc_id": "o2", "source": "terms", "text": "Refunds take five days."}
"""
NEW = """{"doc_id": "n1", "source": "terms", "text": "You may cancel at any time."}
{"doc_id": "n2", "source": "terms", "text": "Refunds take five days, or more. We never charge a fee."}
"""
LABELS = """{"query_id": "q1", "doc_id": "o1", "grade": 1, "by": "ann"}
{"query_id": "q1", "doc_id": "o2", "grade": 0}
{"query_id": "q2", "docid": "o2", "grade": 2.5, "quote": "refunds take FIVE days"}
{"query_id": "q3", "doc_id": "gone", "grade": 1}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("old.jsonl", OLD), ("new.jsonl", NEW), ("labels.jsonl", LABELS)):
        Path(name).write_text(text)
    Path("qrels.txt").write_text("q1 0 o1 1\nq2\t7\to2 0\n")
    return tmp_path


def labels(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["labels", *arguments], prog_name="firsthit")


def carry(*arguments: str) -> Result:
    return labels("carry", "labels.jsonl", "old.jsonl", "new.jsonl", "-o", "carried.jsonl", *arguments)


def test_labels_are_carried_with_all_their_columns_and_the_rest_is_listed() -> None:
    result = carry("--lost", "lost.jsonl")
    assert (result.exit_code, result.stderr) == (0, "saved: carried.jsonl\nsaved: lost.jsonl\n")
    assert result.stdout == (
        "4 labels: 2 carried, as 2\n"
        "  equal text in the same source: 1\n"
        "  the quote found in its source: 1\n"
        "suggested: a person must decide: 1\n"
        "lost: nothing in NEW comes near: 1\n"
    )
    assert Path("carried.jsonl").read_text() == (
        '{"query_id":"q1","doc_id":"n1","grade":1,"by":"ann"}\n'
        '{"query_id":"q2","doc_id":"n2","grade":2.5,"quote":"refunds take FIVE days"}\n'
    )
    suggested, lost = map(json.loads, Path("lost.jsonl").read_text().splitlines())
    assert suggested["why"] == "its text is cut or written in another way, and the label has no quote"
    assert (suggested["status"], suggested["line"]) == ("suggested", 2)
    assert suggested["nearest"][0] == {"doc_id": "n2", "source": "terms", "share": 0.75}
    assert (lost["status"], lost["why"]) == ("lost", "OLD does not hold the document")
    assert len(read_qrels("carried.jsonl")) == 2


def test_trec_labels_stay_trec_labels() -> None:
    labels("carry", "qrels.txt", "old.jsonl", "old.jsonl", "-o", "carried.txt")
    assert Path("carried.txt").read_text() == "q1 0 o1 1\nq2 7 o2 0\n"


def test_labels_of_different_iterations_stay_apart_where_passages_meet() -> None:
    Path("old.jsonl").write_text('{"doc_id": "o1", "text": "x y"}\n{"doc_id": "o2", "text": "X y"}\n')
    Path("new.jsonl").write_text('{"doc_id": "n", "text": "x  y"}\n')
    for seconds, kept in (("0 0", 1), ("1 2", 2)):
        one, other = seconds.split()
        Path("qrels.txt").write_text(f"q1 {one} o1 1\nq1 {other} o2 2\n")
        labels("carry", "qrels.txt", "old.jsonl", "new.jsonl", "-o", "carried.txt")
        assert len(Path("carried.txt").read_text().splitlines()) == kept


def test_carried_labels_may_be_compressed() -> None:
    result = labels("carry", "qrels.txt", "old.jsonl", "new.jsonl", "-o", "carried.txt.gz")
    assert result.exit_code == 0
    assert list(read_qrels("carried.txt.gz").doc_ids) == ["n1"]


@pytest.mark.parametrize("target", ["labels.jsonl", "nowhere/carried.jsonl", "."])
def test_nothing_is_written_where_the_target_is_no_good(target: str) -> None:
    before = sorted(path.name for path in Path().iterdir())
    result = labels("carry", "labels.jsonl", "old.jsonl", "new.jsonl", "-o", target, "--lost", "lost.jsonl")
    assert result.exit_code == 2
    assert "Nothing was written" in result.stderr
    assert sorted(path.name for path in Path().iterdir()) == before
    assert Path("labels.jsonl").read_text() == LABELS


def test_both_outputs_in_one_file_are_refused() -> None:
    result = carry("--lost", "carried.jsonl")
    assert result.exit_code == 2
    assert not Path("carried.jsonl").exists()


def test_labels_that_fit_their_corpus_are_fine() -> None:
    result = labels("check", "qrels.txt", "old.jsonl")
    assert result.exit_code == 0
    assert result.stdout == (
        "no relevant label is stale: 1 relevant label of 2 looked at\nthe corpus holds 2 passages\n"
    )


def test_stale_labels_end_with_exit_code_3() -> None:
    result = labels("check", "labels.jsonl", "new.jsonl")
    assert result.exit_code == 3
    assert result.stdout == (
        "labels stale, not a regression: 3 of 3 relevant labels (100.0%) are stale (document gone: 3). All\n"
        "    ids changed; firsthit labels carry moves labels by text, span or quote\n"
        "1 stale label below the threshold, which can change no hit\n"
        "  document 'o1' of query 'q1' is not in the corpus\n"
        "  document 'o2' of query 'q1' is not in the corpus\n"
        "  document 'o2' of query 'q2' is not in the corpus\n"
        "  document 'gone' of query 'q3' is not in the corpus\n"
        "the corpus holds 2 passages\n"
    )


@pytest.mark.parametrize(("limit", "code"), [("0.33", 3), ("0.34", 0), ("1", 0), ("0", 3)])
def test_the_limit_can_be_set(limit: str, code: int) -> None:
    assert labels("check", "labels.jsonl", "old.jsonl", "--max-stale", limit).exit_code == code


@pytest.mark.parametrize("limit", ["-0.1", "1.1", "nan"])
def test_a_limit_that_is_no_share_is_refused(limit: str) -> None:
    result = labels("check", "qrels.txt", "old.jsonl", "--max-stale", limit)
    assert (result.exit_code, "a share from 0 to 1" in result.stderr) == (2, True)


def test_a_check_as_json() -> None:
    result = labels("check", "labels.jsonl", "old.jsonl", "--format", "json")
    found = json.loads(result.stdout)
    assert found["stale_labels"] == [
        {"row": 3, "reason": "document", "text": "document 'gone' of query 'q3' is not in the corpus"}
    ]
    assert (found["labels"], found["stale"], found["over"], found["limit"]) == (3, 1, True, 0.2)
    assert found["share"] == pytest.approx(1 / 3)


def test_a_span_beyond_its_source_is_bad_input() -> None:
    Path("labels.jsonl").write_text('{"query_id": "q", "source": "s", "start": 1, "end": 9, "grade": 1}\n')
    Path("old.jsonl").write_text('{"doc_id": "s", "text": "short"}\n')
    result = labels("check", "labels.jsonl", "old.jsonl")
    assert result.exit_code == 2
    assert "the span 1 to 9 is beyond the end of source 's'" in result.stdout


def test_sources_may_be_said_by_the_ids_of_passages() -> None:
    Path("old.jsonl").write_text('{"doc_id": "t#0", "text": "Refunds take five days."}\n')
    Path("new.jsonl").write_text('{"doc_id": "t#9", "text": "Now: refunds take five days. Or more."}\n')
    Path("labels.jsonl").write_text('{"query_id": "q", "doc_id": "t#0", "quote": "five days", "grade": 1}\n')
    assert carry().stdout.startswith("1 label: 0 carried")
    assert carry("--source-separator", "#").stdout.startswith("1 label: 1 carried")
    Path("sources.csv").write_text("doc_id,source\nt#0,t\nt#9,t\n")
    assert carry("--sources", "sources.csv").stdout.startswith("1 label: 1 carried")


def test_labels_of_documents_are_looked_for_among_sources() -> None:
    Path("qrels.txt").write_text("q1 0 terms 1\n")
    assert labels("check", "qrels.txt", "old.jsonl").exit_code == 3
    assert labels("check", "qrels.txt", "old.jsonl", "--unit", "document").exit_code == 0


def test_the_schema_is_printed() -> None:
    result = labels("schema")
    assert (result.exit_code, json.loads(result.stdout)) == (0, label_schema())


def test_every_key_of_the_data_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    carry("--lost", "lost.jsonl")
    row = json.loads(Path("lost.jsonl").read_text().splitlines()[0])
    found = json.loads(labels("check", "labels.jsonl", "old.jsonl", "--format", "json").stdout)
    keys = {*row, *row["nearest"][0], *found, *found["stale_labels"][0]} - {"grade"}  # a column of the label
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []


def test_a_sources_file_is_not_written_over() -> None:
    Path("sources.csv").write_text("doc_id,source\no1,terms\n")
    for targets in (["-o", "sources.csv"], ["-o", "carried.jsonl", "--lost", "sources.csv"]):
        given = ["labels.jsonl", "old.jsonl", "new.jsonl", "--sources", "sources.csv", *targets]
        result = labels("carry", *given)
        assert "sources.csv: this command reads that file" in result.stderr
    assert Path("sources.csv").read_text() == "doc_id,source\no1,terms\n"
    assert not Path("carried.jsonl").exists()
