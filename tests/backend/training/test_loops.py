"""Mistakes of the training loop: each takes the steps that PyTorch takes in a loop with that mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.training.loops import LOOPS, states_of
from backend.training.saved import read_state, written_state
from backend.training.task import read_task
from backend.training.trainer import Trainer

STEPS, LIMIT, SCALE = 8, 0.05, 65_536.0
SOURCE = "h = torch.tanh(x @ W1)\nloss = ((h @ W2 - y)**2).mean()"
RECURRENT = "for t in range(2):\n    h = torch.tanh(x @ W1 + h)\nloss = ((h @ W2 - y)**2).mean()"
SHAPES = {"x": (6, 3), "W1": (3, 4), "W2": (4, 2), "y": (6, 2), "h": (6, 4)}
PARAMETERS = ("W1", "W2")
Optimiser = torch.optim.Optimizer


def numbers() -> dict[str, torch.Tensor]:
    g = torch.Generator().manual_seed(3)
    return {name: torch.randn(shape, generator=g, dtype=torch.float64) for name, shape in SHAPES.items()}


def trainer(loop: str | None, **settings: Any) -> Trainer:
    """A trainer of the program with the settings that a mistake needs."""
    source = RECURRENT if loop == "state-kept" else SOURCE
    tensors = {
        name: {"role": "parameter" if name in PARAMETERS else "data", "values": one.tolist()}
        for name, one in numbers().items()
        if name != "h" or source == RECURRENT
    }
    walk = {"source": source, "dtype": "float64", "tensors": tensors}
    rate = {"schedule": {"name": "constant", "lr": 0.1}}
    asked = {"walk": walk, "steps": 100, "data": "own", **rate, **settings, **({"loop": loop} if loop else {})}
    return Trainer(read_task(asked))


CLIP = {"clip": {"by": "norm", "limit": LIMIT}}
MOMENTUM = {"optimiser": {"name": "momentum"}}
ADAM = {"optimiser": {"name": "adam"}}
ADAMW = {"optimiser": {"name": "adamw", "weight_decay": 0.3}}
DECAY = {"schedule": {"name": "step", "lr": 0.1, "factor": 0.1, "every": 3}}
SETTINGS: dict[str, dict[str, Any]] = {
    "never-zeroed": {}, "zeroed-before-step": {}, "clip-after-step": CLIP, "clip-while-scaled": CLIP,
    "momentum-on-the-gradient": MOMENTUM, "adam-uncorrected": ADAM, "layers-in-a-list": {}, "schedule-first": DECAY,
    "decay-through-adam": ADAMW, "updated-too-early": {}, "state-kept": {},
}  # fmt: skip
Weights = dict[str, torch.Tensor]


def plain() -> tuple[Weights, Callable[[], torch.Tensor]]:
    """The weights, and the loss, in plain PyTorch."""
    known = numbers()
    weights = {name: known[name].requires_grad_() for name in PARAMETERS}
    return weights, lambda: ((torch.tanh(known["x"] @ weights["W1"]) @ weights["W2"] - known["y"]) ** 2).mean()


def wrong_loop(name: str) -> Weights:
    """The weights after the steps of a loop as somebody wrote it."""
    if name in WHOLE:
        return WHOLE[name]()
    weights, loss = plain()
    every = list(weights.values())
    sgd: Optimiser = torch.optim.SGD(every[1:] if name == "layers-in-a-list" else every, lr=0.1)
    if name == "decay-through-adam":
        sgd = torch.optim.Adam(every, lr=0.1, weight_decay=0.3)
    schedule = torch.optim.lr_scheduler.StepLR(sgd, 3, 0.1)
    by_hand = {"momentum-on-the-gradient": velocities, "adam-uncorrected": averages}
    step = by_hand[name](every) if name in by_hand else None
    for _ in range(STEPS):
        if name != "never-zeroed":
            for one in every:
                one.grad = None
        value = loss()
        (value * SCALE if name == "clip-while-scaled" else value).backward()
        if name == "zeroed-before-step":
            sgd.zero_grad(set_to_none=False)
        if name == "clip-while-scaled":
            torch.nn.utils.clip_grad_norm_(every, LIMIT)
            for one in every:
                one.grad = grad_of(one) / SCALE
        if name == "schedule-first":
            schedule.step()
        if step:
            next(step)
        else:
            sgd.step()
        if name == "clip-after-step":
            torch.nn.utils.clip_grad_norm_(every, LIMIT)
    return {name: one.detach() for name, one in weights.items()}


def by_hand_too_early() -> Weights:
    """Layer by layer: the gradient of its weights, their update, and then the error of the layer before."""
    known = numbers()
    x, y, W1, W2 = known["x"], known["y"], known["W1"], known["W2"]
    for _ in range(STEPS):
        h = torch.tanh(x @ W1)
        error = 2 * (h @ W2 - y) / y.numel()
        W2 -= 0.1 * h.T @ error
        W1 -= 0.1 * x.T @ ((1 - h**2) * (error @ W2.T))
    return {"W1": W1, "W2": W2}


def never_reset() -> Weights:
    """A recurrent network whose state is made once, before the loop."""
    weights, _ = plain()
    known = numbers()
    sgd = torch.optim.SGD(weights.values(), lr=0.1)
    h = known["h"]
    for _ in range(STEPS):
        sgd.zero_grad()
        h = h.detach()
        for _ in range(2):
            h = torch.tanh(known["x"] @ weights["W1"] + h)
        ((h @ weights["W2"] - known["y"]) ** 2).mean().backward()
        sgd.step()
    return {name: one.detach() for name, one in weights.items()}


WHOLE = {"updated-too-early": by_hand_too_early, "state-kept": never_reset}


def grad_of(weight: torch.Tensor) -> torch.Tensor:
    assert weight.grad is not None
    return weight.grad


@torch.no_grad()
def moved(weight: torch.Tensor, by: torch.Tensor) -> None:
    weight -= 0.1 * by


def velocities(weights: list[torch.Tensor]) -> Iterator[None]:
    """v = v + 0.9 g, at every step."""
    v = [torch.zeros_like(one) for one in weights]
    while True:
        v = [one + 0.9 * grad_of(weight) for one, weight in zip(v, weights, strict=True)]
        for one, weight in zip(v, weights, strict=True):
            moved(weight, one)
        yield


def averages(weights: list[torch.Tensor]) -> Iterator[None]:
    """Adam's two averages as they are."""
    m, s = ([torch.zeros_like(one) for one in weights] for _ in range(2))
    while True:
        for i, weight in enumerate(weights):
            g = grad_of(weight)
            m[i], s[i] = 0.9 * m[i] + 0.1 * g, 0.999 * s[i] + 0.001 * g**2
            moved(weight, m[i] / (s[i].sqrt() + 1e-8))
        yield


def test_every_mistake_is_tried() -> None:
    assert SETTINGS.keys() == LOOPS.keys()


@pytest.mark.filterwarnings("ignore:Detected call of `lr_scheduler.step")
@pytest.mark.parametrize("name", LOOPS)
def test_the_steps_are_those_of_a_loop_with_the_mistake(name: str) -> None:
    ours, right = trainer(name, **SETTINGS[name]), trainer(None, **SETTINGS[name])
    for one in (ours, right):
        one.advance(STEPS)
    wanted = wrong_loop(name)
    for parameter in PARAMETERS:
        assert torch.allclose(ours.parameters.values[parameter], wanted[parameter], rtol=1e-9, atol=1e-12)
    assert not torch.allclose(ours.parameters.flat, right.parameters.flat, rtol=1e-4), "it is no mistake here"


@pytest.mark.parametrize("name", LOOPS)
def test_a_run_goes_on_from_what_was_saved(name: str) -> None:
    first, second = trainer(name, **SETTINGS[name]), trainer(name, **SETTINGS[name])
    first.advance(STEPS)
    read_state(second, written_state(first))
    for one in (first, second):
        one.advance(STEPS)
    assert torch.equal(first.parameters.flat, second.parameters.flat)


def test_what_is_said_of_each_is_so() -> None:
    def after(name: str | None, steps: int, **more: Any) -> Trainer:
        made = trainer(name, **{**SETTINGS.get(name or "", {}), **more})
        made.advance(steps)
        return made

    begun = trainer(None).parameters.flat
    assert torch.equal(after("zeroed-before-step", 5).parameters.flat, begun)

    clipped = after("clip-after-step", 1)
    assert clipped.clipped is not None
    assert clipped.clipped.after <= LIMIT * 1.001 < clipped.clipped.before
    assert torch.equal(clipped.parameters.flat, after(None, 1).parameters.flat)

    left = (after("clip-while-scaled", 1).parameters.flat - begun).norm()
    assert left == pytest.approx(float((after(None, 1, **CLIP).parameters.flat - begun).norm()) / SCALE, rel=1e-4)

    lengths = [(after(name, 1, **ADAM).parameters.flat - begun).norm() for name in ("adam-uncorrected", None)]
    assert f"{1000**0.5 / 10:.1f} times" in LOOPS["adam-uncorrected"].says
    assert lengths[0] / lengths[1] == pytest.approx(1000**0.5 / 10, rel=1e-3)

    listed = after("layers-in-a-list", 5)
    assert torch.equal(listed.parameters.values["W1"], numbers()["W1"])
    assert listed.parameters.gradients["W1"].any()
    assert not torch.equal(listed.parameters.values["W2"], numbers()["W2"])

    early = after("schedule-first", 2, schedule={**DECAY["schedule"], "every": 2})
    assert not torch.equal(early.parameters.flat, after(None, 2).parameters.flat)
    assert "the schedule’s first value is skipped" in LOOPS["schedule-first"].says
    once = {**DECAY["schedule"], "every": 2}
    first = (after("schedule-first", 1, schedule=once), after(None, 1, schedule=once))
    assert torch.equal(*(one.parameters.flat for one in first))  # the first rate itself is used: there are two of it


def test_a_velocity_without_forgetting_goes_on_where_nothing_pushes() -> None:
    made = trainer("momentum-on-the-gradient", **MOMENTUM)
    made.advance(1)
    velocity = made.optimiser.memory["v"].clone()
    made.parameters.gradient.zero_()
    made.take(0.0)
    assert torch.equal(made.optimiser.memory["v"], velocity)
    assert "never ends by itself" in LOOPS["momentum-on-the-gradient"].says
    made.parameters.gradient.copy_(velocity / -made.optimiser.settings["momentum"])
    made.take(0.0)
    assert made.optimiser.memory["v"].norm() < 1e-9 * velocity.norm()  # a gradient the other way does end it


def test_an_early_weight_is_the_one_that_the_optimiser_s_step_leaves() -> None:
    """With momentum, and whichever lines were asked for."""
    made = [trainer("updated-too-early", lines=lines, **MOMENTUM) for lines in ("printed", "autograd")]
    for one in made:
        one.advance(STEPS)
    assert torch.equal(made[0].parameters.flat, made[1].parameters.flat)
    known = numbers()
    x, y, weights = known["x"], known["y"], {name: known[name] for name in PARAMETERS}
    velocity = {name: torch.zeros_like(one) for name, one in weights.items()}
    for _ in range(STEPS):
        h = torch.tanh(x @ weights["W1"])
        error = 2 * (h @ weights["W2"] - y) / y.numel()
        velocity["W2"] = 0.9 * velocity["W2"] + h.T @ error
        weights["W2"] -= 0.1 * velocity["W2"]
        velocity["W1"] = 0.9 * velocity["W1"] + x.T @ ((1 - h**2) * (error @ weights["W2"].T))
        weights["W1"] -= 0.1 * velocity["W1"]
    assert torch.allclose(made[0].parameters.values["W1"], weights["W1"], rtol=1e-9, atol=1e-12)


def test_a_run_that_begins_again_begins_with_its_first_state() -> None:
    made, fresh = trainer("state-kept"), trainer("state-kept")
    made.advance(STEPS)
    made.restart()
    for one in (made, fresh):
        one.advance(STEPS)
    assert torch.equal(made.parameters.flat, fresh.parameters.flat)


def test_a_program_without_a_state_cannot_keep_one() -> None:
    assert states_of(trainer("state-kept").task.plan) == {"h": "h_3"}
    with pytest.raises(Refusal, match="no hidden state"):
        Trainer(replace(trainer(None).task, request={**trainer(None).task.request, "loop": "state-kept"}))


@pytest.mark.parametrize("name", LOOPS)
def test_a_mistake_shows_where_the_lab_trains_it(name: str) -> None:
    """On its lesson, with what it needs, the two runs part."""
    needs = LOOPS[name].needs
    settings = {
        **({"clip": {"by": "norm", "limit": 0.1}} if needs.get("clip") == "norm" else {}),
        **({"optimiser": {"name": needs["optimiser"]}} if "optimiser" in needs else {}),
        **({"schedule": {"name": "step", "lr": 0.1, "factor": 0.1, "every": 3}} if "schedule" in needs else {}),
    }
    asked = {"walk": {"lesson": LOOPS[name].lesson}, "steps": 4, "sizes": {"hidden": 8}, "batch": 4, **settings}
    if LOOPS[name].lesson != "makemore-mlp":
        asked = {key: asked[key] for key in asked if key not in ("sizes", "batch")}
    runs = [Trainer(read_task(asked)), Trainer(read_task({**asked, "loop": name}))]
    for one in runs:
        one.advance(4)
    assert not torch.equal(runs[0].parameters.flat, runs[1].parameters.flat)
