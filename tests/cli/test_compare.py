"""`firsthit compare`, through its runner."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firsthit import evaluate
from firsthit.cli.commands import commands

QRELS = "".join(f"q{n:02} 0 d 1\n" for n in range(40))
GATE = "[gate]\nmin_queries = 10\n[[gate.drop]]\nmax = 0.1\n"


def run_of(*first_ranks: int) -> str:
    """A run whose queries have their hit at these ranks, 0: not at all; the rest of 40 at rank 2."""
    ranks = [*first_ranks, *[2] * (40 - len(first_ranks))]
    return "".join(
        f"q{n:02} Q0 {'d' if place == rank else f'x{place}'} {place} {9 - place} t\n"
        for n, rank in enumerate(ranks)
        for place in (1, 2, 3)
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty queries; NEW has eight more at rank 1, two fewer."""
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("old.run").write_text(run_of(1, 1))
    Path("new.run").write_text(run_of(3, 0, *[1] * 12))
    Path("gate.toml").write_text(GATE)
    for name in ("old", "new"):
        evaluate("qrels.txt", f"{name}.run", ["RR@10", "R@10"]).save(f"{name}.jsonl")
    groups = "".join(f"q{n:02},{'billing' if n < 5 else 'other'}\n" for n in range(40))
    Path("groups.csv").write_text("query_id,topic\n" + groups)
    return tmp_path


def compare(*arguments: str) -> Result:
    return CliRunner().invoke(commands, ["compare", *arguments], prog_name="firsthit")


def verdict(result: Result) -> str:
    """The first paragraph of standard output on one line."""
    return " ".join(result.stdout.split("\n\n")[0].split())


SENTENCE = (
    "new.run is better than old.run: MRR@10 0.5250 → 0.6333 (+0.1083, 95% interval +0.0062 to +0.2104; "
    "paired, 40 queries: 12 better, 2 worse, 26 the same)."
)


def test_the_verdict_stands_first() -> None:
    result = compare("old.jsonl", "new.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    assert verdict(result).startswith(SENTENCE)


def test_run_files_are_compared_with_their_labels() -> None:
    result = compare("old.run", "new.run", "--qrels", "qrels.txt", "-m", "RR@10", "-m", "R@10")
    assert result.stdout == compare("old.jsonl", "new.jsonl").stdout


def test_a_recall_that_moved_the_other_way_is_the_second_sentence() -> None:
    assert "But the other way went R@10 1.0000 → 0.9750 (-0.0250)." in verdict(
        compare("old.jsonl", "new.jsonl")
    )


def test_run_files_without_labels_are_wrong_use() -> None:
    result = compare("old.run", "new.run")
    assert result.exit_code == 2
    assert "give --qrels LABELS" in result.stderr


def test_rules_apply_to_run_files() -> None:
    result = compare("old.run", "new.run", "--qrels", "qrels.txt", "--rel", "2")
    assert "0 better, 0 worse, 40 the same" in verdict(result)
    assert compare("old.jsonl", "new.jsonl", "--rel", "2").exit_code == 2


def test_without_a_gate_the_verdict_leaves_the_exit_code_at_0() -> None:
    for pair in (("old.jsonl", "new.jsonl"), ("new.jsonl", "old.jsonl"), ("old.jsonl", "old.jsonl")):
        assert compare(*pair).exit_code == 0


def test_other_labels_are_not_comparable_and_each_difference_is_named() -> None:
    Path("other.txt").write_text(QRELS.replace("q00 0 d 1", "q00 0 e 1"))
    evaluate("other.txt", "new.run", ["RR@5"]).save("other.jsonl")
    result = compare("old.jsonl", "other.jsonl")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "cannot be compared" in result.stderr
    assert "labels" in result.stderr
    assert "cutoff" in result.stderr or "RR@5" in result.stderr


def test_common_compares_what_both_have_and_says_so_everywhere() -> None:
    Path("fewer.txt").write_text("".join(QRELS.splitlines(keepends=True)[:35]))
    evaluate("fewer.txt", "new.run", ["RR@10", "R@10"]).save("fewer.jsonl")
    assert compare("old.jsonl", "fewer.jsonl").exit_code == 3
    result = compare("old.jsonl", "fewer.jsonl", "--common", "--markdown", "m.md", "--format", "csv")
    assert result.exit_code == 0
    assert "35 queries in common" in result.stderr
    assert "35 queries in common" in Path("m.md").read_text()


def test_an_equivalence_takes_a_margin() -> None:
    said = verdict(compare("old.jsonl", "old.jsonl", "--margin", "0.1", "--name", "one", "--name", "other"))
    assert said.startswith("other and one are equivalent within ±0.1: MRR@10 0.5250 → 0.5250")


def test_too_few_queries_give_no_verdict() -> None:
    result = compare("old.jsonl", "new.jsonl", "--min-queries", "41")
    assert verdict(result).startswith("Cannot tell whether new.run is better or worse than old.run")


def test_several_versions_are_one_family() -> None:
    evaluate("qrels.txt", "new.run", ["RR@10", "R@10"], name="third").save("third.jsonl")
    found = json.loads(compare("old.jsonl", "new.jsonl", "third.jsonl", "--format", "json").stdout)
    first, second = found["comparisons"]
    assert (first["new"], second["new"]) == ("new.run", "third")
    assert first["means"]["RR@10"]["p_holm"] == pytest.approx(2 * first["means"]["RR@10"]["p"])


def test_groups_are_shown_and_critical_ones_come_first() -> None:
    result = compare("old.jsonl", "new.jsonl", "--groups", "groups.csv:topic", "--critical", "billing")
    lines = [line for line in result.stdout.splitlines() if line.startswith("topic=")]
    assert lines[0].startswith("topic=billing *")
    assert lines[0].endswith("report only")
    assert lines[1].startswith("topic=other")


def test_an_unknown_column_is_wrong_input() -> None:
    result = compare("old.jsonl", "new.jsonl", "--groups", "groups.csv:kind")
    assert result.exit_code == 2
    assert "no column 'kind'" in result.stderr


def test_answers_are_compared_too() -> None:
    answer_files(a="false", b="true")
    found = compare("old.jsonl", "new.jsonl", "--answers", "a.jsonl", "b.jsonl")
    assert "answers" in found.stdout
    assert "hit, right" in found.stdout


def answer_files(**right: str) -> None:
    for name, word in right.items():
        rows = [f'{{"query_id": "q{n:02}", "correct": {word}}}\n' for n in range(40)]
        Path(f"{name}.jsonl").write_text("".join(rows))


def test_answers_of_several_versions_stand_in_the_order_of_the_versions() -> None:
    answer_files(a="false", b="true", c="false")
    options = ("--answers", "a.jsonl", "b.jsonl", "c.jsonl", "--format", "json")
    found = json.loads(compare("old.jsonl", "new.jsonl", "old.jsonl", *options).stdout)["comparisons"]
    assert [one["answers"]["share"]["new"] for one in found] == [1.0, 0.0]


@pytest.mark.parametrize("files", [("a.jsonl",), ("a.jsonl", "b.jsonl", "c.jsonl")])
def test_a_wrong_number_of_answers_is_wrong_use(files: tuple[str, ...]) -> None:
    answer_files(a="false", b="true", c="false")
    refused = compare("old.jsonl", "new.jsonl", "--answers", *files)
    assert refused.exit_code == 2
    assert f"--answers: {len(files)} file{'s' if len(files) > 1 else ''} for 2 versions." in refused.stderr


def test_json_holds_everything_and_the_verdict() -> None:
    found = json.loads(compare("old.jsonl", "new.jsonl", "--format", "json").stdout)["comparisons"][0]
    assert found["verdict"]["sentence"].startswith(SENTENCE)
    assert len(found["queries"]) == 40


@pytest.mark.parametrize("output_format", ["csv", "tsv"])
def test_csv_has_one_row_a_measure_and_the_sentence_goes_to_standard_error(output_format: str) -> None:
    result = compare("old.jsonl", "new.jsonl", "--format", output_format)
    delimiter = "," if output_format == "csv" else "\t"
    rows = list(csv.DictReader(io.StringIO(result.stdout), delimiter=delimiter))
    assert [row["measure"] for row in rows] == ["RR@10", "R@10"]
    assert [row["verdict"] for row in rows] == ["better", ""]
    assert float(rows[0]["difference"]) == pytest.approx(0.108333, abs=1e-6)
    assert result.stderr.startswith(f"note: {SENTENCE}")


def test_json_lines_have_one_object_a_comparison_or_a_query() -> None:
    whole = compare("old.jsonl", "new.jsonl", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["new"] for line in whole] == ["new.run"]
    rows = compare("old.jsonl", "new.jsonl", "--format", "jsonl", "--per-query").stdout.splitlines()
    assert json.loads(rows[0])["query_id"] == "q00"
    assert len(rows) == 40


def test_per_query_values_stand_below_the_verdict() -> None:
    result = compare("old.jsonl", "new.jsonl", "--per-query")
    assert verdict(result).startswith(SENTENCE)
    assert result.stdout.split("\n\n")[1].splitlines()[:3] == [
        "query_id  first_rank_old  first_rank_new  change  value_old  value_new  difference",
        "q00                    1               3  down       1.0000     0.3333     -0.6667",
        "q01                    1               -  lost       1.0000     0.0000     -1.0000",
    ]


@pytest.mark.parametrize("output_format", ["csv", "tsv", "json", "markdown"])
def test_per_query_values_in_every_format(output_format: str) -> None:
    result = compare("old.jsonl", "new.jsonl", "--per-query", "--format", output_format)
    assert result.exit_code == 0
    assert "q39" in result.stdout
    assert SENTENCE in result.stderr


def test_markdown_is_the_report_for_a_pull_request() -> None:
    result = compare("old.jsonl", "new.jsonl", "--format", "markdown", "--markdown", "m.md")
    assert result.stdout == Path("m.md").read_text()
    assert result.stdout.startswith("<!-- firsthit report -->")
    assert result.stderr == "saved: m.md\n"


def test_every_report_is_written_and_the_verdict_is_in_each() -> None:
    kinds = ("html", "markdown", "junit", "json", "csv")
    files = [part for kind in kinds for part in (f"--{kind}", f"out.{kind}")]
    result = compare("old.jsonl", "new.jsonl", *files)
    assert result.exit_code == 0
    assert result.stderr == "saved: out.html, out.markdown, out.junit, out.json, out.csv\n"
    for kind in ("html", "markdown", "junit", "json"):
        assert "better than" in Path(f"out.{kind}").read_text(encoding="utf-8")
    assert Path("out.csv").read_text().count("\n") == 41


def test_equal_input_gives_equal_bytes() -> None:
    texts = []
    for name in ("a.html", "b.html"):
        compare("old.jsonl", "new.jsonl", "--html", name)
        texts.append(Path(name).read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("path", "said"),
    [("nowhere/r.html", "there is no folder"), (".", "a folder, where a file is to be written")],
)
def test_a_report_that_cannot_be_written_is_refused_before_anything_is(path: str, said: str) -> None:
    result = compare("old.jsonl", "new.jsonl", "--markdown", "m.md", "--html", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert not Path("m.md").exists()


def test_two_reports_need_two_files() -> None:
    result = compare("old.jsonl", "new.jsonl", "--markdown", "r", "--html", "r")
    assert result.exit_code == 2
    assert "r: two reports cannot be written to one file" in result.stderr


def test_without_what_draws_plots_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    result = compare("old.jsonl", "new.jsonl", "--html", "r.html", "--markdown", "m.md")
    assert result.exit_code == 2
    assert "firsthit[report]" in result.stderr
    assert not list(Path().glob("[mr].*"))


def test_names_are_given_old_first() -> None:
    result = compare("old.jsonl", "new.jsonl", "--name", "before", "--name", "after")
    assert verdict(result).startswith("after is better than before: ")
    assert compare("old.jsonl", "new.jsonl", "--name", "before").exit_code == 2


def test_one_evaluation_is_not_enough() -> None:
    result = compare("old.jsonl")
    assert result.exit_code == 2
    assert "There is nothing to compare old.jsonl with." in result.stderr


def test_a_gate_that_passes_exits_with_0() -> None:
    result = compare("old.jsonl", "new.jsonl", "--gate", "gate.toml")
    assert result.exit_code == 0
    assert result.stdout.endswith("\n\nThe gate passes: 2 pass of 2 rules.\n")


def regressed() -> str:
    """A version that loses rank 1 in five queries of billing and gains nothing: its interval is wide."""
    Path("worse.run").write_text(run_of(1, 1, 0, 0, 0, *[3] * 30))
    evaluate("qrels.txt", "worse.run", ["RR@10", "R@10"]).save("worse.jsonl")
    return "worse.jsonl"


def test_a_gate_that_fails_exits_with_1_and_still_writes_the_reports() -> None:
    Path("gate.toml").write_text("[gate]\nmin_queries = 10\n[[gate.floor]]\nmin = 0.5\n")
    result = compare("old.jsonl", regressed(), "--gate", "gate.toml", "--junit", "j.xml")
    assert result.exit_code == 1
    assert "The gate fails: 1 fail, 1 pass of 2 rules." in result.stdout
    assert "FAIL: MRR@10 is at least 0.5" in result.stdout
    suite = ET.parse("j.xml").getroot()[0]
    assert suite.attrib["failures"] == "1"


def test_a_gate_that_cannot_tell_exits_with_4_and_the_file_may_change_that() -> None:
    Path("gate.toml").write_text("[gate]\nmin_queries = 10\n[[gate.drop]]\nmax = 0.17\n")
    assert compare("old.jsonl", regressed(), "--gate", "gate.toml").exit_code == 4
    for word, code in (("pass", 0), ("fail", 1)):
        Path("gate.toml").write_text(
            f'[gate]\ninconclusive = "{word}"\nmin_queries = 10\n[[gate.drop]]\nmax = 0.17\n'
        )
        assert compare("old.jsonl", "worse.jsonl", "--gate", "gate.toml").exit_code == code


def test_a_regression_weighs_more_than_a_version_that_cannot_be_told() -> None:
    Path("gate.toml").write_text("[gate]\nmin_queries = 10\n[[gate.drop]]\nmax = 0.1\n")
    Path("wild.run").write_text(run_of(*[0] * 20, *[1] * 20))
    evaluate("qrels.txt", "wild.run", ["RR@10", "R@10"]).save("wild.jsonl")
    assert compare("old.jsonl", "wild.jsonl", "--gate", "gate.toml").exit_code == 4
    Path("bad.run").write_text(run_of(*[0] * 40))
    evaluate("qrels.txt", "bad.run", ["RR@10", "R@10"]).save("bad.jsonl")
    assert compare("old.jsonl", "wild.jsonl", "bad.jsonl", "--gate", "gate.toml").exit_code == 1


def test_bad_input_weighs_more_than_what_is_not_comparable() -> None:
    Path("other.txt").write_text(QRELS.replace("q00 0 d 1", "q00 0 e 1"))
    evaluate("other.txt", "new.run", ["RR@10", "R@10"]).save("other.jsonl")
    Path("gate.toml").write_text("[gate]\nnonsense = 1\n")
    result = compare("old.jsonl", "other.jsonl", "--gate", "gate.toml")
    assert result.exit_code == 2
    assert "nonsense" in result.stderr


def test_explain_shows_every_rule_with_its_queries() -> None:
    Path("gate.toml").write_text(
        '[gate]\ngroups = ["groups.csv:topic"]\n[gate.critical]\ngroups = ["billing"]\nkeep_rank_1 = true\n'
    )
    result = compare("old.jsonl", "new.jsonl", "--gate", "gate.toml", "--explain")
    assert result.exit_code == 1
    assert result.stdout.endswith("    q01: rank 1 → none\n    q00: rank 1 → 3\n")
    assert "(gate.toml, line 5)" in result.stdout


def test_explain_without_a_gate_is_wrong_use() -> None:
    assert compare("old.jsonl", "new.jsonl", "--explain").exit_code == 2


def test_data_formats_hold_data_only_and_the_gate_is_said_on_standard_error() -> None:
    result = compare("old.jsonl", "new.jsonl", "--gate", "gate.toml", "--format", "json")
    assert json.loads(result.stdout)["gate"][0]["exit_code"] == 0
    assert "The gate passes" in result.stderr


def test_the_gates_measures_are_computed_for_run_files() -> None:
    Path("gate.toml").write_text('[gate]\n[[gate.floor]]\nmeasure = "Success@3"\nmin = 0.5\n')
    result = compare("old.run", "new.run", "--qrels", "qrels.txt", "--gate", "gate.toml")
    assert result.exit_code == 0
    assert "Success@3" in result.stdout


@pytest.fixture
def baseline() -> None:
    CliRunner().invoke(commands, ["baseline", "set", "main", "old.jsonl"], catch_exceptions=False)


@pytest.mark.usefixtures("baseline")
def test_old_may_be_a_baseline() -> None:
    assert compare("baseline:main", "new.jsonl").stdout == compare("old.jsonl", "new.jsonl").stdout


@pytest.mark.usefixtures("baseline")
def test_the_gate_may_name_the_baseline() -> None:
    Path("gate.toml").write_text(GATE.replace("[gate]\n", '[gate]\nbaseline = "main"\n'))
    assert compare("new.jsonl", "--gate", "gate.toml").exit_code == 0
    assert compare("new.jsonl").exit_code == 2


def test_a_baseline_that_does_not_exist_is_an_error_without_a_gate() -> None:
    result = compare("baseline:main", "new.jsonl")
    assert result.exit_code == 2
    assert "There is no baseline 'main' in .firsthit/baselines." in result.stderr


def test_a_first_run_passes_with_a_notice_and_writes_every_report() -> None:
    kinds = ("html", "markdown", "junit", "json", "csv")
    files = [part for kind in kinds for part in (f"--{kind}", f"out.{kind}")]
    result = compare("baseline:main", "new.jsonl", "--gate", "gate.toml", *files)
    assert result.exit_code == 0
    assert "There is no baseline 'main' yet, so nothing was compared and the gate passes." in result.stdout
    assert "There is no baseline 'main' yet" in Path("out.markdown").read_text()
    assert "new.run" in Path("out.html").read_text(encoding="utf-8")
    assert json.loads(Path("out.json").read_text())["gate"][0]["exit_code"] == 0
    assert ET.parse("out.junit").getroot().tag == "testsuites"
    assert Path("out.csv").read_text().startswith("old,new,measure,query_id")


def test_a_first_run_still_refuses_bad_input() -> None:
    Path("new.jsonl").write_text(Path("new.jsonl").read_text()[:-200])
    result = compare("baseline:main", "new.jsonl", "--gate", "gate.toml")
    assert result.exit_code == 2
    assert "cut off" in result.stderr


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda text: text[:-50], "cut off"),
        (lambda text: text.replace("0.5", "0.6", 1), "edited or damaged"),
        (lambda text: text.replace('"version":1', '"version":9', 1), "saved as version 9"),
        (lambda text: "q1 0 a 1\n", "not a saved evaluation"),
    ],
    ids=["cut off", "edited", "newer", "not one"],
)
def test_a_saved_evaluation_that_is_not_whole_is_wrong_input(spoil: object, said: str) -> None:
    assert callable(spoil)
    Path("new.jsonl").write_text(spoil(Path("new.jsonl").read_text()))
    result = compare("old.jsonl", "new.jsonl", "--html", "r.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert not Path("r.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--seed", "-1"), "--seed"),
        (("--min-queries", "0"), "--min-queries"),
        (("--margin", "-1"), "margin = -1.0: a number above 0"),
        (("--difference", "nan"), "difference = nan: a number above 0"),
        (("--cluster", "topic"), "'topic'"),
        (("--gate", "missing.toml"), "missing.toml: no such file"),
        (("--groups", "missing.csv:topic"), "missing.csv: no such file"),
        (("--answers", "missing.jsonl", "old.jsonl"), "missing.jsonl: no such file"),
        (("-m", "Foo"), "'Foo': unknown measure"),
        (("-m", "nDCG@99"), "nDCG@99: not computed in both evaluations"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_settings_are_one_message(arguments: tuple[str, ...], said: str) -> None:
    result = compare("old.jsonl", "new.jsonl", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
