"""One statement of a program alone, in plain PyTorch: its true Jacobian, with everything else held. None of it the engine's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch

from tests.support import torch_reference

Scope = dict[str, Any]
LARGE = 16


class Plain:
    """A program run statement by statement as plain Python; any of its tensors may be made anew from another one."""

    def __init__(self, source: str, given: torch_reference.Tensors, constants: Scope, dtype: torch.dtype) -> None:
        self.dtype = dtype
        self.body = [compile(ast.Module([node], []), "case", "exec") for node in ast.parse(source).body]
        self.stored = [_names(node, ast.Store) for node in ast.parse(source).body]
        self.read = [_names(node, ast.Load) for node in ast.parse(source).body]
        self.scope: Scope = torch_reference.scope({"constants": constants}, given)
        self.before: list[Scope] = []
        self.own: dict[str, int] = {}
        with torch.no_grad(), torch_reference.DefaultDtype(dtype):
            for place, code in enumerate(self.body):
                self.before.append(dict(self.scope))
                exec(code, self.scope)
                self.own |= {name: place for name in self.stored[place] if self._is_fresh(place, name)}
        self.jacobians: dict[tuple[str, str], torch.Tensor | None] = {}

    def _is_fresh(self, place: int, name: str) -> bool:
        """Whether a statement made a tensor of its own under a name: no pair or tuple, and no second name."""
        value = self.scope[name]
        known = (other for other in self.before[place].values() if isinstance(other, torch.Tensor))
        return isinstance(value, torch.Tensor) and all(value is not other for other in known)

    @cached_property
    def helpers(self) -> list[int]:
        """Statements that make pairs, tuples, numbers and second names."""
        return [place for place in range(len(self.body)) if place not in self.own.values()]

    def function(self, result: str, variable: str) -> Callable[[torch.Tensor], torch.Tensor] | None:
        """The result's statement as a function of one variable; None where it does not read it."""
        place, reach = self.own[result], {variable}
        run = [other for other in self.helpers if other < place and variable not in self.stored[other]]
        run = [other for other in run if not any(other < self.own.get(name, -1) < place for name in self.stored[other])]
        for other in run:
            reach |= self.stored[other] if reach & self.read[other] else set()
        if not reach & self.read[place]:
            return None

        def apply(tensor: torch.Tensor) -> torch.Tensor:
            scope = self.before[place] | {variable: tensor}
            for other in [*run, place]:
                exec(self.body[other], scope)
                if other != place:
                    held = {id(self.scope[name]): scope[name] for name in self.own if name != result and name in scope}
                    scope |= {name: _held(self.after(other, name), scope[name], held) for name in self.stored[other]}
            return scope[result]

        return apply

    def after(self, place: int, name: str) -> Any:
        """What a statement stored under a name when the program ran."""
        return (self.before[place + 1] if place + 1 < len(self.body) else self.scope)[name]

    def column(self, result: str, variable: str, index: tuple[Any, ...]) -> torch.Tensor | None:
        """∂result/∂variable[index], a tensor of the result's shape; None where there is no way."""
        key = result, variable
        if key not in self.jacobians:
            function = self.function(*key)
            self.jacobians[key] = None if function is None else self._jacobian(function, self.scope[variable])
        whole = self.jacobians[key]
        return None if whole is None else whole[(..., *index)]

    def _jacobian(self, function: Callable[[torch.Tensor], torch.Tensor], tensor: torch.Tensor) -> torch.Tensor:
        with torch_reference.DefaultDtype(self.dtype):
            result = function(tensor)
            if not result.numel():
                return torch.zeros(*result.shape, *tensor.shape)
            many = result.numel() > LARGE
            return torch.autograd.functional.jacobian(function, tensor.clone(), vectorize=many)


def _held(old: Any, new: Any, named: dict[int, torch.Tensor]) -> Any:
    """What a helper makes anew; a tensor in it that has a name of its own is what that name stands for now."""
    if isinstance(old, tuple | list):
        return type(old)(_held(one, other, named) for one, other in zip(old, new, strict=True))
    return named.get(id(old), new)


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, context)}
