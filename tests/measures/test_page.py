"""The page of measures in docs/ is the one that the documentation of the measures makes."""

from __future__ import annotations

from pathlib import Path

from firsthit.measures import MEASURES
from firsthit.measures.page import page

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"
REFRESH = "python -c 'from firsthit.measures.page import page; print(page(), end=str())' > docs/measures.md"


def test_the_committed_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), f"refresh it with: {REFRESH}"


def test_every_measure_and_every_alias_stands_on_the_page() -> None:
    text = page()
    for definition in MEASURES.values():
        assert f"\n## {definition.name}\n" in text
        for alias in definition.aliases:
            assert f"`{alias}`" in text


def test_formulas_readings_and_limits_are_paragraphs() -> None:
    for part in ("Formula", "Reading", "Edge cases", "Limits", "Source"):
        assert page().count(f"\n\n**{part}.** ") == len(MEASURES)
