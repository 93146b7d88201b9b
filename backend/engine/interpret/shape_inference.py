"""Shape inference on the meta device, with the budget of cells, bytes and arithmetic."""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import torch

from backend.engine.interpret.evaluate import IN_PLACE, Evaluator, mixes_kinds, shape_text, spoken
from backend.engine.interpret.shape_cache import on_shapes
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.limits import LIMITS
from backend.engine.language.pytree import tensors_in, with_tensors
from backend.engine.language.rewrite import filled
from backend.engine.language.values import Parameters, Values
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import Call, Op, keys_of


def _of_outlines(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The same where there may be numbers: of two outlines that are alike torch takes long to say that they fit."""

    def changed(target: torch.Tensor, value: Any) -> None:
        if not (target.is_meta and 0 not in target.stride() and _is_alike(target, value)):
            change(target, value)

    return changed


class ShapeEvaluator(Evaluator):
    """Evaluates lines on torch's meta device, and charges cells, bytes and arithmetic to the budget.

    `shares` multiplies the budget: a backward pass does about three times what its forward pass does.
    """

    in_place: ClassVar[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
        kind: _of_outlines(change) for kind, change in IN_PLACE.items()
    }

    def __init__(self, scope: Values, device: str = "meta", shares: float = 1) -> None:
        super().__init__(scope)
        self.device, self.shares = device, shares
        self.bytes = self.arithmetic = 0

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        given = (*args, *kwargs.values()) if kwargs else args
        op, bound = block_of(key, args, kwargs) if key in PARTICULAR else (Op, {})
        if op is not Op:
            op.check(bound, spoken(key), node)
            if op.one_kind and mixes_kinds(given):
                raise Refusal("whole-numbers", name=spoken(key), at=node)
        if self.device == "meta":
            result = on_shapes(lambda: self.computed(key, args, kwargs, node), key, args, kwargs)
        else:
            result = self.computed(key, args, kwargs, node)
        if self.shares < math.inf and not (key in FUSED and self.charge_inside(key, args, kwargs, result, node)):
            for tensor in tensors_in(result):
                self.charge(tensor, node, given, op.work(bound, tuple(tensor.shape)))
        return result

    def charge_inside(self, key: str, args: tuple[Any, ...], kwargs: Values, result: Any, at: ast.AST) -> bool:
        """Charge a fused operation as the small steps inside it; False where there are none."""
        scope, steps = inside(key, args, kwargs, result)
        small = ShapeEvaluator(scope, shares=self.shares)
        small.bytes, small.arithmetic = self.bytes, self.arithmetic
        try:
            for name, step in steps:
                small.scope[name] = small.value(step)
        except Refusal as refusal:
            raise refusal.moved_to(at) from None
        self.bytes, self.arithmetic = small.bytes, small.arithmetic
        return bool(steps)

    def computed(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        if not creates(key):
            return super().operation(key, args, kwargs, node)
        with torch.device(self.device):
            return super().operation(key, args, kwargs, node)

    def charge(self, out: torch.Tensor, node: ast.AST, args: tuple[Any, ...] = (), work: int = 0) -> None:
        """Add a result to the budget: its cells, or as many as an argument has, or all the work that it took."""
        cells = out.numel()
        check_size(tuple(out.shape), node)
        widest = max([a.numel() for a in args if isinstance(a, torch.Tensor)], default=0)
        self.bytes += cells * out.element_size()
        self.arithmetic += max(cells, work, widest)
        if self.bytes > LIMITS.live_bytes * self.shares:
            raise Refusal("memory-budget", limit="64 MiB", at=node)
        if self.arithmetic > LIMITS.arithmetic * self.shares:
            raise Refusal("arithmetic-budget", limit=f"{LIMITS.arithmetic:,}", at=node)


Known = dict[int, tuple[ast.expr, Any]]  # by the id of an expression: itself, and its outline


class Outlines(ShapeEvaluator):
    """Looks at the shapes of expressions again and again, which costs nothing that the budget is for.

    Each expression's is worked out once, as long as the names that were read stand for the same. A name that may have
    been read is given another outline by `define` alone.
    """

    def __init__(self, scope: Values, device: str = "meta", known: Known | None = None) -> None:
        super().__init__(scope, device, shares=math.inf)
        self.known = known or {}
        self.read: set[str] = set()

    def value(self, node: ast.expr) -> Any:
        known = self.known.get(id(node))
        if known is not None:
            return known[1]
        value = super().value(node)
        self.known[id(node)] = node, value
        return value

    def shape(self, node: ast.expr) -> tuple[int, ...]:
        """The shape of an expression; that of a plain number is ()."""
        value = self.value(node)
        return tuple(value.shape) if isinstance(value, torch.Tensor) else ()

    def name(self, node: ast.Name) -> Any:
        self.read.add(node.id)
        return super().name(node)

    def define(self, name: str, value: Any) -> None:
        """Give a name its outline."""
        if name in self.read:
            self.known.clear()
            self.read.clear()
        self.scope[name] = value


FUSED = keys_of(lambda op: op.opens())
PARTICULAR = keys_of(lambda op: op.one_kind or any(map(op.has_own, ("check", "multiplications", "work"))))


def block_of(key: str, args: tuple[Any, ...], kwargs: Values) -> tuple[type[Op], Parameters]:
    """The first operation that takes these arguments, and they by name; no operation in particular without one."""
    for op, signature in REGISTRY[key]:
        bound = signature.bind(args, kwargs)
        if bound is not None and _accepts(op, bound):
            return op, bound
    return Op, {}


def inside(key: str, args: tuple[Any, ...], kwargs: Values, result: Any) -> tuple[Values, list[tuple[str, ast.expr]]]:
    """The names that the small steps of a fused operation read, and each step with the name it gives."""
    for op, signature in REGISTRY[key]:
        bound = signature.bind(args, kwargs)
        if bound is not None and _accepts(op, bound):
            call = _call(op, bound, result)
            derived = {name: expression(text) for name, text in op.derive(call).items() if text}
            steps = [text.split(" = ", 1) for text in op.inside(call)]
            scope = {name: with_tensors(value, _on_meta) for name, value in bound.items()}
            return scope, [(name, filled(expression(text), derived)) for name, text in steps]
    return {}, []


def _call(op: type[Op], bound: Parameters, result: Any) -> Call:
    """A use as `inside` sees it. An input that may be a mask adds no step and is left out, as is what numbers tell."""
    masks = op.others & op.backward.keys()
    tensors = {name: value for name, value in bound.items() if isinstance(value, torch.Tensor)}
    inputs = {name: value for name, value in tensors.items() if name in op.backward and name not in masks}
    parameters = {name: value for name, value in bound.items() if name not in inputs} | dict.fromkeys(masks)
    shapes = {name: tuple(value.shape) for name, value in inputs.items()}
    return Call(shapes, defaultdict(lambda: None, parameters), tuple(result.shape))


def _is_alike(tensor: torch.Tensor, value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.shape == tensor.shape and value.dtype is tensor.dtype


@dataclass(frozen=True)
class Operand:
    """A tensor as `accepts` sees it: its shape, and itself without numbers."""

    meta: torch.Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.meta.shape)


def _accepts(op: type[Op], bound: Values) -> bool:
    """Whether an operation takes these arguments; most look at their kinds alone."""
    if not op.has_own("accepts"):
        return op.accepts(bound, _is_tensor)
    seen = {name: with_tensors(value, Operand) for name, value in bound.items()}
    return op.accepts(seen, lambda value: isinstance(value, Operand))


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def _on_meta(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to("meta")


def creates(key: str) -> bool:
    """Whether an operation makes tensors from nothing, which must not take memory here."""
    return key in REGISTRY and REGISTRY[key][0][0].creates


def check_size(shape: tuple[int, ...], at: ast.AST | None = None) -> None:
    """Raise Refusal for a tensor of too many axes, or of too many cells."""
    if len(shape) > LIMITS.tensor_axes:
        raise Refusal("tensor-axes", axes=len(shape), limit=LIMITS.tensor_axes, at=at)
    if math.prod(shape) > LIMITS.tensor_cells:
        raise Refusal("tensor-too-large", shape=shape_text(shape), limit="2**20", at=at)
