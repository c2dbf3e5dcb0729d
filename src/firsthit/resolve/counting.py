"""The tokens of passages, for budgets: the run's own numbers, or counted in the texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.errors import InputError, Problem
from firsthit.passages import Passages

__all__ = ["COUNTERS", "Counter", "with_tokens"]

Counter = Callable[[str], int]

HINT = (
    "A token budget needs the number of tokens of each passage: a column `tokens` in the run or in "
    "--passages, or texts and --tokens words or chars4 (in Python count_tokens= takes any function)."
)


def _words(text: str) -> int:
    return len(text.split())


def _quarters(text: str) -> int:
    return -(-len(text) // 4)


COUNTERS: Mapping[str, Counter] = {"words": _words, "chars4": _quarters}
"""The named counters: words between white space; characters divided by 4, rounded up."""


def with_tokens(passages: Passages, counter: Counter | None, name: str) -> Passages:
    """The passages with the tokens of each; without a counter they must be there.

    InputError where a passage has neither the number nor a text to count in.

    >>> from firsthit.ids import Ids
    >>> with_tokens(Passages(Ids.of(["a"]), text=Ids.of(["one two"])), COUNTERS["words"], "run").tokens
    array([2])
    """
    if counter is None:
        tokens = passages.tokens
        _refuse(passages, None if tokens is None else tokens >= 0, "tokens", name)
        return passages
    texts = passages.text
    _refuse(passages, None if texts is None else np.diff(texts.offsets) > 0, "text", name)
    found = np.array([counter(text) for text in texts or ()], np.int64)
    if (found < 0).any():
        raise InputError(name, [Problem("a token counter gave a number below 0")])
    found.flags.writeable = False
    return msgspec.structs.replace(passages, tokens=found)


def _refuse(passages: Passages, known: NDArray[np.bool_] | None, what: str, name: str) -> None:
    if known is None:
        lacking = "texts to count tokens in" if what == "text" else "tokens"
        raise InputError(name, [Problem(f"has no {lacking}")], hint=HINT)
    missing = np.flatnonzero(~known)
    if len(missing):
        ids = passages.doc_ids.take(missing[:20])
        problems = [Problem(f"the passage {doc_id!r} has no {what}") for doc_id in ids]
        raise InputError(name, problems, len(missing), hint=HINT)
