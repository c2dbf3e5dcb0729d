"""One line of a label file in JSON Lines, as a type; its JSON Schema is made from it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

__all__ = ["Label", "label_schema"]

Id = Annotated[str, Meta(min_length=1)] | int
Place = Annotated[int, Meta(ge=0)]
Kind = Literal["human", "answer-string", "llm", "imported"]


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """One judgment: how well a document, a source, a part of it or a quote answers a query.

    Other keys are allowed and kept by `firsthit labels carry`.

    >>> msgspec.json.decode(b'{"query_id": "q1", "source": "a.md", "grade": 2}', type=Label).grade
    2.0
    """

    query_id: Annotated[Id, Meta(description="The query that was judged.")]
    grade: Annotated[
        float, Meta(description="How well it answers; relevant from --rel on (1), 0: judged and no answer.")
    ]
    doc_id: Annotated[
        Id | UnsetType, Meta(description="The document or passage that was judged, as runs name it.")
    ] = UNSET
    source: Annotated[
        str | UnsetType,
        Meta(description="The document that the evidence stands in, whatever passages it is cut into."),
    ] = UNSET
    need: Annotated[
        str | UnsetType, Meta(description='The part of the question that it supports, such as "policy".')
    ] = UNSET
    start: Annotated[
        Place | UnsetType,
        Meta(description="Where the evidence starts in the source, in Unicode code points from 0."),
    ] = UNSET
    end: Annotated[
        Place | UnsetType, Meta(description="Where the evidence ends: the first code point after it.")
    ] = UNSET
    quote: Annotated[str | UnsetType, Meta(description="The words that support the answer.")] = UNSET
    kind: Annotated[Kind | UnsetType, Meta(description="How the label came to be.")] = UNSET
    assessor: Annotated[str | UnsetType, Meta(description="Who judged.")] = UNSET
    at: Annotated[str | UnsetType, Meta(description="When, as free text.")] = UNSET
    note: Annotated[str | UnsetType, Meta(description="Anything else, for people.")] = UNSET


def label_schema() -> dict[str, Any]:
    """The JSON Schema of one line, made from `Label`; it says, too, what only several keys together decide.

    >>> label_schema()["required"]
    ['query_id', 'grade']
    """
    schema = dict(msgspec.json.schema(Label)["$defs"]["Label"])
    schema["description"] = schema["description"].partition("\n")[0]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "anyOf": [{"required": [key]} for key in ("doc_id", "source", "quote")],
        "dependentRequired": {"start": ["end"], "end": ["start"]},
        "dependentSchemas": {"start": {"anyOf": [{"required": ["doc_id"]}, {"required": ["source"]}]}},
    }
