"""The tables of a request: what each role means, and tensors with infinities, without cells, or of one cell."""

from __future__ import annotations

from typing import Any, get_args

import pytest
import torch

import backend
from app.requests import Tensor
from backend.engine.language.errors import Refusal
from backend.engine.trace.inputs import InputRole
from backend.pipeline import new_run
from backend.present.absent import Absences


def run(source: str, **tensors: Any) -> Any:
    return new_run({"source": source, "tensors": tensors})


def test_the_roles_of_a_request_are_those_of_the_engine() -> None:
    assert get_args(Tensor.model_fields["role"].annotation) == get_args(InputRole)


@pytest.mark.parametrize("row", [{"shape": [2], "init": "randn"}, {"role": "weight", "values": [1.0]}, [1.0], None])
def test_a_tensor_without_a_role_is_told_the_roles(row: Any) -> None:
    with pytest.raises(Refusal) as caught:
        run("loss = x.sum()", x=row)
    assert (caught.value.entry, caught.value.facts["found"]) == ("tensor-spec/role", "x")
    assert all(f"`{role}`" in caught.value.hint for role in get_args(InputRole))


def test_a_constant_gets_no_gradient_and_says_so() -> None:
    noise = {"role": "constant", "shape": [3], "init": "randn", "seed": 4}
    made = run("loss = (mu + noise * s).sum()", mu={"role": "parameter", "values": [1.0, 2.0, 3.0]},
               s={"role": "parameter", "values": 2.0}, noise=noise)  # fmt: skip
    assert sorted(made.gradients) == ["dloss", "dmu", "ds"]
    node = made.plan.by_name["noise"]
    told = Absences(made.plan.graph).of(node)
    assert told == {
        "kind": "constant", "line": None, "text": "No gradient: `noise` is a constant, and stays as it is.",
    }  # fmt: skip


def test_a_mask_may_hold_infinities() -> None:
    """An additive mask, as attention has it: what is masked out gets no weight and no gradient."""
    mask = {"role": "constant", "values": [[0, "-Infinity"], [0, 0]]}
    scores = torch.tensor([[0.5, 1.0], [2.0, -1.0]], requires_grad=True)
    made = run("loss = (F.softmax(s + mask, 1) * w).sum()", mask=mask,
               s={"role": "parameter", "values": scores.tolist()},
               w={"role": "target", "values": [[1.0, 2.0], [3.0, 4.0]]})  # fmt: skip
    weights = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    loss = (torch.softmax(scores + torch.tensor([[0, -torch.inf], [0, 0]]), 1) * weights).sum()
    loss.backward()
    assert torch.equal(made.forward.tensors["mask"], torch.tensor([[0, -torch.inf], [0, 0]]))
    assert scores.grad is not None
    assert torch.allclose(made.gradients["ds"], scores.grad)


@pytest.mark.parametrize("values", [[], [[], []], {"dtype": "f4", "shape": "0, 2", "bdata": ""}])
def test_a_tensor_may_have_no_cells(values: Any) -> None:
    made = run("h = x * w\nloss = h.sum()", x={"role": "data", "values": values},
               w={"role": "parameter", "values": 2.0})  # fmt: skip
    assert made.forward.tensors["h"].numel() == 0
    assert made.gradients["dw"].item() == 0


@pytest.mark.parametrize("shape", [[1], [1, 1], []])
def test_a_loss_of_one_cell_is_taken_as_backward_takes_it(shape: list[int]) -> None:
    x = {"role": "parameter", "shape": shape, "init": "randn", "seed": 3}
    walk = {"source": "o = torch.tanh(x)", "tensors": {"x": x}}
    made = new_run(walk)
    leaf = made.forward.tensors["x"].clone().requires_grad_()
    torch.tanh(leaf).backward()
    assert leaf.grad is not None
    assert torch.allclose(made.gradients["dx"], leaf.grad)
    for kind in ("py", "ipynb"):
        assert backend.export(walk, kind)["text"]


def test_what_is_taken_over_keeps_infinities_and_shapes_without_cells() -> None:
    walk = {
        "source": "loss = (torch.exp(x) * w).sum() + e.sum()",
        "tensors": {
            "x": {"role": "constant", "values": ["-Infinity", 0.5]},
            "w": {"role": "parameter", "values": [1.0, 2.0]},
            "e": {"role": "data", "shape": [0, 3], "init": "randn"},
        },
    }
    kept = backend.program(walk)["request"]
    assert kept["tensors"]["x"]["values"] == ["-Infinity", 0.5]
    before, after = new_run(walk), new_run(kept)
    for name, tensor in before.forward.tensors.items():
        assert torch.equal(after.forward.tensors[name], tensor), name
