"""The settings that define a score: one frozen struct; and the profiles of other tools, as data.

A rule is one field here and one row of the card's table in docs/rules.md.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Rules"]


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that a user can set and that can change a number; the defaults are the design's.

    >>> Rules().ties
    'docid-desc'
    >>> Rules(rel=2) == Rules(rel=2.0)
    True
    """

    rel: float = 1.0
    relevant: Literal["graded", "listed"] = "graded"
    grades: Literal["exact", "truncate"] = "exact"
    negative: Literal["unjudged", "nonrelevant"] = "unjudged"
    conflicts: Literal["error", "last", "max"] = "error"
    needs: Literal["ignore", "iter"] = "ignore"
    labels_judge: Literal["not stated", "passages", "documents"] = "not stated"
    absent: Literal["zero", "exclude"] = "zero"
    no_relevant: Literal["zero", "exclude"] = "zero"
    unjudged: Literal["nonrelevant", "condensed", "bounds"] = "nonrelevant"
    order: Literal["auto", "score", "rank", "given"] = "auto"
    ties: Literal["docid-desc", "docid-asc", "given", "best", "worst", "expected"] = "docid-desc"
    score_bits: Literal[64, 32] = 64
    duplicates: Literal["error", "best", "first", "last", "keep"] = "error"
    self_hits: Literal["keep", "drop"] = "keep"
    comments: Literal["data", "skip"] = "data"
    empty_run: Literal["error", "score"] = "error"
