"""Write a second system's run beside a TREC run: the same documents, their scores moved by seeded noise.

    python second_run.py RUN OUT [--seed N] [--noise X]

Every score is multiplied by 1 + noise of a normal draw, for a share of the queries only, so that most
first ranks stay, as between two versions of one retriever. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np

MOVED = 0.4
"""The share of queries whose scores are moved."""


def perturbed(lines: Iterator[str], seed: int, noise: float) -> Iterator[str]:
    """The run's lines query by query, each query in the order of its new scores."""
    generator = np.random.Generator(np.random.PCG64(seed))
    for query_id, block in groupby(map(str.split, lines), key=lambda fields: fields[0]):
        rows = [(fields[2], float(fields[4])) for fields in block]
        moved = noise if generator.random() < MOVED else 0.0
        scores = np.array([score for _, score in rows]) * (1 + moved * generator.normal(size=len(rows)))
        for rank, i in enumerate(np.argsort(-scores, kind="stable").tolist(), 1):
            yield f"{query_id} Q0 {rows[i][0]} {rank} {scores[i]:.6f} synth2\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=0.03)
    arguments = parser.parse_args()
    with arguments.run.open() as lines, arguments.out.open("w") as out:
        out.writelines(perturbed(iter(lines), arguments.seed, arguments.noise))


if __name__ == "__main__":
    main()
