"""One path through a chunk as a function of the tensor that it begins with."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import torch

from backend.engine.differentiate.lines import Hop
from backend.engine.interpret.evaluate import Evaluator
from backend.engine.language.application import key_of, operands
from backend.engine.language.rewrite import exchanged
from backend.engine.language.tree import names_in
from backend.engine.ops import REGISTRY

# The path's input and intermediates get names that can't occur in a program.
COMING = "·"


@dataclass(frozen=True)
class PathFunction:
    """The operations of a path in order of execution, as (name of the result, expression over such names)."""

    steps: list[tuple[str, ast.expr]]

    @property
    def names(self) -> list[str]:
        """All names that the expressions read."""
        return sorted({name for _, expr in self.steps for name in names_in(expr)})

    def value(self, evaluator: Evaluator) -> torch.Tensor:
        """Evaluate the path for the input stored under COMING in the scope; all other tensors are constant."""
        *before, (_, last) = self.steps
        for name, expr in before:
            evaluator.scope[name] = evaluator.value(expr)
        return evaluator.tensor(last)


def path_of(hops: tuple[Hop, ...]) -> PathFunction | None:
    """The path of these operations; None if the operands of one can't be identified in its expression."""
    names = {hops[0].node.inputs[hops[0].input_name]: COMING}
    steps = []
    for node, several in groupby(hops, lambda hop: hop.node):
        instead: dict[int, ast.expr] = {}
        for hop in several:
            coming = ast.Name(names[node.inputs[hop.input_name]], ast.Load())
            if not _replace(node.written, hop, coming, instead):
                if not node.is_broadcast:
                    return None
                instead[id(node.written)] = coming  # a stretch that broadcasting makes is written nowhere
        names[node] = f"{COMING}{len(names)}"
        steps.append((names[node], exchanged(node.written, instead)))
    return PathFunction(steps)


def _replace(node: ast.expr, hop: Hop, coming: ast.expr, instead: dict[int, ast.expr]) -> bool:
    """Record in `instead` the replacement for the operand that is an input; False if there is no such operand."""
    key, (args, kwargs) = key_of(node), operands(node)
    for op, signature in REGISTRY.get(key, []):
        bound = signature.bind(args, kwargs) if op is hop.node.op else None
        if bound is None:
            continue
        if isinstance(place := bound.get(hop.input_name), ast.expr):
            instead[id(place)] = coming
            return True
        if op.variadic is not None:
            _replace_part(bound[op.variadic], hop, coming, instead)
            return True
    # `.values` of a pair, a part of a split, and `+x` stand around the operation itself.
    inner = node.operand if isinstance(node, ast.UnaryOp) else getattr(node, "value", None)
    return isinstance(inner, ast.expr) and _replace(inner, hop, coming, instead)


def _replace_part(written: Any, hop: Hop, coming: ast.expr, instead: dict[int, ast.expr]) -> None:
    """The same for one of several tensors given as a tuple, a list, or the name of one."""
    number = int(hop.input_name.removeprefix("t"))
    parts = written.elts if isinstance(written, ast.Tuple | ast.List) else written
    if isinstance(parts, tuple | list):
        instead[id(parts[number])] = coming
        return
    given = hop.node.parameters[str(hop.node.op and hop.node.op.variadic)]
    listed = instead.get(id(written), ast.List([part.expr for part in given], ast.Load()))
    assert isinstance(listed, ast.List)
    listed.elts[number] = coming
    instead[id(written)] = listed
