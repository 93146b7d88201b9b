"""A clipped loss as a program: what learns nothing has no slope."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from backend.pipeline import material_of, planned
from backend.training.clamped import clamped_loss
from backend.training.session import Session
from tests.support.twins import classifier

CLASSIFIER = {"walk": {"lesson": "classifier"}, "steps": 30}


def lines_of(lesson: str, limit: float = 2.0) -> list[str]:
    material = material_of({"lesson": lesson})
    found = clamped_loss(material, planned(material), limit)
    return [] if found is None else found.plan.graph.source.strip().splitlines()[-3:]


@pytest.mark.parametrize(
    ("lesson", "of_each"),
    [
        ("makemore-mlp", "losses = -logprobs[range(n), Yb]"),
        ("classifier", "losses = F.cross_entropy(logits, y, reduction='none')"),
        ("relu-classifier", "losses = F.cross_entropy(logits, Y, reduction='none')"),
    ],
)
def test_the_loss_of_each_example_is_clamped_before_the_mean(lesson: str, of_each: str) -> None:
    assert lines_of(lesson) == [of_each, "clamped = losses.clamp(max=2.0)", "loss = clamped.mean()"]


def test_a_loss_that_is_no_mean_over_examples_is_left_alone() -> None:
    assert lines_of("attention") == []


def test_names_that_the_program_has_are_not_taken() -> None:
    tensors = {
        "x": {"role": "data", "values": [1.0, 2.0, 4.0]}, "w": {"role": "parameter", "values": 1.5},
    }  # fmt: skip
    material = material_of(
        {"source": "losses = x * w\nclamped = losses ** 2\nloss = clamped.mean()", "tensors": tensors}
    )
    found = clamped_loss(material, planned(material), 3.0)
    assert found is not None
    assert found.plan.graph.source.strip().splitlines()[-2:] == [
        "clamped_2 = clamped.clamp(max=3.0)", "loss = clamped_2.mean()",
    ]  # fmt: skip
    assert found.each == "clamped"


def test_training_with_it_is_training_on_autograd_with_a_clamped_loss() -> None:
    limit = 2.6
    session = Session(
        {**CLASSIFIER, "clip": {"by": "loss", "limit": limit}, "schedule": {"name": "constant", "lr": 0.1}}
    )
    step = session.trainer.step
    twins = {name: one.clone().double().requires_grad_() for name, one in step.parameters.values.items()}
    data = {name: one.double() if one.is_floating_point() else one for name, one in step.inputs.items()}
    counts = set()
    for _ in range(30):
        t = data | twins
        each = F.cross_entropy(F.relu(t["x"] @ t["W1"] + t["b1"]) @ t["W2"] + t["b2"], t["y"], reduction="none")
        assert float(each.detach().mean()) == pytest.approx(float(classifier(t).detach()))
        counts.add(int((each > limit).sum()))
        gradients = torch.autograd.grad(each.clamp(max=limit).mean(), list(twins.values()))
        moment = session.trainer.watched()
        assert moment.loss == pytest.approx(float(each.detach().clamp(max=limit).mean()), rel=1e-4)
        with torch.no_grad():
            for twin, gradient, ours in zip(
                twins.values(), gradients, session.trainer.named(moment.gradient).values(), strict=True
            ):
                assert torch.allclose(ours.double(), gradient, rtol=1e-3, atol=1e-6)
                twin -= 0.1 * gradient
    assert counts.isdisjoint({0, 8})  # some were silenced, and never all


def test_a_limit_may_come_and_go_and_the_weights_stay() -> None:
    session = Session(CLASSIFIER)
    session.trainer.advance(3)
    before = session.trainer.parameters.flat.clone()
    for clip in ({"by": "loss", "limit": 1.0}, {"by": "loss", "limit": 1.5}, {"by": "norm", "limit": 1.0}):
        list(session.command({"do": "set", "clip": clip}))
        assert torch.equal(session.trainer.parameters.flat, before)
        assert (session.trainer.clamped is not None) == (clip["by"] == "loss")
    list(session.command({"do": "set", "unclipped": True}))
    session.trainer.advance(1)
    other = Session(CLASSIFIER)
    other.trainer.advance(4)
    assert torch.equal(session.trainer.parameters.flat, other.trainer.parameters.flat)
