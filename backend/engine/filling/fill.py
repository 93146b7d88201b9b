"""A whole table for a program that lacks tensors: rows that it runs with, each with its reason."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from backend.engine.filling.by_name import axes_of, kind_of, role_of
from backend.engine.filling.sizes import small_sizes
from backend.engine.filling.slots import State
from backend.engine.filling.solve import Attempt, Outcome, Search, settled
from backend.engine.filling.uses import Use, uses_in
from backend.engine.interpret.evaluate import DefaultDtype, shape_text
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.tree import loaded_in, nodes_in, number, stored_in
from backend.engine.language.values import Scope

MOST_TRIALS, MOST_SETTLING = 160, 60
LAST = 10**6
KINDS = {"decimals": torch.float32, "unit": torch.float32, "whole": torch.int64, "mask": torch.bool}


@dataclass(frozen=True)
class Filled:
    """What is proposed: shapes and kinds, the letters of their lengths, and how far the program comes with them."""

    state: State
    letters: Mapping[int, str]
    roles: Mapping[str, str]
    refusal: Refusal | None


def fill(names: Sequence[str], attempt: Attempt, tree: ast.AST, given: Sequence[int]) -> Filled:
    """Shapes for what is missing; `given` are sizes of what is there, and `tree` is the text that reads it all."""
    uses = uses_in(tree)
    numerals = list(dict.fromkeys(size for node in nodes_in(tree) if (size := _numeral(node))))
    state = State({}, {}, avoided=frozenset([*given, *numerals]))
    for name in names:
        use = uses.get(name, Use())
        axes = use.axes or max(axes_of(name), use.least)
        state = state.added(name, use.kind or kind_of(name), axes)
    found = Search(attempt, [*numerals, *given], MOST_TRIALS).run(state)
    state = found.state
    roles = {name: _role(name, state) for name in state.slots}
    sizes, letters = small_sizes(state, uses, roles)
    again = settled(lambda: Search(attempt, numerals, MOST_SETTLING), state, sizes) if found.refusal is None else None
    return Filled(again or state, letters, roles, found.refusal)


def _numeral(node: ast.AST) -> int | None:
    value = number(node) if isinstance(node, ast.Constant) else None
    return value if type(value) is int else None


def _role(name: str, state: State) -> str:
    role, kind = role_of(name), state.slots[name].kind
    if kind == "mask":
        return "constant"
    return "data" if kind == "whole" and role == "parameter" else role


class Plain:
    """Runs a program of the language on shapes, with what is supposed in the place of what is missing."""

    def __init__(
        self, statements: Sequence[ast.stmt], source: str, scope: Scope, loss: str | None, dtype: torch.dtype
    ) -> None:
        self.statements, self.source, self.scope, self.loss, self.dtype = statements, source, scope, loss, dtype

    def __call__(self, state: State) -> Outcome:
        metas = {
            name: torch.empty(state.shape(name), dtype=KINDS[slot.kind], device="meta")
            for name, slot in state.slots.items()
        }
        evaluator = ShapeEvaluator({**self.scope, **metas})
        with DefaultDtype(self.dtype), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns of shapes that it takes and nobody means
            try:
                evaluator.run(self.statements)
            except Refusal as refusal:
                return self.refused(state, refusal, evaluator.steps)
        end = evaluator.scope.get(self.loss or "", evaluator.last)
        if isinstance(end, torch.Tensor) and end.numel() != 1:
            several = Refusal("loss-not-scalar", found="loss", shape=shape_text(tuple(end.shape)))
            return Outcome(state, several, (evaluator.steps, LAST), list(state.slots), evaluator.steps)
        return Outcome(state, None, (evaluator.steps, LAST, 1), steps=evaluator.steps)

    def refused(self, state: State, refusal: Refusal, steps: int) -> Outcome:
        line, start, end = refusal.place or (0, 0, None)
        there = next((one for one in self.statements if one.lineno <= line <= (one.end_lineno or line)), None)
        if there is not None:
            refusal.locate(there, self.source)
        near = self.sources(there, state) if there is not None else []
        # what is inside of another expression is worked out before it
        return Outcome(state, refusal, (steps, end or LAST, -start), near or list(state.slots), steps)

    def sources(self, statement: ast.stmt, state: State) -> list[str]:
        """The missing tensors that a statement's names are made of."""
        made: dict[str, list[str]] = {}
        for one in self.statements:
            read = [name for loaded in loaded_in(one) for name in _sources(loaded, made, state)]
            if one is statement:
                return list(dict.fromkeys(read))
            for name in stored_in(one):
                made[name] = list(dict.fromkeys([*read, *made.get(name, [])]))
        return []


def _sources(name: str, made: Mapping[str, list[str]], state: State) -> list[str]:
    return [name] if name in state.slots else made.get(name, [])
