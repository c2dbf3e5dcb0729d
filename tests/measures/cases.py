"""Small random cases: rankings with ties, labels with all sorts of grades, unjudged and absent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from firsthit.matching.hits import Hits
from tests.hand import make_hits

__all__ = ["GRADES", "Small", "small_cases"]

DOCS = ["d1", "d2", "d3", "d4", "d5", "d6", "d7"]
GRADES = [-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0]


@dataclass(frozen=True)
class Small:
    """Labels and rankings of a few queries; a query that is not in the run is absent."""

    labels: Mapping[str, Mapping[str, float]]
    run: Mapping[str, list[tuple[str, float]]]

    def hits(self, depth: int | None = None) -> Hits:
        """The case, joined by hand."""
        return make_hits(self.labels, self.run, queries=self.run, depth=depth)

    def of(self, query: str) -> tuple[Mapping[str, float], list[tuple[str, float]]]:
        """The labels and the ranking of one query, empty where it has none."""
        return self.labels.get(query, {}), self.run.get(query, [])


@st.composite
def small_cases(draw: st.DrawFn, documents: int = 7) -> Small:
    """Up to three queries over a few documents; scores from few values, so that many tie."""
    docs = st.lists(st.sampled_from(DOCS[:documents]), unique=True, max_size=documents)
    scores = st.sampled_from([0.0, 1.0, 2.0])
    labels, run = {}, {}
    for query in draw(st.lists(st.sampled_from(["q1", "q2", "q3"]), unique=True, min_size=1)):
        judged = draw(docs)
        if judged:
            labels[query] = {doc: draw(st.sampled_from(GRADES)) for doc in judged}
        if draw(st.integers(0, 4)):
            run[query] = [(doc, draw(scores)) for doc in draw(docs)]
    return Small(labels, run)
