"""The gradient's norm along a series, and what each of its steps adds to the recurrent weight's gradient."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.wording import number_text
from backend.inspect.pieces.through_time import series_and_weights, through_time, through_time_offers
from backend.pipeline import new_run

RECURRENT = {"lesson": "recurrent"}


def linear(factor: float, steps: int = 6, names: str = "loop") -> dict[str, Any]:
    """A recurrence without an activation by a multiple of the identity: each step multiplies by `factor`."""
    eye = [[factor, 0.0], [0.0, factor]]
    loop = f"for t in range({steps}):\n    h = h @ W\nloss = h.sum()"
    chain = "\n".join(f"h{t + 1} = h{t} @ W" for t in range(steps)).replace("h0 @", "h @") + f"\nloss = h{steps}.sum()"
    return {
        "source": loop if names == "loop" else chain,
        "tensors": {
            "h": {"role": "data", "values": [[1.0, 2.0], [3.0, 4.0]]},
            "W": {"role": "parameter", "values": eye},
        },
    }


@pytest.mark.parametrize(
    ("factor", "word"), [(0.5, "vanishes"), (0.9, "shrinks"), (1.0, "keeps"), (1.2, "grows"), (2.0, "explodes")]
)
@pytest.mark.parametrize("names", ["loop", "chain"])
def test_each_step_back_multiplies_by_the_weight(factor: float, word: str, names: str) -> None:
    told: Any = through_time({"walk": linear(factor, names=names), "tensor": "W"})
    assert (told["singular"], told["radius"]) == (pytest.approx(factor), pytest.approx(factor))
    norms = told["points"][told["usual"]]["norms"]
    ratios = [before / after for before, after in itertools.pairwise(norms)]
    assert ratios == pytest.approx([factor] * len(ratios), rel=1e-5)
    assert word in told["points"][told["usual"]]["text"]
    assert len(told["series"]) == (7 if names == "loop" else 6 + (told["series"][0] == "h"))


def test_a_scaled_weight_scales_every_step() -> None:
    told: Any = through_time({"walk": linear(1.0), "tensor": "h"})
    for point in told["points"]:
        norms = point["norms"]
        assert norms[0] == pytest.approx(norms[-1] * point["scale"] ** 6, rel=1e-4)


@pytest.mark.parametrize(
    ("line", "bounds"),
    [
        ("h = torch.tanh(h @ W + x)", True),
        ("h = F.relu(x + h @ W)", True),
        ("h = h + torch.tanh(h @ W)", False),  # past the product
        ("h = F.layer_norm(h @ W, (2,))", False),
        ("h = 3 * torch.tanh(h @ W)", False),
        ("h = torch.sigmoid(x) * h + torch.tanh(h @ W)", False),  # a gate
    ],
)
def test_a_weight_bounds_a_step_only_where_nothing_else_does_anything(line: str, bounds: bool) -> None:
    walk = linear(1.0)
    walk["source"] = f"for t in range(4):\n    {line}\nloss = (h**2).sum()"
    walk["tensors"]["x"] = {"role": "data", "values": [[0.5, -0.25], [0.125, 0.75]]}
    if "x" not in line:
        del walk["tensors"]["x"]
    told = through_time({"walk": walk, "tensor": "W"})
    assert (told["singular"] is not None) == bounds
    assert (told["radius"] is not None) == bounds


def test_where_every_step_is_read_no_step_has_a_factor_of_its_own() -> None:
    walk = linear(1.0)
    walk["source"] = (
        "total = h.sum()\nfor t in range(4):\n    h = h @ W\n    total = total + (h**2).sum()\nloss = total"
    )
    text = through_time({"walk": walk, "tensor": "W"})["points"][4]["text"]
    assert "To each of these steps something comes back on other paths, too." in text
    assert "multiplies" not in text


def test_norms_are_autograd_s_and_contributions_add_up() -> None:
    told: Any = through_time({"walk": RECURRENT, "tensor": "Wh"})
    run = new_run(RECURRENT)
    names = told["series"]
    assert all(name in run.plan.graph.by_variable for name in names)
    assert told["points"][4]["norms"] == pytest.approx([float(run.forward.autograd[name].norm()) for name in names])
    matrix = run.forward.tensors["Wh"]
    assert told["singular"] == pytest.approx(float(torch.linalg.svdvals(matrix)[0]), rel=1e-5)
    assert told["radius"] < told["singular"]
    first = run.plan.first_backward
    brought = [run.contributions[step - first].value for step in told["steps"]]
    usual = told["points"][told["usual"]]
    assert usual["brought"] == pytest.approx([float(one.norm()) for one in brought])
    assert torch.allclose(torch.stack(brought).sum(0), run.gradients["dWh"], atol=1e-7)
    assert usual["total"] == pytest.approx(float(run.gradients["dWh"].norm()))


def test_it_is_offered_at_the_steps_of_the_series_and_of_its_weight() -> None:
    run = new_run(RECURRENT)
    (offer,) = through_time_offers(run)
    first = run.plan.first_backward
    assert {run.plan.lines[step - first].variable for step in offer["steps"]} == {
        "dh_5",
        "dh_4",
        "dh_3",
        "dh_2",
        "dh",
        "dWh",
    }


@pytest.mark.parametrize("walk", [{"lesson": "makemore-mlp"}, {"lesson": "first-steps"}, linear(1.0, steps=1)])
def test_where_there_is_no_series(walk: dict[str, Any]) -> None:
    assert series_and_weights(new_run(walk)) == []
    with pytest.raises(Refusal) as refused:
        through_time({"walk": walk, "tensor": "loss" if "source" in walk or "make" in walk["lesson"] else "z"})
    assert refused.value.code == "throughtime-none"


def test_where_a_gradient_grows_and_then_shrinks_no_step_speaks_for_all() -> None:
    told = through_time({"walk": {"lesson": "through-time.skew"}, "tensor": "h"})
    point = told["points"][told["usual"]]
    norms = [float(norm) for norm in point["norms"]]
    peak = norms.index(max(norms))
    assert 0 < peak < len(norms) - 1
    assert f"largest: {number_text(norms[peak], 2)} at `d{told['series'][peak]}`" in point["text"]
    assert "multiplies" not in point["text"]
    straight = through_time({"walk": {"lesson": "through-time.vanish"}, "tensor": "h"})
    assert "multiplies it by about 0.8" in straight["points"][straight["usual"]]["text"]
