"""Bad input: each case is refused with one message, and docs/errors.md shows exactly these messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import bad_comparisons
from tests.bad_inputs import SECTIONS, Case, page, said

CASES = [case for cases in SECTIONS.values() for case in cases]
REFUSED = [case for cases in bad_comparisons.SECTIONS.values() for case in cases]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.about)
def test_bad_input_is_refused_with_a_reason(tmp_path: Path, case: Case) -> None:
    assert said(case, tmp_path)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.about)
def test_a_bad_comparison_is_refused_with_a_reason(
    tmp_path: Path, case: bad_comparisons.Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bad_comparisons.said(case, tmp_path)


def test_the_good_input_of_the_cases_is_fine(tmp_path: Path) -> None:
    assert said(Case("nothing is wrong"), tmp_path) == ""


def test_the_errors_page_shows_the_real_messages(tmp_path_factory: pytest.TempPathFactory) -> None:
    shown = (Path(__file__).parent.parent / "docs" / "errors.md").read_text(encoding="utf-8")
    assert shown == page(lambda: tmp_path_factory.mktemp("case")), (
        "run: python -m tests.bad_inputs > docs/errors.md"
    )
