"""Runs: described without being read, from paths, mappings and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from firsthit.errors import InputError, UsageError
from firsthit.run import Columns, TextFile, read_run


def test_a_path_is_described_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_text("q1 Q0 a 1 2.5 tag\n")
    run = read_run(path)
    assert isinstance(run, TextFile)
    assert (run.name, run.path) == ("bm25.run", str(path))
    assert run.format == "trec (6 columns: query, Q0, document, rank, score, tag)"


def test_a_name_and_a_format_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("q1 a 1\n")
    run = read_run(path, name="mine", format="msmarco")
    assert (run.name, run.format) == ("mine", "msmarco (3 columns: query, document, rank)")


def test_an_empty_file_is_left_to_the_rules_of_the_match(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("")
    assert isinstance(read_run(path), TextFile)


@pytest.mark.parametrize(
    ("source", "format"),
    [
        ({"q1": {"a": 1.0}}, "mapping"),
        (
            pa.table({"qid": ["q"], "pid": [1], "sim": [0.5]}),
            "arrow (query_id from 'qid', doc_id from 'pid', score from 'sim')",
        ),
    ],
)
def test_mappings_and_tables_are_columns(source: Any, format: str) -> None:
    run = read_run(source)
    assert isinstance(run, Columns)
    assert (run.format, run.name, run.path) == (format, "run", "")


def test_a_run_is_taken_as_it_is() -> None:
    run = read_run({"q1": ["a"]})
    assert read_run(run) is run


def test_anything_else_is_one_clear_error() -> None:
    with pytest.raises(InputError, match="cannot be read from list"):
        read_run(["a"])
    with pytest.raises(InputError, match="no column for doc_id"):
        read_run(pa.table({"query_id": ["q"], "text": ["d"]}))


class Nameless:
    """A stream that does not say what its columns are called."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise AssertionError("it is not read for its names")


def test_a_table_without_column_names_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="names of its columns"):
        read_run(Nameless())
