"""What lines cost is what PyTorch counts: its flop counter, and what its hooks see saved for the way back."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from backend.inspect.costs import costs, numbers_read
from backend.pipeline import run_of
from tests.support.programs import REQUESTS, run_for, some

# The total of the weights of a cross-entropy, a single number that PyTorch saves beside its probabilities.
BESIDE = {"relu-classifier": 4}


# What PyTorch's counter leaves out: a matrix times a vector, attention's own kernel, and the squares of distances.
ATEN = torch.ops.aten
FURTHER: Any = {
    ATEN.mv: lambda matrix, _, **__: 2 * math.prod(matrix),
    ATEN.dot: lambda x, _, **__: 2 * math.prod(x),
    ATEN._cdist_forward: lambda x, y, *_, **__: 2 * math.prod(x) * y[-2],
    ATEN._scaled_dot_product_flash_attention_for_cpu: lambda q, k, v, *_, **__: (
        2 * math.prod(q) * k[-2] + 2 * math.prod(q[:-1]) * math.prod(v[-2:])
    ),
}


@pytest.mark.parametrize("name", some(REQUESTS, 8))
def test_every_printed_line_costs_what_pytorch_counts_when_it_runs_it(name: str) -> None:
    run = run_for(name)
    told = costs(run)
    scope: dict[str, Any] = {"torch": torch, "F": F, "math": math, **run.material.constants}
    scope |= {node.variable: run.forward.tensors[node.variable].clone() for node in run.plan.graph.inputs}
    with torch.no_grad():
        with FlopCounterMode(display=False, custom_mapping=FURTHER) as forward:
            exec(run.plan.graph.forward_source, scope)
        assert sum(one.multiply_adds for one in told if one.direction == "forward") == forward.get_total_flops() // 2
        for one in [one for one in told if one.direction == "backward"]:
            with FlopCounterMode(display=False, custom_mapping=FURTHER) as counter:
                exec(one.code, scope)
            assert one.multiply_adds == counter.get_total_flops() // 2, one.code


@pytest.mark.parametrize("name", some(REQUESTS, 8))
def test_what_is_held_is_what_later_lines_read(name: str) -> None:
    """Each storage once, none of an input's, and nothing when the way back is done."""
    run = run_for(name)
    told, tensors = costs(run), run.forward.tensors
    inputs = {tensors[node.variable].untyped_storage().data_ptr() for node in run.plan.graph.inputs}
    for place, one in enumerate(told):
        later = [other.code for other in told[place + 1 :] if other.direction == "backward"]
        read = {name for code in later for part in ast.parse(code).body for name in numbers_read(part)}
        made = {other.made for other in told[: place + 1] if other.made in read}
        storages = {tensors[name].untyped_storage().data_ptr(): tensors[name].untyped_storage() for name in made}
        assert one.held == sum(one.nbytes() for at, one in storages.items() if at not in inputs), one.code
    assert told[-1].held == 0


def test_what_views_share_is_kept_until_none_of_them_is() -> None:
    """Three views of one product: with one of them computed again, the others keep what all three share."""
    run = run_of({"lesson": "gpt-block"})
    storage = run.forward.tensors["q"].untyped_storage().nbytes()
    names = ["q", "k", "v"]
    kept = [[one.kept for one in costs(run, again) if one.made in names] for again in ([], ["q"], ["q", "k"], names)]
    assert [one[:3] for one in kept] == [[storage, 0, 0], [0, storage, 0], [0, 0, storage], [0, 0, 0]]
    least = [max(one.held for one in costs(run, again)) for again in ([], names)]
    assert least[1] < least[0]


def counted(lesson: str) -> tuple[int, int, int]:
    """The multiply-adds forward and backward, and the bytes saved that were not there before, as PyTorch sees them."""
    run = run_of({"lesson": lesson})
    graph = run.plan.graph
    inputs = {node.variable: run.forward.tensors[node.variable].clone() for node in graph.inputs}
    for name, one in inputs.items():
        one.requires_grad_(f"d{name}" in run.gradients)
    there = {one.untyped_storage().data_ptr() for one in inputs.values()}
    saved: dict[int, int] = {}

    def pack(one: torch.Tensor) -> torch.Tensor:
        saved[one.untyped_storage().data_ptr()] = one.untyped_storage().nbytes()
        return one

    scope: dict[str, Any] = {"torch": torch, "F": F, "math": math, **run.material.constants, **inputs}
    with FlopCounterMode(display=False) as forward, torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one):
        exec(graph.forward_source, scope)
    with FlopCounterMode(display=False) as backward:
        scope[graph.loss.variable].backward()
    bytes_kept = sum(size for place, size in saved.items() if place not in there)
    return forward.get_total_flops() // 2, backward.get_total_flops() // 2, bytes_kept


@pytest.mark.parametrize("lesson", ["memory", "linear-layer", "build-the-engine.time", "relu-classifier"])
def test_the_lines_cost_what_pytorch_counts(lesson: str) -> None:
    told = costs(run_of({"lesson": lesson}))
    forward = sum(one.multiply_adds for one in told if one.direction == "forward")
    backward = sum(one.multiply_adds for one in told if one.direction == "backward")
    assert forward > 0
    assert (forward, backward, sum(one.kept for one in told) + BESIDE.get(lesson, 0)) == counted(lesson)


def test_what_is_computed_again_costs_what_a_checkpoint_of_pytorch_costs() -> None:
    """The block from `x` to `h3` in a checkpoint: `t1` and `t2` are made again, `t3` is saved outside of it."""
    run = run_of({"lesson": "memory"})
    x, W1, W2, W3 = (run.forward.tensors[name].clone().requires_grad_() for name in ("x", "W1", "W2", "W3"))
    saved: list[torch.Tensor] = []

    def block(given: torch.Tensor) -> torch.Tensor:
        return torch.tanh(torch.tanh(given @ W1) @ W2) @ W3

    def pack(one: torch.Tensor) -> torch.Tensor:
        saved.append(one)
        return one

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one):
        t3 = checkpoint(block, x, use_reentrant=False).tanh()
    with FlopCounterMode(display=False) as backward:
        (t3 * run.forward.tensors["G"]).sum().backward()
    told = costs(run, ["t1", "t2"])
    first = [one.code for one in told].index("dW3 = t2.T @ dh3")
    assert [one.code.split()[0] for one in told[first - 4 : first]] == ["h1", "t1", "h2", "t2"]
    assert backward.get_total_flops() // 2 == sum(one.multiply_adds for one in told if one.direction != "forward")
    kept = [one.untyped_storage() for one in saved if one is not x and one.shape == t3.shape]
    assert sum(one.kept for one in told) == sum(one.nbytes() for one in kept if one.data_ptr() != x.data_ptr())
    assert W1.grad is not None
    assert torch.allclose(W1.grad, run.gradients["dW1"], rtol=1e-4, atol=1e-6)


def test_a_tensor_is_freed_by_the_last_line_that_reads_its_numbers() -> None:
    told: Mapping[str, str] = {one.code: one.freed_by for one in costs(run_of({"lesson": "memory"}))}
    assert told["t1 = h1.tanh()"] == "dh1 = (1.0 - t1**2) * dt1"
    assert told["h1 = x @ W1"] == ""


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("dt = torch.ones_like(t) * dloss", {"torch", "dloss"}),
        ("dh = (1.0 - t**2) * dt", {"t", "dt"}),
        ("dx = dy.expand(x.shape)", {"dy"}),
        ("dx = torch.full_like(x, 2.0) * dy", {"torch", "dy"}),
        ("dx = dy.view_as(x) + dz.type_as(x)", {"dy", "dz"}),
        ("dx += g.reshape(x.shape) * x", {"g", "x"}),
    ],
)
def test_who_asks_for_a_shape_reads_no_numbers(line: str, read: set[str]) -> None:
    assert numbers_read(ast.parse(line).body[0]) == read
