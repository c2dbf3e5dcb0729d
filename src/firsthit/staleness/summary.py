"""How many labels point at what is gone, and what that means for a score."""

from __future__ import annotations

import msgspec

from firsthit.wording import many, percent

__all__ = ["MAX_STALE", "REASONS", "VERDICT", "Staleness"]

MAX_STALE = 0.2
"""The share of stale labels up to which numbers are taken for what they are."""

VERDICT = "labels stale, not a regression"

REASONS = {
    "document": "document gone",
    "source": "source gone",
    "quote": "quote no longer in its source",
    "moved": "quote no longer at its span",
    "span": "span beyond its source",
}
"""Why a label is stale, the first that applies."""


class Staleness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the relevant labels point at something that is gone.

    `labels` counts the relevant labels that were looked at, `stale` those of them that point at nothing;
    `nonrelevant` are stale labels below the threshold, which can turn no hit into a miss and are not part of
    the share. `reasons` counts the stale ones by reason, `cause` is the likely one; `basis` says what was
    compared: "corpus", or "rankings" where ids of two versions were. `limit` is the largest share that is
    taken for what it is.
    """

    labels: int
    stale: int
    nonrelevant: int = 0
    reasons: dict[str, int] = {}
    cause: str = ""
    basis: str = "corpus"
    limit: float = MAX_STALE

    @property
    def share(self) -> float:
        """The share of the relevant labels that are stale."""
        return self.stale / self.labels if self.labels else 0.0

    @property
    def over(self) -> bool:
        """Whether more labels are stale than the limit allows.

        >>> Staleness(10, 2).over, Staleness(10, 3).over
        (False, True)
        """
        return self.share > self.limit

    def sentence(self, *, verdict: bool = True) -> str:
        """What is stale and why, with the verdict where it is more than the limit.

        >>> Staleness(4, 3, reasons={"document": 3}).sentence()
        'labels stale, not a regression: 3 of 4 relevant labels (75.0%) are stale (document gone: 3)'
        """
        what = f"{self.stale:,} of {many(self.labels, 'relevant label')} ({percent(self.share)})"
        first = f"{VERDICT}: " if verdict and self.over else ""
        why = ", ".join(f"{REASONS[reason]}: {count:,}" for reason, count in self.reasons.items())
        cause = f". {self.cause}" if self.cause else ""
        are = "is" if self.labels == 1 else "are"
        return f"{first}{what} {are} stale{f' ({why})' if why else ''}{cause}"
