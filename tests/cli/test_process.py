"""firsthit as a process: pipes, signals, standard input, terminals."""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import signal
import subprocess
import sys
import termios
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from firsthit.demo import write_files

PROGRAM = (sys.executable, "-m", "firsthit")
WIDE = "".join(f"q{n} 0 d{n} 1\n" for n in range(20_000))
WIDE_RUN = "".join(f"q{n} Q0 d{n} 1 1.0 x\n" for n in range(20_000))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo files, and a larger pair."""
    path = tmp_path_factory.mktemp("process") / "demo"
    write_files(path)
    (path / "wide.txt").write_text(WIDE)
    (path / "wide.run").write_text(WIDE_RUN)
    return path


def firsthit(
    folder: Path, *arguments: str, stdin: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        env=os.environ | environment,
    )


def test_python_dash_m_is_the_command(folder: Path) -> None:
    done = firsthit(folder, "--version")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"firsthit ")


def test_the_run_may_come_from_standard_input(folder: Path) -> None:
    piped = firsthit(
        folder, "eval", "qrels.txt", "-", "--format", "csv", stdin=(folder / "bm25.run").read_bytes()
    )
    named = firsthit(folder, "eval", "qrels.txt", "bm25.run", "--format", "csv")
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout.splitlines()[1].split(b",")[1:] == named.stdout.splitlines()[1].split(b",")[1:]


def test_the_labels_may_come_from_standard_input(folder: Path) -> None:
    labels = (folder / "qrels.txt").read_bytes()
    piped = firsthit(folder, "eval", "-", "bm25.run", "--format", "csv", stdin=labels)
    named = firsthit(folder, "eval", "qrels.txt", "bm25.run", "--format", "csv")
    assert (piped.returncode, piped.stdout) == (0, named.stdout)


def test_both_from_standard_input_is_wrong_use(folder: Path) -> None:
    done = firsthit(folder, "eval", "-", "-", stdin=b"q1 0 a 1\n")
    assert done.returncode == 2
    assert done.stderr.startswith(b"Error: '-' is standard input, and can stand for one file only.")


def test_data_goes_to_standard_output_and_words_to_standard_error(folder: Path) -> None:
    done = firsthit(folder, "eval", "labels.jsonl", "dense.jsonl", "--save", "saved.jsonl", "--format", "csv")
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 2
    assert done.stderr.splitlines()[0] == b"saved: saved.jsonl"


def test_a_pipe_gets_no_colour(folder: Path) -> None:
    for arguments in (("eval", "qrels.txt", "bm25.run"), ("eval", "--help"), ("measures",)):
        assert b"\x1b" not in firsthit(folder, *arguments).stdout


def test_a_closed_pipe_is_silent(folder: Path) -> None:
    command = (
        f"{sys.executable} -m firsthit eval wide.txt wide.run --per-query | head -1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    heading, code = done.stdout.splitlines()
    assert heading.startswith("query_id")
    assert code == "141"


def test_ctrl_c_leaves_130_and_no_file(folder: Path) -> None:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [*PROGRAM, "eval", "qrels.txt", "-", "--save", "interrupted.jsonl"],
        cwd=folder,
        stdin=reading,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    os.write(writing, (folder / "bm25.run").read_bytes()[:4096])
    _wait_until_read(reading)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    os.close(writing)
    os.close(reading)
    assert process.returncode == 130
    assert (out, err.strip()) == (b"", b"Error: interrupted; nothing was written.")
    assert not list(folder.glob("*interrupted*"))


def _wait_until_read(pipe: int) -> None:
    """Until the process has taken what is in the pipe, and waits for more."""
    waiting = array("i", [1])
    for _ in range(600):
        time.sleep(0.05)
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
        if waiting[0] == 0:
            return
    pytest.fail("the process never read its input")


def on_terminal(folder: Path, *arguments: str, columns: int, **environment: str) -> str:
    """What a terminal of so many columns shows on standard output."""
    return "".join(
        _terminal_output(folder, arguments, environment | {"COLUMNS": str(columns), "TERM": "xterm"})
    )


def _terminal_output(folder: Path, arguments: tuple[str, ...], environment: dict[str, str]) -> Iterator[str]:
    main, side = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [*PROGRAM, *arguments], cwd=folder, stdout=side, env=clean | environment
    ) as process:
        os.close(side)
        while True:
            try:
                block = os.read(main, 65536)
            except OSError:
                break
            if not block:
                break
            yield block.decode().replace("\r\n", "\n")
    os.close(main)
    assert process.returncode == 0


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_lines_fit_the_terminal(folder: Path, columns: int) -> None:
    shown = on_terminal(folder, "eval", "qrels.txt", "bm25.run", "dense.run", columns=columns, NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= columns
    assert shown.count("Judged@10") == 1


def test_a_terminal_gets_a_bold_heading_unless_no_color_is_set(folder: Path) -> None:
    arguments = ("eval", "qrels.txt", "bm25.run")
    assert on_terminal(folder, *arguments, columns=80).startswith("\x1b[1mrun")
    assert "\x1b" not in on_terminal(folder, *arguments, columns=80, NO_COLOR="1")


def test_a_full_disk_is_one_message(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "eval", "wide.txt", "wide.run", "--per-query"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert done.returncode == 2
    assert done.stderr == b"Error: output: No space left on device\n"


def test_a_stream_that_cannot_show_a_character_shows_its_escape(folder: Path) -> None:
    done = firsthit(folder, "eval", "qrels.txt", "bm25.run", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert b"\\u2026 \xb7 firsthit" in done.stdout


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_disk_that_fills_while_saving_leaves_the_old_file_whole(folder: Path) -> None:
    saved = folder / "kept.jsonl"
    saved.write_text("the old one")
    done = subprocess.run(
        [*PROGRAM, "eval", "qrels.txt", "bm25.run", "--save", "kept.jsonl"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=_limit_files,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"kept.jsonl" in done.stderr
    assert b"Traceback" not in done.stderr
    assert saved.read_text() == "the old one"
    assert [path.name for path in folder.iterdir() if "kept" in path.name] == ["kept.jsonl"]


def test_a_disk_that_fills_while_saving_several_leaves_nothing_behind(folder: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "eval", "qrels.txt", "bm25.run", "dense.run", "--save", "several"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=_limit_files,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert not list((folder / "several").iterdir())


def test_a_file_name_that_is_not_utf_8_is_made_printable(folder: Path) -> None:
    name = os.fsdecode(b"bad\xff.run")
    (folder / name).write_bytes((folder / "bm25.run").read_bytes())
    shown = firsthit(folder, "eval", "qrels.txt", name, "-m", "RR@10")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.split()[2].startswith(b"bad")
    saved = firsthit(folder, "eval", "qrels.txt", name, "--save", "odd-name.jsonl")
    assert saved.returncode == 0, saved.stderr
    assert '"bad\ufffd.run"' in (folder / "odd-name.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code"), [("eval qrels.txt bm25.run", 0), ("eval qrels.txt none.run", 2)]
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_standard_streams_change_no_exit_code(
    folder: Path, arguments: str, code: int, closed: str
) -> None:
    command = f"{sys.executable} -m firsthit {arguments} {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("option", ["--save", "--card"])
def test_a_slow_pipe_is_read_once_also_where_its_digest_is_computed(
    folder: Path, tmp_path: Path, option: str
) -> None:
    wanted = firsthit(folder, "eval", "wide.txt", "wide.run", "-m", "RR", "--format", "csv").stdout
    more = ["--save", str(tmp_path / "saved"), "--format", "csv"] if option == "--save" else ["--card"]
    command = [*PROGRAM, "eval", "wide.txt", "-", "-m", "RR", *more]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for start in range(0, len(WIDE_RUN), 1 << 16):
            process.stdin.write(WIDE_RUN[start : start + (1 << 16)].encode())
            process.stdin.flush()
            time.sleep(0.01)
        process.stdin.close()
        found = process.stdout.read()
    value = wanted.splitlines()[1].split(b",")[1]
    assert value in found if option == "--save" else b"20,000 hit" in found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("qrels.txt", "this command reads that file, so it is not written over"),
        ("bm25.run", "this command reads that file, so it is not written over"),
        ("dense.run", "dense.run exists and is not a saved evaluation"),
    ],
)
def test_saving_never_replaces_another_file(folder: Path, name: str, said: str) -> None:
    before = (folder / name).read_bytes()
    done = firsthit(folder, "eval", "qrels.txt", "bm25.run", "--save", name)
    assert done.returncode == 2
    assert done.stdout == b""
    assert said.encode() in done.stderr
    assert (folder / name).read_bytes() == before


def test_saving_to_the_folder_of_the_runs_leaves_them_whole(folder: Path) -> None:
    before = (folder / "dense.jsonl").read_bytes()
    done = firsthit(folder, "eval", "labels.jsonl", "bm25.jsonl", "dense.jsonl", "--save", "./")
    assert done.returncode == 2
    assert (folder / "dense.jsonl").read_bytes() == before


@pytest.fixture(scope="module")
def saved(folder: Path) -> Path:
    """The demo's runs, saved, and gates that pass, fail and cannot tell."""
    for name in ("bm25", "dense"):
        done = firsthit(folder, "eval", "labels.jsonl", f"{name}.jsonl", "--save", f"saved-{name}.jsonl")
        assert done.returncode == 0, done.stderr
    done = firsthit(
        folder, "eval", "labels.jsonl", "dense.jsonl", "-m", "RR@5", "--save", "saved-other.jsonl"
    )
    assert done.returncode == 0, done.stderr
    for name, rules in {
        "pass": "max = 0.3",
        "cannot-tell": "max = 0.1",
        "fail": "max = 0.01",
        "wrong": "maximum = 0.01",
    }.items():
        (folder / f"{name}.toml").write_text(f"[gate]\n[[gate.drop]]\n{rules}\n")
    return folder


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (0, ("saved-dense.jsonl", "saved-bm25.jsonl")),
        (0, ("saved-dense.jsonl", "saved-bm25.jsonl", "--gate", "pass.toml")),
        (0, ("baseline:none", "saved-bm25.jsonl", "--gate", "fail.toml")),
        (1, ("saved-dense.jsonl", "saved-bm25.jsonl", "--gate", "fail.toml")),
        (2, ("saved-dense.jsonl", "saved-bm25.jsonl", "--gate", "wrong.toml")),
        (2, ("saved-dense.jsonl", "missing.jsonl", "--gate", "fail.toml")),
        (2, ("saved-dense.jsonl", "saved-bm25.jsonl", "--html", "missing/report.html")),
        (2, ("saved-other.jsonl", "saved-bm25.jsonl", "--gate", "wrong.toml")),
        (3, ("saved-other.jsonl", "saved-bm25.jsonl", "--gate", "fail.toml")),
        (3, ("saved-other.jsonl", "saved-bm25.jsonl")),
        (4, ("saved-dense.jsonl", "saved-bm25.jsonl", "--gate", "cannot-tell.toml")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_a_comparison_leaves_its_exit_code(saved: Path, code: int, arguments: tuple[str, ...]) -> None:
    done = firsthit(saved, "compare", *arguments)
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False), done.stderr.decode()
    if code in (2, 3):
        assert done.stdout == b""
        assert done.stderr.startswith(b"Error: ")


def test_a_disk_that_fills_while_reports_are_written_leaves_no_half_of_one(saved: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "compare", "saved-bm25.jsonl", "saved-dense.jsonl", "--json", "big.json"],
        cwd=saved,
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=_limit_files,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"big.json" in done.stderr
    assert not list(saved.glob("*big.json*"))


def test_a_comparison_fits_the_terminal(saved: Path) -> None:
    shown = on_terminal(saved, "compare", "saved-bm25.jsonl", "saved-dense.jsonl", columns=80, NO_COLOR="1")
    assert shown.startswith("dense.jsonl is better than bm25.jsonl: ")
