"""Groups of queries: which query belongs where, and how two versions compare in each group.

>>> from firsthit.groups import Column, members_of
>>> {value: members.tolist() for value, members in members_of(Column("topic", ("tax", "law", "tax"))).items()}
{'tax': [0, 2], 'law': [1]}
"""

from __future__ import annotations

from firsthit.groups.columns import NO_VALUE, Column, read_groups
from firsthit.groups.compare import (
    GroupComparison,
    compare_groups,
    critical_members,
    critical_names,
    members_of,
)

__all__ = [
    "NO_VALUE",
    "Column",
    "GroupComparison",
    "compare_groups",
    "critical_members",
    "critical_names",
    "members_of",
    "read_groups",
]
