"""Every mistake that can be planted is shown as wrong where it changes anything; elsewhere the reason given is true."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import torch

from backend.engine.execute.plan import Plan
from backend.engine.execute.planting import plant
from backend.engine.verify.compare import verify
from backend.lines.mistakes.planting import plant_mistake, possible
from backend.pipeline import material_of, new_run, planned
from backend.present.drawings import drawings_of
from backend.present.planted import planted
from backend.present.steps import steps_of
from backend.program.lessons import OWN as LESSONS
from backend.program.runs import Run, execute
from backend.program.starts import starts
from tests.support.asking import program
from tests.support.plain_python import Outcome, backward

REQUESTS: dict[str, Any] = {name: {"lesson": name} for name in LESSONS}
REQUESTS |= {start["name"]: start["request"] for start in starts()}
USUAL = ("makemore-mlp", "first-steps", "broadcasting", "softmax", "recurrent", "attention")
# Of the mistakes of a program, so many are left out each time.
STRIDE = {"makemore-mlp": 3, "recurrent": 3, "attention": 3}


@cache
def plan_for(name: str) -> tuple[Any, Plan]:
    material = material_of(REQUESTS[name] | {"dtype": "float64"})
    return material, planned(material)


def told(material: Any, plan: Plan) -> tuple[Run, Any]:
    run = execute(plan, material)
    return run, planted(run, verify(run))


def mistakes(name: str, thorough: bool) -> list[tuple[int, str]]:
    _, plan = plan_for(name)
    every: list[tuple[int, str]] = [
        (number, one.mutant.code) for number in range(len(plan.lines)) for one in possible(plan, number)
    ]
    return every if thorough else every[:: STRIDE.get(name, 2)]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in USUAL else pytest.mark.exhaustive) for n in REQUESTS]
)
def test_what_python_finds_wrong_is_shown_as_wrong_and_nothing_else(name: str, thorough: bool) -> None:
    material, plan = plan_for(name)
    tried = [0, 0]
    for number, code in mistakes(name, thorough):
        run, said = told(material, plant_mistake(plan, number, code))
        outcome = backward(run, run.plan)
        assert set(said["wrong"]) == outcome.wrong(), (number, code)
        assert set(said["lost"]) == {f"d{one}" for one in outcome.autograd} & outcome.lost, (number, code)
        tried[bool(said["wrong"])] += 1
        if not said["wrong"]:
            problem = untrue(said["outcome"], run, outcome)
            assert not problem, (number, code, said["outcome"], problem)
    assert tried[1]


def untrue(reason: str, run: Run, outcome: Outcome) -> str:
    """What Python's numbers say against a reason why a mistake changes nothing; empty where it is true."""
    known, origin = run.plan.planted, run.plan.origin
    assert known is not None
    assert origin is not None
    before, right = backward(run, origin, known.number), backward(run, origin, known.number + 1)
    if said := re.search(r"`([^`]+)` is 1 in every cell", reason):
        return "" if bool((evaluated(said[1], before) == 1).all()) else "not 1"
    if said := re.search(r"before this line, `([^`]+)` is zero", reason):
        return "" if not evaluated(said[1], before).any() else "not zero"
    wrong = backward(run, run.plan, known.number + 1)
    ends = [one.scope[known.line.variable] for one in (right, wrong)]
    earlier = before.scope.get(known.line.variable) if known.line.mode == known.right.mode == "+=" else None
    brought = [end if earlier is None else end - earlier for end in ends]
    if "is zero in every cell" in reason or "true gradient is zero" in reason:
        sizes = [float(one.abs().max()) for one in brought]
        return "" if max(sizes) <= 1e-9 * outcome.scale else f"brings {sizes}"
    if "nothing of that reaches" in reason:
        return "" if not torch.allclose(ends[0], ends[1]) else "the same"
    if "length 1" in reason:
        picture = drawings_of(origin).pictures[known.number]
        return "" if picture and {axis.size for axis in picture.axes} == {1} else "longer"
    others = ("symmetric", "same numbers", "mask would stop", "picked twice", "is rounding beside")
    assert any(words in reason for words in others), reason
    return "" if torch.allclose(ends[0], ends[1], rtol=1e-6, atol=1e-9 * outcome.scale) else "other numbers"


def evaluated(code: str, outcome: Outcome) -> torch.Tensor:
    return torch.as_tensor(eval(code, dict(outcome.scope)))


def given(values: Any, role: str = "parameter") -> dict[str, Any]:
    return {"role": role, "values": values}


SYMMETRIC = [[1.0, 2.0], [2.0, 5.0]]
# A program, how the line begins, the mistake in it, and words of the reason.
CASES: dict[str, tuple[Any, str, str, str]] = {
    "one value along the axis": (
        program("y = x + b\nloss = (y * y).sum()", "float64", x=given([[1.0, 2.0, 3.0]]), b=given([0.5, 0.1, 0.2])),
        "db = dy.sum(0)", "scale", "length 1",
    ),
    "a symmetric matrix": (
        program("y = x + b\nloss = (y * s).sum()", "float64", x=given(SYMMETRIC), b=given([0.5, 0.1]),
                s=given(SYMMETRIC, "data")),
        "db = dy.sum(0)", "wrong-axis", "symmetric",
    ),
    "no row twice": (
        program("e = C[i]\nloss = (e * e).sum()", "float64", C=given(SYMMETRIC), i=given([1, 0], "data")),
        "dC = ", "overwritten-path", "picked twice",
    ),
    "a factor of ones": (
        program("y = x * w\nloss = (y * y).sum()", "float64", x=given([1.0, 2.0]), w=given([1.0, 1.0])),
        "dx = ", "missing-local", "`w` is 1 in every cell",
    ),
    "a true zero": (
        program("y = x * z\nw = y * x\nloss = (w * x).sum()", "float64", x=given([1.0, 2.0]), z=given([0.0, 0.0])),
        "dx += ", "sign", "zero in every cell",
    ),
    "a first path of zeros": (
        program("a = x * x\nb = x * z\nloss = a.sum() + b.sum()", "float64", x=given([1.0, 2.0]), z=given([0.0, 0.0])),
        "dx += ", "overwritten-path", "before this line, `dx` is zero",
    ),
    "a factor that is not 1 where nothing arrives": (
        program("y = x * w\nloss = (y * m).sum()", "float64", x=given([1.0, 2.0]), w=given([1.0, 5.0]),
                m=given([2.0, 0.0], "target")),
        "dx = ", "missing-local", "the same numbers",
    ),
    "a first path of rounding": (
        program("q = (c * c).sum()\nz = x + c\nce = F.cross_entropy(z, y)\nloss = ce + q", "float64",
                x=given([[0.3, 1.7, -0.4], [0.2, 0.9, 1.1]]), c=given([[0.7], [0.1]]), y=given([0, 2], "target")),
        "dc += ", "overwritten-path", "is rounding beside",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_reason_is_given_where_it_holds(case: str) -> None:
    request, beginning, code, words = CASES[case]
    material = material_of(request)
    plan = planned(material)
    numbers = [i for i, line in enumerate(plan.lines) if line.code.split("\n")[-1].startswith(beginning)]
    assert numbers, [line.code for line in plan.lines]
    reasons = []
    for number in numbers:
        if code not in {one.mutant.code for one in possible(plan, number)}:
            continue
        run, said = told(material, plant_mistake(plan, number, code))
        outcome = backward(run, run.plan)
        assert set(said["wrong"]) == outcome.wrong()
        if not said["wrong"]:
            assert not untrue(said["outcome"], run, outcome), said["outcome"]
            reasons.append(said["outcome"])
    assert any(words in reason for reason in reasons), reasons


def test_a_difference_that_is_multiplied_by_zero_later_is_said_to_end_there() -> None:
    source = "h = torch.softmax(((x @ W + b) * m).tanh(), 1)\nloss = (h * h).sum()"
    tensors = {
        "x": given([[0.3, -0.2]]),
        "W": given(SYMMETRIC),
        "b": given([0.1, 0.2]),
        "m": given([0.0, 0.0], "target"),
    }
    material = material_of(program(source, "float64", **tensors))
    plan = planned(material)
    number, line = next((number, line) for number, line in enumerate(plan.lines) if line.inner)
    run, said = told(material, plant(plan, number, f"{line.variable} = torch.full_like(h, 7.0)"))
    assert said["wrong"] == []
    assert said["outcome"].startswith(f"It changes `{line.variable}` by up to 7,")
    assert not untrue(said["outcome"], run, backward(run, run.plan))


def test_a_line_of_one_s_own_has_neither_a_name_nor_a_reason() -> None:
    material, plan = plan_for("makemore-mlp")
    number = next(i for i, line in enumerate(plan.lines) if line.variable == "dcounts_sum_inv")
    run, said = told(material, plant(plan, number, "counts * dprobs"))
    assert (said["mistake"], said["label"], said["why"]) == (None, "", "")
    assert said["code"] == "dcounts_sum_inv = counts * dprobs"
    assert said["right"] == plan.lines[number].code
    assert said["outcome"] == "That gives (32, 27); it must be (32, 1)."
    assert said["step"] == run.plan.first_backward + number
    assert said["wrong"][0] == "dcounts_sum_inv"


def test_what_a_planted_line_leaves_out_is_not_said_to_arrive() -> None:
    plan = planned(material_of({"lesson": "makemore-mlp"}))
    number = next(place for place, line in enumerate(plan.lines) if line.variable == "dhpreact")
    for code, arrives in (("missing-upstream", None), ("missing-local", "dh")):
        planted = plant_mistake(plan, number, code)  # its steps are there as long as it is
        steps = steps_of(planted)
        assert steps.parts[number]["arrives"] == arrives
        assert any("`dh` arrives" in said["text"] for said in steps.backward[number]["explanation"]) == (
            arrives is not None
        )


def test_behind_a_line_of_another_shape_the_lines_are_drawn_with_what_arrives_there() -> None:
    wanted = program("h = x * w\nloss = h.sum()", x=[[1.0, 2.0, 3.0]] * 4, w=[1.0, -2.0, 0.5])
    run = new_run(wanted | {"plant": {"step": 3, "code": "dh = torch.ones_like(x)[:1]"}})
    for number in (2, 3):  # dx = w * dh, and dw = (x * dh).sum(0)
        drawn = drawings_of(run.plan).pictures[number]
        assert drawn is not None
        (arriving,) = [operand for operand in drawn.operands if operand.role == "arrives"]
        assert arriving.shape == tuple(run.gradients["dh"].shape) == (1, 3)
