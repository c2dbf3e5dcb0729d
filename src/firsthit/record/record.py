"""The saved evaluation: JSON Lines that hold the card, one line a query, and their own digest.

docs/saved-evaluation.md is the reference. Nothing is loaded that is not understood: another version, an
unknown key, a length or a digest that does not fit are errors.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterator
from typing import Any, Literal, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit.card.card import CARD_VERSION, Card
from firsthit.errors import InputError, Problem
from firsthit.files.atomic import write_whole
from firsthit.files.blocks import Blocks
from firsthit.ids import Ids
from firsthit.population import HIT, MISS, STATUSES
from firsthit.record.detail import Detail, Ragged
from firsthit.record.encode import encode_lines

__all__ = ["First", "QueryLine", "Record", "digest_of", "load_record", "save_record"]

Status = Literal["found", "none", "absent", "no_relevant", "unlabelled", "unanswerable"]


class First(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first hit: its document, and what the label that it satisfies points at, where known."""

    doc_id: str
    source: str | None = None
    start: int | None = None
    end: int | None = None
    quote: str | None = None

    @property
    def evidence(self) -> dict[str, Any] | None:
        """What is known beyond the document; None for nothing."""
        known = {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}
        return known if len(known) > 1 else None


class QueryLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One query of a saved evaluation, as its line holds it."""

    query_id: str
    status: Status
    first_rank: int
    retrieved: int
    values: dict[str, float | None]
    ranked: list[str]
    grades: list[float | None]
    relevant: dict[str, float]
    judged: dict[str, int]
    labels: str
    first: First | None = None
    needs: dict[str, int | None] | None = None
    tokens_to_first: int | None = None
    groups: dict[str, str | None] = {}
    critical: bool | None = None


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: int
    sha256: str


class Record(msgspec.Struct, frozen=True, eq=False):
    """What is saved: the card, and per query its status, ranks, values and detail, as columns.

    `codes` are those of `firsthit.population`; `values` are NaN where a query is in no mean.
    """

    card: Card
    query_ids: Ids
    codes: NDArray[np.int8]
    first_rank: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    values: dict[str, NDArray[np.float64]]
    detail: Detail


def save_record(record: Record, path: str | os.PathLike[str]) -> None:
    """Write the record to `path` (.gz and .zst are compressed), whole or not at all."""
    write_whole(path, _lines(record))


def digest_of(record: Record) -> str:
    """The digest of everything but the time of creation: equal records have equal digests."""
    digest = hashlib.sha256(_card_line(record.card, ""))
    for block in encode_lines(record):
        digest.update(block)
    return digest.hexdigest()


def _lines(record: Record) -> Iterator[bytes]:
    digest = hashlib.sha256(_card_line(record.card, ""))
    yield _card_line(record.card, _now())
    for block in encode_lines(record):
        digest.update(block)
        yield block
    yield msgspec.json.encode(_End(len(record.query_ids), digest.hexdigest())) + b"\n"


def _card_line(card: Card, created: str) -> bytes:
    """The card with this time, which is its last key, so that the digest can leave it out."""
    return msgspec.json.encode(msgspec.structs.replace(card, created=created)) + b"\n"


def _now() -> str:
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(int(seconds) if seconds.isdigit() else None)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)


def load_record(path: str | os.PathLike[str]) -> Record:
    """Read a saved evaluation back; anything that is not exactly one is an InputError."""
    blocks = Blocks(path)
    text = b"".join(bytes(block) for block in blocks.read())
    name = os.fspath(path)
    lines = text.split(b"\n")
    card = _read_card(name, lines[0])
    if len(lines) < 3 or lines[-1]:
        _refuse(name, "the file is cut off: its last line is not an end line")
    end = _read_end(name, lines[-2])
    if end.end != len(lines) - 3:
        _refuse(name, f"the file is cut off or edited: {len(lines) - 3:,} queries, {end.end:,} expected")
    digest = hashlib.sha256(re.sub(rb'"created":"[^"]*"}$', b'"created":""}', lines[0]) + b"\n")
    digest.update(text[len(lines[0]) + 1 : len(text) - len(lines[-2]) - 1])
    if digest.hexdigest() != end.sha256:
        _refuse(name, "the file was edited or damaged: its content does not have the digest on its last line")
    return _record(name, card, lines[1:-2])


def _read_card(name: str, line: bytes) -> Card:
    try:
        version = msgspec.json.decode(line)["version"]
    except (msgspec.DecodeError, KeyError, TypeError):
        _refuse(name, "not a saved evaluation: the first line is not a card")
    if version != CARD_VERSION:
        _refuse(name, f"saved as version {version!r}, and this firsthit reads version {CARD_VERSION}")
    try:
        return msgspec.json.decode(line, type=Card)
    except msgspec.ValidationError as error:
        _refuse(name, f"the card is not understood: {error}")


def _read_end(name: str, line: bytes) -> _End:
    try:
        return msgspec.json.decode(line, type=_End)
    except msgspec.DecodeError:
        _refuse(name, "the file is cut off: its last line is not an end line")


def _refuse(name: str, what: str, line: int = 0) -> NoReturn:
    hint = "Nothing was loaded; save the evaluation again with `firsthit eval --save`."
    raise InputError(name, [Problem(what, line)], hint=hint)


def _record(name: str, card: Card, lines: list[bytes]) -> Record:
    decode = msgspec.json.Decoder(QueryLine).decode
    queries: list[QueryLine] = []
    for number, line in enumerate(lines, 2):
        try:
            query = decode(line)
        except msgspec.DecodeError as error:
            _refuse(name, f"not a query of a saved evaluation: {error}", number)
        if problem := _misfit(card, query):
            _refuse(name, problem, number)
        queries.append(query)
    try:
        return _columns(card, queries)
    except (KeyError, ValueError) as error:
        _refuse(name, f"the queries do not fit each other: {error}")


def _misfit(card: Card, query: QueryLine) -> str:
    if len(query.grades) != len(query.ranked):
        return f"{len(query.ranked)} ranked documents and {len(query.grades)} grades"
    if len(query.ranked) > max(0, min(card.depth, query.retrieved)):
        return f"{len(query.ranked)} ranked documents, more than the depth or the number retrieved"
    if list(query.values) != list(card.means):
        return "the values are not those of the card's measures"
    return _misfit_first(query) if query.first else ""


def _misfit_first(query: QueryLine) -> str:
    """What is wrong with the first hit as it is named; "" for nothing."""
    first, rank = query.first, query.first_rank
    if first is None or not rank:
        return "a first hit is named, and there is none"
    if rank <= len(query.ranked) and query.ranked[rank - 1] != first.doc_id:
        return f"the first hit is {first.doc_id!r}, and {query.ranked[rank - 1]!r} stands at its rank"
    if (first.start is None) != (first.end is None) or (first.start is not None and not first.source):
        return "the first hit has a part of a span"
    if first.start is not None and first.end is not None and not 0 <= first.start < first.end:
        return f"the first hit has a span from {first.start:,} to {first.end:,}"
    return ""


def _columns(card: Card, queries: list[QueryLine]) -> Record:
    first_rank = _array([query.first_rank for query in queries], np.int64)
    values = {
        name: _array([_number(query.values[name]) for query in queries], np.float64) for name in card.means
    }
    return Record(
        card=card,
        query_ids=Ids.of(query.query_id for query in queries),
        codes=_codes(queries, values.get(card.primary)),
        first_rank=first_rank,
        retrieved=_array([query.retrieved for query in queries], np.int64),
        values=values,
        detail=_detail(queries),
    )


def _codes(queries: list[QueryLine], primary: NDArray[np.float64] | None) -> NDArray[np.int8]:
    """Hit or miss follows from the primary measure; the record only says found or none."""
    code = {status: i for i, status in enumerate(STATUSES)}
    hit = np.zeros(len(queries), bool) if primary is None else primary > 0
    codes = [code.get(query.status, MISS) for query in queries]
    found = np.array(codes, np.int8)
    found[(found == MISS) & hit] = HIT
    found.flags.writeable = False
    return found


def _detail(queries: list[QueryLine]) -> Detail:
    grades = sorted({float(grade) for query in queries for grade in query.judged})
    column = {grade: i for i, grade in enumerate(grades)}
    judged = np.zeros((len(queries), len(grades)), np.int64)
    for i, query in enumerate(queries):
        for grade, count in query.judged.items():
            judged[i, column[float(grade)]] = count
    return Detail(
        ranked=_ragged([(query.ranked, [_number(grade) for grade in query.grades]) for query in queries]),
        relevant=_ragged([(list(query.relevant), list(query.relevant.values())) for query in queries]),
        grades=np.array(grades),
        judged=judged,
        labels=Ids.of(query.labels for query in queries),
        first=Ids.of(_deep(query) for query in queries),
        **_optional(queries),
    )


def _deep(query: QueryLine) -> str:
    """The first hit where it is deeper than the documents kept."""
    return query.first.doc_id if query.first and query.first_rank > len(query.ranked) else ""


def _optional(queries: list[QueryLine]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if any(query.first is not None and query.first.evidence for query in queries):
        found["evidence"] = [query.first and query.first.evidence for query in queries]
    if any(query.needs is not None for query in queries):
        found["needs"] = [query.needs or {} for query in queries]
    if any(query.tokens_to_first is not None for query in queries):
        found["tokens_to_first"] = [query.tokens_to_first for query in queries]
    if any(query.groups for query in queries):
        found["groups"] = {name: [query.groups[name] for query in queries] for name in queries[0].groups}
    if any(query.critical is not None for query in queries):
        found["critical"] = [bool(query.critical) for query in queries]
    return found


def _ragged(groups: list[tuple[list[str], list[float]]]) -> Ragged:
    offsets = np.zeros(len(groups) + 1, np.int64)
    np.cumsum([len(ids) for ids, _ in groups], out=offsets[1:])
    ids = Ids.of(doc_id for docs, _ in groups for doc_id in docs)
    return Ragged(offsets, ids, np.array([number for _, numbers in groups for number in numbers], float))


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _array(values: list[Any], kind: Any) -> NDArray[Any]:
    array = np.array(values, kind)
    array.flags.writeable = False
    return array
