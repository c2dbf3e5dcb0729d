"""How many judgments the judging queue saves: labels are hidden, and judged again in different orders.

    python benchmarks/judging_queue.py                     TREC DL 2019 and TREC-COVID (FIRSTHIT_TEST_DATA)
    python benchmarks/judging_queue.py --set NAME --rel 2 QRELS RUN RUN...

Of the labels a share is hidden at random. Then one document after the other is judged as the hidden labels
say (a document without a label is not relevant), until the interval of a run's MRR@10 is at most 0.01 wide,
and until the winner of a pair is certain. The orders:

    queue        firsthit's queue, asked again after every judgment
    by depth     rank 1 of all queries first, then rank 2, ...; what cannot change the number is left out
    depth-k pool every unjudged document down to rank k, for the smallest k that is enough
    random       the unjudged documents of the top 10 in random order

Prints Markdown: the mean number of judgments over runs (or pairs) and seeds.
"""

from __future__ import annotations

import argparse
import heapq
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from firsthit import Evaluation, Queries, evaluate_runs, read_qrels
from firsthit.queue.aims import Aim, aim_of, limits
from firsthit.queue.collect import standings
from firsthit.queue.open_query import OpenQuery
from firsthit.queue.queue import State, relevance_chance

NARROW = 0.01
NOTHING = 1e-15
HIDDEN = (0.5, 0.8, 0.95)
ORDERS = ("queue", "by depth", "depth-k pool", "random")
Labels = dict[str, dict[str, float]]
Judged = tuple[int, str]


@dataclass
class Set:
    """Labels and the runs that are judged, with the threshold of relevance."""

    name: str
    qrels: str
    runs: list[str]
    rel: float


@dataclass
class Table:
    """The state of the runs while documents are judged, with running sums instead of new ones each time."""

    state: State
    aim: Aim
    truth: dict[str, set[str]]
    queries: dict[int, OpenQuery] = field(default_factory=dict)
    spread: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.queries = dict(enumerate(self.state.queries))
        self.number = {query.query_id: i for i, query in self.queries.items()}
        self.ahead = self.state.means[-1] - self.state.means[0]
        self.sums = [sum(self.measured(query)[i] for query in self.queries.values()) for i in range(3)]

    def measured(self, query: OpenQuery) -> tuple[float, float, float]:
        """The query's part of the interval's width, of the lower and of the upper room of the difference."""
        if self.aim.name == "means":
            return query.spread(self.aim), 0.0, 0.0
        lower, upper = limits(query.settled, query.outcomes)
        now = float(query.settled[1] - query.settled[0])
        return 0.0, now - float(lower), float(upper) - now

    def matters(self, number: int, doc_id: str) -> bool:
        """Whether a label can change the number at all."""
        query = self.queries[number]
        return doc_id in query.doc_ids and query.spread(self.aim) > NOTHING

    def judge(self, number: int, doc_id: str) -> None:
        """Take the hidden label of a document; nothing changes where it is not open."""
        query = self.queries[number]
        if doc_id not in query.doc_ids:
            return
        relevant = doc_id in self.truth.get(query.query_id, ())
        after = query.judged(list(query.doc_ids).index(doc_id), relevant)
        gained = after.settled - query.settled
        self.ahead += float(gained[-1] - gained[0])
        changes = zip(self.measured(query), self.measured(after), strict=True)
        self.sums = [total + new - old for total, (old, new) in zip(self.sums, changes, strict=True)]
        self.queries[number] = after

    def done(self) -> bool:
        """Whether the interval is narrow, or the winner certain."""
        width, down, up = self.sums
        if self.aim.name == "means":
            return width <= NARROW
        return self.ahead - down > 1e-12 or self.ahead + up < -1e-12


def by_queue(table: Table, chance: float) -> Iterator[Judged]:
    """The queue's order: after every judgment its query's documents are ordered again."""
    heap: list[tuple[float, int, str]] = []

    def push(number: int) -> None:
        query = table.queries[number]
        if len(query.gain) and query.spread(table.aim) > NOTHING:
            ordered = query.ordered(table.aim, chance)
            best = query.doc_ids[int(ordered.documents[0])]
            heapq.heappush(heap, (-float(ordered.worth[0]), number, best))

    for number in table.queries:
        push(number)
    while heap:
        _, number, doc_id = heapq.heappop(heap)
        yield number, doc_id
        push(number)


def pool(evaluations: list[Evaluation], table: Table) -> list[tuple[int, int, str]]:
    """All unjudged documents of the top 10 as (best rank, query, document)."""
    best: dict[Judged, int] = {}
    for evaluation in evaluations:
        ranked = evaluation.record().detail.ranked
        for place, query_id in enumerate(evaluation.query_ids):
            for rank, (doc_id, grade) in enumerate(list(ranked.group(place).items())[:10], 1):
                if grade != grade and query_id in table.number:
                    key = table.number[query_id], doc_id
                    best[key] = min(rank, best.get(key, rank))
    return sorted((rank, number, doc_id) for (number, doc_id), rank in best.items())


def judgments(table: Table, order: Iterator[Judged], *, skip: bool = False) -> int | None:
    """How many documents are judged until it is done; None when the order ends before."""
    count = 0
    while not table.done():
        following = next(order, None)
        if following is None:
            return None
        if skip and not table.matters(*following):
            continue
        table.judge(*following)
        count += 1
    return count


def pool_judgments(table: Table, pooled: list[tuple[int, int, str]]) -> int | None:
    """The size of the shallowest pool after which it is done: a pool is judged whole."""
    for depth in range(11):
        for rank, number, doc_id in pooled:
            if rank == depth:
                table.judge(number, doc_id)
        if table.done():
            return sum(rank <= depth for rank, _, _ in pooled)
    return None


def compare_orders(
    evaluations: list[Evaluation], aim_name: str, truth: dict[str, set[str]], seed: int
) -> dict[str, int | None]:
    """Judgments by each order, for one run or one pair."""
    found = standings(evaluations)
    state = State.of(found)
    measure_aim = aim_of("means" if aim_name == "means" else "difference", len(found))

    def fresh() -> Table:
        return Table(state, measure_aim, truth)

    pooled = pool(evaluations, fresh())
    by_depth = [(number, doc_id) for _, number, doc_id in pooled]
    shuffled = random.Random(seed).sample(by_depth, len(by_depth))
    table = fresh()
    table = fresh()
    result = {"queue": judgments(table, by_queue(table, relevance_chance(found)))}
    result["by depth"] = judgments(fresh(), iter(by_depth), skip=True)
    result["depth-k pool"] = pool_judgments(fresh(), pooled)
    result["random"] = judgments(fresh(), iter(shuffled))
    return result


def hidden(labels: Labels, share: float, seed: int) -> Labels:
    """The labels without a random share of them."""
    chance = random.Random(seed)
    kept = {q: {d: g for d, g in docs.items() if chance.random() >= share} for q, docs in labels.items()}
    return {query: docs for query, docs in kept.items() if docs}


def truth_of(source: Set) -> tuple[Labels, dict[str, set[str]]]:
    qrels = read_qrels(source.qrels)
    labels: Labels = {query: {} for query in qrels.query_ids}
    for query, doc_id, grade in zip(qrels.query.tolist(), qrels.doc_ids, qrels.grade.tolist(), strict=True):
        labels[qrels.query_ids[query]][doc_id] = grade
    relevant = {q: {d for d, g in docs.items() if g >= source.rel} for q, docs in labels.items()}
    return labels, relevant


def population(labels: Labels) -> Queries:
    ids = tuple(labels)
    none = (None,) * len(ids)
    yes = (True,) * len(ids)
    return Queries(ids, none, {}, (False,) * len(ids), yes, ((),) * len(ids))


def main() -> None:
    """Read the arguments, run the experiment, print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--set", default="given", help="name of the given files in the table")
    parser.add_argument("--rel", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("files", nargs="*", help="QRELS RUN RUN...")
    options = parser.parse_args()
    qrels, *runs = options.files or [""]
    sets = [Set(options.set, qrels, runs, options.rel)] if qrels else standard_sets()
    for aim, what in (("means", f"interval at most {NARROW} wide"), ("winner", "winner certain")):
        print(f"\n{what}\n")
        print_table([(s, share, experiment(s, share, aim, options.seeds)) for s in sets for share in HIDDEN])


def standard_sets() -> list[Set]:
    data = Path(os.environ["FIRSTHIT_TEST_DATA"])
    dl, covid = data / "dl19_passage", data / "beir_trec_covid"
    dl_runs = ["bm25.dl19.txt", "bm25_rm3.dl19.txt", "tasb.dl19.txt", "splade.dl19.txt", "ada2.dl19.txt"]
    covid_runs = ["bm25.covid.txt", "bm25_rm3.covid.txt", "splade.covid.txt"]
    return [
        Set("DL 2019", str(dl / "qrels.dl19-passage.txt"), [str(dl / f"run.{r}") for r in dl_runs], 2),
        Set(
            "TREC-COVID",
            str(covid / "qrels.trec-covid.test.txt.gz"),
            [str(covid / f"run.{r}") for r in covid_runs],
            1,
        ),
    ]


def experiment(source: Set, share: float, aim: str, seeds: int) -> list[dict[str, int | None]]:
    """The judgments of every run (or pair) and seed."""
    labels, relevant = truth_of(source)
    found = []
    for seed in range(seeds):
        visible = hidden(labels, share, seed)
        evaluations = list(
            evaluate_runs(visible, source.runs, ["RR@10"], queries=population(labels), rel=source.rel)
        )
        chosen = combinations(evaluations, 1 if aim == "means" else 2)
        found += [compare_orders(list(group), aim, relevant, seed) for group in chosen]
    return found


def print_table(rows: list[tuple[Set, float, list[dict[str, int | None]]]]) -> None:
    orders = list(rows[0][2][0])
    print("| labels | hidden | cases |", " | ".join(orders), "|")
    print("|---|---:|---:|" + "---:|" * len(orders))
    for source, share, results in rows:
        settled = [r for r in results if all(v is not None for v in r.values())]
        means = [sum(r[order] or 0 for r in settled) / max(len(settled), 1) for order in orders]
        shown = " | ".join(f"{mean:.0f}" for mean in means)
        print(f"| {source.name} | {share:.0%} | {len(settled)} of {len(results)} | {shown} |")


if __name__ == "__main__":
    main()
