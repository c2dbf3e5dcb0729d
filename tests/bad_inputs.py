"""Bad input, case by case, with what firsthit says; `python -m tests.bad_inputs` prints docs/errors.md."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zstandard

from firsthit.errors import FirsthitError
from firsthit.evaluation.assemble import labels_of
from firsthit.matching.match import match
from firsthit.queries import read_queries
from firsthit.resolve.sources import Collection
from firsthit.rules import rules_from
from firsthit.run import read_run
from tests import bad_comparisons

LABELS = b"q1 0 a 1\nq2 0 b 1\n"
LABEL = b'{"query_id": "q1", "grade": 1, %s}\n'
RUN = b"q1 Q0 a 1 2.5 bm25\nq1 Q0 c 2 1.5 bm25\nq2 Q0 b 1 2.0 bm25\n"


@dataclass(frozen=True)
class Case:
    """An input that is refused: `about` says why; `labels` or `run` replaces the good one, None: no file."""

    about: str
    labels: bytes | None = LABELS
    run: bytes | None = RUN
    queries: bytes | None = None
    passages: bytes | None = None
    sources: bytes | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)


def _repeated(template: str, count: int) -> bytes:
    return "".join(template.format(i) for i in range(1, count + 1)).encode()


SECTIONS: dict[str, list[Case]] = {
    "Files": [
        Case("A file that is not there.", run=None),
        Case("A folder.", run=b"<folder>"),
        Case("An empty label file.", labels=b""),
        Case("An empty run; `--empty-run score` counts every query as absent.", run=b""),
        Case("A binary file.", run=bytes(range(256)) * 8),
        Case("A spreadsheet or another ZIP archive.", labels=b"PK\x03\x04 rest"),
        Case("gzip data that is cut off.", run=gzip.compress(RUN * 50, mtime=0)[:-12]),
        Case("zstd data that is cut off.", run=zstandard.compress(RUN * 50)[:-5]),
        Case("gzip data that is damaged.", run=gzip.compress(RUN, mtime=0)[:-8] + bytes(8)),
    ],
    "Encodings": [
        Case("UTF-16.", labels=LABELS.decode().encode("utf-16")),
        Case("UTF-16 without a byte order mark.", labels=LABELS.decode().encode("utf-16-le")),
        Case("Latin-1.", labels=b"q1 0 a 1\nq1 0 caf\xe9 1\n"),
        Case("A NUL byte in a text.", run=RUN + b"q2 Q0 x\0y 2 1.0 bm25\n"),
    ],
    "The wrong file": [
        Case("A run given as the labels.", labels=RUN),
        Case("Labels given as the run.", run=LABELS),
        Case("BEIR labels given as the run.", run=b"query-id\tcorpus-id\tscore\nq1\ta\t1\n"),
        Case(
            "JSON Lines with grades given as the run.",
            run=b'{"query_id": "q1", "doc_id": "a", "grade": 1}\n',
        ),
        Case("A DPR result given as the labels.", labels=b'[{"question": "how", "ctxs": [{"id": "a"}]}]'),
    ],
    "Formats": [
        Case("Labels of 3 columns without a header: they could be an MS MARCO run.", labels=b"q1 a 1\n"),
        Case("Labels of 2 columns.", labels=b"q1\ta\n"),
        Case("Labels of 5 columns.", labels=b"q1 0 a 1 x\n"),
        Case("A CSV file without a header.", labels=b"q1,a,1\n"),
        Case("A header with a name that is not known.", labels=b"query_id,passage_text,grade\nq1,a,1\n"),
        Case("A header that names a column twice.", run=b"qid,docid,score,score\nq1,a,1,2\n"),
        Case("A run of 3 columns whose third is no rank.", run=b"q1 a 0.9\nq1 b 0.8\n"),
        Case("A run of 2 columns without a header.", run=b"q1 a\n"),
        Case("A JSON list that is no DPR result.", run=b"[1, 2]"),
        Case("A format that does not exist.", formats={"run": "excel"}),
        Case("An order that the run cannot serve.", run=b"q1 a 1\n", rules={"order": "score"}),
    ],
    "Lines": [
        Case("Too few columns.", run=RUN + b"q2 Q0 c\n"),
        Case("Too many columns.", labels=LABELS + b"q2 0 New York 1\n"),
        Case("A comment, which is data unless `--comments skip` is given.", labels=b"# a pool\n" + LABELS),
        Case("A score that is no number.", run=RUN + b"q2 Q0 c 2 high bm25\n"),
        Case("A score in hexadecimal digits.", run=RUN + b"q2 Q0 c 2 0x1p3 bm25\n"),
        Case("A score that overflows.", run=RUN + b"q2 Q0 c 2 1e999 bm25\n"),
        Case("A score that is NaN.", run=RUN + b"q2 Q0 c 2 nan bm25\n"),
        Case("A score that is infinite.", run=RUN + b"q2 Q0 c 2 -inf bm25\n"),
        Case("A grade that is no number.", labels=LABELS + b"q2 0 c relevant\n"),
        Case("A grade that is empty.", labels=b"query,docid,rating\nq1,a,1\nq1,b,\n"),
        Case("An id that is empty.", labels=b"query_id\tdoc_id\tgrade\nq1\t\t1\n"),
        Case("A quote that is never closed.", labels=b'query_id,doc_id,grade\nq1,"a,1\n'),
        Case("More problems than are shown.", run=_repeated("q1 Q0 d{0} {0} high t\n", 1_234)),
    ],
    "JSON": [
        Case(
            "A line that is no object.",
            labels=b'{"query_id": "q1", "doc_id": "a", "grade": 1}\n{"query_id": \n',
        ),
        Case(
            "A record without a needed key.",
            run=b'{"qid": "q1", "docid": "a", "score": 2}\n{"qid": "q1", "docid": "b"}\n',
        ),
        Case(
            "A value of another type.",
            labels=b'{"qid": "q1", "docid": "a", "grade": 1}\n{"qid": "q1", "docid": "b", "grade": []}\n',
        ),
        Case("A key that stands twice in a mapping.", run=b'{"q1": {"a": 2, "a": 1}}'),
        Case("NaN in a mapping.", run=b'{"q1": {"a": NaN}}'),
        Case("A mapping whose values are no numbers.", labels=b'{"q1": {"a": "yes"}}'),
        Case("Broken JSON.", run=b'{"q1": {"a": 2,\n "b" 1}}'),
    ],
    "Labels that contradict each other": [
        Case(
            "One document with two grades; equal grades collapse and are counted.",
            labels=LABELS + b"q1 0 a 0\n",
        ),
        Case("One document for several needs.", labels=b"q1 1 a 1\nq1 2 a 1\n"),
    ],
    "Labels of sources, spans and quotes": [
        Case("A span that ends before it starts.", labels=LABEL % b'"source": "a.md", "start": 9, "end": 3'),
        Case("A span without an end.", labels=LABEL % b'"source": "a.md", "start": 9'),
        Case(
            "A place that is no whole number of 0 or more.",
            labels=LABEL % b'"source": "a.md", "start": -2, "end": 1.5',
        ),
        Case(
            "A span without the source that it is a part of.",
            labels=LABEL % b'"quote": "five days", "start": 2, "end": 7',
        ),
        Case(
            "A label that points at nothing.",
            labels=LABEL % b'"source": "a.md"' + LABEL % b'"note": "see above"',
        ),
        Case("A kind that is not known.", labels=LABEL % b'"source": "a.md", "kind": "guess"'),
        Case(
            "Two assessors who disagree.",
            labels=b'{"query_id": "q1", "source": "a.md", "grade": 1, "assessor": "ann"}\n'
            b'{"query_id": "q1", "source": "a.md", "grade": 0, "assessor": "bob"}\n',
        ),
        Case(
            "Two texts for one query.",
            labels=b'{"query_id": "q1", "query": "a fee?", "doc_id": "a", "grade": 1}\n'
            b'{"query_id": "q1", "query": "a refund?", "doc_id": "b", "grade": 1}\n',
        ),
        Case(
            "A need that the queries file does not declare.",
            labels=LABEL % b'"doc_id": "a", "need": "fee"',
            queries=b"query_id\tneeds\nq1\tpolicy;exception\n",
        ),
    ],
    "Passages and sources": [
        Case(
            "A passages file with an id twice.",
            passages=b'{"doc_id": "d#1", "text": "One."}\n{"doc_id": "d#1", "text": "Two."}\n',
        ),
        Case(
            "A passage with two sources in a passages file.",
            passages=b'{"doc_id": "p1", "source": "d"}\n{"doc_id": "p1", "source": "e"}\n',
        ),
        Case("A mapping with two sources for one passage.", sources=b"doc_id\tsource\np1\td\np1\te\n"),
        Case("A mapping without a source.", sources=b"doc_id\tsource\np1\t\n"),
        Case(
            "A passage that ends before it starts.",
            passages=b'{"doc_id": "p1", "source": "d", "start": 9, "end": 3}\n',
        ),
        Case("A place without a source.", passages=b'{"doc_id": "p1", "start": 0, "end": 3}\n'),
        Case(
            "A place that is no number.",
            passages=b'{"doc_id": "p1", "source": "d", "start": "x", "end": 3}\n',
        ),
        Case("A passages file without passages.", passages=b"doc_id,text\n"),
        Case("An overlap outside (0, 1].", rules={"overlap": 1.5}),
    ],
    "Answers": [
        Case(
            "A question without answers.",
            labels=b'{"question": "who", "answers": []}\n',
            rules={"match": "answers"},
        ),
        Case(
            "A question that stands twice.",
            labels=b"who\t['a']\nwho\t['b']\n",
            rules={"match": "answers"},
        ),
        Case("Labels given as answers.", rules={"match": "answers"}),
    ],
    "Rankings that contradict themselves": [
        Case("A document that stands twice.", run=RUN + b"q1 Q0 a 3 0.5 bm25\n"),
        Case("Ranks that repeat, where ranks count.", run=b"q1 a 1\nq1 b 1\n"),
        Case("Ranks against scores.", run=b"q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n"),
    ],
    "Queries files": [
        Case(
            "A query that stands twice, a value that is neither true nor false.",
            queries=b"query_id\tcritical\nq1\tyes\nq2\tmaybe\nq1\tno\n",
        ),
        Case("Two texts for one query.", queries=b"query_id\ttext\nq1\ta fee?\nq1\ta refund?\n"),
        Case("A file without a header, tabs or ids.", queries=b"how do I reset it\n"),
    ],
}


def said(case: Case, folder: Path) -> str:
    """What firsthit says about a case, with plain file names; empty where it says nothing."""
    paths = {}
    files = {"labels.txt": case.labels, "system.run": case.run, "queries.tsv": case.queries}
    files |= {"passages.jsonl": case.passages, "sources.tsv": case.sources}
    for name, data in files.items():
        path = paths[name] = folder / name
        if data == b"<folder>":
            path.mkdir()
        elif data is not None:
            path.write_bytes(data)
    try:
        rules = rules_from(case.rules)
        qrels = labels_of(paths["labels.txt"], case.formats.get("labels"), rules)
        run = read_run(paths["system.run"], format=case.formats.get("run"))
        match(qrels, run, rules=rules)
        if case.queries is not None:
            qrels.with_needs(read_queries(paths["queries.tsv"]))
        passages = paths["passages.jsonl"] if case.passages is not None else None
        Collection.of(passages, paths["sources.tsv"] if case.sources is not None else None)
    except FirsthitError as error:
        return str(error).replace(f"{folder}/", "")
    return ""


INTRODUCTION = """# Errors

What cannot be used is refused with one message, exit code 2, and nothing is written. A message says what is
wrong, where (file, physical line, value) and what to do; several problems are reported together, the first 20
and their number. The messages below are the real ones: a test compares this page with them.

What is fine, and needs no option: UTF-8 with or without a byte order mark; LF or CRLF; tabs or any number of
blanks between the columns of TREC files; no final newline; blank lines (counted); ids of any printable
characters, in TSV, CSV and JSON also with blanks; gzip and zstd, recognised by content, not by name; standard
input (`-`) and pipes, which are copied to a temporary file: they may have to be read twice.

A file that may not be read is refused with "may not be read (permission denied)".
A run that becomes shorter while it is read is refused with "became shorter while it was read".
"""


def page(new_folder: Callable[[], Path]) -> str:
    """docs/errors.md."""
    parts = [INTRODUCTION]
    for title, cases in SECTIONS.items():
        parts.append(f"\n## {title}\n")
        parts += [_shown(case.about, said(case, new_folder())) for case in cases]
    for title, refused in bad_comparisons.SECTIONS.items():
        parts.append(f"\n## {title}\n")
        parts += [_shown(case.about, bad_comparisons.said(case, new_folder())) for case in refused]
    return "".join(parts)


def _shown(about: str, message: str) -> str:
    return f"\n{about}\n\n```text\n{message}\n```\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        numbers = iter(range(10_000))

        def subfolder() -> Path:
            path = Path(root) / str(next(numbers))
            path.mkdir()
            return path

        print(page(subfolder), end="")
