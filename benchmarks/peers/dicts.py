"""The same Python dicts through one evaluator: `dicts.py TOOL` prints the best of 7, in seconds.

TOOL is firsthit or pytrec_eval. Only the evaluation is timed; the labels are prepared before, as both allow.
"""

import sys
import time


def make(queries: int = 1000, docs: int = 1000):
    """A run of `queries` x `docs` with distinct scores, and about 8 labels a query."""
    run = {
        f"q{q}": {f"d{(q * 7919 + i * 104729) % 1_000_003}": 1000.0 - i for i in range(docs)}
        for q in range(queries)
    }
    qrels = {q: {d: 1 for i, d in enumerate(scores) if i % 125 == 3} for q, scores in run.items()}
    return qrels, run


def pytrec_eval_evaluator(qrels):
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})

    def mean(run):
        values = evaluator.evaluate(run)
        return sum(v["recip_rank"] for v in values.values()) / len(qrels)

    return mean


def firsthit_evaluator(qrels):
    import firsthit

    labels = firsthit.read_qrels(qrels)
    return lambda run: firsthit.evaluate(labels, run, ["RR"]).mean("RR")


def main() -> None:
    qrels, run = make()
    mean = {"firsthit": firsthit_evaluator, "pytrec_eval": pytrec_eval_evaluator}[sys.argv[1]](qrels)
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        value = mean(run)
        best = min(best, time.perf_counter() - start)
    print(value)
    print(best)


if __name__ == "__main__":
    main()
