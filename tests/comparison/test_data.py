"""The JSON of a comparison has the shape that docs/comparison.md describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from firsthit.comparison.compare import compare
from firsthit.comparison.comparison import Comparison
from tests.comparison.cases import evaluation

PAGE = (Path(__file__).parents[2] / "docs" / "comparison.md").read_text(encoding="utf-8")

NUMBER = (int, float)
OPTIONAL_NUMBER = (int, float, type(None))
TEXT = str
OPTIONAL_TEXT = (str, type(None))
INTERVAL = {"low": NUMBER, "high": NUMBER, "method": TEXT, "padded": bool, "level": NUMBER}

MEASURE: dict[str, Any] = {
    "queries": int,
    "old": OPTIONAL_NUMBER,
    "new": OPTIONAL_NUMBER,
    "difference": OPTIONAL_NUMBER,
    "interval": INTERVAL,
    "equivalence": INTERVAL,
    "p": NUMBER,
    "exact": bool,
    "draws": int,
    "nonzero": int,
    "smallest_p": NUMBER,
    "p_holm": NUMBER,
    "family": int,
    "t_p": OPTIONAL_NUMBER,
    "wins": int,
    "losses": int,
    "ties": int,
    "wilcoxon_p": OPTIONAL_NUMBER,
    "sign_p": OPTIONAL_NUMBER,
}

QUERY: dict[str, Any] = {
    "query_id": TEXT,
    "text": OPTIONAL_TEXT,
    "change": TEXT,
    "first_rank_old": OPTIONAL_NUMBER,
    "first_rank_new": OPTIONAL_NUMBER,
    "value_old": NUMBER,
    "value_new": NUMBER,
    "difference": NUMBER,
    "top_old": OPTIONAL_TEXT,
    "top_new": OPTIONAL_TEXT,
    "unjudged_above_old": OPTIONAL_NUMBER,
    "unjudged_above_new": OPTIONAL_NUMBER,
    "critical": bool,
    "lower": OPTIONAL_NUMBER,
    "upper": OPTIONAL_NUMBER,
    "disputed": (bool, type(None)),
    "overlap": OPTIONAL_NUMBER,
    "rbo": OPTIONAL_NUMBER,
    "groups": dict,
}

SCHEMA: dict[str, Any] = {
    "old": TEXT,
    "new": TEXT,
    "measure": TEXT,
    "cutoff": (int, type(None)),
    "verdict": {
        "kind": TEXT,
        "sentence": TEXT,
        "second_sentence": OPTIONAL_TEXT,
        "reasons": [TEXT],
        "difference": NUMBER,
        "needed_queries": (int, type(None)),
    },
    "notices": [TEXT],
    "pairing": {"paired": int, "common": bool, "only_old": [TEXT], "only_new": [TEXT]},
    "means": dict,
    "changes": dict,
    "transitions": {
        "deepest": int,
        "cells": [
            {
                "old": (int, type(None)),
                "new": (int, type(None)),
                "queries": int,
                "contribution": NUMBER,
                "share": OPTIONAL_NUMBER,
            }
        ],
    },
    "sorted_differences": [NUMBER],
    "judged_share": {"old": OPTIONAL_NUMBER, "new": OPTIONAL_NUMBER},
    "agreement": {
        "cutoff": int,
        "depth": int,
        "queries": int,
        "mean_overlap": OPTIONAL_NUMBER,
        "mean_rbo": OPTIONAL_NUMBER,
        "churn_at_1": OPTIONAL_NUMBER,
        "churn": OPTIONAL_NUMBER,
    },
    "stale": [
        {
            "name": TEXT,
            "share": NUMBER,
            "over": bool,
            "labels": int,
            "stale": int,
            "nonrelevant": int,
            "reasons": dict,
            "cause": TEXT,
            "basis": TEXT,
            "limit": NUMBER,
        }
    ],
    "needs_lost": [
        {
            "query_id": TEXT,
            "first_rank_old": int,
            "first_rank_new": int,
            "needs": [{"need": TEXT, "rank_old": int, "rank_new": OPTIONAL_NUMBER}],
        }
    ],
    "bounds": {"difference": [NUMBER], "disputed": [TEXT]},
    "bounds_reason": TEXT,
    "turning": [
        {
            "query_id": TEXT,
            "doc_id": TEXT,
            "rank_old": int,
            "rank_new": int,
            "shift": NUMBER,
            "enough": bool,
        }
    ],
    "groups": list,
    "answers": (dict, type(None)),
    "settings": {
        "margin": OPTIONAL_NUMBER,
        "min_queries": int,
        "interval": TEXT,
        "cluster": OPTIONAL_TEXT,
        "seed": int,
    },
    "cards": {"old": dict, "new": dict},
    "queries": [QUERY],
}


def misfits(data: Any, schema: Any, place: str = "data") -> list[str]:
    """Where data has not the keys or the types of the schema."""
    if isinstance(schema, dict):
        if not isinstance(data, dict) or list(data) != list(schema):
            return [f"{place}: {list(data) if isinstance(data, dict) else data!r}"]
        return [one for key in schema for one in misfits(data[key], schema[key], f"{place}.{key}")]
    if isinstance(schema, list):
        if not isinstance(data, list):
            return [f"{place}: {data!r}"]
        return [one for item in data for one in misfits(item, schema[0], f"{place}[]")]
    return [] if isinstance(data, schema) else [f"{place}: {data!r}"]


def comparison(**options: Any) -> Comparison:
    old = {f"q{place}": rank for place, rank in enumerate([2] * 30 + [1] * 10)}
    new = dict.fromkeys(old, 1)
    old, new = old | {"m": 0}, new | {"m": 0}
    return compare(
        evaluation(old, ["RR@10", "R@10"]), evaluation(new, ["RR@10", "R@10"]), margin=0.1, **options
    )


def test_the_keys_and_types_are_those_of_the_schema() -> None:
    data = comparison().data()
    assert misfits(data, SCHEMA) == []
    for measure in data["means"].values():
        assert misfits(measure, MEASURE) == []
    assert data["turning"]
    assert data["transitions"]["cells"][-1]["new"] is None


def test_the_data_is_json_and_comes_back_as_it_was() -> None:
    data = comparison().data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def keys_of(schema: Any) -> set[str]:
    """Every key at any depth."""
    if isinstance(schema, dict):
        return set(schema).union(*(keys_of(value) for value in schema.values()))
    return keys_of(schema[0]) if isinstance(schema, list) else set()


def test_every_key_is_in_the_docs() -> None:
    documented = {key for key in keys_of(SCHEMA) | keys_of(MEASURE) if f"`{key}`" in PAGE}
    assert keys_of(SCHEMA) | keys_of(MEASURE) == documented
