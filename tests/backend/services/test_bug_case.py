"""Find the bug: what a seed draws can be found, shows in training, and is what it is said to be."""

from __future__ import annotations

import math
from collections import Counter

import pytest
import torch

from backend.engine.execute.planted_text import read_line
from backend.engine.execute.run import recorded, run_backward
from backend.engine.verify.compare import verify
from backend.lines.mistakes.choices import WORDED
from backend.pipeline import run_of
from backend.services.bug_case import NETWORKS, STEPS, WORSE, Case, case_of

SEEDS = range(60)
MOST_ALIKE = 12  # of sixty draws


def of_each(seeds: range) -> list[tuple[str, int]]:
    return [(name, seed) for name in NETWORKS for seed in seeds]


def off(case: Case) -> set[str]:
    """The gradients that are off by more than rounding, both sides computed here in float64."""
    plan, tensors = case.run.plan, case.run.material.tensors
    values, autograd = recorded(plan.graph, tensors, torch.float64)
    lines = [*case.origin.lines]
    lines[case.number] = read_line(case.origin, case.number, case.mutant.source)
    printed = run_backward(lines, values, torch.float64).gradients
    largest = max(float(one.abs().max()) for one in autograd.values())
    return {
        name
        for name, right in autograd.items()
        if float((printed["d" + name] - right).abs().max()) > 1e-7 * float(right.abs().max()) + 1e-12 * largest
    }


def check(name: str, seed: int) -> Case:
    """A verdict may call wrong what nearly cancels, too; what is off is wrong by it, and something is."""
    case = case_of(name, seed)
    line = case.run.plan.lines[case.number]
    wrong = {one for one, verdict in verify(case.run).items() if verdict.level == "wrong"}
    assert set() != off(case) <= wrong
    if line.target.variable in case.run.forward.autograd:
        assert line.target.variable in wrong, "the gradient that the wrong line makes is wrong itself"
    above = {one.variable.removeprefix("d") for one in case.run.plan.lines[: case.number]} - {line.target.variable}
    below = {one.variable.removeprefix("d") for one in case.run.plan.lines[case.number :]}
    assert not wrong & (above - below), "nothing above the wrong line is wrong"
    assert line.code == case.mutant.source != case.origin.lines[case.number].code
    others = [one.code for at, one in enumerate(case.run.plan.lines) if at != case.number]
    assert others == [one.code for at, one in enumerate(case.origin.lines) if at != case.number]
    gained = case.right[0] - case.right[-1]
    assert gained > 0
    assert len(case.right) == STEPS + 1
    assert not math.isfinite(case.wrong[-1]) or case.wrong[-1] - case.right[-1] >= WORSE * gained
    assert case.mutant.code in WORDED
    return case


@pytest.mark.parametrize(("name", "seed"), of_each(range(1)))
def test_a_drawn_bug_can_be_found(name: str, seed: int) -> None:
    check(name, seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NETWORKS)
def test_every_one_of_sixty_can_be_found(name: str) -> None:
    """Sixty seeds of each network; they draw different lines, and no kind of mistake alone."""
    cases = [check(name, seed) for seed in SEEDS]
    drawn = Counter((case.number, case.mutant.source) for case in cases)
    assert max(drawn.values()) <= MOST_ALIKE, drawn
    assert len({case.number for case in cases}) >= 8
    assert len({case.mutant.code for case in cases}) >= 3


def test_a_seed_draws_the_same_one_again() -> None:
    drawn = [case_of("digits", 3)]
    case_of.cache_clear()
    drawn.append(case_of("digits", 3))
    assert drawn[0].number == drawn[1].number
    assert drawn[0].mutant.source == drawn[1].mutant.source
    assert drawn[0].wrong == drawn[1].wrong


def test_a_right_line_would_not_be_drawn() -> None:
    """The same run without a mistake has nothing to be found."""
    run = run_of({"lesson": NETWORKS["digits"].lesson})
    assert all(verdict.level != "wrong" for verdict in verify(run).values())
