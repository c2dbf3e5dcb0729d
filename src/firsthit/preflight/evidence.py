"""What a check says about needs, and about labels beside the corpus that they were made for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np

from firsthit.evaluation.evidence_facts import passage_notices
from firsthit.evaluation.joined import Joined
from firsthit.matching.notices import NOTHING_FOUND
from firsthit.passages import Passages
from firsthit.qrels import Qrels
from firsthit.staleness.find import StaleLabel, staleness
from firsthit.wording import many

__all__ = ["corpus_findings", "evidence_findings", "need_findings"]

Level: TypeAlias = Literal["problem", "notice", "fact"]
Found: TypeAlias = Iterator[tuple[Level, str]]

SHOWN = 5

GONE = {
    "document": "documents that the corpus does not hold",
    "source": "sources that the corpus does not hold",
    "quote": "quotes that are no longer in their source",
    "moved": "quotes that are no longer at their span",
}


def need_findings(qrels: Qrels, rel: float) -> Found:
    """Needs that cannot be covered: required ones that nobody judged, and those without a relevant label."""
    judged: dict[int, dict[str, bool]] = {}
    needs = qrels.need or ("",) * len(qrels)
    for query, need, grade in zip(qrels.query.tolist(), needs, qrels.grade.tolist(), strict=True):
        if need:
            of_query = judged.setdefault(query, {})
            of_query[need] = of_query.get(need, False) or grade >= rel
    unjudged = [
        f"{qrels.query_ids[query]} {need}"
        for query, required in qrels.required.items()
        for need in required
        if need not in judged.get(query, {})
    ]
    uncovered = [
        f"{qrels.query_ids[query]} {need}"
        for query, found in judged.items()
        for need, relevant in found.items()
        if not relevant
    ]
    if unjudged:
        what = f"{many(len(unjudged), 'required need')} that nobody judged"
        yield "notice", f"{what}, never covered: {_some(unjudged)}"
    if uncovered:
        yield "notice", f"{many(len(uncovered), 'need')} without a relevant label: {_some(uncovered)}"
    if judged:
        counts = np.array([len(found) for found in judged.values()])
        yield "fact", f"needs: {int(counts.sum()):,}, in {many(len(judged), 'query', 'queries')}"


def corpus_findings(
    qrels: Qrels, passages: Passages, rel: float, limit: float, *, documents: bool = False
) -> tuple[list[tuple[Level, str]], tuple[StaleLabel, ...], bool]:
    """The findings, the stale labels behind them, and whether more are stale than the limit allows."""
    summary, stale = staleness(qrels, passages, documents=documents, rel=rel, limit=limit)
    found: list[tuple[Level, str]] = []
    if summary.stale:
        found.append(("problem" if summary.over else "notice", summary.sentence()))
    for reason, what in GONE.items():
        texts = [label.text for label in stale if label.reason == reason]
        if texts:
            found.append(("notice", f"labels of {what}: {len(texts):,}, such as: {texts[0]}"))
    looked_at = f"{many(len(qrels), 'label')} looked for in {many(len(passages), 'passage')}"
    found.append(("fact", f"{looked_at} of {passages.name}"))
    return found, stale, summary.over


def evidence_findings(joined: Joined) -> Found:
    """Whether the retrieved passages satisfy any label, and what is not known of them."""
    hits = joined.hits
    if joined.resolved is not None and (hits.retrieved > 0).any() and not (hits.grade >= 0).any():
        yield "problem", NOTHING_FOUND
    yield from (("notice", notice) for notice in passage_notices(joined))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
