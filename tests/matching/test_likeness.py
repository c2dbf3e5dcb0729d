"""Likeness: the probable cause of ids that do not match, for each cause, and silence where there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.matching.likeness import likeness


@pytest.mark.parametrize(
    ("label", "run", "cause"),
    [
        ("q1", "q1.v2", "a version is appended in the run"),
        ("q1_v3", "q1", "a version is appended in the labels"),
        ("doc1", "doc1#0", "a chunk suffix is appended in the run"),
        ("doc1", "doc1_chunk_12", "a chunk suffix is appended in the run"),
        ("doc1", "doc1::3", "a chunk suffix is appended in the run"),
        ("doc1-4", "doc1", "a chunk suffix is appended in the labels"),
        ("q1", "q1 ", "blanks around the ids"),
        ("D7", "d7", "upper and lower case"),
        ('"q1"', "q1", "quotes around the ids"),
        ("7", "007", "leading zeros"),
        ("q7", "q07", "leading zeros"),
        ("1", "1.0", "numbers written in another way, as after reading ids as floats"),
        ("2207.01490", "2207.0149", "numbers written in another way, as after reading ids as floats"),
        ("report.pdf", "report", "a file extension is appended in the labels"),
        ("caf\u00e9", "cafe\u0301", "letters that look the same are other characters"),
    ],
)
def test_a_single_pair_names_its_cause(label: str, run: str, cause: str) -> None:
    found = likeness([label], [run])
    assert found is not None
    assert (found.cause, found.label_id, found.run_id, found.matched) == (cause, label, run, 1)


def test_a_shared_prefix_of_one_side_is_named() -> None:
    found = likeness(["topic-11", "topic-12"], ["11", "12", "13"])
    assert found is not None
    assert (found.cause, found.matched) == ("the prefix 'topic-' in the labels", 2)


def test_a_prefix_is_named_where_the_ids_behind_it_begin_alike_too() -> None:
    plain, other = ["billing/a", "billing/b"], ["coffee/a", "coffee/b"]
    found = likeness([f"v2/{one}" for one in plain], plain + other)
    assert found is not None
    assert (found.cause, found.matched) == ("the prefix 'v2/' in the labels", 2)
    found = likeness(plain + other, [f"v2/{one}" for one in plain])
    assert found is not None
    assert (found.cause, found.matched) == ("the prefix 'v2/' in the run", 2)


def test_the_cause_that_explains_most_ids_wins() -> None:
    found = likeness(["a", "b", "c"], ["A", "b#1", "c#2"])
    assert found is not None
    assert (found.cause, found.matched) == ("a chunk suffix is appended in the run", 2)


def test_ids_that_match_are_no_evidence() -> None:
    assert likeness(["q1", "q2"], ["q1", "q2", "q1.v2"]) is None


def test_ids_that_have_nothing_in_common_are_not_alike() -> None:
    assert likeness(["apple", "pear"], ["x", "y"]) is None


@given(st.lists(st.text(max_size=6)), st.lists(st.text(max_size=6)))
def test_an_example_is_taken_from_both_sides(labels: list[str], run: list[str]) -> None:
    found = likeness(labels, run)
    if found is not None:
        assert found.label_id in labels
        assert found.run_id in run
        assert found.label_id not in run


def test_one_prefix_in_the_place_of_another_is_seen() -> None:
    found = likeness(["kb/a", "kb/b"], ["wiki:a", "wiki:b", "wiki:c"])
    assert found is not None
    assert (found.cause, found.matched) == ("the prefix 'kb/' in the labels, 'wiki:' in the run", 2)
