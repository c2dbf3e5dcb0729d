"""Stale labels in a comparison: what is evidence that ids changed, and what is only a bad retriever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firsthit import evaluate
from firsthit.card.evidence import EvidenceFacts
from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from firsthit.evaluation.evaluation import Evaluation
from firsthit.gate import decide, read_gate
from firsthit.staleness import Staleness

QUERIES = range(40)
LABELS = {f"q{i}": {f"kb/{i}": 1} for i in QUERIES}


def run(name: Callable[[int], str], *, hit: bool = True) -> dict[str, list[str]]:
    """For each query its document at rank 1 or 2, and two others; `name` says how documents are called."""
    return {f"q{i}": [name(i if hit else i + 100), name(i + 200), name(i + 300)] for i in QUERIES}


OLD = run("kb/{}".format)


def test_ids_that_all_changed_are_stale_labels_and_no_regression() -> None:
    found = compare(OLD, run("wiki:{}".format), qrels=LABELS)
    assert found.labels_stale
    assert found.verdict.kind == "cannot_tell"
    said = found.verdict.sentence
    assert said.startswith(
        "Labels stale, not a regression. run (2): 40 of 40 relevant labels (100.0%) are stale"
    )
    assert "The ids look alike: 'kb/0' in the labels, 'wiki:0' in the run" in said
    assert "The numbers say: run (2) is worse than run (1): MRR@10 1.0000 → 0.0000" in said


def test_without_a_likeness_the_ids_are_said_to_have_changed() -> None:
    (side,) = compare(OLD, run(lambda i: f"{hash((i, 1)):x}"), qrels=LABELS).stale
    assert (side.staleness.basis, side.staleness.cause.split(";")[0]) == ("rankings", "All ids changed")


def test_the_corpus_of_the_old_version_does_not_hide_that_ids_changed(tmp_path: Path) -> None:
    corpus = tmp_path / "old.jsonl"
    corpus.write_text("".join(f'{{"doc_id": "kb/{i}", "text": "text {i}"}}\n' for i in range(400)))
    found = compare(OLD, run("wiki:{}".format), qrels=LABELS, passages=corpus)
    assert [(side.name, side.staleness.over) for side in found.stale][-1] == ("run (2)", True)
    found = compare(OLD, run("kb/{}".format, hit=False), qrels=LABELS, passages=corpus)
    assert not found.labels_stale  # its documents are those of the corpus


def test_a_retriever_that_finds_nothing_relevant_is_a_regression() -> None:
    found = compare(OLD, run("kb/{}".format, hit=False), qrels=LABELS)  # its documents are those of OLD
    assert not found.stale
    assert found.verdict.kind == "worse"


@pytest.mark.parametrize("queries", [1, 4])
def test_few_queries_are_no_evidence(queries: int) -> None:
    labels, old, new = (
        {q: side[q] for q in list(side)[:queries]} for side in (LABELS, OLD, run("wiki:{}".format))
    )
    assert not compare(old, new, qrels=labels).stale


def test_the_old_version_may_be_the_one_whose_ids_changed() -> None:
    found = compare(run("wiki:{}".format), OLD, qrels=LABELS)
    assert [side.name for side in found.stale] == ["run (1)"]
    assert found.labels_stale


def test_labels_of_sources_do_not_change_with_the_ids_of_passages() -> None:
    sides = [evaluate(LABELS, one, ["RR@10"]).record() for one in (OLD, run("wiki:{}".format))]
    facts = EvidenceFacts(labels={"documents": 0, "sources": 40})
    cards = [msgspec.structs.replace(side.card, evidence=facts) for side in sides]
    old, new = (msgspec.structs.replace(side, card=card) for side, card in zip(sides, cards, strict=True))
    assert not compare(old, new).stale


def with_staleness(evaluation: Evaluation, stale: int) -> Any:
    record = evaluation.record()
    card = msgspec.structs.replace(record.card, staleness=Staleness(40, stale))
    return msgspec.structs.replace(record, card=card)


def measured(stale: int, **options: Any) -> Comparison:
    """A comparison whose NEW was evaluated beside a corpus that lacks the documents of some labels."""
    return compare(evaluate(LABELS, OLD).record(), with_staleness(evaluate(LABELS, OLD), stale), **options)


@pytest.mark.parametrize(
    ("stale", "limit", "over"), [(8, 0.2, False), (9, 0.2, True), (9, 0.5, False), (1, 0, True)]
)
def test_a_saved_evaluation_knows_how_stale_its_labels_were(stale: int, limit: float, over: bool) -> None:
    found = measured(stale, max_stale=limit)
    assert found.labels_stale == over
    assert found.stale[0].staleness.share == stale / 40


@pytest.mark.parametrize(("stale", "code"), [(2, 0), (3, 3)])
def test_a_gate_ends_with_3_where_labels_are_stale(tmp_path: Path, stale: int, code: int) -> None:
    path = tmp_path / "gate.toml"
    path.write_text('[gate]\nmax_stale = 0.05\n[[gate.floor]]\nmeasure = "RR@10"\nmin = 0.5\n')
    result = decide(read_gate(path), measured(stale))
    assert result.exit_code == code
    if code:
        assert result.sentence == "The gate finds stale labels: 1 fail, 2 pass of 3 rules."


def test_any_gate_ends_with_3_where_labels_are_stale(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text('[gate]\n[[gate.floor]]\nmeasure = "RR@10"\nmin = 0.5\n')
    result = decide(read_gate(path), compare(OLD, run("wiki:{}".format), qrels=LABELS))
    assert (result.exit_code, result.count("fail")) == (3, 1)
    assert result.notices[0].startswith("run (2): labels stale, not a regression: 40 of 40")


def test_a_gate_cannot_tell_without_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text("[gate]\nmax_stale = 0.05\n")
    result = decide(read_gate(path), compare(OLD, OLD, qrels=LABELS))
    assert (result.exit_code, result.rules[1].status) == (4, "cannot_tell")
    assert "--passages" in result.rules[1].text
