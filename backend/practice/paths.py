"""Paths mistaken: some of them alone, one with a factor, or one left out further up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import as_tensor, largest_finite
from backend.engine.language.unparse import printed
from backend.engine.language.wording import listed
from backend.lines.mistakes.codes import DiagnosisCode
from backend.practice.factor import named, ratio
from backend.practice.hypothesis import Match, code_of, counted, path_of
from backend.practice.judge import Judged
from backend.practice.trial import ARRIVING, Case

# Paths beyond this many aren't tried in all combinations.
MOST_PATHS = 5
# So many gradients further up, the nearest first, are tried without one of their paths.
MOST_ABOVE = 3


def by_paths(found: Judged) -> Iterator[Match]:
    """Some of the paths alone."""
    count = len(found.cases[0].paths)
    if count < 2:
        return
    lines = found.cases[0].lines
    subsets: list[tuple[int, ...]] = [tuple(j for j in range(count) if j != i) for i in range(count)]
    subsets += [(i,) for i in range(count)]
    if count <= MOST_PATHS:
        subsets += [s for size in range(1, count) for s in combinations(range(count), size)]
    for kept in dict.fromkeys(subsets):
        missing = [i for i in range(count) if i not in kept]
        overwritten = kept == tuple(range(count - len(kept), count)) and overwrites(found)
        code: DiagnosisCode = "overwritten-path" if overwritten else "missing-path"
        hypothesis = " and ".join(printed(lines[i].last) for i in kept)
        match = Match(code, hypothesis, path=_ways([lines[i] for i in missing], [lines[i] for i in kept]))
        yield from counted(found, match, partial(_sum, kept=kept))


def overwrites(found: Judged) -> bool:
    """Whether an answer writes `=` over a path that was there: a blank for the whole gradient holds nothing yet."""
    plain = [isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) for one in found.answer.assignments()]
    return any(plain[1:]) or (found.of_step and any(plain))


def _sum(case: Case, kept: tuple[int, ...]) -> torch.Tensor:
    total = case.paths[kept[0]]
    for i in kept[1:]:
        total = total + case.paths[i]
    return total


def by_scaled_paths(found: Judged) -> Iterator[Match]:
    """All paths, one of them with a factor."""
    cases = found.cases
    for place in range(len(cases[0].paths) if len(cases[0].paths) > 1 else 0):
        ratios, used = list[float | None](), list[Case]()
        for case, outcome in zip(cases, found.outcomes, strict=True):
            if case.trial.kind != ARRIVING and outcome.value is not None and outcome.value.shape == case.truth.shape:
                ratios.append(ratio(outcome.value - (case.truth - case.paths[place]), case.paths[place]))
                used.append(case)
        factor = named(ratios, used, cases[0]) if len(used) == len(found.counted) else None
        if factor is not None:
            line = cases[0].lines[place]
            text, path = f"{factor.text} times what comes by `{path_of(found, place)}`", path_of(found, place)
            matched = len(used) + _holds_for_random(found, place)
            yield Match(code_of(factor), text, line.code, factor, path, matched=matched, of=len(cases))


def _holds_for_random(found: Judged, place: int) -> int:
    """On how many cases with random upstream gradients one path alone has a factor."""
    return sum(
        case.trial.kind == ARRIVING
        and outcome.value is not None
        and outcome.value.shape == case.truth.shape
        and ratio(outcome.value - (case.truth - case.paths[place]), case.paths[place]) is not None
        for case, outcome in zip(found.cases, found.outcomes, strict=True)
    )


def by_paths_above(found: Judged) -> Iterator[Match]:
    """A closed form without a path that a gradient further up has, and perhaps without some of its own."""
    shown, value = found.cases[0], found.shown.value
    if value is None or not largest_finite(value):
        return  # nothing at all is what any path may bring
    for variable in _branching(shown)[:MOST_ABOVE]:
        count = len(shown.trial.numbers_of(variable))
        kept_above = [tuple(j for j in range(count) if j != i) for i in range(count)] + [(i,) for i in range(count)]
        for above in dict.fromkeys(kept_above):
            yield from _without_above(found, variable, above)


def _without_above(found: Judged, variable: str, above: tuple[int, ...]) -> Iterator[Match]:
    shown = found.cases[0]
    count = len(shown.paths)
    lines = [shown.trial.lines[n] for i, n in enumerate(shown.trial.numbers_of(variable)) if i not in above]
    known: dict[int, list[torch.Tensor] | None] = {}

    def values(case: Case, kept: tuple[int, ...]) -> torch.Tensor | None:
        if id(case) not in known:
            known[id(case)] = _paths_without(case, variable, above)
        paths = known[id(case)]
        return None if paths is None or len(paths) < count else torch.stack([paths[i] for i in kept]).sum(0)

    for size in range(min(count, MOST_PATHS), 0, -1):
        for kept in combinations(range(count), size):
            left = [*lines, *(line for i, line in enumerate(shown.lines) if i not in kept)]
            match = Match("missing-path", printed(lines[0].last) if lines else "", path=_ways(left, []))
            yield from counted(found, match, partial(values, kept=kept))


def _branching(case: Case) -> list[str]:
    """The gradients with several paths that this one comes from, the nearest first."""
    lines, found = case.trial.lines, dict[str, None]()
    wanted = {name for number in case.numbers for name in case.trial.gradients_read(lines[number])}
    for line in reversed(lines[: case.numbers[-1]]):
        if line.variable in wanted and line.variable != case.variable:
            wanted |= case.trial.gradients_read(line)
            if len(case.trial.numbers_of(line.variable)) > 1:
                found.setdefault(line.variable)
    return list(found)


def _paths_without(case: Case, variable: str, above: tuple[int, ...]) -> list[torch.Tensor] | None:
    """What each line of a gradient brings when one further up has these of its lines alone."""
    numbers = case.trial.numbers_of(variable)
    if not numbers:
        return None
    kept, brought = [numbers[i] for i in above], list[torch.Tensor]()
    evaluator = Evaluator(dict(case.trial.before[numbers[0]]))
    try:
        with torch.no_grad(), DefaultDtype(case.trial.precision):
            for number, line in enumerate(case.trial.lines[: case.numbers[-1] + 1]):
                if number < numbers[0] or (number in numbers and number not in kept):
                    continue
                held = evaluator.scope.get(line.variable)
                if held is not None and number != kept[0]:
                    evaluator.scope[line.variable] = as_tensor(held).clone()
                if number == kept[0]:
                    evaluator.statement(ast.Assign([ast.Name(variable, ast.Store())], line.expr))
                else:
                    evaluator.run(line.statements)
                if number in case.numbers:
                    now = as_tensor(evaluator.scope[line.variable])
                    brought.append(now if held is None or not brought else now - as_tensor(held))
    except (Refusal, RuntimeError):
        return None
    return brought


def _ways(left: Iterable[Line], kept: Iterable[Line]) -> str:
    """`a` and `b` as well, or `a` more than once, where a path that is kept comes through it already."""
    names, known = _through(left), _through(kept)
    again = listed([f"`{name}`" for name in names if name in known])
    other = listed([f"`{name}`" for name in names if name not in known])
    return " and ".join([*([f"{other} as well"] if other else []), *([f"{again} more than once"] if again else [])])


def _through(lines: Iterable[Line]) -> list[str]:
    return list(dict.fromkeys(line.through.node.variable for line in lines if line.through))
