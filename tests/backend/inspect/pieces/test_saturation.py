"""Which cells of an activation are flat, by its own backward rule, and what a parameter's scale does to it."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.inspect.pieces.saturation import saturation, saturation_offers, slopes_of
from backend.pipeline import new_run
from backend.program.request import identity
from backend.program.runs import kept_run

MAKEMORE = {"lesson": "makemore-mlp"}


def layer(activation: str, scale: float = 1.0) -> dict[str, Any]:
    return {
        "source": f"h = {activation}\nloss = (h @ V).sum()",
        "tensors": {
            "x": {"role": "data", "shape": [16, 6], "init": "randn", "seed": 1},
            "W": {"role": "parameter", "shape": [6, 8], "init": "randn", "seed": 2, "scale": scale},
            "b": {"role": "parameter", "shape": [8], "init": "randn", "seed": 3},
            "V": {"role": "parameter", "shape": [8, 1], "init": "randn", "seed": 4},
        },
    }


@pytest.mark.parametrize(
    ("activation", "flat"),
    [
        ("torch.tanh(x @ W + b)", lambda h: h.abs() > 0.99),
        ("torch.sigmoid(x @ W + b)", lambda h: (h - 0.5).abs() > 0.495),
        ("F.relu(x @ W + b)", lambda h: h == 0),
    ],
)
def test_flat_cells_are_those_that_the_word_means(activation: str, flat: Any) -> None:
    run = new_run(layer(activation, scale=2.0))
    node = run.plan.by_name["h"]
    slopes = slopes_of(node, run.forward, torch.float32)
    meant = flat(run.forward.tensors["h"])
    assert 0 < int(meant.sum()) < meant.numel()
    # 1 − 0.99² = 0.0199 and 0.005 · 0.995 = 0.004975 lie a hair below the limit
    assert int((slopes.flat != meant).sum()) <= 1
    assert torch.equal(slopes.dead, slopes.flat.all(0))
    assert slopes.share == slopes.flat.double().mean()


def test_a_larger_weight_saturates_and_is_the_walk_with_that_change() -> None:
    walk = layer("torch.tanh(x @ W + b)")
    told = saturation({"walk": walk, "tensor": "h"})
    assert (told["parameter"], told["parameters"], told["usual"]) == ("W", ["W"], 4)
    shares = [point["share"] for point in told["points"]]
    assert shares == sorted(shares)
    assert shares[0] < 0.1
    assert shares[-1] > 0.6
    by_scale = {point["scale"]: point for point in told["points"]}
    changed = walk | {"changes": [{"tensor": "W", "scale": 3.0}]}
    run = new_run(changed)
    assert by_scale[3.0]["share"] == float((1 - run.forward.tensors["h"] ** 2 < 0.02).double().mean())
    assert by_scale[3.0]["loss"] == float(run.forward.tensors["loss"])
    assert by_scale[3.0]["norm"] == pytest.approx(float(run.forward.autograd[told["through"]].norm()), rel=1e-5)
    assert by_scale[1.0]["text"].startswith("With `W` as it is, ")
    assert kept_run(identity(walk)) is not None


def test_batchnorm_takes_the_weight_s_scale_away() -> None:
    gain = saturation({"walk": MAKEMORE, "tensor": "h"})
    weight = saturation({"walk": MAKEMORE, "tensor": "h", "parameter": "W1"})
    assert gain["parameters"] == ["bngain", "W1"]
    assert (gain["constant"] == "") != (weight["constant"] == "")
    assert "normalises" in weight["constant"]


def test_a_scale_that_keeps_every_sign_changes_the_numbers_and_no_slope() -> None:
    told = saturation({"walk": layer("F.relu(x @ W)") | {"tensors": {
        name: spec for name, spec in layer("")["tensors"].items() if name != "b"}}, "tensor": "h"})  # fmt: skip
    assert len({point["share"] for point in told["points"]}) == 1
    assert told["constant"] == "The scale of `W` changes the numbers in `h`, but not which are flat."


def test_dead_units_are_columns_flat_for_every_example() -> None:
    walk = layer("F.relu(x @ W + b)")
    walk["tensors"]["b"] = {"role": "parameter", "values": [-50.0, 50.0, 0, 0, 0, 0, 0, 0.0]}
    point = saturation({"walk": walk, "tensor": "h"})["points"][4]
    assert point["dead"] == [0]
    assert "1 column is flat for every example: hardly any gradient gets back through it." in point["text"]


def test_it_is_offered_at_the_activation_s_steps() -> None:
    run = new_run(MAKEMORE)
    steps = saturation_offers(run)[0]["steps"]
    first = run.plan.first_backward
    assert [run.plan.lines[step - first].variable for step in steps[1:]] == ["dh", "dhpreact"]
    assert run.plan.graph.chunks[steps[0]].node.name == "h"
    assert not run.plan.by_name["logits"].saturates


@pytest.mark.parametrize(
    ("tensor", "parameter", "code"),
    [("logits", None, "saturation-none"), ("h", "W2", "tensor-unknown"), ("hh", None, "tensor-near")],
)
def test_what_is_refused(tensor: str, parameter: str | None, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        saturation({"walk": MAKEMORE, "tensor": tensor} | ({"parameter": parameter} if parameter else {}))
    assert refused.value.code == code
