"""The options that are made from the rules."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from firsthit.cli.options import (
    QRELS_FORMATS,
    RULE_HELP,
    RUN_FORMATS,
    given_rules,
    measure_option,
    rule_options,
)
from firsthit.cli.sections import SectionedCommand
from firsthit.formats.recognition import format_names
from firsthit.rules import Rules, choices


@click.command(cls=SectionedCommand)
@rule_options
def show(**options: object) -> None:
    """Print the rules that were given."""
    options.pop("compat")
    click.echo(repr(given_rules(options)))


def test_the_formats_are_those_of_the_library() -> None:
    assert format_names("labels") == QRELS_FORMATS
    assert format_names("run") == RUN_FORMATS


def test_every_rule_has_its_sentence() -> None:
    assert set(RULE_HELP) == set(Rules.__struct_fields__)


def test_every_rule_is_an_option_with_its_choices_and_its_default() -> None:
    by_name = {parameter.name: parameter for parameter in show.params}
    for field in Rules.__struct_fields__:
        parameter = by_name[field]
        assert parameter.opts == [f"--{field.replace('_', '-')}"]
        assert isinstance(parameter, click.Option)
        assert f"[default: {getattr(Rules(), field):{'g' if field == 'rel' else ''}}]" in (
            parameter.help or ""
        )
        if choices(field):
            assert isinstance(parameter.type, click.Choice)
            assert set(parameter.type.choices) == {str(choice) for choice in choices(field)} - {"not stated"}


def test_rules_that_are_not_given_are_left_to_the_profile() -> None:
    assert CliRunner().invoke(show, []).output == "{}\n"


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (["--rel", "2"], {"rel": 2.0}),
        (["--score-bits", "32"], {"score_bits": 32}),
        (["--labels-judge", "passages"], {"labels_judge": "passages"}),
        (["--absent", "exclude", "--ties", "best"], {"absent": "exclude", "ties": "best"}),
    ],
)
def test_given_rules_have_the_types_of_the_struct(arguments: list[str], rules: dict[str, object]) -> None:
    assert CliRunner().invoke(show, arguments).output == f"{rules!r}\n"
    Rules(**rules)  # type: ignore[arg-type]


def test_a_wrong_choice_is_refused_with_the_choices() -> None:
    result = CliRunner().invoke(show, ["--ties", "random"])
    assert result.exit_code == 2
    assert "docid-desc" in result.output


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("RR@10 nDCG@10", ["RR@10", "nDCG@10"]),
        ("RR( rel = 2 )@10 P@5", ["RR( rel = 2 )@10", "P@5"]),
        (" RR (rel=2) @10  AP ", ["RR (rel=2) @10", "AP"]),
    ],
)
def test_blanks_inside_a_measure_do_not_part_it(value: str, names: list[str]) -> None:
    @click.command()
    @measure_option
    def command(measures: list[str]) -> None:
        click.echo(repr(measures))

    assert CliRunner().invoke(command, ["-m", value]).output == f"{names!r}\n"
