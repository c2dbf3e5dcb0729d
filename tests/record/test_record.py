"""The saved evaluation: bytes, round trip, and refusals."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit import Card, InputError, evaluate, load
from firsthit.evaluation.evaluation import Evaluation
from firsthit.record.record import QueryLine, digest_of

LABELS = {"q1": {"a": 1, "n": 0}, "q2": {"b": 2.5, "é": 1}, "q3": {"c": 1}, 'q"4': {"d\\": 0, "s": -1}}
RUN = {"q1": {"a": 2.0, "n": 1.0}, "q2": {"x": 3.0, 'y"': 2.0, "b": 1.0}, 'q"4': {"d\\": 1.0, "\t": 2.0}}


def example() -> Evaluation:
    return evaluate(LABELS, RUN)


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    path = tmp_path / "one.jsonl"
    example().save(path)
    return path


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_the_first_line_is_the_card_and_the_last_its_end(saved: Path) -> None:
    first, *queries, last = map(json.loads, lines(saved))
    assert (first["version"], first["primary"], first["created"]) == (1, "RR@10", "1970-01-02T00:00:00Z")
    assert last["end"] == len(queries) == 4


def test_a_query_line_holds_what_a_comparison_needs(saved: Path) -> None:
    query = json.loads(lines(saved)[2])
    values = query.pop("values")
    assert values["RR@10"] == 1 / 3
    assert len(query.pop("labels")) == 16
    assert query == {
        "query_id": "q2",
        "status": "found",
        "first_rank": 3,
        "retrieved": 3,
        "ranked": ["x", 'y"', "b"],
        "grades": [None, None, 2.5],
        "relevant": {"b": 2.5, "é": 1.0},
        "judged": {"1": 1, "2.5": 1},
    }


def test_ids_are_escaped_and_negative_grades_are_unjudged(saved: Path) -> None:
    query = json.loads(lines(saved)[4])
    assert (query["query_id"], query["ranked"], query["grades"]) == ('q"4', ["\t", "d\\"], [None, 0.0])
    assert query["judged"] == {"0": 1}


def test_absent_queries_have_minus_one_retrieved(saved: Path) -> None:
    query = json.loads(lines(saved)[3])
    assert (query["status"], query["retrieved"], query["first_rank"]) == ("absent", -1, 0)


@pytest.mark.parametrize("name", ["one.jsonl", "one.jsonl.gz", "one.jsonl.zst"])
def test_a_saved_evaluation_loads_as_an_equal_one(tmp_path: Path, name: str) -> None:
    original = example()
    original.save(tmp_path / name)
    loaded = load(tmp_path / name)
    assert loaded == original
    assert loaded.status == original.status
    assert loaded.means == original.means
    assert loaded.card.text(full=True) == original.card.text(full=True)
    assert list(loaded.rows()) == list(original.rows())
    assert loaded.listed("absent") == original.listed("absent")


def test_a_loaded_evaluation_saves_the_same_bytes(saved: Path, tmp_path: Path) -> None:
    load(saved).save(tmp_path / "two.jsonl")
    assert (tmp_path / "two.jsonl").read_bytes() == saved.read_bytes()


@pytest.mark.parametrize("name", ["one.jsonl", "one.jsonl.gz", "one.jsonl.zst"])
def test_equal_inputs_give_equal_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        example().save(tmp_path / folder / name)
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_time_of_creation_is_covered_by_no_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for moment in ("0", "99"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", moment)
        example().save(tmp_path / moment)
    first, second = lines(tmp_path / "0"), lines(tmp_path / "99")
    assert first[0] != second[0]
    assert first[1:] == second[1:]
    assert load(tmp_path / "0") == load(tmp_path / "99")


def test_the_digest_covers_the_card_without_its_time_and_all_queries(saved: Path) -> None:
    card, *queries, end = lines(saved)
    timeless = card.replace(b'"created":"1970-01-02T00:00:00Z"', b'"created":""')
    assert json.loads(end)["sha256"] == hashlib.sha256(b"".join([timeless, *queries])).hexdigest()
    assert json.loads(end)["sha256"] == digest_of(load(saved).record())


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load(path)
    return str(caught.value)


def test_a_file_that_was_cut_off_is_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in (len(whole) - 1, len(whole) // 2, len(lines(saved)[0]), 5):
        saved.write_bytes(whole[:length])
        assert "cut off" in refused(saved) or "not a saved evaluation" in refused(saved)


def test_a_file_that_lost_a_line_is_refused(saved: Path) -> None:
    kept = lines(saved)
    saved.write_bytes(b"".join(kept[:2] + kept[3:]))
    assert "3 queries, 4 expected" in refused(saved)


def test_a_file_that_was_edited_is_refused(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().replace(b'"first_rank":3', b'"first_rank":1'))
    assert "edited or damaged" in refused(saved)


def test_a_newer_version_is_refused_by_its_number(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().replace(b'{"version":1,', b'{"version":2,', 1))
    assert "saved as version 2, and this firsthit reads version 1" in refused(saved)


def test_an_unknown_key_is_refused(saved: Path) -> None:
    resealed(saved, lambda text: text.replace(b'"first_rank":3', b'"first_rank":3,"colour":"red"'))
    assert "line 3: not a query of a saved evaluation: Object contains unknown field `colour`" in refused(
        saved
    )


def test_lengths_that_do_not_fit_are_refused(saved: Path) -> None:
    resealed(saved, lambda text: text.replace(b'"grades":[null,null,2.5]', b'"grades":[2.5]'))
    assert "3 ranked documents and 1 grades" in refused(saved)
    resealed(saved, lambda text: text.replace(b'"retrieved":3', b'"retrieved":2'))
    assert "3 ranked documents" in refused(saved)


def test_values_that_are_not_those_of_the_card_are_refused(saved: Path) -> None:
    resealed(saved, lambda text: text.replace(b'{"RR@10":0.3333333333333333,', b"{", 1))
    assert "the values are not those of the card's measures" in refused(saved)


def resealed(path: Path, change: object) -> None:
    """Change the queries and write an end line that fits them."""
    card, *queries, end = lines(path)
    body = change(b"".join(queries))  # type: ignore[operator]
    assert body != b"".join(queries)
    timeless = card.replace(b'"created":"1970-01-02T00:00:00Z"', b'"created":""')
    digest = hashlib.sha256(timeless + body).hexdigest()
    path.write_bytes(card + body + end.replace(json.loads(end)["sha256"].encode(), digest.encode()))


@pytest.mark.parametrize(
    "content", [b"q1 0 a 1\n", b"{}\n{}\n{}\n", b"[1]\n", b"null\n", b'{"version":1}\n{}\n{}\n']
)
def test_other_files_are_not_saved_evaluations(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    assert "not a saved evaluation" in refused(path) or "the card is not understood" in refused(path)


def test_a_gzip_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl.gz"
    example().save(path)
    path.write_bytes(path.read_bytes()[:-9])
    assert "cut off" in refused(path)


def test_gzip_holds_no_time(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl.gz"
    example().save(path)
    assert path.read_bytes()[4:8] == b"\0\0\0\0"
    assert gzip.decompress(path.read_bytes()).startswith(b'{"version":1,')


def test_groups_and_critical_are_kept(tmp_path: Path) -> None:
    table = tmp_path / "queries.jsonl"
    table.write_text(
        '{"query_id":"q1","groups":{"topic":"pay"},"critical":true}\n{"query_id":"q2"}\n'
        '{"query_id":"q9","answerable":false}\n'
    )
    original = evaluate(LABELS, RUN, ["RR@10"], queries=table)
    original.save(tmp_path / "one")
    first = json.loads(lines(tmp_path / "one")[1])
    assert (first["groups"], first["critical"]) == ({"topic": "pay"}, True)
    loaded = load(tmp_path / "one")
    assert loaded == original
    assert loaded.status[-1] == "unanswerable"


def test_needs_keep_their_first_ranks(tmp_path: Path) -> None:
    qrels = tmp_path / "q"
    qrels.write_text("q1 rule a 1\nq1 exception b 1\nq1 exception c 1\n")
    original = evaluate(qrels, {"q1": {"x": 3.0, "a": 2.0}}, ["RR@10"], needs="iter")
    original.save(tmp_path / "one")
    assert json.loads(lines(tmp_path / "one")[1])["needs"] == {"rule": 2, "exception": None}
    assert load(tmp_path / "one") == original


def test_a_document_with_several_needs_has_its_highest_grade(tmp_path: Path) -> None:
    qrels = tmp_path / "q"
    qrels.write_text("q1 rule a 0\nq1 exception a 2\n")
    evaluate(qrels, {"q1": {"x": 3.0, "a": 2.0}}, ["RR@10"], needs="iter").save(tmp_path / "one")
    query = json.loads(lines(tmp_path / "one")[1])
    assert (query["grades"], query["relevant"]) == ([None, 2], {"a": 2})
    assert query["judged"] == {"0": 1, "2": 1}
    assert query["needs"] == {"exception": 2}


def test_a_first_hit_below_the_saved_depth_is_named(tmp_path: Path) -> None:
    run = {"q1": {f"x{i:02}": -float(i) for i in range(12)} | {"a": -50.0}}
    original = evaluate({"q1": {"a": 1}}, run, ["RR"], depth=10)
    original.save(tmp_path / "one")
    query = json.loads(lines(tmp_path / "one")[1])
    assert (query["first_rank"], len(query["ranked"]), query["first"]) == (13, 10, {"doc_id": "a"})
    assert load(tmp_path / "one") == original


@pytest.mark.parametrize(
    ("measures", "depth"),
    [(["RR@5"], 10), (["RR@20"], 20), (["RR"], 100), (["Success@30", "R@500"], 30), (["RR@5000"], 100)],
)
def test_the_depth_follows_rr_and_success_only(measures: list[str], depth: int) -> None:
    assert evaluate(LABELS, RUN, measures).card.depth == depth


IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
GRADES = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 3.0])
SCORES = st.floats(-4, 4, width=16)


@given(
    labels=st.dictionaries(IDS, st.dictionaries(IDS, GRADES, min_size=1, max_size=5), min_size=1, max_size=5),
    run=st.dictionaries(IDS, st.dictionaries(IDS, SCORES, max_size=5), min_size=1, max_size=5),
    depth=st.integers(0, 4),
)
def test_any_evaluation_survives_saving(
    tmp_path_factory: pytest.TempPathFactory,
    labels: dict[str, dict[str, float]],
    run: dict[str, dict[str, float]],
    depth: int,
) -> None:
    run = run | {query: dict.fromkeys(docs, 1.0) for query, docs in list(labels.items())[::2]}
    original = evaluate(labels, run, depth=depth)
    path = tmp_path_factory.mktemp("saved") / "one"
    original.save(path)
    assert load(path) == original
    for line in lines(path):
        json.loads(line)


def test_the_docs_name_every_key() -> None:
    text = (Path(__file__).parents[2] / "docs" / "saved-evaluation.md").read_text()
    for key in (*Card.__struct_fields__, *QueryLine.__struct_fields__):
        assert f"`{key}`" in text, f"docs/saved-evaluation.md does not name {key}"
