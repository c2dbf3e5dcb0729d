"""What a format is: its name, the role it serves, and how its bytes become columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.files.blocks import Blocks

__all__ = ["Format", "Lines", "Loaded", "Role", "Said"]

Role = Literal["labels", "run"]
"""What a file is read as."""


class Lines(msgspec.Struct, frozen=True):
    """How one line is split and which field is what; the description of a core layout.

    `columns` maps a role to a field's number (0-based), `keys` a role to the JSON keys that may hold it, the
    first present wins. `width` is the fewest and the most fields of a line, most 0 without limit; `header`
    the number of lines that come before the data.
    """

    kind: Literal["blank", "delimited", "csv", "json"]
    columns: Mapping[str, int] = {}
    keys: Mapping[str, tuple[str, ...]] = {}
    width: tuple[int, int] = (0, 0)
    delimiter: str = "\t"
    header: int = 0

    def layout(self, *, comments: bool = False) -> _core.Layout:
        """The core's layout; `comments` skips lines that start with '#'."""
        if self.kind == "json":
            return _core.Layout("json", keys=self.keys, comments=comments)
        return _core.Layout(
            self.kind,
            columns=self.columns,
            width=self.width,
            delimiter=self.delimiter,
            header=self.header,
            comments=comments,
        )


class Said(msgspec.Struct, frozen=True, eq=False):
    """What a document says of passages beside its rankings; None where it says nothing.

    `texts` maps a doc_id to its text. `has_answer` says of each record, in order, whether it is said to hold
    an answer: 1, 0, or -1 where nothing is said.
    """

    texts: Mapping[str, str] | None = None
    has_answer: NDArray[np.int8] | None = None


class Loaded(msgspec.Struct, frozen=True, eq=False):
    """A document read whole, as a mapping, a table that exports Arrow or text; and the roles it fills.

    `said` is there where the document says more of what it ranks, put together when it is asked for.
    """

    source: Any
    roles: frozenset[str]
    said: Callable[[], Said] | None = None


class Format(msgspec.Struct, frozen=True):
    """A way to write labels or a run, as decided for one input.

    Text formats have `lines`. Formats that are read as one document have `load`; tables have `names` (role ->
    column). `roles` are the roles that the input fills; `detail` says what was decided beyond the name.
    """

    name: str
    role: Role
    roles: frozenset[str]
    lines: Lines | None = None
    load: Callable[[Blocks], Loaded] | None = None
    names: Mapping[str, str] = {}
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.detail})" if self.detail else self.name
