"""Recognition: content decides, a name says it, and what is neither is refused with what was found."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.errors import FirsthitError, InputError, UsageError
from firsthit.files.blocks import Blocks
from firsthit.formats import Format, format_names, recognise
from firsthit.formats.model import Role


def decided(text: str, role: Role, name: str | None = None) -> Format:
    return recognise(Blocks.of_bytes(text.encode(), "input"), role, name)


LABELS = {
    "trec": "q1 0 a 1\nq2 0 b 0\n",
    "trec-tab": "q1\t0\tJohn F. Kennedy\t1\nq1\t0\tJFK\t0\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\ta\t1\n",
    "csv": "query,docid,rating\nq1,a,1\n",
    "tsv": "qid\tdocid\trelevance\nq1\ta\t1\n",
    "jsonl": '{"query_id": "q1", "doc_id": "a", "grade": 1}\n{"query_id": "q1", "doc_id": "b", "grade": 0}\n',
    "json": '{"q1": {"a": 1}}',
}
RUNS = {
    "trec": "q1 Q0 a 1 2.5 tag\n",
    "trec-tab": "q1\tQ0\tJohn F. Kennedy\t1\t2.5\tmy run\nq1\tQ0\tJFK\t2\t1.5\tmy run\n",
    "trec-no-tag": "q1 Q0 a 1 2.5\n",
    "msmarco": "q1\ta\t1\nq1\tb\t2\n",
    "csv": "query_id;doc_id;score\nq1;a;2.5\n",
    "tsv": "qid\tpid\trank\nq1\ta\t1\n",
    "jsonl": '{"qid": "q1", "docno": "a", "score": 2.5}\n',
    "json": '{"q1": ["a", "b"]}',
    "dpr": '[{"question": "how", "ctxs": [{"id": "a", "score": "81.2"}]}]',
}


@pytest.mark.parametrize(("name", "text"), LABELS.items())
def test_label_formats_are_recognised(name: str, text: str) -> None:
    assert decided(text, "labels").name == name


@pytest.mark.parametrize(("name", "text"), RUNS.items())
def test_run_formats_are_recognised(name: str, text: str) -> None:
    assert decided(text, "run").name == name


@pytest.mark.parametrize(("name", "text"), LABELS.items())
def test_a_named_label_format_is_the_recognised_one(name: str, text: str) -> None:
    assert decided(text, "labels", name).lines == decided(text, "labels").lines


@pytest.mark.parametrize("text", [*LABELS.values()])
def test_a_byte_order_mark_and_carriage_returns_change_nothing(text: str) -> None:
    changed = "\ufeff" + text.replace("\n", "\r\n").rstrip()
    assert str(decided(changed, "labels")) == str(decided(text, "labels"))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("q1\tQ0\ta\t 1\t2.5\ttag\n", (6, 0)),  # a blank before the rank, as MS MARCO's own runs have
        ("q1  Q0 a 1 2.5 my tag\n", (6, 0)),
        ("q1\tQ0\ta\t1\t2.5\ttag\n", (6, 6)),
    ],
)
def test_a_run_with_tabs_is_a_trec_run(text: str, columns: tuple[int, int]) -> None:
    found = decided(text, "run")
    assert found.name == "trec"
    assert found.lines is not None
    assert (found.lines.kind, found.lines.width) == ("blank", columns)


def test_a_broken_first_line_does_not_decide() -> None:
    assert decided("# pool\nq1 0 a 1\n", "labels").name == "trec"
    assert decided("oops\nq1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\n", "run").name == "trec"


def test_the_header_may_stand_below_blank_lines_and_skipped_comments() -> None:
    text = "\n# made by hand\nquery_id,doc_id,grade\nq1,a,1\n"
    found = recognise(Blocks.of_bytes(text.encode()), "labels", comments=True)
    assert found.lines is not None
    assert (found.name, found.lines.header) == ("csv", 3)


def test_what_was_decided_is_said() -> None:
    assert str(decided(LABELS["csv"], "labels")) == (
        "csv (query_id from 'query', doc_id from 'docid', grade from 'rating')"
    )


@pytest.mark.parametrize("role", ["labels", "run"])
def test_an_unknown_name_lists_the_known_ones(role: Role) -> None:
    with pytest.raises(UsageError) as caught:
        decided("q1 0 a 1\n", role, "excel")
    assert all(name in str(caught.value) for name in format_names(role))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (RUNS["trec"], "6 columns with a rank and a score: this looks like a run"),
        (RUNS["trec-no-tag"], "5 columns with a rank and a score: this looks like a run"),
        (RUNS["dpr"], "a DPR result: a run"),
        (RUNS["tsv"], "names a rank and no grade: this looks like a run"),
        ("qid,docid,rank,score\nq1,a,1,2.5\n", "names a rank and no grade: this looks like a run"),
        ('{"qid": "q", "docid": "a", "rank": 1}\n', "names a rank and no grade: this looks like a run"),
        ("q1 a 1\n", "--qrels-format triples"),
        ("q1 a\n", "--qrels-format pairs"),
        ("q1,a,1\n", "3 columns separated by commas and no header"),
        ("q1 0 a 1 x\n", "5 columns and no header"),
        ("query_id,passage,stars\nq1,a,1\n", r"no column for grade.*\n.*query_id, passage, stars"),
        ("query_id\tkey\tgrade\nq1\ta\t1\n", "no column for doc_id"),
        ("query_id,doc_id,grade,grade\n", "names a column twice"),
        ('{"query_id": "q1", "grade": 1}\n', "no column for doc_id"),
        ("[1, 2]", "JSON list"),
    ],
)
def test_what_is_no_label_file_is_refused(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        decided(text, "labels")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (LABELS["trec"], "4 columns and a grade in the last: this looks like a label file"),
        (LABELS["beir"], "header of BEIR labels"),
        (LABELS["csv"], "names a grade and no rank: this looks like a label file"),
        (LABELS["jsonl"], "names a grade and no rank: this looks like a label file"),
        ("q1 a 0.5\n", "ranks are whole numbers"),
        ("q1 a\n", "Name the columns in a header"),
    ],
)
def test_what_is_no_run_is_refused(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        decided(text, "run")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("q1 0 a 1\n".encode("utf-16"), "UTF-16"),
        ("q1 0 a 1\n".encode("utf-16-le"), "UTF-16"),
        ("q1 0 a 1\n".encode("utf-16-be"), "UTF-16"),
        ("q1 0 a 1\n".encode("utf-32"), "UTF-32"),
        (b"PK\x03\x04 a sheet", "ZIP archive"),
        (b"BZh91AY", "bzip2"),
        (bytes(range(256)) * 4, "binary"),
        (b"SQLite format 3\x00", "SQLite"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        recognise(Blocks.of_bytes(data), "labels")


@given(st.binary(max_size=400), st.sampled_from(["labels", "run"]), st.booleans())
def test_random_bytes_give_a_format_or_one_clear_error(data: bytes, role: Role, comments: bool) -> None:
    with suppress(FirsthitError):
        assert recognise(Blocks.of_bytes(data), role, comments=comments).role == role


TOKENS = [
    "q1",
    "query_id",
    "doc_id",
    "grade",
    "score",
    "rank",
    "1",
    "2.5",
    "{",
    "}",
    "[",
    '"',
    ":",
    ",",
    "\t",
    " ",
    "\n",
    "#",
    "\r",
]


@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.sampled_from(["labels", "run"]))
def test_any_mixture_of_telling_tokens_gives_a_format_or_one_clear_error(
    tokens: list[str], role: Role
) -> None:
    for name in (None, *format_names(role)):
        with suppress(FirsthitError):
            assert decided("".join(tokens), role, name).role == role


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_first_record_longer_than_the_head_is_read(end: str) -> None:
    record = json.dumps({"text": "x" * 70_000, "query_id": "q1", "doc_id": "d", "score": 1})
    found = decided(record + end, "run")
    assert (found.name, set(found.roles)) == ("jsonl", {"query", "doc", "score", "text"})


def test_a_json_mapping_longer_than_the_head_is_a_mapping() -> None:
    assert decided(json.dumps({"q1": {f"d{i}": i for i in range(20_000)}}), "run").name == "json"


def test_a_first_record_that_is_too_long_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firsthit.formats.recognition.LONGEST", 90_000)
    long = b'{"query_id": "q", "doc_id": "d", "score": 1, "text": "%s"}\n' % (b"x" * 100_000)
    for format in (None, "jsonl"):
        with pytest.raises(InputError, match="begins with a JSON record of more than 64 MiB"):
            recognise(Blocks.of_bytes(long), "run", format)
