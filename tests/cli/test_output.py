"""Tables and data formats."""

from __future__ import annotations

import fcntl
import json
import math
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator

import pytest

from firsthit.cli.output import (
    BATCH,
    FORMATS,
    encode,
    markdown,
    print_rows,
    print_rows_as_json,
    separated,
    table,
    wrap,
)

ROWS = [
    {"run": "bm25", "RR@10": 0.625, "bounds": (0.5, 1.0), "queries": 1234, "first": None},
    {"run": "a|b", "RR@10": math.nan, "bounds": (0.0, 1 / 3), "queries": 5, "first": 3},
]
COLUMNS = ["run", "RR@10", "bounds", "queries", "first"]


def test_a_table_aligns_numbers_to_the_right_and_marks_missing_values() -> None:
    assert table(ROWS, COLUMNS) == (
        "run    RR@10            bounds  queries  first\n"
        "bm25  0.6250  [0.5000, 1.0000]    1,234      -\n"
        "a|b        -  [0.0000, 0.3333]        5      3\n"
    )


def test_a_table_wider_than_the_terminal_goes_on_in_blocks_that_repeat_the_first_column() -> None:
    text = table(ROWS, COLUMNS, width=32)
    assert text == (
        "run    RR@10            bounds\n"
        "bm25  0.6250  [0.5000, 1.0000]\n"
        "a|b        -  [0.0000, 0.3333]\n"
        "\n"
        "run   queries  first\n"
        "bm25    1,234      -\n"
        "a|b         5      3\n"
    )


def test_a_table_without_rows_shows_its_columns() -> None:
    assert table([], ["query_id", "line"]) == "query_id  line\n"


def test_markdown_escapes_bars() -> None:
    assert (
        markdown(ROWS, ["run", "RR@10"]) == "| run | RR@10 |\n|---|---:|\n| bm25 | 0.6250 |\n| a\\|b | - |\n"
    )


def test_csv_carries_full_precision_and_leaves_missing_values_empty() -> None:
    assert "".join(separated(ROWS, COLUMNS, ",")) == (
        "run,RR@10,bounds,queries,first\n"
        'bm25,0.625,"[0.5, 1.0]",1234,\n'
        'a|b,,"[0.0, 0.3333333333333333]",5,3\n'
    )


def test_tsv_quotes_a_tab_in_an_id() -> None:
    assert "".join(separated([{"query_id": "a\tb"}], ["query_id"], "\t")) == 'query_id\n"a\tb"\n'


def test_nan_is_null_in_json() -> None:
    assert json.loads(encode({"value": math.nan, "ids": ["ß"]})) == {"value": None, "ids": ["ß"]}


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_ends_in_one_newline(output_format: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, COLUMNS, output_format)
    out = capsys.readouterr().out
    assert out.endswith("\n")
    assert not out.endswith("\n\n")


def test_text_is_folded_between_facts_first() -> None:
    assert wrap("order: score · 2 queries tied · nothing else", 30) == (
        "order: score · 2 queries tied\n    · nothing else"
    )


def test_one_long_fact_is_folded_between_words() -> None:
    assert wrap("  one two three four", 12) == "  one two\n      three\n      four"


def test_a_line_that_fits_stays_as_it_is() -> None:
    assert wrap("a · b", 5) == "a · b"


def test_csv_of_no_rows_is_its_header() -> None:
    assert "".join(separated([], ["a", "b"], ",")) == "a,b\n"


@pytest.mark.parametrize("output_format", ["csv", "tsv", "jsonl"])
def test_rows_are_printed_as_they_are_made(output_format: str, capsys: pytest.CaptureFixture[str]) -> None:
    def rows() -> Iterator[dict[str, int]]:
        for number in range(2 * BATCH):
            yield {"n": number}
        assert len(capsys.readouterr().out.splitlines()) >= BATCH

    print_rows(rows(), ["n"], output_format)


@pytest.mark.parametrize("count", [0, 1, BATCH, 2 * BATCH + 1])
def test_rows_in_one_json_object_look_as_if_encoded_whole(
    count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": f"a\nb{i}", "values": {"RR": i / 7, "none": None}, "empty": []} for i in range(count)]
    print_rows_as_json("queries", rows)
    assert capsys.readouterr().out == encode({"queries": rows}, indent=True) + "\n"


def test_rows_in_one_json_object_are_printed_as_they_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    def rows() -> Iterator[dict[str, int]]:
        yield from ({"i": i} for i in range(BATCH))
        assert '"i": 0' in capsys.readouterr().out
        yield {"i": BATCH}

    print_rows_as_json("rows", rows())
    assert f'"i": {BATCH}' in capsys.readouterr().out


def test_control_characters_are_escaped_in_what_people_read() -> None:
    rows = [{"query_id": "q\n1", "doc_id": "\x1b[2J"}]
    assert table(rows, ["query_id", "doc_id"]).splitlines()[1] == r"q\n1      \x1b[2J"
    assert len(markdown(rows, ["query_id", "doc_id"]).splitlines()) == 3
    assert wrap("a\x1bb · c") == r"a\x1bb · c"


def test_a_line_is_not_broken_inside_brackets() -> None:
    name = "a-run-with-a-name-that-is-long.jsonl:"
    folded = wrap(f"  {name} 12 queries tied at the first hit: [0.6214, 0.6255, 0.6296]", 80)
    assert folded.splitlines() == [
        f"  {name} 12 queries tied at the first hit:",
        "      [0.6214, 0.6255, 0.6296]",
    ]


def test_a_note_is_folded_to_the_terminal() -> None:
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    code = "from firsthit.cli.output import note; note('word ' * 20)"
    subprocess.run([sys.executable, "-c", code], stderr=terminal, check=True)
    os.close(terminal)
    lines = os.read(controller, 4096).decode().splitlines()
    os.close(controller)
    assert lines[0].startswith("note: word")
    assert len(lines) > 1
    assert max(map(len, lines)) <= 40
