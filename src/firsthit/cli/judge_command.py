"""`firsthit judge next`: which unjudged documents to judge next, and how many it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from firsthit.cli import options
from firsthit.cli.sections import SectionedCommand, SectionedGroup, option
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.queries import Queries

__all__ = ["command"]

EPILOG = """
Example:

  firsthit judge next qrels.txt old.run new.run --limit 20
"""

NEXT_EPILOG = """
Examples:

  firsthit judge next qrels.txt bm25.run
  firsthit judge next qrels.txt bm25.run dense.run --queries queries.jsonl --limit 50
  firsthit judge next qrels.txt bm25.run dense.run --passages corpus.jsonl -o to-judge.csv
"""

WHAT = "What is judged"


@click.group("judge", cls=SectionedGroup, epilog=EPILOG)
def command() -> None:
    """Say which unjudged documents to judge next, so that few judgments settle much."""


@command.command("next", cls=SectionedCommand, epilog=NEXT_EPILOG)
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@option(
    "-m",
    "--measure",
    section=WHAT,
    default="RR@10",
    show_default=True,
    help="The RR measure whose mean is to become exact.",
)
@option(
    "--aim",
    section=WHAT,
    type=click.Choice(("means", "difference")),
    help="What is to become exact: each run's mean, or the difference of two, the second less the first.  "
    "[default: difference for two runs, else means]",
)
@options.queries_option
@option("--query", "only", section=WHAT, metavar="ID", multiple=True, help="This query alone; repeatable.")
@options.group_options(WHAT, "The documents of these groups come first: values of --groups, with commas.")
@option("--limit", section="Output", type=click.IntRange(1), metavar="N", help="Show the first N documents.")
@option(
    "-o",
    "--output",
    section="Output",
    metavar="FILE",
    help="Write the documents with their texts to FILE (.jsonl, .csv, .tsv; .gz and .zst are compressed).",
)
@option(
    "--passages",
    section="Output",
    metavar="FILE",
    multiple=True,
    help="Texts of the documents, as JSON Lines, CSV or TSV; for labels of spans also source, start, end.  "
    "[default: the runs, where they hold them]",
)
@options.output_format_option
@options.names_option
@options.source_options
@options.reading_options
@options.threads_option
@options.rule_options
def next_command(
    *,
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    aim: str | None,
    only: tuple[str, ...],
    groups: tuple[str, ...],
    critical: tuple[str, ...],
    limit: int | None,
    output: str | None,
    passages: tuple[str, ...],
    output_format: str,
    **settings: Any,
) -> None:
    """List the unjudged documents of runs (RUN), the most telling first.

    A label can change MRR only where the document stands above the first relevant one. Those documents are
    ordered by how far a label narrows what is open: the interval of each run's mean, or of the difference of
    two. Judge them from the top; when all are judged the number is exact, and it takes fewer where some turn
    out relevant. Critical queries come first.
    """
    from firsthit.cli import judge_output
    from firsthit.cli.eval_output import print_notices
    from firsthit.queue import judging_queue

    judge_output.check_target(output)
    table = _only(only, _queries(settings))
    settings["passages"] = passages
    evaluations = _evaluate(qrels, runs, measure, table, settings)
    important = _critical_ids(evaluations[0], table, groups, critical)
    queue = judging_queue(evaluations, aim=aim, critical=important)
    texts = judge_output.Texts.of(queue, limit, table, passages, evaluations)
    if output is not None:
        judge_output.write_documents(queue, limit, texts, output)
    judge_output.print_queue(queue, limit, texts, output_format, listed=output is None)
    print_notices(evaluations, beside=False)


def _queries(settings: dict[str, Any]) -> Queries | None:
    path = settings.pop("queries")
    if path is None:
        return None
    from firsthit.queries import read_queries

    return read_queries(path)


def _only(chosen: tuple[str, ...], table: Queries | None) -> Queries | None:
    """These queries of the table, or of a table that knows nothing but them; without any, the whole table."""
    from firsthit.queries import Queries

    if not chosen:
        return table
    ids = tuple(dict.fromkeys(chosen))
    number = len(ids)
    if table is None:
        return Queries(ids, (None,) * number, {}, (False,) * number, (True,) * number, ((),) * number)
    missing = [query_id for query_id in ids if query_id not in table.query_id]
    if missing:
        raise UsageError(f"--query {missing[0]}: {table.name} has no such query.")
    return table.take([table.query_id.index(query_id) for query_id in ids])


def _evaluate(
    qrels: str, runs: tuple[str, ...], measure: str, table: Queries | None, settings: dict[str, Any]
) -> list[Evaluation]:
    from firsthit import evaluate_runs
    from firsthit.cli.names import names_of
    from firsthit.cli.progress import progress_on_terminal

    options.refuse_shared_input(qrels, *runs)
    rules = options.given_rules(settings)
    names = names_of(settings.pop("names"), runs)
    labels, settings["passages"] = _labels(qrels, rules, settings)
    with progress_on_terminal() as progress:
        found = evaluate_runs(
            labels,
            runs,
            [measure],
            depth=_depth(measure),
            queries=table,
            names=names,
            progress=progress,
            **settings,
            **rules,
        )
        return list(found)


def _labels(qrels: str, rules: dict[str, Any], settings: dict[str, Any]) -> tuple[Any, str | None]:
    """The labels, and the passages file where they need one: texts alone are read when they are shown."""
    passages = settings["passages"]
    if not passages:
        return qrels, None
    from firsthit.evaluation.assemble import labels_of
    from firsthit.profiles import rules_for

    given = rules_for(settings["compat"], "RR@10", rules)
    labels = labels_of(qrels, settings["qrels_format"], given)
    beside = settings["sources"] or settings["source_separator"] or given.unit == "document"
    if labels.by_doc_id and not beside:
        return labels, None
    if len(passages) > 1:
        raise UsageError("one --passages file says where passages stand", hint="Put them into one file.")
    return labels, passages[0]


def _depth(measure: str) -> int:
    """How deep ids are needed: to the cutoff, or as deep as a run goes."""
    from firsthit.measures import parse_measures

    (found,) = parse_measures([measure])
    if found.name != "RR":
        hint = "Name one such as RR@10; judging for other measures has no exact bounds of this kind."
        raise UsageError(f"{measure}: the queue is for RR measures", hint=hint)
    return WHOLE if found.cutoff is None else found.cutoff


WHOLE = 1_000_000


def _critical_ids(
    evaluation: Evaluation, table: Queries | None, specs: tuple[str, ...], critical: tuple[str, ...]
) -> set[str]:
    """The queries of critical groups, and those that the queries table marks."""
    marked = set() if table is None else {q for q, c in zip(table.query_id, table.critical, strict=True) if c}
    if not specs and not critical:
        return marked
    from firsthit.groups import critical_names, read_groups

    query_ids = list(evaluation.query_ids)
    known = _known(table, query_ids)
    columns = [column for spec in specs for column in read_groups(spec, query_ids, known)]
    wanted = critical_names(critical, columns)
    return marked | {
        query_id
        for column in columns
        for query_id, value in zip(query_ids, column.values, strict=True)
        if (column.name, value) in wanted
    }


def _known(table: Queries | None, query_ids: list[str]) -> dict[str, list[str | None]]:
    if table is None:
        return {}
    place = {query_id: i for i, query_id in enumerate(table.query_id)}
    return {name: [values[place[q]] for q in query_ids] for name, values in table.groups.items()}
