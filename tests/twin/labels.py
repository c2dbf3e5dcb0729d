"""The index over label rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.twin.cells import Text, pack, unpack


class Labels:
    """Queries numbered in order of first appearance, and the first row of each (query, doc)."""

    def __init__(self, query: Text, doc: Text, extra_queries: Text | None = None) -> None:
        self.row_query = unpack(query)
        self.row_doc = unpack(doc)
        extra = unpack(extra_queries) if extra_queries is not None else []
        self.queries = list(dict.fromkeys([*self.row_query, *extra]))
        self.first: dict[tuple[bytes, bytes], int] = {}
        for row, key in enumerate(zip(self.row_query, self.row_doc, strict=True)):
            self.first.setdefault(key, row)

    @property
    def query_of_row(self) -> NDArray[np.int32]:
        return np.array([self.queries.index(query) for query in self.row_query], np.int32)

    @property
    def first_row(self) -> NDArray[np.int64]:
        keys = zip(self.row_query, self.row_doc, strict=True)
        return np.array([self.first[key] for key in keys], np.int64)

    @property
    def query_ids(self) -> Text:
        return pack(self.queries)
