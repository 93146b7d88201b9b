"""What is recorded of lines gives, call for call, what the lines give for other numbers."""

from __future__ import annotations

import ast

import pytest
import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.pytree import as_tensor
from backend.training.compiler.recorder import Recorder, memory

Tensors = dict[str, torch.Tensor]
PROGRAMS = {
    "cell by cell": "y = torch.exp(-x) / (2 + x**2) - x**-1.5",
    "powers with functions of their own": "y = x**2 + x**0.5 * x**-1",
    "a function NumPy hasn't": "y = F.relu(x - 1) * torch.sigmoid(x)",
    "what is fixed and what changes": "y = torch.exp(c) * x + c.sum()",
    "a product, and a view of it": "y = (x @ x.T)[1:].mean(1)",
    "a mask": "y = (x > 1) * x + (1 < c)",
    "picks": "y = x[range(3), i] + c[i].sum(1)",
    "an extreme with its place": "m = x.max(1)\ny = m.values * F.one_hot(m.indices, 4).sum(1)",
    "zeros that are written into": "y = torch.zeros_like(x)\ny[range(3), i] = x.sum(1)",
    "a change in place": "y = x * 2\ny += x\ny[1] -= 3\ny /= 2",
    "a change that shows under every name": "z = x.clone()\ny = z.view(4, 3)\nz *= 3\ny = y + 1",
    "a change of what is fixed": "z = c * 2\nz += x\ny = z * x",
    "a fixed part that is read before it is changed": "z = c * 2\ny = z * x\nz += x\ny += z",
    "a change of parts of what is fixed": "z = c * 2\nz[0] += x[0]\nz[1] += x[1]\ny = z * x",
    "scattered": "y = torch.zeros_like(x).index_put((i,), x, accumulate=True)",
}


def given(seed: int) -> Tensors:
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(3, 4, generator=g, dtype=torch.float64) + 0.5
    return {"x": x, "i": torch.randint(0, 3, (3,), generator=g)}


def fixed() -> torch.Tensor:
    return torch.arange(12.0, dtype=torch.float64).view(3, 4) / 4


def evaluated(source: str, tensors: Tensors) -> torch.Tensor:
    evaluator = Evaluator({**{name: tensor.clone() for name, tensor in tensors.items()}, "c": fixed()})
    evaluator.run(ast.parse(source).body)
    return as_tensor(evaluator.scope["y"])


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_recorded_calls_do_for_other_numbers_what_the_lines_do(source: str) -> None:
    tensors = given(0)
    with torch.no_grad(), DefaultDtype(torch.float64):
        recorder = Recorder({**tensors, "c": fixed()}, ["x", "i"], {})
        recorder.run(ast.parse(source).body)
        y = as_tensor(recorder.scope["y"])
        calls = recorder.needed(y)
        assert torch.allclose(y, evaluated(source, given(0)))
        for seed in (1, 2, 2):
            for name, other in given(seed).items():
                tensors[name].copy_(other)
            for call in calls:
                call()
            assert torch.allclose(y, evaluated(source, given(seed)), rtol=1e-12), seed


def recorded(source: str, into: Tensors) -> Recorder:
    recorder = Recorder({**given(0), "c": fixed()}, ["x", "i"], into)
    with torch.no_grad():
        recorder.run(ast.parse(source).body)
    return recorder


def test_what_depends_on_nothing_that_changes_needs_no_call_and_neither_does_a_view() -> None:
    recorder = recorded("a = torch.exp(c).sum()\nb = torch.zeros_like(x)\ny = x.view(2, 6).T[0]", {})
    assert recorder.calls == []
    assert memory(as_tensor(recorder.scope["y"])) == memory(as_tensor(recorder.scope["x"]))


def test_what_nobody_reads_is_not_called() -> None:
    recorder = recorded("a = torch.exp(x)\nb = torch.log(a)\ny = a * 2", {})
    assert [len(recorder.needed(recorder.scope[name])) for name in ("y", "b")] == [2, 2]
    assert len(recorder.calls) == 3


def test_a_result_is_computed_where_it_is_wanted_and_copied_there_where_that_is_elsewhere() -> None:
    places = {name: torch.zeros(3, 4, dtype=torch.float64) for name in ("a", "b")}
    recorder = recorded("a = x * 2\nb = a", places)
    for name, place in places.items():
        recorder.keep(recorder.scope[name], place)
    assert recorder.scope["a"] is places["a"]
    assert len(recorder.calls) == 2
    places["b"].zero_()
    for call in recorder.needed(list(places.values())):
        call()
    assert torch.equal(places["b"], 2 * given(0)["x"])


@pytest.mark.parametrize("source", ["y = x.sum(1)", "y = 3"])
def test_what_does_not_fit_its_place_is_not_kept(source: str) -> None:
    recorder = recorded(source, {})
    with pytest.raises(NotImplementedError):
        recorder.keep(recorder.scope["y"], torch.zeros(3, 4, dtype=torch.float64))
