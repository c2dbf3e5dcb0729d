"""Files of a gate: what is read, and every problem at once, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from firsthit.errors import InputError
from firsthit.gate import Gate, Rule, read_gate

ROOT = Path(__file__).parents[2]

WHOLE = """\
[gate]
baseline = "main"
min_queries = 40
inconclusive = "fail"
on = "estimate"
groups = ["queries.csv:topic", "kind"]
max_unjudged = 0.4
max_absent = 0

[[gate.floor]]
measure = "mrr@10"
min = 0.5

[[gate.drop]]
max = 0.02
on = "interval"

[[gate.drop]]
column = "topic"
group = "tax"
max = 0.1

[[gate.drop]]
critical = true
max = 0.05

[gate.critical]
groups = ["tax", "law"]
keep_rank_1 = true
keep_top = 10
"""


def written(tmp_path: Path, text: str, name: str = "firsthit.toml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(tmp_path: Path, text: str, name: str = "firsthit.toml") -> list[str]:
    path = written(tmp_path, text, name)
    with pytest.raises(InputError) as caught:
        read_gate(path)
    return str(caught.value).replace(str(path), "FILE").splitlines()


def test_every_rule_is_read_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE)
    assert read_gate(path) == Gate(
        source=str(path),
        rules=(
            Rule("min_queries", 40, line=3),
            Rule("max_unjudged", 0.4, line=7),
            Rule("max_absent", 0.0, line=8),
            Rule("floor", 0.5, "RR@10", line=12),
            Rule("max_drop", 0.02, on="interval", line=15),
            Rule("max_drop", 0.1, column="topic", group="tax", on="estimate", line=21),
            Rule("max_drop", 0.05, critical=True, on="estimate", line=25),
            Rule("keep_rank_1", 1, critical=True, line=29),
            Rule("keep_top", 10, critical=True, line=30),
        ),
        min_queries=40,
        inconclusive="fail",
        groups=(str(tmp_path / "queries.csv:topic"), "kind"),
        critical=("tax", "law"),
        baseline="main",
    )


def test_the_example_is_a_gate() -> None:
    assert len(read_gate(ROOT / "examples" / "ci" / "firsthit.toml").rules) == 7


def test_every_key_is_documented(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    text = "[gate]\nx = 1\n[gate.critical]\nx = 1\n[[gate.floor]]\nx = 1\n[[gate.drop]]\nx = 1\n"
    said = [line.partition("there are ")[2] for line in refused(tmp_path, text) if "there are " in line]
    keys = {key for line in said for key in line.split(", ")} - {"floor", "drop", "critical"}
    assert len(said) == 4
    assert not [key for key in keys if f"`{key}`" not in page and f"`{key} = " not in page]
    for name in ("[[gate.floor]]", "[[gate.drop]]", "[gate.critical]", "critical = true"):
        assert f"`{name}`" in page


def test_a_gate_knows_the_measures_that_it_needs(tmp_path: Path) -> None:
    assert read_gate(written(tmp_path, WHOLE)).measures == ("RR@10",)


def test_a_rule_reads_as_a_sentence(tmp_path: Path) -> None:
    assert [str(rule) for rule in read_gate(written(tmp_path, WHOLE)).rules] == [
        "at least 40 queries",
        "at most 0.4 of the top documents are unjudged",
        "at most 0 of the queries are absent from the run",
        "MRR@10 is at least 0.5",
        "the primary measure drops by at most 0.02 (interval)",
        "the primary measure in topic=tax drops by at most 0.1 (estimate)",
        "the primary measure in each critical group drops by at most 0.05 (estimate)",
        "no critical query loses rank 1",
        "no critical query leaves the top 10",
    ]


def test_thirty_queries_are_the_smallest_number_unless_said(tmp_path: Path) -> None:
    gate = read_gate(written(tmp_path, "[gate]\nmax_absent = 0\n"))
    assert (gate.min_queries, gate.rules[0]) == (30, Rule("min_queries", 30))
    assert (gate.inconclusive, gate.groups, gate.critical, gate.baseline) == (None, (), (), None)


def test_pyproject_holds_the_same_table_under_tool(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n\n[tool.other]\nmin = 1\n\n[tool.firsthit.gate]\nmax_absent = 0.1\n'
    gate = read_gate(written(tmp_path, text, "pyproject.toml"))
    assert gate.rules[1] == Rule("max_absent", 0.1, line=8)
    assert refused(tmp_path, "[tool.x]\n", "pyproject.toml")[0] == "FILE: has no table [tool.firsthit.gate]"


def test_all_problems_are_reported_at_once_with_their_lines(tmp_path: Path) -> None:
    text = """\
[gate]
min_queries = 0
inconclusive = "maybe"
maxunjudged = 0.4
max_absent = true
baseline = 3
groups = [1]

[[gate.floor]]
measure = "MMR@10"
min = 0.5

[[gate.floor]]
measure = "RR@10"
min = 1.5

[[gate.drop]]
on = "mean"
limit = 0.1

[[gate.drop]]
group = "tax"
max = -0.1

[[gate.drop]]
column = "topic"
critical = true
max = 0.1

[gate.critical]
keep_rank_1 = "yes"
keep_top = 2.5
keep = 1
"""
    assert refused(tmp_path, text) == [
        "FILE: 17 problems",
        "  line 2: min_queries is not a whole number of 1 or more: '0'",
        "  line 3: inconclusive is not one of pass, fail: 'maybe'",
        "  line 4: unknown key 'maxunjudged'; nearest: max_unjudged",
        "  line 5: max_absent is not a number from 0 to 1: 'True'",
        "  line 6: baseline is not a text: '3'",
        "  line 7: groups is not a list of texts: '[1]'",
        "  line 10: 'MMR@10': unknown measure; nearest: RR, R",
        "  line 15: min is not a number from 0 to 1: '1.5'",
        "  line 17: drop has no max",
        "  line 18: on is not one of interval, estimate: 'mean'",
        "  line 19: unknown key 'limit'; there are measure, max, column, group, critical, on",
        "  line 22: a group without its column: 'tax'",
        "  line 23: max is not a number from 0 to 1: '-0.1'",
        "  line 27: critical contradicts column: a rule is about the one or the other",
        "  line 31: keep_rank_1 is neither true nor false: 'yes'",
        "  line 32: keep_top is not a whole number of 1 or more: '2.5'",
        "  line 33: unknown key 'keep'; nearest: keep_top",
        "docs/gate.md lists the rules and their keys.",
    ]


def test_contradictory_rules_name_both_lines(tmp_path: Path) -> None:
    text = """\
[[gate.floor]]
min = 0.5
[[gate.floor]]
min = 0.4
[[gate.drop]]
max = 0.1
[[gate.drop]]
max = 0.1
[[gate.drop]]
column = "topic"
max = 0.05
[[gate.drop]]
column = "topic"
group = "tax"
max = 0.1
[gate.critical]
keep_rank_1 = false
keep_top = 1
"""
    assert refused(tmp_path, text)[:-1] == [
        "FILE: 4 problems",
        "  line 4: contradicts an earlier rule: the primary measure is at least 0.4, and 0.5 "
        "(first on line 2)",
        "  line 8: stands twice: the primary measure drops by at most 0.1 (interval) (first on line 6)",
        "  line 15: contradicts a stricter rule for every group: the primary measure in topic=tax drops by "
        "at most 0.1 (interval), but the primary measure in each topic drops by at most 0.05 (interval) "
        "(first on line 11)",
        "  line 18: keep_top = 1 contradicts keep_rank_1 = false (first on line 17)",
    ]


def test_a_stricter_rule_for_one_group_is_fine(tmp_path: Path) -> None:
    rule = '[[gate.drop]]\ncolumn = "topic"\n'
    gate = read_gate(written(tmp_path, f'{rule}max = 0.1\n{rule}group = "tax"\nmax = 0.05\n'))
    assert len(gate.rules) == 3


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "FILE: has no table [gate]"),
        ("gate = 3\n", "FILE: has no table [gate]"),
        ("[gate]\n", "FILE: line 1: holds no rule that could fail"),
        ("[gate]\nmin_queries = 20\n", "FILE: line 1: holds no rule that could fail"),
        ("[gate]\nmax_absent = \n", "FILE: line 2: is not TOML: invalid value"),
        ("[gate]\nmax_absent = 0\nmax_absent = 1\n", "FILE: line 3: is not TOML: cannot overwrite a value"),
        ("[gate]\nmax_absent = [0", "FILE: line 2: is not TOML: unclosed array"),
        ("[gate]\nmax_absent = 0\n[gates]\n", "FILE: line 3: unknown key 'gates'; nearest: gate"),
        ("[gate]\nfloor = 0.5\n", "FILE: line 2: floor is an array of tables: [[gate.floor]]"),
        ("[gate]\ncritical = true\n", "FILE: line 2: critical is a table: [gate.critical]"),
    ],
)
def test_a_file_that_is_no_gate_is_refused(tmp_path: Path, text: str, what: str) -> None:
    assert refused(tmp_path, text)[0] == what


@pytest.mark.parametrize("value", ["nan", "inf", "1.5", '"0.1"', "true", "1e400"])
def test_a_limit_beyond_the_range_of_the_measure_could_never_fail(tmp_path: Path, value: str) -> None:
    (first, _) = refused(tmp_path, f"[[gate.drop]]\nmax = {value}\n")
    assert first.startswith("FILE: line 2: max is not a number from 0 to 1: ")


def test_a_measure_without_a_largest_value_takes_any_limit(tmp_path: Path) -> None:
    rule = '[[gate.floor]]\nmeasure = "NumRel"\nmin = '
    assert read_gate(written(tmp_path, f"{rule}5000\n")).rules[1].limit == 5000
    assert refused(tmp_path, f"{rule}inf\n")[0] == "FILE: line 3: min is not a number of 0 or more: 'inf'"
    assert refused(tmp_path, f"{rule}1{'0' * 400}\n")[0].startswith(
        "FILE: line 3: min is not a number of 0 or"
    )


def test_rules_may_be_written_as_inline_tables(tmp_path: Path) -> None:
    text = "[gate]\nmin_queries = 9\ndrop = [\n  {max = 0.1},\n]\ncritical = {keep_rank_1 = true}\n"
    assert [(rule.kind, rule.line) for rule in read_gate(written(tmp_path, text)).rules] == [
        ("min_queries", 2),
        ("max_drop", 3),
        ("keep_rank_1", 6),
    ]


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "firsthit.toml"
    path.write_bytes("[gate]\nbaseline = 'größe'\n".encode("latin-1"))
    with pytest.raises(InputError, match="line 2: is not UTF-8"):
        read_gate(path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_gate(tmp_path / "firsthit.toml")
