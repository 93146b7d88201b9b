"""What an answer is, by its numbers: the truth up to a factor, some of its paths, or a line with one mistake in it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import torch

from backend.interpret.evaluate import DefaultDtype, Evaluator
from backend.language.errors import Refusal
from backend.language.pytree import with_tensors
from backend.language.tree import names_in
from backend.language.unparse import printed
from backend.mistakes.library import Mutant
from backend.ops.compose import transposed
from backend.practice.answer import Answer
from backend.practice.factor import Factor, named, ratio
from backend.practice.judge import ZERO, Judged, agrees, distance, same
from backend.practice.reply import DiagnosisCode
from backend.practice.trial import ARRIVING, Case, largest, text_of

# Paths beyond this many aren't tried in all combinations.
MOST_PATHS = 5
Values = Callable[[Case], "torch.Tensor | None"]


@dataclass(frozen=True)
class Match:
    """A hypothesis that computes what the answer computes, on so many cases."""

    code: DiagnosisCode
    hypothesis: str
    label: str = ""
    factor: Factor | None = None
    path: str = ""
    word: str = ""
    matched: int = 0
    of: int = 0


def match_of(found: Judged) -> Match | None:
    """The first hypothesis that equals the answer on every case, else on every instance; the plainest come first."""
    first: Match | None = None
    for look in (
        _by_text,
        _by_factor,
        _by_paths,
        _by_value,
        _by_shape,
        _by_mutants,
        _by_scaled_paths,
        _by_scaled_mutants,
    ):
        for match in look(found):
            if match.matched == match.of:
                return match
            first = first or match
    return first


def luck_of(found: Judged) -> Match | None:
    """The mistake in an answer that is right all the same: with random upstream gradients it is this mutant.

    Where the true gradient is zero, a flipped sign gives zero too. None where no mistake is known that does it: closed
    forms hold for this loss alone and are right. What the loss's own gradient is, 1, may be taken for granted.
    """
    for case, outcome in zip(found.cases, found.outcomes, strict=True):
        value = outcome.value
        if case.trial.kind != ARRIVING or agrees(value, case) or value is None or value.shape != case.truth.shape:
            continue
        if case.arriving == (f"d{case.trial.graph.loss.variable}",) or largest(value) == 0:
            continue
        for place, number, mutant in _mutants(found):
            other = mutated(case, place, number) if mutant.code != "missing-path" else None
            if other is not None and _equal(value, other, case):
                return replace(_match(found, place, mutant), matched=1, of=1)
        times = ratio(value, case.truth)
        if times is not None:
            return Match("scale", f"a multiple of {found.answer.variable}", matched=1, of=1)
    return None


def agreeing(found: Judged, values: Values) -> tuple[int, int] | None:
    """On how many cases of how many the answer is what `values` computes; None unless on all that decide."""
    matched = total = 0
    for case, outcome in zip(found.cases, found.outcomes, strict=True):
        other, decides = values(case), case.trial.kind != ARRIVING
        total += 1
        if outcome.value is None:
            if decides:
                return None
            continue
        if other is not None and _equal(outcome.value, other, case):
            matched += 1
        elif decides:
            return None
    return (matched, total) if matched else None


def _equal(a: torch.Tensor, b: torch.Tensor, case: Case) -> bool:
    return a.shape == b.shape and (same(a, b) or distance(a, b) <= 1e-3 * ZERO * case.scale)


def _counted(found: Judged, match: Match, values: Values) -> Iterator[Match]:
    counts = agreeing(found, values)
    if counts is not None:
        yield replace(match, matched=counts[0], of=counts[1])


def _by_factor(found: Judged) -> Iterator[Match]:
    factor = factor_of(found, _truth)
    if factor is not None:
        name = found.answer.variable
        matched = _matched(found, _truth)
        yield Match(code_of(factor), f"{factor.text} * {name}", factor=factor, matched=matched, of=len(found.cases))


def _truth(case: Case) -> torch.Tensor:
    return case.truth


def _matched(found: Judged, values: Values) -> int:
    """On how many cases the answer is what `values` computes, up to one factor."""
    every = zip(found.cases, found.outcomes, strict=True)
    return sum(o.value is not None and (v := values(c)) is not None and ratio(o.value, v) is not None for c, o in every)


def factor_of(found: Judged, values: Values) -> Factor | None:
    """The factor between the answer and what `values` computes, on all cases that decide."""
    cases = [case for case in found.cases if case.trial.kind != ARRIVING]
    ratios: list[float | None] = []
    for case, outcome in zip(cases, found.outcomes, strict=False):
        other = values(case)
        if outcome.value is None or other is None or largest(other) <= 1e-3 * ZERO * case.scale:
            return None
        ratios.append(ratio(outcome.value, other))
        if ratios[-1] is None:
            return None
    return named(ratios, cases, found.cases[0])


def code_of(factor: Factor) -> DiagnosisCode:
    """The mistake that a factor is."""
    return "sign" if factor.text == "-1" else "bessel" if factor.is_bessel else "scale"


def _by_paths(found: Judged) -> Iterator[Match]:
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
        through = [line.through.node.variable for i in missing if (line := lines[i]).through]
        overwritten = kept == tuple(range(count - len(kept), count)) and _overwrites(found.answer, len(kept))
        code: DiagnosisCode = "overwritten-path" if overwritten else "missing-path"
        hypothesis = " and ".join(lines[i].code.split("\n")[-1] for i in kept)
        match = Match(code, hypothesis, path=", ".join(f"`{name}`" for name in dict.fromkeys(through)))
        yield from _counted(found, match, partial(_sum, kept=kept))


def _overwrites(answer: Answer, kept: int) -> bool:
    """Whether an answer that ends with the last paths alone wrote `=` over the others."""
    plain = [isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) for one in answer.assignments()]
    return any(plain[1:]) or (any(plain) and kept == 1)


def _sum(case: Case, kept: tuple[int, ...]) -> torch.Tensor:
    total = case.paths[kept[0]]
    for i in kept[1:]:
        total = total + case.paths[i]
    return total


def _by_value(found: Judged) -> Iterator[Match]:
    """The tensor itself, where its gradient is asked for."""
    name = found.answer.variable[1:]
    yield from _counted(found, Match("forward-value", name), lambda case: _tensor(case.scope.get(name)))


def _tensor(value: Any) -> torch.Tensor | None:
    return value if isinstance(value, torch.Tensor) and value.is_floating_point() else None


def _by_shape(found: Judged) -> Iterator[Match]:
    """The right numbers in another shape: turned, with an axis too many or too few, or not yet summed."""
    name, truth = found.answer.variable, found.cases[0].truth
    shown = found.shown.value
    if shown is None or (shown.shape == truth.shape and truth.ndim < 2):
        return
    if shown.shape == truth.shape[::-1] and truth.ndim == 2:
        yield from _counted(
            found, Match("transposed", printed(transposed(ast.Name(name, ast.Load())))), lambda case: case.truth.T
        )
    if shown.shape == truth.shape:
        return
    if shown.numel() == truth.numel() and _long(shown) == _long(truth):
        match = Match("keepdim", f"{name}.reshape({tuple(shown.shape)})")
        yield from _counted(found, match, lambda case: _reshaped(case.truth, _value(found, case).shape))
    yield from _unsummed(found, name)


def _value(found: Judged, case: Case) -> torch.Tensor:
    made = found.outcomes[found.cases.index(case)].value
    return case.truth if made is None else made


def _reshaped(tensor: torch.Tensor, shape: torch.Size) -> torch.Tensor | None:
    return tensor.reshape(shape) if tensor.numel() == shape.numel() else None


def _long(tensor: torch.Tensor) -> list[int]:
    return [length for length in tensor.shape if length > 1]


def _unsummed(found: Judged, name: str) -> Iterator[Match]:
    """An answer that gives the truth once it is summed to its shape."""
    matched = 0
    for case, outcome in zip(found.cases, found.outcomes, strict=True):
        if outcome.value is None or outcome.value.ndim < case.truth.ndim or outcome.value.numel() <= case.truth.numel():
            return
        try:
            summed = outcome.value.sum_to_size(case.truth.shape)
        except RuntimeError:
            return
        if _equal(summed, case.truth, case):
            matched += 1
        elif case.trial.kind != ARRIVING:
            return
    yield Match("missing-sum", f"{name} before its sum", matched=matched, of=len(found.cases))


def _by_text(found: Judged) -> Iterator[Match]:
    """The mutant that the answer is letter by letter: of several that compute the same, this one was meant."""
    place, number = found.cases[0].texts.get(text_of(found.answer.statements), (0, -1))
    if number >= 0 and _is_meant(found, mutant := found.cases[0].mutants[place][number]):
        yield from _counted(found, _match(found, place, mutant), partial(mutated, place=place, number=number))


def _match(found: Judged, place: int, mutant: Mutant) -> Match:
    text = mutant.source.split("\n")[-1]
    return Match(mutant.code, text, mutant.label, word=mutant.word, path=_path(found, place))


def _by_mutants(found: Judged) -> Iterator[Match]:
    for place, number, mutant in _mutants(found):
        yield from _counted(found, _match(found, place, mutant), partial(mutated, place=place, number=number))


def _by_scaled_mutants(found: Judged) -> Iterator[Match]:
    for place, number, mutant in _mutants(found):
        if mutant.code in ("sign", "scale", "bessel"):
            continue
        factor = factor_of(found, partial(mutated, place=place, number=number))
        if factor is not None and factor.text != "1":
            matched = _matched(found, partial(mutated, place=place, number=number))
            if matched < len(found.cases):
                continue
            text = mutant.source.split("\n")[-1]
            yield Match(mutant.code, text, mutant.label, factor, word=mutant.word, matched=matched, of=len(found.cases))


def _by_scaled_paths(found: Judged) -> Iterator[Match]:
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
            text, path = f"{factor.text} times what comes by `{_path(found, place)}`", _path(found, place)
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


def _path(found: Judged, place: int) -> str:
    through = found.cases[0].lines[place].through
    return through.node.variable if through and len(found.cases[0].paths) > 1 else ""


def _mutants(found: Judged) -> Iterator[tuple[int, int, Mutant]]:
    """The mutants of every line of the gradient, by the line's place and their own number."""
    for place, several in enumerate(found.cases[0].mutants):
        for number, mutant in enumerate(several):
            if _is_meant(found, mutant):
                yield place, number, mutant


def _is_meant(found: Judged, mutant: Mutant) -> bool:
    """Whether the mistake can be made here: no path is missing where there is one alone."""
    return mutant.code != "missing-path" or len(found.cases[0].mutants) > 1


def mutated(case: Case, place: int, number: int) -> torch.Tensor | None:
    """The gradient on a case when one of its lines is a mutant; None where torch refuses that."""
    key = (place, number)
    if key not in case.mutated:
        case.mutated[key] = _mutated(case, place, number)
    return case.mutated[key]


def _mutated(case: Case, place: int, number: int) -> torch.Tensor | None:
    if place >= len(case.mutants) or number >= len(case.mutants[place]):
        return None
    mutant = case.mutants[place][number]
    evaluator = Evaluator(with_tensors_copied(case, mutant))
    try:
        with torch.no_grad(), DefaultDtype(case.trial.precision):
            for i, line in enumerate(case.lines):
                for statement in mutant.statements if i == place else line.statements:
                    evaluator.statement(statement)
    except (Refusal, RuntimeError):
        return None
    return _tensor(evaluator.scope.get(case.variable))


def with_tensors_copied(case: Case, mutant: Mutant) -> dict[str, object]:
    """The scope in which a gradient's lines run, with copies of what they read: a mutant may change it in place."""
    scope = {name: value for name, value in case.scope.items() if name != case.variable}
    statements = [*mutant.statements, *(statement for line in case.lines for statement in line.statements)]
    if len(case.lines) > 1:
        read = {word for statement in statements for word in names_in(statement)}
        scope |= {name: with_tensors(scope[name], torch.clone) for name in read & scope.keys()}
    return scope
