"""Steps made of the printed lines train as autograd does."""

from __future__ import annotations

import math

import pytest
import torch

from backend.engine.execute.planting import plant
from backend.program.starts import starts
from backend.training.compiler.recorder import Recorder
from backend.training.data import Minibatches
from backend.training.optimisers import Sgd
from backend.training.step import CompiledStep, PrintedStep, make_step, places_of
from tests.support.twins import TWINS, Twin, furthest, losses_side_by_side


def test_a_gradient_that_is_off_by_a_thousandth_is_seen() -> None:
    told = losses_side_by_side(
        TWINS[1],
        torch.float32,
        20,
        lambda w, g: Sgd().step(w, g, 1.001 * TWINS[1].lr),
        lambda parameters: torch.optim.SGD(parameters, lr=TWINS[1].lr),
    )
    assert furthest(told) > 1e-5


@pytest.mark.parametrize("name", ["makemore-mlp", *(one["name"] for one in starts())])
def test_every_program_is_compiled_to_what_its_lines_give(name: str) -> None:
    plan, tensors = Twin(name, TWINS[0].loss, 0).plan(torch.float64)
    ours = make_step(plan, tensors, torch.float64, frozenset({"Xb", "Yb"}))
    printed = PrintedStep(plan, *places_of(plan, tensors, torch.float64))
    assert isinstance(ours, CompiledStep)
    with torch.no_grad():
        assert math.isclose(ours.run(), printed.run(), rel_tol=1e-12, abs_tol=1e-15)
    assert torch.allclose(ours.parameters.gradient, printed.parameters.gradient, rtol=1e-10, atol=1e-13)


def test_a_compiled_step_that_differs_from_its_lines_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, tensors = TWINS[1].plan(torch.float32)
    assert isinstance(make_step(plan, tensors, torch.float32, frozenset()), CompiledStep)
    monkeypatch.setattr(Recorder, "varies", lambda *_: False)
    assert isinstance(make_step(plan, tensors, torch.float32, frozenset()), PrintedStep)


def test_a_planted_line_is_trained_with_as_it_is() -> None:
    plan, tensors = TWINS[1].plan(torch.float64)
    number = next(i for i, line in enumerate(plan.lines) if line.variable == "db1")
    planted = plant(plan, number, "db1 = 2 * dh_sum.sum(0)")
    right, wrong = (make_step(one, tensors, torch.float64, frozenset()) for one in (plan, planted))
    right.run()
    wrong.run()
    assert torch.allclose(wrong.parameters.gradients["b1"], 2 * right.parameters.gradients["b1"])
    assert torch.equal(wrong.parameters.gradients["W1"], right.parameters.gradients["W1"])


def test_the_source_draws_the_same_minibatches_in_blocks_and_after_a_restore() -> None:
    step, source = TWINS[0].step(torch.float32)
    assert isinstance(source, Minibatches)
    g = torch.Generator().manual_seed(1)
    for number in range(3):
        source.next()
        places = torch.randint(0, len(source.data.train.X), (32,), generator=g)
        assert torch.equal(step.inputs["Yb"], source.data.train.Y[places]), number
    state = source.state()
    source.next()
    after = step.inputs["Xb"].clone()
    source.next()
    source.restore(state)
    source.next()
    assert torch.equal(step.inputs["Xb"], after)
