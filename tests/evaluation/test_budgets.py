"""Token budgets from files to the card and the saved evaluation: whose tokens, how counted, what fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firsthit import compare, evaluate, load
from firsthit.errors import InputError, NotComparableError, UsageError

LABELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
TEXTS = {"x": "one two three", "a": "four five", "b": "six", "c": "seven eight nine ten"}
RUN = {"q1": ["x", "a"], "q2": ["b"], "q3": ["c"]}
BUDGETS = ["RR@10", "RR(tokens=5)", "RR(tokens=3)", "Success(tokens=3)"]


def run_file(folder: Path, name: str = "run.jsonl", **columns: dict[str, int]) -> Path:
    path = folder / name
    rows = [
        {"query_id": query, "doc_id": doc, "score": -place, "text": TEXTS[doc]}
        | {column: values[doc] for column, values in columns.items()}
        for query, docs in RUN.items()
        for place, doc in enumerate(docs)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_words_of_the_texts_are_counted(tmp_path: Path) -> None:
    found = evaluate(LABELS, run_file(tmp_path), BUDGETS, tokens="words")
    assert found["RR(tokens=5)"].tolist() == [0.5, 1.0, 1.0]
    assert found["RR(tokens=3)"].tolist() == [0.0, 1.0, 0.0]
    assert found["Success(tokens=3)"].tolist() == [0.0, 1.0, 0.0]
    assert found["RR@10"].tolist() == [0.5, 1.0, 1.0]


def test_code_points_divided_by_4_are_counted(tmp_path: Path) -> None:
    found = evaluate(LABELS, run_file(tmp_path), ["RR(tokens=6)", "RR(tokens=7)"], tokens="chars4")
    assert found["RR(tokens=6)"].tolist() == [0.0, 1.0, 1.0]  # 13 and 9 code points: 4 + 3 tokens
    assert found["RR(tokens=7)"].tolist() == [0.5, 1.0, 1.0]


def test_any_function_counts_in_python(tmp_path: Path) -> None:
    def vowels(text: str) -> int:
        return sum(letter in "aeiou" for letter in text)

    found = evaluate(LABELS, run_file(tmp_path), ["RR(tokens=1)"], count_tokens=vowels)
    assert found["RR(tokens=1)"].tolist() == [0.0, 1.0, 0.0]
    assert "tokens: counted by vowels" in found.card.text()


def test_else_the_column_of_the_run_is_taken(tmp_path: Path) -> None:
    tokens = {"x": 100, "a": 50, "b": 10, "c": 200}
    run = run_file(tmp_path, tokens=tokens)
    found = evaluate(LABELS, run, ["RR@10", "RR(tokens=150)", "Complete(tokens=150)"])
    assert found["RR(tokens=150)"].tolist() == [0.5, 1.0, 0.0]
    assert found["Complete(tokens=150)"].tolist() == [1.0, 1.0, 0.0]
    assert (
        "tokens to the first hit: 120.0 on average, median 150.0, over 3 queries · tokens: as the run says · "
        "within 150: 1.0 passages on average, an empty window for 1 query"
    ) in found.card.text()


def test_tokens_neither_in_the_run_nor_countable_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "plain.run"
    path.write_text("q1 Q0 a 1 1 r\n")
    with pytest.raises(InputError, match="has no tokens"):
        evaluate(LABELS, path, ["RR(tokens=5)"])
    with pytest.raises(InputError, match="has no texts to count tokens in"):
        evaluate(LABELS, path, ["RR(tokens=5)"], tokens="words")


def test_a_budget_does_not_go_with_folded_documents(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="token budget is for passages"):
        evaluate(LABELS, run_file(tmp_path), ["RR(tokens=5)"], unit="document", source_separator="#")


def test_the_tokens_to_the_first_hit_are_saved_and_come_back(tmp_path: Path) -> None:
    found = evaluate(LABELS | {"q4": {"z": 1}}, run_file(tmp_path), BUDGETS, tokens="words")
    assert found.record().detail.tokens_to_first == [5, 1, 4, None]
    found.save(tmp_path / "saved.jsonl")
    again = load(tmp_path / "saved.jsonl")
    assert again == found
    assert again.record().detail.tokens_to_first == [5, 1, 4, None]
    assert again.card.windows == found.card.windows
    assert '"tokens_to_first":5' in (tmp_path / "saved.jsonl").read_text()


def test_tokens_stand_beside_mrr_without_a_budget(tmp_path: Path) -> None:
    card = evaluate(LABELS, run_file(tmp_path), ["RR@10"], tokens="words").card
    assert card.tokens is not None
    assert card.tokens.mean == pytest.approx(10 / 3)
    assert (card.tokens.median, card.tokens.queries) == (4.0, 3)
    assert card.windows == {}
    assert evaluate(LABELS, RUN, ["RR@10"]).card.tokens is None


def test_the_tie_range_of_a_budget_is_not_given(tmp_path: Path) -> None:
    found = evaluate(LABELS, run_file(tmp_path), BUDGETS, tokens="words")
    assert set(found.ties) == {"RR@10"}
    assert set(found.bounds) == set(BUDGETS)
    assert "RR(tokens=5)" in found.card.text(full=True)
    assert found.summary()["bounds"]["RR(tokens=3)"][1] >= found.mean("RR(tokens=3)")


def test_tokens_that_are_counted_otherwise_are_not_comparable(tmp_path: Path) -> None:
    def halves(text: str) -> int:
        return len(text) // 2

    def thirds(text: str) -> int:
        return len(text) // 3

    run = run_file(tmp_path)
    pair = [evaluate(LABELS, run, ["RR(tokens=5)"], count_tokens=count) for count in (halves, thirds)]
    with pytest.raises(NotComparableError, match="tokens: counted by halves against counted by thirds"):
        compare(*pair)
