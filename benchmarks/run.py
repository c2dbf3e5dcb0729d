"""Time `firsthit` against its peers: whole processes, in alternation, on the same files.

    make bench                                    everything (about 20 minutes)
    make bench BENCH="--only text:M,save"         some cases
    make bench BENCH="--rounds 3"                 fewer rounds

The peers are installed in .venv-peers, together with a plain (not editable) install of firsthit.
trec_eval is timed where a binary of that name is on PATH. Data is made by make_data.py in
benchmarks/data (or FIRSTHIT_BENCH_DATA). Every tool's value is checked against a plain Python
reference; one that orders ties otherwise shows as DIFFERS. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from peers import dicts, tables, trec_text
from process import Measured, alternate, median, ratio
from reference import reference

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PEERS = ROOT / ".venv-peers"
DATA = Path(os.environ.get("FIRSTHIT_BENCH_DATA", HERE / "data"))
PEER_PACKAGES = ["polars", "duckdb", "pytrec-eval-terrier", "ir-measures", "ranx", "pandas", "pyarrow"]
STARTUP = "import numpy, click, rich.console, msgspec"
ALL_MEASURES = (
    "RR@10 RR Success@1 Success@5 Success@10 P@5 P@10 R@10 R@100 R@1000 AP AP@100 nDCG nDCG@10 nDCG@100 "
    "nDCG(dcg='exp-log2')@10 Rprec Bpref RBP(p=0.8) ERR@10 Judged@10 NumRet NumRel NumRelRet"
).split()
SHAPES = {
    "S": ["--size", "S"],
    "M": ["--size", "M"],
    "L": ["--size", "L"],
    "M-within": ["--size", "M", "--order", "within"],
    "M-lines": ["--size", "M", "--order", "lines"],
    "M-tables": ["--size", "M", "--all"],
    "M-100": ["--size", "M", "--docs", "100"],
}


def python() -> str:
    """The interpreter of the peers' environment, made on first use."""
    binary = PEERS / "bin" / "python"
    if not binary.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEERS)], check=True)
        subprocess.run([str(binary), "-m", "pip", "install", "--quiet", *PEER_PACKAGES], check=True)
    subprocess.run(
        [str(binary), "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", str(ROOT)],
        check=True,
    )
    subprocess.run([str(binary), "-m", "pip", "install", "--quiet", f"{ROOT}[all]"], check=True)
    return str(binary)


def data(shape: str) -> Path:
    """The folder with this shape of data, made on first use."""
    folder = DATA / shape
    if not (folder / "run.trec").exists():
        subprocess.run([sys.executable, str(HERE / "make_data.py"), str(folder), *SHAPES[shape]], check=True)
    return folder


class Bench:
    """Where things are, and how often to repeat."""

    def __init__(self, rounds: int, slow: float) -> None:
        self.rounds = rounds
        self.slow = slow
        self.python = python()
        self.firsthit = str(PEERS / "bin" / "firsthit")
        self.trec_eval = shutil.which("trec_eval")

    def files(self, shape: str, ending: str = "trec") -> tuple[str, str]:
        folder = data(shape)
        return str(folder / f"qrels.{ending}"), str(folder / f"run.{ending}")

    def eval(self, qrels: str, run: str, *options: str, measures: list[str] | None = None) -> list[str]:
        named = [part for measure in measures or ["RR@10"] for part in ("-m", measure)]
        return [self.firsthit, "eval", qrels, run, *named, "--format", "json", *options]

    def script(self, code: str, *arguments: str) -> list[str]:
        return [self.python, "-W", "ignore", "-c", code, *arguments]

    def alternate(
        self, commands: dict[str, list[str]], rounds: int | None = None
    ) -> dict[str, list[Measured]]:
        return alternate(commands, rounds or self.rounds, slow=self.slow)


def value_of(name: str, out: str) -> float | None:
    """The MRR that a tool printed."""
    text = out.strip()
    try:
        if name.startswith("firsthit"):
            return float(json.loads(text)["evaluations"][0]["means"]["RR@10"])
        return float(text.split()[-1])
    except (ValueError, KeyError, IndexError):
        return None


def check(name: str, runs: list[Measured], right: float) -> str:
    """Whether the printed value is the right one (trec_eval prints four decimals)."""
    if any(run.status for run in runs):
        return f"exit {runs[-1].status}"
    value = value_of(name, runs[-1].out)
    if value is None:
        return ""
    tolerance = 6e-5 if name == "trec_eval" else 1e-9
    return "ok" if abs(value - right) <= tolerance else f"DIFFERS ({value:.6f})"


def table(title: str, runs: dict[str, list[Measured]], right: float | None, base: str) -> None:
    """One Markdown table: medians, and how many times the base's time each takes (inside rounds)."""
    print(f"\n### {title}\n")
    print(f"| command | runs | wall s | cpu s | peak MiB | × {base} | value |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for name, measured in runs.items():
        verdict = (
            ""
            if right is None or name in ("wc -l", "start-up", "sha256sum")
            else check(name, measured, right)
        )
        print(
            f"| {name} | {len(measured)} | {median([m.wall for m in measured]):.3f} | "
            f"{median([m.cpu for m in measured]):.3f} | {median([m.peak for m in measured]):.0f} | "
            f"{ratio(runs, name, base):.2f} | {verdict} |"
        )
    sys.stdout.flush()


def text(bench: Bench, shape: str) -> None:
    """RR@10 from text against every peer."""
    qrels, run = bench.files(shape)
    commands = {"firsthit": bench.eval(qrels, run)}
    if bench.trec_eval:
        commands["trec_eval"] = [bench.trec_eval, "-c", "-M", "10", "-m", "recip_rank", qrels, run]
    names = list(trec_text.SCRIPTS)
    if shape.startswith("M-"):
        names = [name for name in names if name.startswith(("polars", "duckdb"))]
    commands |= {name: bench.script(trec_text.SCRIPTS[name], qrels, run) for name in names}
    runs = bench.alternate(commands)
    table(f"RR@10 from text, {shape}", runs, reference(data(shape)), "firsthit")
    if not bench.trec_eval:
        print("\ntrec_eval: not measured (no binary on PATH)")


def floor(bench: Bench, shape: str) -> None:
    """The time above the imports, against counting lines."""
    qrels, run = bench.files(shape)
    commands = {
        "wc -l": ["wc", "-l", run],
        "start-up": bench.script(STARTUP),
        "firsthit": bench.eval(qrels, run),
    }
    runs = bench.alternate(commands, max(9, bench.rounds))
    table(f"Above start-up, {shape}", runs, reference(data(shape)), "wc -l")
    above = [
        (f.wall - s.wall) / w.wall
        for f, s, w in zip(runs["firsthit"], runs["start-up"], runs["wc -l"], strict=True)
    ]
    print(f"\nTime above start-up: {median(above):.2f} times `wc -l` (median of {len(above)})")


def save(bench: Bench, shape: str) -> None:
    """`--save` (digest of the run, ranked ids) against hashing the file alone."""
    qrels, run = bench.files(shape)
    out = str(DATA / "saved.jsonl")
    commands = {"sha256sum": ["sha256sum", run], "firsthit --save": bench.eval(qrels, run, "--save", out)}
    runs = bench.alternate(commands, max(5, bench.rounds))
    table(f"--save, {shape}", runs, reference(data(shape)), "sha256sum")
    pairs = zip(runs["firsthit --save"], runs["sha256sum"], strict=True)
    print(f"\n`--save` above `sha256sum`: {median([a.wall - b.wall for a, b in pairs]):.3f} s")


def measures(bench: Bench, shape: str) -> None:
    """All measures against RR@10 alone."""
    qrels, run = bench.files(shape)
    commands = {
        "firsthit": bench.eval(qrels, run),
        "firsthit, all measures": bench.eval(qrels, run, measures=ALL_MEASURES),
    }
    table(
        f"{len(ALL_MEASURES)} measures, {shape}",
        bench.alternate(commands),
        reference(data(shape)),
        "firsthit",
    )


def other_format(bench: Bench, ending: str) -> None:
    """RR@10 from Parquet or JSON Lines."""
    qrels, run = bench.files("M-tables", ending)
    scripts = {"parquet": tables.PARQUET, "jsonl": tables.JSONL}[ending]
    commands = {"firsthit": bench.eval(qrels, run)}
    commands |= {name: bench.script(code, qrels, run) for name, code in scripts.items()}
    table(f"RR@10 from {ending}, M", bench.alternate(commands), reference(data("M-tables")), "firsthit")


def mappings(bench: Bench) -> None:
    """1,000 x 1,000 Python dicts in memory."""
    best = {}
    for tool in ("firsthit", "pytrec_eval"):
        command = [bench.python, str(Path(dicts.__file__)), tool]
        best[tool] = min(
            float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])
            for _ in range(3)
        )
    print("\n### 1,000 x 1,000 Python dicts, RR, in memory\n")
    print("| tool | best of 3 x 7, s |\n|---|---:|")
    for tool, seconds in best.items():
        print(f"| {tool} | {seconds:.3f} |")
    print(f"\npytrec_eval takes {best['pytrec_eval'] / best['firsthit']:.1f} times as long")


def compared(bench: Bench) -> None:
    """Two saved evaluations of 6,980 queries: verdict, intervals, tests, and the page with its plots."""
    labels, first = bench.files("M-100")
    second = str(Path(first).with_name("second.trec"))
    script = [bench.python, str(HERE / "second_run.py"), first, second]
    subprocess.run(script, check=True)
    saved = [str(DATA / f"compared-{side}.jsonl") for side in ("old", "new")]
    for run, path in zip((first, second), saved, strict=True):
        command = [bench.firsthit, "eval", labels, run, "--save", path]
        subprocess.run(command, check=True, capture_output=True)
    compare = [bench.firsthit, "compare", *saved]
    page = str(DATA / "compared.html")
    commands = {
        "start-up": bench.script(STARTUP),
        "firsthit compare": compare,
        "firsthit compare --html": [*compare, "--html", page],
    }
    runs = bench.alternate(commands, max(5, bench.rounds))
    table("Two saved evaluations of 6,980 queries", runs, None, "start-up")
    slowest = max(one.wall for one in runs["firsthit compare --html"])
    largest = max(one.peak for one in runs["firsthit compare --html"])
    size = Path(page).stat().st_size / 1e6
    print(
        f"\nWith the page ({size:.1f} MB): at most {slowest:.2f} s (aim: 4) and {largest:.0f} MiB (aim: 286)"
    )


def statistics(bench: Bench) -> None:
    """Intervals and tests of 6,980 paired differences against scipy.stats, in one process."""
    subprocess.run([bench.python, str(HERE / "statistics_case.py")], check=True)


def evidence(bench: Bench) -> None:
    """The same labels by id, by span and by quote, of a run whose rows carry source, span and text."""
    folder = DATA / "E"
    if not (folder / "run.jsonl").exists():
        subprocess.run([sys.executable, str(HERE / "make_evidence.py"), str(folder)], check=True)
    run = str(folder / "run.jsonl")
    commands = {
        f"firsthit, by {name}": bench.eval(str(folder / f"{name}.jsonl"), run)
        for name in ("ids", "spans", "quotes")
    }
    runs = bench.alternate(commands)
    value = value_of("firsthit", runs["firsthit, by ids"][-1].out)
    table("RR@10 with labels by id, span and quote, E", runs, value, "firsthit, by ids")


def duplicates(bench: Bench) -> None:
    """Exact and near duplicates of 100,000 passages: time, memory of the process, planted pairs found."""
    folder = DATA / "duplicates"
    if not (folder / "planted.txt").exists():
        subprocess.run([sys.executable, str(HERE / "make_duplicates.py"), str(folder)], check=True)
    files = [str(folder / "qrels.txt"), "--passages", str(folder / "corpus.jsonl")]
    commands = {
        "firsthit check": [bench.firsthit, "check", *files],
        "firsthit check --similar 0.8": [bench.firsthit, "check", *files, "--similar", "0.8"],
    }
    runs = bench.alternate(commands, rounds=min(3, bench.rounds))
    table("Duplicates among 100,000 passages", runs, None, "firsthit check")
    peak = max(run.peak for run in runs["firsthit check --similar 0.8"])
    found = bench.script(PLANTED, str(folder))
    pairs = subprocess.run(found, check=True, capture_output=True, text=True).stdout.strip()
    print(
        f"\nHighest peak with near duplicates: {peak:.0f} MiB (aim: below 500 MB, which is 477 MiB). {pairs}"
    )


PLANTED = """
import sys
from pathlib import Path
from firsthit.passages import read_passages
from firsthit.redundancy import near_texts
folder = Path(sys.argv[1])
passages = read_passages(folder / "corpus.jsonl")
group = dict(zip(passages.doc_ids, near_texts(passages.text, 0.8).tolist()))
pairs = [line.split() for line in (folder / "planted.txt").read_text().splitlines()]
print(f"Planted pairs found: {sum(group[a] == group[b] for a, b in pairs):,} of {len(pairs):,}")
"""


CASES: dict[str, Callable[[Bench], None]] = {
    "floor:M": lambda b: floor(b, "M"),
    "floor:L": lambda b: floor(b, "L"),
    "text:S": lambda b: text(b, "S"),
    "text:M": lambda b: text(b, "M"),
    "text:L": lambda b: text(b, "L"),
    "text:M-within": lambda b: text(b, "M-within"),
    "text:M-lines": lambda b: text(b, "M-lines"),
    "save:M": lambda b: save(b, "M"),
    "save:L": lambda b: save(b, "L"),
    "measures:M": lambda b: measures(b, "M"),
    "measures:L": lambda b: measures(b, "L"),
    "parquet": lambda b: other_format(b, "parquet"),
    "jsonl": lambda b: other_format(b, "jsonl"),
    "evidence": evidence,
    "dicts": mappings,
    "compare": compared,
    "statistics": statistics,
    "duplicates": duplicates,
}


def versions(bench: Bench) -> None:
    """What was compared."""
    out = subprocess.run(
        [bench.python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True, text=True
    )
    installed = {p["name"].lower().replace("_", "-"): p["version"] for p in json.loads(out.stdout)}
    named = ["firsthit", "numpy", *PEER_PACKAGES]
    print("Versions: " + ", ".join(f"{name} {installed.get(name, '?')}" for name in named))
    if bench.trec_eval:
        found = subprocess.run([bench.trec_eval, "--version"], capture_output=True, text=True)
        print("trec_eval: " + (found.stdout + found.stderr).strip().splitlines()[0])
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="comma-separated cases or their beginnings: " + ", ".join(CASES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow", type=float, default=8.0, help="a command slower than this runs once")
    arguments = parser.parse_args()
    wanted = tuple(arguments.only.split(",")) if arguments.only else tuple(CASES)
    bench = Bench(arguments.rounds, arguments.slow)
    versions(bench)
    for name, case in CASES.items():
        if name.startswith(wanted):
            case(bench)


if __name__ == "__main__":
    main()
