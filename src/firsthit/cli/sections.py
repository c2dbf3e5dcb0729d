"""Help pages in sections: options are listed under a heading, and an example ends the page."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, TypeVar

import click

__all__ = ["SectionedCommand", "SectionedGroup", "option"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class SectionedOption(click.Option):
    """An option that knows its section in the help; `several`: it takes all words up to the next option."""

    def __init__(
        self, *arguments: Any, section: str = "Options", several: bool = False, **settings: Any
    ) -> None:
        super().__init__(*arguments, **(settings | {"multiple": True} if several else settings))
        self.section = section
        self.several = several


class SectionedCommand(click.Command):
    """A command whose help lists its options by section, in the order in which the sections first appear."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; an option that takes several words is repeated before each, as click has it."""
        several = {
            name
            for parameter in self.params
            if isinstance(parameter, SectionedOption) and parameter.several
            for name in parameter.opts
        }
        return super().parse_args(ctx, list(_repeated(args, several)))

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


def _repeated(words: Iterable[str], several: Container[str]) -> Iterator[str]:
    """The words with the option's name before each of its values.

    >>> list(_repeated(["old", "--answers", "a", "b", "--gate", "g"], {"--answers"}))
    ['old', '--answers', 'a', '--answers', 'b', '--gate', 'g']
    """
    current, first = "", False
    for word in words:
        is_option = word.startswith("-") and word != "-"
        if is_option:
            current, first = (word, True) if word in several else ("", False)
        elif current and not first:
            yield current
        else:
            first = False
        yield word


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
