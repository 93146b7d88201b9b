"""Changes by hand: what follows is what plain PyTorch computes from the changed numbers."""

from __future__ import annotations

import ast
import math
from typing import Any

import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.engine.language.tree import names_of
from backend.pipeline import new_run
from tests.support import torch_reference
from tests.support.asking import program
from tests.support.exports import outcome
from tests.support.programs import PATHS, load, run_for, some

LESSON = {"lesson": "makemore-mlp"}
# A tensor that a pair holds, too.
SECOND_NAMES = {("lists-that-grow", "value")}


def parameter(*shape: int, seed: int = 1) -> dict[str, Any]:
    values = torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return {"role": "parameter", "values": values.tolist()}


def changed(request: Any, *changes: Any) -> Any:
    return new_run({**request, "changes": list(changes)})


def refused(request: Any, *changes: Any) -> str:
    with pytest.raises(Refusal) as caught:
        changed(request, *changes)
    return caught.value.code


def own() -> Any:
    tensors = {"x": parameter(6, 4), "W": parameter(4, 3, seed=2), "b": parameter(3, seed=3)}
    return program("h = torch.tanh(x @ W + b)\nloss = (h * h).mean()", "float64", **tensors)


@pytest.mark.parametrize("path", some(PATHS, 16))
def test_a_tensor_cut_loose_keeps_its_numbers_and_its_gradient(path: Any) -> None:
    before = run_for(path.stem)
    graph = before.plan.graph
    nodes = [c.node for c in graph.chunks if c.node is not graph.loss and c.node.meta.is_floating_point()]
    for node in nodes[:: max(1, len(nodes) // 5)]:
        change = {"tensor": node.variable, "scale": 1.0}
        if (path.stem, node.variable) in SECOND_NAMES:
            assert refused(load(path), change) == "change-second-name"
            continue
        after = changed(load(path), change)
        assert node.variable in after.material.inputs
        loss, same = (run.forward.tensors[run.plan.graph.loss.variable] for run in (before, after))
        torch.testing.assert_close(same, loss, rtol=0, atol=0, equal_nan=True)
        autograd = before.forward.autograd.get(node.variable)
        assert (autograd is None) == ("d" + node.variable not in after.gradients), node.variable
        if autograd is not None:
            torch.testing.assert_close(
                after.gradients["d" + node.variable], autograd, rtol=1e-3, atol=1e-6, equal_nan=True
            )


def rerun(case: Any, given: dict[str, torch.Tensor], statements: list[ast.Assign], name: str, instead: Any) -> Any:
    """The loss's scope, run by Python, with `instead` in the variable's place."""
    scope = torch_reference.scope(case, given)
    scope |= {name: instead} if name in given else {}
    for statement in statements:
        exec(ast.unparse(ast.fix_missing_locations(statement)), scope)
        if name in names_of(statement.targets[0]):
            scope[name] = instead
    return scope


@pytest.mark.parametrize("path", some([path for path in PATHS if ".float" not in path.read_text()], 16))
def test_a_changed_number_gives_the_loss_that_python_finds(path: Any) -> None:
    case = load(path) | {"dtype": "float64"}
    before = new_run(case)
    graph = before.plan.graph
    sources = [node for node in graph.named if node.meta.is_floating_point() and node is not graph.loss]
    for number, node in enumerate(sources[:: max(1, len(sources) // 4)]):
        value = before.forward.tensors[node.variable]
        if (path.stem, node.variable) in SECOND_NAMES or not value.numel():
            continue
        index = [(number + 1) % size for size in value.shape]
        target = float(value[tuple(index)]) + 0.05
        after = changed(case, {"tensor": node.variable, "index": index, "value": target})
        instead = value.clone()
        instead[tuple(index)] = target
        with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
            scope = rerun(case, before.material.tensors, graph.statements, node.variable, instead)
        meant = torch.as_tensor(scope[graph.loss.variable])
        found = after.forward.tensors[after.plan.graph.loss.variable]
        torch.testing.assert_close(found, meant, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_steps_of_gradient_descent_are_those_of_torch_s_own_optimiser() -> None:
    request = own()
    given = torch_reference.tensors(request)
    x, w, b = (given[name].requires_grad_(name != "x") for name in ("x", "W", "b"))
    request["tensors"]["x"]["role"] = "data"
    optimiser = torch.optim.SGD([w, b], lr=0.3)
    for _ in range(7):
        optimiser.zero_grad()
        (torch.tanh(x @ w + b) ** 2).mean().backward()
        optimiser.step()
    run = changed(request, {"descend": 0.3, "steps": 7})
    assert torch.equal(run.material.tensors["x"], x)
    for name, tensor in (("W", w), ("b", b)):
        torch.testing.assert_close(run.material.tensors[name], tensor.detach(), rtol=1e-13, atol=1e-15)
    assert changed(request, {"descend": 0.3}).material.tensors["b"].ne(run.material.tensors["b"]).all()


def test_changes_are_made_one_after_the_other() -> None:
    first, second = {"tensor": "W", "index": [1], "value": 0.5}, {"tensor": "W", "scale": 3.0}
    once, twice = (changed(own(), *order).material.tensors["W"] for order in ((first, second), (second, first)))
    assert once[1].tolist() == [1.5] * 3
    assert twice[1].tolist() == [0.5] * 3
    assert torch.equal(once[0], twice[0])
    again = changed(own(), {"tensor": "h", "scale": 2.0}, {"tensor": "h", "index": [0, 0], "value": 9.0})
    h = changed(own(), {"tensor": "h", "scale": 2.0}).material.tensors["h"]
    assert float(again.material.tensors["h"][0, 0]) == 9.0
    assert torch.equal(again.material.tensors["h"].flatten()[1:], h.flatten()[1:])


def test_noise_has_its_size_and_its_seed() -> None:
    request = program("loss = x.sum()", "float64", x=parameter(100, 100))
    plain = changed(request).material.tensors["x"]
    one, two, other = (
        changed(request, {"tensor": "x", "noise": 0.25, "seed": seed}).material.tensors["x"] for seed in (1, 1, 2)
    )
    assert torch.equal(one, two)
    assert not torch.equal(one, other)
    assert float((one - plain).std()) == pytest.approx(0.25, rel=0.02)


INDICES = [
    ([], (...,)),
    ([2], (2,)),
    ([None, 3], (slice(None), 3)),
    ([[1, 5]], (slice(1, 5),)),
    ([[1, 5], [0, 2]], (slice(1, 5), slice(0, 2))),
    ([[0, 6], None], (...,)),
]


@pytest.mark.parametrize(("index", "part"), INDICES)
def test_rows_columns_and_ranges_are_those_of_python(index: Any, part: Any) -> None:
    before = torch_reference.tensors(own())["x"]
    deeds = {"value": lambda x: x * 0 + 0.25, "scale": lambda x: x * 0.25, "shift": lambda x: x + 0.25}
    deeds["saturate"] = lambda x: torch.where(x > 0, 0.25, -0.25)
    for kind, deed in deeds.items():
        meant = before.clone()
        meant[part] = deed(meant[part])
        found = changed(own(), {"tensor": "x", "index": index, kind: 0.25}).material.tensors["x"]
        torch.testing.assert_close(found, meant, rtol=0, atol=0)


def test_saturated_units_let_no_gradient_through() -> None:
    saturated = changed(LESSON, {"tensor": "hpreact", "saturate": 12.0})
    assert float(saturated.gradients["dhpreact"].abs().max()) < 1e-6
    assert float(saturated.gradients["dh"].abs().max()) > 1e-3


def test_the_lines_after_one_that_is_cut_keep_their_places() -> None:
    source = "a, b = x.unbind(0)\nc = a * b; d = c + a\n# sum\ne = (d *\n     b)\nloss = e.sum()"
    request = program(source, x=parameter(2, 3))
    cut = {name: changed(request, {"tensor": name, "scale": 1.0}).material.source for name in "abcde"}
    assert cut["a"] == source.replace("a, b =", "_, b =")
    assert cut["c"].split("\n")[:3] == ["a, b = x.unbind(0)", "d = c + a", "# sum"]
    assert cut["e"].split("\n")[2:] == ["# sum", "", "", "loss = e.sum()"]


def test_what_a_lesson_says_before_the_first_step_is_not_said_of_another_program() -> None:
    told, cut = (changed(LESSON, {"tensor": name, "scale": 2.0}).material for name in ("W1", "hpreact"))
    assert told.lesson
    assert told.lesson.beginning
    assert cut.lesson
    assert not cut.lesson.beginning
    assert cut.told_by
    assert "h" in cut.told_by.narration
    assert "hpreact" not in cut.told_by.narration


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tensor": "Wx", "scale": 2.0}, "tensor-near"),
        ({"tensor": "quite_another", "scale": 2.0}, "tensor-unknown"),
        ({"tensor": "loss", "value": 2.0}, "change-of-loss"),
        ({"tensor": "h", "index": [6, 0], "value": 2.0}, "cell-outside"),
        ({"tensor": "b", "index": [0, 0], "value": 2.0}, "cell-outside"),
        ({"tensor": "h", "index": [[4, 7]], "value": 2.0}, "cell-outside"),
        ({"tensor": "b", "index": [None, None], "value": 2.0}, "cell-outside"),
    ],
)
def test_what_cannot_be_changed_is_refused(change: Any, code: str) -> None:
    assert refused(own(), change) == code


def test_a_tensor_that_a_pair_holds_too_is_refused() -> None:
    """Else one of its two readers would go on with the old numbers, and the loss would move by a part only."""
    source = "pair = (x * x).max(dim=0)\nvalue, _ = pair\nloss = value.sum() * 2 + {}"
    tensors: Any = {"x": {"role": "parameter", "values": [[1.0, 2.0], [3.0, 0.5]]}}
    change = {"tensor": "value", "index": [0], "value": 1.0}
    assert refused(program(source.format("pair[0].sum()"), **tensors), change) == "change-second-name"
    assert changed(program(source.format("value.sum()"), **tensors), change).forward.tensors["loss"] == 3 * (1 + 4)


@pytest.mark.parametrize(
    ("source", "loss"),
    [
        ("n = 2\nm = x * n\nn = m.sum()\nloss = (m * n).sum()", 2 * 6 * 5),
        ("n = 1; n = 2 * n; m = x * n; n = m.sum(); k = n * 2\nn_before = 3\nloss = m.sum() + k * n_before", 12 + 30),
        ("n = x.shape[1]\nm = (x *\n     n)\nk, n = n, m.sum()\nloss = (m * n).sum() + k", 18 * 5 + 3),
    ],
)
def test_a_number_that_had_the_tensors_name_before_stays_a_number(source: str, loss: float) -> None:
    tensors: Any = {"x": {"role": "parameter", "values": [[1.0, 2.0, 3.0]]}}
    after = changed(program(source, **tensors), {"tensor": "n", "value": 5.0})
    assert after.forward.tensors["loss"] == loss
    assert after.plan.graph.source.count("\n") == source.count("\n"), "the lines below keep their places"


def test_whole_numbers_stay() -> None:
    assert refused(LESSON, {"tensor": "Yb", "index": [0], "value": 3.0}) == "change-whole-numbers"


def test_a_descent_without_a_parameter_is_refused() -> None:
    request = program("loss = x.sum()", x={"role": "data", "values": [1.0, 2.0]})
    assert refused(request, {"descend": 0.1}) == "descent-no-parameter"


def test_numbers_that_run_away_are_data() -> None:
    run = changed(LESSON, {"descend": 1e30, "steps": 3})
    assert not math.isfinite(float(run.forward.tensors["loss"]))


def test_an_export_has_the_changed_numbers() -> None:
    text = backend.export(LESSON | {"changes": [{"tensor": "b2", "index": [5], "value": 0.125}]}, "py")["text"]
    drawn_once = own() | {"tensors": {**own()["tensors"], "W": {"role": "parameter", "shape": [4, 3], "init": "randn"}}}
    told = backend.export(drawn_once | {"changes": [{"tensor": "W", "index": [0, 0], "value": 7.5}]}, "py")["text"]
    assert "0.125" in text
    assert "[[7.5, " in told
    assert "27 of 27" in outcome(text)[0]
