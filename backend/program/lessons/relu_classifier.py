"""A classifier of handwritten digits: two layers of relu and the fused cross-entropy, on real images."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import torch

from backend.language.wording import number_text
from backend.program.data.digits import load_digits, served_folder
from backend.program.lessons.base import Lesson, Material

BATCH, FIRST, SECOND, CLASSES = 32, 48, 24, 10

SOURCE = """\
# Hidden layers
h1 = F.relu(x @ W1 + b1)
h2 = F.relu(h1 @ W2 + b2)
# Classes
logits = h2 @ W3 + b3
loss = F.cross_entropy(logits, y)
"""

BEGINNING = (
    "A network reads handwritten digits: {pixels} pixels in, one score for each of {classes} digits out.",
    "It has learned nothing yet: for these {examples} images the loss is {loss}. Guessing blindly gives "
    "ln {classes} = {blind}.",
)

NARRATION = {
    "h1": "A hidden unit weighs all {pixels} pixels, and relu keeps what is positive: {open1} of {cells1} numbers.",
    "h2": "A second layer over the first: {open2} of its {cells2} numbers are positive.",
    "logits": "One score for each digit: the largest is the network's guess, right for {right} of {examples} images.",
    "dh1": "Where relu gave 0 the slope is 0, so this gradient goes on from {open1} of {cells1} numbers only.",
}


def material(seed: int, _names: Path | None) -> Material:
    """Parameters and one minibatch, drawn one after the other from a generator with this seed."""
    digits = load_digits(served_folder())
    g = torch.Generator().manual_seed(seed)
    sizes = (digits.images.shape[1], FIRST, SECOND, CLASSES)
    tensors: dict[str, torch.Tensor] = {}
    for number, (fan_in, fan_out) in enumerate(pairwise(sizes), 1):
        tensors[f"W{number}"] = torch.randn((fan_in, fan_out), generator=g) * math.sqrt(2 / fan_in)
        tensors[f"b{number}"] = torch.randn(fan_out, generator=g) * 0.1
    chosen = torch.randint(0, len(digits.labels), (BATCH,), generator=g)
    tensors["x"], tensors["y"] = digits.images[chosen], digits.labels[chosen]
    labels = {
        "example": [f"a {digit}" for digit in tensors["y"].tolist()],
        "class": [str(digit) for digit in range(CLASSES)],
        "pixel": [f"{row}, {column}" for row in range(digits.side) for column in range(digits.side)],
    }
    return Material(tensors, labels)


def facts(values: Mapping[str, torch.Tensor], _labels: Mapping[str, list[str]]) -> dict[str, str]:
    """The numbers that the narration speaks of, in this run."""
    counted = {
        "pixels": values["x"].shape[1],
        "classes": CLASSES,
        "examples": values["x"].shape[0],
        "right": int((values["logits"].argmax(1) == values["y"]).sum()),
        "open1": int((values["h1"] > 0).sum()),
        "open2": int((values["h2"] > 0).sum()),
        "cells1": values["h1"].numel(),
        "cells2": values["h2"].numel(),
    }
    loss = {"loss": number_text(float(values["loss"]), 3), "blind": f"{math.log(CLASSES):.2f}"}
    return {name: str(number) for name, number in counted.items()} | loss


LESSON = Lesson(
    name="relu-classifier",
    title="Handwritten digits",
    about="A classifier with two layers of relu, on real images of digits.",
    seed=2147483647,
    seed_means="the parameters and the minibatch",
    seed_noun="minibatch",
    source=SOURCE,
    roles={"x": "data", "y": "target"},
    dims={
        "x": ("example", "pixel"),
        "y": ("example",),
        "W1": ("pixel", "hidden unit"),
        "b1": ("hidden unit",),
        "W2": ("hidden unit", "unit of layer 2"),
        "b2": ("unit of layer 2",),
        "W3": ("unit of layer 2", "class"),
        "b3": ("class",),
    },
    material=material,
    codes={"y": "class"},
    beginning=BEGINNING,
    narration=NARRATION,
    facts=facts,
)
