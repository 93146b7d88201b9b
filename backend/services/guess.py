"""What a missing tensor must be for its program to run: every shape of the sizes at hand is tried on the program.

A guess says why. Where more than one shape fits it says what is known and what is free.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import torch

from backend.engine.encode import Document
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator, shape_text
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal, where_is
from backend.engine.language.guard import attempted
from backend.engine.language.limits import LIMITS
from backend.engine.language.parse import Program, parse_around
from backend.engine.language.tree import Fault, children, loaded_in, nodes_in, number, stored_in
from backend.engine.language.values import Values
from backend.program.request import Material
from backend.services.shape_patterns import Pattern, broadcasts, pattern_text, patterns

MOST_GUESSED = 8  # names
MOST_SIZES = 12  # that an axis is tried with
MOST_STEPS = 30_000  # statements and their parts, in all trials of one check
MOST_AXES = 3
MOST_PATTERNS = 24
MOST_ARITHMETIC = 10**7  # multiplications of one run where numbers are tried as well as shapes
LARGEST_RUN = 20_000  # cells of all tensors there
UNUSED = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)  # lengths that no axis has: what fits them fits any
KINDS = {"decimals": torch.float32, "whole": torch.int64}
ORDINALS = "first", "second", "third"


@dataclass
class Guess:
    """What is known of one missing tensor; `shape` is one that runs, None where a choice would be arbitrary."""

    name: str
    because: str
    kind: str = "decimals"
    shape: list[int] | None = None
    below: int | None = None
    fits: list[list[int | None]] = field(default_factory=list)

    def document(self) -> Document:
        """As the answer of a check has it."""
        return {
            "name": self.name, "kind": self.kind, "shape": self.shape, "below": self.below,
            "fits": self.fits, "because": self.because,
        }  # fmt: skip


def guesses(material: Material, missing: Sequence[str]) -> list[Guess]:
    """What is known of each missing tensor, in their order; nothing of those that the program leaves open."""
    program = attempted(lambda: parse_around(material.source), None)
    if program is None:
        return []
    budget = Budget(MOST_STEPS)
    names = list(dict.fromkeys(missing))[:MOST_GUESSED]
    found = [attempted(lambda: Trials(program, material, name, missing, budget).guess(), None) for name in names]  # noqa: B023 - called at once
    return [guess for guess in found if guess]


class OutOfSteps(Exception):  # noqa: N818 - no error: nothing can be said then
    """Too many trials, or too many shapes that fit."""


@dataclass
class Budget:
    """The statements that may still be tried."""

    steps: int

    def spend(self, steps: int) -> None:
        self.steps -= steps


class Trials:
    """A program with one tensor missing, run on shapes alone with one candidate after another in its place."""

    def __init__(self, program: Program, material: Material, name: str, missing: Sequence[str], budget: Budget) -> None:
        self.program, self.material, self.name, self.budget = program, material, name, budget
        self.whole = True  # whether the loss is reached
        self.arithmetic = 0
        self.statements = self.unaffected(set(missing) - {name})
        metas = {
            one: torch.empty(given.shape, dtype=given.dtype, device="meta") for one, given in material.inputs.items()
        }
        self.scope: Values = {**material.constants, **metas}
        first = next((i for i, one in enumerate(self.statements) if name in loaded_in(one)), len(self.statements))
        self.before, self.rest = self.statements[:first], self.statements[first:]
        self.sizes = self.at_hand()
        self.unused = [size for size in UNUSED if size not in self.sizes]

    def unaffected(self, lost: set[str]) -> list[ast.stmt]:
        """The statements that need no other missing tensor, and nothing of a faulty line."""
        kept = []
        for statement in self.program.statements:
            names = statement.names if isinstance(statement, Fault) else stored_in(statement)
            if isinstance(statement, Fault) or lost.intersection(loaded_in(statement)):
                kept += [] if isinstance(statement, Fault) else self.parts(statement, lost)
                lost.update(names)
                self.whole = False
            else:
                lost.difference_update(names)
                kept.append(statement)
        return kept

    def parts(self, statement: ast.stmt, lost: set[str]) -> list[ast.stmt]:
        """The largest parts of a statement that read the tensor, and nothing that is missing."""
        pending, found = list(children(statement)), list[ast.stmt]()
        while pending and not isinstance(statement, ast.For):
            node = pending.pop(0)
            read = set(loaded_in(node))
            if self.name in read and isinstance(node, ast.BinOp | ast.Call) and not lost & read:
                found.append(ast.copy_location(ast.Expr(node), statement))
            elif self.name in read:
                pending += children(node)
        return found

    def at_hand(self) -> list[int]:
        """The sizes that an axis may have: those of the inputs, of what is computed before, and of the text."""
        evaluator = self.run(ShapeEvaluator(dict(self.scope)), self.before)
        self.scope = evaluator.scope
        shapes = [tuple(value.shape) for value in self.scope.values() if isinstance(value, torch.Tensor)]
        numbers = [value for value in self.material.constants.values() if type(value) is int]
        numerals = [number(node) for one in self.rest for node in nodes_in(one) if isinstance(node, ast.Constant)]
        found = dict.fromkeys([*(size for shape in shapes for size in shape), *numbers])
        found |= dict.fromkeys(size for size in numerals if type(size) is int)
        sizes = [size for size in found if 2 <= size <= LIMITS.tensor_cells]
        # A view may join two axes: the length of one is what is left of the product.
        parts = {a // b for a in sizes for b in sizes if b < a and a % b == 0} - set(sizes)
        return [*sizes, *sorted(parts)][:MOST_SIZES]

    def run(self, evaluator: ShapeEvaluator, statements: Sequence[ast.stmt]) -> ShapeEvaluator:
        try:
            evaluator.run(statements)
        finally:
            self.budget.spend(evaluator.steps + 1)
            self.arithmetic = max(self.arithmetic, evaluator.arithmetic)
        return evaluator

    def outcome(self, shape: Sequence[int], kind: str) -> Refusal | None:
        """Why the program refuses this tensor; None where it runs to its end."""
        if self.budget.steps < 0:
            raise OutOfSteps
        candidate = torch.empty(tuple(shape), dtype=KINDS[kind], device="meta")
        try:
            evaluator = self.run(ShapeEvaluator({**self.scope, self.name: candidate}), self.rest)
        except Refusal as refusal:
            return refusal
        end = evaluator.scope.get(self.material.loss or "", evaluator.last)
        if self.whole and isinstance(end, torch.Tensor) and end.numel() != 1:
            return Refusal("loss-not-scalar", found=self.name, shape=shape_text(tuple(end.shape)))
        return None

    def fitting(self, kind: str) -> list[Pattern]:
        """The shapes that run, as patterns: an axis of any length is None."""
        fit = []
        for axes in range(MOST_AXES + 1):
            tried = [[*self.sizes, self.unused[axis]] for axis in range(axes)]
            fit += [shape for shape in product(*tried) if self.outcome(shape, kind) is None]
        found = patterns(fit, self.unused[:MOST_AXES])
        if len(found) > MOST_PATTERNS:
            raise OutOfSteps
        return found

    def guess(self) -> Guess | None:
        """What is known of the tensor; None where nothing is, or where it would take too long."""
        if not any(self.name in loaded_in(one) for one in self.rest):
            return None
        with DefaultDtype(self.material.dtype), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns of shapes that it takes and nobody means
            try:
                decimals, whole = self.fitting("decimals"), self.fitting("whole")
                # What takes the same shape of either kind computes with it; what does not picks with whole numbers.
                picks = bool(whole) and not set(whole) & set(decimals)
                return self.worded(whole if picks else decimals, "whole" if picks else "decimals")
            except OutOfSteps:
                return None

    def worded(self, fit: list[Pattern], kind: str) -> Guess | None:
        """What is said of the shapes that fit, and the shape that is offered."""
        guess = Guess(self.name, "", kind, fits=[list(pattern) for pattern in fit])
        whole = [pattern for pattern in fit if None not in pattern]
        batches = bool(whole) and all(_ends_with(pattern, whole[0]) for pattern in fit)
        if kind == "whole":
            guess.below = self.below(next(iter(sorted(whole, key=len, reverse=True)), None))
        if () in fit and len(fit) > 1:
            guess = self.stretched(guess, fit, whole)
        elif len(whole) == 1 and (len(fit) == 1 or (len(whole[0]) > 1 and batches)):
            more = " Further axes before them would fit, too." if len(fit) > 1 else ""
            guess = replace(guess, shape=_sizes(whole[0]), because=self.only(whole[0], kind, len(fit) == 1) + more)
        elif len(fit) == 1:
            guess.because = self.known(fit[0], kind)
        elif len(whole) == 1 and batches:
            ((size, place),) = self.reasons(whole[0], kind)
            guess.because = f"Its last axis must be {size}, for {place}; there may be axes before it."
        elif fit:
            several = " or ".join(map(pattern_text, fit[:MOST_AXES]))
            guess.because = (
                f"The program leaves its shape open: {several} would fit{self.if_long_enough(fit[0], kind)}."
            )
        if guess.shape is not None and not self.runs_with(guess.shape, kind):
            return None
        return self.with_kind(guess) if guess.because else None

    def only(self, shape: Pattern, kind: str, alone: bool) -> str:
        """Why no other shape fits, axis by axis."""
        if not shape:
            return "Only a single number fits."
        reasons = [f"{size} for {place}" for size, place in self.reasons(shape, kind)]
        return f"{'Only ' if alone else ''}{pattern_text(shape)} fits: {_listed(reasons)}."

    def known(self, pattern: Pattern, kind: str) -> str:
        """What holds of a tensor with axes of any length."""
        fixed = {axis: size for axis, size in enumerate(pattern) if size is not None}
        long_enough = self.if_long_enough(pattern, kind)
        if not fixed:
            return f"It has {len(pattern)} {'axis' if len(pattern) == 1 else 'axes'}, of any length{long_enough}."
        free = [ORDINALS[axis] for axis in range(len(pattern)) if axis not in fixed]
        places = dict(zip(fixed, (place for _, place in self.reasons(pattern, kind)), strict=True))
        said = _listed(
            [f"its {ORDINALS[axis]} axis must be {size}, for {places[axis]}" for axis, size in fixed.items()]
        )
        return f"{said[0].upper()}{said[1:]}; the {_listed(free)} is free{long_enough}."

    def if_long_enough(self, pattern: Pattern, kind: str) -> str:
        """Where places are picked by number, an axis that is free to shapes is not free to be short."""
        short = [1 if size is None else size for size in pattern]
        picked = self.outcome(short, kind) is not None or not self.runs_with(short, kind)
        return ", if long enough for the places that are picked" if picked else ""

    def stretched(self, guess: Guess, fit: list[Pattern], whole: list[Pattern]) -> Guess:
        """A tensor that is broadcast: its shape is a choice, and the others are told."""
        full = max(whole, key=lambda shape: (len(shape), shape))
        more = [one for one in fit if len(one) == 2 and None in one]
        widest = next(iter(more), full) if len(full) == 1 and guess.kind == "decimals" else full
        if not full or not all(broadcasts(shape, widest) for shape in whole):
            return guess
        operator = next(self.operators(), None)
        chosen = full[-1:] if isinstance(operator, ast.Add | ast.Mult) else full
        what = "one number a column" if len(chosen) < len(full) else "a number for each cell"
        because = f"Whatever broadcasts to {pattern_text(widest)} fits; {pattern_text(chosen)} is {what}."
        return replace(guess, shape=_sizes(chosen), because=because)

    def operators(self) -> Iterator[ast.operator]:
        """The signs that the tensor stands beside."""
        for node in (node for one in self.rest for node in nodes_in(one)):
            if isinstance(node, ast.BinOp) and any(_is_name(side, self.name) for side in (node.left, node.right)):
                yield node.op

    def reasons(self, pattern: Pattern, kind: str) -> Iterator[tuple[int, str]]:
        """Each fixed axis with the expression that refuses another length."""
        free = iter(self.unused)
        shape = [next(free) if size is None else size for size in pattern]
        for axis, size in enumerate(pattern):
            if size is not None:
                refusal = self.outcome([*shape[:axis], self.unused[-1], *shape[axis + 1 :]], kind)
                yield size, self.place(refusal)

    def place(self, refusal: Refusal | None) -> str:
        if refusal is None or refusal.place is None:
            return "the loss"
        spot = ast.Pass(lineno=refusal.place[0], col_offset=refusal.place[1])
        spot.end_lineno, spot.end_col_offset = refusal.place[0], refusal.place[2]
        where = where_is(spot, self.program.pasted)
        return f"`{where['text']}`" if where else "the loss"

    def below(self, shape: Pattern | None) -> int | None:
        """The least whole number that the program can't pick with, tried on its own numbers."""
        if shape is None or self.large or not self.whole:
            return None
        least = next((size for size in sorted(self.sizes) if not self.runs_with(shape, "whole", size)), None)
        return least if least is not None and self.runs_with(shape, "whole", least - 1) else None

    @property
    def large(self) -> bool:
        """Whether trying numbers would take long."""
        cells = sum(tensor.numel() for tensor in self.material.tensors.values())
        return cells > LARGEST_RUN or self.arithmetic > MOST_ARITHMETIC

    def runs_with(self, shape: Sequence[int | None], kind: str, value: int = 0) -> bool:
        """Whether the program runs on its own numbers with this tensor; of a large one that is taken for granted."""
        filled = torch.full(_sizes(shape), value, dtype=KINDS[kind])
        if self.large or filled.numel() > LARGEST_RUN:
            return True
        evaluator = Evaluator({**self.material.constants, **self.material.tensors, self.name: filled})
        try:
            with torch.no_grad():
                evaluator.run(self.statements)
        except Refusal:
            return False
        return True

    def with_kind(self, guess: Guess) -> Guess:
        """Whole numbers are told as such, with the range where it is known."""
        if guess.kind == "whole":
            which = f"Whole numbers from 0 to {guess.below - 1}" if guess.below else "Whole numbers, which pick places"
            guess.because = f"{which}. {guess.because}"
        return guess


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sizes(shape: Sequence[int | None]) -> list[int]:
    return [size for size in shape if size is not None]


def _ends_with(pattern: Pattern, shape: Pattern) -> bool:
    """Whether a pattern is a shape with axes of any length before it."""
    free = len(pattern) - len(shape)
    return free >= 0 and pattern[free:] == shape and not any(pattern[:free])


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
