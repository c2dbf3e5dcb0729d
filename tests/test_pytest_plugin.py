"""The pytest plugin: the fixture holds a retriever to a gate, and costs nothing until it is used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firsthit import evaluate
from firsthit.baseline import set_baseline
from firsthit.demo import write_files

CI = Path(__file__).parents[1] / "examples" / "ci"


def run_pytest(folder: Path, *options: str) -> tuple[int, str]:
    """Run pytest in the folder as a user would, with this plugin and no other."""
    command = [sys.executable, "-m", "pytest", "-p", "firsthit.pytest_plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *options],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with the demo's labels and runs, the example's gate and its test."""
    write_files(tmp_path)
    for name in ("firsthit.toml", "test_retriever.py"):
        shutil.copy(CI / name, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def save(folder: Path, run: str) -> Path:
    """The evaluation of one of the demo's runs, saved."""
    path = folder / f"saved-{run}"
    evaluate(folder / "labels.jsonl", folder / run, ["RR@10"], queries=folder / "queries.jsonl").save(path)
    return path


def test_a_first_run_passes_with_a_notice(folder: Path) -> None:
    code, said = run_pytest(folder)
    assert code == 0
    assert "There is no baseline 'main' yet, so nothing was compared and the gate passes." in said


def test_a_regression_fails_with_the_rule_and_its_queries(folder: Path) -> None:
    set_baseline("main", save(folder, "bm25.jsonl"), folder / ".firsthit" / "baselines")
    code, said = run_pytest(folder)
    assert code == 1
    assert "FAIL: no critical query leaves the top 10" in said
    assert "q10: rank 3 → none" in said
    assert "Traceback" not in said


def test_what_is_unchanged_passes(folder: Path) -> None:
    set_baseline("main", save(folder, "dense.jsonl"), folder / ".firsthit" / "baselines")
    code, said = run_pytest(folder)
    assert (code, "firsthit ==" in said) == (0, False)


def test_the_option_names_a_baseline_or_a_saved_evaluation(folder: Path) -> None:
    set_baseline("release", save(folder, "dense.jsonl"), folder / ".firsthit" / "baselines")
    assert run_pytest(folder, "--firsthit-baseline", "release")[0] == 0
    save(folder, "bm25.jsonl")
    assert run_pytest(folder, "--firsthit-baseline", "saved-bm25.jsonl")[0] == 1


def test_a_saved_evaluation_that_is_missing_is_an_error_and_no_first_run(folder: Path) -> None:
    code, said = run_pytest(folder, "--firsthit-baseline", "nowhere.jsonl")
    assert code == 1
    assert "nowhere.jsonl: no such file" in said


def test_a_gate_that_cannot_be_used_is_said_without_a_traceback(folder: Path) -> None:
    (folder / "firsthit.toml").write_text("[gate]\nmax_absnt = 0\n")
    code, said = run_pytest(folder)
    assert code == 1
    assert "line 2: unknown key 'max_absnt'; nearest: max_absent" in said
    assert "Traceback" not in said


def test_nothing_is_imported_until_the_fixture_is_used(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    heavy = ('numpy', 'scipy', 'msgspec', 'click', 'rich')\n"
        "    print('imported', [name for name in heavy if name in sys.modules])\n"
        "    print('parts', sorted(name for name in sys.modules if name.startswith('firsthit')))\n"
    )
    (tmp_path / "test_other.py").write_text("def test_nothing():\n    pass\n")
    code, said = run_pytest(tmp_path)
    assert code == 0
    assert "imported []" in said
    assert "parts ['firsthit', 'firsthit.pytest_plugin']" in said


def test_the_fixture_evaluates_and_compares(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_it(firsthit):\n"
        "    labels = {'q1': {'a': 1}}\n"
        "    old = firsthit.evaluate(labels, {'q1': ['x', 'a']})\n"
        "    new = firsthit.evaluate(labels, {'q1': ['a']})\n"
        "    assert firsthit.compare(old, new).primary.difference == 0.5\n"
        "    assert firsthit.baseline() is None\n"
    )
    code, said = run_pytest(tmp_path)
    assert code == 0, said
