"""Run whole processes in alternation and account for them: wall, processor time, peak memory, last line."""

from __future__ import annotations

import os
import statistics
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One finished process: seconds, MiB, the end of its output, its exit status."""

    wall: float
    cpu: float
    peak: float
    out: str
    status: int


def once(command: list[str]) -> Measured:
    """Run one command to its end; standard output is read, standard error is kept for failures."""
    read, write = os.pipe()
    start = time.monotonic()
    pid = os.posix_spawnp(
        command[0],
        command,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, write, 1),
            (os.POSIX_SPAWN_CLOSE, read),
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
        ],
    )
    os.close(write)
    tail = b""
    while chunk := os.read(read, 1 << 20):
        tail = (tail + chunk)[-65536:]
    os.close(read)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    cpu = usage.ru_utime + usage.ru_stime
    return Measured(
        wall, cpu, usage.ru_maxrss / 1024, tail.decode("utf8", "replace"), os.waitstatus_to_exitcode(status)
    )


def alternate(
    commands: dict[str, list[str]], rounds: int, *, slow: float = 8.0, slow_rounds: int = 1
) -> dict[str, list[Measured]]:
    """Run every command once a round, in turn, after one warm-up round.

    A ratio is then taken inside its round, so a machine whose speed drifts does not move it. A command
    that takes longer than `slow` seconds runs only `slow_rounds` times, and its warm-up counts.
    """
    runs: dict[str, list[Measured]] = {name: [] for name in commands}
    for number in range(-1, rounds):
        for name, command in commands.items():
            if len(runs[name]) >= slow_rounds and runs[name][0].wall > slow:
                continue
            print(f"\r\033[Kround {number + 1} of {rounds}: {name}", end="", file=sys.stderr, flush=True)
            measured = once(command)
            if number >= 0 or measured.wall > slow:
                runs[name].append(measured)
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    return runs


def median(values: list[float]) -> float:
    """The median, or nan of nothing."""
    return statistics.median(values) if values else float("nan")


def ratio(runs: dict[str, list[Measured]], name: str, base: str, key: str = "wall") -> float:
    """The median over rounds of `name` divided by `base`."""
    pairs = zip(runs[name], runs[base], strict=False)
    return median([getattr(a, key) / getattr(b, key) for a, b in pairs if getattr(b, key) > 0])
