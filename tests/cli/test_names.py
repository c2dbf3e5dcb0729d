"""Names of runs."""

from __future__ import annotations

from firsthit.cli.names import distinct_names


def test_distinct_file_names_need_nothing() -> None:
    assert distinct_names(["a/x.run", "a/y.run"]) is None


def test_equal_file_names_take_the_folder_above() -> None:
    assert distinct_names(["a/x.run", "b/x.run", "y.run"]) == ["a/x.run", "b/x.run", "y.run"]


def test_as_many_folders_are_named_as_it_takes() -> None:
    assert distinct_names(["1/a/x.run", "2/a/x.run", "b/x.run"]) == ["1/a/x.run", "2/a/x.run", "b/x.run"]


def test_the_same_path_twice_cannot_be_told_apart() -> None:
    assert distinct_names(["a/x.run", "a/x.run"]) is None
