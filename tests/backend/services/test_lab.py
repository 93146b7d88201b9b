"""The lab: what each exhibit claims is decided by numbers, and its numbers are those of plain PyTorch."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

import backend
from backend.engine.language.errors import Refusal
from backend.pipeline import run_of
from backend.program.exhibits.exhibit import Exhibit
from backend.program.lessons import ROOM
from tests.support.torch_reference import Recorder, tensors

BUGS = [one for one in ROOM.exhibits.values() if one.kind == "bug"]
PLANTED = {one.name for one in BUGS if one.sides[1].program is None}


def ids(exhibit: Exhibit) -> str:
    return exhibit.name


def plain(program: Any, given: dict[str, torch.Tensor]) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Values and gradients by name, by exec and autograd alone."""
    for one in given.values():
        if one.is_floating_point():
            one.requires_grad_()
    scope: dict[str, Any] = Recorder(dict(program), given).scope
    exec(compile(program["source"], "exhibit", "exec"), scope)
    known = {name: one for name, one in scope.items() if isinstance(one, torch.Tensor)}
    reached = {name: one for name, one in known.items() if one.requires_grad}
    grads = torch.autograd.grad(known["loss"], list(reached.values()), allow_unused=True)
    return known, {name: grad for name, grad in zip(reached, grads, strict=True) if grad is not None}


def found(exhibit: Exhibit) -> dict[str, Any]:
    told = backend.comparison({"left": exhibit.sides[0].walk, "right": exhibit.sides[1].walk})
    return {one["variable"]: one for one in told["tensors"]}


def looked_at(exhibit: Exhibit) -> list[Any]:
    """What the tensors that an exhibit is about have in common."""
    known = found(exhibit)
    return [known[n]["value"] if n in known else known[n[1:]]["gradient"] for n in exhibit.look_at]


@pytest.mark.parametrize("exhibit", BUGS, ids=ids)
def test_what_is_seen_is_what_the_room_sorts_it_by(exhibit: Exhibit) -> None:
    both = looked_at(exhibit)
    kinds = [one["kind"] for one in both]
    lit = [one for one in both if one["kind"] in ("turned", "scale", "opposite")]
    holds = {
        "zeros": "zero" in kinds,
        "nan": "broken" in kinds,
        "direction": kinds[0] in ("turned", "opposite"),
        "scale": any(not 0.9 < one["ratio"] < 1.1 for one in lit),
        "leak": kinds[0] == "turned" and "zero" in kinds,
        "noise": abs(both[0]["cosine"] or 1) < 0.1,
        "nothing": all(kind in ("same", "rounding", "missing") for kind in kinds),
    }
    assert exhibit.shows is not None
    assert holds[exhibit.shows], kinds


@pytest.mark.parametrize("exhibit", [one for one in BUGS if one.name not in PLANTED], ids=ids)
def test_lengths_and_angles_are_those_of_plain_pytorch(exhibit: Exhibit) -> None:
    sides = [plain(side.program, tensors(dict(side.program or {}))) for side in exhibit.sides]
    known = found(exhibit)
    for name in exhibit.look_at:
        variable, part = (name, 0) if name in known else (name[1:], 1)
        told = known[variable][("value", "gradient")[part]]
        both = [side[part].get(variable) for side in sides]
        for one, of in zip(both, (told["left"], told["right"]), strict=True):
            assert (one is None) == (of is None)
            if one is not None:
                assert of["shape"] == list(one.shape)
                assert of["broken"] == int((~one.isfinite()).sum())
        a, b = both
        if told["cosine"] is not None and a is not None and b is not None:
            assert told["ratio"] == pytest.approx(float(b.norm() / a.norm()), rel=1e-4)
            assert told["cosine"] == pytest.approx(float((a * b).sum() / (a.norm() * b.norm())), abs=1e-4)


@pytest.mark.parametrize("exhibit", [one for one in BUGS if one.name in PLANTED], ids=ids)
def test_a_planted_line_stands_in_the_place_of_the_gradient_that_it_names(exhibit: Exhibit) -> None:
    planted = run_of(exhibit.sides[1].walk).plan.planted
    assert planted is not None
    assert planted.line.variable == planted.right.variable == exhibit.look_at[0]


def descended(exhibit: Exhibit, side: int) -> float:
    """The loss at the end of a run of plain PyTorch."""
    program, training = exhibit.sides[side].program, exhibit.training
    assert program is not None
    assert training is not None
    given = tensors(dict(program))
    moved = [name for name, spec in program["tensors"].items() if spec["role"] == "parameter"]
    loss = torch.tensor(0.0)
    for step in range(training.steps + 1):
        values, grads = plain(program, {name: one.detach() for name, one in given.items()})
        loss = values["loss"]
        if step < training.steps:
            given |= {name: given[name].detach() - training.rate * grads[name] for name in moved if name in grads}
    return float(loss.detach())


@pytest.mark.parametrize("exhibit", [one for one in BUGS if one.training], ids=ids)
def test_both_runs_end_where_plain_pytorch_ends(exhibit: Exhibit) -> None:
    runs = backend.exhibit(exhibit.name)["runs"]
    assert runs is not None
    for side, told in ((0, runs["meant"]), (1, runs["written"])):
        if exhibit.sides[side].program is None:
            continue
        end = descended(exhibit, side)
        if math.isnan(end):
            assert told[-1] == "NaN"
        else:
            assert told[-1] == pytest.approx(end, rel=1e-4, abs=1e-8)


def test_an_exhibit_that_is_not_there_is_told() -> None:
    with pytest.raises(Refusal) as caught:
        backend.exhibit("nothing")
    assert caught.value.status == 404


def test_the_list_gives_no_answer_away() -> None:
    listed = backend.exhibits()
    assert listed["faults"] == []
    assert len([one for one in listed["exhibits"] if one["kind"] == "bug"]) >= 13
    for one in listed["exhibits"]:
        assert "reveal" not in one
        assert one["kind"] == "contrast" or one["threads"][0]["year"] is not None
