"""Match: labels and a run joined, whatever the format, and what the reader is told about it."""

from __future__ import annotations

import hashlib
import importlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from firsthit.errors import InputError, UsageError
from firsthit.matching.hits import Hits
from firsthit.matching.match import match
from firsthit.matching.run_facts import RunFacts
from firsthit.qrels import read_qrels
from firsthit.rules import Rules
from firsthit.run import read_run

LABELS = {"q1": {"b": 1, "x": 1}, "q2": {"e": 2}, "q3": {"z": 1}}
ROWS = [
    ("q1", "a", 1, 3.0),
    ("q1", "b", 2, 2.0),
    ("q2", "d", 1, 9.5),
    ("q2", "e", 2, 9.0),
    ("q9", "a", 1, 1.0),
]


def facts(hits: Hits) -> RunFacts:
    assert hits.run is not None
    return hits.run


def seen(hits: Hits) -> list[tuple[str, str, int]]:
    queries = hits.qrels.query_ids.take(hits.query)
    return list(zip(queries, hits.qrels.doc_ids.take(hits.label), hits.rank.tolist(), strict=True))


def joined(source: Any, labels: Any = LABELS, **options: Any) -> Hits:
    return match(read_qrels(labels), read_run(source), **options)


def lines(template: str) -> str:
    return "".join(template.format(q=q, d=d, r=r, s=s) + "\n" for q, d, r, s in ROWS)


def mapping() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for query, doc, _, score in ROWS:
        found.setdefault(query, {})[doc] = score
    return found


DPR: list[dict[str, Any]] = [
    {
        "question": q,
        "answers": [],
        "ctxs": [{"id": d, "score": str(s), "text": "t"} for p, d, _, s in ROWS if p == q],
    }
    for q in ("q1", "q2", "q9")
]
TEXTS = {
    "trec": lines("{q} Q0 {d} {r} {s} tag"),
    "trec, no tag": lines("{q}\tQ0\t{d}\t{r}\t{s}"),
    "msmarco": lines("{q}\t{d}\t{r}"),
    "csv": "query_id,doc_id,score\n" + lines('{q},"{d}",{s}'),
    "tsv": "qid\tpid\trank\n" + lines("{q}\t{d}\t{r}"),
    "jsonl": "".join(json.dumps({"query-id": q, "corpus-id": d, "score": s}) + "\n" for q, d, _, s in ROWS),
    "json": json.dumps(mapping()),
    "json lists": json.dumps({q: list(docs) for q, docs in mapping().items()}, indent=1),
    "dpr": json.dumps(DPR),
    "dpr, own ids": json.dumps([{**item, "question": "how?", "id": item["question"]} for item in DPR]),
    "pyserini": json.dumps(
        {
            item["question"]: {"contexts": [{"docid": c["id"], "score": c["score"]} for c in item["ctxs"]]}
            for item in DPR
        }
    ),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_every_text_format_gives_the_same_hits(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run"
    path.write_text(text)
    hits = joined(path, depth=2)
    assert seen(hits) == [("q1", "b", 2), ("q2", "e", 2)]
    assert (hits.retrieved.tolist(), list(facts(hits).unlabelled)) == ([2, 2, -1], ["q9"])
    assert hits.head is not None
    assert list(hits.head.ids) == ["a", "b", "d", "e"]


TABLE = {name: [row[i] for row in ROWS] for i, name in enumerate(["query_id", "doc_id", "rank", "score"])}


@pytest.mark.parametrize("source", [mapping(), pa.table(TABLE)], ids=["mapping", "arrow"])
def test_objects_give_the_same_hits(source: Any) -> None:
    assert seen(joined(source)) == [("q1", "b", 2), ("q2", "e", 2)]


def test_parquet_gives_the_same_hits(tmp_path: Path) -> None:
    pq.write_table(pa.table(TABLE), tmp_path / "run")
    assert seen(joined(tmp_path / "run")) == [("q1", "b", 2), ("q2", "e", 2)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_row_groups_are_matched_in_their_order_on_any_threads(tmp_path: Path, threads: int) -> None:
    rows = [(f"q{at // 10}", f"d{at}", -float(at)) for at in range(100)]
    names = ["query_id", "doc_id", "score"]
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    pq.write_table(table, tmp_path / "run", row_group_size=7)
    hits = match(read_qrels({"q0": {"d9": 1}, "q6": {"d69": 1}}), read_run(tmp_path / "run"), threads=threads)
    assert (seen(hits), facts(hits).records) == ([("q0", "d9", 10), ("q6", "d69", 10)], 100)


def test_a_damaged_row_group_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "run"
    ids = [f"{at * 7919:x}" for at in range(2000)]
    table = pa.table({"query_id": ["q1"] * 2000, "doc_id": ids, "score": [float(-at) for at in range(2000)]})
    pq.write_table(table, path, row_group_size=500, use_dictionary=False)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2 : len(damaged) // 2 + 4000] = b"\xff" * 4000
    path.write_bytes(damaged)
    for threads in (1, 2):
        with pytest.raises(InputError, match="could not be read to its end") as caught:
            match(read_qrels({"q1": {"b": 1}}), read_run(path), threads=threads)
        assert "Traceback" not in str(caught.value)


def test_scores_of_a_dpr_result_are_numbers_and_not_text(tmp_path: Path) -> None:
    path = tmp_path / "run"
    contexts = [{"id": "a", "score": "9.5"}, {"id": "b", "score": "10.25"}]
    path.write_text(json.dumps([{"question": "q1", "ctxs": contexts}]))
    assert seen(joined(path)) == [("q1", "b", 1)]


def test_a_dpr_result_without_scores_keeps_its_order(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(json.dumps([{"question": "q1", "ctxs": [{"id": "x"}, {"id": "b"}]}]))
    hits = joined(path)
    assert (seen(hits), facts(hits).order) == ([("q1", "x", 1), ("q1", "b", 2)], "given")


def test_a_dpr_question_without_texts_is_not_absent(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(json.dumps([{"question": "q1", "ctxs": []}, {"question": "q2", "ctxs": [{"id": 7}]}]))
    assert joined(path).retrieved.tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    ("result", "what"),
    [
        ([{"question": "q1", "ctxs": [{"id": "a"}]}] * 2, "question 2 stands twice: 'q1'"),
        ([{"question": "q1", "ctxs": [{"text": "a"}]}], "question 1 has a retrieved text without an id"),
        ([{"ctxs": [{"id": "a"}]}], "neither id nor question"),
        ([{"question": "q1", "ctxs": [{"id": "a", "score": "high"}]}], "the value is a str"),
        ([{"question": "q1", "ctxs": [{"id": "a"}, {"id": "b", "score": 1}]}], "NoneType"),
    ],
)
def test_a_dpr_result_that_cannot_be_used_says_why(tmp_path: Path, result: Any, what: str) -> None:
    path = tmp_path / "run"
    path.write_text(json.dumps(result))
    with pytest.raises(InputError, match=what):
        joined(path)


def test_a_document_that_stands_twice_in_a_dpr_result_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(json.dumps([{"question": "q1", "ctxs": [{"id": "x"}, {"id": "x"}]}]))
    with pytest.raises(InputError, match="record 2: the document stands twice in one ranking"):
        joined(path)


@pytest.mark.parametrize(
    ("text", "order", "ranks"),
    [
        ("q1 Q0 b 2 2.0 t\nq1 Q0 x 1 1.0 t\n", "score", [1, 2]),
        ("q1 Q0 b 2 2.0 t\nq1 Q0 x 1 1.0 t\n", "rank", [2, 1]),
        ("q1 Q0 x 2 high t\nq1 Q0 b 1 low t\n", "given", [2, 1]),
    ],
)
def test_an_order_can_be_chosen(tmp_path: Path, text: str, order: Any, ranks: list[int]) -> None:
    path = tmp_path / "run"
    path.write_text(text)
    hits = joined(path, rules=Rules(order=order))
    by_doc = {doc: rank for _, doc, rank in seen(hits)}
    assert ([by_doc["b"], by_doc["x"]], facts(hits).order) == (ranks, order)


def test_an_order_that_the_run_cannot_serve_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no rank to rank by") as caught:
        joined({"q1": {"a": 1.0}}, rules=Rules(order="rank"))
    assert "--order score or given" in caught.value.hint


def test_a_stream_that_can_be_read_only_once_may_be_scattered() -> None:
    table = pa.table({"query_id": ["q1", "q2", "q1"], "doc_id": ["x", "e", "b"], "score": [1.0, 2.0, 3.0]})
    hits = joined(table.to_reader(max_chunksize=1))
    assert seen(hits) == [("q1", "b", 1), ("q1", "x", 2), ("q2", "e", 1)]


def test_a_stream_that_fails_midway_is_one_clear_error() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pa.table({"query_id": ["q1"], "doc_id": ["x"], "score": [1.0]}).to_batches()[0]
        raise RuntimeError("the connection was lost")

    schema = pa.schema({"query_id": pa.string(), "doc_id": pa.string(), "score": pa.float64()})
    with pytest.raises(InputError, match=r"could not be read to its end: .*the connection was lost"):
        joined(pa.RecordBatchReader.from_batches(schema, batches()))


class Unwilling:
    def __float__(self) -> float:
        raise RuntimeError("not today")


def test_a_score_that_raises_is_one_clear_error() -> None:
    with pytest.raises(InputError, match="not today"):
        joined({"q1": {"a": Unwilling()}})


def test_a_column_of_the_wrong_type_is_named() -> None:
    with pytest.raises(InputError, match="score") as caught:
        joined(pa.table({"query_id": ["q1"], "doc_id": ["x"], "score": ["high"]}))
    assert caught.value.hint == "Ids are text or whole numbers, scores are numbers."


def test_an_id_that_is_no_unicode_is_an_error() -> None:
    with pytest.raises(InputError, match="record 1: the doc_id is not valid Unicode"):
        joined({"q1": {"a\ud800": 1.0}})


def test_needs_give_an_entry_for_each_label_row() -> None:
    table = pa.table(
        {"query_id": ["q1"] * 3, "doc_id": ["a", "b", "a"], "grade": [1, 1, 0], "need": ["n1", "n1", "n2"]}
    )
    qrels = read_qrels(table, rules=Rules(needs="iter"))
    hits = match(qrels, read_run({"q1": ["b", "a"]}))
    assert (hits.rank.tolist(), hits.label.tolist(), hits.query.tolist()) == ([1, 2, 2], [1, 0, 2], [0, 0, 0])


def big_run(lines_count: int) -> list[str]:
    return [f"q{i // 50} Q0 d{i % 50} {i % 50 + 1} {100 - i % 50}.25 t\n" for i in range(lines_count)]


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_shuffled_lines_give_the_same_hits(tmp_path: Path, threads: int | None) -> None:
    labels = {f"q{i}": {f"d{i % 50}": 1, f"d{(i * 7 + 1) % 50}": 1} for i in range(2_000)}
    run_lines = big_run(100_000)
    path = tmp_path / "run"
    path.write_text("".join(run_lines))
    straight = joined(path, labels, threads=threads)
    random.Random(1).shuffle(run_lines)
    path.write_text("".join(run_lines))
    shuffled = joined(path, labels, threads=threads)
    assert seen(straight) == seen(shuffled)
    assert facts(shuffled).records == 100_000


def test_threads_must_be_positive() -> None:
    with pytest.raises(UsageError, match="threads"):
        joined({"q1": ["a"]}, threads=0)


def test_large_files_use_the_cores_and_small_ones_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    path.write_text(TEXTS["trec"])
    match_module = importlib.import_module("firsthit.matching.match")
    monkeypatch.setattr(match_module, "cores", lambda: 64)
    assert match_module._threads(None, read_run(path)) == 1
    monkeypatch.setattr(match_module, "SMALL", 10)
    assert match_module._threads(None, read_run(path)) == match_module.MOST_THREADS


def test_the_digest_is_of_the_file_itself(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(TEXTS["trec"])
    assert facts(joined(path, digest=True)).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert facts(joined(path)).sha256 == ""
    assert facts(joined({"q1": ["a"]}, digest=True)).sha256 == ""


def test_an_interrupt_between_blocks_goes_through(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(TEXTS["trec"])

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        joined(path, progress=interrupt, digest=True)


def test_a_file_that_became_shorter_is_an_error_and_a_longer_one_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\n")
    run = read_run(path)
    with path.open("a") as file:
        file.write("q1 Q0 x 3 0.5 x\n")
    assert [rank for _, _, rank in seen(match(read_qrels(LABELS), run))] == [2, 3]
    path.write_text("q1 Q0 a 1 2.0 x\n")
    with pytest.raises(InputError, match="became shorter while it was read: 16 of 32 bytes"):
        match(read_qrels(LABELS), run)


def test_a_file_that_cannot_be_read_any_more_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q1 Q0 a 1 2.0 x\n")
    run = read_run(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="folder"):
        match(read_qrels(LABELS), run)


@pytest.mark.parametrize("source", [{}, "", "\n\n", "query_id,doc_id,score\n", "{}"])
def test_an_empty_run_is_an_error_unless_it_is_scored(tmp_path: Path, source: Any) -> None:
    if isinstance(source, str):
        path = tmp_path / "run"
        path.write_text(source)
        source = path
    with pytest.raises(InputError, match="empty"):
        joined(source)
    assert joined(source, rules=Rules(empty_run="score")).retrieved.tolist() == [-1, -1, -1]


def test_an_empty_ranking_is_not_an_absent_query() -> None:
    assert joined({"q1": {}, "q2": {"e": 1.0}}).retrieved.tolist() == [0, 1, -1]


# What the reader is told


def notices(source: Any, labels: Any = LABELS, **options: Any) -> tuple[str, ...]:
    return facts(joined(source, labels, **options)).notices


def test_an_ordinary_run_has_no_notice() -> None:
    assert notices({"q1": {"b": 1.0}}) == ()


def test_no_labelled_document_is_said_with_the_probable_cause_whether_ids_are_kept_or_not(
    tmp_path: Path,
) -> None:
    run = text_run(tmp_path, "q1 Q0 b#0 1 2 t\nq1 Q0 b#1 2 1 t\n")
    for depth in (0, 10):
        (found,) = notices(run, depth=depth)
        assert found == (
            "no labelled document is retrieved for any query, so every value is 0. The ids look alike: 'b' "
            "in the labels, 'b#0' in the run (a chunk suffix is appended in the run)."
        )


def test_run_queries_without_labels_are_named() -> None:
    assert notices({"q1": ["b"], "q7": ["b"], "q8": ["c"]}) == (
        "2 queries of the run without labels, not counted: q7, q8",
    )


def test_no_shared_query_is_said_first_with_the_probable_cause() -> None:
    found = notices({"q1.v2": ["a"], "q2.v2": ["b"]})
    assert found == (
        "no query of the run has labels: none of its 2 queries is among the 3 labelled ones, "
        "so every value is 0. The ids look alike: 'q1' in the labels, 'q1.v2' in the run "
        "(a version is appended in the run).",
    )


def text_run(folder: Path, text: str) -> Path:
    path = folder / "run"
    path.write_text(text)
    return path


INVERTED = "q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.2 t\nq1 Q0 c 3 0.3 t\nq2 Q0 e 1 2 t\nq2 Q0 f 2 1 t\n"


def test_ranks_against_scores_are_an_error_that_names_both_orders(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        joined(text_run(tmp_path, INVERTED))
    assert "in 2 of 3 neighbouring ranks (66.7%) the score rises with the rank" in caught.value.message
    assert "--order rank or --order score" in caught.value.hint


def test_ranks_against_scores_are_a_notice_once_the_order_is_chosen(tmp_path: Path) -> None:
    path = text_run(tmp_path, INVERTED)
    (found,) = notices(path, rules=Rules(order="score"))
    assert found.endswith("the score rises with the rank; the order is by score")
    assert notices(path, rules=Rules(order="rank")) == ()


def test_a_single_inverted_query_is_named(tmp_path: Path) -> None:
    text = "q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.2 t\n" + "".join(f"q2 Q0 d{i} {i} {-i} t\n" for i in range(1, 5))
    assert notices(text_run(tmp_path, text)) == (
        "1 query has scores that rise with the rank, ordered by score all the same: q1",
    )


@pytest.mark.parametrize(
    ("rank", "what"), [("0", "the same on every line"), ("{i}.5", "not hold whole numbers")]
)
def test_a_rank_column_that_is_none_is_a_notice(tmp_path: Path, rank: str, what: str) -> None:
    docs = enumerate(["b", "c", "d"])
    text = "".join(f"q1 Q0 {doc} {rank.format(i=i)} {-i} t\n" for i, doc in docs)
    (found,) = notices(text_run(tmp_path, text))
    assert what in found


@pytest.mark.parametrize("order", ["rank", "auto"])
def test_fractional_ranks_that_order_a_run_are_a_notice(order: Any) -> None:
    table = pa.table({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "rank": [1.5, 2.5]})
    hits = joined(table, rules=Rules(order=order))
    assert seen(hits) == [("q1", "b", 2)]
    assert facts(hits).notices == (
        "the rank column, which orders the run, does not hold whole numbers everywhere",
    )


def test_removed_documents_are_counted(tmp_path: Path) -> None:
    text = "q1 Q0 b 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 q1 3 1 t\n"
    hits = joined(text_run(tmp_path, text), rules=Rules(duplicates="best", self_hits="drop"))
    assert facts(hits).duplicate_examples == (("q1", "b", 2, 1),)
    assert facts(hits).self_hit_examples == (("q1", "q1", 3),)
    assert facts(hits).notices == ("1 duplicate removed", "1 self-hit dropped")


def test_real_runs_are_matched(test_data: Path) -> None:
    folder = test_data / "msmarco_doc_dev"
    qrels = read_qrels(folder / "qrels.msmarco-doc.dev.txt")
    hits = match(qrels, read_run(folder / "bm25.txt.gz"))
    assert (len(hits), facts(hits).records, facts(hits).rank_column) == (2305, 51930, "ok")
    wrong = facts(match(qrels, read_run(folder / "word2vec_wrong_queries.txt")))
    assert wrong.notices[0].startswith("no query of the run has labels: none of its 43 queries")


def test_real_runs_whose_ranks_oppose_their_scores_are_refused(test_data: Path) -> None:
    folder = test_data / "trec_covid_r1"
    qrels = read_qrels(folder / "qrels-rnd1.txt")
    with pytest.raises(InputError, match=r"15,714 of 15,714 neighbouring ranks \(100.0%\)"):
        match(qrels, read_run(folder / "ERST_QUESTION"))
