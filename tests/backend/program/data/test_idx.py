"""IDX files, plain and gzipped, are read to the byte; what is wrong with one is said with its name."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import pytest
import torch

from backend.program.data.idx import IdxError, read_idx

NAME = "train-images-idx3-ubyte"
HEAD = b"\0\0\x08\x03" + struct.pack(">3I", 5, 2, 3)
CELLS = bytes(range(30))


def test_plain_and_gzipped_files_are_the_same(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(HEAD + CELLS)
    plain = read_idx(tmp_path, NAME, 3, 100)
    (tmp_path / NAME).unlink()
    (tmp_path / f"{NAME}.gz").write_bytes(gzip.compress(HEAD + CELLS, mtime=0))
    assert torch.equal(read_idx(tmp_path, NAME, 3, 100), plain)
    assert plain.shape == (5, 2, 3)
    assert plain[4, 1].tolist() == [27, 28, 29]
    assert torch.equal(read_idx(tmp_path, NAME, 3, 2), plain[:2])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (NAME, b"", "an empty file"),
        (NAME, b"\x89PNG" + CELLS, "the first bytes 89 50 4e 47, expected 00 00 08 03"),
        (NAME, b"\0\0\x08\x01" + CELLS, "expected 00 00 08 03: bytes along 3 axes"),
        (NAME, b"\0\0\x0d\x03" + CELLS, "00 00 0d 03"),
        (NAME, HEAD[:9], "a head that is cut off"),
        (NAME, HEAD + CELLS[:-1], "29 bytes behind the head, expected 30"),
        (NAME, b"\0\0\x08\x03" + struct.pack(">3I", 5, 2**32 - 1, 2**32 - 1), "the sizes"),
        (NAME, b"\0\0\x08\x03" + struct.pack(">3I", 0, 2, 3), "the sizes (0, 2, 3)"),
        (f"{NAME}.gz", HEAD + CELLS, "can't be read to its end"),
        (f"{NAME}.gz", gzip.compress(HEAD + CELLS, mtime=0)[:-12], "can't be read to its end"),
        ("other", HEAD + CELLS, f"no such file, expected {NAME} or {NAME}.gz"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(IdxError) as caught:
        read_idx(tmp_path, NAME, 3, 100)
    assert said in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_gzip_bomb_is_read_no_further_than_its_head_says(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.gz").write_bytes(gzip.compress(HEAD + CELLS + bytes(50_000_000), 1))
    assert read_idx(tmp_path, NAME, 3, 100).shape == (5, 2, 3)
