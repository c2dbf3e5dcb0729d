"""The page docs/measures.md, made from the measures' own documentation."""

from __future__ import annotations

import math
import re

from firsthit.measures.names import DEFAULT_MEASURES, spellings
from firsthit.measures.registry import MEASURES, Definition

__all__ = ["page"]

_HEAD = """\
# Measures

A measure is a function of the hits of one query: it sees the ranks of the retrieved labelled documents and
the labels, and gives one value. A mean is the mean of these values over the queries that count. The
definitions below are the ones the program prints (`firsthit measures NAME`) and the docstrings of the
functions in `firsthit.measures`. This page is made from them.

## How a measure is written

`NAME`, `NAME@k`, `NAME(parameter=value)` or `NAME(parameter=value)@k`, in any case: `RR@10`, `RR(rel=2)@10`,
`nDCG(dcg='exp-log2')@10`, `RBP(p=0.8)`. `k` is the deepest rank that counts. `rel` is the lowest grade that
is relevant; without it the evaluation's own holds (1, or what `--rel` says). A negative grade is no judgment:
it is neither relevant nor nonrelevant. Several wrong names are told in one message, with the nearest
right ones.

Without `-m` these are computed: {defaults}; where labels have needs
([needs](needs.md)), Coverage@10 and Complete@10 stand beside RR@10.

## Token budgets

For {budgets} a number of tokens may stand in the cutoff's place:
`RR(tokens=2000)`, `RR(rel=2,tokens=2000)`. Then the longest prefix of a ranking counts whose tokens sum to at
most the budget: the first passage that does not fit ends it, nothing is skipped and nothing is cut. Where the
first passage does not fit, the window is empty; the query counts 0, and the card says how many there are.
Values never fall when the budget grows. nDCG takes none, since its ideal would change with it.

The tokens of a passage are those of the run's column `tokens` (or that of `--passages`), or counted in its
text: `--tokens words` counts what stands between white space, `--tokens chars4` divides the number of code
points by 4 and rounds up; in Python `count_tokens=` takes any function of a text. Where there are neither, it
is an error. Which passages fit depends on the order, so budgets go with a fixed order of ties, not with
`best`, `worst` or `expected`; and not with `--unjudged condensed`, since what nobody judged is read too.
The primary measure is the first RR without a budget. Where tokens are known the card says how
many are read down to the first hit, and a saved evaluation holds them for each query.

## Names of other tools

Case, `_` and `-` make no difference in a name. A cutoff may also follow as `_10`, `.10` or `_at_10`:
`ndcg_cut_10`, `ndcg_cut.10`, `P_10`, `P.5`, `mrr_at_10`, `recall_100`, `success_1`.

{table}

The mean over all orders of tied documents (`--ties expected`) exists for {expected}.
NumRet, NumRel and NumRelRet are given as sums over queries, all others as means.
"""


def page() -> str:
    """The whole page.

    >>> page().splitlines()[0]
    '# Measures'
    """
    head = _HEAD.format(
        defaults=", ".join(f"`{name}`" for name in DEFAULT_MEASURES),
        table=_table(),
        budgets=", ".join(name for name, definition in MEASURES.items() if definition.budget),
        expected=", ".join(name for name, definition in MEASURES.items() if definition.expected),
    )
    return "\n".join([head, *map(_section, MEASURES.values())])


def _table() -> str:
    rows = [
        f"| [{d.name}](#{d.name.lower()}) | {_cutoffs(d)} | {_parameters(d)} | {_range(d)} | {_aliases(d)} |"
        for d in MEASURES.values()
    ]
    head = "| measure | cutoff | parameters | range | also understood |\n|---|---|---|---|---|"
    return "\n".join([head, *rows])


def _cutoffs(definition: Definition) -> str:
    return {"required": "always", "optional": "if wanted", "none": "none"}[definition.cutoff]


def _parameters(definition: Definition) -> str:
    return ", ".join(f"`{name}`" for name in definition.parameters)


def _range(definition: Definition) -> str:
    return "0 and up" if math.isinf(definition.highest) else f"0 to {definition.highest:g}"


def _aliases(definition: Definition) -> str:
    return ", ".join(f"`{alias}`" for alias in definition.aliases)


def _section(definition: Definition) -> str:
    """One measure: its documentation as Markdown, each labelled part a paragraph, the example as code."""
    text, _, example = definition.documentation.partition("\n\n>>> ")
    text = re.sub(r"\n(Formula|Reading|Edge cases|Limits|Source): ", r"\n\n**\1.** ", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    names = ", ".join(f"`{name}`" for name in spellings(definition))
    return f"## {definition.name}\n\n{names}\n\n{text}\n\n```python\n>>> {example.strip()}\n```\n"
