"""Digests of labels: by content, as documented, for the set and for each query."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from firsthit import Rules, read_qrels
from firsthit.record.digest import LabelDigest

Labels = dict[str, dict[str, float]]

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
LABELS = st.dictionaries(
    IDS,
    st.dictionaries(IDS, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)


def documented_lines(labels: Labels) -> list[bytes]:
    rows = [(q, d, g) for q, docs in labels.items() for d, g in docs.items()]
    lines = []
    for query, doc, grade in rows:
        texts = [json.dumps(text, ensure_ascii=False) for text in (query, doc)]
        lines.append(f"[{texts[0]},{texts[1]},null,null,null,null,null,{shortest(grade)}]\n".encode())
    return sorted(lines)


def shortest(grade: float) -> str:
    """The shortest text of the plain numbers that these tests use."""
    return repr(float(grade)).removesuffix(".0")


@given(LABELS)
def test_the_order_of_rows_and_queries_does_not_matter(labels: Labels) -> None:
    turned = {q: dict(reversed(docs.items())) for q, docs in reversed(labels.items())}
    one, other = LabelDigest(read_qrels(labels)), LabelDigest(read_qrels(turned))
    assert one.whole == other.whole
    assert dict(zip(labels, one.by_query, strict=True)) == dict(zip(turned, other.by_query, strict=True))


def test_the_digest_is_the_sha256_of_the_documented_lines() -> None:
    labels: Labels = {"q2": {"b": 1, 'a"\\': 0}, "q1": {"é\n": 0.25, "z\x01": -2}, 'q1"': {"x": 3}}
    text = b"".join(documented_lines(labels))
    assert LabelDigest(read_qrels(labels)).whole == hashlib.sha256(text).hexdigest()


def test_a_query_has_the_fnv_hash_of_its_lines() -> None:
    labels: Labels = {"q1": {"a": 1, "b": 0}}
    value = 14695981039346656037
    for byte in b"".join(documented_lines(labels)):
        value = (value ^ byte) * 1099511628211 % 2**64
    assert list(LabelDigest(read_qrels(labels)).by_query) == [f"{value:016x}"]


def test_one_changed_grade_changes_the_set_and_its_query_only() -> None:
    one = LabelDigest(read_qrels({"q1": {"a": 1}, "q2": {"b": 1}}))
    other = LabelDigest(read_qrels({"q1": {"a": 1}, "q2": {"b": 2}}))
    assert one.whole != other.whole
    assert [a == b for a, b in zip(one.by_query, other.by_query, strict=True)] == [True, False]


def test_needs_are_part_of_the_labels(tmp_path: Path) -> None:
    path = tmp_path / "q"
    path.write_text("q1 1 a 1\n")
    ignored = LabelDigest(read_qrels(path))
    read = LabelDigest(read_qrels(path, rules=Rules(needs="iter")))
    assert ignored.whole != read.whole
    assert ignored.whole == LabelDigest(read_qrels({"q1": {"a": 1}})).whole


def test_ids_that_begin_alike_do_not_mix() -> None:
    labels: Labels = {"q": {"a": 1}, 'q","a': {"b": 1}, "q1": {"a": 1}, "q10": {"a": 1}}
    text = b"".join(documented_lines(labels))
    digest = LabelDigest(read_qrels(labels))
    assert digest.whole == hashlib.sha256(text).hexdigest()
    assert len(set(digest.by_query)) == 4


ROWS = st.fixed_dictionaries(
    {"query_id": st.sampled_from(["q1", "q2", "é"]), "grade": st.sampled_from([0, 1, 0.25, -2])},
    optional={
        "doc_id": IDS,
        "need": IDS,
        "quote": st.sampled_from(["5 days", 'say "it"\n']),
        "kind": st.just("llm"),
    },
)


def line_of(row: dict[str, Any]) -> bytes:
    """A label line as docs/labels.md documents it."""
    keys = ("query_id", "doc_id", "source", "start", "end", "quote", "need", "grade")
    return (
        json.dumps([row.get(key) for key in keys], ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    )


@given(st.lists(ROWS, min_size=1, max_size=6), st.booleans())
def test_what_labels_point_at_is_part_of_them(
    tmp_path_factory: Any, rows: list[dict[str, Any]], spans: bool
) -> None:
    for i, row in enumerate(rows):  # a source of its own, so that no two rows have one key
        row["source"] = f"s{i}"
        row.setdefault("doc_id", f"d{i}") if i % 2 else row.pop("doc_id", None)
        row.update({"start": i, "end": i + 3} if spans else {})
        if "doc_id" in row:
            row["doc_id"] += f"-{i}"
    path = tmp_path_factory.mktemp("labels") / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = LabelDigest(read_qrels(path))
    assert found.whole == hashlib.sha256(b"".join(sorted(map(line_of, rows)))).hexdigest()
    assert list(found.by_query) == [
        fnv([r for r in rows if r["query_id"] == q]) for q in found.qrels.query_ids
    ]


def fnv(rows: list[dict[str, Any]]) -> str:
    value = 14695981039346656037
    for byte in b"".join(sorted(map(line_of, rows))):
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


def test_a_kind_or_a_note_alone_leaves_the_digest_as_it_was(tmp_path: Path) -> None:
    digests = []
    for more in ({}, {"kind": "human"}, {"note": "x", "assessor": "ann"}):
        path = tmp_path / "labels.jsonl"
        path.write_text(json.dumps({"query_id": "q", "doc_id": "d", "grade": 1} | more))
        digests.append(LabelDigest(read_qrels(path)))
    assert len({found.whole for found in digests}) == 1
    assert len({found.by_query[0] for found in digests}) == 1
