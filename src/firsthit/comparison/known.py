"""What is known of the paired queries beyond their values: text, groups, which are critical."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.comparison.pairs import Pairs
from firsthit.errors import InputError, Problem
from firsthit.queries import Queries

__all__ = ["Known", "known_of"]


class Known(msgspec.Struct, frozen=True, eq=False):
    """The columns go over the paired queries; `critical` is None where nothing says."""

    text: Mapping[str, str] | None
    columns: Mapping[str, Sequence[str | None]]
    critical: NDArray[np.bool_] | None


def known_of(pairs: Pairs, queries: Queries | None) -> Known:
    """From the queries table where there is one, else from NEW's evaluation, else from OLD's."""
    if queries is not None:
        return _of_table(pairs, queries)
    columns: dict[str, Sequence[str | None]] = {}
    critical = None
    for record, rows in ((pairs.old, pairs.rows_old), (pairs.new, pairs.rows_new)):
        places = rows.tolist()
        columns |= {name: [column[i] for i in places] for name, column in record.detail.groups.items()}
        if record.detail.critical is not None:
            critical = np.array([bool(record.detail.critical[i]) for i in places], bool)
    return Known(None, columns, critical)


def _of_table(pairs: Pairs, queries: Queries) -> Known:
    place = {query_id: i for i, query_id in enumerate(queries.query_id)}
    lacking = [query_id for query_id in pairs.query_ids if query_id not in place]
    if lacking:
        problems = [Problem(f"lacks query {query_id!r}, which is compared") for query_id in lacking[:20]]
        raise InputError(queries.name, problems, len(lacking))
    rows = [place[query_id] for query_id in pairs.query_ids]
    text = {queries.query_id[i]: said for i in rows if (said := queries.text[i]) is not None}
    columns = {name: [column[i] for i in rows] for name, column in queries.groups.items()}
    critical = np.array([queries.critical[i] for i in rows], bool)
    return Known(text or None, columns, critical if critical.any() else None)
