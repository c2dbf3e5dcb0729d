"""The card: everything that defines the numbers of an evaluation, as data that is saved whole.

`Card.text()` is what stands under each table, `Card.text(full=True)` the whole of it.
"""

from __future__ import annotations

import msgspec

from firsthit.card.evidence import EvidenceFacts
from firsthit.card.needs import NeedFacts, TokenFacts, WindowFacts
from firsthit.rules import Rules
from firsthit.staleness import Staleness

__all__ = ["Card", "HitCount", "LabelFacts", "QueryFacts", "RunSummary"]

CARD_VERSION = 1


class LabelFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of the labels; `sha256` is of their content, not of the file's bytes."""

    name: str
    file: str = ""
    format: str = ""
    sha256: str = ""
    rows: int = 0
    queries: int = 0
    collapsed: int = 0
    overridden: int = 0
    negative: int = 0
    blank_lines: int = 0
    comment_lines: int = 0
    highest: float | None = None
    lists_relevant_only: bool = False


class RunSummary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of the run: its file, what was read, what was removed, how it was ordered."""

    name: str
    file: str = ""
    format: str = ""
    file_sha256: str = ""
    id_space: str = "doc_id"
    order: str = ""
    records: int = 0
    lines: int = 0
    blank_lines: int = 0
    comment_lines: int = 0
    deepest: int = 0
    tied_records: int = 0
    duplicates_removed: int = 0
    self_hits_dropped: int = 0
    rank_column: str = ""
    pairs_fall: int = 0
    pairs_rise: int = 0


class QueryFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of the queries table that names the population."""

    name: str
    queries: int = 0
    groups: list[str] = []


class HitCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For one measure: queries with a value above 0, and labelled, answered queries without."""

    hit: int
    miss: int


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contract behind every number of one evaluation.

    `means`, `hits`, `ties` ([worst, expected, best]) and `bounds` ([lower, upper]) are keyed by measure;
    `counts` sum to the population, `averaged` is how many queries the means are over, and `without_value`
    how many of these have no value in a measure. Rules that a profile changes for some measures only stand
    in `measure_rules`. `first_ranks` is the distribution over the averaged queries.
    """

    version: int = CARD_VERSION
    firsthit: str
    name: str
    primary: str
    measures: list[str]
    depth: int
    compat: str | None = None
    given: list[str] = []
    rules: Rules
    measure_rules: dict[str, Rules] = {}
    counts: dict[str, int]
    averaged: int
    without_value: dict[str, int] = {}
    means: dict[str, float | None]
    hits: dict[str, HitCount] = {}
    ties: dict[str, tuple[float, float, float]] = {}
    bounds: dict[str, tuple[float, float]] = {}
    first_ranks: dict[str, int] = {}
    median_first_rank: float | None = None
    success: dict[str, float] = {}
    harmonic_mean_rank: float | None = None
    tied_at_first_hit: int = 0
    judged_at: int = 0
    judged_share: float | None = None
    unanswerable_returned: int = 0
    shared_queries: int = 0
    labelled_retrieved: int | None = None
    labels: LabelFacts
    run: RunSummary
    queries: QueryFacts | None = None
    evidence: EvidenceFacts | None = None
    staleness: Staleness | None = None
    needs: NeedFacts | None = None
    tokens: TokenFacts | None = None
    windows: dict[str, WindowFacts] = {}
    notices: list[str] = []
    created: str = ""

    def text(self, *, full: bool = False) -> str:
        """The card in words: a few lines, or with `full` every rule, count, input and notice."""
        from firsthit.card.text import full_text, short_text

        return full_text(self) if full else short_text(self)
