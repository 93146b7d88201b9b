"""The lines of a run of the engine are a backward pass: plain PyTorch runs them, and has autograd's gradients."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.course.blanks import EngineTrial
from backend.course.own_engine.lines import backward_lines
from backend.course.own_engine.text import engine
from backend.course.page import Page, find_chapter

PAGE = Page(find_chapter("build-the-engine"), None)


@pytest.mark.parametrize("name", PAGE.chapter.programs)
def test_the_lines_run_and_give_the_gradients(name: str) -> None:
    """They are our own engine's."""
    trial = EngineTrial.usual(PAGE.runs[name])
    found = trial.outcome(engine())
    inputs = {
        node.variable: trial.walked.run.forward.tensors[node.variable] for node in trial.walked.run.plan.graph.inputs
    }
    scope: dict[str, Any] = {"torch": torch}
    scope |= {key: value.clone().requires_grad_() for key, value in inputs.items()}
    exec(trial.lines, scope)
    forward = {key: value.detach() for key, value in scope.items() if isinstance(value, torch.Tensor)}
    made: dict[str, Any] = {"torch": torch, **forward}
    exec("\n".join(backward_lines(found)), made)
    for key in trial.asked:
        assert torch.allclose(made[f"d{key}"], scope[key].grad, rtol=1e-12), key


def test_a_gradient_that_is_passed_on_and_one_that_adds_up_are_told_as_such() -> None:
    trial = EngineTrial.usual(PAGE.runs["branch"])
    lines = backward_lines(trial.outcome(engine()))
    assert lines[1:4] == ["du = dloss", "dt = dloss.clone()", "dt += dloss * h"]
