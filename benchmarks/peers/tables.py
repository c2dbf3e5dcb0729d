"""Peers that read Parquet and JSON Lines: whole scripts; argv[1] is the labels file, argv[2] the run."""

from peers.trec_text import DUCKDB_COUNT, DUCKDB_WINDOW, POLARS_COUNT

POLARS_PARQUET = (
    """
import sys, polars as pl
qrels = pl.scan_parquet(sys.argv[1]).select(qid="query_id", docid="doc_id", rel="relevance")
run = pl.scan_parquet(sys.argv[2]).select(qid="query_id", docid="doc_id", score="score")
"""
    + POLARS_COUNT
)

POLARS_JSONL = (
    """
import sys, polars as pl
labels = {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Int32}
qrels = (pl.scan_ndjson(sys.argv[1], schema=labels)
         .select(qid="query_id", docid="doc_id", rel="relevance"))
run = (pl.scan_ndjson(sys.argv[2], schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})
       .select(qid="query_id", docid="doc_id", score="score"))
"""
    + POLARS_COUNT
)

DUCKDB_PARQUET = """
import sys, duckdb
con = duckdb.connect()
lit = lambda s: "'" + s.replace("'", "''") + "'"
con.execute("create view qrels as select query_id qid, doc_id docid, relevance rel from read_parquet("
    + lit(sys.argv[1]) + ")")
con.execute("create view run as select query_id qid, doc_id docid, score from read_parquet("
    + lit(sys.argv[2]) + ")")
"""

DUCKDB_JSONL = """
import sys, duckdb
con = duckdb.connect()
lit = lambda s: "'" + s.replace("'", "''") + "'"
con.execute("create view qrels as select query_id qid, doc_id docid, relevance rel from read_json("
    + lit(sys.argv[1]) + ", format='newline_delimited', "
    "columns={query_id:'VARCHAR', doc_id:'VARCHAR', relevance:'INT'})")
con.execute("create view run as select query_id qid, doc_id docid, score from read_json("
    + lit(sys.argv[2]) + ", format='newline_delimited', "
    "columns={query_id:'VARCHAR', doc_id:'VARCHAR', score:'DOUBLE'})")
"""

PARQUET = {
    "polars": POLARS_PARQUET,
    "duckdb": DUCKDB_PARQUET + DUCKDB_COUNT,
    "duckdb (window)": DUCKDB_PARQUET + DUCKDB_WINDOW,
}
JSONL = {"polars": POLARS_JSONL, "duckdb": DUCKDB_JSONL + DUCKDB_COUNT}
