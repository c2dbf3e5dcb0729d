"""Token budgets: how many places of each ranking fit."""

from __future__ import annotations

import numpy as np

from firsthit.errors import UsageError
from firsthit.matching.hits import Hits
from firsthit.measures.view import Ints

__all__ = ["tokens_to", "window"]


def window(hits: Hits, tokens: int) -> Ints:
    """How many places of each ranking fit the budget: the longest prefix whose tokens sum to at most it.

    The first place that does not fit ends the window, also where later ones are smaller; nothing is skipped
    and nothing cut. UsageError where the tokens are not known.

    >>> from msgspec.structs import replace
    >>> from firsthit import match, read_qrels, read_run
    >>> from firsthit.matching.hits import Tokens
    >>> hits = match(read_qrels({"q1": {"a": 1}}), read_run({"q1": ["x", "y", "a"]}))
    >>> counted = replace(hits, tokens=Tokens.of(np.array([0, 3]), np.array([300, 900, 10])))
    >>> [window(counted, budget).tolist() for budget in (299, 300, 1209, 1210)]
    [[0], [1], [2], [3]]
    """
    if hits.tokens is None:
        raise UsageError(
            f"tokens={tokens}: the tokens are neither in the run nor countable from text",
            hint="Give a run with a column `tokens`, or texts and --tokens words or chars4 (in Python "
            "count_tokens= takes any function).",
        )
    fits = np.concatenate([[0], np.cumsum(hits.tokens.total <= tokens)])
    inside: Ints = fits[hits.tokens.offsets[1:]] - fits[hits.tokens.offsets[:-1]]
    return inside


def tokens_to(hits: Hits, rank: Ints) -> Ints | None:
    """The tokens of each ranking from its top to this rank, included; -1 where the rank is 0.

    None where the tokens are not known.
    """
    if hits.tokens is None:
        return None
    found = np.full(len(rank), -1, np.int64)
    chosen = rank > 0
    found[chosen] = hits.tokens.total[hits.tokens.offsets[:-1][chosen] + rank[chosen] - 1]
    return found
