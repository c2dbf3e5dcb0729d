"""What holds on every input, seen from the public interface."""

from __future__ import annotations

import json
import random
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import firsthit
from firsthit.bounds import bounds, tie_range
from firsthit.evaluation.evaluation import Evaluation
from firsthit.measures import parse_measures
from tests.small_collections import EVERY_MEASURE, Labels, Scores, collections, orders_of, ranked, write_forms
from tests.strategies import ids

Floats = NDArray[np.float64]
CASE = tuple[Labels, Scores]
ROUNDING = 1e-12  # sums in another order
TIED = ["RR", "RR@1", "RR@2", "RR@3", "Success@2", "P@2", "R@2", "nDCG", "nDCG@2", "RBP"]
few = settings(max_examples=max(settings().max_examples // 2, 1))


def evaluated(labels: Any, run: Any, measures: list[str] = EVERY_MEASURE, **rules: Any) -> Evaluation:
    return firsthit.evaluate(labels, run, measures, **rules)


def values(labels: Any, run: Any, measures: list[str] = EVERY_MEASURE, **rules: Any) -> Floats:
    """Per measure and query."""
    result = evaluated(labels, run, measures, **rules)
    return np.array([result[name] for name in result.measures])


def assert_equal(one: Floats, other: Floats, tolerance: float = 0.0) -> None:
    np.testing.assert_allclose(one, other, rtol=0, atol=tolerance)


@given(collections())
def test_values_lie_between_0_and_1_but_for_counts(case: CASE) -> None:
    result = evaluated(*case)
    for name in result.measures:
        if not name.startswith("Num"):
            assert np.nanmin(result[name], initial=0) >= 0
            assert np.nanmax(result[name], initial=0) <= 1


@given(collections())
def test_rr_grows_with_its_cutoff_and_starts_as_success(case: CASE) -> None:
    names = ["RR@1", "RR@2", "RR@3", "RR@5", "RR@100", "RR"]
    result = evaluated(*case, [*names, "Success@1"])
    assert_equal(result["RR@1"], result["Success@1"])
    for smaller, larger in pairwise(names):
        assert (result[smaller] <= result[larger]).all()


@given(collections(), st.randoms(use_true_random=False))
def test_renaming_documents_leaves_expected_values_over_ties(case: CASE, chance: random.Random) -> None:
    labels, run = case
    docs = sorted({doc for docs in [*labels.values(), *run.values()] for doc in docs})
    names = dict(zip(docs, chance.sample([f"n{i}" for i in range(50)], len(docs)), strict=True))

    def renamed(source: Any) -> Any:
        return {query: {names[doc]: value for doc, value in docs.items()} for query, docs in source.items()}

    before = values(labels, run, TIED, ties="expected")
    assert_equal(before, values(renamed(labels), renamed(run), TIED, ties="expected"), ROUNDING)


@given(collections(st.floats(-1e6, 1e6)), st.randoms(use_true_random=False))
def test_a_strictly_increasing_map_of_scores_changes_nothing(case: CASE, chance: random.Random) -> None:
    labels, run = case
    levels = sorted({score + 0.0 for docs in run.values() for score in docs.values()})
    images = np.cumsum([chance.uniform(0.5, 1e3) for _ in levels]) - 1e3
    image = dict(zip(levels, images.tolist(), strict=True))
    mapped = {query: {doc: image[score] for doc, score in docs.items()} for query, docs in run.items()}
    assert_equal(values(labels, run), values(labels, mapped))


@given(collections(), st.randoms(use_true_random=False))
def test_shuffling_lines_changes_no_value(case: CASE, chance: random.Random) -> None:
    labels, run = case
    lines = [
        f"{query} Q0 {doc} {rank} {score} t\n"
        for query, docs in run.items()
        for rank, (doc, score) in enumerate(ranked(docs), 1)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.txt"
        path.write_text("".join(chance.sample(lines, len(lines))), encoding="utf-8")
        assert_equal(values(labels, path), values(labels, run))


@given(collections(), st.lists(st.sampled_from(["n1", "n2", "n3"]), unique=True))
def test_documents_below_the_first_hit_do_not_change_rr(case: CASE, more: list[str]) -> None:
    labels, run = case
    names = ["RR", "RR@2", "RR@10"]
    lowered = {query: {**docs, **dict.fromkeys(more, -5.0)} for query, docs in run.items()}
    found = evaluated(labels, run, names).first_rank > 0
    assert_equal(values(labels, run, names)[:, found], values(labels, lowered, names)[:, found])


@given(collections())
def test_reporting_a_document_twice_changes_no_measure(case: CASE) -> None:
    labels, run = case
    frame = {"query_id": [], "doc_id": [], "score": []}  # type: dict[str, list[Any]]
    for query, docs in run.items():
        for doc, score in [*docs.items(), *[(doc, score - 10) for doc, score in docs.items()]]:
            for name, value in zip(frame, (query, doc, score), strict=True):
                frame[name].append(value)
    assert_equal(values(labels, pa.table(frame), duplicates="best"), values(labels, run))


@given(collections())
def test_condensed_is_the_run_without_its_unjudged_documents(case: CASE) -> None:
    labels, run = case
    judged = {
        query: [doc for doc, _ in ranked(docs) if labels.get(query, {}).get(doc, -1) >= 0]
        for query, docs in run.items()
    }
    assert_equal(values(labels, run, unjudged="condensed"), values(labels, judged), ROUNDING)


@given(collections(), st.data())
def test_bounds_contain_the_value_after_any_further_judging(case: CASE, data: st.DataObject) -> None:
    labels, run = case
    judged = {query: dict(docs) for query, docs in labels.items()}
    for query, docs in judged.items():
        for doc in run.get(query, {}):
            if docs.get(doc, -1.0) < 0 and data.draw(st.booleans()):
                docs[doc] = data.draw(st.sampled_from([0.0, 1.0, 2.0]))
    for name in ("RR", "RR@2", "Success@3", "RR(rel=2)@3"):
        measure = parse_measures([name])[0]
        lower, upper = bounds(hits_of(labels, run), measure)
        after = measure.values(hits_of(judged, run))
        assert (lower <= after).all()
        assert (after <= upper).all()


def hits_of(labels: Any, run: Any) -> firsthit.Hits:
    return firsthit.match(firsthit.read_qrels(labels), firsthit.read_run(run))


@few
@given(collections())
def test_bounds_are_the_extremes_of_all_judgings(case: CASE) -> None:
    labels, run = {"q1": case[0]["q1"]}, {"q1": case[1].get("q1", {"zz": 1.0})}
    unjudged = [doc for doc in run["q1"] if labels["q1"].get(doc, -1.0) < 0][:5]
    run = {"q1": {doc: score for doc, score in run["q1"].items() if doc in unjudged or doc in labels["q1"]}}
    assume(run["q1"])
    judgings = [
        dict(zip(unjudged, grades, strict=True)) for grades in product([0.0, 1.0], repeat=len(unjudged))
    ]
    every = {f"j{at}": {**labels["q1"], **judging} for at, judging in enumerate(judgings)}
    after = values(every, dict.fromkeys(every, run["q1"]), ["RR", "RR@2", "Success@2"])
    for at, name in enumerate(["RR", "RR@2", "Success@2"]):
        lower, upper = bounds(hits_of(labels, run), parse_measures([name])[0])
        assert (lower[0], upper[0]) == (after[at].min(), after[at].max())


@few
@given(collections())
def test_ties_are_brute_force_over_every_order(case: CASE) -> None:
    labels, docs = case[0]["q1"], next(iter(case[1].values()))
    orders = list(orders_of(docs))
    every = {f"o{at}": order for at, order in enumerate(orders)}
    brute = values(dict.fromkeys(every, labels), every, TIED)
    assert_equal(
        values({"q": labels}, {"q": docs}, TIED, ties="expected")[:, 0], brute.mean(axis=1), ROUNDING
    )
    assert_equal(values({"q": labels}, {"q": docs}, TIED, ties="best")[:, 0], brute.max(axis=1), ROUNDING)
    assert_equal(values({"q": labels}, {"q": docs}, TIED, ties="worst")[:, 0], brute.min(axis=1), ROUNDING)
    for at, name in enumerate(["RR", "RR@1", "RR@2", "RR@3", "Success@2"]):
        worst, mean, best = tie_range(hits_of({"q": labels}, {"q": docs}), parse_measures([name])[0])
        expected = [brute[at].min(), brute[at].mean(), brute[at].max()]
        assert_equal(np.array([worst[0], mean[0], best[0]]), np.array(expected), ROUNDING)


@few
@given(collections(st.floats(-1e300, 1e300)))
def test_every_format_gives_the_same_evaluation(case: CASE) -> None:
    labels, run = case
    expected = values(labels, run)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for label_file, run_file in write_forms(labels, run, folder):
            assert_equal(values(label_file, run_file), expected)
        (folder / "run.zst").write_bytes(zstandard.compress((folder / "run.trec").read_bytes()))
        assert_equal(values(labels, folder / "run.zst"), expected)
        table = table_of(run)
        assert_equal(values(table_of(labels, "grade"), table), expected)
        pq.write_table(table, folder / "run.parquet")
        assert_equal(values(labels, folder / "run.parquet"), expected)


def table_of(source: Labels, value: str = "score") -> pa.Table:
    rows = [(query, doc, number) for query, docs in source.items() for doc, number in docs.items()]
    columns = zip(*rows, strict=True)
    return pa.table(dict(zip(["query_id", "doc_id", value], map(list, columns), strict=True)))


@few
@given(collections(), st.sampled_from(["saved.jsonl", "saved.jsonl.gz", "saved.jsonl.zst"]))
def test_a_saved_evaluation_comes_back_as_it_was(case: CASE, name: str) -> None:
    result = evaluated(*case)
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        result.save(path)
        loaded = firsthit.load(path)
        assert loaded == result
        assert_equal(
            np.array([loaded[one] for one in loaded.measures]),
            np.array([result[one] for one in result.measures]),
        )
        assert list(loaded.query_ids) == list(result.query_ids)
        assert (loaded.status, loaded.means, loaded.counts) == (result.status, result.means, result.counts)


@few
@given(st.lists(st.tuples(ids("json"), ids("json"), st.floats(-9, 9)), min_size=1, max_size=12))
def test_a_saved_evaluation_keeps_odd_ids(rows: list[tuple[str, str, float]]) -> None:
    run: Scores = {}
    for query, doc, score in rows:
        run.setdefault(query, {})[doc] = score
    labels = {query: dict.fromkeys(list(docs)[:2], 1.0) for query, docs in run.items()}
    result = evaluated(labels, run, ["RR@10"])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "saved.jsonl"
        result.save(path)
        lines = path.read_text(encoding="utf-8").split("\n")
        assert firsthit.load(path) == result
    saved = [json.loads(line) for line in lines[1:-2]]
    assert [one["query_id"] for one in saved] == list(run)
    assert [one["ranked"] for one in saved] == [[doc for doc, _ in ranked(docs)] for docs in run.values()]


@given(collections())
def test_the_statuses_sum_to_the_population(case: CASE) -> None:
    counts = evaluated(*case).counts
    kinds = ("hit", "miss", "absent", "no_relevant", "unlabelled")
    assert sum(counts[kind] for kind in kinds) == counts["queries"] == len(case[0])


def test_the_toy_of_the_documentation_scores_one_half() -> None:
    labels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    run = {"q1": ["a", "x"], "q2": ["y", "b"], "q3": ["u", "v", "w", "s", "t", "c"]}
    result = evaluated(labels, run, ["RR@5"])
    assert result.mean("RR@5") == pytest.approx(0.5, abs=0)
    assert result.status == ["hit", "hit", "miss"]
