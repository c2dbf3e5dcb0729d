"""Help pages in sections: options are listed under a heading, and an example ends the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["SectionedCommand", "SectionedGroup", "option"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class SectionedOption(click.Option):
    """An option that knows its section in the help page."""

    def __init__(self, *arguments: Any, section: str = "Options", **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.section = section


class SectionedCommand(click.Command):
    """A command whose help lists its options by section, in the order in which the sections first appear."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, a section each for what belongs together."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                sections.setdefault(getattr(parameter, "section", "Other options"), []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example as it is typed: not re-wrapped."""
        _write_epilog(self, formatter)


class SectionedGroup(click.Group):
    """A group of commands whose help ends in an example, as that of its commands does."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example as it is typed: not re-wrapped."""
        _write_epilog(self, formatter)


def _write_epilog(command: click.Command, formatter: click.HelpFormatter) -> None:
    if command.epilog:
        formatter.write_paragraph()
        formatter.write(command.epilog.strip("\n") + "\n")


def option(*names: str, section: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """`click.option` with a section of the help page."""
    return click.option(*names, cls=SectionedOption, section=section, **settings)
