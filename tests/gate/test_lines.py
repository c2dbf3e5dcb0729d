"""The line of each key of a TOML file."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.gate.lines import Path, key_lines


def test_tables_arrays_and_keys_have_their_lines() -> None:
    text = (
        "# a comment\n\n[gate]\nmin = 1  # why\ngroups = [\n  'a', # one\n  'b',\n]\n\n"
        '[[gate.drop]]\nmax = 2\n[gate.drop.deep]\nx = """\n[not.a.table]\n"""\ny = 1\n'
        "[[gate.drop]]\nmax = 3\n[gate.critical]\n'quoted key' = true\n"
    )
    assert key_lines(text) == {
        ("gate",): 3,
        ("gate", "min"): 4,
        ("gate", "groups"): 5,
        ("gate", "drop", 0): 10,
        ("gate", "drop", 0, "max"): 11,
        ("gate", "drop", 0, "deep"): 12,
        ("gate", "drop", 0, "deep", "x"): 13,
        ("gate", "drop", 0, "deep", "y"): 16,
        ("gate", "drop", 1): 17,
        ("gate", "drop", 1, "max"): 18,
        ("gate", "critical"): 19,
        ("gate", "critical", "quoted key"): 20,
    }


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_dotted_keys_and_inline_tables(end: str) -> None:
    text = end.join(
        ["gate.critical.keep_top = 3", "", "tool = {a = {b = 1}}", "[x.y]", "z.w = [{v = 1}]", ""]
    )
    found = key_lines(text)
    assert found["gate", "critical", "keep_top"] == 1
    assert found["tool",] == 3
    assert found["x", "y"] == 4
    assert found["x", "y", "z", "w"] == 5


def test_long_arrays_are_parsed_once() -> None:
    text = "[gate]\ngroups = [\n" + '  "a",\n' * 20_000 + ']\nx = "b, # c,"\ny = 1 # d,\nz = 2\n'
    start = time.perf_counter()
    assert list(key_lines(text).values()) == [1, 2, 20_004, 20_005, 20_006]
    assert time.perf_counter() - start < 5  # once a line would take minutes


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.sampled_from(["1", "true", "'x'", "[\n 1,\n 2 # two\n]", '"""\n[a]\nb = 2\n"""', "1.5"])


@given(
    st.lists(
        st.tuples(NAMES, st.lists(st.tuples(NAMES, VALUES), max_size=3, unique_by=lambda x: x[0])), max_size=4
    )
)
def test_each_key_stands_on_the_line_that_is_named(tables: list[tuple[str, list[tuple[str, str]]]]) -> None:
    text = "".join(
        f"[[{name}]]\n" + "".join(f"{key} = {value}\n" for key, value in keys) for name, keys in tables
    )
    lines, found = text.split("\n"), key_lines(text)
    assert len(found) == len(tables) + sum(len(keys) for _, keys in tables)
    content = tomllib.loads(text)
    for path, line in found.items():
        assert at(content, path) is not None
        wanted = f"[[{path[0]}]]" if len(path) == 2 else f"{path[-1]} = "
        assert lines[line - 1].startswith(wanted)


def at(content: Any, path: Path) -> Any:
    for step in path:
        content = content[step]
    return content
