"""`firsthit eval`, through its runner."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firsthit import __version__, load
from firsthit.cli.commands import commands
from firsthit.cli.eval_command import LISTS
from firsthit.demo import write_files
from firsthit.evaluation.listing import LISTS as LIBRARY_LISTS

QRELS = "q1 0 a 1\nq1 0 x 0\nq2 0 b 2\nq3 0 c 1\nq4 0 d 1\n"
RUN = "q1 Q0 a 1 3 t\nq1 Q0 x 2 2 t\nq2 Q0 y 1 9 t\nq2 Q0 b 2 8 t\nq3 Q0 z 1 1 t\nq9 Q0 a 1 1 t\n"
OTHER = "q1 Q0 a 1 3 t\nq2 Q0 b 1 9 t\nq3 Q0 c 1 1 t\nq4 Q0 d 1 1 t\n"

Rows = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a toy of four queries, the first hits at 1, 2, nowhere, and one query absent."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(OTHER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments, prog_name="firsthit")


def evaluated(*arguments: str) -> Result:
    result = run("eval", "qrels.txt", *arguments)
    assert result.exit_code == 0, result.output
    return result


def parsed(*arguments: str) -> Any:
    return json.loads(evaluated(*arguments, "--format", "json").stdout)


def test_the_table_and_its_card(folder: Path) -> None:
    digest = parsed("a.run")["evaluations"][0]["card"]["labels"]["sha256"]
    assert evaluated("a.run", "-m", "RR@5 Success@1").stdout == (
        "run      RR@5  Success@1\n"
        "a.run  0.3750     0.2500\n"
        "\n"
        "MRR@5 = mean over queries of 1/rank of the first relevant result within 5, else 0\n"
        "4 labelled queries: 2 hit, 1 miss, 1 absent from the run, 0 without a relevant label\n"
        "relevant: grade >= 1 (grades go to 2) · labels judge: not stated\n"
        "    · order: score descending, ties by doc_id descending\n"
        "    · 0 queries tied at the first hit: [0.3750, 0.3750, 0.3750]\n"
        "unjudged: not relevant · 60% of the top 5 judged · bounds if judged: [0.3750, 0.7500]\n"
        f"labels sha256:{digest[:12]}… · firsthit {__version__}\n"
    )


def test_notes_go_to_standard_error() -> None:
    result = evaluated("a.run")
    assert result.stderr.startswith("note: 1 query of the run without labels, not counted: q9")
    assert "note:" not in result.stdout


def test_several_runs_share_what_they_have_in_common() -> None:
    lines = evaluated("a.run", "b.run", "-m", "RR").stdout.splitlines()
    assert [line.split() for line in lines[:3]] == [["run", "RR"], ["a.run", "0.3750"], ["b.run", "1.0000"]]
    assert sum(line.startswith("relevant: grade >= 1") for line in lines) == 1
    assert (
        "a.run: 4 labelled queries: 2 hit, 1 miss, 1 absent from the run, 0 without a relevant label" in lines
    )
    assert "  b.run: 0 queries tied at the first hit: [1.0000, 1.0000, 1.0000]" in lines


def test_without_measures_the_six_defaults_are_shown() -> None:
    heading = evaluated("a.run").stdout.splitlines()[0]
    assert heading.split() == ["run", "RR@10", "Success@1", "Success@10", "R@10", "nDCG@10", "Judged@10"]


def test_a_measure_is_printed_by_its_canonical_name() -> None:
    assert evaluated("a.run", "-m", "mrr@10", "-m", "ndcg_cut.5").stdout.split()[:3] == [
        "run",
        "RR@10",
        "nDCG@5",
    ]


def test_unknown_measures_are_reported_together_with_the_nearest_names() -> None:
    result = run("eval", "qrels.txt", "a.run", "-m", "RRR@10", "-m", "nDCX", "-m", "RR@0")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert [line.split(":")[0] for line in result.stderr.splitlines()[:3]] == ["Error", "'nDCX'", "'RR@0'"]
    assert "nearest: RR" in result.stderr
    assert "nDCG" in result.stderr


def test_an_empty_measure_is_wrong_use() -> None:
    assert run("eval", "qrels.txt", "a.run", "-m", " ").exit_code == 2


def test_json_has_the_documented_shape() -> None:
    found = parsed("a.run", "b.run")
    assert list(found) == ["evaluations"]
    assert [item["run"] for item in found["evaluations"]] == ["a.run", "b.run"]
    first = found["evaluations"][0]
    assert list(first) == ["run", "means", "counts", "hits", "ties", "bounds", "card"]
    assert list(first["means"]) == ["RR@10", "Success@1", "Success@10", "R@10", "nDCG@10", "Judged@10"]
    assert set(first["counts"]) == {
        *("queries", "hit", "miss", "absent", "no_relevant", "unlabelled"),
        *("unanswerable", "unlabelled_in_run", "outside_population"),
    }
    assert set(first["hits"]["RR@10"]) == {"hit", "miss"}
    assert [len(first["ties"]["RR@10"]), len(first["bounds"]["RR@10"])] == [3, 2]
    assert set(first["ties"]) == set(first["bounds"]) == {"RR@10", "Success@1", "Success@10"}


def test_jsonl_is_one_run_a_line() -> None:
    lines = evaluated("a.run", "b.run", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == parsed("a.run", "b.run")["evaluations"]


def test_json_carries_full_precision(folder: Path) -> None:
    (folder / "third.run").write_text("q1 Q0 x 1 3 t\nq1 Q0 y 2 2 t\nq1 Q0 a 3 1 t\n")
    (folder / "one.txt").write_text("q1 0 a 1\n")
    result = run("eval", "one.txt", "third.run", "-m", "RR", "--format", "json")
    assert json.loads(result.stdout)["evaluations"][0]["means"] == {"RR": 1 / 3}


def test_per_query_jsonl_is_one_object_a_query() -> None:
    rows = [
        json.loads(x)
        for x in evaluated("a.run", "--per-query", "-m", "RR@5", "--format", "jsonl").stdout.splitlines()
    ]
    assert rows == [
        {"run": "a.run", "query_id": "q1", "status": "hit", "first_rank": 1, "values": {"RR@5": 1.0}},
        {"run": "a.run", "query_id": "q2", "status": "hit", "first_rank": 2, "values": {"RR@5": 0.5}},
        {"run": "a.run", "query_id": "q3", "status": "miss", "first_rank": None, "values": {"RR@5": 0.0}},
        {"run": "a.run", "query_id": "q4", "status": "absent", "first_rank": None, "values": {"RR@5": 0.0}},
    ]
    assert json.loads(evaluated("a.run", "--per-query", "-m", "RR@5", "--format", "json").stdout) == {
        "queries": rows
    }


def test_per_query_table() -> None:
    assert evaluated("a.run", "--per-query", "-m", "RR@5").stdout == (
        "query_id  status  first_rank    RR@5\n"
        "q1        hit              1  1.0000\n"
        "q2        hit              2  0.5000\n"
        "q3        miss             -  0.0000\n"
        "q4        absent           -  0.0000\n"
    )


def test_per_query_csv_of_several_runs_names_the_run() -> None:
    text = evaluated("a.run", "b.run", "--per-query", "-m", "RR@5", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == ["run", "query_id", "status", "first_rank", "RR@5"]
    assert [(row["run"], row["RR@5"]) for row in rows][3:5] == [("a.run", "0.0"), ("b.run", "1.0")]


@pytest.mark.parametrize("output_format", ["csv", "tsv"])
def test_means_as_csv_and_tsv(output_format: str) -> None:
    delimiter = {"csv": ",", "tsv": "\t"}[output_format]
    lines = evaluated("a.run", "-m", "RR@5", "--format", output_format).stdout.splitlines()
    assert lines == [f"run{delimiter}RR@5", f"a.run{delimiter}0.375"]


def test_means_as_markdown() -> None:
    assert evaluated("a.run", "-m", "RR@5", "--format", "markdown").stdout == (
        "| run | RR@5 |\n|---|---:|\n| a.run | 0.3750 |\n"
    )


def test_every_list_of_the_library_can_be_asked_for() -> None:
    assert set(LISTS) == set(LIBRARY_LISTS)


@pytest.mark.parametrize(
    ("what", "first"),
    [("miss", "q3"), ("absent", "q4"), ("unlabelled", "run"), ("skipped", "query of the run")],
)
def test_lists_name_what_is_behind_a_count(what: str, first: str) -> None:
    assert evaluated("a.run", "--list", what).stdout.splitlines()[1].startswith(first)


def test_an_empty_list_says_so() -> None:
    result = evaluated("a.run", "--list", "tied")
    assert (result.stdout, result.stderr) == ("", "nothing is listed as tied.\n")
    assert parsed("a.run", "--list", "tied") == {"tied": []}


def test_bounds_stand_in_the_place_of_the_value() -> None:
    table = evaluated("a.run", "-m", "RR@5", "--unjudged", "bounds").stdout.splitlines()
    assert table[1] == "a.run  [0.3750, 0.7500]"
    assert run("eval", "qrels.txt", "a.run", "-m", "nDCG@5", "--unjudged", "bounds").exit_code == 2


def test_a_rule_beside_a_profile_wins() -> None:
    def score_bits(*more: str) -> int:
        card = parsed("a.run", "--compat", "trec_eval9", *more)["evaluations"][0]["card"]
        return int(card["rules"]["score_bits"])

    assert (score_bits(), score_bits("--score-bits", "64")) == (32, 64)


def test_a_profile_changes_the_mean() -> None:
    means = [
        parsed("a.run", "-m", "RR", *more)["evaluations"][0]["means"]["RR"]
        for more in ([], ["--compat", "trec_eval9"])
    ]
    assert means == [0.375, 0.5]


def test_the_threshold_is_an_option() -> None:
    found = parsed("a.run", "-m", "RR@5", "-m", "RR(rel=1)@5", "--rel", "2")["evaluations"][0]["means"]
    assert found == {"RR@5": 0.125, "RR(rel=1)@5": 0.375}


def test_the_whole_card_lists_every_rule() -> None:
    text = evaluated("a.run", "--card").stdout
    for rule in ("rel", "ties", "empty_run"):
        assert f"\n  {rule} " in text
    assert "sha256 of the file" in text
    assert "depth saved" not in text
    assert "_sha256" not in text


def test_different_outputs_are_asked_for_one_at_a_time() -> None:
    assert run("eval", "qrels.txt", "a.run", "--card", "--per-query").exit_code == 2
    assert run("eval", "qrels.txt", "a.run", "--card", "--format", "csv").exit_code == 2


def test_a_run_can_be_named() -> None:
    assert [
        item["run"] for item in parsed("a.run", "b.run", "--name", "old", "--name", "new")["evaluations"]
    ] == ["old", "new"]
    assert run("eval", "qrels.txt", "a.run", "b.run", "--name", "one").exit_code == 2


def test_runs_of_the_same_file_name_are_told_apart_by_their_folders(folder: Path) -> None:
    for name in ("old", "new"):
        (folder / name).mkdir()
        (folder / name / "x.run").write_text(RUN)
    assert [item["run"] for item in parsed("old/x.run", "new/x.run")["evaluations"]] == [
        "old/x.run",
        "new/x.run",
    ]


def test_one_run_is_saved_to_a_file(folder: Path) -> None:
    result = evaluated("a.run", "--save", "a.jsonl")
    assert "saved: a.jsonl\n" in result.stderr
    assert load(folder / "a.jsonl").mean("RR@10") == 0.375


def test_one_run_is_saved_to_a_folder_when_the_path_ends_in_a_slash(folder: Path) -> None:
    assert "saved: out/a.jsonl\n" in evaluated("a.run", "--save", "out/").stderr
    assert load(folder / "out" / "a.jsonl").mean("RR@10") == 0.375


def test_a_folder_that_is_not_there_is_not_made_up(folder: Path) -> None:
    result = run("eval", "qrels.txt", "a.run", "--save", "resluts/a.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no folder resluts" in result.stderr
    assert not (folder / "resluts").exists()


def test_several_runs_are_saved_to_a_folder(folder: Path) -> None:
    evaluated("a.run", "b.run", "--save", "out")
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["a.jsonl", "b.jsonl"]
    assert load(folder / "out" / "b.jsonl").mean("RR@10") == 1.0


def test_names_that_differ_only_in_their_ending_keep_it(folder: Path) -> None:
    (folder / "a.txt").write_text(OTHER)
    evaluated("a.run", "a.txt", "--save", "out")
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["a.run.jsonl", "a.txt.jsonl"]


def test_nothing_is_saved_when_one_run_fails(folder: Path) -> None:
    (folder / "bad.run").write_text("q1 Q0 a 1 high t\n")
    result = run("eval", "qrels.txt", "a.run", "bad.run", "--save", "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert not (folder / "out").exists()


def test_several_runs_are_not_saved_over_a_file(folder: Path) -> None:
    (folder / "out").write_text("mine")
    assert run("eval", "qrels.txt", "a.run", "b.run", "--save", "out").exit_code == 2
    assert (folder / "out").read_text() == "mine"


def test_a_file_is_no_folder_to_save_in() -> None:
    result = run("eval", "qrels.txt", "a.run", "--save", "qrels.txt/out.jsonl")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: qrels.txt/out.jsonl: there is no folder qrels.txt")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("qrels.txt", "missing.run"), "missing.run"),
        (("missing.txt", "a.run"), "missing.txt"),
        (("qrels.txt", "."), "folder"),
        (("qrels.txt", "empty.run"), "empty"),
        (("empty.run", "a.run"), "empty"),
        (("qrels.txt", "qrels.txt"), "qrels.txt"),
        (("a.run", "qrels.txt"), "a.run"),
        (("qrels.txt", "binary.run"), "binary.run"),
        (("qrels.txt", "cut.run.gz"), "cut.run.gz"),
        (("qrels.txt", "twice.run"), "line 2"),
        (("conflict.txt", "a.run"), "line 2"),
        (("qrels.txt", "nan.run"), "nan"),
        (("qrels.txt", "short.run"), "line 2"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_code_2(
    arguments: tuple[str, str], said: str, folder: Path
) -> None:
    (folder / "empty.run").write_text("")
    (folder / "binary.run").write_bytes(bytes(range(256)) * 10)
    (folder / "cut.run.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b")
    (folder / "twice.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n")
    (folder / "conflict.txt").write_text("q1 0 a 1\nq1 0 a 0\n")
    (folder / "nan.run").write_text("q1 Q0 a 1 nan t\n")
    (folder / "short.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 a\n")
    result = run("eval", *arguments, "--save", "out.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: ")
    assert said in result.stderr
    assert not (folder / "out.jsonl").exists()


def test_an_empty_run_can_be_scored(folder: Path) -> None:
    (folder / "empty.run").write_text("")
    found = parsed("empty.run", "--empty-run", "score")["evaluations"][0]
    assert (found["means"]["RR@10"], found["counts"]["absent"]) == (0.0, 4)


def test_no_shared_query_scores_0_and_the_first_line_says_so(folder: Path) -> None:
    (folder / "c.run").write_text("q1.v2 Q0 a 1 2 t\n")
    result = evaluated("c.run", "-m", "RR")
    assert result.stdout.splitlines()[0].startswith("NO QUERY IS SHARED by labels and run")
    assert result.stdout.count("NO QUERY IS SHARED") == 1


def test_no_labelled_document_scores_0_and_the_first_line_says_so(folder: Path) -> None:
    (folder / "c.run").write_text("q1 Q0 a#0 1 2 t\n")
    result = evaluated("c.run", "-m", "RR")
    assert result.stdout.splitlines()[0].startswith("NO LABELLED DOCUMENT IS RETRIEVED for any query")
    assert "(a chunk suffix is appended in the run)" in result.stderr


def test_the_demo_s_queries_keep_unanswerable_questions_out_of_the_mean(tmp_path: Path) -> None:
    write_files(tmp_path / "demo")
    files = [str(tmp_path / "demo" / name) for name in ("labels.jsonl", "dense.jsonl", "queries.jsonl")]
    result = run("eval", *files[:2], "--queries", files[2], "--format", "json")
    counts = json.loads(result.stdout)["evaluations"][0]["counts"]
    assert (counts["queries"], counts["unanswerable"], counts["unlabelled_in_run"]) == (61, 6, 0)


def test_a_reader_of_the_readme_gets_trec_eval_s_number_for_dl19(test_data: Path) -> None:
    folder = test_data / "dl19_passage"
    lines = (folder / "expected_trec_eval.tsv").read_text().splitlines()
    cells = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    expected = {
        cell["run"]: float(cell["value_12dp"])
        for cell in cells
        if (cell["measure"], cell["query"], cell["options"]) == ("recip_rank", "all", "-l 2")
    }
    labels = str(folder / "qrels.dl19-passage.txt")
    assert expected
    for name, value in expected.items():
        file = next(folder.glob(f"{name}*"))
        result = run("eval", labels, str(file), "--rel", "2", "-m", "RR", "--format", "json")
        assert json.loads(result.stdout)["evaluations"][0]["means"]["RR"] == pytest.approx(value, abs=1e-9)


def test_a_page_of_one_evaluation_is_written_to_a_file() -> None:
    result = run("eval", "qrels.txt", "a.run", "--html", "page.html", "-m", "RR@10")
    assert result.exit_code == 0
    assert result.stderr.startswith("saved: page.html\n")
    assert result.stdout == run("eval", "qrels.txt", "a.run", "-m", "RR@10").stdout
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "a.run" in page


def test_a_page_is_of_one_run() -> None:
    result = run("eval", "qrels.txt", "a.run", "b.run", "--html", "page.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--html is the page of one run." in result.stderr


def test_a_page_in_a_folder_that_is_not_there_is_refused_first() -> None:
    result = run("eval", "missing.txt", "a.run", "--html", "nowhere/page.html")
    assert result.exit_code == 2
    assert "nowhere/page.html: there is no folder" in result.stderr
