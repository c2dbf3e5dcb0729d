"""Duplicate evidence in evaluations and checks: values, lists, and that nothing else moves."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from firsthit import UsageError, check, evaluate
from firsthit.cli.commands import commands

SENTENCE = "coffee and tea cannot be sent back once the bag has been opened because they are food you eat"
TEXTS = {
    "returns#1": SENTENCE,
    "faq#1": SENTENCE.upper(),
    "faq#2": f"{SENTENCE} today",
    "returns#2": "a bag that tastes wrong is replaced in any case",
    "other": "something else entirely, in more than five words",
}
LABELS = "q1 policy returns#1 2\nq1 exception returns#2 1\nq1 policy faq#2 1\nq1 policy other 0\n"
RUN = ["returns#1", "faq#1", "other", "faq#2", "returns#2"]
NEAR = "Redundancy(similar=0.8)@4"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "qrels").write_text(LABELS)
    (tmp_path / "run").write_text(
        "".join(f"q1 Q0 {doc_id} {rank} {9 - rank} t\n" for rank, doc_id in enumerate(RUN, 1))
    )
    (tmp_path / "passages.jsonl").write_text(
        "".join(json.dumps({"doc_id": doc_id, "text": text}) + "\n" for doc_id, text in TEXTS.items())
    )
    return {
        "qrels": str(tmp_path / "qrels"),
        "run": str(tmp_path / "run"),
        "passages": str(tmp_path / "passages.jsonl"),
    }


def evaluated(files: dict[str, Any], measures: list[str], **options: Any) -> Any:
    passages = files["passages"]
    return evaluate(files["qrels"], files["run"], measures, passages=passages, needs="iter", **options)


def test_redundancy_is_the_share_that_stands_above_already(files: dict[str, Any]) -> None:
    found = evaluated(files, ["RR@4", "Redundancy@4", "Redundancy@1", NEAR])
    assert dict(found.means) == {"RR@4": 1.0, "Redundancy@4": 1 / 4, "Redundancy@1": 0.0, NEAR: 2 / 4}


def test_copies_are_listed_with_what_they_say_again_and_carry(files: dict[str, Any]) -> None:
    found = evaluated(files, ["RR@4", NEAR])
    assert found.listed("redundant").rows == (
        ("q1", "faq#1", 2, "returns#1", 1, 1.0, None, None),
        ("q1", "faq#2", 4, "returns#1", 1, 15 / 16, 1.0, "policy"),
    )
    assert evaluated(files, ["Redundancy@4"]).listed("redundant").rows == (
        ("q1", "faq#1", 2, "returns#1", 1, 1.0, None, None),
    )


def test_what_would_move_up_without_copies_is_listed(files: dict[str, Any]) -> None:
    assert evaluated(files, ["RR@4", NEAR]).listed("deduplicated").rows == (
        ("q1", 2, 3, "other", 0.0, None),
        ("q1", 3, 5, "returns#2", 1.0, "exception"),
    )
    assert evaluated(files, ["Redundancy@2"]).listed("deduplicated").rows == (
        ("q1", 2, 3, "other", 0.0, None),
    )


def test_passages_of_a_need_that_is_carried_above_are_listed(files: dict[str, Any]) -> None:
    assert evaluated(files, ["RR@4"]).listed("same-need").rows == (
        ("q1", "policy", "faq#2", 4, "returns#1", 1),
    )
    assert evaluated(files, ["RR@3"]).listed("same-need").rows == ()


def test_lists_of_copies_are_those_of_a_measure(files: dict[str, Any]) -> None:
    for name in ("redundant", "deduplicated"):
        with pytest.raises(UsageError, match="none was computed"):
            evaluated(files, ["RR@4"]).listed(name)


def test_without_texts_redundancy_is_an_error_that_says_what_to_give(files: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no texts of passages are at hand"):
        evaluate(files["qrels"], files["run"], ["Redundancy@4"], needs="iter")


def test_documents_that_were_folded_have_no_redundancy(files: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="Redundancy is of passages"):
        evaluated(files, ["Redundancy@4"], unit="document", source_separator="#")


def test_under_other_orders_and_condensed_redundancy_follows_the_ranking(files: dict[str, Any]) -> None:
    assert evaluated(files, ["Redundancy@4"], unjudged="condensed").means["Redundancy@4"] == 0.0
    assert evaluated(files, [NEAR], unjudged="condensed").means[NEAR] == 1 / 4
    assert evaluated(files, ["Redundancy@4"], ties="best").means["Redundancy@4"] == 1 / 4


def test_a_name_with_a_share_outside_its_range_is_refused() -> None:
    for share in ("0", "1.1", "-1", "x"):
        with pytest.raises(UsageError, match=f"Redundancy.similar={share}"):
            evaluate({"q": {"a": 1}}, {"q": ["a"]}, [f"Redundancy(similar={share})@5"])


@given(st.lists(st.sampled_from(sorted(TEXTS)), unique=True, min_size=1), st.data())
def test_copies_change_no_rr(ranking: list[str], data: st.DataObject) -> None:
    """A passage copied under a new id below moves no first rank, and no Redundancy above it."""
    from firsthit.ids import Ids
    from firsthit.passages import Passages

    copied = [*ranking, f"copy of {data.draw(st.sampled_from(ranking))}"]
    texts = TEXTS | {f"copy of {name}": text for name, text in TEXTS.items()}
    passages = Passages(Ids.of(texts), text=Ids.of(texts.values()))
    labels = {"q": {"returns#1": 1, "returns#2": 2}}
    k = len(ranking)
    named = ["RR", "RR@2", f"Redundancy@{k}", f"Redundancy(similar=0.8)@{k}"]
    first, second = (
        evaluate(labels, {"q": places}, named, passages=passages) for places in (ranking, copied)
    )
    assert dict(first.means) == dict(second.means)
    assert evaluate(labels, {"q": copied}, ["RR"]).means["RR"] == first.means["RR"]


def test_a_check_finds_equal_texts_where_texts_are_given(files: dict[str, Any]) -> None:
    report = check(files["qrels"], [files["run"]], passages=files["passages"], needs="iter")
    notices = [finding.text for finding in report.at("notice")]
    assert "passages with the text of another one: 2 of 5, in 1 group, such as returns#1 and faq#1" in notices
    assert "places in the top 10 with the text of one above: 1 of 5, in 1 query" in notices
    assert not any("near" in text for text in notices)
    assert not report.refused


def test_a_check_finds_near_duplicates_where_asked(files: dict[str, Any]) -> None:
    options = {"passages": files["passages"], "needs": "iter", "similar": 0.8}
    report = check(files["qrels"], [files["run"]], **options)
    notices = [finding.text for finding in report.at("notice")]
    near = "equal or near (at least 0.8 of their 5-word shingles in common) to"
    found = f"passages {near} another one: 3 of 5, in 1 group, such as returns#1, faq#1 and faq#2"
    assert found in notices
    assert f"places in the top 10 {near} one above: 2 of 5, in 1 query" in notices


def test_on_the_command_line(files: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [files["qrels"], files["run"], "--passages", files["passages"], "--needs", "iter"]
    listed = CliRunner().invoke(
        commands, ["eval", *paths, "-m", NEAR, "--list", "deduplicated", "--format", "csv"]
    )
    assert listed.output.splitlines() == [
        "query_id,new_rank,rank,doc_id,grade,needs",
        "q1,2,3,other,0.0,",
        "q1,3,5,returns#2,1.0,exception",
    ]
    monkeypatch.setitem(sys.modules, "rensa", None)
    refused = CliRunner().invoke(commands, ["check", *paths, "--similar", "0.8"])
    assert refused.exit_code == 2
    assert "pip install 'firsthit[duplicates]'" in refused.output
    assert CliRunner().invoke(commands, ["check", *paths]).exit_code == 0


def test_a_check_that_knows_no_texts_says_so(files: dict[str, Any]) -> None:
    report = check(files["qrels"], [files["run"]], similar=0.8, needs="iter")
    assert any("duplicates were not looked for" in finding.text for finding in report.at("notice"))
    with pytest.raises(UsageError, match=r"a share from 0\.1 to 1"):
        check(files["qrels"], similar=1.5)
