"""Gradients from the loss's values alone: right ones agree, planted errors never do, and kinks are called kinks."""

from __future__ import annotations

import ast
import math
import sys
from functools import cache
from typing import Any

import pytest
import torch

from backend.engine.execute.run import run_backward, run_forward
from backend.engine.language.errors import Refusal
from backend.inspect.finite_differences.numeric import refined
from backend.inspect.finite_differences.oracle import direction_for, judge, new_oracle, oracle_of
from backend.pipeline import run_of
from tests.support import makemore, torch_reference
from tests.support.asking import along, program
from tests.support.programs import PATHS, load, some

STEP = 1e-5


def oracle_for(request: Any) -> Any:
    return oracle_of(run_of(request))


module = sys.modules["backend.inspect.finite_differences.numeric"]


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes must not decide what is left out."""
    monkeypatch.setattr(module, "SECONDS", 60.0)
    monkeypatch.setattr(module, "MOST_SECONDS", 60.0)


@cache
def oracle(seed: int = 2147483647) -> Any:
    return oracle_for(makemore.LESSON | {"seed": seed})


def judged(oracle: Any, name: Any, seed: int = 0) -> Any:
    node = oracle.plan.by_name[name]
    return judge(oracle, node, direction_for(oracle.replay[node.variable], seed))


def test_numbers_are_those_of_the_run_that_is_asked_about() -> None:
    """What is kept of one run is not told of another, in whatever order they are asked about."""
    runs = [run_of(makemore.LESSON | {"seed": seed}) for seed in makemore.SEEDS[:2]]
    first, second = (new_oracle(run) for run in runs)
    for run, new in ((runs[0], first), (runs[0], first), (runs[1], second), (runs[0], first)):
        asked = oracle_of(run)
        asked.until = 0.0
        assert all(torch.equal(asked.manual[name], gradient) for name, gradient in new.manual.items())
        assert asked.replay["loss"] == new.replay["loss"]
    assert oracle_of(runs[0]).until == math.inf  # one question's time is not the next one's


# The lecture's network.
@pytest.mark.parametrize("seed", makemore.SEEDS)
def test_all_gradients_of_makemore_in_one_request(seed: Any) -> None:
    answer = along(makemore.LESSON | {"seed": seed}, "*", seed=seed)
    assert [told["node"] for told in answer["results"] if told["node"] != "loss"] == makemore.names()
    assert answer["agrees"]
    assert answer["relative_error"] <= 1e-7
    assert not answer["skipped"]
    for told in answer["results"]:
        assert told["agrees"]
        assert told["relative_error"] <= 1e-7
        assert told["kink"] is None
        assert told["node"] in makemore.TRUE_ZEROS or told["relative"] <= 1e-6
        assert abs(told["analytic"] - told["autograd"]) <= 1e-12


@pytest.mark.parametrize("name", makemore.names())
def test_cells_of_makemore(name: Any) -> None:
    answer = along(makemore.LESSON, name, mode="cells")
    assert answer["agrees"]
    assert all(told["agrees"] and told["relative_error"] <= 1e-7 for told in answer["cells"])
    assert answer["cell"] in [told["cell"] for told in answer["cells"]]


def plain_loss(source: Any, scope: Any, variable: Any, value: Any) -> Any:
    """The loss of a program's own text in plain Python, with another value for one name as soon as it is there."""
    scope = dict(scope)
    with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
        scope |= {variable: value} if variable in scope else {}
        for statement in ast.parse(source).body:
            exec(ast.unparse(statement), scope)
            if variable in ast.unparse(statement.targets[0]).split(", "):
                scope[variable] = value
    return float(scope["loss"])


@pytest.mark.parametrize("name", makemore.names())
def test_plain_torch_finds_the_same_numbers(name: Any) -> None:
    """Central differences of the printed forward pass, run by Python itself."""
    asked, one = oracle(), oracle().plan.by_name[name]
    middle = asked.replay[one.variable]
    direction = direction_for(middle, 0)
    tensors = {node.variable: asked.replay[node.variable] for node in asked.plan.graph.inputs}
    scope = torch_reference.scope({}, tensors) | {"n": 32}
    source = asked.plan.graph.forward_source
    up, down = (plain_loss(source, scope, one.variable, middle + sign * STEP * direction) for sign in (1, -1))
    there = (up - down) / (2 * STEP)
    here = along(makemore.LESSON, name)
    assert abs(here["numeric"] - there) <= 1e-9
    assert abs(here["sweep"][8][1] - abs(here["analytic"] - there)) <= 1e-9
    assert judged(asked, name).line.slope(2, STEP) == pytest.approx(there, abs=1e-14)


# Planted errors.
PLANTED = {
    "a thousandth too large": lambda g: g * 1.001,
    "a thousandth too small": lambda g: g * 0.999,
    "zeros": torch.zeros_like,
    "the other sign": torch.neg,
    "one example in the place of a sum": lambda g: g / 32,
    "cells moved along the last axis": lambda g: g.roll(1, -1),
    "cells moved along the first axis": lambda g: g.roll(1, 0),
    "a wrong axis": lambda g: g.reshape(-1, g.shape[-1]).T.reshape(g.shape),
    "an axis summed and spread": lambda g: g.sum(0, keepdim=True).expand_as(g),
    "one cell too large": lambda g: (
        g.index_put((g.abs().reshape(-1).argmax(),), g.abs().max() * 1.01)
        if g.ndim == 1
        else g * torch.where(g.abs() == g.abs().max(), 1.01, 1.0)
    ),
}


def planted() -> list[Any]:
    """Every kind of error in every gradient; `make test` plants each kind in a fourth of the gradients, by turns."""
    names = [name for name in makemore.names() if name not in makemore.TRUE_ZEROS]
    return [
        pytest.param(name, what, marks=() if (place + kind) % 4 == 0 else pytest.mark.exhaustive)
        for place, name in enumerate(names)
        for kind, what in enumerate(PLANTED)
    ]


@pytest.mark.parametrize(("name", "what"), planted())
def test_a_planted_error_never_agrees(name: Any, what: Any) -> None:
    for seed in range(3 if "thousandth" in what else 1):
        right = oracle()
        wrong = PLANTED[what](right.manual[name])
        if torch.allclose(wrong, right.manual[name], rtol=1e-9, atol=0):
            pytest.skip("the gradient is the same with and without")
        right.manual[name], kept = wrong, right.manual[name]
        try:
            found = judged(right, name, seed)
        finally:
            right.manual[name] = kept
        assert not found.slope.agrees
        assert found.slope.kink is None


def paths() -> Any:
    """Lines of makemore that bring one of several paths."""
    return [number for number, line in enumerate(makemore.pair().fine.lines) if line.mode == "+="]


@pytest.mark.parametrize("number", paths())
def test_a_missing_path_never_agrees(number: Any) -> None:
    fine = makemore.pair().fine
    target = fine.lines[number].target.variable
    lines = [line for place, line in enumerate(fine.lines) if place != number]
    # What logit_maxes brings is rounding: without it nothing is missing.
    if fine.lines[number].through.node.variable in makemore.TRUE_ZEROS:
        return
    asked = oracle_for(makemore.LESSON)
    gradients = run_backward(lines, run_forward(fine.graph, tensors_of(asked), torch.float64).values, torch.float64)
    asked.manual |= {name: gradients.gradients["d" + name] for name in asked.manual}
    assert not judged(asked, target).slope.agrees


def tensors_of(asked: Any) -> Any:
    return {node.variable: asked.replay[node.variable] for node in asked.plan.graph.inputs}


# Whole programs.
@pytest.mark.parametrize("path", some(PATHS, 16))
def test_programs_agree(path: Any) -> None:
    answer = along(load(path), "*", seed=1)
    disagreeing = [told for told in answer["results"] if not told["agrees"]]
    assert not disagreeing
    assert not answer["skipped"]
    assert answer["relative_error"] <= 1e-7


def lies_between(found: Any) -> bool:
    """At a kink whatever lies between the slopes on its two sides is a gradient."""
    kink = found.slope.kink
    return kink is not None and min(kink.left, kink.right) <= found.analytic <= max(kink.left, kink.right)


@pytest.mark.parametrize("path", some(PATHS, 16))
def test_programs_with_errors_do_not(path: Any) -> None:
    asked = oracle_for(load(path))
    loss = abs(float(asked.replay[asked.plan.graph.loss.variable]))
    for name, node in asked.plan.by_name.items():
        if node.variable not in asked.manual:
            continue
        asked.manual[node.variable] = asked.manual[node.variable] * 1.001
        found = judged(asked, name)
        agrees = refined(asked, node, found, 64).get("agrees", found.slope.agrees)
        assert not agrees or lies_between(found) or abs(found.analytic) < 1e-8 * max(1.0, loss)


# Which tensor is nudged.
X = [0.3, -0.7, 1.1]
W = [1.5, 2.0, -3.0]


@pytest.mark.parametrize(
    ("source", "node"),
    [
        ("y = x * 2\ny = y * x\nloss = (y * w).sum()", "y"),
        ("y = x * 2\ny = y * x\nloss = (y * w).sum()", "y@2"),
        ("a = x * 2\nb = a\nloss = (a * b * w).sum()", "a"),
        ("a = x * 2\nb = a\nloss = (a * b * w).sum()", "b"),
        ("t = (x * 2, x + 1)\na, b = t\nloss = (t[0] * b * w).sum()", "a"),
        ("t = (x * 2, x + 1)\na, b = t\nloss = (t[0] * a * b * w).sum()", "b"),
        ("m = torch.stack([x, w]).max(1)\nv = m.values\nloss = (m.values * v).sum()", "v"),
        ("p, q, r = x.split(1)\nloss = (p * q * r).sum()", "q"),
        ("h = x\nfor i in range(3):\n    h = torch.tanh(h * w + x)\nloss = h.sum()", "h@2"),
        ("h = x\nfor i in range(3):\n    h = torch.tanh(h * w + x)\nloss = h.sum()", "x"),
        ("k = 2\na = x * k\nk = 3\nb = a * k\nloss = (b * w).square().sum()", "a"),
        ("y = x.contiguous()\nloss = (y * x * w).sum()", "y"),
        ("y = x.detach()\nloss = (y * x * w).sum()", "x"),
        ("y = x * 2\nz = (y.detach() - w).square() + y\nloss = z.sum()", "y"),
        ("for i in range(2):\n    x = x * x.detach()\nloss = (x * w).sum()", "x"),
        ("loss = (x * w).sum()\nafter = loss * 2", "x"),
        ("loss = (x * w).sum()", "loss"),
        ("y = x[x > 0]\nloss = y.square().sum()", "x"),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_nudged_and_what_is_held(source: Any, node: Any, dtype: Any) -> None:
    walk = program(source, dtype, x=X, w=W) | {"loss": "loss"}
    answer = along(walk, node)
    assert answer["agrees"]
    assert answer["relative_error"] <= 1e-9
    assert answer["kink"] is None
    assert answer["node"] == node
    assert along(walk, "*")["agrees"]


def test_only_what_lies_behind_runs_again() -> None:
    walk = program("a = x * 2\nb = w * 3\nc = a * b\nd = w * w\nloss = c.sum() + d.sum()", x=X, w=W)
    asked = oracle_for(walk)
    way = asked.replay.way("a", "loss")
    assert [ast.unparse(leg.statement) for leg in way.legs if leg.statement] == [
        "c = a * b",
        "loss = c.sum() + d.sum()",
    ]


# Kinks, jumps and edges.
def kinked(source: Any, **tensors: Any) -> Any:
    return along(program(source, **tensors), "x")


def test_relu_at_zero_is_a_kink_and_no_error() -> None:
    answer = along(program("loss = (torch.relu(x) * w).sum()", x=[0.0, 1.0, -1.0], w=W), "x", mode="cells", cells=[[0]])
    assert answer["agrees"]
    assert answer["analytic"] == 0.0
    assert answer["kink"]["left"] == pytest.approx(0.0, abs=1e-9)
    assert answer["kink"]["right"] == pytest.approx(1.5)


@pytest.mark.parametrize(
    "source",
    [
        "loss = (torch.relu(x) * w).sum()",
        "loss = (x.abs() * w).sum()",
        "loss = (x.clamp(0, 1) * w).sum()",
        "loss = (torch.maximum(x, x.detach()) * w).sum()",
        "loss = x.amax() * 2",
        "loss = x.max() * 2",
        "loss = x.max(0).values * 2",
        "loss = x.norm() * 2",
        "loss = (F.leaky_relu(x, 0.1) * w).sum()",
        "loss = ((x > 0) * w).sum() + x.sum()",
        "loss = x.floor().sum() + x.sum()",
        "loss = (x[x > 0] * 2).sum() + x.sum()",
        "loss = (x.sqrt() * w).sum()",
        "loss = (x**1.5 * w).sum()",
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 5))])
def test_ties_and_edges_are_kinks(source: Any, seed: Any) -> None:
    walk = program(source, x=[0.0, 0.0, 0.0], w=W)
    answer = along(walk, "x", seed=seed)
    assert answer["agrees"]
    assert answer["kink"]
    cells = along(walk, "x", mode="cells", cells=[[0], [1], [2]])
    assert all(told["agrees"] and told["kink"] for told in cells["cells"])


@pytest.mark.parametrize("distance", [1e-3, 1e-4, 1e-6, 1e-8, -1e-3, -1e-6])
@pytest.mark.parametrize("source", ["torch.relu(x)", "x.abs()", "x.clamp(0, 1)", "F.leaky_relu(x, 0.1)", "x.floor()"])
def test_a_kink_nearby_is_none(source: Any, distance: Any) -> None:
    answer = along(program(f"loss = ({source} * w).sum() + x.sum()", x=[distance, 0.5, -0.5], w=W), "x")
    assert answer["agrees"]
    assert answer["kink"] is None


@pytest.mark.parametrize("name", ["h", "x", "w"])
def test_half_of_all_cells_at_a_kink(name: Any) -> None:
    """relu of relu: what was below zero stands at the second one's kink, a thousand cells at once."""
    drawn = {"shape": [32, 64], "init": "randn", "role": "parameter"}
    walk = program("h = torch.relu(x)\ny = torch.relu(h)\nloss = (y * w).sum()", x=drawn, w=drawn | {"seed": 5})
    answer = along(walk, name)
    assert answer["agrees"]
    assert bool(answer["kink"]) == (name == "h")
    asked = oracle_for(walk)
    asked.manual[name] = asked.manual[name] * 1.001
    found = judged(asked, name)
    assert not refined(asked, asked.plan.by_name[name], found, 64).get("agrees", found.slope.agrees)


def test_an_infinite_slope_is_told_in_words() -> None:
    answer = along(program("loss = (x.sqrt() * w).sum()", x=[0.0, 1.0, 4.0], w=W), "x", mode="cells", cells=[[0], [1]])
    assert answer["cells"][0]["kink"] == {"left": "NaN", "right": "Infinity"}
    assert answer["cells"][0]["analytic"] == answer["cells"][0]["numeric"] == "Infinity"
    assert answer["agrees"]


def test_a_gradient_that_is_nan_is_not_excused() -> None:
    """The where-trap: the function is smooth, and its gradient NaN."""
    answer = along(program("loss = torch.where(x > 0, x.sqrt(), x).sum()", x=[1.0, -1.0]), "x")
    assert answer["analytic"] == "NaN"
    assert not answer["agrees"]
    assert isinstance(answer["numeric"], float)


# The answer's form.
def test_the_sweep_shows_truncation_and_then_rounding() -> None:
    sweep = along(makemore.LESSON, "W1")["sweep"]
    steps, errors = zip(*sweep, strict=True)
    assert (len(steps), steps[0], steps[-1]) == (21, pytest.approx(0.1), pytest.approx(1e-11))
    best = errors.index(min(errors))
    assert 4 <= best <= 14
    for number in range(2, 5):
        assert errors[number] / errors[number + 1] == pytest.approx(10, rel=0.1)
    assert errors[-1] > 100 * errors[best] < errors[0]


def test_the_same_request_gives_the_same_answer() -> None:
    assert along(makemore.LESSON, "*", seed=3) == along(makemore.LESSON, "*", seed=3)
    assert along(makemore.LESSON, "h") != along(makemore.LESSON, "h", seed=1)


def test_evaluations_are_counted() -> None:
    assert along(makemore.LESSON, "*")["results"][0]["evaluations"] == 6
    assert 40 <= along(makemore.LESSON, "h")["evaluations"] <= 60


@pytest.mark.parametrize(
    ("source", "node", "more", "code"),
    [
        ("loss = (x * w).sum()", "y", {}, "tensor-unknown"),
        ("hidden = x * w\nloss = hidden.sum()", "hiden", {}, "tensor-near"),
        ("y = x * 2\nloss = (x * w).sum()", "y", {}, "gradient-unreached"),
        ("i = x.long()\nloss = (x * i).sum()", "i", {}, "gradient-none"),
        ("y = x.detach()\nloss = (x * y).sum()", "y", {}, "gradient-none"),
        ("loss = (x * w).sum()", "x", {"mode": "cells", "cells": [[3]]}, "cell-outside"),
        ("loss = (x * w).sum()", "x", {"mode": "cells", "cells": [[-1]]}, "cell-outside"),
        ("loss = (x * w).sum()", "x", {"mode": "cells", "cells": [[]]}, "cell-outside"),
        ("loss = (x * w).sum()", "x", {"mode": "cells", "cells": [[0, 0]]}, "cell-outside"),
        ("loss = (x.sqrt() * w).sum()", "x", {}, "loss-not-finite"),
        ("loss = (x.sqrt() * w).sum()", "*", {}, "loss-not-finite"),
        ("y = x[:0]\nloss = (x * w).sum() + y.sum()", "y", {}, "node-empty"),
    ],
)
def test_refusals(source: Any, node: Any, more: Any, code: Any) -> None:
    with pytest.raises(Refusal) as refusal:
        along(program(source, x=X, w=W) | {"loss": "loss"}, node, **more)
    assert refusal.value.code == code
