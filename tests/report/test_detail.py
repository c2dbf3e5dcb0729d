"""One query in detail: colours of sources, answers word by word, a fixture and a command to copy."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from firsthit import evaluate
from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from firsthit.report import html
from firsthit.report.detail import chosen, details
from firsthit.report.fixture import fixture, judge_command
from firsthit.report.revision import LONGEST, revised
from firsthit.report.sources import COLOURS, coloured
from tests.report.pairs import HOSTILE, demo_pair, hostile_pair
from tests.report.reading import read_page

LABELS: dict[str, dict[str, float]] = {"q1": {"guide#1": 2, "never": 1, "old": 0}, "q2": {"b": 1}}
BUTTONS = ("Copy as fixture", "Judge it")
OLD = {"q1": ["old", "guide#1"], "q2": ["b"]}
NEW = {"q1": ["guide#2", "new"], "q2": ["b"]}


def compared(answers: tuple[Path, Path] | None = None) -> Comparison:
    return compare(OLD, NEW, qrels=LABELS, measures=["RR@10"], names=["old", "new"], answers=answers)


def test_a_fixture_evaluates_to_the_values_of_the_comparison() -> None:
    found = compared()
    data = json.loads(fixture(found, 0))
    assert list(data) == ["query_id", "measure", "labels", "old", "new"]
    for side, values in (("old", found.value_old), ("new", found.value_new)):
        assert evaluate(data["labels"], data[side], [data["measure"]])["RR@10"].tolist() == [values[0]]


def test_a_fixture_holds_the_labels_of_ranked_and_of_relevant_documents() -> None:
    assert json.loads(fixture(compared(), 0))["labels"] == {"q1": {"guide#1": 2, "never": 1, "old": 0}}


def test_the_fixtures_of_a_page_are_json_whatever_the_ids_hold() -> None:
    for pair in (demo_pair(), hostile_pair()):
        page = read_page(html(pair))
        copied = [one.attributes["data-copy"] for one in page.elements if "data-copy" in one.attributes]
        assert {json.loads(one)["measure"] for one in copied} == {"RR@10"}
        assert len(copied) > len(HOSTILE) - 1


def test_buttons_are_hidden_until_a_script_can_serve_them() -> None:
    pair = demo_pair()
    buttons = [one for one in read_page(html(pair)).elements if one.words in BUTTONS and one.name == "button"]
    assert len(buttons) == 2 * len(chosen(pair))
    assert all("hidden" in one.attributes for one in buttons)


def test_the_command_that_judges_names_the_files_and_the_measure(tmp_path: Path) -> None:
    for name, run in (("old one.run", OLD), ("new.run", NEW)):
        lines = [f"{q} Q0 {d} {i} {-i} t\n" for q, docs in run.items() for i, d in enumerate(docs, 1)]
        (tmp_path / name).write_text("".join(lines))
    runs = tmp_path / "old one.run", tmp_path / "new.run"
    found = compare(*runs, qrels=LABELS, measures=["RR@5"])
    expected = "firsthit judge next QRELS 'old one.run' new.run -m RR@5 --query="
    assert judge_command(found) == expected
    assert f'data-judge="{expected}"' in html(found).replace("&#x27;", "'")
    assert judge_command(compared()) == "firsthit judge next QRELS OLD NEW --query="


def test_passages_of_one_source_and_the_same_document_have_one_colour() -> None:
    colours = coloured(["a#1", "b", "c"], ["b", "a#2", "d"])
    assert colours["a#1"] == colours["a#2"] != colours["b"]
    assert not {"c", "d"} & colours.keys()


def test_no_more_sources_are_coloured_than_can_be_told_apart() -> None:
    many = [str(i) for i in range(COLOURS + 3)]
    assert sorted(coloured(many, many).values()) == list(range(1, COLOURS + 1))


def test_the_style_has_every_colour() -> None:
    page = html(compared())
    assert set(re.findall(r"\.(c\d+) \{", page)) == {f"c{i}" for i in range(1, COLOURS + 1)}
    assert page.count('<li class="c') >= 2


def test_answers_are_shown_word_by_word(tmp_path: Path) -> None:
    files = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    for path, answer in zip(files, ("Within 14 <days>.", "Within 30 <days>."), strict=True):
        lines = [{"query_id": "q1", "correct": True, "answer": answer}, {"query_id": "q2", "correct": True}]
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    shown = details(compared(files), [0, 1], "")
    assert "Within <del>14</del> &lt;days&gt;." in shown
    assert "Within <ins>30</ins> &lt;days&gt;." in shown
    assert shown.count('class="answer-text"') == 2


def test_without_texts_there_is_no_place_for_answers() -> None:
    assert "answer-text" not in html(demo_pair()).partition("</style>")[2]


@pytest.mark.parametrize(("old", "new"), [("", "new"), ("one two", ""), ("a b c", "a x c"), ("same", "same")])
def test_the_words_between_the_marks_are_the_texts(old: str, new: str) -> None:
    shown = [unescape(re.sub(r"</?(del|ins)>", "", side)) for side in revised(old, new)]
    assert shown == [old, new]


def test_what_is_too_long_is_cut() -> None:
    left, right = revised("word " * LONGEST, "word " * LONGEST)
    assert left == right
    assert len(left) == LONGEST
