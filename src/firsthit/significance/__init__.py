"""Is a difference more than chance: intervals, tests, corrections and sample sizes, from plain arrays."""

from firsthit.significance.classical import paired_t, sign_test, wilcoxon
from firsthit.significance.differences import WinsLossesTies, wins_losses_ties
from firsthit.significance.families import holm
from firsthit.significance.flips import SignFlip, sign_flip
from firsthit.significance.intervals import Interval, interval, mean_interval, percentile_interval
from firsthit.significance.planning import needed_queries

__all__ = [
    "Interval",
    "SignFlip",
    "WinsLossesTies",
    "holm",
    "interval",
    "mean_interval",
    "needed_queries",
    "paired_t",
    "percentile_interval",
    "sign_flip",
    "sign_test",
    "wilcoxon",
    "wins_losses_ties",
]
