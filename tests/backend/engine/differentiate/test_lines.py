"""Printed backward lines read as a good teacher writes them: over every program, lesson, start and rule of the tree."""

from __future__ import annotations

import ast
import math
from itertools import pairwise
from typing import Any

import pytest
import torch

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.reverse import differentiate
from backend.engine.differentiate.scope import scope_after
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.expression import expression
from backend.engine.language.parse import parse
from backend.engine.language.unparse import printed
from backend.engine.ops import OPS
from backend.engine.trace.tracer import trace
from backend.program.request import read
from backend.program.starts import starts
from tests.support import op_samples
from tests.support.example_shapes import shape_of
from tests.support.line_lint import faults, is_turned_twice, needless_brackets, reads_back
from tests.support.programs import BY_NAME, load, mostly
from tests.support.solve import solve

STARTS = {start["name"]: start["request"] for start in starts()}
LESSONS = ("makemore-mlp", "first-steps")
DIFFERENTIABLE = [op for op in OPS if op.differentiable]


def backward(case: Any, exact: bool = False) -> Any:
    """The lines of a program's backward pass, and how many axes any expression in them has."""
    material = read({**case, "exact": exact})
    graph = trace(parse(material.source), material.inputs, material.constants, material.loss, material.tensors)
    lines = differentiate(graph, exact)
    scope = scope_after(lines, graph)

    def rank(expr: Any) -> Any:
        value = ShapeEvaluator(scope, shares=math.inf).value(expr)
        return value.ndim if isinstance(value, torch.Tensor) else 0

    return lines, rank


def faults_of(lines: list[Line], rank: Any) -> Any:
    statements = [(statement, printed(statement)) for line in lines for statement in line.statements]
    return {code: found for statement, code in statements if (found := faults(statement, code, rank))}


def all_faults(case: Any, exact: bool = False) -> Any:
    return faults_of(*backward(case, exact))


@pytest.mark.parametrize("name", [*mostly(BY_NAME), *STARTS, *LESSONS])
def test_a_program(name: str) -> None:
    """And no statement brings the same as the one before it."""
    lines, rank = backward(load(BY_NAME[name]) if name in BY_NAME else STARTS.get(name, {"lesson": name}))
    assert faults_of(lines, rank) == {}
    told = [(line.through, printed(line.writes_to), printed(line.expr)) for line in lines]
    assert [one for one, other in pairwise(told) if one == other] == []


@pytest.mark.parametrize("name", mostly(BY_NAME))
def test_a_program_with_exact_rules(name: str) -> None:
    assert all_faults(load(BY_NAME[name]), exact=True) == {}


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.__name__)
def test_a_rule(op: Any) -> None:
    for text in op.samples:
        sample = op_samples.read(text, op)
        calls = [call for spelling in op.written for call in op_samples.written(spelling, sample)]
        programs = [program for call in calls if (program := op_samples.case(call, sample))]
        assert [found for program in programs[:1] if (found := all_faults(program))] == []


# What is written where one line brings several contributions, or takes away.
WRITTEN = {
    "y = x * x\nloss = y.sum()": ["dx = 2 * x * dy"],
    "y = x + x\nloss = (y * y).sum()": ["dx = 2 * dy", "dy = 2 * dloss * y"],
    "y = x[0] * x[0]\nloss = y.sum()": ["dx[0] = 2 * x[0] * dy"],
    "y = x * 2\nz = x - y\nloss = (z * y).sum()": ["dy -= dz"],
    "loss = (x[:, None] * x[None]).sum()": ["dx = (dloss * x[:, None]).expand(3, 3, 4).sum(0)"],
    "q, k = x.split(2, dim=1)\nloss = (q * k).sum()": ["dx = torch.cat([dq, dk], dim=1)"],
    "q, k = (x * 2).chunk(2, 1)\nloss = (q * k).sum()": ["dqk = torch.cat([dq, dk], dim=1)", "dx = 2 * dqk"],
    "q, k = x.chunk(2, 1)\nloss = (k * k).sum()": ["dx = torch.cat([torch.zeros_like(q), dk], dim=1)"],
    "a, b, c = x\nloss = (a * b * c).sum()": ["dx = torch.stack([da, db, dc])"],
    "a, b, c, d = x.unbind(1)\nloss = (a * b * c * d).sum()": ["dx = torch.stack([da, db, dc, dd], dim=1)"],
    "a, b = torch.tensor_split(x, [1], 1)\nloss = a.sum() * b.sum()": ["dx = torch.cat([da, db], dim=1)"],
    "p = x.chunk(2, 1)[1]\nloss = (p * p).sum()": ["dx[:, 2:4] = dp"],
    "q, k = x.split(2, 1)\ny = (x * 3).sum()\nloss = (q * k).sum() + y": ["dx += torch.cat([dq, dk], dim=1)"],
    "v = x[0]\ny = v[:, None] * x.T\nloss = y.sum()": ["dv = (x.T * dy).sum(1)"],
    "v = x[0]\ny = v[None] * x\nloss = y.sum()": ["dv = (x * dy).sum(0)"],
    "y = x[:, 0:2, None]\nloss = (y * y).sum()": ["dx[:, 0:2] = dy.squeeze(2)"],
    "v = x[0]\ny = v.repeat(3, 1)\nloss = (y * x).sum()": ["dv = dy.sum(0)"],
    "y = x.repeat(3, 1)\nloss = (y * y).sum()": ["dx = dy.view(3, 3, 4).sum(0)"],
    "g = x @ x.T\nloss = (g * g).sum()": ["dg = 2 * dloss * g", "dx = dg @ x", "dx += dg.T @ x"],
    "loss = (x / 0.1).sum(1).mean()": ["dx = dloss / 3 / 0.1 * torch.ones_like(x)"],
    "y = F.logsigmoid(-0.3 * x)\nloss = y.sum()": ["dx = -torch.sigmoid(0.3 * x) * dy * 0.3"],
    "y = x - x.roll(1, 0)\nloss = (y * y).sum()": ["dx -= dy.roll(-1, 0)"],
    "y = x - x.cumsum(1)\nloss = (y * y).sum()": ["dx -= dy.flip(1).cumsum(1).flip(1)"],
    "y = x - x.tril()\nloss = (y * y).sum()": ["dx -= dy.tril(0)"],
}


@pytest.mark.parametrize("source", WRITTEN)
def test_written(source: Any) -> None:
    values = torch.randn(3, 4, generator=torch.Generator().manual_seed(3)).tolist()
    case = {"source": source, "tensors": {"x": {"role": "parameter", "values": values}}}
    solution = solve(case, dtype="float64")
    code = [text for line in solution.lines for text in line.code.split("\n")]
    assert [text for text in WRITTEN[source] if text not in code] == [], code
    torch.testing.assert_close(solution.gradients["dx"], solution.forward.autograd["x"], rtol=1e-10, atol=1e-10)


# Each mistake, planted once.
PLANTED = {
    "dx = torch.sigmoid(--x)": "signs",
    "dx = x + -dy": "signs",
    "dx = x - -dy": "signs",
    "dx += -dy": "signs",
    "dx = 1.0 * dy": "times one",
    "dx = dy * 1": "times one",
    "dx = dy / 1": "times one",
    "dx = k.transpose(-2, -1).mT": "turned twice",
    "dx = x.t().T": "turned twice",
    "dx = k.permute(2, 0, 1).permute(1, 2, 0)": "turned twice",
    "dx = (x.T @ w).T": "turned twice",
    "dx = x.sum(1, keepdim=True).squeeze(1)": "a kept axis is squeezed",
    "dx = x.sum((0,))": "one axis in a tuple",
    "dx = x.view((3, 4))": "brackets in brackets",
    "dx = s.expand(3, 1).expand(3, 4)": "stretched twice",
    "dx[:, None] = dy": "placed through None",
    "dx = (x * g) + y": "needless brackets",
    "dx = (x)": "needless brackets",
    "dx = -(x).sum(0)": "needless brackets",
}


@pytest.mark.parametrize("code", PLANTED)
def test_a_planted_mistake_is_seen(code: Any) -> None:
    def rank(node: Any) -> Any:
        return len(shape_of(node))

    found = faults(ast.parse(code).body[0], code, rank)
    assert any(fault.startswith(PLANTED[code]) for fault in found), found


def test_a_tree_that_prints_as_another_is_seen() -> None:
    product = ast.BinOp(expression("a"), ast.Mult(), expression("b + c"))
    statement = ast.Assign([ast.Name("d", ast.Store())], product)
    assert reads_back(statement, "d = a * (b + c)")
    assert not reads_back(statement, "d = a * b + c")
    assert reads_back(ast.Assign([ast.Name("d", ast.Store())], ast.UnaryOp(ast.USub(), product)), "d = -a * (b + c)")
    assert list(needless_brackets("d = a * (b + c)")) == []
    assert not is_turned_twice(expression("k.transpose(0, 1).mT"), lambda _: 3)
