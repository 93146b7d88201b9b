"""Tensors by their names out of a file that runs no code when it is read: `.npz` or `.safetensors`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch

from gradwalk.recorder.recording import WalkError

KINDS = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
}  # fmt: skip
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RuntimeError, RecursionError, BadZipFile, EOFError)


def tensors_of(path: Path) -> dict[str, object]:
    """The arrays of a file; raises WalkError where it isn't one of these, or holds anything but numbers."""
    readers = {".npz": of_npz, ".safetensors": of_safetensors}
    if path.suffix not in readers:
        raise WalkError(f"{path.name} is neither .npz nor .safetensors.")
    try:
        return readers[path.suffix](path)
    except UNREADABLE as error:
        raise WalkError(f"{path.name} can't be read as {path.suffix}: {error}") from None


def of_npz(path: Path) -> dict[str, object]:
    """The arrays of NumPy's archive; what was pickled is refused."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def of_safetensors(path: Path) -> dict[str, object]:
    """The tensors of a file of safetensors: eight bytes of length, a header in JSON, then the numbers."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    if end > len(data):
        raise ValueError("the header ends outside the file")
    header, body = json.loads(data[8:end]), data[end:]
    header.pop("__metadata__", None)
    return {name: tensor_in(body, one) for name, one in header.items()}


def tensor_in(body: bytes, about: Any) -> torch.Tensor:
    """One tensor, from where the header says that it lies."""
    (first, last), name, shape = about["data_offsets"], about["dtype"], about["shape"]
    if name not in KINDS:
        raise ValueError(f"its numbers are {name}")
    kind = KINDS[name]
    if not 0 <= first <= last <= len(body):
        raise ValueError("a tensor lies outside the file")
    numbers = torch.frombuffer(bytearray(body[first:last]), dtype=kind) if first < last else torch.empty(0, dtype=kind)
    return numbers.reshape(shape)
