"""Runs the core and the twin on one case and holds that they answer alike."""

from __future__ import annotations

from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from firsthit import _core
from tests import twin
from tests.strategies import Case
from tests.twin.cells import pack, unpack

TEXTS = {"head_ids", "unlabelled", "inverted", "query_ids"}
WITH_PROBLEMS = ("problems", "problem_count", "records", "lines", "blank_lines", "comment_lines")


def plain(name: str, value: Any) -> Any:
    """A value that can be compared and printed."""
    if name in TEXTS:
        return unpack(value)
    if isinstance(value, tuple):
        return unpack(value)
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(key, item) for key, item in value.items()}
    return value


def comparable(result: Mapping[str, Any]) -> dict[str, Any]:
    """What the specification fixes: everything, or the problems and counts when there are problems."""
    names = WITH_PROBLEMS if result["problem_count"] else [name for name in result if name != "scattered"]
    return {name: plain(name, result[name]) for name in names if name in result}


def assert_same(core: Mapping[str, Any], slow: Mapping[str, Any]) -> None:
    """Both results are equal, key by key."""
    ours, theirs = comparable(core), comparable(slow)
    different = {
        name: (ours.get(name), theirs.get(name))
        for name in ours.keys() | theirs.keys()
        if ours.get(name) != theirs.get(name)
    }
    assert not different, f"(core, twin) differ: {different}"


def blocks_of(data: bytes, sizes: Any) -> list[bytes]:
    """The data cut into blocks of these sizes, over and over."""
    blocks, at = [], 0
    while at < len(data):
        for size in sizes:
            blocks.append(data[at : at + size])
            at += size
    return blocks


def matcher_of(module: Any, case: Case, *, grouped: bool) -> Any:
    """A matcher for a case, of the core or the twin."""
    return module.Matcher(
        labels_of(module, case.labels, case.extra),
        module.Layout(**case.layout),
        module.Ordering(**case.ordering),
        depth=case.depth,
        threads=case.threads,
        grouped=grouped,
    )


def match_text(module: Any, case: Case, *, grouped: bool) -> Any:
    """The match of a case by the core or by the twin."""
    matcher = matcher_of(module, case, grouped=grouped)
    counted = feed(matcher, case.data, case.blocks)
    result = matcher.finish()
    assert result["scattered"] == matcher.scattered
    assert counted[1] == len(case.data)
    return result


def feed(reader: Any, data: bytes, sizes: Any) -> tuple[int, int]:
    """Feeds block after block; the last call says so."""
    for block in blocks_of(data, sizes):
        reader.feed(block)
    answer: tuple[int, int] = reader.feed(b"", True)
    return answer


def labels_of(module: Any, pairs: Any, extra: Any = ()) -> Any:
    """Labels over (query, doc) pairs."""
    queries = pack(query.encode() for query, _ in pairs)
    docs = pack(doc.encode() for _, doc in pairs)
    return module.Labels(queries, docs, pack(query.encode() for query in extra) if extra else None)


def match_file(case: Case, *, grouped: bool) -> Any:
    """The match of a case by the core, whose threads read a file, range by range."""
    matcher = matcher_of(_core, case, grouped=grouped)
    size, count = max(case.blocks[0], 1), 1 + case.blocks[-1] % 5
    before = case.blocks[-1] % 3
    with TemporaryFile(buffering=0) as file:
        file.write(b"#" * before + case.data)
        done, ended = 0, False
        while not ended:
            found = matcher.feed_file(file.fileno(), before + done, size, count)
            done, ended = done + found, found < size * count
    assert done == len(case.data)
    return matcher.finish()


def check_match(case: Case) -> None:
    """The core answers as the twin does, from blocks and from a file; only scattered queries may ask for a
    second, grouped reading.
    """
    slow = match_text(twin, case, grouped=True)
    for match in (match_blocks, match_file):
        core = match(case, grouped=case.grouped)
        if core["scattered"]:
            assert not case.grouped
            core = match(case, grouped=True)
            assert not core["scattered"]
        assert_same(core, slow)


def match_blocks(case: Case, *, grouped: bool) -> Any:
    """The match of a case by the core."""
    return match_text(_core, case, grouped=grouped)
