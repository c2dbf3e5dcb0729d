"""What a browser, an XML reader and a Markdown reader find in a report."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

__all__ = ["Element", "Page", "cells", "read_page"]

VOID = {"meta", "br", "input", "col"}


@dataclass
class Element:
    """An element of a page with its attributes and all words inside."""

    name: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    words: str = ""

    @property
    def classes(self) -> list[str]:
        """The classes of the element."""
        return self.attributes.get("class", "").split()


@dataclass
class Page(HTMLParser):
    """A page that is read strictly: every element that opens must close, in order."""

    elements: list[Element] = field(default_factory=list)
    _open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        assert len(attributes) == len(attrs), f"an attribute twice: {attrs}"
        element = Element(tag, attributes, tuple(one.name for one in self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop().name == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words += data

    def close(self) -> None:
        super().close()
        assert not self._open, f"left open: {[one.name for one in self._open]}"

    def named(self, name: str) -> list[Element]:
        """The elements of this name."""
        return [element for element in self.elements if element.name == name]

    @property
    def words(self) -> str:
        """Everything a reader sees or can open."""
        return self.named("main")[0].words


def read_page(source: str) -> Page:
    """The page, read strictly."""
    page = Page()
    page.feed(source)
    page.close()
    return page


def cells(row: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    return re.split(r"(?<!\\)\|", row.strip())[1:-1]
