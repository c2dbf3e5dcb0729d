"""Peers that read a TREC run and TREC labels: whole scripts; argv[1] is the labels file, argv[2] the run.

Each prints MRR@10 over all the queries of the labels (an absent query counts 0), on its last line.
"""

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as f: qrel = pytrec_eval.parse_qrel(f)
with open(sys.argv[2]) as f: run = pytrec_eval.parse_run(f)
res = pytrec_eval.RelevanceEvaluator(qrel, {"recip_rank"}).evaluate(run)
rr = (r["recip_rank"] for r in res.values())
print(sum(v for v in rr if v >= 0.1) / len(qrel))
"""

IR_MEASURES = """
import sys, ir_measures
from ir_measures import RR
qrels = ir_measures.read_trec_qrels(sys.argv[1])
run = ir_measures.read_trec_run(sys.argv[2])
print(ir_measures.calc_aggregate([RR @ 10], qrels, run)[RR @ 10])
"""

RANX = """
import sys, warnings
warnings.simplefilter("ignore")
from ranx import Qrels, Run, evaluate
qrels = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec")
print(evaluate(qrels, run, "mrr@10", make_comparable=True))
"""

POLARS_READ = """
import sys, polars as pl
def scan(path, cols):
    return pl.scan_csv(path, separator=" ", has_header=False, quote_char=None, schema=cols)
qrels = scan(sys.argv[1], {"qid": pl.String, "it": pl.String, "docid": pl.String, "rel": pl.Int32})
run = scan(sys.argv[2], {"qid": pl.String, "q0": pl.String, "docid": pl.String, "rank": pl.String,
                         "score": pl.Float64, "tag": pl.String}).select("qid", "docid", "score")
"""

# The rank of a relevant hit is the number of lines of its query at or above it: no sort is needed.
POLARS_COUNT = """
hits = run.join(qrels.filter(pl.col("rel") > 0), on=["qid", "docid"])
s = (hits.join(run, on="qid", suffix="_o")
     .filter((pl.col("score_o") > pl.col("score"))
             | ((pl.col("score_o") == pl.col("score")) & (pl.col("docid_o") >= pl.col("docid"))))
     .group_by("qid", "docid").agg(rank=pl.len())
     .group_by("qid").agg(pl.col("rank").min())
     .filter(pl.col("rank") <= 10).select((1 / pl.col("rank")).sum().alias("s")))
n = qrels.select(pl.col("qid").n_unique().alias("n"))
s, n = pl.collect_all([s, n], engine="streaming")
print(s.item() / n.item())
"""

POLARS_TOP = """
top = (run.group_by("qid").agg(pl.col("docid").top_k_by(["score", "docid"], 10))
       .with_columns(rank=pl.int_ranges(1, pl.col("docid").list.len() + 1))
       .explode("docid", "rank"))
s = (top.join(qrels.filter(pl.col("rel") > 0), on=["qid", "docid"])
     .group_by("qid").agg(pl.col("rank").min()).select((1 / pl.col("rank")).sum().alias("s")))
n = qrels.select(pl.col("qid").n_unique().alias("n"))
s, n = pl.collect_all([s, n], engine="streaming")
print(s.item() / n.item())
"""

DUCKDB_READ = """
import sys, duckdb
con = duckdb.connect()
lit = lambda s: "'" + s.replace("'", "''") + "'"
opts = ", delim=' ', header=false, quote='', escape='', auto_detect=false, columns="
con.execute("create view qrels as select * from read_csv(" + lit(sys.argv[1]) + opts +
    "{'qid':'VARCHAR','it':'VARCHAR','docid':'VARCHAR','rel':'INT'})")
con.execute("create view run as select qid, docid, score from read_csv(" + lit(sys.argv[2]) + opts +
    "{'qid':'VARCHAR','q0':'VARCHAR','docid':'VARCHAR','rank':'VARCHAR','score':'DOUBLE','tag':'VARCHAR'})")
"""

DUCKDB_COUNT = '''
print(con.execute("""
with hits as (select qid, docid, score from run join qrels using (qid, docid) where rel > 0),
     ranks as (select h.qid, h.docid, count(*) as rank from hits h join run r
               on h.qid = r.qid and (r.score > h.score or (r.score = h.score and r.docid >= h.docid))
               group by all),
     best as (select qid, min(rank) as rank from ranks group by qid)
select (select sum(1.0 / rank) from best where rank <= 10) / (select count(distinct qid) from qrels)
""").fetchone()[0])
'''

DUCKDB_WINDOW = '''
print(con.execute("""
with top as (select qid, docid, row_number() over (partition by qid order by score desc, docid desc) as rank
             from run qualify rank <= 10),
     best as (select qid, min(rank) as rank from top join qrels using (qid, docid) where rel > 0 group by qid)
select (select sum(1.0 / rank) from best) / (select count(distinct qid) from qrels)
""").fetchone()[0])
'''

SCRIPTS = {
    "polars": POLARS_READ + POLARS_COUNT,
    "polars (top k)": POLARS_READ + POLARS_TOP,
    "duckdb": DUCKDB_READ + DUCKDB_COUNT,
    "duckdb (window)": DUCKDB_READ + DUCKDB_WINDOW,
    "pytrec_eval": PYTREC_EVAL,
    "ir_measures": IR_MEASURES,
    "ranx": RANX,
}
