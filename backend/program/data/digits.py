"""Handwritten digits: the 1,797 images of 8 × 8 pixels that come with gradwalk, or MNIST from a folder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import torch

from backend.program.data.idx import IdxError, read_idx

FILE = Path(str(resources.files(__package__))) / "digits.txt"
SHADES = "0123456789abcdefg"  # a pixel is the number of dark ones, 0 to 16, in a block of 4 × 4
ABOUT = (
    "Optical Recognition of Handwritten Digits, the test set: 1,797 images of 8 × 8 pixels, each 0 to 16 (g).",
    "E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998, https://doi.org/10.24432/C50P49.",
    "Licensed under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/. Changed in form only: label, then pixels.",
)
IMAGES, LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
NINE = 9
MOST = 10_000  # images of MNIST that are read: a lesson draws 32 of them


@dataclass(frozen=True)
class Digits:
    """Images as rows of pixels from 0 to 1, (N, pixels), and which digit each of them is, (N,)."""

    images: torch.Tensor
    labels: torch.Tensor

    @property
    def side(self) -> int:
        """How many pixels an image is wide and high."""
        return math.isqrt(self.images.shape[1])


@lru_cache(maxsize=2)
def load_digits(folder: Path | None = None) -> Digits:
    """The small digits, or the first 10,000 of MNIST's training images.

    A folder is read once: later it may be out of this process's reach. Raises IdxError as `read_idx` does.
    """
    if folder is None:
        return _small()
    images, labels = read_idx(folder, IMAGES, 3, MOST), read_idx(folder, LABELS, 1, MOST)
    if len(images) != len(labels):
        raise IdxError(folder, f"{len(images)} images", f"{len(labels)}, one for each label")
    if int(labels.max()) > NINE:
        raise IdxError(folder / LABELS, f"the label {int(labels.max())}", "digits from 0 to 9")
    return Digits(images.flatten(1).float() / 255, labels.long())


_served: list[Path] = []


def serve_mnist(folder: Path) -> None:
    """Take the digits from a folder from now on; raises IdxError where they can't be read."""
    load_digits(folder)
    _served[:] = [folder]


def served_folder() -> Path | None:
    """The folder that the digits are taken from; None for the small ones."""
    return _served[0] if _served else None


def _small() -> Digits:
    lines = [line.split(" ") for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    images = torch.tensor([[SHADES.index(shade) for shade in pixels] for _, pixels in lines])
    return Digits(images.float() / 16, torch.tensor([int(label) for label, _ in lines]))
