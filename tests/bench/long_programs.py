"""Long programs, new to the server: what their first picture costs, and how large the answer is that it comes with."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import torch

import backend
from app.connection.memory import collect_seldom
from backend.engine.encode import as_json
from backend.engine.execute import plan
from backend.program import runs
from tests.bench.reach import told

ROUNDS = 5
BATCH, TOKENS, WIDTH, HEADS = 4, 64, 128, 4
MAMBA = """
delta = F.softplus(x @ Wd + bd)
dA = torch.exp(delta[:, :, :, None] * A)
B = x @ Wb
C = x @ Wc
dB = (delta * x)[:, :, :, None] * B[:, :, None, :]
ys = []
for t in range(64):
    h = dA[:, t] * h + dB[:, t]
    y = (h * C[:, t, None, :]).sum(-1)
    ys.append(y)
out = torch.stack(ys, 1) + x * D
loss = ((out - target) ** 2).mean()
"""
GRU = """
for t in range(35):
    z = torch.sigmoid(x[:, t, :] @ Wz + h @ Uz)
    r = torch.sigmoid(x[:, t, :] @ Wr + h @ Ur)
    n = torch.tanh(x[:, t, :] @ Wn + (r * h) @ Un)
    h = (1 - z) * n + z * h
loss = ((h - target)**2).mean()
"""
BLOCK = """
a = F.layer_norm(x, (C,), g1, b1)
qkv = a @ Wqkv
q, k, v = qkv.split(C, dim=2)
q = q.view(B, T, H, C // H).transpose(1, 2)
k = k.view(B, T, H, C // H).transpose(1, 2)
v = v.view(B, T, H, C // H).transpose(1, 2)
att = q @ k.transpose(-2, -1) / math.sqrt(C // H)
att = att.masked_fill(torch.tril(torch.ones(T, T)) == 0, float('-inf'))
att = F.softmax(att, dim=-1)
y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
x = x + y @ Wo
m = F.gelu(F.layer_norm(x, (C,), g2, b2) @ W1) @ W2
x = x + m
logits = x @ Wh
loss = F.cross_entropy(logits.view(-1, V), targets.view(-1))
"""


def given(role: str, *shape: int, **rest: object) -> dict[str, Any]:
    return {"role": role, "shape": list(shape), "init": "randn", **rest}


def weights(**shapes: tuple[int, ...]) -> dict[str, Any]:
    return {name: given("parameter", *shape, scale=0.1, seed=i) for i, (name, shape) in enumerate(shapes.items())}


PROGRAMS: dict[str, dict[str, Any]] = {
    "GRU of 35 steps": {
        "source": GRU,
        "tensors": {
            "x": given("data", 8, 35, 16),
            "h": given("data", 8, 32),
            "target": given("target", 8, 32),
            **weights(**dict.fromkeys(("Wz", "Wr", "Wn"), (16, 32)), **dict.fromkeys(("Uz", "Ur", "Un"), (32, 32))),
        },
    },
    "nanoGPT block of 4 × 64 × 128": {
        "source": BLOCK,
        "constants": {"B": BATCH, "T": TOKENS, "C": WIDTH, "H": HEADS, "V": 65},
        "tensors": {
            "x": given("data", BATCH, TOKENS, WIDTH),
            "targets": {"role": "target", "shape": [BATCH, TOKENS], "init": "randint", "high": 65},
            **weights(
                g1=(WIDTH,), b1=(WIDTH,), g2=(WIDTH,), b2=(WIDTH,), Wqkv=(WIDTH, 3 * WIDTH), Wo=(WIDTH, WIDTH),
                W1=(WIDTH, 4 * WIDTH), W2=(4 * WIDTH, WIDTH), Wh=(WIDTH, 65),
            ),
        },
    },
    "Mamba of 64 steps": {
        "source": MAMBA,
        "tensors": {
            "x": given("data", 2, 64, 16),
            "h": given("data", 2, 16, 8),
            "target": given("target", 2, 64, 16),
            "A": given("parameter", 16, 8, scale=0.1, shift=-1.0),
            **weights(Wd=(16, 16), bd=(16,), Wb=(16, 8), Wc=(16, 8), D=(16,)),
        },
    },
}  # fmt: skip


def report() -> None:
    """Print the processor time until the first step can be drawn, of a program that nothing is known of."""
    torch.set_num_threads(1)
    for request in PROGRAMS.values():
        first_picture(request)  # what is made once for all programs
    collect_seldom()  # as a worker does: else a full collection goes through torch itself, every other time
    for name, request in PROGRAMS.items():
        sizes, times = zip(*(first_picture(request) for _ in range(ROUNDS)), strict=True)
        told(f"{name}, first picture, processor time", 1e3 * median(times), 400, "ms")
        told(f"{name}, bytes of its first answer", sizes[0], 1_000_000)


def first_picture(request: dict[str, Any]) -> tuple[int, float]:
    """The bytes of the walk, and the seconds of processor time until its first step can be drawn."""
    plan._plans.clear()
    runs._runs.clear()
    return timed(lambda: len(backend.walk(request)), lambda: as_json(backend.steps(near(request)), "typed"))


def near(request: dict[str, Any]) -> dict[str, Any]:
    """What the page asks for beside a walk's first step."""
    return {"walk": request, "steps": [0, 1, 2, 3, 4], "judged": []}


def timed(walk: Callable[[], int], part: Callable[[], object]) -> tuple[int, float]:
    """What the first gives, and the seconds of processor time that both take."""
    began = time.process_time()
    size = walk()
    part()
    return size, time.process_time() - began
