"""Labels that point at what is gone: their share, the likely cause, and the verdict."""

from __future__ import annotations

from firsthit.staleness.summary import MAX_STALE, REASONS, VERDICT, Staleness

__all__ = ["MAX_STALE", "REASONS", "VERDICT", "Staleness"]
