"""The JSON Schema of a label line: made from the code, and about what the reader takes and refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.errors import InputError
from firsthit.evidence import KINDS
from firsthit.formats.names import KNOWN
from firsthit.labels import Label, label_schema
from firsthit.qrels import read_qrels

PAGE = (Path(__file__).parents[2] / "docs" / "labels.md").read_text(encoding="utf-8")


def fits(row: dict[str, Any]) -> bool:
    """Whether a row is valid by the schema, as far as this one goes: keys, types, and what goes together."""
    schema = label_schema()
    try:
        msgspec.convert(row, Label)
    except msgspec.ValidationError:
        return False
    pointing = any(all(key in row for key in one["required"]) for one in schema["anyOf"])
    together = all(
        other in row for key, others in schema["dependentRequired"].items() if key in row for other in others
    )
    of = schema["dependentSchemas"]["start"]["anyOf"]
    return pointing and together and ("start" not in row or any(one["required"][0] in row for one in of))


TEXTS = st.sampled_from(["a", "b#1", "é 👍"])
PLACES = st.integers(-1, 3)
LABELS = st.fixed_dictionaries(
    {"query_id": TEXTS | st.integers(0, 3), "grade": st.sampled_from([0, 1, 0.5, "high", -2])},
    optional={
        "doc_id": TEXTS | st.integers(0, 3),
        "source": TEXTS,
        "need": TEXTS,
        "start": st.just(0) | PLACES,
        "end": st.just(4),
        "quote": TEXTS,
        "kind": st.sampled_from([*KINDS, "guess"]),
        "assessor": TEXTS,
        "at": TEXTS,
        "note": TEXTS,
        "url": TEXTS,
    },
)


@given(LABELS)
def test_the_schema_allows_what_the_reader_takes(tmp_path_factory: Any, row: dict[str, Any]) -> None:
    good = {"query_id": "good", "doc_id": "d", "source": "s", "grade": 1}  # what the first line holds decides
    path = tmp_path_factory.mktemp("labels") / "labels.jsonl"
    path.write_text(f"{json.dumps(good)}\n{json.dumps(row)}\n")
    try:
        read_qrels(path)
    except InputError:
        taken = False
    else:
        taken = True
    assert taken == fits(row), row


def test_the_keys_are_columns_of_label_files() -> None:
    titles = {"query": "query_id", "doc": "doc_id"}
    columns = {titles.get(column, column) for column in KNOWN["labels"]} - {"iter", "text"}
    assert set(label_schema()["properties"]) == columns | {"at", "note"}


@pytest.mark.parametrize("key", list(label_schema()["properties"]))
def test_every_key_is_described_here_and_in_the_docs(key: str) -> None:
    assert label_schema()["properties"][key]["description"].endswith((".", ")."))
    assert f"| `{key}` |" in PAGE


def test_the_schema_on_the_page_is_the_real_one() -> None:
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    assert json.loads(found[1]) == label_schema(), "run: firsthit labels schema"
