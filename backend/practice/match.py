"""What an answer is, by its numbers: the truth up to a factor, some of its paths, or a line with one mistake in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.pytree import with_tensors
from backend.engine.language.tree import names_in
from backend.engine.language.unparse import printed
from backend.engine.ops.compose import transposed
from backend.lines.mistakes.library import Mutant
from backend.practice.answer import read_by, run_answer
from backend.practice.hypothesis import Match, code_of, counted, equal, factor_of, matched_in, path_of, tensor_of
from backend.practice.judge import Judged, at_sizes
from backend.practice.paths import by_paths, by_paths_above, by_scaled_paths, overwrites
from backend.practice.trial import ARRIVING, Case, source_of

WORD = re.compile(r"\w+")


def match_of(found: Judged, looks: Sequence[Look] | None = None) -> Match | None:
    """The first hypothesis that equals the answer on every case, else on every instance; the plainest come first."""
    first: Match | None = None
    for look in looks or LOOKS:
        if first is not None and look in UP_TO_A_FACTOR:
            continue  # what is the answer as it stands says more than what is so up to some number
        for match in look(found):
            if match.matched == match.of:
                return match
            first = first or match
    return first


def _by_factor(found: Judged) -> Iterator[Match]:
    for one in (found, _with_all_sizes(found)):
        factor = factor_of(one, _truth)
        if factor is not None:
            name, matched = found.answer.variable, matched_in(one, _truth)
            yield Match(code_of(factor), f"{factor.text} * {name}", factor=factor, matched=matched, of=len(one.cases))
            return


def _with_all_sizes(found: Judged) -> Judged:
    """The answer with every number that is a size of the shown instance read as one."""
    shown = found.cases[0]
    adapted = [at_sizes(found.answer, case, shown, everything=True) for case in found.cases]
    ran = [
        outcome if one is found.answer else run_answer(one, case.scope, case.trial.precision)
        for one, case, outcome in zip(adapted, found.cases, found.outcomes, strict=True)
    ]
    return replace(found, outcomes=ran)


def _truth(case: Case) -> torch.Tensor:
    return case.truth


def _by_value(found: Judged) -> Iterator[Match]:
    """The tensor itself, where its gradient is asked for."""
    name = found.answer.variable[1:]
    yield from counted(found, Match("forward-value", name), partial(_in_scope, name=name))


def _in_scope(case: Case, name: str) -> torch.Tensor | None:
    return tensor_of(case.scope.get(name))


def _by_steps(found: Judged) -> Iterator[Match]:
    """A gradient on its way, which the printed lines keep under a name of its own: the last rule is missing."""
    shown = found.cases[0]
    inner = {line.variable for line in shown.trial.lines if line.inner}
    for name in sorted({one for line in shown.lines for one in shown.trial.gradients_read(line)} & inner):
        told = "This gradient is still on its way: its last step is missing."
        match = Match("missing-local", name, told, word=name)
        yield from counted(found, match, partial(_in_scope, name=name))


def _by_shape(found: Judged) -> Iterator[Match]:
    """The right numbers in another shape: turned, with an axis too many or too few, or not yet summed."""
    name, truth = found.answer.variable, found.cases[0].truth
    shown = found.shown.value
    if shown is None or (shown.shape == truth.shape and truth.ndim < 2):
        return
    if shown.shape == truth.shape[::-1] and truth.ndim == 2:
        yield from counted(found, Match("transposed", printed(transposed(expression(name)))), lambda case: case.truth.T)
    if shown.shape == truth.shape:
        return
    if shown.numel() == truth.numel() and _long(shown) == _long(truth):
        match = Match("keepdim", f"{name}.reshape({tuple(shown.shape)})")
        yield from counted(found, match, lambda case: _reshaped(case.truth, _value(found, case).shape))
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
        if equal(summed, case.truth, case):
            matched += 1
        elif case.trial.kind != ARRIVING:
            return
    yield Match("missing-sum", f"{name} before its sum", matched=matched, of=len(found.cases))


def by_text(found: Judged) -> Iterator[Match]:
    """The mutant that the answer is letter by letter: of several that compute the same, this one was meant."""
    place, number = found.cases[0].texts.get(source_of(found.answer.statements), (0, -1))
    if number >= 0 and _is_meant(found, mutant := found.cases[0].mutants[place][number]):
        yield from counted(found, match_with(found, place, mutant), partial(mutated, place=place, number=number))


def match_with(found: Judged, place: int, mutant: Mutant) -> Match:
    """The hypothesis that a line of the gradient is this mutant."""
    text = printed(mutant.statements[-1])
    return Match(mutant.code, text, mutant.label, word=mutant.word, path=path_of(found, place))


def _by_mutants(found: Judged) -> Iterator[Match]:
    for place, number, mutant in mutants_in(found):
        yield from counted(found, match_with(found, place, mutant), partial(mutated, place=place, number=number))


def _by_scaled_mutants(found: Judged) -> Iterator[Match]:
    for place, number, mutant in mutants_in(found):
        if mutant.code in ("sign", "scale", "bessel", "forward-value", "missing-path"):
            continue
        factor = factor_of(found, partial(mutated, place=place, number=number))
        if factor is not None and factor.text != "1":
            matched = matched_in(found, partial(mutated, place=place, number=number))
            if matched < len(found.cases):
                continue
            text = printed(mutant.statements[-1])
            yield Match(mutant.code, text, mutant.label, factor, word=mutant.word, matched=matched, of=len(found.cases))


Look = Callable[[Judged], Iterator[Match]]
LOOKS: tuple[Look, ...] = (
    by_text, _by_factor, by_paths, _by_value, _by_shape, _by_steps, _by_mutants, by_scaled_paths, _by_scaled_mutants,
    by_paths_above,
)  # fmt: skip
UP_TO_A_FACTOR = (by_scaled_paths, _by_scaled_mutants)


def mutants_in(found: Judged) -> Iterator[tuple[int, int, Mutant]]:
    """The mutants of every line of the gradient, by the line's place and their own number."""
    for place, several in enumerate(found.cases[0].mutants):
        for number, mutant in enumerate(several):
            if _is_meant(found, mutant):
                yield place, number, mutant


def _is_meant(found: Judged, mutant: Mutant) -> bool:
    """Whether the mistake can be made here: with a name that the answer has, and not with the loss's own gradient, 1.

    No path is missing where there is one.
    """
    case = found.cases[0]
    if mutant.code == "missing-upstream":
        own = f"d{case.trial.graph.loss.variable}"
        if all({own} == case.trial.gradients_read(line) for line in case.lines):
            return False
        left = set(WORD.findall(mutant.word)) & {line.variable for line in case.trial.lines}
        return not all(_is_one(case.scope.get(name)) for name in left - set(WORD.findall(mutant.instead)) or left)
    if mutant.code == "wrong-tensor":
        return mutant.instead in read_by(found.answer) and not (
            mutant.word in {line.variable for line in case.trial.lines} and _is_one(case.scope.get(mutant.word))
        )
    if mutant.code == "overwritten-path" and len(case.mutants) > 1:
        return overwrites(found)
    return mutant.code != "missing-path" or len(case.mutants) > 1


def _is_one(value: object) -> bool:
    """Whether a gradient is 1 itself: what is missing then is no gradient."""
    return isinstance(value, torch.Tensor) and value.is_floating_point() and bool((value == 1).all())


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
    return tensor_of(evaluator.scope.get(case.variable))


def with_tensors_copied(case: Case, mutant: Mutant) -> dict[str, object]:
    """The scope in which a gradient's lines run, with copies of what they read: a mutant may change it in place."""
    scope = {name: value for name, value in case.scope.items() if name != case.variable}
    statements = [*mutant.statements, *(statement for line in case.lines for statement in line.statements)]
    if len(case.lines) > 1:
        read = {word for statement in statements for word in names_in(statement)}
        scope |= {name: with_tensors(scope[name], torch.clone) for name in read & scope.keys()}
    return scope
