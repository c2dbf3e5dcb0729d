"""The options that several commands share; those that change a number are made from the fields of `Rules`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import click

from firsthit.cli.sections import Decorated, option
from firsthit.errors import UsageError
from firsthit.rules import Rules, choices

__all__ = [
    "MEASURES",
    "QRELS_FORMATS",
    "READING",
    "RULES",
    "RULE_HELP",
    "RUN_FORMATS",
    "STALE",
    "collection_options",
    "compared_measure_option",
    "given_rules",
    "group_options",
    "max_stale_option",
    "measure_option",
    "names_option",
    "only_rule_options",
    "output_format_option",
    "qrels_format_option",
    "queries_option",
    "reading_options",
    "refuse_shared_input",
    "rule_options",
    "source_options",
    "stale_limit",
    "threads_option",
    "words_format_option",
]

MEASURES = "What is computed"
READING = "How files are read"
RULES = "Rules that define the numbers (the reason for each default: docs/rules.md)"

QRELS_FORMATS = ("trec", "trec-tab", "triples", "pairs", "beir", "csv", "tsv", "jsonl", "json", "parquet")
RUN_FORMATS = ("trec", "trec-tab", "trec-no-tag", "msmarco", "csv", "tsv", "jsonl", "json", "dpr", "parquet")
"""The formats by name, said here so that --help needs no NumPy; a test holds that they are the library's."""

RULE_HELP = {
    "rel": "A document is relevant from this grade on.",
    "relevant": "graded: by its grade. listed: every labelled document is relevant, whatever its grade.",
    "grades": "exact: as written. truncate: the part before the decimal point.",
    "negative": "Negative grades count as unjudged or as nonrelevant.",
    "conflicts": "Different grades for one document: an error, the last one, or the highest.",
    "needs": "The second column of TREC labels: ignored, or (iter) the information need.",
    "labels_judge": "What the labels judge, for the card.",
    "absent": "A labelled query that is not in the run: counts 0, or is left out of the mean.",
    "no_relevant": "A query whose labels are all below --rel: counts 0, or is left out of the mean.",
    "unjudged": "An unjudged document: not relevant; removed before ranking (condensed); or open (bounds).",
    "order": "What ranks the documents. auto: the score, else the rank column, else the order given.",
    "ties": "Equal scores: by doc_id, as given, relevant first (best) or last (worst), or their exact mean.",
    "score_bits": "Precision of scores; fewer bits make more ties.",
    "duplicates": "A document twice in one ranking: an error, or which of the two stays.",
    "self_hits": "A result whose doc_id equals the query_id: kept, or dropped and counted.",
    "comments": "Lines that start with #: data (ids may hold it), or skipped.",
    "empty_run": "A run without a line: an error, or every query absent.",
    "unit": "What is ranked: passages, or the documents they were cut from, at their first passage's place.",
    "overlap": "The share of a labelled span that a passage must cover to be relevant.",
    "match": "labels: QRELS holds labels. answers: it holds answers, searched for in the retrieved texts.",
    "tokens": "How tokens are counted for a budget: the run's column, words, or characters divided by 4.",
}
"""One sentence a rule, for --help; a test holds that it names exactly the fields of `Rules`."""


def rule_options(command: Decorated) -> Decorated:
    """All rules as options, and --compat. One that is not given stays None: a profile may set it."""
    return _compat_option(only_rule_options(command))


def only_rule_options(command: Decorated) -> Decorated:
    """All rules as options, for a command that names another tool in its own way."""
    for field in reversed(Rules.__struct_fields__):
        command = _rule_option(field)(command)
    return command


def _rule_option(field: str) -> Callable[[Decorated], Decorated]:
    default = getattr(Rules(), field)
    allowed = choices(field)
    kind: click.Choice[str] = click.Choice([str(choice) for choice in allowed if choice != "not stated"])
    shown = default if allowed else f"{default:g}"
    return option(
        f"--{field.replace('_', '-')}",
        field,
        section=RULES,
        type=kind if allowed else click.FLOAT,
        help=f"{RULE_HELP.get(field, '')}  [default: {shown}]",
    )


def given_rules(options: dict[str, Any]) -> dict[str, Any]:
    """Take the rules out of a command's options; keep those that were given, typed as in `Rules`."""
    taken = {field: options.pop(field) for field in Rules.__struct_fields__}
    given = {field: value for field, value in taken.items() if value is not None}
    return {field: type(getattr(Rules(), field))(value) for field, value in given.items()}


def _compat_option(command: Decorated) -> Decorated:
    from firsthit.profiles import PROFILES

    return option(
        "--compat",
        section=RULES,
        type=click.Choice(list(PROFILES)),
        help="Apply the rules of another tool, to reproduce its MRR. A rule given beside it wins.",
    )(command)


def refuse_shared_input(*sources: str | None) -> None:
    """Standard input can be read once, and as one thing."""
    if sources.count("-") > 1:
        raise UsageError("'-' is standard input, and can stand for one file only.", hint="Name the others.")


def measure_option(command: Decorated) -> Decorated:
    """-m, repeatable; several names may stand in one value, separated by blanks."""
    default = "RR@10 Success@1 Success@10 R@10 nDCG@10 Judged@10"
    return _measures(f"The first RR leads the card.  [default: {default}]")(command)


def compared_measure_option(command: Decorated) -> Decorated:
    """-m where evaluations are compared, which may hold measures already."""
    return _measures("The verdict is about the first RR.  [default: those of the evaluations]")(command)


def _measures(leading: str) -> Callable[[Decorated], Decorated]:
    return option(
        "-m",
        "--measure",
        "measures",
        section=MEASURES,
        multiple=True,
        metavar="MEASURE",
        callback=_separate,
        help=f"A measure such as RR@10 or 'RR(rel=2)@10'; repeatable. {leading}",
    )


_BETWEEN_MEASURES = r"\s+(?![^(]*\))(?![(@])"
"""Blanks neither inside parentheses nor before one or a cutoff: "RR( rel = 2 ) @10" is one name."""


def _separate(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[str] | None:
    names = [name for value in values for name in re.split(_BETWEEN_MEASURES, value.strip()) if name]
    if values and not names:
        raise UsageError("--measure is empty.", hint="firsthit measures lists the names.")
    return names or None


def queries_option(command: Decorated) -> Decorated:
    """--queries: the population."""
    return option(
        "--queries",
        section=MEASURES,
        metavar="FILE",
        help="Evaluate exactly the queries of this file, less those marked answerable: false.",
    )(command)


def group_options(section: str, critical_help: str) -> Callable[[Decorated], Decorated]:
    """--groups and --critical."""

    def add(command: Decorated) -> Decorated:
        command = option(
            "--critical",
            section=section,
            metavar="GROUP,...",
            multiple=True,
            callback=_between_commas,
            help=critical_help,
        )(command)
        return option(
            "--groups",
            section=section,
            metavar="FILE:COLUMN",
            multiple=True,
            help="Groups of queries: columns of a CSV, TSV or JSON Lines file, or of --queries; repeatable.",
        )(command)

    return add


def _between_commas(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def reading_options(command: Decorated) -> Decorated:
    """The formats by name, for files whose content does not tell."""
    return qrels_format_option(_format_option("--run-format", "runs", RUN_FORMATS)(command))


def qrels_format_option(command: Decorated) -> Decorated:
    """--qrels-format."""
    return _format_option("--qrels-format", "labels", QRELS_FORMATS)(command)


def _format_option(name: str, what: str, formats: Sequence[str]) -> Callable[[Decorated], Decorated]:
    return option(
        name,
        section=READING,
        type=click.Choice(formats),
        help=f"Format of the {what} (docs/formats.md).  [default: recognised from the content]",
    )


def collection_options(command: Decorated) -> Decorated:
    """--passages, --sources, --source-separator: what is known of passages beside the run."""
    told = "What runs do not say of passages: doc_id, source, start, end, text, tokens."
    return option("--passages", section=READING, metavar="FILE", help=told)(source_options(command))


def source_options(command: Decorated) -> Decorated:
    """--sources, --source-separator: which source each passage was cut from."""
    separator = "A passage's id is its source, this, and more: '#' for doc1#3."
    mapping = "The source of each passage: columns doc_id and source."
    command = option("--source-separator", section=READING, metavar="TEXT", help=separator)(command)
    return option("--sources", section=READING, metavar="FILE", help=mapping)(command)


STALE = 3
"""The exit code where labels are stale."""


def max_stale_option(command: Decorated) -> Decorated:
    """--max-stale: from which share of stale labels on numbers are no longer taken for what they are."""
    return option(
        "--max-stale",
        section=READING,
        type=float,
        metavar="SHARE",
        callback=_share,
        help="Exit code 3 when more of the relevant labels point at what is gone.  [default: 0.2]",
    )(command)


def stale_limit(given: float | None) -> float:
    """What --max-stale means: the default where it is not given."""
    from firsthit.staleness import MAX_STALE

    return MAX_STALE if given is None else given


def threads_option(command: Decorated) -> Decorated:
    """--threads: the core uses all cores unless told otherwise."""
    return option(
        "--threads",
        section=READING,
        type=int,
        metavar="N",
        callback=_at_least_one,
        help="Threads that read a run.  [default: the machine's cores]",
    )(command)


def _at_least_one(_: click.Context, __: click.Parameter, value: int | None) -> int | None:
    if value is not None and value < 1:
        raise UsageError(f"--threads {value}: at least 1 thread is needed.")
    return value


def _share(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise UsageError(f"--max-stale {value:g}: a share from 0 to 1 is needed.")
    return value


def output_format_option(command: Decorated) -> Decorated:
    """--format: how a table is written."""
    from firsthit.cli.output import FORMATS

    return option(
        "--format",
        "output_format",
        section="Output",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="Tables are rounded to 4 decimals; the data formats carry full precision.",
    )(command)


def words_format_option(command: Decorated) -> Decorated:
    """--format of a command that prints words."""
    return option(
        "--format",
        "output_format",
        section="Output",
        type=click.Choice(["table", "json"]),
        default="table",
        show_default=True,
        help="Words for people, or one JSON object.",
    )(command)


def names_option(command: Decorated) -> Decorated:
    """--name: what the output calls each run."""
    return option(
        "--name",
        "names",
        section="Output",
        multiple=True,
        metavar="TEXT",
        help="Name of the run in the output; once for each run.  [default: its file name]",
    )(command)
