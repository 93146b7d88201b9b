"""Why a gradient is zero: what cancels and what passes nothing back, and the sizes of what rounding left."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import torch

import backend
from tests.support import makemore, torch_reference
from tests.support.verdicts import X, walked


def test_why_the_makemore_zeros_are_zero() -> None:
    """The reason is checked by what it claims: shifting changes nothing that the sentence names."""
    document = json.loads(backend.walk(makemore.LESSON | {"arrays": "lists"}))
    nodes = {node["name"]: node for node in document["nodes"]}
    for name, shifted, result in (("b1", "hprebn", "bndiff"), ("logit_maxes", "norm_logits", "probs")):
        because = nodes[name]["gradient"]["verdict"]["because"]
        assert f"of `{shifted}` changes" in because
        assert f"`{result}`" in because
    values = {name: torch.tensor(nodes[name]["value"]) for name in ("hprebn", "bndiff", "norm_logits", "probs")}
    moved = values["hprebn"] + 3.0
    assert torch.allclose(moved - moved.mean(0), values["bndiff"], atol=1e-5)
    assert torch.allclose((values["norm_logits"] + 3.0).softmax(1), values["probs"], atol=1e-6)


def test_the_two_sizes_of_a_residue_are_those_computed() -> None:
    for name in makemore.TRUE_ZEROS:
        verdict = makemore.pair().judge()[name]
        pair = makemore.pair()
        for residue, side in ((verdict.residue, pair.coarse), (verdict.residue64, pair.fine)):
            both = side.gradients[f"d{name}"], side.forward.autograd[name]
            assert residue == max(float(g.abs().max()) for g in both)
        assert (verdict.residue64 or 0.0) < 1e-5 * (verdict.residue or 0.0)


def test_a_residue_is_drawn_on_the_scale_of_what_arrives() -> None:
    document = json.loads(backend.walk(makemore.LESSON | {"arrays": "lists"}))
    nodes = {node["name"]: node for node in document["nodes"]}
    for name, above in (("b1", "hprebn"), ("logit_maxes", "norm_logits")):
        arriving = float(torch.tensor(nodes[above]["gradient"]["autograd"]).abs().max())
        assert nodes[name]["gradient"]["scale"] == pytest.approx(arriving, rel=1e-6)
    assert {
        name for name, node in nodes.items() if node["gradient"] and node["gradient"]["scale"]
    } == makemore.TRUE_ZEROS


def test_other_reasons_for_a_true_zero() -> None:
    w = {"role": "parameter", "shape": [40, 7], "init": "randn"}
    c = {"role": "parameter", "shape": [7], "init": "randn", "seed": 4}
    source = "c = b * 2.0\nh = w + c\np = torch.log_softmax(h - h.mean(0) * 1.0, 1)\nloss = (p * p).mean()"
    _, nodes = walked(source, w=w, b=c)
    assert nodes["c"]["gradient"]["verdict"]["kind"] == "residue"
    assert "its 40 copies cancel" in nodes["c"]["gradient"]["verdict"]["because"].replace("The gradients of ", "")
    carried = nodes["b"]["gradient"]["verdict"]["because"]
    assert carried.startswith("The gradient of `c` is truly zero")
    assert re.search(r"In float64 what is left shrinks from \S+ to \S+; a real gradient wouldn't\.$", carried)


@pytest.mark.parametrize(
    ("source", "name", "because"),
    [
        ("y = torch.floor(x)\nloss = (y + x * 2).sum()", "y", None),
        ("h = x * 2\ny = torch.floor(h)\nloss = y.sum()", "h", "`y = torch.floor(h)` passes nothing back here"),
        ("h = x * 2\ny = torch.floor(h)\nloss = y.sum()", "x", "because every cell of `dh` is"),
        ("h = -x * x - 1.0\ny = h.relu()  # dead\nloss = y.sum()", "h", "`y = h.relu()` passes nothing back here"),
        ("a = x * 1\nu = a + 1\nv = a * 1\nloss = (u - v).sum()", "a", "its 2 paths cancel"),
        ("h = x * 2\ny = torch.stack([h, x])\nloss = y[1].sum()", "h", "passes on only cells of `dy` that are zero"),
        ("a = x.sum()\ny = x + a\nloss = y[0, 0] - y[0, 1]", "a", "the gradients that come together in it cancel"),
    ],
)
def test_zero_by_rule(source: Any, name: Any, because: Any) -> None:
    _, nodes = walked(source)
    verdict = nodes[name]["gradient"]["verdict"]
    assert (verdict["kind"], verdict["level"]) == ("rule" if because else None, "exact")
    assert because is None or because in verdict["because"]
    case = {"source": source, "tensors": {"x": X}}
    gradient = torch_reference.reference(case)[name][1]
    assert gradient is not None
    assert bool(gradient.any()) == (because is None)
