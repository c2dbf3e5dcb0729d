"""Duplicate evidence: which passages say the same, word for word or nearly. Only Redundancy sees it."""

from firsthit.redundancy.above import first_alike
from firsthit.redundancy.equal import equal_texts
from firsthit.redundancy.near import near_texts

__all__ = ["equal_texts", "first_alike", "near_texts"]
