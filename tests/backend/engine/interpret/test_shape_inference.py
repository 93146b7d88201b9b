"""What a program costs is known before torch computes, however it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

import backend
from backend.engine.interpret.shape_inference import Outlines
from backend.engine.language.expression import expression
from backend.engine.language.parse import parse
from backend.engine.ops import OPS
from backend.engine.trace.tracer import Tracer, trace
from backend.program.request import read
from backend.services.decompose import steps
from tests.support import op_samples

FUSED = [op for op in OPS if op.opens()]


def uses(op: Any) -> Iterator[Any]:
    """Programs that use an operation, one for each way of writing each of its samples."""
    for text in op.samples:
        for spelling in op.written:
            for call in op_samples.written(spelling, op_samples.read(text, op)):
                if case := op_samples.case(call, op_samples.read(text, op)):
                    yield case


def charge(case: Any) -> Any:
    """Bytes and arithmetic that a program is charged."""
    material = read(case)
    tracer = Tracer(parse(material.source), material.inputs, material.constants, material.tensors)
    tracer.run(tracer.program.statements)
    return tracer.shapes.bytes, tracer.shapes.arithmetic


@pytest.mark.parametrize("op", FUSED, ids=lambda op: op.__name__)
def test_a_fused_operation_costs_what_its_steps_cost(op: Any) -> None:
    tried = 0
    for case in uses(op):
        spelled = spelled_out(case)
        tried += spelled is not None
        if spelled is not None:
            assert charge(case) >= charge(spelled), case["source"]
            assert charge(case)[1] >= charge(spelled)[1], case["source"]
    assert tried


def spelled_out(case: Any) -> Any:
    """A program with its first fused operation as small steps; None where this use has none."""
    material = read(case)
    graph = trace(parse(material.source), material.inputs, material.constants, None, material.tensors)
    found = [(c, n) for c, nodes in graph.primitives() for n in nodes if n.op in FUSED and n.op.inside(n.call)]
    if not found:
        return None
    chunk, node = found[0]
    lines = material.source.split("\n")
    lines[chunk.line - 1 : chunk.end_line] = steps(chunk, node, graph)
    return case | {"source": "\n".join(lines)}


@pytest.mark.parametrize("mask", ["", ", is_causal=True", ", attn_mask=m", ", m"])
def test_attention_too_large_is_refused_at_once(mask: Any) -> None:
    wide = {"role": "data", "shape": [16384, 64], "init": "randn"}
    tensors = dict.fromkeys("qkv", wide) | {"m": {"role": "data", "shape": [16384], "init": "randn"}}
    with pytest.raises(backend.Refusal) as caught:
        call = f"F.scaled_dot_product_attention(q, k, v{mask})"
        backend.check({"source": f"o = {call}\nloss = o.sum()", "tensors": tensors})
    assert caught.value.code == "tensor-too-large"
    assert "(16384, 16384)" in caught.value.message
    assert caught.value.where
    assert caught.value.where["text"] == call


def test_the_budget_is_for_all_lines_together() -> None:
    side = {"role": "data", "shape": [1000, 1000], "init": "randn"}
    lines = [f"o{i} = F.scaled_dot_product_attention(x, x, x)" for i in range(4)] + ["loss = o3.sum()"]
    with pytest.raises(backend.Refusal) as caught:
        backend.check({"source": "\n".join(lines), "tensors": {"x": side}})
    assert caught.value.code in ("arithmetic-budget", "memory-budget")
    assert caught.value.where
    assert int(caught.value.where["line"]) > 1


@pytest.mark.parametrize("where", ["line", "table", "values"])
def test_many_axes_are_told_as_axes(where: Any) -> None:
    spec = {"shape": [1] * 9, "init": "rand"} if where == "table" else {"values": [[[[[[[[[1.0]]]]]]]]]}
    tensors = {"x": {"role": "data", **spec}} if where != "line" else {"x": {"role": "data", "values": [1.0]}}
    with pytest.raises(backend.Refusal) as caught:
        backend.check({"source": "h = x.view(1, 1, 1, 1, 1, 1, 1, 1, 1)\nloss = h.sum()", "tensors": tensors})
    assert (caught.value.code, "9 axes" in caught.value.message) == ("tensor-axes", True)
    assert "cell" not in caught.value.message + caught.value.hint


def test_an_operation_that_shares_its_spelling_with_a_fused_one_is_read() -> None:
    """`F.cross_entropy` with probabilities asks the target for its kind of number."""
    rows = {"shape": [3, 4], "init": "rand"}
    tensors = {"x": {"role": "parameter", **rows}, "t": {"role": "target", **rows}}
    assert backend.check({"source": "loss = F.cross_entropy(x, t)", "tensors": tensors})["gradients"] == 1


def test_an_outline_is_worked_out_once_until_a_name_stands_for_another() -> None:
    shapes = Outlines({"x": torch.empty(2, 3, device="meta")})
    turned = expression("x.T")
    assert shapes.value(turned) is shapes.value(turned)
    shapes.define("y", torch.empty(5, device="meta"))
    assert tuple(shapes.value(turned).shape) == (3, 2)
    shapes.define("x", torch.empty(4, 1, device="meta"))
    assert tuple(shapes.value(turned).shape) == (1, 4)
