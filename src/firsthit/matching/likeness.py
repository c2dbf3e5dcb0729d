"""Why ids of two sides do not match although they look alike: the probable cause, with an example."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

import msgspec

__all__ = ["Likeness", "likeness"]

_CUTS = 3
"""How many separators of a shared beginning may end what was added to the ids."""


class Likeness(msgspec.Struct, frozen=True):
    """A change that makes `matched` ids of one side equal ids of the other, for example these two."""

    cause: str
    label_id: str
    run_id: str
    matched: int

    def __str__(self) -> str:
        return (
            f"The ids look alike: {self.label_id!r} in the labels, {self.run_id!r} in the run ({self.cause})."
        )


Change = Callable[[str], str]


def likeness(labels: Iterable[str], run: Iterable[str]) -> Likeness | None:
    """The cause that explains most of the ids without a partner, given the ids of both sides, if any.

    >>> print(likeness(["q1", "q2"], ["q1.v2", "q2.v2"]))
    The ids look alike: 'q1' in the labels, 'q1.v2' in the run (a version is appended in the run).
    >>> likeness(["doc1"], ["doc1#0", "doc1#1"]).cause
    'a chunk suffix is appended in the run'
    >>> likeness(["a"], ["b"]) is None
    True
    """
    wanted, found = list(labels), list(run)
    alone = set(wanted) & set(found)
    wanted, found = [i for i in wanted if i not in alone], [i for i in found if i not in alone]
    best: Likeness | None = None
    for cause, change_labels, change_run in (*_CHANGES, *_prefixes(wanted, found)):
        changed = {change_labels(one): one for one in reversed(wanted)}
        pairs = [(changed[key], other) for other in found if (key := change_run(other)) and key in changed]
        matched = len({one for one, _ in pairs})
        if matched > (best.matched if best else 0):
            best = Likeness(cause, *pairs[0], matched)
    return best


def _same(text: str) -> str:
    return text


def _number(text: str) -> str:
    """A number as it is after a detour over floats: 7.0 and 2207.01490 lose their zeros."""
    return re.sub(r"^(\d+)\.(\d*?)0*$", lambda m: f"{m[1]}.{m[2]}".rstrip("."), text)


def _no_zeros(text: str) -> str:
    return re.sub(r"(?<!\d)0+(?=\d)", "", text)


def _no_quotes(text: str) -> str:
    return text.strip().strip("\"'")


def _no_version(text: str) -> str:
    return re.sub(r"[._-]?v\d+(\.\d+)*$", "", text, flags=re.IGNORECASE)


def _no_chunk(text: str) -> str:
    return re.sub(
        r"(#|::?|/|_|-|\.|\||@)(chunk|passage|part|seg|sec|p|c|s)?[_-]?\d+$", "", text, flags=re.IGNORECASE
    )


def _no_extension(text: str) -> str:
    return re.sub(r"\.[A-Za-z]{1,5}$", "", text)


def _composed(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", text)


_CHANGES: tuple[tuple[str, Change, Change], ...] = (
    ("blanks around the ids", str.strip, str.strip),
    ("upper and lower case", str.casefold, str.casefold),
    ("quotes around the ids", _no_quotes, _no_quotes),
    ("leading zeros", _no_zeros, _no_zeros),
    ("numbers written in another way, as after reading ids as floats", _number, _number),
    ("letters that look the same are other characters", _composed, _composed),
    ("a version is appended in the run", _same, _no_version),
    ("a version is appended in the labels", _no_version, _same),
    ("a chunk suffix is appended in the run", _same, _no_chunk),
    ("a chunk suffix is appended in the labels", _no_chunk, _same),
    ("a file extension is appended in the run", _same, _no_extension),
    ("a file extension is appended in the labels", _no_extension, _same),
)


def _prefixes(wanted: list[str], found: list[str]) -> list[tuple[str, Change, Change]]:
    """The prefix that all ids of one side share, which the other may lack or have another in its place."""
    ours, theirs = _shared_prefix(wanted), _shared_prefix(found)
    changes: list[tuple[str, Change, Change]] = []
    for prefix in _cuts(ours):
        changes.append((f"the prefix {prefix!r} in the labels", _without(prefix), _same))
    for prefix in _cuts(theirs):
        changes.append((f"the prefix {prefix!r} in the run", _same, _without(prefix)))
    if ours and theirs and ours != theirs:
        what = f"the prefix {ours!r} in the labels, {theirs!r} in the run"
        changes.append((what, _without(ours), _without(theirs)))
    return changes


def _cuts(shared: str) -> list[str]:
    """What may have been added of a shared beginning: all of it, or up to one of its first separators.

    >>> _cuts("v2/billing/"), _cuts("doc"), _cuts("")
    (['v2/billing/', 'v2/'], ['doc'], [])
    """
    first = [shared[: found.end()] for found in islice(re.finditer(r"[^\w]+|_+", shared), _CUTS)]
    return list(dict.fromkeys(([shared] if shared else []) + first))


def _without(prefix: str) -> Change:
    def change(text: str) -> str:
        return text.removeprefix(prefix)

    return change


def _shared_prefix(ids: list[str]) -> str:
    """What all ids begin with, without digits at its end: those belong to the ids."""
    return re.sub(r"\d+$", "", _shared(min(ids), max(ids))) if ids else ""


def _shared(first: str, last: str) -> str:
    """What two texts begin with; of the smallest and the largest id it is what all ids begin with."""
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), None)
    return first[: min(len(first), len(last)) if length is None else length]
