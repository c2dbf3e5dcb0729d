"""Rows of a run into the lines and files of every format, with all the ways in which files differ."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.odd_values import BROKEN_LINES, BROKEN_OF_KIND

__all__ = [
    "SHAPES",
    "Row",
    "Shape",
    "broken_lines",
    "file_of",
    "joined",
    "json_line",
    "line_of",
    "lines_of_file",
    "plain_line",
]


@dataclass(frozen=True)
class Row:
    """One line of a run, as texts."""

    query: str
    doc: str
    rank: str
    score: str


@dataclass(frozen=True)
class Shape:
    """A format: the kind of its lines, its fields in order (roles, or a fixed text), its width."""

    kind: str
    fields: tuple[str, ...]
    width: tuple[int, int] = (0, 0)
    delimiter: str = "\t"

    def layout(self, **more: Any) -> dict[str, Any]:
        """The arguments of `Layout`."""
        if self.kind == "json":
            return {"kind": "json", "keys": JSON_KEYS, **more}
        columns = {role: at for at, role in enumerate(self.fields) if role in ROLES}
        return {
            "kind": self.kind,
            "columns": columns,
            "width": self.width,
            "delimiter": self.delimiter,
            **more,
        }

    def texts(self, row: Row) -> list[str]:
        """The fields of one line."""
        return [str(getattr(row, name)) if name in ROLES else name for name in self.fields]

    @property
    def keys(self) -> list[str]:
        """What this format can be ordered by."""
        roles = ROLES if self.kind == "json" else self.fields
        return [key for key in ("score", "rank") if key in roles] + ["given"]


ROLES = ("query", "doc", "rank", "score")
JSON_KEYS = {"query": ["query_id", "qid"], "doc": ["doc_id", "docid"], "score": ["score"], "rank": ["rank"]}
SHAPES = {
    "trec": Shape("blank", ("query", "Q0", "doc", "rank", "score", "tag"), (6, 0)),
    "wide": Shape("blank", ("query", "Q0", "doc", "rank", "score", "my", "run", "1"), (6, 0)),
    "five": Shape("blank", ("query", "Q0", "doc", "rank", "score"), (5, 5)),
    "msmarco": Shape("blank", ("query", "doc", "rank"), (3, 3)),
    "tsv": Shape("delimited", ("score", "doc", "query"), (3, 3)),
    "tsv rank": Shape("delimited", ("query", "doc", "", "score", "rank"), (4, 5)),
    "csv": Shape("csv", ("query", "doc", "rank", "score"), (4, 4), ","),
    "ssv": Shape("csv", ("doc", "query", "score", "x;y"), (3, 0), ";"),
    "json": Shape("json", ()),
}


@st.composite
def line_of(draw: st.DrawFn, shape: Shape, row: Row) -> bytes:
    """One line, without its end."""
    if shape.kind == "json":
        return draw(json_line(row)).encode()
    fields = shape.texts(row)
    if shape.kind == "delimited":
        return shape.delimiter.join(fields).encode()
    if shape.kind == "csv":
        return shape.delimiter.join([draw(csv_field(text, shape.delimiter)) for text in fields]).encode()
    gap = draw(st.sampled_from([" ", " ", " ", "\t", "  ", " \t ", "\v", "\f"]))
    start, end = draw(st.sampled_from([("", ""), ("", ""), (" ", ""), ("", " "), ("\t", "\f")]))
    return (start + gap.join(fields) + end).encode()


@st.composite
def csv_field(draw: st.DrawFn, text: str, delimiter: str) -> str:
    needed = delimiter in text or '"' in text
    if needed or draw(st.sampled_from([False, False, True])):
        return '"' + text.replace('"', '""') + '"'
    return text


@st.composite
def json_line(draw: st.DrawFn, row: Row) -> str:
    """A JSON object: keys in any order, other keys between, escapes or none, values as texts or numbers."""
    members = [
        (draw(st.sampled_from(["query_id", "query_id", "qid"])), json_id(row.query, draw(st.booleans()))),
        (draw(st.sampled_from(["doc_id", "doc_id", "docid"])), json_id(row.doc, draw(st.booleans()))),
        ("score", json_number(row.score, draw(st.booleans()))),
    ]
    if draw(st.sampled_from([True, True, True, False])):
        members.append(("rank", json_number(row.rank, draw(st.booleans()))))
    others = ["null", '[1, {"score": 2}]', '"\\u00e9 \\" {"', "{}", "-1.5e+3", "true", "NaN", '"\\ud800"']
    members += [
        (f"x{at}", other) for at, other in enumerate(draw(st.lists(st.sampled_from(others), max_size=2)))
    ]
    ascii_only = draw(st.booleans())
    space = draw(st.sampled_from(["", " ", "\t "]))
    items = [f"{json.dumps(key)}{space}:{space}{value}" for key, value in draw(st.permutations(members))]
    line = "{" + space + f",{space}".join(items) + space + "}"
    return escaped(line) if ascii_only else line


def json_id(text: str, bare: bool) -> str:
    if bare and re.fullmatch(r"-?(0|[1-9][0-9]*)", text):
        return text
    return json.dumps(text, ensure_ascii=False)


def json_number(text: str, bare: bool) -> str:
    if bare and re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return text
    return json.dumps(text, ensure_ascii=False)


def escaped(line: str) -> str:
    """The line with every character beyond ASCII as a JSON escape."""
    return "".join(char if char.isascii() else json.dumps(char)[1:-1] for char in line)


def plain_line(shape: Shape, row: Row) -> bytes:
    """One line as a program writes it, without its end."""
    if shape.kind == "json":
        return json.dumps(
            {"query_id": row.query, "doc_id": row.doc, "score": row.score, "rank": row.rank}
        ).encode()
    texts = shape.texts(row)
    if shape.kind == "csv":
        texts = ['"' + text.replace('"', '""') + '"' for text in texts]
    return (" " if shape.kind == "blank" else shape.delimiter).join(texts).encode()


@st.composite
def lines_of_file(draw: st.DrawFn, lines: list[bytes], kind: str) -> list[bytes]:
    """The lines with blank, broken and comment lines between."""
    lines = list(lines)
    for between in draw(
        st.lists(st.sampled_from([b"", b" ", b"\t \v", b"# a note", b"#q1 Q0 d1 1 1 t"]), max_size=3)
    ):
        lines.insert(draw(st.integers(0, len(lines))), between)
    if draw(st.sampled_from([False, False, False, True])):
        for broken in draw(st.lists(broken_lines(kind), min_size=1, max_size=3)):
            lines.insert(draw(st.integers(0, len(lines))), broken)
    return lines


@st.composite
def joined(draw: st.DrawFn, lines: list[bytes]) -> bytes:
    """The lines as a file: any line ends, a final one or none, a mark or none."""
    ends = st.sampled_from(draw(st.sampled_from([[b"\n"], [b"\n"], [b"\r\n"], [b"\n", b"\r\n"]])))
    data = b"".join(line + draw(ends) for line in lines)
    if draw(st.booleans()):
        data = data.removesuffix(b"\n")
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + data


@st.composite
def file_of(draw: st.DrawFn, lines: list[bytes], kind: str) -> bytes:
    """A file of these lines and odd ones."""
    return draw(joined(draw(lines_of_file(lines, kind))))


def broken_lines(kind: str) -> st.SearchStrategy[bytes]:
    """Lines that are wrong in one way or another."""
    return st.one_of(
        st.sampled_from(BROKEN_LINES),
        st.sampled_from(BROKEN_OF_KIND[kind]),
        st.binary(min_size=1, max_size=12).filter(lambda line: b"\n" not in line),
    )
