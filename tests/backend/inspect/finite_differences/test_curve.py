"""The loss along one number is that of plain PyTorch, and the gradient is its slope."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.engine.language.tree import names_of
from backend.pipeline import new_run
from tests.support import torch_reference
from tests.support.programs import PATHS, load, run_for, some

LESSON = {"lesson": "makemore-mlp"}
SMALL = 1e-4
CELLS, SAMPLED = 200, 25
NEAR = 1e-5
# A tensor that a pair holds, too: it is refused.
SECOND_NAMES = {("lists-that-grow", "value")}


def curve(walk: Any, tensor: str, index: list[int], **more: Any) -> Any:
    return backend.curve({"walk": walk, "tensor": tensor, "index": index, **more})


def cells(name: str, count: int) -> list[tuple[str, list[int]]]:
    """Cells with gradients, of any of a program's tensors, drawn with a seed."""
    run, draw = run_for(name), random.Random(name)
    nodes = [node for node in run.plan.graph.named if "d" + node.variable in run.gradients and node.meta.numel()]
    apart = [node for node in nodes if (name, node.variable) not in SECOND_NAMES]
    picked = draw.choices([node for node in apart if node is not run.plan.graph.loss], k=count)
    return [(str(node.name), [draw.randrange(size) for size in node.shape]) for node in picked]


@pytest.mark.parametrize("name", sorted({"makemore", "reinforce-baseline", *(path.stem for path in PATHS[::8])}))
def test_the_gradient_is_the_slope_of_the_curve(name: str) -> None:
    walk = LESSON if name == "makemore" else load(next(path for path in PATHS if path.stem == name))
    for tensor, index in cells(name, 6):
        told = curve(walk, tensor, index, span=SMALL, points=3)
        if told["kink"] is not None or not isinstance(told["slope"], float):
            continue
        (_, below), (_, here), (_, above) = told["points"]
        assert here == told["loss"]
        rounding = 64 * 2.0**-53 * max(abs(below), abs(above)) / SMALL
        curved = abs(above - 2 * here + below) / SMALL
        slope = told["slope"] if told["own_slope"] is None else told["own_slope"]
        assert (above - below) / (2 * SMALL) == pytest.approx(
            slope, rel=2e-4, abs=1e-6 * max(1, abs(slope)) + rounding + curved
        ), (tensor, index)


def test_a_part_that_is_hidden_from_the_gradient_has_a_slope_of_its_own() -> None:
    x: Any = {"role": "parameter", "values": [3.0, 2.0]}
    walk = {"source": "y = x * x.detach()\nz = x.detach() * 1\nloss = y.sum()", "tensors": {"x": x}}
    told = curve(walk, "x", [0], points=3)
    assert (told["slope"], told["own_slope"]) == (3.0, pytest.approx(6.0))
    assert curve(walk, "y", [0], points=3)["own_slope"] is None, "nothing is hidden behind y"
    plain = walk | {"source": "y = x * x\nloss = y.sum()"}
    assert curve(plain, "x", [0], points=3)["own_slope"] is None


@pytest.mark.parametrize("path", some([path for path in PATHS if ".float" not in path.read_text()], 16))
def test_every_point_is_what_python_computes(path: Any) -> None:
    case = load(path) | {"dtype": "float64"}
    graph = run_for(path.stem, "float64").plan.graph
    given = torch_reference.tensors(case)
    for tensor, index in cells(path.stem, 2):
        variable = next(node.variable for node in graph.named if node.name == tensor)
        for value, loss in curve(case, tensor, index, span=0.3, points=3)["points"]:
            scope = torch_reference.scope(case, given)
            if variable in given:
                scope[variable] = moved(given[variable], index, value)
            with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
                for statement in graph.statements:
                    exec(ast.unparse(ast.fix_missing_locations(statement)), scope)
                    if variable in names_of(statement.targets[0]):
                        scope[variable] = moved(scope[variable], index, value)
            meant = float(scope[graph.loss.variable])
            assert float(loss) == pytest.approx(meant, rel=1e-11, abs=1e-12, nan_ok=True)


def moved(tensor: torch.Tensor, index: list[int], value: float) -> torch.Tensor:
    other = tensor.clone()
    other[tuple(index)] = value
    return other


def test_a_kink_says_so() -> None:
    walk = {"source": "loss = F.relu(x).sum()", "tensors": {"x": {"role": "parameter", "values": [0.0, 2.0]}}}
    told = curve(walk, "x", [0])
    assert told["slope"] == 0
    assert told["kink"] == {"left": pytest.approx(0, abs=1e-9), "right": pytest.approx(1)}
    assert curve(walk, "x", [1])["kink"] is None


def test_numbers_beyond_all_bounds_are_told_in_words() -> None:
    walk = {
        "source": "y = (x * 1000.0).exp()\nloss = y.sum()",
        "tensors": {"x": {"role": "parameter", "values": [1.0]}},
    }
    assert set(map(tuple, curve(walk, "y", [0])["points"])) <= {("Infinity", "Infinity"), ("NaN", "NaN")}
    ends = curve(walk, "x", [0], span=1e308, points=3)["points"]
    assert ends == [[-1e308, 0.0], [1.0, "Infinity"], [1e308, "Infinity"]]


def test_the_span_is_of_the_number_s_own_size() -> None:
    walk = {"source": "loss = (x * x).sum()", "tensors": {"x": {"role": "parameter", "values": [0.01, 5.0]}}}
    assert curve(walk, "x", [1])["span"] == 10
    assert curve(walk, "x", [0])["span"] == 2
    told = curve(walk, "x", [1])
    assert len(told["points"]) == 41
    assert told["points"][0] == [-5.0, pytest.approx(25.0001)]


@cache
def subjects() -> dict[str, Any]:
    """Every lesson, start and kept program as a program of its own, in float64."""
    lessons = {f"lesson {one['name']}": {"lesson": one["name"]} for one in backend.lessons() if one["seed"]}
    starts = {f"start {one['name']}": one["request"] for one in backend.starts()}
    kept = {path.stem: load(path) for path in PATHS if ".float" not in path.read_text()}
    return {**lessons, **starts, **kept}


def drawn() -> Iterator[tuple[str, random.Random]]:
    draw = random.Random(20)
    for number in range(CELLS):
        yield draw.choice(sorted(subjects())), random.Random(number)


@cache
def run_in_float64(name: str) -> Any:
    asked = subjects()[name]
    request = backend.program(asked)["request"] if "lesson" in asked else asked
    return {**request, "dtype": "float64"}, new_run({**request, "dtype": "float64"})


def cell_of(name: str, draw: random.Random) -> tuple[Any, list[int]] | None:
    """A tensor with a gradient, and a cell of it; None where only the loss has one."""
    _, run = run_in_float64(name)
    nodes = [
        node
        for node in run.plan.graph.named
        if "d" + node.variable in run.gradients
        and node.meta.numel()
        and node is not run.plan.graph.loss
        and (name, node.variable) not in SECOND_NAMES
    ]
    node = draw.choice(nodes) if nodes else None
    return node and (node, [draw.randrange(size) for size in node.shape])


class Plain:
    """The program run by Python, with one tensor's cell at another value."""

    def __init__(self, name: str, variable: str, index: list[int]) -> None:
        self.case, run = run_in_float64(name)
        self.graph, self.variable, self.index = run.plan.graph, variable, tuple(index)
        self.given = torch_reference.tensors(self.case)

    def loss(self, move: float = 0.0, leaf: dict[str, torch.Tensor] | None = None) -> torch.Tensor:
        def moved(tensor: torch.Tensor) -> torch.Tensor:
            other = tensor.detach().clone()
            other[self.index] += move
            if leaf is not None:
                leaf["x"] = other.requires_grad_()
            return other

        scope = torch_reference.scope(self.case, self.given)
        if self.variable in self.given:
            scope[self.variable] = moved(self.given[self.variable])
        with torch_reference.DefaultDtype(torch.float64):
            for statement in self.graph.statements:
                exec(ast.unparse(ast.fix_missing_locations(statement)), scope)
                if self.variable in names_of(statement.targets[0]):
                    scope[self.variable] = moved(scope[self.variable])
        return torch.as_tensor(scope[self.graph.loss.variable])

    def slope(self) -> float:
        leaf: dict[str, torch.Tensor] = {}
        (gradient,) = torch.autograd.grad(self.loss(leaf=leaf), [leaf["x"]])
        return float(gradient[self.index])

    def sides(self, step: float) -> tuple[float, float]:
        below, here, above = (float(self.loss(t)) for t in (-step, 0.0, step))
        return (here - below) / step, (above - here) / step


def check(name: str, draw: random.Random) -> bool:
    """Hold one cell's curve against plain PyTorch; whether it has a kink."""
    found = cell_of(name, draw)
    if found is None:
        return False
    node, index = found
    request, run = run_in_float64(name)
    told = backend.curve({"walk": request, "tensor": str(node.name), "index": index, "points": 5})
    plain, slope = Plain(name, node.variable, index), float(told["slope"])
    where = f"{name}: {node.variable}{index}"
    assert slope == float(run.gradients["d" + node.variable][tuple(index)]), where
    assert slope == pytest.approx(plain.slope(), rel=1e-6, abs=1e-6, nan_ok=True), where
    own = float(told["value"])
    for value, loss in told["points"]:
        meant = float(plain.loss(float(value) - own).detach())
        assert float(loss) == pytest.approx(meant, rel=1e-9, abs=1e-9, nan_ok=True), where
    with torch.no_grad():
        left, right = plain.sides(NEAR)
        size = max(1.0, abs(slope), abs(float(told["loss"])))
        if told["kink"] is None:
            near, far = abs(right - left), abs(plain.sides(10 * NEAR)[1] - plain.sides(10 * NEAR)[0])
            assert not near > max(0.5 * far, 1e-4 * size), f"{where} has a kink: {left}, {right}"
        else:
            sides = float(told["kink"]["left"]), float(told["kink"]["right"])
            assert sides == pytest.approx((left, right), rel=1e-3, abs=1e-3 * size, nan_ok=True), where
    return told["kink"] is not None


def test_tangent_promise_and_truth_are_those_of_plain_pytorch(thorough: bool) -> None:
    chosen = list(drawn())
    for name, draw in chosen if thorough else chosen[:: CELLS // SAMPLED]:
        try:
            check(name, draw)
        except Refusal as refusal:
            pytest.fail(f"{name}: {refusal.code}")


@pytest.mark.parametrize("at", [0.0, 1.0])
def test_a_kink_is_told_where_one_is(at: float) -> None:
    source = "y = F.relu(x)\nloss = (y * w).sum() + x.abs().sum()"
    tensors = {
        "x": {"role": "parameter", "values": [at, 2.0]},
        "w": {"role": "data", "values": [3.0, 5.0]},
    }
    walk = {"source": source, "tensors": tensors, "dtype": "float64"}
    told = backend.curve({"walk": walk, "tensor": "x", "index": [0]})
    if at:
        assert told["kink"] is None
        assert told["slope"] == 4
    else:
        assert told["kink"] == {"left": pytest.approx(-1), "right": pytest.approx(4)}


@pytest.mark.parametrize("log", [False, True])
def test_a_curve_lies_between_the_ends_that_are_asked_for(log: bool) -> None:
    walk = {"source": "loss = -p.log()", "tensors": {"p": {"role": "parameter", "values": 0.1}}, "dtype": "float64"}
    told = curve(walk, "p", [], within={"least": 0.01, "greatest": 1.0, "log": log}, points=5)
    wanted = torch.logspace(-2, 0, 5, dtype=torch.float64) if log else torch.linspace(0.01, 1, 5, dtype=torch.float64)
    values, losses = torch.tensor(told["points"], dtype=torch.float64).T
    assert torch.allclose(values, wanted, rtol=1e-12)
    assert torch.allclose(losses, -wanted.log(), rtol=1e-9)
    assert told["slope"] == pytest.approx(-10)
