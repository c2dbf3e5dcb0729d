"""Blocks: every kind of input gives its bytes, as often as asked, or one clear error."""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import zstandard

from firsthit.errors import InputError
from firsthit.files.blocks import BLOCK, HEAD, Blocks
from firsthit.files.file_digest import FileDigest
from firsthit.qrels import read_qrels

TEXT = b"".join(b"q%d 0 d%d 1\n" % (i, i) for i in range(30_000))


def write(folder: Path, data: bytes, name: str = "input") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_plain_gzip_and_zstd_give_the_same_bytes_on_every_pass(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    blocks = Blocks(write(tmp_path, pack(TEXT)))
    assert blocks.head == TEXT[:HEAD]
    assert [blocks.whole(), blocks.whole()] == [TEXT, TEXT]


def test_compression_is_seen_from_the_first_bytes_whatever_the_name(tmp_path: Path) -> None:
    assert Blocks(write(tmp_path, gzip.compress(b"x"), "run.txt")).compression == "gzip"
    assert Blocks(write(tmp_path, zstandard.compress(b"x"), "run.dat")).compression == "zstd"
    assert Blocks(write(tmp_path, b"x", "run.gz")).compression == ""


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_several_compressed_members_are_read_one_after_the_other(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    assert Blocks(write(tmp_path, pack(b"one\n") + pack(b"two\n"))).whole() == b"one\ntwo\n"


def test_zeros_after_the_last_gzip_member_are_padding(tmp_path: Path) -> None:
    assert Blocks(write(tmp_path, gzip.compress(b"one\n") + bytes(512))).whole() == b"one\n"


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("cut", [1, 5, 100])
def test_compressed_data_that_is_cut_off_is_an_error(tmp_path: Path, pack: object, cut: int) -> None:
    assert callable(pack)
    with pytest.raises(InputError, match="cut off"):
        Blocks(write(tmp_path, pack(TEXT)[:-cut])).whole()


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_compressed_data_that_is_damaged_is_an_error(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    data = bytearray(pack(TEXT))
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    with pytest.raises(InputError, match=r"damaged|cut off"):
        Blocks(write(tmp_path, bytes(data))).whole()


def test_a_missing_file_a_folder_and_a_path_through_a_file_are_errors(tmp_path: Path) -> None:
    file = write(tmp_path, b"x")
    for path, what in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "folder"),
        (file / "a", "no such file"),
    ):
        with pytest.raises(InputError, match=what):
            Blocks(path)


def test_a_path_with_a_nul_byte_is_an_error() -> None:
    with pytest.raises(InputError, match="NUL"):
        Blocks("a\0b")


def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    path = write(tmp_path, b"x")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match="permission denied"):
        Blocks(path)


def test_a_named_pipe_is_copied_and_can_be_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(TEXT,))
    writer.start()
    blocks = Blocks(path)
    assert (blocks.whole(), blocks.whole(), blocks.size) == (TEXT, TEXT, len(TEXT))
    writer.join()


def test_a_pipe_without_end_is_judged_by_its_beginning(tmp_path: Path) -> None:
    for path, what in (("/dev/zero", "binary"), ("/dev/urandom", "binary")):
        with pytest.raises(InputError, match=what):
            read_qrels(path)


def test_the_head_of_a_compressed_pipe_is_known_before_its_end(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    rest = threading.Event()

    def write_slowly() -> None:
        data = gzip.compress(bytes(range(33, 127)) * 20_000 + random.Random(1).randbytes(1 << 19))
        os.write(writer, data[:1])
        for start in range(1, len(data), 50_000):
            os.write(writer, data[start : start + 50_000])
        rest.wait(10)
        os.close(writer)

    thread = threading.Thread(target=write_slowly)
    thread.start()
    blocks = Blocks(f"/dev/fd/{reader}")
    assert len(blocks.head) == HEAD
    rest.set()
    assert len(blocks.whole()) == 94 * 20_000 + (1 << 19)
    thread.join()
    os.close(reader)


def test_a_name_that_is_no_utf_8_is_shown_with_replacements(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9"
    Path(os.fsdecode(path)).write_bytes(TEXT)
    assert Blocks(os.fsdecode(path)).name.endswith("/caf\ufffd")
    assert Blocks(os.fsdecode(path)).whole() == TEXT


READ_TWICE = """
from firsthit.files.blocks import Blocks
blocks = Blocks("-")
assert blocks.whole() == blocks.whole()
print(blocks.name, len(blocks.whole()))
"""


def test_standard_input_is_read_from_a_pipe() -> None:
    done = subprocess.run([sys.executable, "-c", READ_TWICE], input=TEXT, capture_output=True, check=True)
    assert done.stdout.split() == [b"standard", b"input", str(len(TEXT)).encode()]


def test_standard_input_is_read_from_where_a_redirected_file_stands(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT)
    with path.open("rb", buffering=0) as file:
        file.seek(1000)
        done = subprocess.run([sys.executable, "-c", READ_TWICE], stdin=file, capture_output=True, check=True)
    assert done.stdout.split()[2] == str(len(TEXT) - 1000).encode()


def test_an_empty_file_has_no_blocks(tmp_path: Path) -> None:
    blocks = Blocks(write(tmp_path, b""))
    assert (blocks.head, list(blocks.read()), blocks.all_in_head) == (b"", [], True)


def test_progress_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    blocks = Blocks(write(tmp_path, gzip.compress(TEXT)))
    blocks.whole(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (blocks.size, blocks.size)


def test_blocks_are_of_bounded_size(tmp_path: Path) -> None:
    blocks = Blocks(write(tmp_path, bytes(BLOCK + 1)))
    assert [len(block) for block in blocks.read()] == [BLOCK, 1]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_digest_covers_the_bytes_of_the_file_itself(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    data = pack(TEXT)
    assert FileDigest(Blocks(write(tmp_path, data))).hexdigest() == hashlib.sha256(data).hexdigest()


def test_a_digest_reports_a_file_that_vanished(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT)
    blocks = Blocks(path)
    path.unlink()
    with pytest.raises(InputError, match="no such file"):
        FileDigest(blocks).hexdigest()


def test_a_digest_that_is_stopped_ends(tmp_path: Path) -> None:
    digest = FileDigest(Blocks(write(tmp_path, TEXT)))
    digest.stop()
