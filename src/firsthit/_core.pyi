"""The native core: it splits text into fields, joins ids and ranks; it knows nothing of grades or files."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

Text = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""A column of strings: UTF-8 bytes, and n + 1 offsets."""

RawProblem = tuple[str, int, bytes, int]
"""(kind, physical line or record number from 1, value (at most 80 bytes), other line or count).

kinds: "fields" (wrong field count; last item = fields found), "number" (value unreadable: hex, text,
overflow), "not-finite" (nan, inf), "utf8", "nul", "empty-id", "quote" (unterminated or misplaced CSV
quote), "json" (not a JSON object on the line), "missing" (value = the role that has no key), "type" (value
= role; JSON value of a wrong type), "duplicate" (same doc in one ranking; last item = the earlier line),
"repeated-rank" (last = earlier line), "null" (a null in a column), "start", "end", "tokens" (of a passage:
no whole number from 0 to 2**53), "passage" (rows of one document differ in a field: the value is doc, field,
value and earlier value with NUL between, each at most 80 bytes; last = the line of the earlier value; one
problem for each document and field, at the first line that differs).

A line has one problem, the first of: nul, utf8, its structure (quote, json, fields), then role by role. The
value is the start of the line for the first five of these, the field's text for "number", "not-finite",
"start", "end" and "tokens", the role for "missing", "type", "null" and "empty-id", the document for
"duplicate" and "repeated-rank".
"Earlier line" is the first one in the file.
"""

class Layout:
    """How one line is split and which field is what.

    kind: "blank" (runs of blanks and tabs separate; leading and trailing ones ignored), "delimited" (one
    `delimiter` byte separates; fields may hold blanks and are taken as they are, quotes are data), "csv"
    (as delimited, with RFC 4180 double quotes; a quoted field may not span lines), "json" (one JSON object
    a line, keys in any order). columns: role -> field index (not json). keys: role -> accepted JSON keys,
    the first present wins (json). Roles: "query", "doc", "score", "rank", and for tables any name. width:
    (fewest, most) fields, most 0 = unbounded. header: physical lines to skip at the start. comments: skip
    lines that start with '#'. A UTF-8 byte order mark at the start of the input is dropped. CR before LF
    belongs to the line end. Blank lines are skipped and counted.
    """

    def __init__(
        self,
        kind: str,
        *,
        columns: Mapping[str, int] = ...,
        keys: Mapping[str, Sequence[str]] = ...,
        width: tuple[int, int] = ...,
        delimiter: str = ...,
        header: int = ...,
        comments: bool = ...,
    ) -> None: ...

class TableResult(TypedDict):
    columns: dict[str, Any]  # role -> Text (texts) or NDArray[float64] (numbers)
    line: NDArray[np.int64]  # physical line (text) or record number from 1 (columns, mappings) of each row
    blank_lines: int
    comment_lines: int
    problems: list[RawProblem]
    problem_count: int

class Table:
    """Reads a table (labels) whole: text roles and number roles, as columns.

    Of a role in `optional` a row may have nothing: a missing JSON key, null or "", an empty or missing field,
    no column at all. Then its text is empty, its number NaN.
    """

    def __init__(
        self, layout: Layout, texts: Sequence[str], numbers: Sequence[str], optional: Sequence[str] = ()
    ) -> None: ...
    def feed(self, block: bytes | bytearray | memoryview, last: bool = False) -> tuple[int, int]: ...
    def finish(self) -> TableResult: ...

def table_from_arrow(
    source: Any, texts: Mapping[str, str], numbers: Mapping[str, str], optional: Sequence[str] = ()
) -> TableResult:
    """Columns of anything with `__arrow_c_stream__`: role -> column name. Ids may be utf8, large_utf8,
    utf8_view, dictionaries of these, or integers (as decimal text). Any other type raises TypeError naming
    column and type. A null, or NaN for a number, is nothing: of `optional` roles a row may have that.
    """

def table_from_mapping(source: Mapping[Any, Any]) -> TableResult:
    """{query: {doc: grade}} or {query: [doc, ...]} (no "grade" column then). Roles: query, doc, grade. Keys
    may be str or int. Anything else raises TypeError that says where.
    """

class Labels:
    """The index over label rows that every match uses; queries are numbered in order of first appearance."""

    def __init__(self, query: Text, doc: Text, extra_queries: Text | None = None) -> None: ...
    # extra_queries: queries of the population without any label row; numbered after the others,
    # duplicates ignored
    @property
    def query_of_row(self) -> NDArray[np.int32]: ...
    @property
    def first_row(self) -> NDArray[np.int64]: ...  # row number of the first row with the same (query, doc)
    @property
    def query_ids(self) -> Text: ...

class MatchResult(TypedDict):
    # hits: one per retrieved labelled (query, doc), sorted by query, then rank; ranks start at 1
    query: NDArray[np.int32]
    rank: NDArray[np.int64]
    row: NDArray[np.int64]  # first label row of that (query, doc)
    tie_first: NDArray[np.int64]
    tie_last: NDArray[np.int64]
    retrieved: NDArray[np.int64]  # per query of Labels: documents ranked (after removals), -1 when absent
    head_offsets: NDArray[np.int64]  # per query + 1
    head_record: NDArray[np.int64]  # record number (0-based data row in the run) of each head document
    head_row: NDArray[np.int64]  # first label row or -1
    head_ids: Text  # where passages are kept all are empty
    head_tied: NDArray[np.uint8]  # order by score: 1 where the score is that of the place before
    head_passage: NDArray[np.int32]  # with passages: the row of each head document in them
    passages: dict[str, Any]  # "doc" and the fields asked for (Text, or float64), "line": int64
    unlabelled: Text  # run queries that Labels does not know, in order of first appearance
    unlabelled_retrieved: NDArray[np.int64]
    lines: int  # physical lines
    records: int  # data rows
    blank_lines: int
    comment_lines: int
    tied_records: int  # documents whose score equals another one's in the same ranking
    tied_queries: NDArray[np.int32]  # label queries with at least one tie anywhere
    tied_unlabelled: int
    duplicates_removed: int
    duplicate_examples: list[
        tuple[bytes, bytes, int, int]
    ]  # (query, doc, line, earlier line), the first 1000
    self_hits_dropped: int
    self_hit_examples: list[tuple[bytes, bytes, int]]  # the first 1000
    # "used", "fractional" (used, not whole), "none" (none, or not looked at), "constant", "not-integer", "ok"
    rank_column: str
    pairs_fall: int  # adjacent pairs in rank order inside a query whose scores fall / rise (ties not counted)
    pairs_rise: int
    inverted: Text  # queries (labelled or not, first 1000) with more rising than falling pairs
    inverted_count: int
    deepest: int  # longest ranking
    problems: list[RawProblem]  # the first 20 by line
    problem_count: int
    scattered: bool  # a query came back after its block was closed: read again with grouped=True

class Ordering:
    def __init__(
        self,
        key: str,  # "score", "rank", "given"
        *,
        bits: int = 64,  # 32: scores are rounded to 32 bits first; beyond their range they are infinite
        ties: str = "docid-desc",  # "docid-desc", "docid-asc", "given"
        duplicates: str = "error",  # "error", "best", "first", "last", "keep"
        drop_self_hits: bool = False,
        check_rank: bool = False,  # look at the rank column beside the scores (key "score" only)
    ) -> None: ...

class Matcher:
    """Joins one run with Labels. Feed blocks (text), a file, one Arrow source or a mapping, then finish.

    A block is done with when feed() returns, but for the last query's lines, which are copied. Results depend
    neither on the blocks nor on the number of threads. Once `scattered` is true everything else of the result
    is meaningless: feed the run again with grouped=True, which keeps all of it in memory. A mapping of lists
    needs the key "given"; a mapping of dicts may have it, too: then a dict's order is the ranking.

    `passages` names fields ("doc", "source", "start", "end", "text", "tokens"); any of them asks for the
    distinct documents of the heads, in the order of their first appearance there, with the fields' values: of
    the first row in the file that has one, whatever its query and rank. Empty or NaN where none has. Of rows
    that contradict each other "passage" problems tell. The roles are optional in the layout and in columns.
    """

    def __init__(
        self,
        labels: Labels,
        layout: Layout | None,
        ordering: Ordering,
        *,
        depth: int = 0,
        threads: int = 1,
        grouped: bool = False,
        passages: Sequence[str] = (),
    ) -> None: ...
    def feed(self, block: bytes | bytearray | memoryview, last: bool = False) -> tuple[int, int]: ...
    def feed_file(self, descriptor: int, offset: int, size: int, count: int) -> int:
        """In place of blocks: `count` ranges of a regular file, each of `size` bytes, the first at `offset`;
        every thread reads its own. A call goes on where the one before ended, with the same size. Returns how
        many of the bytes the file has: fewer than all, and it has ended. OSError where it cannot be read.
        """
    def feed_arrow(self, source: Any, columns: Mapping[str, str]) -> None: ...
    def feed_mapping(self, source: Mapping[Any, Any]) -> None: ...
    @property
    def scattered(self) -> bool: ...
    def finish(self) -> MatchResult: ...

class JsonLines:
    """JSON text of rows: for each row every field's text and value, then `after`.

    A field is the text before the value, and a column: ("texts", bytes, offsets), ("integers", int64),
    ("numbers", float64; NaN is null), ("choices", tokens, int64), ("text lists", group offsets, bytes,
    offsets), ("number lists", group offsets, float64), ("text numbers", group offsets, bytes, offsets,
    float64: an object), ("counts", keys, int64 for each row and key: an object of those above 0), ("raw",
    bytes, offsets: as it is), ("optional texts", before, after, bytes, offsets: nothing where empty).
    """

    def __init__(self, fields: list[tuple[str, tuple[Any, ...]]], after: str, rows: int) -> None: ...
    def text(self, start: int, end: int) -> bytes: ...

class LabelLines:
    """The rows as lines [query, doc, source, start, end, quote, need, grade] sorted by bytes; and for each
    query the 64-bit FNV-1a hash of its lines, as 16 hexadecimal digits. Without `evidence` (sources, starts,
    ends, quotes) these four are null; with it every empty text, the need too, and a place below 0 is null.
    """

    def __init__(
        self,
        queries: Text,
        query: NDArray[np.int32],
        docs: Text,
        needs: Text | None,
        grades: NDArray[np.float64],
        evidence: tuple[Text, NDArray[np.int64], NDArray[np.int64], Text] | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def text(self, start: int, end: int) -> bytes: ...  # the sorted lines start to end
    def digests(self) -> Text: ...

def contained(
    texts: tuple[bytes, NDArray[np.int64], NDArray[np.int64]],
    words: tuple[bytes, NDArray[np.int64], NDArray[np.int64]],
    text: NDArray[np.int32],
    word: NDArray[np.int32],
    threads: int = 1,
) -> NDArray[np.uint8]:
    """For each pair 1 where the text contains the words; empty words are contained in nothing.

    Texts are bytes, and where each starts and ends in them. Pairs of one word are best side by side.
    """
