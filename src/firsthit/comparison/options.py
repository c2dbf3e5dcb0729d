"""What a comparison is asked for: the keyword arguments of `compare` and `compare_many`, once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from firsthit.comparison.build import Options
from firsthit.comparison.sources import Reading
from firsthit.comparison.verdict import Standards
from firsthit.queries import Queries, read_queries
from firsthit.rules import RuleOptions
from firsthit.staleness import MAX_STALE

if TYPE_CHECKING:
    from firsthit.files.blocks import Progress
    from firsthit.passages import Passages
    from firsthit.resolve.sources import Sources

__all__ = ["CompareOptions", "Settings"]


class CompareOptions(RuleOptions, total=False):
    """The keyword arguments of `compare` and `compare_many`; their defaults are those of `Settings`."""

    qrels: Any
    measures: str | Sequence[str] | None
    common: bool
    groups: Sequence[str]
    critical: Sequence[str]
    answers: Sequence[Any] | None
    right_from: float | None
    margin: float | None
    difference: float | None
    min_queries: int
    cluster: str | None
    interval: str
    seed: int
    max_stale: float
    queries: Queries | str | os.PathLike[str] | None
    names: Sequence[str] | None
    qrels_format: str | None
    run_format: str | None
    passages: Passages | str | os.PathLike[str] | None
    sources: Sources | str | os.PathLike[str] | None
    source_separator: str | None
    compat: str | None
    progress: Progress | None


class Settings(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """The options with their defaults; `rules` are those for runs, as in `evaluate`.

    >>> settings = Settings.of({"margin": 0.02, "rel": 2})
    >>> settings.margin, settings.min_queries, settings.rules
    (0.02, 30, {'rel': 2})
    """

    qrels: Any = None
    measures: Any = None
    common: bool = False
    groups: Sequence[str] = ()
    critical: Sequence[str] = ()
    answers: Any = None
    right_from: float | None = None
    margin: float | None = None
    difference: float | None = None
    min_queries: int = 30
    cluster: str | None = None
    interval: str = "t"
    seed: int = 0
    max_stale: float = MAX_STALE
    queries: Any = None
    names: Sequence[str] | None = None
    qrels_format: str | None = None
    run_format: str | None = None
    passages: Any = None
    sources: Any = None
    source_separator: str | None = None
    compat: str | None = None
    progress: Any = None
    rules: Mapping[str, Any] = {}

    @classmethod
    def of(cls, options: CompareOptions) -> Settings:
        """The settings that these options make; what is none of them is a rule, and is looked at there."""
        given = cast(dict[str, Any], options)
        own = {name: value for name, value in given.items() if name in cls.__struct_fields__}
        return cls(**own, rules={name: value for name, value in given.items() if name not in own})

    def parts(self) -> tuple[Reading, Options]:
        """How the sources are read, and how they are compared."""
        queries = self.queries
        table = queries if queries is None or isinstance(queries, Queries) else read_queries(queries)
        shared: dict[str, Any] = {
            "measures": [self.measures] if isinstance(self.measures, str) else self.measures,
            "common": self.common,
            "queries": table,
        }
        standards = Standards.of(self.margin, self.difference, self.min_queries)
        beside = {name: getattr(self, name) for name in ("passages", "sources", "source_separator")}
        return (
            Reading(**shared, **self._named(Reading, shared), beside=beside),
            Options(**shared, **self._named(Options, shared), standards=standards),
        )

    def _named(self, kind: type[msgspec.Struct], but: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that have the names of this struct's fields."""
        names = set(kind.__struct_fields__) & set(self.__struct_fields__) - but.keys()
        return {name: getattr(self, name) for name in names}
