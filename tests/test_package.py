"""The package: its public names, and how little it imports."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

import firsthit

SOURCE = Path(firsthit.__file__).parent

HEAVY = ("scipy", "pyarrow", "pandas", "polars", "click", "rich")


def test_every_public_name_is_there_once() -> None:
    assert len(firsthit.__all__) == len(set(firsthit.__all__))
    for name in firsthit.__all__:
        assert getattr(firsthit, name) is not None
    assert set(firsthit.__all__) <= set(dir(firsthit))


def test_only_public_names_are_listed() -> None:
    assert dir(firsthit) == sorted(firsthit.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'firsthit' has no attribute 'evalute'"):
        firsthit.evalute  # noqa: B018


def test_no_module_hides_a_public_name() -> None:
    modules = {path.stem for path in SOURCE.iterdir() if not path.name.startswith("_")}
    assert modules & set(firsthit.__all__) == {"measures"}


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_names_of_a_module_are_complete_and_sorted(path: Path) -> None:
    if path.name == "__main__.py" or "import" not in path.read_text():
        return  # a package's page that only says what it is for defines no names
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    module = import_module(".".join(part for part in parts if part != "__init__"))
    names = module.__all__
    assert list(names) == sorted(names, key=_order), f"{path}: __all__ is not sorted"
    for name in names:
        assert hasattr(module, name), f"{path}: {name}"


def _order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as ruff sorts them."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, name


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_importing_and_evaluating_imports_nothing_heavy() -> None:
    code = (
        "import sys, firsthit; from firsthit import *; "
        "firsthit.evaluate({'q': {'a': 1}}, {'q': ['a']}); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert run(code).strip() == "[]"


def test_the_package_itself_imports_no_numpy() -> None:
    assert run("import sys, firsthit; print('numpy' in sys.modules)").strip() == "False"


@pytest.mark.slow
def test_importing_all_public_names_costs_little_above_numpy(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        return time.perf_counter() - start

    codes = ("import numpy", "import numpy; from firsthit import *")
    for code in codes:
        seconds(code)
    rounds = [[seconds(code) for code in codes] for _ in range(9)]
    assert statistics.median(after - before for before, after in rounds) <= 0.15
