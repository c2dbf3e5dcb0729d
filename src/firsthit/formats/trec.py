"""Formats without a header, told apart by the number of their columns: TREC labels and runs, MS MARCO."""

from __future__ import annotations

from firsthit.formats.model import Format, Lines, Role

__all__ = ["BY_COLUMNS", "columns_format"]

BY_COLUMNS: dict[tuple[Role, str], tuple[dict[str, int], tuple[int, int], str]] = {
    ("labels", "trec"): (
        {"query": 0, "iter": 1, "doc": 2, "grade": 3},
        (4, 4),
        "4 columns: query, iteration, document, grade",
    ),
    ("labels", "triples"): (
        {"query": 0, "doc": 1, "grade": 2},
        (3, 3),
        "3 columns: query, document, grade",
    ),
    ("labels", "pairs"): (
        {"query": 0, "doc": 1},
        (2, 2),
        "2 columns: query, relevant document",
    ),
    ("run", "trec"): (
        {"query": 0, "doc": 2, "rank": 3, "score": 4},
        (6, 0),
        "6 columns: query, Q0, document, rank, score, tag",
    ),
    ("run", "trec-no-tag"): (
        {"query": 0, "doc": 2, "rank": 3, "score": 4},
        (5, 5),
        "5 columns: query, Q0, document, rank, score",
    ),
    ("run", "msmarco"): (
        {"query": 0, "doc": 1, "rank": 2},
        (3, 3),
        "3 columns: query, document, rank",
    ),
}
"""(role, name) -> columns, width, description."""


def columns_format(role: Role, name: str, *, tabs: bool = False, exact: int = 0) -> Format:
    """A format by the number of columns; `tabs`: single tabs separate and fields may hold blanks.

    `exact` is the number of columns where the whole beginning of the file has it, separated by single tabs:
    an id with a blank further down is then an error, and never read as two columns.

    >>> columns_format("run", "trec").lines.width, columns_format("run", "trec", exact=6).lines.width
    ((6, 0), (6, 6))
    """
    columns, width, detail = BY_COLUMNS[role, name]
    if exact:
        width = (exact, exact)
    lines = Lines("delimited" if tabs else "blank", columns, width=width)
    separated = ", separated by tabs" if tabs else ""
    return Format(name + ("-tab" if tabs else ""), role, frozenset(columns), lines, detail=detail + separated)
