"""The table of docs/rechunking.md is what benchmarks/rechunking.py prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_table_of_cranfield_is_what_the_command_prints(test_data: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "benchmarks" / "rechunking.py"), str(tmp_path / "files")],
        env={**os.environ, "FIRSTHIT_TEST_DATA": str(test_data)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() in (ROOT / "docs" / "rechunking.md").read_text(encoding="utf-8")
    assert (tmp_path / "files" / "labels.jsonl").is_file()
