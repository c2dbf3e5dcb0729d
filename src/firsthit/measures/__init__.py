"""Measures: named functions of Hits that give one value per query."""

from firsthit.measures.counts import judged, num_rel, num_rel_ret, num_ret, precision, recall, rprec
from firsthit.measures.distribution import (
    RANK_CLASSES,
    distribution,
    harmonic_mean_rank,
    median_first_rank,
)
from firsthit.measures.diversity import alpha_ndcg, err_ia
from firsthit.measures.first import first_rank, rr, success
from firsthit.measures.gain import err, ndcg, rbp
from firsthit.measures.measure import Measure
from firsthit.measures.names import DEFAULT_MEASURES, describe, parse_measures
from firsthit.measures.needs import complete, coverage, rr_all
from firsthit.measures.order import ap, bpref
from firsthit.measures.redundancy import redundancy
from firsthit.measures.registry import MEASURES, Definition

__all__ = [
    "DEFAULT_MEASURES",
    "MEASURES",
    "RANK_CLASSES",
    "Definition",
    "Measure",
    "alpha_ndcg",
    "ap",
    "bpref",
    "complete",
    "coverage",
    "describe",
    "distribution",
    "err",
    "err_ia",
    "first_rank",
    "harmonic_mean_rank",
    "judged",
    "median_first_rank",
    "ndcg",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "parse_measures",
    "precision",
    "rbp",
    "recall",
    "redundancy",
    "rprec",
    "rr",
    "rr_all",
    "success",
]
