"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=500, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1500)
settings.load_profile(os.environ.get("FIRSTHIT_HYPOTHESIS", "default"))


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of real runs, labels and values from independent tools, named by FIRSTHIT_TEST_DATA."""
    folder = os.environ.get("FIRSTHIT_TEST_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("FIRSTHIT_TEST_DATA names no folder with the real test data")
    return Path(folder).resolve()
