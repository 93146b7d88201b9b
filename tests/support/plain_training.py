"""The makemore network trained by hand in plain PyTorch, rightly or with one mistake: nothing of the engine is used."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import torch
import torch.nn.functional as F

from tests.tools.server import ROOT

NAMES = ROOT / "backend" / "program" / "data" / "given_names.txt"
CONTEXT, WIDTH, UNITS, BATCH, RATE, STEPS = 3, 10, 64, 32, 0.1, 1_000
Mistake = Literal["", "no variance path", "no slope of tanh"]
Examples = tuple[torch.Tensor, torch.Tensor]
Parameters = list[torch.Tensor]


@cache
def final_loss(mistake: Mistake = "", seed: int = 0) -> float:
    """The loss over the training split after 1,000 steps with 64 hidden units, calibrated on all of that split."""
    X, Y, letters = training_split(NAMES)
    g = torch.Generator().manual_seed(seed)
    parameters = fresh(letters, g)
    for _ in range(STEPS):
        rows = torch.randint(0, len(X), (BATCH,), generator=g)
        for parameter, slope in zip(parameters, gradients(parameters, X[rows], Y[rows], mistake), strict=True):
            parameter -= RATE * slope
    return float(F.cross_entropy(forward(parameters, X)[-1], Y))


@cache
def training_split(file: Path) -> tuple[torch.Tensor, torch.Tensor, int]:
    """Contexts of three letters and the letter after each, of four names in five; and how many letters there are."""
    names = [line.strip().lower() for line in file.read_text().splitlines() if line.strip() and line[0] != "#"]
    number = {letter: place for place, letter in enumerate([".", *sorted(set("".join(names)))])}
    contexts, following = [], []
    for name in (one for place, one in enumerate(names) if place % 5):
        codes = [0] * CONTEXT + [number[letter] for letter in name + "."]
        contexts += [codes[at : at + CONTEXT] for at in range(len(name) + 1)]
        following += codes[CONTEXT:]
    return torch.tensor(contexts), torch.tensor(following), len(number)


def fresh(letters: int, g: torch.Generator) -> Parameters:
    """C, W1, the scale and shift of batchnorm, W2 and b2."""
    inputs = CONTEXT * WIDTH
    return [
        torch.randn((letters, WIDTH), generator=g),
        torch.randn((inputs, UNITS), generator=g) * (5 / 3) / inputs**0.5,
        torch.ones((1, UNITS)),
        torch.zeros((1, UNITS)),
        torch.randn((UNITS, letters), generator=g) * 0.1,
        torch.zeros(letters),
    ]


def forward(parameters: Parameters, X: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Everything on the way to the logits, which come last; batchnorm takes the mean and variance of these examples."""
    C, W1, gain, shift, W2, b2 = parameters
    embcat = C[X].view(len(X), -1)
    hprebn = embcat @ W1
    inverse = (hprebn.var(0, keepdim=True) + 1e-5) ** -0.5
    bnraw = (hprebn - hprebn.mean(0, keepdim=True)) * inverse
    h = torch.tanh(gain * bnraw + shift)
    return embcat, inverse, bnraw, h, h @ W2 + b2


def gradients(parameters: Parameters, X: torch.Tensor, Y: torch.Tensor, mistake: Mistake) -> Parameters:
    """The gradient of each parameter, by hand."""
    C, W1, gain, _, W2, _ = parameters
    embcat, inverse, bnraw, h, logits = forward(parameters, X)
    n = len(X)
    dlogits = (F.softmax(logits, 1) - F.one_hot(Y, logits.shape[1])) / n
    dh = dlogits @ W2.T
    dhpreact = dh if mistake == "no slope of tanh" else dh * (1 - h**2)
    variance = 0.0 if mistake == "no variance path" else n / (n - 1) * bnraw * (dhpreact * bnraw).sum(0)
    dhprebn = gain * inverse / n * (n * dhpreact - dhpreact.sum(0) - variance)
    demb = (dhprebn @ W1.T).view(-1, WIDTH)
    return [
        torch.zeros_like(C).index_add_(0, X.view(-1), demb),
        embcat.T @ dhprebn,
        (bnraw * dhpreact).sum(0, keepdim=True),
        dhpreact.sum(0, keepdim=True),
        h.T @ dlogits,
        dlogits.sum(0),
    ]
