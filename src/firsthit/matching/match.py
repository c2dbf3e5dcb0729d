"""Labels and a run joined into Hits: the core driven over the run's blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from firsthit import _core
from firsthit.errors import InputError, Problem, UsageError
from firsthit.files.blocks import Blocks, Progress
from firsthit.files.sources import OpenFile, refuse
from firsthit.formats import Loaded
from firsthit.formats.parquet import ParquetTable, columns_for
from firsthit.formats.problems import input_error, reading
from firsthit.ids import Ids
from firsthit.matching.hits import Head, Hits, sealed
from firsthit.matching.notices import notices_of, refuse_inverted
from firsthit.matching.run_facts import RunFacts
from firsthit.qrels import Qrels
from firsthit.rules import Rules
from firsthit.run import Columns, Run, TextFile, loaded

__all__ = ["Job", "cores", "hits_of", "match"]

SMALL = 2_000_000
MOST_THREADS = 8

RANGE = 1 << 20
MOST_RANGES = 32
"""A thread reads a range of a file at a time; between steps of some ranges Python runs: progress, Ctrl-C."""

PROBED = 10
"""How many ids of each ranking are looked at where no labelled document is retrieved."""

DEFAULT_RULES = Rules()

Order = Literal["score", "rank", "given"]


def match(
    qrels: Qrels,
    run: Run,
    *,
    rules: Rules = DEFAULT_RULES,
    depth: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    digest: bool = False,
) -> Hits:
    """Join labels with a run: where each labelled document stands in each ranking.

    The head of each ranking holds the ids of its top `depth`. A large file or a table is read with as many
    `threads` as the machine has cores, at most 8. `progress` is called with the bytes read and their total;
    `digest` computes the sha256 of the run's file beside the matching. Raises InputError for what the rules
    do not allow.

    >>> from firsthit.qrels import read_qrels
    >>> from firsthit.run import read_run
    >>> hits = match(read_qrels({"q1": {"b": 1}}), read_run({"q1": {"a": 2.0, "b": 1.0}}))
    >>> hits.rank.tolist(), hits.retrieved.tolist(), hits.run.order
    ([2], [2], 'score')
    """
    job = Job.of(qrels, run, rules, depth)
    result, facts = job.done(threads, progress, digest=digest)
    ids = Ids(*result["head_ids"])
    return hits_of(qrels, cast(dict[str, Any], result), ids, facts, depth)


class Job(msgspec.Struct, frozen=True, eq=False):
    """One matching: what is read, how rankings are made, and which fields of passages are kept."""

    qrels: Qrels
    run: Run
    rules: Rules
    depth: int
    whole: Loaded | None
    order: Order
    passages: tuple[str, ...] = ()

    @classmethod
    def of(cls, qrels: Qrels, run: Run, rules: Rules, depth: int, passages: tuple[str, ...] = ()) -> Job:
        """The matching of this run, which is read here where it is one document."""
        whole = loaded(run)
        return cls(qrels, run, rules, depth, whole, _order(run, whole, rules.order), passages)

    def done(
        self, threads: int | None, progress: Progress | None, *, digest: bool
    ) -> tuple[_core.MatchResult, RunFacts]:
        """The core's result and what was seen of the run; InputError for what the rules do not allow."""
        with _digest(self.run, digest) as sha256:
            result = self.result(threads, progress)
            _refuse_problems(self, result)
            strangers = _strangers(self, result, threads)
            facts = _facts(self, result, sha256())
            facts = notices_of(facts, self.qrels, self.rules, result["retrieved"], strangers)
        refuse_inverted(facts, self.rules, _source(self.run))
        return result, facts

    @property
    def lines_of_file(self) -> bool:
        """Whether the run is read line by line."""
        return self.whole is None

    def result(self, threads: int | None, progress: Progress | None) -> _core.MatchResult:
        """The core's result; read again, with grouping, where a query's lines are scattered."""
        threads = _threads(threads, self.run)
        matcher = self._matcher(threads, grouped=self.only_once())
        self._feed(matcher, threads, progress)
        if matcher.scattered:
            matcher = self._matcher(threads, grouped=True)
            self._feed(matcher, threads, progress)
        return matcher.finish()

    def only_once(self) -> bool:
        """Whether the source can be read only once, as a stream of record batches: it has no length."""
        return isinstance(self.run, Columns) and not hasattr(self.run.source, "__len__")

    def _matcher(self, threads: int, *, grouped: bool) -> _core.Matcher:
        rules, layout = self.rules, self.run.layout
        roles = self.whole.roles if self.whole else layout.roles
        ordering = _core.Ordering(
            self.order,
            bits=rules.score_bits,
            ties=rules.ties if rules.ties in ("docid-asc", "given") else "docid-desc",
            duplicates=rules.duplicates,
            drop_self_hits=rules.self_hits == "drop",
            check_rank=self.order == "score" and "rank" in roles,
        )
        text = layout.lines if self.whole is None or isinstance(self.whole.source, Blocks) else None
        lines = text.layout(comments=rules.comments == "skip") if text else None
        return _core.Matcher(
            self.qrels.index,
            lines,
            ordering,
            depth=self.depth,
            threads=threads,
            grouped=grouped,
            passages=self.passages,
        )

    def _feed(self, matcher: _core.Matcher, threads: int, progress: Progress | None) -> None:
        source = (
            self.whole.source if self.whole else self.run.blocks if isinstance(self.run, TextFile) else None
        )
        if isinstance(source, Blocks):
            _feed_blocks(matcher, source, progress)
            return
        with reading(_source(self.run), source, "score"):
            if isinstance(source, Mapping):
                matcher.feed_mapping(source)
            else:
                if self.passages and isinstance(source, ParquetTable):
                    source = source.reading(columns_for(self.run.layout, self.passages))
                table = source.decoded_on(threads) if isinstance(source, ParquetTable) else source
                matcher.feed_arrow(table, self.run.layout.names)


def _feed_blocks(matcher: _core.Matcher, blocks: Blocks, progress: Progress | None) -> None:
    """A scattered file is left as soon as that is seen: it is read again anyway."""
    with blocks.as_file() as file:
        if file is not None:
            _feed_file(matcher, blocks, file, progress)
            return
    for block in blocks.read(progress):
        matcher.feed(block)
        if matcher.scattered:
            return
    matcher.feed(b"", last=True)


def _feed_file(matcher: _core.Matcher, blocks: Blocks, file: OpenFile, progress: Progress | None) -> None:
    """The first steps are short, since a scattered file mostly shows in its first lines."""
    done, count, ended = 0, 1, False
    while not (ended or matcher.scattered):
        try:
            found = matcher.feed_file(file.descriptor, file.start + done, RANGE, count)
        except OSError as error:
            refuse(blocks.name, error)
        done, ended, count = done + found, found < count * RANGE, min(2 * count, MOST_RANGES)
        if progress is not None:
            progress(done, max(blocks.size, done))
    if ended and done < blocks.size:
        what = f"became shorter while it was read: {done:,} of {blocks.size:,} bytes were left"
        raise InputError(blocks.name, [Problem(what)], hint="Evaluate it once it is written.")


def _order(run: Run, whole: Loaded | None, wanted: str) -> Order:
    """The order to use: the rules', or the first of score, rank and given that the run can serve."""
    roles = whole.roles if whole else run.layout.roles
    if wanted == "auto":
        return "score" if "score" in roles else "rank" if "rank" in roles else "given"
    if wanted != "given" and wanted not in roles:
        others = [name for name in ("score", "rank") if name in roles]
        hint = f"It can be ranked by --order {' or '.join([*others, 'given'])}."
        what = f"{_source(run)}: there is no {wanted} to rank by (format {run.layout.name})."
        raise UsageError(what, hint=hint)
    return cast(Order, wanted)


def _threads(wanted: int | None, run: Run) -> int:
    if wanted is not None:
        if wanted < 1:
            raise UsageError(f"threads is {wanted}; it must be at least 1.")
        return wanted
    source = run.blocks if isinstance(run, TextFile) else run.source
    if isinstance(source, Mapping) or (isinstance(source, Blocks) and source.size < SMALL):
        return 1
    return min(cores(), MOST_THREADS)


def cores() -> int:
    """The cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _source(run: Run) -> str:
    return run.blocks.name if isinstance(run, TextFile) else run.name


def _refuse_problems(job: Job, result: _core.MatchResult) -> None:
    """Stop at lines that cannot be used, and at a run that ranks nothing for any query."""
    source, total = _source(job.run), result["problem_count"]
    if total:
        number = "score" if job.order == "given" else job.order
        layout, records = job.run.layout, not job.lines_of_file
        raise input_error(source, result["problems"], total, layout, number=number, records=records)
    present = result["records"] or len(result["unlabelled"][1]) > 1 or (result["retrieved"] >= 0).any()
    if not present and job.rules.empty_run == "error":
        hint = "--empty-run score (in Python empty_run='score') counts every query as absent."
        raise InputError(source, [Problem("holds no ranking: it is empty")], hint=hint)


@contextmanager
def _digest(run: Run, wanted: bool) -> Iterator[Any]:
    """A function that gives the sha256 of the run's own bytes, computed on a thread of its own meanwhile."""
    if not wanted or not isinstance(run, TextFile):
        yield lambda: ""
        return
    from firsthit.files.file_digest import FileDigest

    computing = FileDigest(run.blocks)
    try:
        yield computing.hexdigest
    except BaseException:
        computing.stop()
        raise


def _strangers(job: Job, result: _core.MatchResult, threads: int | None) -> Ids | None:
    """Retrieved documents where none has a label; read once more if no ids were kept the first time."""
    if len(result["row"]) or not (result["retrieved"] > 0).any() or not job.qrels.by_doc_id:
        return None
    if job.passages:
        return Ids(*result["passages"]["doc"]).subset(result["head_passage"])
    if not job.depth and not job.only_once():
        result = msgspec.structs.replace(job, depth=PROBED).result(threads, None)
    return Ids(*result["head_ids"])


def _facts(job: Job, result: _core.MatchResult, sha256: str) -> RunFacts:
    return RunFacts(
        name=job.run.name,
        path=job.run.path,
        format=job.run.format,
        order=job.order,
        unlabelled=Ids(*result["unlabelled"]),
        unlabelled_retrieved=sealed(result["unlabelled_retrieved"]),
        tied_queries=sealed(result["tied_queries"]),
        inverted=Ids(*result["inverted"]),
        lines=result["lines"],
        records=result["records"],
        blank_lines=result["blank_lines"],
        comment_lines=result["comment_lines"],
        tied_records=result["tied_records"],
        tied_unlabelled=result["tied_unlabelled"],
        duplicates_removed=result["duplicates_removed"],
        duplicate_examples=tuple(
            (query.decode(), doc.decode(), line, first)
            for query, doc, line, first in result["duplicate_examples"]
        ),
        self_hits_dropped=result["self_hits_dropped"],
        self_hit_examples=tuple(
            (query.decode(), doc.decode(), line) for query, doc, line in result["self_hit_examples"]
        ),
        rank_column=result["rank_column"],
        pairs_fall=result["pairs_fall"],
        pairs_rise=result["pairs_rise"],
        inverted_count=result["inverted_count"],
        deepest=result["deepest"],
        sha256=sha256,
    )


def hits_of(qrels: Qrels, result: Mapping[str, Any], ids: Ids, facts: RunFacts | None, depth: int) -> Hits:
    """The hits of a join by document: arrays as the core gives them, and the ids of the heads."""
    head = Head(
        depth=depth,
        offsets=sealed(result["head_offsets"]),
        record=sealed(result["head_record"]),
        label=sealed(result["head_row"]),
        ids=ids,
    )
    entry, label = _label_rows(qrels, result["row"])
    return Hits(
        qrels=qrels,
        query=sealed(result["query"][entry]),
        rank=sealed(result["rank"][entry]),
        label=sealed(label),
        tie_first=sealed(result["tie_first"][entry]),
        tie_last=sealed(result["tie_last"][entry]),
        retrieved=sealed(result["retrieved"]),
        head=head if depth else None,
        run=facts,
    )


def _label_rows(qrels: Qrels, row: NDArray[np.int64]) -> tuple[Any, NDArray[np.int64]]:
    """Which document and label row each entry is: a document has an entry for each need."""
    if qrels.documents:
        return slice(None), row
    first = qrels.first_row
    by_document = np.argsort(first, kind="stable")
    starts = np.searchsorted(first[by_document], row)
    counts = np.bincount(first, minlength=len(first))[row]
    entry = np.repeat(np.arange(len(row)), counts)
    before = np.repeat(np.cumsum(counts) - counts, counts)
    return entry, by_document[np.repeat(starts, counts) + np.arange(len(entry)) - before]
