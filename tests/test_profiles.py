"""Profiles reproduce what other tools printed; docs/profiles.md lists the accidents that they do not."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from firsthit import FirsthitError, UsageError, evaluate
from firsthit.profiles import PROFILES, changed_by, profile_named, rules_for
from firsthit.rules import Rules, choices
from tests.test_trec_eval_parity import LABELS, grouped, path_of, table

DOCS = Path(__file__).parent.parent / "docs" / "profiles.md"

TOOLS = {
    "trec_eval 10.0 -c": ("trec_eval", "RR"),
    "trec_eval 9.0.8": ("trec_eval9", "RR"),
    "pytrec_eval-terrier 0.5.11": ("pytrec_eval", "RR"),
    "ir_measures 0.4.3 RR": ("ir_measures", "RR"),
    "ir_measures 0.4.3 RR@10": ("ir_measures", "RR@10"),
    "MS MARCO passage script MRR@10": ("msmarco", "RR@10"),
    "sentence-transformers 6.2.0 MRR@10": ("sentence-transformers", "RR@10"),
}
"""The tools whose printed MRR is recorded: the profile that promises it, and the measure."""

PRINTED = 5.1e-4
"""The recorded numbers are rounded to three decimals."""


def test_every_profile_changes_rules_that_exist_to_values_that_exist() -> None:
    for profile in PROFILES.values():
        for _, changed in profile:
            for rule, value in changed.items():
                assert value in choices(rule), (rule, value)


def test_ir_measures_breaks_ties_by_measure() -> None:
    assert rules_for("ir_measures", "RR").ties == "docid-desc"
    assert rules_for("ir_measures", "RR@10").ties == "docid-asc"
    assert rules_for("ir_measures", "RR(rel=2)@10").ties == "docid-asc"
    assert rules_for("ir_measures", "nDCG@10").score_bits == 32


def test_no_profile_changes_nothing() -> None:
    assert rules_for(None, "RR@10") == Rules()


def test_a_given_option_wins_over_the_profile() -> None:
    assert rules_for("trec_eval9", "RR", {"absent": "zero"}).absent == "zero"


def test_an_unknown_profile_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no profile 'ranx'; there are ir_measures, msmarco"):
        profile_named("ranx")


@pytest.mark.parametrize("tool", TOOLS)
def test_a_profile_prints_what_the_tool_printed_but_for_listed_accidents(test_data: Path, tool: str) -> None:
    profile, measure = TOOLS[tool]
    differing = {}
    for case, printed in _printed(test_data, tool):
        got = _outcome(test_data / "conformance" / case, profile, measure)
        if not isinstance(got, float) or abs(got - printed) > PRINTED:
            differing[case] = (printed, got if isinstance(got, str) else round(got, 3))
    assert differing == _accidents(profile, measure)


def test_trec_eval_profiles_print_what_trec_eval_printed_for_malformed_input(test_data: Path) -> None:
    folder = test_data / "trec_eval_reactions"
    accidents = {"run_nan_score", "run_inf_score", "run_word_score", "run_bom", "qrels_bom"}
    profiles = {("9.0.8", ""): "trec_eval9", ("10.0-rc3", "-c"): "trec_eval"}
    for row in _rows(folder / "reactions.tsv"):
        profile = profiles.get((row["version"], row["options"]))
        if profile is None or row["exit_code"] != "0" or row["case"] in accidents:
            continue
        qrels, run = folder / f"{row['case']}.qrels", folder / f"{row['case']}.run"
        mean = evaluate(qrels, run, ["RR"], compat=profile).mean()
        assert mean == pytest.approx(float(row["recip_rank"]), abs=5e-5), row


def test_the_docs_state_the_changes_of_every_profile() -> None:
    text = DOCS.read_text()
    for name in PROFILES:
        row = re.search(rf"^\| `{name}` \|.*\|(.*)\|$", text, re.MULTILINE)
        assert row, f"docs/profiles.md has no row for {name}"
        stated = set(re.findall(r"(\w+)=([\w-]+)", row[1]))
        changed = {(rule, str(value)) for _, changes in PROFILES[name] for rule, value in changes.items()}
        assert stated == changed, name


def test_changed_by_gives_later_entries_precedence() -> None:
    assert changed_by("ir_measures", "RR@5")["score_bits"] == 64


def _outcome(case: Path, profile: str, measure: str) -> float | str:
    try:
        return evaluate(case / "labels.qrels", case / "system.run", [measure], compat=profile).mean()
    except FirsthitError:
        return "error"


def _printed(test_data: Path, tool: str) -> Iterator[tuple[str, float]]:
    for row in _rows(test_data / "conformance" / "printed_by_tools.tsv"):
        if row["tool"] == tool and row["printed_mrr"] != "error":
            yield row["case"], float(row["printed_mrr"])


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _accidents(profile: str, measure: str) -> dict[str, tuple[float, float | str]]:
    """The accidents that the docs list for a profile: case, recorded and our outcome."""
    found: dict[str, tuple[float, float | str]] = {}
    for line in DOCS.read_text().partition("## Accidents")[2].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[1] == f"`{profile}`":
            named = dict(re.findall(r"([\d.]+) \((RR(?:@10)?)\)", cells[2]))
            recorded = {measure: value for value, measure in named.items()}.get(measure, cells[2])
            found[cells[0]] = float(recorded), cells[3] if cells[3] == "error" else float(cells[3])
    return found


def test_the_ir_measures_profile_gives_its_values_on_real_runs(test_data: Path) -> None:
    compared = 0
    for folder in sorted(LABELS):
        tables = (test_data / folder).glob("expected_other_tools.tsv*")
        rows = [row for path in tables for row in table(path) if row["tool"].startswith("ir_measures")]
        for (run,), group in grouped(rows, "run").items():
            qrels, measures = test_data / folder / LABELS[folder], {row["measure"] for row in group}
            found = evaluate(qrels, path_of(test_data / folder, run), sorted(measures), compat="ir_measures")
            place = {query_id: i for i, query_id in enumerate(found.query_ids)}
            for row in group:
                values = found[row["measure"]]
                value = found.mean(row["measure"]) if row["query"] == "all" else values[place[row["query"]]]
                assert value == pytest.approx(float(row["value"]), abs=1e-9), row
                compared += 1
    assert compared == 19_271
