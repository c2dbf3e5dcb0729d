"""The judging queue in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firsthit.queue.queue import JudgingQueue

__all__ = ["sentence"]


def sentence(queue: JudgingQueue, shown: int) -> str:
    """What judging the first `shown` documents settles, and what is known now."""
    needed = len(queue.items)
    if not needed:
        return f"Nothing to judge: {_aim(queue)} exact, {_now(queue)}."
    if shown >= needed:
        which = f"at most these {needed:,} documents, in this order" if needed > 1 else "this one document"
        return f"Judge {which}, and {_aim(queue)} exact; now {_now(queue)}."
    all_of_them = f"Judge at most {needed:,} documents, in this order, and {_aim(queue)} exact"
    return f"{all_of_them}; now {_now(queue)}{_after(queue, shown)}."


def _aim(queue: JudgingQueue) -> str:
    name = f"M{queue.measure}"
    if queue.aim == "difference":
        return f"the difference in {name} ({queue.runs[1]} less {queue.runs[0]}) is"
    return f"{name} is" if len(queue.runs) == 1 else f"{name} of all {len(queue.runs)} runs is"


def _now(queue: JudgingQueue) -> str:
    if queue.aim == "means":
        limits = [_limits(*pair) for pair in queue.intervals]
        if len(limits) == 1:
            return limits[0]
        return ", ".join(f"{run}: {text}" for run, text in zip(queue.runs, limits, strict=True))
    return _limits(*(queue.difference or (0.0, 0.0)), sign="+")


def _limits(lower: float, upper: float, sign: str = "") -> str:
    shown = f"{lower:{sign}.4f}", f"{upper:{sign}.4f}"
    return shown[0] if shown[0] == shown[1] else f"between {shown[0]} and {shown[1]}"


def _after(queue: JudgingQueue, shown: int) -> str:
    """How wide the interval is after some documents, in the worst case for judging: none is relevant."""
    if not shown:
        return ""
    left = f"{queue.items[shown - 1].left:.4f}"
    several = queue.aim == "means" and len(queue.runs) > 1
    open_ = f"the intervals add up to {left}" if several else f"the interval is {left} wide"
    first = f"the first {shown:,}" if shown > 1 else "the first one"
    return f"; after {first}, if none is relevant, {open_}"
