"""Drills: what they are about, that a seed repeats them, that every printed line is right and its mutants are named."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from backend import Refusal, drills, practice_check
from backend.lines.equations.names import names_of
from backend.lines.mistakes.library import Mutant, mutants_of
from backend.pipeline import new_run

GROUPS = ["elementwise", "reductions", "products", "indexing", "shapes", "softmax", "broadcasting", "paths"]
SEED = 7
# One in so many drills, and one in so many of its mutants, is tried daily.
DRILLS, MUTANTS = 9, 5
NAMED = 0.95


@cache
def deck(seed: int = SEED) -> list[Any]:
    return list(drills(seed, GROUPS)["drills"])


def printed(drill: Any) -> tuple[str, list[Mutant]]:
    """A drill's own lines, and the mutants of the last."""
    plan = new_run(drill["walk"]).plan
    lines = [line for line in plan.lines if line.variable == drill["name"]]
    names = names_of(plan)
    return "\n".join(line.code for line in lines), mutants_of(lines[-1], names, plan.lines)


def check(drill: Any, answer: str, **options: Any) -> Any:
    return practice_check({"walk": drill["walk"], "target": drill["target"], "answer": answer, **options})


def is_autograds(drill: Any, answer: str) -> bool:
    """Whether lines give autograd's gradient in plain PyTorch: such a change of the printed line is none of the rule."""
    tensors = {name: tensor.clone() for name, tensor in new_run(drill["walk"]).material.tensors.items()}
    floats = [one for one in tensors.values() if one.is_floating_point()]
    scope: dict[str, Any] = {"torch": torch, "F": F, "math": math, **tensors}
    for one in floats:
        one.requires_grad_()
    exec(drill["walk"]["source"], scope)  # a program of the engine's own
    named = {name: value for name, value in scope.items() if isinstance(value, torch.Tensor) and value.requires_grad}
    found = torch.autograd.grad(scope["loss"], list(named.values()), allow_unused=True, materialize_grads=True)
    truth = dict(zip(named, found, strict=True))
    given = {f"d{name}": gradient for name, gradient in truth.items() if name != drill["target"]}
    with torch.no_grad():
        exec(answer, scope | given, made := dict[str, Any]())
    return torch.allclose(made[drill["name"]], truth[drill["target"]], rtol=1e-4, atol=1e-6)


def test_there_are_drills_of_every_group() -> None:
    made = drills(SEED, GROUPS)
    assert drills(SEED) == made | {"drills": []}
    assert [group["name"] for group in made["groups"]] == GROUPS
    for group in GROUPS:
        assert sum(drill["group"] == group for drill in made["drills"]) >= 8, group
    ids = [drill["id"] for drill in made["drills"]]
    assert len(ids) == len(set(ids))


def test_a_seed_repeats_its_drills_and_another_has_other_sizes() -> None:
    assert drills(SEED, ["reductions"]) == drills(SEED, ["reductions"])
    assert drills(SEED, ["reductions"])["drills"] == [one for one in deck() if one["group"] == "reductions"]
    own, other = ([one["shape"] for one in drills(seed, ["reductions"])["drills"]] for seed in (SEED, SEED + 1))
    assert own != other


def test_a_group_that_there_is_not_is_refused() -> None:
    with pytest.raises(Refusal, match="no drills called `sums`"):
        drills(SEED, ["sums"])


def test_lengths_are_odd_and_those_of_one_tensor_differ() -> None:
    reductions = [one for one in deck() if one["group"] == "reductions"]
    for drill in reductions:
        lengths = [length for length in drill["shape"] if length > 1]
        assert all(length % 2 for length in lengths), drill["shape"]
        assert len(set(lengths)) == len(lengths), drill["shape"]


def test_the_kinds_that_a_deck_must_have_are_there() -> None:
    lines = {(one["group"], line) for one in deck() for line in one["lines"]}
    reductions = [line for group, line in lines if group == "reductions"]
    assert any("keepdim=True" in line for line in reductions)
    assert any("keepdim=True" not in line for line in reductions)
    products = [line for group, line in lines if group == "products"]
    assert any(".T @" in line for line in products)
    assert any("@ y.T" in line for line in products)
    assert any("x[index]" in line for group, line in lines if group == "indexing")
    for drill in deck():
        if drill["group"] == "paths":
            assert "+=" in printed(drill)[0], drill["lines"]
        if drill["group"] == "broadcasting":
            shapes = {given["name"]: given["shape"] for given in drill["given"]}
            assert math.prod(drill["shape"]) < math.prod(shapes["out"])


def test_no_drill_is_done_by_handing_on_what_arrives() -> None:
    for seed in (7, 25):
        for drill in drills(seed, ["shapes"])["drills"]:
            assert not check(drill, "dout")["correct"], (seed, drill["id"], drill["lines"])


def test_what_is_in_scope_is_listed_and_the_answer_is_not() -> None:
    for drill in deck():
        names = [given["name"] for given in drill["given"]]
        assert names[0] == "dout"
        assert drill["name"] not in names
        assert "G" not in names
        assert {"out", drill["target"]} <= set(names)


def test_the_printed_line_of_a_drill_is_right_and_its_mutants_are_rejected_and_named(thorough: bool) -> None:
    tried = named = 0
    misnamed = []
    for drill in deck() if thorough else deck()[::DRILLS]:
        code, mutants = printed(drill)
        told = check(drill, code, hints=3)
        assert told["correct"], (drill["id"], code, told["diagnosis"])
        assert told["zero"] is None, drill["id"]
        first, second, line = told["hints"]
        assert line == code
        assert len({first, second, line}) == 3
        lines = code.split("\n")
        for mutant in mutants if thorough else mutants[::MUTANTS]:
            if not mutant.fits or (mutant.code == "missing-path" and len(lines) == 1):
                continue  # of one path none can be missing
            answer = "\n".join([*lines[: -len(mutant.statements)], mutant.source])
            found = check(drill, answer)
            if found["correct"]:
                assert is_autograds(drill, answer), (drill["id"], answer, mutant.label)
                continue
            tried += 1
            if found["diagnosis"]["code"] == mutant.code:
                named += 1
            else:
                misnamed.append((drill["id"], answer, mutant.code, found["diagnosis"]["code"]))
    assert tried > (600 if thorough else 20)
    assert named >= NAMED * tried, misnamed
