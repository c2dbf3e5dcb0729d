"""How comparisons are printed and written: the verdict first, everywhere."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from firsthit.cli.output import READING_WIDTH, encode, paragraph, print_rows, separated, terminal_width, write
from firsthit.cli.targets import refuse_unwritable
from firsthit.errors import UsageError

if TYPE_CHECKING:
    from firsthit.cli.compare_work import Found
    from firsthit.comparison.comparison import Comparison
    from firsthit.evaluation.evaluation import Evaluation
    from firsthit.gate import GateResult

__all__ = ["print_comparisons", "reports_of", "write_reports"]

KINDS = ("html", "markdown", "junit", "json", "csv")

PER_QUERY = ("query_id", "first_rank_old", "first_rank_new", "change", "value_old", "value_new", "difference")
MEANS = (
    "old",
    "new",
    "measure",
    "queries",
    "mean_old",
    "mean_new",
    "difference",
    "low",
    "high",
    "p",
    "p_holm",
    "better",
    "worse",
    "same",
    "verdict",
)


def reports_of(settings: dict[str, Any]) -> dict[str, str]:
    """Take the report files out of a command's options; whatever cannot be written is refused at once."""
    taken = {kind: settings.pop(kind) for kind in KINDS}
    reports = {kind: path for kind, path in taken.items() if path is not None}
    doubled = {path for path in reports.values() if list(reports.values()).count(path) > 1}
    if doubled:
        raise UsageError(f"{', '.join(sorted(doubled))}: two reports cannot be written to one file.")
    for path in reports.values():
        refuse_unwritable(path)
    return reports


def write_reports(found: Found, reports: Mapping[str, str]) -> None:
    """Make all reports, then write them, so that an error leaves no file behind."""
    from firsthit.files.atomic import write_whole

    texts = {path: report_text(found, kind) for kind, path in reports.items()}
    for path, text in texts.items():
        write_whole(path, [text.encode()])
    if texts:
        click.echo(f"saved: {', '.join(texts)}", err=True)


def report_text(found: Found, kind: str) -> str:
    """A report of this kind."""
    from firsthit import report

    if found.first is not None:
        return first_report(found.first, found.gate or (), kind)
    if kind == "csv":
        return report.csv_text(found.comparisons)
    makers: dict[str, Callable[..., str]] = {
        "html": report.html,
        "markdown": report.markdown,
        "junit": report.junit,
        "json": report.json_text,
    }
    return makers[kind](found.comparisons, found.gate)


def first_report(new: Evaluation, results: Sequence[GateResult], kind: str) -> str:
    """The report of a first run, which has nothing to compare with: the page is that of the evaluation."""
    from firsthit import report
    from firsthit.report.markdown import MARKER

    if kind == "markdown":
        words = [line for result in results for line in (f"**{result.sentence}**", *result.notices)]
        return "\n\n".join([MARKER, *words]) + "\n"
    if kind == "html":
        return report.evaluation_html(new)
    if kind == "json":
        return report.json_text((), results)
    return report.junit(()) if kind == "junit" else report.csv_text(())


def print_comparisons(found: Found, output_format: str, *, per_query: bool, explained: bool) -> None:
    """Print in the format: the report or its rows on standard output, and the gate.

    In tables and Markdown the verdict stands first; data formats hold data only, and the sentences go to
    standard error.
    """
    if found.first is not None and output_format == "table":
        _print_gate(found, explained=explained, err=False)
        return
    printers = {"table": _print_table, "json": _print_json, "markdown": _print_markdown}
    printers.get(output_format, _print_rows)(found, output_format, per_query)
    inside = output_format in ("table", "markdown") and not per_query
    if not inside:
        sys.stdout.flush()
        for comparison in found.comparisons:
            notes = comparison.notices
            said = [*_sentences(comparison), *notes] if output_format != "table" else notes
            click.echo("".join(f"note: {line}\n" for line in said), err=True, nl=False)
    _print_gate(found, explained=explained, err=output_format != "table")


def _sentences(comparison: Comparison) -> list[str]:
    verdict = comparison.verdict
    return [verdict.sentence, *([verdict.second_sentence] if verdict.second_sentence else [])]


def _print_table(found: Found, _: str, per_query: bool) -> None:
    from firsthit.report import text

    if not per_query:
        write(text(found.comparisons, width=terminal_width() or READING_WIDTH))
        return
    for number, comparison in enumerate(found.comparisons):
        said = "\n".join(map(paragraph, _sentences(comparison)))
        click.echo(("\n" if number else "") + said + "\n")
        print_rows(list(_query_rows(comparison)), _per_query_columns(comparison), "table")


def _per_query_columns(comparison: Comparison) -> list[str]:
    critical = ["critical"] if comparison.critical.any() else []
    return [*PER_QUERY, *critical, *comparison.groups_of]


def _query_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for row in comparison.data()["queries"]:
        yield {**row["groups"], **row}


def _print_json(found: Found, _: str, per_query: bool) -> None:
    if per_query:
        rows = [row for comparison in found.comparisons for row in _named_queries(comparison)]
        write(encode({"queries": rows}, indent=True) + "\n")
        return
    write(report_text(found, "json"))


def _named_queries(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for row in comparison.data()["queries"]:
        yield {"old": comparison.old, "new": comparison.new, "measure": comparison.measure, **row}


def _print_markdown(found: Found, output_format: str, per_query: bool) -> None:
    if not per_query:
        write(report_text(found, "markdown"))
        return
    for comparison in found.comparisons:
        print_rows(list(_query_rows(comparison)), _per_query_columns(comparison), output_format)


def _print_rows(found: Found, output_format: str, per_query: bool) -> None:
    """CSV, TSV and JSON Lines: the queries, or the measures."""
    if output_format == "jsonl":
        rows = [_named_queries(one) if per_query else iter([one.data()]) for one in found.comparisons]
        write("".join(f"{encode(row)}\n" for part in rows for row in part))
    elif per_query:
        text = report_text(found, "csv")
        write(text if output_format == "csv" else _as_tsv(text))
    else:
        rows_of_means = [row for comparison in found.comparisons for row in _mean_rows(comparison)]
        for piece in separated(rows_of_means, MEANS, "," if output_format == "csv" else "\t"):
            write(piece)


def _as_tsv(text: str) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter="\t", lineterminator="\n").writerows(csv.reader(io.StringIO(text)))
    return buffer.getvalue()


def _mean_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for name, found in comparison.means.items():
        yield {
            "old": comparison.old,
            "new": comparison.new,
            "measure": name,
            "queries": found.queries,
            "mean_old": found.old,
            "mean_new": found.new,
            "difference": found.difference,
            "low": found.interval.low,
            "high": found.interval.high,
            "p": found.p,
            "p_holm": found.p_holm,
            "better": found.wins,
            "worse": found.losses,
            "same": found.ties,
            "verdict": comparison.verdict.kind if name == comparison.measure else None,
        }


def _print_gate(found: Found, *, explained: bool, err: bool) -> None:
    """How the gate ended, below the report; the rules that do not pass, or with --explain all of them."""
    sys.stdout.flush()
    for number, result in enumerate(found.gate or ()):
        if not err and (found.comparisons or number):
            click.echo()
        lines = _explained(result) if explained else list(_outcome(result))
        several = len(found.comparisons) > 1
        heading = [f"{found.comparisons[number].new}:"] if several else []
        click.echo("\n".join([*heading, *lines]), err=err)


def _explained(result: GateResult) -> list[str]:
    from firsthit.gate import explain

    return explain(result).splitlines()


def _outcome(result: GateResult) -> Iterator[str]:
    yield result.sentence
    for rule in result.rules:
        if rule.status != "pass":
            word = "FAIL" if rule.status == "fail" else "cannot tell"
            yield paragraph(f"{word}: {rule.rule}: {rule.text}", indent=4)
    yield from (f"note: {notice}" for notice in result.notices)
