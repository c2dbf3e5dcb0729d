"""Checks: everything is said, problems first, and nothing stops at the first problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firsthit import UsageError, check
from firsthit.preflight.check import CheckReport

LABELS = {"q1": {"a": 1, "n": 0}, "q2": {"b": 2}}


def texts(report: CheckReport, level: Any) -> list[str]:
    return [finding.text for finding in report.at(level)]


def test_a_good_pair_has_facts_only() -> None:
    run = {query: {doc: -float(i) for i, doc in enumerate(["a", "b", "n", *"cdefghij"])} for query in LABELS}
    report = check(LABELS, [run])
    assert not report.refused
    assert texts(report, "problem") == texts(report, "notice") == []
    assert "grades: 0: 1 · 1: 1 · 2: 1" in texts(report, "fact")
    assert "judged documents retrieved: 3 of 3" in texts(report, "fact")
    assert "labelled queries in the run: 2 of 2" in texts(report, "fact")
    assert report.text().endswith("eval would go on")


@pytest.mark.parametrize(
    ("labels", "run", "cause"),
    [
        ({"1": {"a": 1}}, {"01": ["a"]}, "leading zeros"),
        ({"q1": {"a": 1}}, {"q1 ": ["a"]}, "blanks around the ids"),
        ({"1": {"a": 1}}, {"1.0": ["a"]}, "numbers written in another way"),
        ({"1": {"a": 1}, "2": {"a": 1}}, {"run-1": ["a"], "run-2": ["a"]}, "the prefix 'run-'"),
    ],
)
def test_no_shared_query_is_a_problem_with_its_probable_cause(labels: Any, run: Any, cause: str) -> None:
    report = check(labels, [run])
    assert not report.refused
    assert "no query of the run has labels" in texts(report, "problem")[0]
    assert cause in texts(report, "problem")[0]


def test_documents_that_are_none_of_the_labels_are_a_problem_with_its_probable_cause() -> None:
    report = check({"q1": {"doc1": 1}}, [{"q1": ["doc1#0", "doc1#1"]}])
    assert not report.refused
    (problem,) = texts(report, "problem")
    assert problem.startswith("no labelled document is retrieved for any query, so every value is 0.")
    assert "a chunk suffix is appended in the run" in problem


def test_duplicates_are_problems_and_the_rest_is_still_said(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 a 3 1.0 t\n")
    report = check(LABELS, [run])
    assert report.refused
    (problem,) = report.at("problem")
    assert (problem.about, problem.text) == (
        "run.txt",
        "line 3: the document stands twice in one ranking: 'a' (first on line 1)",
    )
    assert "--duplicates best" in problem.hint
    assert any(text.startswith("records: 3") for text in texts(report, "fact"))


def test_scores_that_cannot_be_read_do_not_hide_the_rest(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("q1 Q0 a 1 nan t\nq1 Q0 b 2 high t\n")
    report = check(LABELS, [run])
    assert report.refused
    assert len(report.at("problem")) == 2
    assert any(text.endswith("ordered by rank") for text in texts(report, "fact"))


def test_a_rank_column_against_the_scores_is_said_once(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    report = check(LABELS, [run])
    assert report.refused
    said = [finding for finding in report.findings if "contradicts the scores" in finding.text]
    assert [finding.level for finding in said] == ["problem"]


def test_conflicting_labels_are_problems_and_the_run_is_still_looked_at(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 a 1\nq1 0 a 2\n")
    report = check(qrels, [{"q1": ["a"]}])
    assert report.refused
    assert "has grade 2, and 1 before" in texts(report, "problem")[0]
    assert any(finding.about == "run" for finding in report.findings)


def test_several_files_are_reported_together(tmp_path: Path) -> None:
    report = check(tmp_path / "no.qrels", [tmp_path / "no.run", {"q1": ["a"]}])
    assert report.refused
    assert [finding.about for finding in report.at("problem")] == ["no.qrels", "no.run"]


def test_an_empty_run_is_refused_unless_it_is_scored() -> None:
    assert check(LABELS, [{}]).refused
    assert not check(LABELS, [{}], empty_run="score").refused


def test_what_a_rule_allows_is_no_problem() -> None:
    assert not check(LABELS, [{"q1": {"a": 1.0}}], compat="msmarco", order="score").refused
    with pytest.raises(UsageError, match="no rule"):
        check(LABELS, [], colour="red")  # type: ignore[call-arg]


def test_labels_alone_can_be_checked() -> None:
    report = check({"q1": {"a": 1, "s": -1}, "q2": {"b": 0}})
    assert texts(report, "notice") == [
        "1 query without a relevant label: q2",
        "negative grades, which count as unjudged: 1",
    ]
    report = check({"q1": {"a": 1}}, rel=2)
    assert texts(report, "notice")[0] == "no label is relevant: the highest grade is 1, relevant is >= 2"


def test_a_queries_table_is_compared_with_the_labels(tmp_path: Path) -> None:
    table = tmp_path / "queries.jsonl"
    table.write_text('{"query_id":"q1"}\n{"query_id":"q8"}\n{"query_id":"q9","answerable":false}\n')
    report = check(LABELS, [], queries=table)
    assert "1 query of the population without labels, scored 0: q8" in texts(report, "notice")
    assert "1 query with labels outside the population: q2" in texts(report, "notice")
    table.write_text('{"query_id":"Q1"}\n')
    assert "upper and lower case" in texts(check(LABELS, [], queries=table), "problem")[0]


def test_depth_ties_and_empty_rankings_are_noticed() -> None:
    report = check(LABELS, [{"q1": {"a": 1.0, "n": 1.0}, "q2": {}}])
    notices = texts(report, "notice")
    assert "1 query with an empty ranking: q2" in notices
    assert "1 query with fewer than 10 documents" in notices
    assert "documents with the score of another one: 2 of 2 (100.0%), in 1 query with labels" in notices


def test_absent_queries_are_named() -> None:
    report = check(LABELS, [{"q1": {"a": 1.0, "b": 0.5}}])
    assert "1 query with labels absent from the run: q2" in texts(report, "notice")


def test_the_report_is_plain_data_and_problems_come_first(tmp_path: Path) -> None:
    data = check(LABELS, [tmp_path / "no.run"]).data()
    assert data["refused"] is True
    assert data["problems"] == 1
    assert data["findings"][0] == {
        "level": "problem",
        "about": "no.run",
        "text": "no such file",
        "hint": "Check the path; paths are relative to the current folder.",
    }
    levels = [finding["level"] for finding in data["findings"]]
    assert levels == sorted(levels, key=["problem", "notice", "fact"].index)


def test_a_hint_stands_once_after_its_problems(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("q1 Q0 a 1 high t\nq1 Q0 b 2 low t\n")
    lines = check(LABELS, [run]).text().splitlines()
    assert lines[0] == "problems"
    assert sum("Correct the scores" in line for line in lines) == 1
    assert lines[-1] == "eval would refuse this"


def test_eval_refuses_exactly_what_check_says_it_would(test_data: Path) -> None:
    from firsthit import FirsthitError, evaluate

    for folder in sorted(path for path in (test_data / "conformance").iterdir() if path.is_dir()):
        qrels, run = folder / "labels.qrels", folder / "system.run"
        try:
            evaluate(qrels, run)
            refused = False
        except FirsthitError:
            refused = True
        assert check(qrels, [run]).refused == refused, folder.name


def test_five_problems_of_a_kind_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    twice = "".join(f"q1 Q0 d{i} {i + 1} {9 - i} t\n" * 2 for i in range(7))
    run.write_text(f"{twice}q2 Q0 a 1 high t\n")
    found = texts(check(LABELS, [run]), "problem")
    assert sum("stands twice" in text for text in found) == 5
    assert [text for text in found if text.startswith("…")] == ["… and 2 more of the same kind"]
    assert sum("not a decimal number" in text for text in found) == 1


def test_a_share_is_all_only_where_it_is_all() -> None:
    run = {"q1": {f"d{i}": 1.0 for i in range(4000)} | {"a": 2.0}}
    found = " ".join(texts(check(LABELS, [run]), "notice"))
    assert "documents with the score of another one: 4,000 of 4,001 (99.98%)" in found
