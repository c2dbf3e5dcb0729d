"""Markdown, JUnit, JSON, CSV and the terminal's text: short enough, safe, and the same numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from firsthit.comparison.compare import compare_many
from firsthit.comparison.comparison import Comparison
from firsthit.report import csv_text, json_text, junit, markdown, text
from firsthit.report.markdown import MARKER
from tests.gate.scenario import compared, decided, labels, ranking
from tests.report.pairs import HOSTILE, demo_pair, hostile_pair, many_queries
from tests.report.reading import cells

FLOOR = '[[gate.floor]]\nmeasure = "RR@10"\nmin = 0.99'


@pytest.fixture(params=[demo_pair, hostile_pair, lambda: many_queries(3000)], ids=["demo", "hostile", "many"])
def comparison(request: pytest.FixtureRequest) -> Comparison:
    make: Callable[[], Comparison] = request.param
    return make()


def test_the_hidden_marker_comes_first_and_then_the_verdict(comparison: Comparison) -> None:
    first, heading, _, sentence = markdown(comparison).splitlines()[:4]
    assert first == MARKER == "<!-- firsthit report -->"
    assert re.match("## (Better|Worse|Equivalent|Cannot tell): ", heading)
    assert sentence.startswith("**")


def test_every_row_of_a_markdown_table_has_as_many_cells_as_its_heading(comparison: Comparison) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", markdown(comparison), re.MULTILINE)
    assert len(tables) >= 2
    for table in tables:
        assert len({len(cells(row)) for row in table.splitlines()}) == 1, table


def test_ids_and_texts_cannot_become_markdown_markup() -> None:
    found = markdown(hostile_pair()).removeprefix(MARKER)
    tags = set(re.findall(r"<[^>]*>", found))
    assert tags <= {
        "<code>",
        "</code>",
        "<details>",
        "<details open>",
        "</details>",
        "<summary>",
        "</summary>",
        "<br>",
    }
    assert "](" not in found
    assert "@" not in found.replace("MRR@10", "")
    assert "https:" not in found
    assert "`" not in found
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", found)
    assert "&#8238;" not in found


def test_a_long_comparison_stays_below_65000_characters(tmp_path: Path) -> None:
    query_ids = [f"{'long' * 20}-{i}" for i in range(400)]
    table = {one: {"r": 1} for one in query_ids}
    old = {one: ["r"] for one in query_ids}
    new = {one: [f"{'&' * 60}{i}" for i in range(5)] + ["r"] for one in query_ids}
    runs = [new] * 30
    names = ["old", *(f"{'<new>' * 20} {i}" for i in range(30))]
    found = compare_many(old, runs, qrels=table, measures=["RR@10"], names=names)
    whole = markdown(found)
    assert len(whole) < 65_000
    assert whole.count("\n## Worse: ") == 30
    one = markdown(found[0])
    assert len(one) < 65_000
    assert "400 queries worse" in one


def test_far_too_many_comparisons_are_cut_to_their_verdicts() -> None:
    [found] = compare_many(ranking([1] * 40), [ranking([2] * 40)], qrels=labels(40), measures=["RR@10"])
    whole = markdown([found] * 1000)
    assert len(whole) < 65_000
    assert whole.startswith(f"{MARKER}\n## Worse: ")


def test_markdown_shows_the_gate_with_the_queries_of_a_failing_rule(tmp_path: Path) -> None:
    pair = compared([1] * 40, [1] * 39 + [2])
    found = markdown(pair, decided(FLOOR, pair, tmp_path))
    assert found.index("**FAIL**") > found.index("## ")
    rows = [row for row in found.splitlines() if "**FAIL**" in row]
    assert len(rows) == 1
    assert len(cells(rows[0])) == 3


def test_junit_without_a_gate_passes_and_says_the_verdict(comparison: Comparison) -> None:
    suites = ElementTree.fromstring(junit(comparison).encode())
    [suite] = suites.findall("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("1", "0", "0")
    [case] = suite.findall("testcase")
    assert list(case) == []
    facts = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert facts["verdict"] == comparison.verdict.kind
    assert float(facts["difference"] or "nan") == comparison.primary.difference


def test_a_failing_rule_of_the_gate_is_a_junit_failure_and_others_pass(tmp_path: Path) -> None:
    pair = compared([1] * 40, [1] * 30 + [2] * 10)
    result = decided(f"max_absent = 0.0\n{FLOOR}", pair, tmp_path)
    [suite] = ElementTree.fromstring(junit(pair, result).encode()).findall("testsuite")
    cases = {case.get("name"): case for case in suite.findall("testcase")}
    assert set(cases) == {str(found.rule) for found in result.rules}
    for found in result.rules:
        kinds = [child.tag for child in cases[str(found.rule)]]
        assert kinds == (["failure"] if found.status == "fail" else [])
    assert suite.get("failures") == "1"
    assert suite.get("tests") == str(len(result.rules))
    [failure] = suite.iter("failure")
    assert failure.get("message") == next(one.text for one in result.rules if one.status == "fail")


@pytest.mark.parametrize(("setting", "element"), [("", "skipped"), ('inconclusive = "fail"\n', "failure")])
def test_a_rule_that_cannot_be_told_is_skipped_unless_the_gate_makes_it_fail(
    setting: str, element: str, tmp_path: Path
) -> None:
    pair = compared([1] * 12, [1] * 12)
    result = decided(f"{setting}[[gate.drop]]\nmax = 0.01", pair, tmp_path)
    untold = {str(found.rule) for found in result.rules if found.status == "cannot_tell"}
    [suite] = ElementTree.fromstring(junit(pair, result).encode()).findall("testsuite")
    found = {case.get("name"): child.tag for case in suite.findall("testcase") for child in case}
    assert found == dict.fromkeys(untold, element)
    assert untold
    counted = "failures" if element == "failure" else "skipped"
    assert suite.get(counted) == str(len(untold))


def test_hostile_queries_of_a_failing_rule_make_valid_xml(tmp_path: Path) -> None:
    result = decided('[gate.critical]\ngroups = ["kind"]\nkeep_top = 1', hostile_pair(), tmp_path)
    source = junit(hostile_pair(), result)
    failures = "\n".join(one.text or "" for one in ElementTree.fromstring(source.encode()).iter("failure"))
    assert HOSTILE[0] in failures


def test_json_is_the_comparisons_data(comparison: Comparison, tmp_path: Path) -> None:
    found = json.loads(json_text(comparison))
    assert found == {"comparisons": [msgspec.to_builtins(comparison.data())]}
    result = decided(FLOOR, comparison, tmp_path)
    with_gate = json.loads(json_text([comparison], result))
    assert with_gate["comparisons"] == found["comparisons"]
    [gate] = with_gate["gate"]
    assert gate["exit_code"] == result.exit_code
    assert [rule["status"] for rule in gate["rules"]] == [one.status for one in result.rules]


def test_csv_has_one_row_for_each_query_in_full_precision(comparison: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(comparison), newline="")))
    assert [row["query_id"] for row in rows] == list(comparison.query_ids)
    assert [float(row["difference"]) for row in rows] == comparison.difference.tolist()
    ranks = [int(row["first_rank_new"] or 0) for row in rows]
    assert ranks == comparison.first_rank_new.tolist()
    assert [row["critical"] == "true" for row in rows] == comparison.critical.tolist()


def test_csv_names_the_groups_and_answers_of_a_query() -> None:
    first = next(csv.DictReader(io.StringIO(csv_text(demo_pair()))))
    assert first["group:topic"] == "billing"
    assert first["answer"] == "right"


@pytest.mark.parametrize("report", [markdown, junit, json_text, csv_text, text])
def test_equal_comparisons_give_equal_reports(report: Callable[[Comparison], str]) -> None:
    assert report(hostile_pair()) == report(hostile_pair.__wrapped__())


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_no_line_of_the_terminal_text_is_wider_than_the_width(comparison: Comparison, width: int) -> None:
    assert max(map(len, text(comparison, width=width).splitlines())) <= width


def test_columns_without_room_follow_below_with_their_measure() -> None:
    lines = text(demo_pair(), width=80).splitlines()
    first, second = (line.split() for line in lines if line.startswith("   ") and "MRR" not in line)
    assert first == ["bm25", "dense", "difference", "95%", "interval", "p"]
    assert second == ["better/worse/same"]
    assert sum(line.startswith("MRR@10 ") for line in lines) == 2


def test_the_agreement_of_the_rankings_is_one_line_everywhere() -> None:
    said = "42% of the top 10 in both, rank-biased overlap 0.60"
    assert said in " ".join(text(demo_pair()).split())
    assert said in markdown(demo_pair())


def test_the_terminal_text_begins_with_the_verdict_in_lines_of_the_width() -> None:
    lines = text(demo_pair(), width=80).splitlines()
    sentence = lines[: lines.index("")]
    assert " ".join(sentence) == demo_pair().verdict.sentence
    assert max(map(len, sentence)) <= 80
