"""SciPy is imported where it is used, and the costly part of it only for Wilcoxon."""

from __future__ import annotations

import subprocess
import sys

import firsthit.significance

USUAL = """
import sys
from firsthit.significance import *
d = [0.5, -0.25] * 20
assert "scipy" not in sys.modules
sign_flip(d, seed=0), holm([0.5]), percentile_interval(d, seed=0), wins_losses_ties(d)
assert "scipy" not in sys.modules
interval(d, low=-1, high=1), mean_interval(d, low=-1, high=1, seed=0), paired_t(d), sign_test(d)
needed_queries(d, 0.05)
assert "scipy.stats" not in sys.modules
"""


def test_scipy_stats_waits_for_wilcoxon() -> None:
    subprocess.run([sys.executable, "-c", USUAL], check=True)


def test_the_public_names_are_sorted() -> None:
    names = firsthit.significance.__all__
    assert names == sorted(names)
    assert all(hasattr(firsthit.significance, name) for name in names)
