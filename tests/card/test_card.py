"""The card in words: short, as it stands under a table, and full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firsthit import Rules, __version__, evaluate
from firsthit.card.text import beside_notes, formula, order_text
from firsthit.measures import MEASURES

LABELS = {"q1": {"a": 1, "n": 0}, "q2": {"b": 2}, "q3": {"c": 1}, "q4": {"d": 0}}
RUN = {"q1": {"a": 2.0, "n": 1.0}, "q2": {"x": 1.0, "b": 1.0}, "q4": {"d": 1.0}, "q9": {"e": 1.0}}


def lines(**options: Any) -> list[str]:
    return evaluate(LABELS, RUN, ["RR@10"], **options).card.text().splitlines()


def test_the_short_card() -> None:
    found = evaluate(LABELS, RUN, ["RR@10"], labels_judge="passages")
    sha256 = found.card.labels.sha256[:12]
    assert found.card.text().splitlines() == [
        "MRR@10 = mean over queries of 1/rank of the first relevant result within 10, else 0",
        "4 labelled queries: 2 hit, 0 miss, 1 absent from the run, 1 without a relevant label",
        "relevant: grade >= 1 (grades go to 2) · labels judge: passages · "
        "order: score descending, ties by doc_id descending · "
        "1 query tied at the first hit: [0.3750, 0.4375, 0.5000]",
        "unjudged: not relevant · 80% of the top 10 judged · bounds if judged: [0.3750, 0.5000]",
        f"labels sha256:{sha256}… · 1 query of the run without labels, not counted · firsthit {__version__}",
    ]


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        (
            "RR@1000",
            "MRR@1000 = mean over queries of 1/rank of the first relevant result within 1,000, else 0",
        ),
        ("RR", "MRR = mean over queries of 1/rank of the first relevant result, else 0"),
        ("RR(rel=2)", "MRR(rel=2) = mean over queries of 1/rank of the first result with grade >= 2, else 0"),
    ],
)
def test_the_formula_names_the_cutoff(measure: str, sentence: str) -> None:
    assert formula(measure) == sentence


def test_rules_that_are_not_the_default_are_said() -> None:
    text = lines(absent="exclude", no_relevant="exclude", self_hits="drop")
    assert "1 absent from the run (left out of the mean)" in text[1]
    assert "1 without a relevant label (left out of the mean)" in text[1]
    assert "other rules: absent=exclude · no_relevant=exclude · self_hits=drop" in text


def test_a_profile_is_named() -> None:
    assert any(line.startswith("other rules: compat=trec_eval · ") for line in lines(compat="trec_eval"))


def test_negative_grades_are_counted_where_the_number_is_read() -> None:
    labels = {"q1": {"a": 1, "s": -2, "t": -1}}
    said = "2 labels with negative grades count as unjudged (else: negative=nonrelevant)"
    text = evaluate(labels, RUN, ["RR@10"]).card.text()
    assert f"{said} · labels list relevant documents only, these aside" in text
    assert "negative grade" not in evaluate(labels, RUN, ["RR@10"], negative="nonrelevant").card.text()
    assert "negative grade" not in evaluate(LABELS, RUN, ["RR@10"]).card.text()


def test_grades_above_1_are_said_where_nobody_chose_a_threshold() -> None:
    assert "grade >= 1 (grades go to 2)" in evaluate(LABELS, RUN, ["RR@10"]).card.text()
    assert "grades go to" not in evaluate(LABELS, RUN, ["RR@10"], rel=1).card.text()
    assert "grades go to" not in evaluate(LABELS, RUN, ["RR(rel=1)@10"]).card.text()
    assert "grades go to" not in evaluate({"q1": {"a": 1}}, RUN, ["RR@10"]).card.text()


def test_ties_that_change_nothing_are_said_to() -> None:
    run = {"q1": {"x": 1.0, "a": 0.5, "y": 0.5}}
    text = evaluate({"q1": {"a": 1, "y": 1}}, run, ["RR@10"]).card.text()
    assert "1 query tied at the first hit (no effect)" in text


def test_what_the_card_and_a_notice_say_stands_once() -> None:
    run = {"q1": {"a": 2.0, "q1": 1.0}, "q9": {"e": 1.0}}
    card = evaluate(LABELS, run, ["RR@10"], self_hits="drop").card
    lines, notices = beside_notes(card)
    assert notices == ["1 query of the run without labels, not counted: q9"]
    assert not any("of the run without labels" in line for line in lines)
    assert any(line.endswith("1 self-hit dropped") for line in lines)
    assert card.text(full=True).count("of the run without labels") == 1


def test_labels_of_relevant_documents_only_move_the_bounds_to_the_full_card() -> None:
    card = evaluate({"q1": {"a": 1}}, {"q1": {"x": 2.0, "a": 1.0}}, ["RR@10"]).card
    assert "labels list relevant documents only" in card.text()
    assert "bounds if judged" not in card.text()
    assert "bounds if judged: [0.5000, 1.0000]" in card.text(full=True)


def test_the_threshold_on_the_card_is_that_of_the_primary_measure() -> None:
    card = evaluate(LABELS, RUN, ["RR(rel=2)@10"]).card
    assert "relevant: grade >= 2" in card.text()
    assert (
        "relevant: every listed document" in evaluate(LABELS, RUN, ["RR@10"], relevant="listed").card.text()
    )


@pytest.mark.parametrize(
    ("order", "rules", "words"),
    [
        ("score", Rules(ties="expected"), "score descending, ties as the exact mean over their orders"),
        ("score", Rules(score_bits=32), "score descending as 32-bit floats, ties by doc_id descending"),
        ("rank", Rules(), "rank column ascending"),
        ("given", Rules(), "as given"),
    ],
)
def test_the_order_is_said_as_it_was_used(order: str, rules: Rules, words: str) -> None:
    assert order_text(order, rules) == words


def test_the_full_card_lists_every_rule_with_where_it_comes_from() -> None:
    text = evaluate(LABELS, RUN, ["RR@10"], compat="trec_eval9", rel=2).card.text(full=True)
    assert "  rel           2             (given)" in text
    assert "  score_bits    32            (from trec_eval9)" in text
    assert "  ties          docid-desc    (default)" in text
    for rule in Rules.__struct_fields__:
        assert f"\n  {rule} " in text


def test_the_full_card_names_the_harmonic_mean_rank_and_warns_of_it() -> None:
    text = evaluate(LABELS, RUN, ["RR@10"]).card.text(full=True)
    assert (
        "harmonic mean rank 1/MRR@10 = 2.667: a miss is infinitely deep; this is not the average rank" in text
    )
    assert "median first rank" in text
    assert "Success@1 0.2500  Success@3 0.5000  Success@5 0.5000  Success@10 0.5000" in text


def test_the_full_card_says_when_most_queries_have_no_hit() -> None:
    text = evaluate({"q1": {"a": 1}}, {"q1": {"x": 1.0}}, ["RR@10"]).card.text(full=True)
    assert "median first rank none (most queries have no hit)" in text
    assert "harmonic" not in text


def test_the_full_card_states_the_formula_of_each_measure_once() -> None:
    text = evaluate(LABELS, RUN, ["RR@10", "RR@5", "nDCG@10"]).card.text(full=True)
    assert text.count("  RR@k = 1/r, where r is the smallest rank of a document with grade >= rel;") == 1
    assert text.count("  nDCG@k = DCG@k / ideal DCG@k") == 1
    assert "Reading" not in text


def test_only_all_is_a_hundred_percent() -> None:
    labels = {f"q{i}": {"a": 1} for i in range(300)}
    run: dict[str, dict[str, float]] = {query: {"a": 1.0} for query in labels} | {"q0": {"x": 1.0}}
    assert "99.7% of the top 10 judged" in evaluate(labels, run, ["RR@10"]).card.text()
    assert "100% of the top 10 judged" in evaluate(labels, {"q1": {"a": 1.0}}, ["RR@10"]).card.text()


def test_every_formula_is_found() -> None:
    known = [d for d in MEASURES.values() if d.name != "Redundancy"]  # which needs texts
    names = [f"{d.name}@10" if d.cutoff == "required" else d.name for d in known]
    text = evaluate(LABELS, RUN, names).card.text(full=True)
    for definition in known:
        assert f"\n  {definition.name}" in text.split("measures\n")[1]
        assert " ".join(definition.documentation.split("Formula: ")[1].split("\n")[0].split()) in text


def test_the_full_card_names_the_inputs(tmp_path: Path) -> None:
    qrels, run = tmp_path / "labels.txt", tmp_path / "run.txt"
    qrels.write_text("q1 0 a 1\n\n")
    run.write_text("q1 Q0 a 1 1.0 t\n")
    card = evaluate(qrels, run, ["RR@10"], digest=True).card
    text = card.text(full=True)
    assert "file labels.txt" in text
    assert "blank lines 1" in text
    assert f"sha256 of the file {card.run.file_sha256}" in text


def test_the_population_of_a_queries_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.jsonl"
    path.write_text('{"query_id": "q1"}\n{"query_id": "q7"}\n{"query_id": "q4", "answerable": false}\n')
    text = lines(queries=path)
    assert text[1].startswith("2 queries of dev.jsonl: 1 hit, 0 miss, 0 absent")
    assert "1 without labels (scored 0)" in text[1]
    assert text[2] == "1 unanswerable query in no mean: something was returned for 100%"
    assert "2 labelled queries outside the population" in text[-1]


def test_removals_are_counted() -> None:
    run = {"q1": ["a", "q1", "n"]}
    text = evaluate(LABELS, run, ["RR@10"], self_hits="drop").card.text()
    assert "self_hits=drop · 1 self-hit dropped" in text


def test_several_needs_are_read_by_their_rule(tmp_path: Path) -> None:
    qrels = tmp_path / "q"
    qrels.write_text("q1 1 a 1\nq1 2 a 1\nq1 2 b 1\n")
    found = evaluate(qrels, {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}}, ["RR@10", "R@10"], needs="iter")
    assert found.means == {"RR@10": 0.5, "R@10": 1.0}
    assert found.record().detail.needs == [{"1": 2, "2": 2}]
