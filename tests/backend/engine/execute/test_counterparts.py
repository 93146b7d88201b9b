"""Steps of one plan in another: the same line of the same gradient, wherever it stands there."""

from __future__ import annotations

import pytest

from backend.engine.execute.counterparts import counterparts
from backend.pipeline import new_run
from tests.support.programs import BY_NAME, load, run_for


@pytest.mark.parametrize(
    ("name", "cut"), [("makemore", "hpreact"), ("makemore", "logits"), (next(iter(BY_NAME)), None)]
)
def test_a_step_is_found_by_its_line_and_what_is_cut_is_not(name: str, cut: str | None) -> None:
    before = run_for(name)
    cut = cut or before.plan.graph.chunks[0].node.variable
    request = {"lesson": "makemore-mlp"} if name == "makemore" else load(BY_NAME[name])
    after = new_run({**request, "changes": [{"tensor": cut, "scale": 1.0}]})
    plan, other, lost = before.plan, after.plan, 0
    for index, place in enumerate(counterparts(plan, other)):
        if place is None:
            lost += 1
        elif index < plan.first_backward:
            assert plan.graph.chunks[index].node.variable == other.graph.chunks[place].node.variable
        else:
            one, same = plan.lines[index - plan.first_backward], other.lines[place - other.first_backward]
            assert (one.variable, one.mode, one.code) == (same.variable, same.mode, same.code)
    steps = plan.first_backward + len(plan.lines)
    assert lost == steps - (other.first_backward + len(other.lines)) > 0


def test_a_plan_s_own_steps_are_themselves() -> None:
    plan = run_for("makemore").plan
    assert counterparts(plan, plan) == list(range(plan.first_backward + len(plan.lines)))
