"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firsthit import FirsthitError
from firsthit.files.atomic import write_whole

BLOCKS = [b"one\n", b"two\n"]


def test_blocks_become_a_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "out", BLOCKS)
    assert (tmp_path / "out").read_bytes() == b"one\ntwo\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    write_whole(tmp_path / "out", BLOCKS)
    assert (tmp_path / "out").read_bytes() == b"one\ntwo\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", BLOCKS)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"one\ntwo\n"


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_whole(tmp_path / "out", BLOCKS)
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), ValueError("bug")])
def test_an_interruption_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, failure: BaseException
) -> None:
    def blocks() -> Iterator[bytes]:
        yield b"new"
        raise failure

    (tmp_path / "out").write_text("old")
    with pytest.raises(type(failure)):
        write_whole(tmp_path / "out", blocks())
    assert (tmp_path / "out").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_disk_that_fills_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    def blocks() -> Iterator[bytes]:
        yield b"new"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "out").write_text("old")
    with pytest.raises(FirsthitError, match="No space left on device; the file that was there is unchanged"):
        write_whole(tmp_path / "out", blocks())
    assert (tmp_path / "out").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


LIMITED = """
import resource, signal, sys
from firsthit import FirsthitError
from firsthit.files.atomic import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_whole(sys.argv[1], [b"x" * 60_000] * 4)
except FirsthitError as error:
    sys.exit(f"{error.exit_code} {error}")
"""


def test_a_write_that_the_system_cuts_short_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit on file sizes makes the kernel write a part, then refuse: as a disk that fills does."""
    assert resource.RLIMIT_FSIZE is not None
    assert signal.SIGXFSZ is not None
    (tmp_path / "out").write_text("old")
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.startswith("2 ")
    assert "cannot save: File too large" in done.stderr
    assert (tmp_path / "out").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_missing_folder_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(FirsthitError, match=r"cannot save: No such file or directory$"):
        write_whole(tmp_path / "no" / "out", BLOCKS)


@pytest.mark.parametrize("target", [".", os.devnull])
def test_only_regular_files_are_replaced(tmp_path: Path, target: str) -> None:
    with pytest.raises(FirsthitError, match="not a regular file"):
        write_whole(os.path.join(tmp_path, target), BLOCKS)


@pytest.mark.parametrize("name", ["out.gz", "out.zst"])
def test_compressed_files_read_back(tmp_path: Path, name: str) -> None:
    from firsthit.files.blocks import Blocks

    write_whole(tmp_path / name, BLOCKS)
    assert b"".join(bytes(block) for block in Blocks(tmp_path / name).read()) == b"one\ntwo\n"
