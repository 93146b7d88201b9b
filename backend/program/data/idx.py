"""Reads IDX, the format of the files of MNIST: whole numbers that tell the sizes, then bytes; plain or gzipped."""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import torch

BYTES = 0x08  # the code of unsigned bytes, the only kind that MNIST has
MOST_CELLS = 2**26


class IdxError(ValueError):
    """A file that isn't there, or isn't the IDX file that it should be: what was found, and what is expected."""

    def __init__(self, path: Path, found: str, expected: str) -> None:
        super().__init__(f"{path}: found {found}, expected {expected}")


def read_idx(folder: Path, name: str, axes: int, most: int) -> torch.Tensor:
    """At most so many entries of the file of that name, or of name.gz; raises IdxError, which names the file."""
    path = next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
    if path is None:
        raise IdxError(folder, "no such file", f"{name} or {name}.gz")
    try:
        with cast(BinaryIO, gzip.open(path)) if path.suffix == ".gz" else path.open("rb") as file:
            return _read(path, file, axes, most)
    except (OSError, EOFError, zlib.error):
        raise IdxError(path, "a file that can't be read to its end", "an IDX file, whole") from None


def _read(path: Path, file: BinaryIO, axes: int, most: int) -> torch.Tensor:
    magic = file.read(4)
    if magic != bytes((0, 0, BYTES, axes)):
        found = f"the first bytes {magic.hex(' ')}" if magic else "an empty file"
        raise IdxError(path, found, f"00 00 08 {axes:02x}: bytes along {axes} {'axis' if axes == 1 else 'axes'}")
    head = file.read(4 * axes)
    if len(head) < 4 * axes:
        raise IdxError(path, "a head that is cut off", f"{axes} sizes of 4 bytes")
    count, *sizes = struct.unpack(f">{axes}I", head)
    count = min(count, most)
    if not 0 < count * math.prod(sizes) <= MOST_CELLS:
        raise IdxError(path, f"the sizes {(count, *sizes)}", f"between 1 and {MOST_CELLS:,} cells")
    wanted = count * math.prod(sizes)
    content = file.read(wanted)
    if len(content) < wanted:
        raise IdxError(path, f"{len(content):,} bytes behind the head", f"{wanted:,}")
    return torch.from_numpy(np.frombuffer(content, np.uint8).copy()).reshape(count, *sizes)
