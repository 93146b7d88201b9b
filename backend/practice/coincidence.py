"""What is right by luck: with other numbers arriving it would not be."""

from __future__ import annotations

from dataclasses import replace

import torch

from backend.engine.language.pytree import largest_finite
from backend.practice.answer import run_answer
from backend.practice.factor import Factor, named, ratio
from backend.practice.hypothesis import Match, code_of, equal
from backend.practice.judge import Judged, agrees, at_sizes
from backend.practice.match import match_with, mutants_in, mutated
from backend.practice.trial import ARRIVING, Case, with_random_arriving

SEED = 20_250_202


def luck_of(found: Judged) -> Match | None:
    """The mistake in an answer that is right all the same: with random upstream gradients it is this mutant.

    Where the true gradient is zero, a flipped sign gives zero too. None where no mistake is known that does it: closed
    forms hold for this loss alone and are right. What the loss's own gradient is, 1, may be taken for granted.
    """
    for case, outcome in zip(found.cases, found.outcomes, strict=True):
        value = outcome.value
        if case.trial.kind != ARRIVING or agrees(value, case) or value is None or value.shape != case.truth.shape:
            continue
        if case.arriving == (f"d{case.trial.graph.loss.variable}",) or largest_finite(value) == 0:
            continue
        for place, number, mutant in mutants_in(found):
            other = mutated(case, place, number) if mutant.code != "missing-path" else None
            if other is not None and equal(value, other, case):
                return replace(match_with(found, place, mutant), matched=1, of=1)
        factor = _factor(found, case, value)
        if factor is not None:
            text = f"{factor.text} * {found.answer.variable}"
            return Match(code_of(factor), text, factor=factor, matched=1, of=1)
    return None


def _factor(found: Judged, case: Case, value: torch.Tensor) -> Factor | None:
    """The factor by which an answer misses a random gradient: a length at two different sizes, or a number."""
    shown = found.cases[0]
    other = with_random_arriving(shown.trial, shown.variable, shown.numbers.index(shown.numbers[-1]), SEED)
    if other is None:
        return None
    there = run_answer(at_sizes(found.answer, other, shown), other.scope, other.trial.precision).value
    ratios = [ratio(value, case.truth), None if there is None else ratio(there, other.truth)]
    return named(ratios, [case, other], shown)
