"""A classifier of handwritten digits: two hidden layers with relu, and cross-entropy, on real images."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import torch

from backend.program.data.digits import Digits, load_digits, served_folder
from backend.program.lessons.base import Fact, Instead, Lesson, Material

BATCH, FIRST, SECOND, DIGITS = 32, 24, 16, 10

SOURCE = """\
# First hidden layer
h1 = F.relu(X @ W1 + b1)
# Second hidden layer
h2 = F.relu(h1 @ W2 + b2)
# Output
logits = h2 @ W3 + b3
loss = F.cross_entropy(logits, Y)
"""

BEGINNING = (
    "A small network learns to tell the digits apart: {pixels} pixels in, {digits} scores out. "
    "It is shown {examples} pictures.",
    "Its loss is {loss}. Guessing blindly among {digits} digits gives ln {digits} = {blind}.",
)

NARRATION = {
    "h1": "Each of the {first} units weighs all {pixels} pixels. {open} of {cells} of its cells are open: above 0.",
    "h2": "The second layer weighs the {first} units of the first one, and cuts off at 0 again.",
    "logits": "One score for each of the {digits} digits. There is no relu here: a score may be negative.",
    "loss": "Softmax and cross-entropy in one operation: minus the log-probability of the right digit, on average.",
    "dlogits": Instead("Probability minus one-hot, over the {examples} examples: eight small steps in one line."),
    "dh1": "One layer further back, the same line again.",
    "dW1": "A pixel that is 0 in a picture adds nothing here: nudging its weights doesn't change that example.",
}


HOLDS = {
    "h1": ("h1.shape[1] == W1.shape[1]",),
    "h2": ("h1 >= 0",),
    "logits": (),
    "loss": (),
    "dlogits": ("dlogits == (F.softmax(logits, 1) - F.one_hot(Y, logits.shape[1])) / X.shape[0]",),
    "dh1": ("dh2 == dlogits @ W3.T", "dh1 == (dh2 * (h2 > 0)) @ W2.T"),
    "dW1": ("dW1 == X.T @ (dh1 * (h1 > 0))",),
}

# The numbers that the narration speaks of, in this run.
FACTS: Mapping[str, Fact] = {
    "examples": lambda values, _: str(len(values["X"])),
    "pixels": lambda values, _: str(values["X"].shape[1]),
    "digits": lambda values, _: str(values["logits"].shape[1]),
    "first": lambda values, _: str(values["h1"].shape[1]),
    "open": lambda values, _: str(int((values["h1"] > 0).sum())),
    "cells": lambda values, _: str(values["h1"].numel()),
    "blind": lambda values, _: f"{math.log(values['logits'].shape[1]):.2f}",
    "loss": lambda values, _: f"{float(values['loss']):.2f}",
}


def material(seed: int, _names: Path | None) -> Material:
    """Parameters scaled for relu, and a batch of digits, drawn one after the other from a generator with this seed."""
    known = load_digits(served_folder())
    g = torch.Generator().manual_seed(seed)
    pixels = known.images.shape[1]
    tensors = {}
    for name, (inputs, outputs) in {"1": (pixels, FIRST), "2": (FIRST, SECOND), "3": (SECOND, DIGITS)}.items():
        tensors[f"W{name}"] = torch.randn((inputs, outputs), generator=g) * (2 / inputs) ** 0.5
        tensors[f"b{name}"] = torch.randn(outputs, generator=g) * 0.1
    chosen = torch.randint(0, len(known.labels), (BATCH,), generator=g)
    tensors["X"], tensors["Y"] = known.images[chosen], known.labels[chosen]
    return Material(tensors, _labels(tensors, known))


def labels(tensors: Mapping[str, torch.Tensor], _names: Path | None) -> dict[str, list[str]]:
    """Labels for other pictures of the same data; none where one isn't among them."""
    known = load_digits(served_folder())
    every = zip(tensors["X"], tensors["Y"], strict=True)
    there = all(bool((known.images[known.labels == digit] == picture).all(1).any()) for picture, digit in every)
    return _labels(tensors, known) if there else {}


def _labels(tensors: Mapping[str, torch.Tensor], known: Digits) -> dict[str, list[str]]:
    digits = [str(digit) for digit in range(DIGITS)]
    places = [f"{row}, {column}" for row in range(known.side) for column in range(known.side)]
    return {"example": [f"a {int(digit)}" for digit in tensors["Y"]], "digit": digits, "pixel": places}


LESSON = Lesson(
    name="relu-classifier",
    title="Digits with relu",
    about="Two hidden layers with relu tell small pictures of digits apart.",
    seed=8,
    seed_means="the parameters and the pictures",
    seed_noun="batch",
    source=SOURCE,
    constants={},
    roles={"X": "data", "Y": "target"},
    dims={
        "X": ("example", "pixel"),
        "Y": ("example",),
        "W1": ("pixel", "unit"),
        "b1": ("unit",),
        "W2": ("unit", "second unit"),
        "b2": ("second unit",),
        "W3": ("second unit", "digit"),
        "b3": ("digit",),
    },
    material=material,
    codes={"Y": "digit"},
    trained_on="digits",
    beginning=BEGINNING,
    narration=NARRATION,
    holds=HOLDS,
    facts=FACTS,
    labels=labels,
)
