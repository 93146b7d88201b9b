"""The time of one training step of the makemore network, ours beside what others write: one process, one thread.

Hidden 200, embedding 10, context 3, batch 32; every row draws its minibatch, works out loss and gradients, and updates.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded

import torch
import torch.nn.functional as F
from torch import nn

from backend.program.data.dataset import load_dataset
from backend.program.lessons.makemore_mlp import parameters
from backend.training.task import read_task
from backend.training.trainer import Trainer
from tests.bench.reach import told
from tests.support.twins import makemore

HIDDEN, BATCH, LR = 200, 32, 0.1
ROUNDS, STEPS = 21, 100
REACH = 1 / 3
Tensors = dict[str, torch.Tensor]
Work = Callable[[], object]
REQUEST = {"walk": {"lesson": "makemore-mlp"}, "sizes": {"hidden": HIDDEN}, "batch": BATCH}


def report() -> None:
    """Print the table: medians of interleaved rounds, each as a multiple of autograd as it is taught."""
    torch.set_num_threads(1)
    times = interleaved(rows())
    taught = times["autograd as taught"]
    for name, microseconds in times.items():
        print(f"training step, {name + ':':38} {microseconds:7.1f} µs   {microseconds / taught:5.2f}x")
    told("ours beside autograd as taught", times[OURS] / taught, REACH, "x", digits=2)


OURS = "printed lines, compiled (ours)"


def rows() -> dict[str, Work]:
    """One step of each kind."""
    return {
        "the lecture's loop, spelled out": spelled_out(),
        "autograd as taught": taught(),
        "nn.Module, autograd, fused SGD": module(),
        "manual lines in torch": manual(),
        OURS: trained("printed"),
    }


def interleaved(work: dict[str, Work]) -> dict[str, float]:
    """Microseconds of a step of each kind, by turns, so that whatever else the machine does falls on all."""
    taken: dict[str, list[float]] = {name: [] for name in work}
    for turn in range(ROUNDS + 1):
        for name, step in work.items():
            began = time.perf_counter()
            for _ in range(STEPS):
                step()
            if turn:
                taken[name].append((time.perf_counter() - began) / STEPS * 1e6)
    return {name: median(times) for name, times in taken.items()}


def drawn() -> tuple[Tensors, Callable[[], tuple[torch.Tensor, torch.Tensor]]]:
    """Parameters, and what draws a minibatch as the lecture does."""
    data, g = load_dataset(), torch.Generator().manual_seed(1)

    def batch() -> tuple[torch.Tensor, torch.Tensor]:
        places = torch.randint(0, len(data.train.X), (BATCH,), generator=g)
        return data.train.X[places], data.train.Y[places]

    return parameters(len(data.vocabulary), g, hidden=HIDDEN), batch


def trained(lines: str) -> Work:
    """A step of a run."""
    trainer = Trainer(read_task({**REQUEST, "lines": lines}))
    return lambda: trainer.advance(1)


def taught() -> Work:
    """loss.backward(), and an update of every parameter."""
    weights, batch = drawn()
    for weight in weights.values():
        weight.requires_grad_()

    def step() -> None:
        Xb, Yb = batch()
        loss = makemore({**weights, "Xb": Xb, "Yb": Yb})
        for weight in weights.values():
            weight.grad = None
        loss.backward()
        for weight in weights.values():
            assert weight.grad is not None
            weight.data += -LR * weight.grad

    return step


def module() -> Work:
    """The same as a module with an optimiser."""
    weights, batch = drawn()
    letters, embedding = weights["C"].shape
    network = nn.Sequential(
        nn.Embedding(letters, embedding), nn.Flatten(), nn.Linear(3 * embedding, HIDDEN), nn.BatchNorm1d(HIDDEN),
        nn.Tanh(), nn.Linear(HIDDEN, letters),
    )  # fmt: skip
    optimiser = torch.optim.SGD(network.parameters(), lr=LR, fused=True)

    def step() -> None:
        Xb, Yb = batch()
        optimiser.zero_grad()
        F.cross_entropy(network(Xb), Yb).backward()
        optimiser.step()

    return step


def manual() -> Work:
    """The lecture's fourth exercise: the closed forms of its second and third in straight lines of torch."""
    t, batch = drawn()
    n = BATCH

    @torch.no_grad()
    def step() -> None:
        Xb, Yb = batch()
        emb = t["C"][Xb]
        embcat = emb.view(n, -1)
        hprebn = embcat @ t["W1"] + t["b1"]
        bnvar_inv = (hprebn.var(0, keepdim=True, unbiased=True) + 1e-5) ** -0.5
        bnraw = (hprebn - hprebn.mean(0, keepdim=True)) * bnvar_inv
        h = torch.tanh(t["bngain"] * bnraw + t["bnbias"])
        logits = h @ t["W2"] + t["b2"]
        F.cross_entropy(logits, Yb)
        dlogits = F.softmax(logits, 1)
        dlogits[range(n), Yb] -= 1
        dlogits /= n
        dhpreact = (1 - h**2) * (dlogits @ t["W2"].T)
        dbngain, dbnbias = (bnraw * dhpreact).sum(0, keepdim=True), dhpreact.sum(0, keepdim=True)
        inner = n * dhpreact - dbnbias - n / (n - 1) * bnraw * dbngain
        dhprebn = t["bngain"] * bnvar_inv / n * inner
        dC = torch.zeros_like(t["C"]).index_put((Xb,), (dhprebn @ t["W1"].T).view(emb.shape), accumulate=True)
        gradients = (dC, embcat.T @ dhprebn, dhprebn.sum(0), h.T @ dlogits, dlogits.sum(0), dbngain, dbnbias)
        for weight, gradient in zip(t.values(), gradients, strict=True):
            weight.data += -LR * gradient

    return step


def spelled_out() -> Work:
    """Every line of the forward pass by itself, with autograd behind it, as the lecture's first exercise has it."""
    t, batch = drawn()
    for weight in t.values():
        weight.requires_grad_()
    n = BATCH

    def step() -> None:
        Xb, Yb = batch()
        emb = t["C"][Xb]
        embcat = emb.view(n, -1)
        hprebn = embcat @ t["W1"] + t["b1"]
        bnmeani = 1 / n * hprebn.sum(0, keepdim=True)
        bndiff = hprebn - bnmeani
        bndiff2 = bndiff**2
        bnvar = 1 / (n - 1) * bndiff2.sum(0, keepdim=True)
        bnvar_inv = (bnvar + 1e-5) ** -0.5
        bnraw = bndiff * bnvar_inv
        hpreact = t["bngain"] * bnraw + t["bnbias"]
        h = torch.tanh(hpreact)
        logits = h @ t["W2"] + t["b2"]
        logit_maxes = logits.max(1, keepdim=True).values
        norm_logits = logits - logit_maxes
        counts = norm_logits.exp()
        counts_sum = counts.sum(1, keepdim=True)
        counts_sum_inv = counts_sum**-1
        probs = counts * counts_sum_inv
        logprobs = probs.log()
        loss = -logprobs[range(n), Yb].mean()
        for weight in t.values():
            weight.grad = None
        for one in (logprobs, probs, counts, norm_logits, logits, h, hpreact, bnraw, bndiff, hprebn, emb):
            one.retain_grad()
        loss.backward()
        for weight in t.values():
            assert weight.grad is not None
            weight.data += -LR * weight.grad

    return step


if __name__ == "__main__":
    report()
