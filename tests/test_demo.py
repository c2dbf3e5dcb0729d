"""The demo collection: consistent, complete, and really ranked."""

from __future__ import annotations

import errno
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from firsthit.demo import FILES, STEPS, write_files
from firsthit.demo.chunking import sections
from firsthit.demo.ranking import DEPTH
from firsthit.errors import UsageError

Row = dict[str, Any]


def rows(name: str, folder: Path = FILES) -> list[Row]:
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


PASSAGES = {row["doc_id"]: row for row in rows("passages.jsonl")}
QUERIES = {row["query_id"]: row for row in rows("queries.jsonl")}
LABELS = rows("labels.jsonl")


def test_each_passage_is_the_piece_of_its_document_that_it_names() -> None:
    for passage in PASSAGES.values():
        document = (FILES / "documents" / passage["source"]).read_text(encoding="utf-8")
        assert document[passage["start"] : passage["end"]] == passage["text"]


def test_passages_cover_each_document_but_for_headings_and_blank_lines() -> None:
    for document in sorted((FILES / "documents").glob("*.md")):
        text = document.read_text(encoding="utf-8")
        rest = text
        for passage in sections(document):
            rest = rest.replace(f"## {passage['text']}", "")
        title = text.splitlines()[0]
        assert rest.split() == title.split()


def test_the_collection_has_the_promised_size() -> None:
    answerable = [query for query in QUERIES.values() if query.get("answerable", True)]
    assert len(PASSAGES) >= 40
    assert len(answerable) >= 40
    assert len(QUERIES) - len(answerable) >= 5
    assert sum(query.get("critical", False) for query in QUERIES.values()) >= 5
    assert {row["grade"] for row in LABELS} == {0, 1, 2}


def test_every_question_has_a_topic_and_a_kind() -> None:
    assert all(set(query["groups"]) == {"topic", "kind"} for query in QUERIES.values())


def test_exactly_the_answerable_questions_have_a_full_answer_among_the_labels() -> None:
    answered = {row["query_id"] for row in LABELS if row["grade"] == 2}
    assert answered == {name for name, query in QUERIES.items() if query.get("answerable", True)}


def test_questions_about_an_exception_need_the_policy_and_the_exception() -> None:
    needing = {name for name, query in QUERIES.items() if query["groups"]["kind"] == "exception"}
    assert needing == {name for name, query in QUERIES.items() if "needs" in query}
    needs: dict[str, Counter[str]] = {name: Counter() for name in needing}
    for row in LABELS:
        if "need" in row:
            needs[row["query_id"]][row["need"]] += 1
    assert set(map(frozenset, needs.values())) == {frozenset({"policy", "exception"})}


def test_labels_name_known_questions_and_spans_of_documents_once() -> None:
    keys = [(row["query_id"], row["source"], row["start"], row["end"]) for row in LABELS]
    assert len(keys) == len(set(keys))
    assert {query for query, *_ in keys} <= set(QUERIES)
    assert {source for _, source, *_ in keys} <= {path.name for path in (FILES / "documents").iterdir()}


def test_every_label_says_who_made_it_and_how() -> None:
    assert {(row["kind"], row["assessor"]) for row in LABELS} == {("human", "mira"), ("human", "tom")}


@pytest.mark.parametrize("system", ["bm25", "dense"])
def test_answers_cover_every_question(system: str) -> None:
    answers = rows(f"answers-{system}.jsonl")
    assert [row["query_id"] for row in answers] == list(QUERIES)
    assert all(isinstance(row["correct"], bool) for row in answers)


@pytest.mark.parametrize("system", ["bm25", "dense"])
def test_rankings_are_ordered_and_at_most_ten_deep(system: str) -> None:
    depth = Counter(row["query_id"] for row in rows(f"{system}.jsonl"))
    assert max(depth.values()) == DEPTH
    before: Row = {}
    for row in rows(f"{system}.jsonl"):
        if row["query_id"] == before.get("query_id"):
            assert row["rank"] == before["rank"] + 1
            assert row["score"] <= before["score"]
        else:
            assert row["rank"] == 1
        before = row


def test_writing_refuses_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(UsageError, match="not empty; nothing was written"):
        write_files(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_writing_refuses_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file, not a folder"):
        write_files(tmp_path / "file")


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    names = write_files(tmp_path)
    assert names == sorted(path.name for path in tmp_path.iterdir())


def test_the_story_names_files_that_exist() -> None:
    for step in STEPS:
        for argument in step.arguments:
            if argument.endswith((".jsonl", ".run", ".txt")):
                assert (FILES / argument).is_file(), argument


def test_a_demo_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Path, target: Path) -> None:
        if source.name == "dense.run":
            raise OSError(errno.ENOSPC, "No space left on device")
        target.write_bytes(source.read_bytes())

    monkeypatch.setattr("firsthit.demo.writing.shutil.copyfile", fail)
    with pytest.raises(UsageError, match="No space left on device; nothing was kept"):
        write_files(tmp_path / "demo")
    assert not (tmp_path / "demo").exists()
