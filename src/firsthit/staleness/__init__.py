"""Labels that point at what is gone: their share, the likely cause, and the verdict."""

from __future__ import annotations

from firsthit.staleness.corpus import Corpus
from firsthit.staleness.staleness import (
    MAX_STALE,
    REASONS,
    VERDICT,
    StaleLabel,
    Staleness,
    staleness,
)

__all__ = ["MAX_STALE", "REASONS", "VERDICT", "Corpus", "StaleLabel", "Staleness", "staleness"]
