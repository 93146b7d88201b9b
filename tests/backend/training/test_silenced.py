"""Which examples a clipped loss silences, in words and in numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
import torch

from backend.engine.execute.run import loss_of, values_of
from backend.training.instruments import tensors_of
from backend.training.session import Session, Told
from backend.training.trainer import Moment

MAKEMORE: Mapping[str, Any] = {
    "walk": {"lesson": "makemore-mlp"}, "sizes": {"embedding": 3, "hidden": 8}, "batch": 16, "steps": 30,
}  # fmt: skip
CLASSIFIER: Mapping[str, Any] = {"walk": {"lesson": "classifier"}, "steps": 30}


def reported(request: Mapping[str, Any], **clip: object) -> tuple[Session, Moment, Told]:
    session = Session({**request, "clip": {"by": "loss", **clip}})
    (report,) = (event for event in session.turn(0) if event["kind"] == "report")
    return session, session.trainer.moments[0], report


def test_the_examples_beyond_the_limit_are_named_with_their_loss() -> None:
    session, moment, report = reported(MAKEMORE, limit=3.4)
    told = report["silenced"]
    tensors = tensors_of(session.trainer, moment)
    each = torch.stack([_loss_of_one(session, moment, one) for one in range(16)])
    assert told["count"] == int((each > 3.4).sum())
    assert 0 < told["count"] < told["of"] == 16
    losses = [one["loss"] for one in told["examples"]]
    assert losses == sorted(losses, reverse=True)
    for one in told["examples"]:
        assert one["loss"] == pytest.approx(float(each[one["index"]]), rel=1e-4)
        spell = session.trainer.task.source.data.vocabulary  # type: ignore[attr-defined]  # names have one
        letters, target = tensors["Xb"][one["index"]].tolist(), int(tensors["Yb"][one["index"]])
        assert one["text"] == f"{spell.decode(letters)} → {spell.labels[target]}"
    assert told["loss"] == pytest.approx(float(each.mean()), rel=1e-4)
    assert report["loss"] == pytest.approx(float(each.clamp(max=3.4).mean()), rel=1e-4)
    assert report["norm"] == pytest.approx(float(moment.whole.norm()))  # type: ignore[union-attr]  # there is one
    assert report["norm_after"] == pytest.approx(float(moment.gradient.norm()))


def _loss_of_one(session: Session, moment: Moment, index: int) -> torch.Tensor:
    """The loss of an example beside the others of its minibatch, from the log-probabilities of the whole."""
    values = values_of(session.trainer.task.plan.graph, tensors_of(session.trainer, moment), torch.float32)
    logprobs, targets = values["logprobs"], values["Yb"]
    assert isinstance(logprobs, torch.Tensor)
    assert isinstance(targets, torch.Tensor)
    return -logprobs[index, targets[index]]


@pytest.mark.parametrize("request_", [MAKEMORE, CLASSIFIER])
def test_what_is_lost_of_the_descent_is_measured_by_two_small_steps(request_: Mapping[str, Any]) -> None:
    """The loss without clipping, in float64, after a small step along either gradient."""
    limit = 3.4 if request_ is MAKEMORE else 2.0
    session, moment, report = reported(request_, limit=limit)
    assert moment.whole is not None
    graph, tensors = session.trainer.task.plan.graph, dict(tensors_of(session.trainer, moment))

    def after(gradient: torch.Tensor, step: float) -> float:
        moved = session.trainer.named(moment.weights.double() - step * gradient.double())
        return loss_of(graph, tensors | moved, torch.float64)

    small = 1e-5
    fall = [
        (after(gradient, -small) - after(gradient, small)) / 2 / small for gradient in (moment.whole, moment.gradient)
    ]
    assert report["silenced"]["lost"] == pytest.approx(1 - fall[1] / fall[0], abs=2e-3)
    share = re.search(r"lowers the loss (\d+)% less", report["silenced"]["says"])
    assert share is not None
    assert int(share.group(1)) == pytest.approx(100 * report["silenced"]["lost"], abs=0.51)


def test_nothing_is_said_where_nothing_is_silenced_and_all_where_everything_is() -> None:
    assert reported(CLASSIFIER, limit=100.0)[2]["silenced"] is None
    _, moment, report = reported(CLASSIFIER, limit=1e-3)
    told = report["silenced"]
    assert (told["count"], told["of"], told["lost"]) == (8, 8, 1.0)
    assert told["says"] == (
        "8 of 8 examples have a loss above 0.001. Their gradient is 0. So this step doesn't lower the loss at all."
    )
    assert not moment.gradient.any()


def test_a_loss_that_is_no_mean_is_silenced_as_a_whole() -> None:
    tensors = {"x": {"role": "data", "values": [1.0, 2.0]}, "w": {"role": "parameter", "values": [3.0, 4.0]}}
    product = {"walk": {"source": "loss = (x * w).sum()", "tensors": tensors}, "steps": 3}
    told = reported(product, limit=4.0)[2]["silenced"]
    assert told["says"] == "The loss is above 4, so its gradient is 0: nothing is learned from this step."
    assert told["examples"] == []
    assert reported(product, limit=20.0)[2]["silenced"] is None


def test_the_others_may_lower_the_loss_faster_than_all_did() -> None:
    numbers = {"x": [1.0, 1.0, 1.0], "y": [2.0, 2.0, -3.0]}  # two pull one way, the silenced one the other
    tensors: dict[str, Any] = {name: {"role": "data", "values": values} for name, values in numbers.items()}
    tensors["w"] = {"role": "parameter", "values": 0.0}
    source = "each = (w * x - y)**2\nloss = each.mean()"
    told = reported({"walk": {"source": source, "tensors": tensors}, "steps": 3}, limit=5.0)[2]["silenced"]
    x, y = (torch.tensor(values, dtype=torch.float64) for values in numbers.values())
    w = torch.zeros((), dtype=torch.float64, requires_grad=True)
    every = (w * x - y) ** 2
    whole, rest = (torch.autograd.grad(one, w, retain_graph=True)[0] for one in (every.mean(), every[:2].sum() / 3))
    assert rest * whole > 2 * whole**2
    assert told["lost"] == pytest.approx(1 - float(rest / whole), abs=1e-5)
    assert told["says"].endswith("The others alone lower the loss at least as fast.")
