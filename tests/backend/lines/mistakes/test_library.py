"""The library of mistakes: what each backward line of real programs becomes with one mistake in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest
import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.pytree import as_tensor, with_tensors
from backend.lines.equations.names import names_of
from backend.lines.mistakes.library import Mutant, mutants_of
from backend.pipeline import new_run
from backend.program.runs import Run
from backend.program.starts import starts

MASKED = {
    "source": "k = (x * x + x) / x\nm = k.clamp(min=-0.5, max=0.5)\nr = torch.relu(m - 0.1)\nloss = (m * r).sum() / 2",
    "tensors": {"x": {"role": "parameter", "shape": [3, 2], "init": "randn", "seed": 3}},
}
PROGRAMS = {start["name"]: start["request"] for start in starts()} | {
    "makemore-mlp": {"lesson": "makemore-mlp"},
    "masked": MASKED,
}


@cache
def run_of(name: str) -> Run:
    return new_run(PROGRAMS[name])


@cache
def mutants(name: str) -> list[list[Mutant]]:
    plan = run_of(name).plan
    names = names_of(plan)
    return [mutants_of(line, names, plan.lines) for line in plan.lines]


def of_line(code: str, name: str = "makemore-mlp") -> dict[str, str]:
    """The codes of a line's mutants, by their last statement."""
    lines = run_of(name).plan.lines
    number = next(i for i, line in enumerate(lines) if line.code.startswith(code))
    return {mutant.source.split("\n")[-1]: mutant.code for mutant in mutants(name)[number]}


@pytest.mark.parametrize(
    ("line", "mutant", "code"),
    [
        ("dprobs =", "dprobs = 1 / probs", "missing-upstream"),
        ("dprobs =", "dprobs = dlogprobs", "missing-local"),
        ("dprobs =", "dprobs = probs", "forward-value"),
        ("dprobs =", "dprobs = logprobs / probs", "wrong-tensor"),
        ("dprobs =", "dprobs = -dlogprobs / probs", "sign"),
        ("dcounts_sum_inv =", "dcounts_sum_inv = counts * dprobs", "missing-sum"),
        ("dcounts_sum_inv =", "dcounts_sum_inv = (counts * dprobs).sum(0, keepdim=True)", "wrong-axis"),
        ("dcounts_sum_inv =", "dcounts_sum_inv = (counts * dprobs).sum(1)", "keepdim"),
        ("dcounts_sum_inv =", "dcounts_sum_inv = (counts * dprobs).mean(1, keepdim=True)", "scale"),
        ("dcounts +=", "dcounts = torch.ones_like(counts) * dcounts_sum", "overwritten-path"),
        ("dcounts +=", "dcounts += torch.zeros_like(counts)", "missing-path"),
        ("dlogits =", "dlogits = dnorm_logits", "aliasing"),
        ("dW2 =", "dW2 = dlogits.T @ h", "transposed"),
        ("dW2 =", "dW2 = h @ dlogits", "transposed"),
        ("dhpreact =", "dhpreact = (1.0 - hpreact**2) * dh", "wrong-tensor"),
        ("dbndiff2 =", "dbndiff2 = 1/n * dbnvar * torch.ones_like(bndiff2)", "bessel"),
        ("dbndiff +=", "dbndiff += bndiff * dbndiff2", "scale"),
        ("dC =", "dC = torch.zeros_like(C).index_put((Xb,), demb, accumulate=False)", "overwritten-path"),
        ("dlogprobs =", "dlogprobs[range(n), Yb] = -dloss", "scale"),
    ],
)
def test_a_mistake_that_people_make_is_among_them(line: str, mutant: str, code: str) -> None:
    assert of_line(line)[mutant] == code


def everything() -> Iterator[tuple[Run, int, Mutant]]:
    for name in PROGRAMS:
        for number, several in enumerate(mutants(name)):
            yield from ((run_of(name), number, mutant) for mutant in several)


def test_every_mutant_reads_as_the_language_and_says_what_it_changed() -> None:
    for run, number, mutant in everything():
        line = run.plan.lines[number]
        assert ast.unparse(ast.parse(mutant.source))
        assert mutant.source != line.code, mutant
        assert mutant.word != mutant.instead, mutant
        assert mutant.label.endswith("."), mutant
        assert mutant.label[0] == "`" or mutant.label[0].isupper(), mutant
        assert mutant.word in line.code or mutant.code in ("scale", "missing-local", "unknown"), (line.code, mutant)


def test_what_is_called_a_gradient_is_one_and_what_is_missing_was_there() -> None:
    for run, number, mutant in everything():
        line = run.plan.lines[number]
        for name in re.findall(r"upstream gradient `(\w+)` alone", mutant.label):
            assert name in run.gradients, (line.code, mutant)
        for gone in re.findall(r"^The (?:factor|local derivative) `([^`]+)` is missing", mutant.label):
            if f"/ {gone}" in line.code and gone not in line.code.replace(f"/ {gone}", ""):
                pytest.fail(f"{line.code} divides by {gone}: {mutant.label}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_that_fits_runs_in_its_line_s_place(name: str) -> None:
    run = run_of(name)
    evaluator = Evaluator({**run.forward.values})
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        for line, several in zip(run.plan.lines, mutants(name), strict=True):
            for mutant in (mutant for mutant in several if mutant.fits):
                tried = Evaluator({name: with_tensors(value, torch.clone) for name, value in evaluator.scope.items()})
                # as a person reads it: a minus before a mask would be the mask's own
                tried.run(ast.parse(mutant.source).body if mutant.code == "sign" else mutant.statements)
                assert as_tensor(tried.scope[line.variable]).shape == line.target.shape, mutant
            evaluator.run(line.statements)
