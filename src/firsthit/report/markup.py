"""HTML built from Python calls. Text is escaped unless it is already Markup, so nothing can be forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

__all__ = ["Markup", "clean", "join", "mark", "tag", "text"]

_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)

_VOID = {"col", "input", "meta", "br"}


class Markup(str):
    """HTML that may be inserted as it is."""

    __slots__ = ()


def clean(value: object) -> str:
    r"""Text whose control characters became U+FFFD: no page and no XML may hold them.

    So did those that turn the direction of text, which would reverse the words beside an id.

    >>> clean("a\x00b")
    'a\ufffdb'
    """
    return _CONTROLS.sub("\ufffd", str(value))


def text(value: object) -> Markup:
    """Any value as escaped text; Markup and None (nothing) stay what they are.

    >>> text("<b>"), text(Markup("<b>")), text(None)
    ('&lt;b&gt;', '<b>', '')
    """
    if isinstance(value, Markup):
        return value
    return Markup("" if value is None else escape(clean(value)))


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Several values as one piece of markup.

    >>> join(["<", tag("br")])
    '&lt;<br>'
    """
    return Markup(between.join(text(part) for part in parts))


def mark(name: str, /, *content: object) -> Markup:
    """An element with a class only: `mark("td.n", 5)`.

    >>> mark("td.n", "<")
    '<td class="n">&lt;</td>'
    """
    element, _, classes = name.partition(".")
    opening = f'<{element} class="{classes.replace(".", " ")}">' if classes else f"<{element}>"
    return Markup(f"{opening}{''.join(map(text, content))}</{element}>")


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """An element; attributes that are None or False are left out, True stands alone, `_` becomes `-`.

    >>> tag("a", "x & y", href="#q<1>", class_="id", hidden=None)
    '<a href="#q&lt;1&gt;" class="id">x &amp; y</a>'
    """
    opening = "".join([name, *map(_attribute, attributes.items())])
    if name in _VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{''.join(map(text, content))}</{name}>")


def _attribute(item: tuple[str, object]) -> str:
    name, value = item[0].rstrip("_").replace("_", "-"), item[1]
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(clean(value))}"'
