"""A comparison: two evaluations paired by query, with everything that the outputs show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.card.card import Card
from firsthit.comparison.agreement import Agreement, agreement_of
from firsthit.comparison.changes import CHANGES, Transitions
from firsthit.comparison.inference import IntervalMethod
from firsthit.comparison.needs import Traded
from firsthit.ids import Ids
from firsthit.pair_bounds import JointBounds, top_of
from firsthit.record.record import Record
from firsthit.staleness import Staleness

if TYPE_CHECKING:
    from firsthit.groups import GroupComparison
    from firsthit.outcomes import Outcomes
    from firsthit.significance import Interval

__all__ = ["Comparison", "Kind", "MeasureComparison", "Pairing", "StaleSide", "Turning", "Verdict"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Kind = Literal["better", "worse", "equivalent", "cannot_tell"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the comparison says, in words.

    `sentence` stands first in every output; `second_sentence` tells of a Coverage or Recall that moved the
    other way. `reasons` are what decided. `needed_queries` is how many queries would be needed to see
    `difference` in four of five comparisons; None where that cannot be estimated.
    """

    kind: Kind
    sentence: str
    second_sentence: str | None = None
    reasons: tuple[str, ...] = ()
    difference: float
    needed_queries: int | None = None


class MeasureComparison(msgspec.Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """One measure over the paired queries that have a value in both; `difference` is NEW - OLD.

    `interval` is of the mean difference at 95%, `equivalence` at 90% where a margin was given. `p` is the
    sign-flip randomization p, exact or of `draws`; `nonzero` counts the differences (of clusters, where these
    are the units) that are not 0, `smallest_p` is the smallest p that so many could give; `p_holm` is
    adjusted over a `family` of so many comparisons. p values of tests that do not exist are None.
    """

    measure: str
    queries: int
    old: float
    new: float
    difference: float
    interval: Interval
    equivalence: Interval | None
    p: float
    exact: bool
    draws: int
    nonzero: int
    smallest_p: float
    p_holm: float
    family: int
    t_p: float | None
    wins: int
    losses: int
    ties: int
    differences: Floats

    @cached_property
    def wilcoxon_p(self) -> float | None:
        """The p of the Wilcoxon signed-rank test; made when asked for, since scipy.stats starts slowly."""
        from firsthit.significance import wilcoxon

        return wilcoxon(self.differences)

    @cached_property
    def sign_p(self) -> float | None:
        """The p of the sign test."""
        from firsthit.significance import sign_test

        return sign_test(self.differences)


class Turning(msgspec.Struct, frozen=True):
    """An unjudged document that could turn the verdict; ranks are 0 where it is not in that top.

    `shift` is what it would add to the mean difference if it alone were relevant; the documents that are
    `enough`, which come first, turn the verdict when all of them are.
    """

    query_id: str
    doc_id: str
    rank_old: int
    rank_new: int
    shift: float
    enough: bool


class StaleSide(msgspec.Struct, frozen=True):
    """How well the labels fit one version, by the name of that version."""

    name: str
    staleness: Staleness


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """How many queries were paired; with `common`, those that stand in one evaluation only were left out."""

    paired: int
    common: bool
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()


class Comparison(msgspec.Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """Two evaluations paired by query_id; every array goes over `query_ids`, in OLD's order.

    `measure` is the primary one (an RR measure) with its `cutoff`, None where it has none. `first_rank_*` are
    not cut off, 0 where there is no hit; `value_*` and `difference` (NEW - OLD) are those of `measure`.
    `change` indexes CHANGES, and is about the top `cutoff`. `top_*` are the documents that stand first, ""
    where nothing was ranked or kept; `unjudged_above_*` counts unjudged documents above the first hit, to the
    cutoff, -1 where too few ids were saved to know. `rows_*` are the queries' places in the records.
    `needs_lost` are the queries whose first hit improved while a needed source fell out of the window.
    """

    old: str
    new: str
    card_old: Card
    card_new: Card
    record_old: Record
    record_new: Record
    rows_old: Ints
    rows_new: Ints
    pairing: Pairing
    measure: str
    cutoff: int | None
    query_ids: Ids
    query_text: Mapping[str, str] | None
    groups_of: Mapping[str, Sequence[str | None]]
    critical: NDArray[np.bool_]
    first_rank_old: Ints
    first_rank_new: Ints
    value_old: Floats
    value_new: Floats
    difference: Floats
    change: NDArray[np.int8]
    top_old: Ids
    top_new: Ids
    unjudged_above_old: Ints
    unjudged_above_new: Ints
    judged_share_old: float | None
    judged_share_new: float | None
    transitions: Transitions
    means: Mapping[str, MeasureComparison]
    verdict: Verdict
    bounds: JointBounds | None
    bounds_reason: str
    turning: tuple[Turning, ...]
    groups: tuple[GroupComparison, ...] = ()
    answers: Outcomes | None = None
    margin: float | None = None
    min_queries: int = 30
    interval_method: IntervalMethod = "t"
    cluster: str | None = None
    seed: int = 0
    stale: tuple[StaleSide, ...] = ()
    needs_lost: tuple[Traded, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def labels_stale(self) -> bool:
        """Whether the labels are too stale for either version, so that no difference is a regression."""
        return any(side.staleness.over for side in self.stale)

    @property
    def primary(self) -> MeasureComparison:
        """The comparison of the primary measure."""
        return self.means[self.measure]

    @property
    def disputed(self) -> tuple[str, ...]:
        """The queries whose sign (-, 0, +) further judging could change, in their order."""
        if self.bounds is None:
            return ()
        return tuple(self.query_ids.take(np.flatnonzero(self.bounds.disputed)))

    @property
    def changes(self) -> dict[str, int]:
        """How many queries gained or lost their hit, went up or down, stayed, or have none in both."""
        counts = np.bincount(self.change, minlength=len(CHANGES))
        return dict(zip(CHANGES, counts.tolist(), strict=True))

    @property
    def sorted_differences(self) -> Floats:
        """The differences from the largest loss to the largest gain."""
        return np.sort(self.difference)

    @cached_property
    def agreement(self) -> Agreement | None:
        """How alike the rankings are, whatever the labels; None where no ids of one kind were kept."""
        cards = self.card_old, self.card_new
        depth = min(card.depth for card in cards)
        if not depth or cards[0].run.id_space != cards[1].run.id_space:
            return None
        old, new = (
            top_of(record.detail.ranked, rows, record.first_rank, depth)
            for record, rows in ((self.record_old, self.rows_old), (self.record_new, self.rows_new))
        )
        return agreement_of(old, new, min(self.cutoff or depth, depth), depth)

    def data(self) -> dict[str, Any]:
        """The comparison as plain data: the object that `--format json` prints; see docs/comparison.md."""
        from firsthit.comparison.data import data_of

        return data_of(self)

    def __repr__(self) -> str:
        return f"Comparison({self.old!r}, {self.new!r}, {self.verdict.kind}, {len(self.query_ids):,} queries)"
