"""A run as a conversation: the same numbers whoever watches, and every step of it walkable."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import torch

from backend.engine.language.errors import Refusal
from backend.pipeline import new_run, walk
from backend.training import session as session_module
from backend.training.event_types import RunEvent
from backend.training.optimisers import OPTIMISERS
from backend.training.session import Session, Told
from backend.training.trainer import Trainer
from tests.support.schema_check import faults

SMALL: Mapping[str, Any] = {
    "walk": {"lesson": "makemore-mlp"},
    "sizes": {"context": 3, "embedding": 4, "hidden": 16},
    "batch": 16,
    "steps": 60,
}
CLASSIFIER = {"walk": {"lesson": "classifier"}, "steps": 40, "schedule": {"name": "constant", "lr": 0.1}}


def run(session: Session, turns: int = 10_000) -> list[Told]:
    """The events until the run rests, or of so many turns."""
    events: list[Told] = []
    for _ in range(turns):
        if session.status != "running":
            break
        events += session.turn()
    return events


def ask(session: Session, **command: object) -> list[Told]:
    """What comes of a command."""
    return list(session.command(command))


def kinds(events: list[Told]) -> list[str]:
    return [event["kind"] for event in events]


def weights_after(reported: int = 0) -> torch.Tensor:
    """The weights at the end of a run that reports so many single steps, and then as it likes."""
    session = Session(SMALL)
    for _ in range(reported):
        list(session.turn(0))
    run(session)
    return session.trainer.parameters.flat.clone()


def test_a_run_begins_reports_and_ends_with_the_losses_of_every_split() -> None:
    session = Session(SMALL)
    start, untrained = session.begin()
    assert (untrained["kind"], untrained["steps_taken"], len(untrained["names"])) == ("validation", 0, 5)
    assert start["parameters"]["W1"] == [12, 16]
    assert start["data"]["examples"]["train"] > 5_000
    assert start["step_kind"] == "CompiledStep"
    events = run(session)
    assert [event["status"] for event in events if event["kind"] == "status"] == ["finished"]
    assert kinds(events).count("compared") == 1
    splits = events[-1]
    assert splits["kind"] == "splits"
    assert set(splits["losses"]) == {"train", "validation", "test"}
    assert all(0 < loss < 4 for loss in splits["losses"].values())
    assert len(splits["names"]) == 20
    told = [step for event in events if event["kind"] == "report" for step, *_ in event["losses"]]
    assert told == sorted(set(told))
    json.dumps([start, *events], allow_nan=False)


def test_numbers_depend_on_the_seed_alone() -> None:
    first = weights_after()
    assert torch.equal(first, weights_after(7))
    other = Session({**SMALL, "seed": 5})
    run(other)
    assert not torch.equal(first, other.trainer.parameters.flat)


def test_pausing_stepping_and_looking_change_nothing() -> None:
    session = Session(SMALL)
    ask(session, do="pause")
    assert run(session) == []
    ask(session, do="step", count=3)
    run(session)
    assert (session.trainer.number, session.status) == (3, "paused")
    ask(session, do="compare")
    ask(session, do="sample", count=2)
    ask(session, do="run-to", step=20)
    run(session)
    assert session.trainer.number == 20
    ask(session, do="resume")
    run(session)
    assert torch.equal(session.trainer.parameters.flat, weights_after())


def test_a_restart_takes_the_same_steps_again() -> None:
    session = Session({**SMALL, "optimiser": {"name": "adam"}, "schedule": {"name": "constant", "lr": 0.01}})
    run(session)
    once = session.trainer.parameters.flat.clone()
    ask(session, do="restart")
    assert (session.trainer.number, session.status) == (0, "running")
    run(session)
    assert torch.equal(session.trainer.parameters.flat, once)


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_a_saved_state_goes_on_as_if_nothing_had_been(optimiser: str) -> None:
    request = {**SMALL, "optimiser": {"name": optimiser}, "schedule": {"name": "constant", "lr": 0.01}}
    whole, half = Session(request), Session(request)
    run(whole)
    ask(half, do="run-to", step=31)
    run(half)
    ask(half, do="set", clip={"by": "norm", "limit": 50.0})
    rest = Session(request, saved=half.save())
    assert (rest.status, rest.target) == ("paused", 31)
    ask(rest, do="resume")
    run(rest)
    assert rest.trainer.number == 60
    assert rest.settings() == half.settings() | {"lr": rest.trainer.rate}
    assert torch.equal(rest.trainer.parameters.flat, whole.trainer.parameters.flat)


def test_rates_optimiser_and_clipping_are_set_while_it_runs() -> None:
    session = Session({**SMALL, "optimiser": {"name": "momentum"}})
    ask(session, do="run-to", step=5)
    run(session)
    (told,) = ask(
        session, do="set", schedule={"name": "constant", "lr": 0.02}, optimiser={"momentum": 0.5},
        clip={"by": "norm", "limit": 0.001},
    )  # fmt: skip
    assert (told["lr"], told["optimiser"]["momentum"], told["clip"]["limit"]) == (0.02, 0.5, 0.001)
    ask(session, do="step")
    (report,) = (event for event in run(session) if event["kind"] == "report")
    assert report["lr"] == 0.02
    assert report["norm"] > report["norm_after"] == pytest.approx(0.001, rel=1e-3)
    norms = [one["norm_after"] for one in report["parameters"]]
    assert math.hypot(*norms) == pytest.approx(report["norm_after"], rel=1e-4)


def test_weights_that_are_no_numbers_make_up_no_names_and_end_no_process() -> None:
    session = Session({**SMALL, "paused": True, "schedule": {"name": "constant", "lr": 1e30}})
    ask(session, do="step")
    (told,) = (event for event in run(session) if event["kind"] == "validation")
    assert told["names"] == []
    assert ask(session, do="stop")[-1]["names"] == []


def test_a_clipped_loss_silences_its_minibatch_and_nothing_is_learned() -> None:
    session = Session({**SMALL, "clip": {"by": "loss", "limit": 0.01}})
    before = session.trainer.parameters.flat.clone()
    (report,) = (event for event in session.turn(0) if event["kind"] == "report")
    assert report["silenced"]
    assert report["norm"] > 0 == report["norm_after"]
    assert torch.equal(session.trainer.parameters.flat, before)


def test_what_a_report_says_is_so() -> None:
    session = Session(SMALL)
    (report,) = (event for event in session.turn(0) if event["kind"] == "report")
    moment = session.trainer.moments[0]
    tensors = session.trainer.named(moment.weights)
    gradients = session.trainer.named(moment.gradient)
    assert report["loss"] == pytest.approx(moment.loss)
    assert report["norm"] == pytest.approx(float(moment.gradient.norm()))
    for one in report["parameters"]:
        assert one["value"]["std"] == pytest.approx(float(tensors[one["name"]].std(correction=0)))
        assert one["gradient"]["norm"] == pytest.approx(float(gradients[one["name"]].norm()))
        before = tensors[one["name"]]
        moved = before - (before - 0.1 * gradients[one["name"]])  # of b1, whose gradient is rounding alone, it is 0
        ratio = float(moved.std(correction=0)) / one["value"]["std"]
        assert one["update_ratio"] == pytest.approx(ratio, rel=1e-3, abs=1e-9)
    (h,) = report["activations"]
    assert (h["name"], h["word"]) == ("h", "saturated")
    assert sum(h["histogram"]["counts"]) == 16 * 16
    assert h["share"] == pytest.approx(sum(h["units"]) / 16, abs=1e-3)


def test_units_of_relu_that_never_fire_are_called_dead() -> None:
    session = Session(CLASSIFIER)
    with torch.no_grad():
        session.trainer.parameters.values["b1"][:4] = -100
    (report,) = (event for event in session.turn(0) if event["kind"] == "report")
    (h,) = report["activations"]
    assert (h["word"], h["units"][:4]) == ("dead", [1, 1, 1, 1])
    assert h["whole"] >= 4


def test_every_gradient_is_judged_beside_autograd_and_a_planted_mistake_is_seen() -> None:
    session = Session(CLASSIFIER)
    list(session.turn(0))
    (told,) = ask(session, do="compare")
    assert {one["level"] for one in told["parameters"]} <= {"exact", "approximate"}
    source = json.loads(walk({"lesson": "classifier"}))
    step = next(one["index"] for one in source["steps"] if one["code"].startswith("db1 ="))
    wrong = Session({**CLASSIFIER, "walk": {"lesson": "classifier", "plant": {"step": step, "mistake": "scale"}}})
    list(wrong.turn(0))
    (told,) = ask(wrong, do="compare")
    assert {one["name"]: one["level"] for one in told["parameters"]}["b1"] == "wrong"


def test_a_reported_step_is_walked_with_its_minibatch_and_weights() -> None:
    session = Session(SMALL)
    ask(session, do="step", count=5)
    run(session)
    (told,) = ask(session, do="walk", step=4)
    moment = session.trainer.moments[4]
    walked = new_run(told["walk"])
    assert float(walked.forward.tensors["loss"]) == pytest.approx(moment.loss, rel=1e-6)
    gradients = session.trainer.named(moment.gradient)
    assert torch.allclose(walked.gradients["dW1"], gradients["W1"], rtol=1e-3, atol=1e-7)


def test_the_weights_of_now_are_those_after_every_step() -> None:
    """A reader who goes downhill from a walk sees what the step has made, and not what it was taken from."""
    session = Session({**CLASSIFIER, "paused": True})
    (untrained,) = ask(session, do="walk", now=True)
    assert untrained["step"] == 0
    began = json.loads(walk({"lesson": "classifier"}))["loss"]["value"]
    assert float(new_run(untrained["walk"]).forward.tensors["loss"]) == pytest.approx(began, rel=1e-6)
    ask(session, do="step", count=2)
    run(session)
    (told,) = ask(session, do="walk", now=True)
    (before,) = ask(session, do="walk", step=1)
    taken = new_run(before["walk"])
    assert (told["step"], before["step"]) == (2, 1)
    for name in ("W1", "b1", "W2", "b2"):
        stepped = taken.material.tensors[name] - 0.1 * taken.gradients["d" + name]
        assert torch.allclose(torch.tensor(told["walk"]["tensors"][name]["values"]), stepped, atol=1e-6), name


def test_a_loss_that_is_not_finite_stops_the_run_at_its_step_which_can_be_walked() -> None:
    session = Session({**CLASSIFIER, "schedule": {"name": "constant", "lr": 1e30}})
    events = run(session)
    diverged = next(event for event in events if event["kind"] == "diverged")
    assert session.status == "diverged"
    assert diverged["loss"] in ("NaN", "Infinity")
    (told,) = ask(session, do="walk", step=diverged["step"])
    assert not math.isfinite(float(new_run(told["walk"]).forward.tensors["loss"]))
    with pytest.raises(Refusal, match="over"):
        ask(session, do="resume")
    ask(session, do="set", schedule={"name": "constant", "lr": 0.1})
    ask(session, do="restart")
    assert run(session)[-1]["status"] == "finished"


def test_autograd_trains_side_by_side_from_the_same_seed() -> None:
    ours, theirs = Session(SMALL), Session({**SMALL, "lines": "autograd"})
    run(ours)
    run(theirs)
    assert torch.allclose(ours.trainer.parameters.flat, theirs.trainer.parameters.flat, rtol=1e-3, atol=1e-5)
    assert not torch.equal(ours.trainer.parameters.flat, theirs.trainer.parameters.flat)


def test_a_program_without_a_parameter_is_refused() -> None:
    tensors = {"x": {"role": "data", "values": [1.0, 2.0]}}
    with pytest.raises(Refusal, match="no parameter"):
        Session({"walk": {"source": "loss = (x * x).sum()", "tensors": tensors}, "steps": 5})


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("db1 =", "db1 = dh_sum", r"of shape \(8, 10\), and `b1` has \(10,\)"),
        ("dh =", "dh = dlogits", "does not fit any more"),
    ],
)
def test_a_planted_line_of_another_shape_is_refused_in_a_sentence(line: str, code: str, said: str) -> None:
    steps = json.loads(walk({"lesson": "classifier"}))["steps"]
    step = next(one["index"] for one in steps if one["code"].startswith(line))
    with pytest.raises(Refusal, match=said):
        Session({**CLASSIFIER, "walk": {"lesson": "classifier", "plant": {"step": step, "code": code}}})


def test_moments_are_bounded_and_span_the_run() -> None:
    session = Session({**CLASSIFIER, "steps": 300})
    for _ in range(300):
        list(session.turn(0))
    kept = sorted(session.trainer.moments)
    assert len(kept) <= 64
    assert kept[0] == 0
    assert kept[-1] == 299


def test_a_short_run_learns_to_spell(tmp_path: Path) -> None:
    """The short variant of the long run: 3,000 steps on the embedded names."""
    request = {**SMALL, "sizes": {"hidden": 64, "embedding": 10}, "batch": 32, "steps": 3_000}
    session = Session(request)
    losses = run(session)[-1]["losses"]
    assert losses["train"] < 2.50
    assert losses["validation"] < 2.55
    assert isinstance(session.trainer, Trainer)
    words = tmp_path / "words.txt"
    words.write_text("anna\nannabel\nhanna\nann\n" * 8)
    few = Session({**SMALL, "steps": 400}, words)
    assert run(few)[-1]["losses"]["train"] < 1.0


def own(source: str, **tensors: Any) -> dict[str, Any]:
    made = {name: {"role": "parameter" if name == "w" else "data", "values": one} for name, one in tensors.items()}
    return {"walk": {"source": source, "tensors": made}}


@pytest.mark.parametrize(
    "request_",
    [
        {"schedule": {"name": "step", "lr": 0.1, "factor": 1e300, "every": 1}},
        {"schedule": {"name": "cosine", "lr": 1e308, "warmup": 0, "total": 1, "floor": 1e308}},
        {"optimiser": {"name": "adamw", "weight_decay": 1e308, "eps": 1e-320}},
        own("h = torch.relu(x * w)\nloss = (1.0 / (h + 1.0)).mean()", x=[1e38, -1e38, 3e38], w=[10.0, -3.0, 10.0]),
        own("h = torch.relu(x[:0] * w)\nloss = h.sum() + w.sum()", x=[[1.0]], w=[1.0]),
        own("for i in range(220):\n    x = torch.tanh(x * w)\nloss = x.sum()", x=[1.0], w=[0.5]),
    ],
    ids=["a rate that grows", "a rate too large", "a decay too large", "cells too large", "no cells", "too long"],
)
def test_what_passes_every_bound_ends_a_run_and_not_its_process(request_: dict[str, Any]) -> None:
    session = Session({**SMALL, "steps": 3} | request_ if "walk" not in request_ else {**request_, "steps": 3})
    events = [*session.begin(), *run(session), *ask(session, do="set", schedule={"name": "constant", "lr": 1e308})]
    assert session.status in ("finished", "diverged")
    assert [fault for event in events for fault in faults(event, RunEvent, event["kind"])] == []
    json.dumps(events, allow_nan=False)


def test_a_step_whose_weights_are_lost_is_refused_as_a_walk() -> None:
    session = Session({**own("loss = (w * 0.0).sqrt().sum()", w=[1.0, 2.0]), "steps": 3})
    assert run(session)[-1]["status"] == "diverged"
    with pytest.raises(Refusal, match="`w` holds NaN or Infinity"):
        ask(session, do="walk", step=1)


def test_the_events_are_those_that_are_described() -> None:
    session = Session(SMALL)
    events = [*session.begin(), *run(session), *ask(session, do="set", clip={"by": "loss", "limit": 2.0})]
    events += [*ask(session, do="replay", step=3), *ask(session, do="compare"), *ask(session, do="restart")]
    events += run(session)
    assert any(event.get("silenced") for event in events)
    adam = {"name": "adam"}, {"name": "cosine", "warmup": 2}, {"by": "norm", "limit": 1.0}
    bad = Session({**CLASSIFIER, **dict(zip(("optimiser", "schedule", "clip"), adam, strict=True))})
    events += [*bad.begin(), *ask(bad, do="set", schedule={"name": "constant", "lr": 1e30}), *run(bad)]
    assert [fault for event in events for fault in faults(event, RunEvent, event["kind"])] == []
    kinds = {get_args(get_type_hints(one)["kind"])[0] for one in get_args(RunEvent)}
    assert {event["kind"] for event in events} == kinds - {"lost", "missed"}  # which are the server's own


def wide(optimiser: str, layers: int = 6) -> dict[str, Any]:
    """A network whose weights alone are 24 MiB."""
    weights = {
        f"w{n}": {"role": "parameter", "shape": [1024, 1024], "init": "randn", "scale": 0.03, "seed": n}
        for n in range(layers)
    }
    source = "\n".join(f"h = torch.tanh(h @ w{n})" for n in range(layers)) + "\nloss = h.mean()"
    tensors = {"h": {"role": "data", "shape": [1, 1024], "init": "randn"}, **weights}
    return {"walk": {"source": source, "tensors": tensors}, "optimiser": {"name": optimiser}, "steps": 10}


def test_a_state_that_is_too_large_to_be_kept_is_refused_before_the_first_step() -> None:
    with pytest.raises(Refusal) as caught:
        Session(wide("adam"))
    assert caught.value.code == "run-large"
    assert "take 72 MiB" in caught.value.message
    session = Session(wide("momentum"))
    session.trainer.advance(1)
    assert len(session.save()) < session_module.LARGEST_STATE + (1 << 20)


@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_state_is_never_larger_than_it_was_told_to_become(name: str) -> None:
    session = Session({**SMALL, "optimiser": {"name": name}})
    told = session.trainer.largest
    for rate in range(1, 1_200):  # more changes than are kept
        session.trainer.advance(1)
        list(session.command({"do": "set", "schedule": {"name": "constant", "lr": rate / 1e5}}))
    assert session.trainer.state().bytes == told == session.trainer.largest
    assert len(session.save()) < told + (1 << 20)


def test_a_report_is_bounded_whatever_the_program() -> None:
    """Whoever follows a run gets twenty a second: of activations the first are told, and as many units as there is room."""
    names = [f"{'w' * 30}{n}" for n in range(120)]
    source = "\n".join(f"h=F.tanh(h*{name})" for name in names) + "\nloss=h.mean()"
    weights = {name: {"role": "parameter", "shape": [1024], "init": "randn", "seed": 1} for name in names}
    tensors = {"h": {"role": "data", "shape": [1, 1024], "init": "randn"}, **weights}
    session = Session({"walk": {"source": source, "tensors": tensors}, "steps": 1_000_000})
    told = {event["kind"]: event for event in [*session.begin(), *session.turn(), *ask(session, do="compare")]}
    assert {"start", "report", "compared"} <= told.keys()
    sizes = {kind: len(json.dumps(event)) for kind, event in told.items()}
    assert max(sizes.values()) < 1 << 18, sizes
    shown = told["report"]["activations"]
    assert (len(shown), {len(one["units"]) for one in shown}, {one["size"] for one in shown}) == (16, {256}, {1024})
