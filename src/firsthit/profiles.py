"""The rules of other tools, as data: nothing here computes, it only changes rules.

A profile is an ordered list of (measure pattern, changed rules): every entry whose pattern matches the
name of a measure applies, later ones over earlier ones, since some tools break ties by measure.
docs/profiles.md gives the reason for each line, and lists the accidents of these tools that no rule can
reproduce.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from firsthit.errors import UsageError
from firsthit.rules import Rules, rules_from

__all__ = ["PROFILES", "Profile", "changed_by", "profile_named", "rules_for"]

Profile = tuple[tuple[str, Mapping[str, Any]], ...]

_TREC_EVAL = {"order": "score", "grades": "truncate"}

PROFILES: Mapping[str, Profile] = {
    "trec_eval": (("*", {**_TREC_EVAL, "comments": "skip"}),),
    "trec_eval9": (("*", {**_TREC_EVAL, "score_bits": 32, "absent": "exclude"}),),
    "pytrec_eval": (("*", {"order": "score", "score_bits": 32, "absent": "exclude"}),),
    "ir_measures": (
        (
            "*",
            {
                "order": "score",
                "score_bits": 32,
                "conflicts": "last",
                "duplicates": "last",
                "empty_run": "score",
            },
        ),
        ("RR@*", {"score_bits": 64, "ties": "docid-asc"}),
        ("RR(*)@*", {"score_bits": 64, "ties": "docid-asc"}),
        ("Judged*", {"score_bits": 64, "ties": "docid-asc"}),
        ("Coverage*", {"score_bits": 64, "ties": "docid-asc"}),
        ("alpha_nDCG*", {"score_bits": 64, "ties": "docid-asc"}),
        ("ERR_IA*", {"score_bits": 64, "ties": "docid-asc"}),
    ),
    "msmarco": (
        (
            "*",
            {
                "order": "rank",
                "relevant": "listed",
                "conflicts": "max",
                "duplicates": "keep",
                "comments": "skip",
            },
        ),
    ),
    "sentence-transformers": (
        (
            "*",
            {
                "order": "score",
                "ties": "docid-asc",
                "no_relevant": "exclude",
                "conflicts": "max",
                "duplicates": "keep",
                "comments": "skip",
                "empty_run": "score",
            },
        ),
    ),
}
"""The profiles by name."""


def profile_named(name: str) -> Profile:
    """The profile of this name, or a UsageError that lists them.

    >>> profile_named("trec_eval9")[0][1]["score_bits"]
    32
    """
    try:
        return PROFILES[name]
    except KeyError:
        raise UsageError(f"no profile {name!r}; there are {', '.join(sorted(PROFILES))}") from None


def changed_by(name: str | None, measure: str) -> dict[str, Any]:
    """The rules that the profile `name` changes for a measure; none without a profile.

    >>> changed_by("ir_measures", "RR@10")["ties"]
    'docid-asc'
    >>> changed_by(None, "RR@10")
    {}
    """
    changes: dict[str, Any] = {}
    for pattern, changed in profile_named(name) if name else ():
        if fnmatchcase(measure, pattern):
            changes.update(changed)
    return changes


def rules_for(profile: str | None, measure: str, explicit: Mapping[str, Any] | None = None) -> Rules:
    """The rules of a measure: the defaults, then the profile's, then the given ones, which win.

    >>> rules_for("trec_eval9", "RR@10", {"score_bits": 64}).score_bits
    64
    """
    return rules_from({**changed_by(profile, measure), **(explicit or {})})
