"""README.md and the docs of the command line say what the commands really print."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from firsthit.cli.commands import commands
from firsthit.rules import Rules
from tests.cli.pages import PAGES, ROOT, demo_folder, with_outputs
from tests.cli.reference import PAGE, every_command, loaded, with_reference


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_outputs_on_the_page_are_real(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    with demo_folder():
        assert with_outputs(page) == page


def test_the_reference_is_what_help_prints() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_reference(page) == page


@pytest.mark.parametrize("names", every_command(), ids=" ".join)
def test_every_command_and_option_is_in_the_reference(names: tuple[str, ...]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    section = page.partition(f"\n## firsthit {' '.join(names)}\n")[2].partition("\n## ")[0]
    for parameter in loaded(*names).params:
        if isinstance(parameter, click.Option):
            assert all(option in section for option in parameter.opts), parameter.opts


@pytest.mark.parametrize("name", ["README.md", "docs/judging-queue.md"])
def test_the_python_on_the_page_runs(name: str) -> None:
    failed, tried = doctest.testfile(
        str(ROOT / name), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert failed == 0
    assert tried > 0


@pytest.mark.parametrize(
    "path", [*PAGES, PAGE, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name
)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(r"\(?(docs/[a-z-]+\.md)", text):
        assert (path.parent / target).is_file() or (ROOT / target).is_file(), target


def test_make_demo_and_make_test_stand_first_of_all() -> None:
    commands_shown = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    assert [line.split("#")[0].strip() for line in commands_shown.splitlines()] == ["make demo", "make test"]


def keys(value: Any) -> set[str]:
    """The keys of an object and of the objects in it, but for those that are names of measures."""
    if isinstance(value, list):
        return set().union(*map(keys, value))
    if not isinstance(value, dict):
        return set()
    return {key for key in value if "@" not in key}.union(*map(keys, value.values()))


def firsthit(*arguments: str) -> Any:
    with demo_folder():
        return json.loads(CliRunner().invoke(commands, arguments).stdout)


def printed(*arguments: str) -> Any:
    return firsthit("eval", "qrels.txt", "bm25.run", *arguments, "--format", "json")


def test_every_key_of_the_json_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    evaluations = printed()
    for evaluation in evaluations["evaluations"]:
        del evaluation["card"]
    others = [
        firsthit("check", "qrels.txt", "bm25.run", "--format", "json"),
        firsthit("why", "qrels.txt", "bm25.run", "--against", "ir_measures", "--format", "json"),
        firsthit("measures", "--format", "json"),
        firsthit("baseline", "show", "--format", "json"),
    ]
    others[1]["changed"], others[1]["causes"] = {}, {}
    for key in keys(evaluations) | keys(printed("--per-query")) | keys(others):
        assert f"`{key}`" in page or f'"{key}"' in page, key


def test_every_key_of_the_card_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    card = printed("--queries", "queries.jsonl")["evaluations"][0]["card"]
    assert set(card["rules"]) == set(Rules.__struct_fields__)
    for part in (card, card["labels"], card["run"], card["queries"]):
        assert all(f"`{key}`" in page for key in part), [key for key in part if f"`{key}`" not in page]


def test_every_key_of_the_queues_json_is_documented() -> None:
    page = (ROOT / "docs" / "judging-queue.md").read_text(encoding="utf-8")
    found = firsthit(
        "judge", "next", "qrels.txt", "bm25.run", "dense.run", "--limit", "1", "--format", "json"
    )
    found["intervals"] = found["documents"][0]["ranks"] = {}
    assert all(f"`{key}`" in page for key in keys(found)), keys(found)
