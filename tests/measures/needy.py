"""Small random cases with needs: labels of documents for needs, needs that are required, rankings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st
from msgspec.structs import replace

from firsthit.matching.hits import Hits
from tests.hand import make_hits
from tests.measures.cases import DOCS

__all__ = ["Needy", "needy_cases", "required"]


def required(hits: Hits, needs: Mapping[int, tuple[str, ...]]) -> Hits:
    """The hits where these needs are required of the queries numbered so."""
    return replace(hits, qrels=replace(hits.qrels, required=needs))


@dataclass(frozen=True)
class Needy:
    """Labels of documents for needs, the needs required of some queries, and a run."""

    labels: Mapping[str, Mapping[str, Mapping[str, float]]]
    required: Mapping[str, tuple[str, ...]]
    run: Mapping[str, list[tuple[str, float]]]

    def hits(self) -> Hits:
        """The case, joined by hand."""
        hits = make_hits(self.labels, self.run, queries=[*self.run, *self.required])
        ids = list(hits.qrels.query_ids)
        return required(hits, {ids.index(query): needs for query, needs in self.required.items()})


@st.composite
def needy_cases(draw: st.DrawFn) -> Needy:
    """Three queries over a few documents and needs, one of which no label has."""
    queries, needs = ["q1", "q2", "q3"], ["", "n1", "n2", "n3"]
    docs = st.lists(st.sampled_from(DOCS[:5]), unique=True, max_size=5)
    by_need = st.dictionaries(st.sampled_from(needs), st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=1)
    labels = {query: {doc: draw(by_need) for doc in draw(docs)} for query in queries}
    run = {
        query: [(doc, draw(st.sampled_from([0.0, 1.0, 2.0]))) for doc in draw(docs)]
        for query in queries
        if draw(st.booleans())
    }
    asked = st.lists(st.sampled_from([*needs[1:], "n4"]), unique=True, min_size=1).map(tuple)
    return Needy(
        {query: docs for query, docs in labels.items() if docs},
        {query: draw(asked) for query in queries if draw(st.booleans())},
        run,
    )
