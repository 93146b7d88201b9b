"""What can collapse is found by operations and data flow, however it is written, and nothing else is."""

from __future__ import annotations

import re
from typing import Any

import pytest

from backend.inspect.closed_forms.derivation import collapses_of
from backend.inspect.closed_forms.find import lines_of, others_of
from backend.pipeline import new_run

LOGITS = {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 1}
TENSORS: dict[str, Any] = {
    "a": LOGITS,
    "y": {"role": "target", "values": [0, 1, 2, 2]},
    "w": {"role": "parameter", "shape": [3], "init": "randn", "seed": 2},
    "v": {"role": "parameter", "shape": [4, 1], "init": "randn", "seed": 3},
}


def collapsing(source: str, **more: Any) -> list[tuple[str, str, str]]:
    """Kind, tensor and what its gradient comes from of everything that a program offers."""
    used = {name: spec for name, spec in (TENSORS | more).items() if re.search(rf"\b{name}\b", source)}
    run = new_run({"source": source, "tensors": used, "constants": {"n": 4}})
    return [(found.pattern.kind, str(found.x.name), str(found.landing.name)) for found in collapses_of(run)]


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
    "loss = F.cross_entropy(a, y, reduction='sum')",
    "loss = F.cross_entropy(a, y, ignore_index=-1)",
    "q = F.log_softmax(a.masked_fill(w > 9, -1e9), 1)\nloss = F.nll_loss(q, y)",
    "q = F.log_softmax(a, 1)\nloss = -q[range(n), y].mean() + (w**2).sum()",
]


@pytest.mark.parametrize("source", CROSS_ENTROPIES)
def test_a_cross_entropy_however_it_is_written(source: str) -> None:
    assert collapsing(source) == [("cross-entropy", "a", "loss")]


def test_logits_of_a_sequence_laid_end_to_end() -> None:
    more = {"a": {"role": "parameter", "shape": [2, 2, 3], "init": "randn", "seed": 1},
            "y": {"role": "target", "values": [[0, 1], [2, 2]]}}  # fmt: skip
    for source in (
        "loss = F.cross_entropy(a.view(-1, a.size(-1)), y.view(-1))",
        "loss = F.cross_entropy(a.flatten(0, 1), y.flatten(), reduction='sum')",
    ):
        assert collapsing(source, **more) == [("cross-entropy", "a", "loss")]


def test_one_row_of_logits() -> None:
    row = {"role": "parameter", "values": [2.0, 1.0, 0.1]}
    assert collapsing("p = F.softmax(a, 0)\nloss = -p.log()[0]", a=row) == [("cross-entropy", "a", "loss")]


def test_a_cross_entropy_that_is_a_part_of_the_loss() -> None:
    source = "q = F.log_softmax(a, 1)\nce = -q[range(n), y].mean()\nloss = 3 * ce + (w**2).sum()"
    assert collapsing(source) == [("cross-entropy", "a", "ce")]


@pytest.mark.parametrize(
    "source",
    [
        "q = F.log_softmax(a, 0)\nloss = -q[range(n), y].mean()",  # along the other axis
        "q = F.log_softmax(a, 1)\nloss = 2 * -q[range(n), y].mean() + a.mean()",  # weighed as a part
        "p = F.softmax(a, 1)\nloss = -p.log()[range(n), y].mean() + p.max()",  # from within
        "p = F.softmax(a, 1)\nloss = -p[range(n), y].mean()",  # no logarithm
        "q = F.log_softmax(a, 1)\nloss = -q[[3, 2, 1, 0], y].mean()",  # other rows
        "q = F.log_softmax(a, 1)\nloss = -2 * q[range(n), y].mean()",  # weighed
        "e = a.exp()\np = e / (a - v).exp().sum(1, keepdim=True)\nloss = -p.log()[range(n), y].mean()",  # other totals
        "e = a.exp()\np = e / e.sum(1, keepdim=True).detach()\nloss = -p.log()[range(n), y].mean()",  # cut off
        "z = a - w\nloss = F.cross_entropy(z, y, label_smoothing=0.1)",
        "loss = F.cross_entropy(a, y, weight=w.detach())",
        "loss = F.cross_entropy(a, y, ignore_index=2)",  # of four rows two count
    ],
)
def test_what_only_looks_like_a_cross_entropy(source: str) -> None:
    assert "cross-entropy" not in {kind for kind, _, _ in collapsing(source)}


G = "\nloss = (h**3).mean()"
NORMALISATIONS = [
    "h = w * (a - a.mean(0, keepdim=True)) / torch.sqrt(a.var(0, keepdim=True, unbiased=True) + 1e-5) + w",
    "h = (a - a.mean(0)) * w * (a.var(0, unbiased=False) + 1e-5)**-0.5",
    "m = 1/n*a.sum(0, keepdim=True)\nd = a - m\nv2 = 1/(n-1)*(d**2).sum(0, keepdim=True)\ni = (v2 + 1e-5)**-0.5\nh = w*(d*i) + w",
    "m = a.mean(0)\nd = a - m\nv2 = (d * d).mean(0)\nh = d / (v2 + 1e-5).sqrt()",
    "v2 = a.var(0, keepdim=True)\nh = w * ((a - a.mean(0, keepdim=True)) / torch.sqrt(v2 + 1e-5))",
    "m = a.mean(-1, keepdim=True)\nv2 = ((a - m)**2).mean(-1, keepdim=True)\nh = (a - m) * torch.rsqrt(v2 + 1e-5) * w + w",
    "m = a.mean(1, keepdim=True)\nv2 = a.var(1, keepdim=True, unbiased=False)\nh = (a - m) * (v2 + 1e-5)**-0.5",
    "h = (a - a.mean(-1, keepdim=True)) / torch.sqrt(a.var(-1, unbiased=False, keepdim=True) + 1e-5)",
    "h = (a - a.mean(0)) / a.std(0)",
    "h = F.layer_norm(a, (3,))",
    "h = F.layer_norm(a, (3,), w, w, 1e-3)",
    "h = F.layer_norm(a, (4, 3))",
    "h = F.layer_norm(a, (3,), bias=w)",
    "h = F.batch_norm(a, None, None, w, w, True)",
    "h = F.batch_norm(a, torch.zeros(3), torch.ones(3), training=True, momentum=0.3)",
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
        "h = F.batch_norm(a, torch.zeros(3), torch.ones(3), w, w)",  # mean and variance are given
        "h = (a - a.mean(0)) / (a.std(0) + 1e-5)",  # what keeps it from 0 stands outside the root
        "h = F.layer_norm(a, (3,), a.mean(0))",  # a gain that depends on what is normalised
    ],
)
def test_what_only_looks_like_a_normalisation(source: str) -> None:
    assert ("normalisation", "a") not in {(kind, x) for kind, x, _ in collapsing(source + G)}


def test_channels_of_an_image() -> None:
    image = {"role": "parameter", "shape": [2, 3, 2, 2], "init": "randn", "seed": 4}
    source = "h = F.batch_norm(a, None, None, w, w, training=True)"
    assert collapsing(source + G, a=image) == [("normalisation", "a", "h")]


@pytest.mark.parametrize(
    "source",
    [
        "ms = (a * a).mean(1, keepdim=True)\nh = a / torch.sqrt(ms + 1e-6) * w",
        "h = w * (a * torch.rsqrt(a.pow(2).mean(-1, keepdim=True) + 1e-6))",
        "h = F.rms_norm(a, (3,))",
        "h = F.rms_norm(a, (3,), w, 1e-6)",
    ],
)
def test_a_division_by_the_root_mean_square_however_it_is_written(source: str) -> None:
    assert collapsing(source + G) == [("rms-norm", "a", "h")]


@pytest.mark.parametrize(
    "source",
    [
        "h = a / (a * a).sum(1, keepdim=True).sqrt()",
        "s = (a**2).sum(0) + 1e-6\nh = a * s**-0.5",
        "h = F.normalize(a)",
        "h = w * a / a.norm(dim=0)",
    ],
)
def test_a_division_by_the_length_however_it_is_written(source: str) -> None:
    assert collapsing(source + G) == [("unit-length", "a", "h")]


def test_another_length_is_none() -> None:
    assert collapsing("h = F.normalize(a, p=1.0)" + G) == []
    assert collapsing("h = a / (a.norm(dim=1, keepdim=True) + 0.5)" + G) == []


T = {"role": "target", "values": [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.5, 1.0, 0.0]]}


@pytest.mark.parametrize(
    "source",
    [
        "p = torch.sigmoid(a)\nloss = -(t * p.log() + (1 - t) * (1 - p).log()).mean()",
        "p = 1 / (1 + torch.exp(-a))\nloss = F.binary_cross_entropy(p, t)",
        "p = a.sigmoid()\nce = -t * torch.log(p) - (1 - t) * torch.log(1 - p)\nloss = ce.sum(1).mean()",
        "loss = -(t * F.logsigmoid(a) + (1 - t) * F.logsigmoid(-a)).sum() / n",
        "loss = F.binary_cross_entropy_with_logits(a, t, reduction='sum')",
    ],
)
def test_a_binary_cross_entropy_however_it_is_written(source: str) -> None:
    assert collapsing(source, t=T) == [("binary-cross-entropy", "a", "loss")]


@pytest.mark.parametrize(
    "source",
    [
        "p = torch.sigmoid(a)\nloss = -(t * p.log() + (2 - t) * (1 - p).log()).mean()",
        "p = torch.sigmoid(a)\nloss = -(t * p.log() + (1 - p) * (1 - t)).mean()",
        "p = torch.sigmoid(a)\nloss = -(p * p.log() + (1 - p) * (1 - p).log()).mean()",  # its own target
    ],
)
def test_what_only_looks_like_a_binary_cross_entropy(source: str) -> None:
    assert collapsing(source, t=T) == []


@pytest.mark.parametrize(
    ("source", "x"),
    [
        ("p = F.softmax(a, 0)", "a"),
        ("e = (a - a.max(1, keepdim=True).values).exp()\np = e / e.sum(1, keepdim=True)", "a"),
        ("s = a.masked_fill(t == 0, -1e9)\np = F.softmax(s, 1)", "a"),
        ("s = torch.where(t == 0, a, float('-inf'))\np = F.softmax(s, 1)", "a"),
        ("s = a.masked_fill(t == 0, -2.0)\np = F.softmax(s, 1)", "s"),  # a masked cell keeps a share
        ("s = a.masked_fill(t > -1, -1e9)\np = F.softmax(s, 1)", "s"),  # where all are masked each has one
    ],
)
def test_a_softmax_alone(source: str, x: str) -> None:
    assert collapsing(source + "\nloss = (p**2).sum() + (p[:, 0] * t[:, 0]).sum()", t=T) == [("softmax", x, "p")]


def test_a_gradient_that_is_zero_does_not_collapse() -> None:
    assert collapsing("p = F.softmax(a, 0)\nloss = (p * w).sum()") == []


def test_a_tensor_that_is_used_elsewhere_keeps_its_other_line() -> None:
    source = "z = 2 * a\nloss = F.cross_entropy(z, y) + (z**2).mean()"
    assert collapsing(source) == [("cross-entropy", "z", "loss")]
    run = new_run({"source": source, "tensors": {name: TENSORS[name] for name in "ay"}})
    (found,) = collapses_of(run)
    assert (found.readers, len(lines_of(run.plan, found)), len(others_of(run.plan, found))) == (("loss",), 1, 1)


def test_what_is_used_in_between_leaves_the_softmax_alone() -> None:
    source = "p = F.softmax(a, 1)\nent = (p * p).sum()\nloss = -p.log()[range(n), y].mean() + ent"
    assert collapsing(source) == [("softmax", "a", "p")]


def test_the_makemore_network_holds_both(thorough: bool) -> None:
    for seed in (None, 7) if thorough else (None,):
        run = new_run({"lesson": "makemore-mlp"} | ({"seed": seed} if seed else {}))
        told = [
            (one.pattern.kind, one.x.name, one.root.name, len(lines_of(run.plan, one))) for one in collapses_of(run)
        ]
        assert told == [("cross-entropy", "logits", "loss", 10), ("normalisation", "hprebn", "hpreact", 9)]


def test_nothing_collapses_behind_a_planted_mistake() -> None:
    run = new_run({"lesson": "makemore-mlp", "plant": {"step": 29, "mistake": "sign"}})
    assert collapses_of(run) == []
