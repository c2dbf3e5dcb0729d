"""Problems of the core become sentences with a place, a value and a remedy, for every kind it knows."""

from __future__ import annotations

import pytest

from firsthit.errors import InputError
from firsthit.files.blocks import Blocks
from firsthit.formats import Format, recognise
from firsthit.formats.problems import input_error, reading

RUN = recognise(Blocks.of_bytes(b"q1 Q0 a 1 2.5 t\n"), "run")
KINDS = {
    "fields": "3 columns where 6 or more are needed",
    "number": "the score is not a decimal number",
    "not-finite": "the score is not a finite number",
    "utf8": "is not UTF-8",
    "nul": "holds a NUL byte",
    "empty-id": "is empty",
    "quote": "quote",
    "json": "is not one JSON object",
    "missing": "has no doc_id",
    "type": "wrong JSON type",
    "duplicate": "stands twice",
    "repeated-rank": "stands twice",
    "null": "is null",
}
HOLDS_A_ROLE = ("empty-id", "missing", "type", "null")


def error(kind: str, value: bytes, format: Format = RUN, *, records: bool = False) -> InputError:
    return input_error("x", [(kind, 7, value, 3)], 1, format, number="score", records=records)


@pytest.mark.parametrize(("kind", "what"), KINDS.items())
def test_every_kind_has_a_sentence_a_line_and_a_hint(kind: str, what: str) -> None:
    found = error(kind, b"doc" if kind in HOLDS_A_ROLE else b"value")
    assert str(found).startswith("x: line 7: ")
    assert what in found.message
    assert found.hint


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in HOLDS_A_ROLE])
def test_the_value_is_shown(kind: str) -> None:
    assert "'value'" in error(kind, b"value").message


def test_a_record_number_is_no_line() -> None:
    found = error("duplicate", b"d1", records=True)
    assert found.message == "x: record 7: the document stands twice in one ranking (first in record 3): 'd1'"


@pytest.mark.parametrize(
    ("value", "what"),
    [(b"", "is empty"), (b"1e999", "too large"), (b"-1e999", "too large"), (b"0x1", "decimal")],
)
def test_an_unreadable_number_says_how(value: bytes, what: str) -> None:
    assert what in error("number", value).message


def test_bytes_that_are_no_text_are_shown_as_replacements() -> None:
    assert "'caf�'" in error("utf8", b"caf\xe9").message


def test_an_id_of_a_table_that_is_no_unicode_is_named_by_its_column() -> None:
    assert error("utf8", b"doc", records=True).message == "x: record 7: the doc_id is not valid Unicode"


def test_a_comment_is_recognised_in_the_hint() -> None:
    assert "--comments skip" in error("fields", b"# pool").hint


def test_an_interrupt_inside_an_arrow_stream_stays_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), reading("run", object(), "score"):
        raise ValueError("the Arrow stream failed: Traceback ... KeyboardInterrupt")
