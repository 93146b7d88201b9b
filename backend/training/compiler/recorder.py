"""Follows lines of the language with totals in place of numbers: what each name becomes, and nothing computed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from backend.engine.interpret.evaluate import Evaluator, bound, indices, unpacked
from backend.engine.interpret.shape_inference import block_of, inside
from backend.engine.language.errors import Refusal
from backend.engine.language.tree import target_of
from backend.engine.language.values import Pair, Parameters, Values
from backend.engine.ops.base import Shape
from backend.training.compiler.algebra import Algebra
from backend.training.compiler.expressions import Atom, Total, constant, one

CONSTANT, CALL, INPUT = "constant", "call", "input"


@dataclass(eq=False)
class Traced:
    """A tensor of a program: what it is made of, and a sample of its numbers, which has its shape and dtype."""

    total: Total
    sample: torch.Tensor

    @property
    def shape(self) -> Shape:
        """Its shape."""
        return tuple(self.sample.shape)

    def __len__(self) -> int:
        return len(self.sample)


@dataclass(frozen=True)
class Use:
    """One use of an operation: who follows the lines, what is given by name, and a sample of the result."""

    recorder: Recorder
    given: Parameters
    sample: Any

    def __getitem__(self, name: str) -> Any:
        return self.given[name]

    @property
    def algebra(self) -> Algebra:
        """Where totals and atoms are made."""
        return self.recorder.algebra


Rule = Callable[[Use], Any]


class Recorder(Evaluator):
    """Evaluates lines on totals; an operation that no rule knows becomes an atom that calls torch's own function."""

    def __init__(self, algebra: Algebra, scope: Values, rules: Mapping[str, Rule], closed: bool = True) -> None:
        super().__init__(scope)
        self.algebra, self.rules, self.closed = algebra, rules, closed
        self.calls: dict[Atom, tuple[str, Any, Any, int]] = {}
        self.constants: dict[Atom, torch.Tensor] = {}

    def is_tensor(self, value: object) -> bool:
        return isinstance(value, Traced)

    def dtype_of(self, tensor: Any) -> Any:
        return tensor.sample.dtype

    def input(self, name: str, sample: torch.Tensor) -> Traced:
        """A tensor that is given at every step."""
        return Traced(one(self.algebra.atom(INPUT, (name,), tuple(sample.shape), sample.dtype)), sample)

    def constant_of(self, sample: torch.Tensor) -> Traced:
        """A tensor that is the same at every step; a number where all its cells are equal."""
        if sample.dtype == self.algebra.dtype and sample.numel() and bool((sample == sample.flatten()[0]).all()):
            return Traced(constant(float(sample.flatten()[0]), tuple(sample.shape)), sample)
        atom = self.algebra.atom(CONSTANT, (len(self.constants),), tuple(sample.shape), sample.dtype)
        self.constants[atom] = sample
        return Traced(one(atom), sample)

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        sample = super().operation(key, bare(args), bare(kwargs), node)
        if not any(isinstance(part, Traced) for part in flat((args, kwargs))):
            return _each(sample, lambda tensor, _: self.constant_of(tensor))
        op, parameters = block_of(key, args, kwargs)
        rule = self.rules.get(op.name())
        if rule is not None:
            made = rule(Use(self, parameters, sample))
            if made is not None:
                return made if isinstance(made, Pair) else Traced(made, sample)
        if not self._varies(args, kwargs):
            return _each(sample, lambda tensor, _: self.constant_of(tensor))
        opened = self._opened(key, args, kwargs, parameters, sample)
        return self.called(key, args, kwargs, sample) if opened is None else opened

    def _varies(self, args: Any, kwargs: Any) -> bool:
        """Whether something that is read may be different at the next step; a sample of 0 may be off by rounding."""
        return any(part.total.atom not in self.constants for part in flat((args, kwargs)) if isinstance(part, Traced))

    def _opened(self, key: str, args: Any, kwargs: Any, parameters: Values, sample: Any) -> Traced | None:
        """A fused operation followed through the small steps inside it; None where there are none."""
        if not isinstance(sample, torch.Tensor):
            return None
        scope, steps = inside(key, _each(bare(args), _on_meta), bare(kwargs), sample.to("meta"))
        if not steps or any(
            isinstance(value, torch.Tensor) and not isinstance(parameters.get(name), Traced)
            for name, value in scope.items()
        ):
            return None
        inner = Recorder(self.algebra, {**scope, **parameters}, self.rules)
        inner.calls, inner.constants = self.calls, self.constants
        for name, step in steps:
            inner.scope[name] = inner.settled(inner.value(step))
        out = inner.scope["out"]
        return Traced(out.total, sample) if isinstance(out, Traced) and out.shape == tuple(sample.shape) else None

    def called(self, key: str, args: Any, kwargs: Any, sample: Any) -> Any:
        """One atom for each tensor that a call of torch's own function gives."""
        reads = tuple(keyed((args, tuple(sorted(kwargs.items())))))

        def part(tensor: torch.Tensor, number: int) -> Traced:
            atom = self.algebra.atom(CALL, (key, reads, number), tuple(tensor.shape), tensor.dtype)
            self.calls[atom] = key, args, kwargs, number
            return Traced(one(atom), tensor)

        return _each(sample, part)

    # Statements.
    def settled(self, value: Any) -> Any:
        """A value as it is kept under a name."""
        if not isinstance(value, Traced):
            return value
        settled = self.algebra.settled if self.closed else self.algebra.named
        return Traced(settled(value.total), value.sample)

    def assign(self, statement: ast.Assign, value: Any) -> None:
        target = target_of(statement)
        if isinstance(target, ast.Subscript):
            self.put(target, value)
        elif isinstance(target, ast.Tuple):
            if isinstance(value, Traced):
                value = tuple(self.operation("[]", (value, place), {}, target) for place in range(len(value)))
            for name, part in zip(target.elts, unpacked(value, len(target.elts), statement), strict=True):
                self.scope.update(bound(name, part, statement))
        else:
            kept = value if isinstance(statement.value, ast.Name) else self.settled(value)
            self.scope.update(bound(target, kept, statement))

    def put(self, target: ast.Subscript, value: Any) -> None:
        tensor = self.value(target.value)
        index = self.value(target.slice)
        sample = tensor.sample.clone()
        put_numbers(sample, bare(index), bare(value))
        made = self.rules["placed"](Use(self, {"x": tensor, "index": index, "values": value}, sample))
        if made is None:
            made = self.called("=[]", (tensor, index, value), {}, sample).total
        self._becomes(tensor, Traced(made, sample))

    def augment(self, statement: ast.AugAssign) -> None:
        value, target = self.value(statement.value), self.value(statement.target)
        key = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}.get(type(statement.op))
        if key is None or not isinstance(target, Traced):
            raise Refusal("operator-unknown", at=statement)
        node = ast.copy_location(ast.BinOp(statement.target, statement.op, statement.value), statement)
        changed = self.settled(self.operation(key, (target, value), {}, node))
        if isinstance(statement.target, ast.Subscript):
            self.put(statement.target, changed)
        else:
            self._becomes(target, changed)

    def _becomes(self, old: Traced, new: Traced) -> None:
        """What is changed in place changes under each of its names."""
        for name, value in self.scope.items():
            if value is old:
                self.scope[name] = new


def _on_meta(tensor: torch.Tensor, _: int) -> torch.Tensor:
    return tensor.to("meta")


def put_numbers(tensor: torch.Tensor, index: Any, value: Any) -> None:
    """`tensor[index] = value` with numbers."""
    tensor[indices(index, tensor.device)] = value


def bare(value: Any) -> Any:
    """A value with the samples in place of what was traced."""
    if isinstance(value, Traced):
        return value.sample
    if isinstance(value, Pair):
        return Pair(bare(value.values), bare(value.indices))
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items()}
    return type(value)(bare(part) for part in value) if isinstance(value, tuple | list) else value


def flat(value: Any) -> list[Any]:
    """What is in nested tuples, lists and dictionaries."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, slice):
        return []
    return [item for part in value for item in flat(part)] if isinstance(value, tuple | list) else [value]


def keyed(value: Any) -> list[Any]:
    """The same as `flat`, with what tells a value from others, its nesting included."""
    if isinstance(value, tuple | list):
        return [type(value).__name__, len(value), *(item for part in value for item in keyed(part))]
    return [value.total] if isinstance(value, Traced) else [repr(value)]


def _each(value: Any, change: Callable[[torch.Tensor, int], Any]) -> Any:
    """A value with each of its tensors changed, by their numbers."""
    count = iter(range(10**6))

    def walk(part: Any) -> Any:
        if isinstance(part, torch.Tensor):
            return change(part, next(count))
        if isinstance(part, Pair):
            return Pair(walk(part.values), walk(part.indices))
        return type(part)(walk(item) for item in part) if isinstance(part, tuple | list) else part

    return walk(value)
