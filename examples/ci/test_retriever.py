"""The gate as a test: `pytest --firsthit-baseline main`. The fixture comes with firsthit.

Run it in the folder that `firsthit demo` writes, with firsthit.toml beside it.
"""

from __future__ import annotations

from firsthit.pytest_plugin import Firsthit


def retrieve() -> str:
    """What your retriever gives: a run file, {query: {doc: score}}, or a data frame."""
    return "dense.jsonl"


def test_retrieval_passes_the_gate(firsthit: Firsthit) -> None:
    """The new rankings against the baseline, by the rules of firsthit.toml."""
    firsthit.check("labels.jsonl", retrieve(), ["RR@10"], queries="queries.jsonl", gate="firsthit.toml")
