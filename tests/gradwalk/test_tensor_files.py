"""Files of tensors: what is in them is read, nothing in them is run, and what is broken gets one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gradwalk.recorder.recording import WalkError
from gradwalk.tensor_files import tensors_of


def packed(header: Any, body: bytes = b"") -> bytes:
    """A file of safetensors, as the format is described."""
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def test_safetensors_are_read_in_every_precision(tmp_path: Path) -> None:
    cells, halves = np.arange(6, dtype="<f4").reshape(2, 3), np.asarray([0x3F80, 0xC000], dtype="<u2")
    header = {
        "__metadata__": {"format": "pt"},
        "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "half": {"dtype": "BF16", "shape": [2], "data_offsets": [24, 28]},
        "none": {"dtype": "F64", "shape": [0, 3], "data_offsets": [28, 28]},
    }
    file = tmp_path / "theirs.safetensors"
    file.write_bytes(packed(header, cells.tobytes() + halves.tobytes()))
    found: dict[str, Any] = {**tensors_of(file)}
    assert set(found) == {"w", "half", "none"}
    assert np.array_equal(found["w"].numpy(), cells)
    assert torch.equal(found["half"], torch.tensor([1.0, -2.0], dtype=torch.bfloat16))
    assert found["none"].shape == (0, 3)


class Runs:
    """Would be run by whoever unpickled it."""

    def __reduce__(self) -> Any:
        return Path.touch, (Path("ran"),)


def test_nothing_is_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.savez("theirs.npz", w=np.asarray([Runs()], dtype=object))
    with pytest.raises(WalkError, match=r"theirs\.npz can't be read as \.npz: Object arrays"):
        tensors_of(Path("theirs.npz"))
    assert not Path("ran").exists()


W = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
BROKEN = {
    "empty": b"",
    "a length beyond the end": (2**63).to_bytes(8, "little") + b"{}",
    "no object": packed([]),
    "nested": (100_000).to_bytes(8, "little") + b"[" * 100_000,
    "offsets beyond the end": packed({"w": W}, b"1234"),
    "offsets turned round": packed({"w": W | {"data_offsets": [8, 0]}}, b"12345678"),
    "negative offsets": packed({"w": W | {"data_offsets": [-8, 8]}}, b"12345678"),
    "a shape of more": packed({"w": W | {"shape": [2**40]}}, b"12345678"),
    "another type": packed({"w": W | {"dtype": "F4"}}, b"12345678"),
    "no offsets": packed({"w": {}}),
    "no tensor": packed({"w": 3}),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("kind", ["safetensors", "npz"])
def test_a_broken_file_is_refused_in_one_sentence(kind: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / f"theirs.{kind}").write_bytes(data)
    with pytest.raises(WalkError, match=rf"^theirs\.{kind} can't be read as \.{kind}: "):
        tensors_of(tmp_path / f"theirs.{kind}")


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WalkError, match=r"theirs\.pt is neither \.npz nor \.safetensors"):
        tensors_of(tmp_path / "theirs.pt")
