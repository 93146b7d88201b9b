"""One instance of a program run in float64: what is in scope at each gradient, and what the gradient truly is."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.reverse import differentiate
from backend.engine.differentiate.scope import scope_after
from backend.engine.execute.run import Tensors, run_forward
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.pytree import as_tensor, largest_finite, tensors_in
from backend.engine.language.tree import copied, names_in
from backend.engine.language.values import Values
from backend.engine.trace.graph import Graph
from backend.lines.equations.names import Names
from backend.lines.mistakes.library import Mutant, mutants_of
from backend.program.request import Material

Numbers = dict[int | float, int | float]
# How an instance differs from the one that is shown.
SHOWN, NUMBERS, SIZES, ARRIVING = "shown", "numbers", "sizes", "arriving"


@dataclass(eq=False)
class Trial:
    """An instance of a program, its forward pass and its backward lines run step by step.

    `before` holds what is in scope before each line runs. `precision` is that of the tensors.
    """

    kind: str
    graph: Graph
    lines: list[Line]
    values: Values
    before: list[Values]
    after: Values
    autograd: Tensors
    sizes: Mapping[int, int] = field(default_factory=dict)
    precision: torch.dtype = torch.float64

    @cached_property
    def names(self) -> Names:
        """What the names of its backward lines stand for."""
        return Names(self.graph, self.lines, scope_after(self.lines, self.graph))

    def numbers_of(self, variable: str) -> list[int]:
        """The lines that write a gradient, in order."""
        return [number for number, line in enumerate(self.lines) if line.variable == variable]

    def gradients_read(self, line: Line) -> set[str]:
        """The gradients that a line reads, but for its own."""
        read = {name for statement in line.statements for name in names_in(statement)}
        return read & {other.variable for other in self.lines} - {line.variable}

    def gradient(self, variable: str) -> torch.Tensor:
        """A gradient after the last of its lines, in float64."""
        return as_tensor(self.after[variable])


def trial(
    kind: str,
    material: Material,
    graph: Graph,
    lines: list[Line] | None = None,
    precision: torch.dtype = torch.float64,
    sizes: Mapping[int, int] | None = None,
) -> Trial:
    """Run an instance; raises Refusal where its program fails at its numbers."""
    forward = run_forward(graph, material.tensors, precision)
    values = dict(forward.values)
    values |= {variable: values[node.variable] for variable, node in graph.aliases.values() if node.variable in values}
    written = differentiate(graph, material.exact) if lines is None else lines
    before, after = _stepped(written, values, precision)
    return Trial(kind, graph, written, values, before, after, forward.autograd, sizes or {}, precision)


def _stepped(lines: list[Line], values: Values, precision: torch.dtype) -> tuple[list[Values], Values]:
    """The scope before each line, and after all of them; a gradient that is added to is copied first."""
    evaluator = Evaluator(dict(values))
    before: list[Values] = []
    with torch.no_grad(), DefaultDtype(precision):
        for line in lines:
            before.append(dict(evaluator.scope))
            if line.variable in evaluator.scope:
                evaluator.scope[line.variable] = as_tensor(evaluator.scope[line.variable]).clone()
            evaluator.run(line.statements)
    return before, evaluator.scope


@dataclass(eq=False)
class Case:
    """One gradient on one instance: what is in scope, the truth, and what each path brings.

    `arriving` are the upstream gradients that random numbers stand for.
    """

    trial: Trial
    variable: str
    numbers: list[int]
    scope: Values
    truth: torch.Tensor
    paths: list[torch.Tensor]
    scale: float
    arriving: tuple[str, ...] = ()
    mutated: dict[tuple[int, int], torch.Tensor | None] = field(default_factory=dict)
    printed: Numbers | None = None  # the numbers in its printed lines that stand for sizes, and what they are here

    @property
    def lines(self) -> list[Line]:
        """The lines that write it."""
        return [self.trial.lines[number] for number in self.numbers]

    @cached_property
    def widest(self) -> float:
        """The largest cell of anything in scope."""
        return max(
            (largest_finite(value) for value in tensors_in(list(self.scope.values())) if value.is_floating_point()),
            default=0.0,
        )

    @cached_property
    def mutants(self) -> list[list[Mutant]]:
        """The mutants of each of its lines."""
        return [mutants_of(line, self.trial.names, self.trial.lines) for line in self.lines]

    @cached_property
    def texts(self) -> dict[str, tuple[int, int]]:
        """Which mutant of which line makes the gradient's lines read so, or stands alone so."""
        found: dict[str, tuple[int, int]] = {}
        lines = [source_of(line.statements) for line in self.lines]
        for place, several in enumerate(self.mutants):
            for number, mutant in enumerate(several):
                own = source_of(mutant.statements)
                found.setdefault("\n".join([*lines[:place], own, *lines[place + 1 :]]), (place, number))
                found.setdefault(own, (place, number))
        return found


def source_of(statements: Sequence[ast.stmt]) -> str:
    """Statements in one way of writing them."""
    return "\n".join(ast.unparse(ast.fix_missing_locations(copied(one))) for one in statements)


def case_of(one: Trial, variable: str, last: int | None = None) -> Case:
    """A gradient of an instance as it is after its line `last` (counted among its own), in the end without one."""
    numbers = one.numbers_of(variable)[: None if last is None else last + 1]
    scope = one.before[numbers[-1]]
    following = one.before[numbers[-1] + 1] if numbers[-1] + 1 < len(one.before) else one.after
    truth = as_tensor(following[variable])
    return Case(one, variable, numbers, scope, truth, _paths(one, variable, numbers), _scale(one, variable, numbers))


def _paths(one: Trial, variable: str, numbers: list[int]) -> list[torch.Tensor]:
    """What each line brings to a gradient."""
    found: list[torch.Tensor] = []
    earlier: torch.Tensor | None = None
    for number in numbers:
        following = one.before[number + 1] if number + 1 < len(one.before) else one.after
        now = as_tensor(following[variable])
        found.append(now if earlier is None else now - earlier)
        earlier = now
    return found


def _scale(one: Trial, variable: str, numbers: list[int]) -> float:
    """The largest of what its paths bring and of what arrives, which rounding is small against."""
    through = {line.through.node.variable for line in (one.lines[n] for n in numbers) if line.through}
    arriving = [one.after.get(f"d{name}") for name in through]
    held = [*_paths(one, variable, numbers), *(t for t in arriving if isinstance(t, torch.Tensor))]
    return max((largest_finite(tensor) for tensor in held), default=0.0)


def with_random_arriving(one: Trial, variable: str, last: int | None, seed: int) -> Case | None:
    """The gradient's own lines on an instance, with random numbers in the place of every named gradient they come from.

    Gradients without a name in the program are worked out anew from those: an answer may write them out.
    """
    numbers = one.numbers_of(variable)[: None if last is None else last + 1]
    inner = inner_of(one, numbers)
    read = {name for n in (*inner, *numbers) for s in one.lines[n].statements for name in names_in(s)}
    made = {one.lines[number].variable for number in inner}
    gradients = {line.variable for line in one.lines[: numbers[-1]]} - {variable} - made
    g = torch.Generator().manual_seed(seed)
    scope: Values = {name: value for name, value in one.before[numbers[-1]].items() if name != variable}
    arriving = sorted(read & gradients & scope.keys())
    if not arriving:
        return None
    for name in arriving:
        shape = as_tensor(scope[name]).shape
        scope[name] = torch.randn(shape, generator=g, dtype=torch.float64).to(one.precision)
    for name in made:
        scope.pop(name, None)
    lines = [one.lines[number] for number in sorted((*inner, *numbers))]
    before, after = _stepped(lines, scope, one.precision)
    own = Trial(ARRIVING, one.graph, lines, one.values, before, after, {}, one.sizes, one.precision)
    vars(own)["names"] = one.names
    case = case_of(own, variable)
    vars(case)["mutants"] = case_of(one, variable, last).mutants
    case.arriving = tuple(arriving)
    case.scale = max([case.scale, *(largest_finite(as_tensor(scope[name])) for name in arriving)])
    return case


def inner_of(one: Trial, numbers: list[int]) -> list[int]:
    """The lines of gradients without a name that some lines read, and of those that these read."""
    read = {name for number in numbers for name in one.gradients_read(one.lines[number])}
    found: list[int] = []
    for number in range(numbers[-1] - 1, -1, -1):
        line = one.lines[number]
        if line.inner and line.variable in read:
            read |= one.gradients_read(line)
            found.append(number)
    return found
