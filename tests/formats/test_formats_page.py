"""docs/formats.md names every format and every column name that is understood."""

from __future__ import annotations

from pathlib import Path

from firsthit.formats import format_names
from firsthit.formats.names import KNOWN

PAGE = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")


def test_every_format_is_documented() -> None:
    labels, runs = PAGE.split("## Runs")
    assert [name for name in format_names("labels") if f"`{name}`" not in labels] == []
    assert [name for name in format_names("run") if f"`{name}`" not in runs] == []


def test_every_column_name_is_documented() -> None:
    names = {name for columns in KNOWN.values() for accepted in columns.values() for name in accepted}
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE] == []
