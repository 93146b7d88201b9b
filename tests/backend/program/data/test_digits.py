"""The digits: 1,797 images with their citation, and MNIST from a folder in their place."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import backend
from backend.program.data import digits
from backend.program.data.digits import ABOUT, FILE, IMAGES, LABELS, load_digits
from tests.tools.digits import converted


def test_every_image_is_there_with_its_digit() -> None:
    known = load_digits()
    assert known.images.shape == (1797, 64)
    assert known.side == 8
    assert torch.bincount(known.labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert (float(known.images.min()), float(known.images.max())) == (0.0, 1.0)
    assert int((known.images * 16).sum()) == 561_718


def test_the_file_says_whose_it_is() -> None:
    head = FILE.read_text(encoding="utf-8").split("\n0 ")[0]
    assert head == "\n".join(f"# {line}" for line in ABOUT)
    assert all(said in head for said in ("Alpaydin", "Kaynak", "CC BY 4.0", "doi.org"))


def test_the_file_is_what_its_script_makes() -> None:
    table = "\n".join(",".join(map(str, [*range(17), *[3] * 47, label])) for label in (7, 0)) + "\n"
    written = converted(gzip.compress(table.encode())).splitlines()[len(ABOUT) :]
    assert written == [f"7 0123456789abcdefg{'3' * 47}", f"0 0123456789abcdefg{'3' * 47}"]


@pytest.fixture
def mnist(tmp_path: Path) -> Iterator[Path]:
    """Twelve images of 28 × 28, of which image k has k in each pixel and the label k mod 10."""
    images = b"".join(bytes([k]) * 784 for k in range(12))
    (tmp_path / f"{IMAGES}.gz").write_bytes(gzip.compress(b"\0\0\x08\x03" + struct.pack(">3I", 12, 28, 28) + images))
    (tmp_path / LABELS).write_bytes(b"\0\0\x08\x01" + struct.pack(">I", 12) + bytes(k % 10 for k in range(12)))
    yield tmp_path
    digits._served.clear()


def test_a_folder_with_mnist_takes_the_place_of_the_small_digits(mnist: Path) -> None:
    known = load_digits(mnist)
    assert (known.images.shape, known.side) == ((12, 784), 28)
    assert torch.equal(known.labels, torch.arange(12) % 10)
    assert float(known.images[11, 0]) == pytest.approx(11 / 255)
    backend.serve_mnist(mnist)
    walk = json.loads(backend.walk({"lesson": "relu-classifier", "seed": 3}))
    assert next(node["shape"] for node in walk["nodes"] if node["name"] == "W1")[0] == 784
    assert "784 pixels in" in walk["beginning"][0]
    assert walk["summary"]["wrong"] == 0


def test_images_and_labels_that_do_not_go_together_are_refused(mnist: Path) -> None:
    (mnist / LABELS).write_bytes(b"\0\0\x08\x01" + struct.pack(">I", 3) + b"\1\2\3")
    with pytest.raises(backend.IdxError, match="12 images, expected 3"):
        load_digits(mnist)
    (mnist / LABELS).write_bytes(b"\0\0\x08\x01" + struct.pack(">I", 12) + b"\x0a" * 12)
    load_digits.cache_clear()
    with pytest.raises(backend.IdxError, match="the label 10"):
        load_digits(mnist)
