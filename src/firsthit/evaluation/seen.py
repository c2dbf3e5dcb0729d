"""What an evaluation saw and found, query by query: what the card, the lists and the record draw on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.evaluation.joined import Joined
from firsthit.evaluation.plan import Plan
from firsthit.ids import Ids
from firsthit.matching.hits import Hits
from firsthit.matching.run_facts import RunFacts
from firsthit.measures import Measure
from firsthit.population import Population
from firsthit.queries import Queries
from firsthit.record.detail import Detail, detail_of
from firsthit.record.digest import LabelDigest
from firsthit.staleness import Staleness

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.record.record import Record

__all__ = ["Outcome", "Seen", "record_of"]

Floats = NDArray[np.float64]


class Seen(msgspec.Struct, frozen=True, eq=False):
    """The inputs of one evaluation after reading, for the primary measure.

    `hits` are in the fixed order, condensed where the rules say so; `joined` holds those of the whole ranking
    and what is known of the passages. `rel` is the threshold of the primary measure.
    """

    plan: Plan
    digest: LabelDigest
    hits: Hits
    joined: Joined
    shown: Population
    rel: float
    queries: Queries | None = None
    staleness: Staleness | None = None

    @property
    def full(self) -> Hits:
        """The hits of the whole ranking."""
        return self.joined.hits

    @property
    def run(self) -> RunFacts:
        """The facts of the run."""
        if self.full.run is None:
            raise ValueError("hits that were made by hand have no run facts")
        return self.full.run


class Outcome(msgspec.Struct, frozen=True, eq=False):
    """The results of the shown queries. Values, bounds and ties are NaN where a query is in no mean.

    `scorable[m]` marks queries that have a relevant label and stand in the run, for RR and Success measures.
    """

    codes: NDArray[np.int8]
    counted: NDArray[np.bool_]
    first_rank: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    values: dict[Measure, Floats] = {}
    bounds: dict[Measure, tuple[Floats, Floats]] = {}
    ties: dict[Measure, tuple[Floats, Floats, Floats]] = {}
    scorable: dict[Measure, NDArray[np.bool_]] = {}
    by_passage: dict[Measure, Floats] = {}  # where the unit is the document


def record_of(evaluation: Evaluation) -> Record:
    """The evaluation as it is saved."""
    from firsthit.record.record import Record

    seen = evaluation.seen
    if seen is None:
        raise ValueError("an evaluation without its inputs was not loaded from a record")
    ids = evaluation.query_ids
    return Record(
        card=evaluation.card,
        query_ids=ids if isinstance(ids, Ids) else Ids.of(ids),
        codes=evaluation.codes,
        first_rank=evaluation.first_rank,
        retrieved=evaluation.retrieved,
        values=dict(evaluation.values),
        detail=_detail(evaluation, seen),
    )


def _detail(evaluation: Evaluation, seen: Seen) -> Detail:
    detail = detail_of(seen.hits, seen.shown.rows, seen.rel, seen.digest)
    if seen.queries is None:
        return detail
    place = {query_id: i for i, query_id in enumerate(seen.queries.query_id)}
    rows = [place[query_id] for query_id in evaluation.query_ids]
    groups = {name: [column[i] for i in rows] for name, column in seen.queries.groups.items()}
    critical = seen.queries.critical
    marked = None if critical is None else [bool(critical[i]) for i in rows]
    return msgspec.structs.replace(detail, groups=groups, critical=marked)
