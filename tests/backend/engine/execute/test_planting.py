"""A line in the place of another: what comes after it runs with what it makes, and nothing else is touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

import backend
from backend.engine.execute.planting import line_number, plant
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import caught
from backend.engine.verify.compare import verify
from backend.lines.mistakes.planting import plant_mistake, possible
from backend.pipeline import material_of, new_run, planned
from backend.program.runs import Run, execute
from tests.support.asking import whole

LESSON: dict[str, Any] = {"lesson": "makemore-mlp"}
STEP = 24  # that of dcounts_sum_inv
RIGHT = "dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)"
LOOP = """dcounts_sum_inv = torch.zeros(n, 1)
for i in range(27):
    dcounts_sum_inv[:, 0] += counts[:, i] * dprobs[:, i]"""


def with_code(code: str, step: int = STEP, **more: Any) -> Run:
    return new_run({**LESSON, **more, "plant": {"step": step, "code": code}})


def levels(run: Run) -> dict[str, str]:
    return {name: verdict.kind if verdict.kind == "lost" else verdict.level for name, verdict in verify(run).items()}


@pytest.fixture(scope="module")
def right() -> Run:
    return new_run(LESSON)


@pytest.mark.parametrize(
    "code",
    [RIGHT, "(counts * dprobs).sum(1, keepdim=True)", LOOP, f"t = counts * dprobs\n{RIGHT.replace('(counts * dprobs)', 't')}"],
    ids=["the line", "its expression", "a loop", "two lines"],
)  # fmt: skip
def test_the_right_line_in_other_words_changes_nothing(code: str, right: Run) -> None:
    run = with_code(code)
    assert set(levels(run).values()) <= {"exact", "approximate", "rule", "residue", "zero"}
    for name, gradient in right.gradients.items():
        torch.testing.assert_close(run.gradients[name], gradient, msg=name)


def test_a_mistake_reaches_what_comes_after_it_and_nothing_before(right: Run) -> None:
    run = with_code(f"dcounts_sum_inv = 2 * {RIGHT.partition(' = ')[2]}")
    found = levels(run)
    assert torch.equal(run.gradients["dcounts_sum_inv"], 2 * right.gradients["dcounts_sum_inv"])
    assert torch.equal(run.gradients["dcounts_sum"], 2 * right.gradients["dcounts_sum"])
    assert {found[name] for name in ("counts_sum_inv", "counts_sum", "counts", "W1", "C")} == {"wrong"}
    assert {found[name] for name in ("loss", "logprobs", "probs")} == {"exact"}
    assert run.plan.backward_source.count("\n") == right.plan.backward_source.count("\n")


def test_values_and_the_plan_that_is_kept_stay_as_they_are(right: Run) -> None:
    values = {name: tensor.clone() for name, tensor in right.forward.tensors.items()}
    source = planned(right.material).backward_source
    # what is written in place into a value, or into a second name of it, must not reach the walk's own
    run = with_code("t = counts\nt += 1\ndcounts_sum_inv = t[:, :1] * 1\ndcounts_sum_inv *= 3")
    assert levels(run)["counts_sum_inv"] == "wrong"
    for name, tensor in run.forward.tensors.items():
        assert torch.equal(tensor, values[name]), name
    assert planned(right.material).backward_source == source
    assert set(levels(new_run(LESSON)).values()).isdisjoint({"wrong", "shape", "lost"})


def test_a_shape_that_does_not_fit_later_is_one_verdict_and_the_rest_is_not_computed() -> None:
    run = with_code("dcounts_sum_inv = (counts * dprobs).sum(1)")
    found = levels(run)
    assert (found["counts_sum_inv"], found["counts_sum"], found["counts"], found["C"]) == (
        "shape",
        "shape",
        "lost",
        "lost",
    )
    assert found["probs"] == "exact"
    assert run.lost["dcounts"].startswith("`*` doesn't fit shapes (32, 27) and (32, 32).")
    assert run.lost["dnorm_logits"] == "It needs `dcounts`, which could not be computed."
    assert run.gradients["dC"].shape == (27, 10)
    assert run.gradients["dC"].isnan().all()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("dcounts_sum_inv = counts @ dprobs", "`@` doesn't fit"),
        ("dcounts_sum_inv += counts", "isn't defined"),
        ("dcounts_sum_inv = (counts, dprobs)", "something other than a tensor"),
        ("dcounts_sum_inv = torch.zeros(100000, 100000)", "(100000, 100000)"),
        ("dcounts_sum_inv = counts[99999]", ""),
    ],
)
def test_a_line_that_cannot_be_run_is_lost_itself(code: str, why: str) -> None:
    run = with_code(code)
    assert levels(run)["counts_sum_inv"] == "lost"
    assert why in run.lost["dcounts_sum_inv"], run.lost["dcounts_sum_inv"]
    assert levels(run)["probs"] == "exact"


@pytest.mark.parametrize(
    "code", ["dcounts_sum_inv = 1.0", "dcounts_sum_inv = Xb[:, :1]", "dcounts_sum_inv = counts > 0.5"]
)
def test_numbers_of_other_kinds_become_those_of_the_walk(code: str) -> None:
    run = with_code(code)
    assert run.gradients["dcounts_sum_inv"].dtype is torch.float32
    assert levels(run)["counts_sum_inv"] in ("wrong", "shape")


@pytest.mark.parametrize(
    ("code", "refused", "text"),
    [
        ("dcounts_sum_inv = (", "syntax", "("),
        ("import os", "import", "import os"),
        ("dcounts_sum_inv = __import__('os')", "name-underscore", "__import__"),
        ("dcounts_sum_inv = counts.tolist()", "function-unlisted", "counts.tolist"),
        ("dcounts_sum_inv = torch.autograd.grad(loss, counts)", "autograd-in-answer", "torch.autograd.grad"),
        ("dcounts_sum_inv = nowhere * dprobs", "name-unknown", "nowhere"),
        ("dcounts_sum_inv = coutns * dprobs", "name-near", "coutns"),
        ("dcounts_sum_inv = dcounts_sum * 1", "plant-later", "dcounts_sum"),
        ("dcounts_sum_inv = dcounts_sum_inv * 2", None, None),
        ("dprobs *= 2\ndcounts_sum_inv = dprobs", "plant-writes", "dprobs *= 2"),
        ("counts[0] = 1\ndcounts_sum_inv = counts", "plant-writes", "counts[0] = 1"),
        ("for n in range(3):\n    dcounts_sum_inv = counts", "plant-writes", "for n in range(3):"),
        ("dcounts = counts", "plant-writes", "dcounts = counts"),
        ("t = counts", "plant-target", None),
    ],
)  # fmt: skip
def test_what_is_no_line_for_this_place_is_refused_with_its_place(code: str, refused: Any, text: Any) -> None:
    if refused is None:
        return assert_lost(code)
    with pytest.raises(Refusal) as found:
        with_code(code)
    assert found.value.code == refused
    assert (found.value.where or {}).get("text") == text
    return None


def assert_lost(code: str) -> None:
    """A gradient that reads itself before it is there: Python stops with a NameError."""
    assert "isn't defined" in with_code(code).lost["dcounts_sum_inv"]


def test_steps_are_counted_as_in_the_walk() -> None:
    plan = planned(material_of(LESSON))
    assert plan.lines[line_number(plan, STEP)].code == RIGHT
    for step in (0, 19, 51):
        with pytest.raises(Refusal) as found:
            line_number(plan, step)
        assert found.value.code == "plant-no-line"
        assert "20 to 50" in found.value.hint


def test_a_mistake_goes_by_its_name_and_only_where_it_is_possible() -> None:
    plan = planned(material_of(LESSON))
    number = line_number(plan, STEP)
    codes = [choice.mutant.code for choice in possible(plan, number)]
    assert codes == ["missing-sum", "wrong-axis", "keepdim", "missing-local", "missing-upstream", "sign", "scale"]
    assert plant_mistake(plan, number, "missing-sum").lines[number].code == "dcounts_sum_inv = counts * dprobs"
    with pytest.raises(Refusal) as found:
        plant_mistake(plan, number, "overwritten-path")
    assert "missing-sum" in found.value.hint


def test_it_goes_with_changes_and_the_same_request_has_the_same_answer() -> None:
    request = {**LESSON, "changes": [{"tensor": "b2", "index": [5], "value": 2.0}]}
    planted = request | {"plant": {"step": STEP, "mistake": "sign"}}
    plain, wrong = new_run(request), new_run(planted)
    name = "dcounts_sum_inv"
    assert torch.equal(wrong.gradients[name], -plain.gradients[name])
    assert not torch.equal(new_run(LESSON).gradients[name], plain.gradients[name])
    first, again = (whole(planted) for _ in range(2))
    assert first["id"] == again["id"] != json.loads(backend.walk(request))["id"]
    for one in (first, again):
        del one["summary"]["milliseconds"]
    assert first == again


def test_helper_lines_that_later_lines_read_stay() -> None:
    """`x_tanh = …` stands before one line and is read by the next too."""
    values = {"role": "parameter", "values": [0.5, -1.0]}
    source = "y = torch.tanh(x * 2 + 1) * m\nloss = (y * y).sum()"
    material = material_of({"source": source, "tensors": {"x": values, "m": values}})
    plan = planned(material)
    number = next(i for i, line in enumerate(plan.lines) if len(line.statements) > 1)
    line = plan.lines[number]
    run = execute(plant(plan, number, line.code.split("\n")[-1].replace("= ", "= 2 * ", 1).replace(
        "x_tanh", "torch.tanh(x * 2 + 1)")), material)  # fmt: skip
    assert run.lost == {}


def test_nothing_unforeseen_happens_on_the_way() -> None:
    before = dict(caught)
    for code in (LOOP, "dcounts_sum_inv = counts @ dprobs", "dcounts_sum_inv = 1.0", "dcounts_sum_inv = (counts, 1)"):
        whole({**LESSON, "plant": {"step": STEP, "code": code}})
    assert dict(caught) == before
