"""Printed backward lines read as a good teacher writes them: over every program, lesson, start and rule of the tree."""

from __future__ import annotations

import ast
import math
import tomllib
from itertools import pairwise
from typing import Any

import pytest
import torch

from backend.differentiate.reverse import differentiate
from backend.differentiate.scope import scope_after
from backend.interpret.shape_inference import ShapeEvaluator
from backend.language.expression import expression
from backend.language.nodes import plain
from backend.language.parse import parse
from backend.language.rewrite import substitute, tidy
from backend.language.signs import doubled, negated
from backend.language.unparse import printed
from backend.ops import OPS
from backend.program.request import read
from backend.program.starts import starts
from backend.trace.tracer import trace
from tests.support import op_samples
from tests.support.line_lint import faults, is_turned_twice, needless_brackets, reads_back
from tests.support.programs import PATHS
from tests.support.solve import solve

PROGRAMS = [pytest.param(lambda path=path: tomllib.loads(path.read_text()), id=path.stem) for path in PATHS]
PROGRAMS += [pytest.param(lambda start=start: start["request"], id=start["name"]) for start in starts()]
PROGRAMS += [pytest.param(lambda name=name: {"lesson": name}, id=name) for name in ("makemore-mlp", "first-steps")]
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


def all_faults(case: Any, exact: bool = False) -> Any:
    lines, rank = backward(case, exact)
    statements = [(statement, printed(statement)) for line in lines for statement in line.statements]
    return {code: found for statement, code in statements if (found := faults(statement, code, rank))}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("case", PROGRAMS)
def test_a_program(case: Any, exact: bool) -> None:
    assert all_faults(case(), exact) == {}


@pytest.mark.parametrize("case", PROGRAMS)
def test_no_statement_brings_the_same_twice(case: Any) -> None:
    lines, _ = backward(case())
    told = [(line.through, printed(line.writes_to), printed(line.expr)) for line in lines]
    assert [one for one, other in pairwise(told) if one == other] == []


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.__name__)
def test_a_rule(op: Any) -> None:
    for text in op.samples:
        sample = op_samples.read(text, op)
        calls = [call for spelling in op.written for call in op_samples.written(spelling, sample)]
        programs = [program for call in calls if (program := op_samples.case(call, sample))]
        assert [found for program in programs[:1] if (found := all_faults(program))] == []


def random(dtype: Any) -> Any:
    generator = torch.Generator().manual_seed(5)
    return {name: torch.randn(shape, generator=generator, dtype=dtype) for name, shape in SHAPES.items()} | {"n": 7}


SHAPES = {"x": (3, 4), "y": (4, 5), "w": (3, 5), "g": (3, 4), "k": (2, 3, 4), "v": (4,), "s": (), "h": (2, 3, 4, 5)}


def shape_of(node: Any) -> Any:
    scope = {name: torch.empty(shape, device="meta") for name, shape in SHAPES.items()}
    value = ShapeEvaluator(scope | {"n": 7}, shares=math.inf).value(node)
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()


TIDIED = {
    "-(-x)": "x",
    "-(-2.0 * x)": "2.0 * x",
    "-(-x * g)": "x * g",
    "-x * -g": "x * g",
    "-x / -n * -g": "-x / n * g",
    "x * -2.0 * -g": "2.0 * x * g",
    "x - -g": "x + g",
    "x + -g": "x - g",
    "x + -2.0 * g": "x - 2.0 * g",
    "x - -g / n": "x + g / n",
    "(-x).sum(0)": "-x.sum(0)",
    "(-x).T": "-x.T",
    "(-x).masked_fill(x == 0, 0.0) * g": "-x.masked_fill(x == 0, 0.0) * g",
    "torch.where(x > 0, -g, 0.0)": "-torch.where(x > 0, g, 0.0)",
    "torch.where(x > 0, -g, 1.0)": "torch.where(x > 0, -g, 1.0)",
    "1.0 * x * 1": "x",
    "x / 1.0": "x",
    "2 / 2 * x": "x",
    "x**(2 - 1)": "x",
    "x.T.T": "x",
    "x.t().T": "x",
    "k.transpose(-2, -1).mT": "k",
    "k.transpose(0, 1).mT": "k.transpose(0, 1).mT",
    "k.permute(2, 0, 1).permute(1, 2, 0)": "k",
    "k.permute(2, 0, 1).permute(2, 0, 1)": "k.permute(2, 0, 1).permute(2, 0, 1)",
    "k.movedim(0, 2).movedim(2, 0)": "k",
    "h.swapaxes(1, 2).transpose(2, 1)": "h",
    "torch.transpose(k, 1, 2).mT": "k",
    "(x.T @ w).T": "w.T @ x",
    "(x @ y).T": "(x @ y).T",
    "(k.mT @ k).transpose(-2, -1)": "k.mT @ k",
    "torch.outer(v, w[0]).T": "torch.outer(w[0], v)",
    "x.sum(1, keepdim=True).squeeze(1)": "x.sum(1)",
    "-x.sum(0, keepdim=True).squeeze(0)": "-x.sum(0)",
    "h.sum((1, 2), keepdim=True).squeeze(2).squeeze(1)": "h.sum((1, 2))",
    "x.sum(1, keepdim=True).view(3)": "x.sum(1)",
    "x.sum(1, keepdim=True).squeeze(0)": "x.sum(1, keepdim=True).squeeze(0)",
    "x.sum((0,))": "x.sum(0)",
    "x.view((2, 6))": "x.view(2, 6)",
    "x.view((-1,))": "x.view(-1)",
    "s.expand(3).unsqueeze(1) * x": "s * x",
    "torch.where(x > 0, s.expand(3, 4), 0.0)": "torch.where(x > 0, s, 0.0)",
    "torch.ones_like(x) * (g / n)": "g / n",
    "torch.ones_like(x) * (s / n)": "s / n * torch.ones_like(x)",
}


@pytest.mark.parametrize("text", TIDIED)
def test_tidied(text: Any) -> None:
    node = expression(text)
    if "n" in text:
        node = substitute(node, {"n": plain(ast.Name("n", ast.Load()))})
    tidied = tidy(node, shape_of)
    assert printed(tidied) == TIDIED[text]
    assert shape_of(tidied) == shape_of(expression(text))


@pytest.mark.parametrize("text", TIDIED)
def test_tidied_means_the_same(text: Any) -> None:
    tensors = {name: torch.randn(shape, dtype=torch.float64) for name, shape in SHAPES.items()} | {
        "n": 7,
        "torch": torch,
    }
    values = [eval(compile(code, "a test's own text", "eval"), dict(tensors)) for code in (text, TIDIED[text])]
    torch.testing.assert_close(*values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("x", "2 * x"), ("x * g", "2 * x * g"), ("-x * g", "-2 * x * g"), ("0.5 * x", "x"), ("x @ y", "2 * x @ y"),
        ("x + g", "2 * (x + g)"), ("-x", "-2 * x"), ("1.5 * x / n", "3.0 * x / n"), ("x.sum(0)", "2 * x.sum(0)"),
    ],
)  # fmt: skip
def test_doubled(text: Any, twice: Any) -> None:
    node = tidy(expression(text), shape_of)
    made = doubled(node)
    assert printed(made) == twice
    once, both = (eval(code, random(torch.float32)) for code in (text, twice))
    assert torch.equal(once + once, both)
    assert printed(negated(negated(made))) == twice


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
