"""What can collapse is found by operations and data flow, however it is written, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from backend.closed_forms.derivation import offered
from backend.closed_forms.find import lines_of
from backend.pipeline import new_run

LOGITS = {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1}
TENSORS: dict[str, Any] = {
    "a": LOGITS,
    "y": {"role": "target", "values": [0, 1, 2, 2]},
    "w": {"role": "parameter", "shape": [3], "init": "randn", "seed": 2},
    "v": {"role": "parameter", "shape": [4, 1], "init": "randn", "seed": 3},
}


def collapsing(source: str, **more: Any) -> list[tuple[str, str, str]]:
    """Kind, tensor and root of everything that a program offers."""
    used = {name: spec for name, spec in (TENSORS | more).items() if name in source}
    run = new_run({"source": source, "tensors": used, "constants": {"n": 4}})
    return [(found.kind, str(found.x.name), str(found.root.name)) for found in offered(run)]


CROSS_ENTROPIES = [
    "z = a - a.max(1, keepdim=True).values\ne = z.exp()\ns = e.sum(1, keepdim=True)\nloss = -(e / s).log()[range(n), y].mean()",
    "e = torch.exp(a)\np = e * e.sum(dim=-1, keepdims=True)**-1\nloss = -p.log()[torch.arange(n), y].mean()",
    "p = F.softmax(a, 1)\nq = p.log()\nloss = -1/n * q[range(4), y].sum()",
    "q = F.log_softmax(a, dim=-1)\nloss = -q.gather(1, y.view(-1, 1)).mean()",
    "q = a - a.logsumexp(1, keepdim=True)\nloss = -q[range(n), y].mean()",
    "z = a - v\nq = z - z.exp().sum(1, keepdim=True).log()\nloss = -q[range(n), y].sum() / n",
    "l = torch.logsumexp(a, 1)\nc = a[range(n), y]\nloss = (l - c).mean()",
    "q = a.log_softmax(1)\nloss = F.nll_loss(q, y)",
    "loss = F.cross_entropy(a - v, y)",
    "q = F.log_softmax(a, 1)\nloss = (-q[range(n), y]).sum()",
]


@pytest.mark.parametrize("source", CROSS_ENTROPIES)
def test_a_cross_entropy_however_it_is_written(source: str) -> None:
    assert collapsing(source) == [("softmax", "a", "loss")]


def test_one_row_of_logits() -> None:
    row = {"role": "parameter", "values": [2.0, 1.0, 0.1]}
    assert collapsing("p = F.softmax(a, 0)\nloss = -p.log()[0]", a=row) == [("softmax", "a", "loss")]


def test_a_cross_entropy_that_is_a_part_of_the_loss() -> None:
    source = "q = F.log_softmax(a, 1)\nce = -q[range(n), y].mean()\nloss = 3 * ce + (w**2).sum()"
    assert collapsing(source) == [("softmax", "a", "ce")]


@pytest.mark.parametrize(
    "source",
    [
        "q = F.log_softmax(a, 0)\nloss = -q[range(n), y].mean()",  # along the other axis
        "q = F.log_softmax(a, 1)\nloss = -q[range(n), y].mean() + (a**2).sum()",  # a second path to the loss
        "p = F.softmax(a, 1)\nloss = -p.log()[range(n), y].mean() + p.max()",  # from within
        "p = F.softmax(a, 1)\nloss = -p[range(n), y].mean()",  # no logarithm
        "q = F.log_softmax(a, 1)\nloss = -q[[3, 2, 1, 0], y].mean()",  # other rows
        "q = F.log_softmax(a, 1)\nloss = -2 * q[range(n), y].mean()",  # weighed
        "e = a.exp()\np = e / (a - v).exp().sum(1, keepdim=True)\nloss = -p.log()[range(n), y].mean()",  # other totals
        "e = a.exp()\np = e / e.sum(1, keepdim=True).detach()\nloss = -p.log()[range(n), y].mean()",  # cut off
        "z = a - w\nloss = F.cross_entropy(z, y, label_smoothing=0.1)",
        "loss = F.cross_entropy(a, y, weight=w.detach())",
    ],
)
def test_what_only_looks_like_a_cross_entropy(source: str) -> None:
    assert collapsing(source) == []


G = "\nloss = (h**3).mean()"
NORMALISATIONS = [
    "h = w * (a - a.mean(0, keepdim=True)) / torch.sqrt(a.var(0, keepdim=True, unbiased=True) + 1e-5) + w",
    "h = (a - a.mean(0)) * w * (a.var(0, unbiased=False) + 1e-5)**-0.5",
    "m = 1/n*a.sum(0, keepdim=True)\nd = a - m\nv2 = 1/(n-1)*(d**2).sum(0, keepdim=True)\ni = (v2 + 1e-5)**-0.5\nh = w*(d*i) + w",
    "m = a.mean(0)\nd = a - m\nv2 = (d * d).mean(0)\nh = d / (v2 + 1e-5).sqrt()",
    "v2 = a.var(0, keepdim=True)\nh = w * ((a - a.mean(0, keepdim=True)) / torch.sqrt(v2 + 1e-5))",
    "m = a.mean(-1, keepdim=True)\nv2 = ((a - m)**2).mean(-1, keepdim=True)\nh = (a - m) * torch.rsqrt(v2 + 1e-5) * w + w",
    "m = a.mean(1, keepdim=True)\nv2 = a.var(1, keepdim=True, unbiased=False)\nh = (a - m) * (v2 + 1e-5)**-0.5",
]


@pytest.mark.parametrize("source", NORMALISATIONS)
def test_a_normalisation_however_it_is_written(source: str) -> None:
    assert collapsing(source + G) == [("normalisation", "a", "h")]


@pytest.mark.parametrize(
    "source",
    [
        "m = 2/n*a.sum(0)\nd = a - m\nh = d / ((d**2).mean(0) + 1e-5).sqrt()",  # not the mean
        "m = a.mean(0)\nd = a - m\nh = d / ((d**2).sum(0)/(n-2) + 1e-5).sqrt()",  # neither n nor n - 1
        "m = a.mean(0)\nd = a - m\nh = d / ((d**2).mean(1, keepdim=True) + 1e-5).sqrt()",  # two axes
        "m = a.mean(0)\nd = a - m\nh = d / ((d**3).mean(0)**2 + 1e-5).sqrt()",
        "m = a.mean(0)\nd = a - m\nh = d / ((d**2).mean(0) + 1e-5).sqrt() + m",  # the mean is used again
        "m = a.mean(0)\nd = a - m\nh = d / ((d**2).mean(0).detach() + 1e-5).sqrt()",
    ],
)
def test_what_only_looks_like_a_normalisation(source: str) -> None:
    assert collapsing(source + G) == []


def test_the_makemore_network_holds_both(thorough: bool) -> None:
    for seed in (None, 7) if thorough else (None,):
        run = new_run({"lesson": "makemore-mlp"} | ({"seed": seed} if seed else {}))
        told = [(one.kind, one.x.name, one.root.name, len(lines_of(run.plan, one))) for one in offered(run)]
        assert told == [("softmax", "logits", "loss", 10), ("normalisation", "hprebn", "hpreact", 9)]


def test_nothing_collapses_behind_a_planted_mistake() -> None:
    run = new_run({"lesson": "makemore-mlp", "plant": {"step": 29, "mistake": "sign"}})
    assert offered(run) == []
