"""The demo's two systems."""

from __future__ import annotations

from pathlib import Path

from firsthit.demo import FILES
from firsthit.demo.chunking import sections
from firsthit.demo.ranking import DEPTH, bm25, dense, rank

PASSAGES = [
    passage for path in sorted((FILES / "documents").glob("*.md")) for passage in sections(Path(path))
]
TEXTS = [str(passage["text"]) for passage in PASSAGES]


def test_bm25_returns_only_passages_that_share_a_word_with_the_question() -> None:
    assert rank(bm25(TEXTS)("2FA setup")) == []


def test_the_dense_system_finds_a_paraphrase_that_shares_no_word() -> None:
    found = [PASSAGES[position]["doc_id"] for position, _ in rank(dense(TEXTS)("package soaked"))]
    assert "delivery/damaged-on-arrival" in found


def test_a_ranking_is_cut_at_its_depth_and_equal_scores_keep_their_order() -> None:
    ranked = rank([1.0] * (DEPTH + 5))
    assert [position for position, _ in ranked] == list(range(DEPTH))
