"""Shape inference on the meta device, with the budget of cells, bytes and arithmetic."""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import torch

from backend.interpret.evaluate import Evaluator, mixes_kinds, shown, spoken
from backend.interpret.shape_cache import on_shapes
from backend.language.errors import Refusal
from backend.language.expression import expression
from backend.language.limits import LIMITS
from backend.language.pytree import tensors_in, with_tensors
from backend.language.rewrite import filled
from backend.language.values import DType, Values
from backend.ops import REGISTRY
from backend.ops.base import Call, Op
from backend.ops.einsum import read


class ShapeEvaluator(Evaluator):
    """Evaluates lines on torch's meta device, and charges cells, bytes and arithmetic to the budget.

    `shares` multiplies the budget: a backward pass does about three times what its forward pass does.
    """

    def __init__(self, scope: Values, device: str = "meta", shares: float = 1) -> None:
        super().__init__(scope)
        self.device, self.shares = device, shares
        self.bytes = self.arithmetic = 0

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        _check_index(key, args, node)
        _check_parts(key, args, kwargs, node)
        given = (*args, *(kwargs[name] for name in sorted(kwargs, key=_place))) if kwargs else args
        if key in OF_ONE_KIND and mixes_kinds(given):
            raise Refusal("whole-numbers", name=spoken(key), at=node)
        if self.device == "meta":
            result = on_shapes(lambda: self.computed(key, args, kwargs, node), key, args, kwargs)
        else:
            result = self.computed(key, args, kwargs, node)
        if math.isinf(self.shares) or not self.charge_inside(key, args, kwargs, result, node):
            for tensor in tensors_in(result):
                self.charge(key, given, tensor, node)
        return result

    def charge_inside(self, key: str, args: tuple[Any, ...], kwargs: Values, result: Any, at: ast.AST) -> bool:
        """Charge a fused operation as the small steps inside it; False where there are none."""
        scope, steps = inside(key, args, kwargs, result) if key in FUSED else ({}, [])
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

    def charge(self, key: str, args: tuple[Any, ...], out: torch.Tensor, node: ast.AST) -> None:
        cells = out.numel()
        check_size(tuple(out.shape), node)
        widest = max([a.numel() for a in args if isinstance(a, torch.Tensor)], default=0)
        self.bytes += cells * out.element_size()
        self.arithmetic += max(cells * _inner_length(key, args, out), widest)
        if self.bytes > LIMITS.live_bytes * self.shares:
            raise Refusal("memory-budget", limit="64 MiB", at=node)
        if self.arithmetic > LIMITS.arithmetic * self.shares:
            raise Refusal("arithmetic-budget", limit=f"{LIMITS.arithmetic:,}", at=node)


PRODUCTS = frozenset(
    {
        "@",
        "torch.matmul",
        ".matmul",
        "torch.mm",
        ".mm",
        "torch.bmm",
        ".bmm",
        "torch.mv",
        ".mv",
        "torch.dot",
        ".dot",
        "F.linear",
        "F.scaled_dot_product_attention",
        "torch.einsum",
        "torch.tensordot",
        "torch.cdist",
    }
)
OF_ONE_KIND = PRODUCTS - frozenset({"F.scaled_dot_product_attention"})  # which takes a mask


def _place(keyword: str) -> bool:
    """Keywords in the order in which a product's cells are counted: the left factor first."""
    return keyword not in ("input", "query", "x1", "a")


def _inner_length(key: str, args: tuple[Any, ...], out: torch.Tensor) -> int:
    """The number of multiplications for each cell of a result."""
    if key == "torch.tensordot":
        return math.isqrt(args[0].numel() * args[1].numel() // max(out.numel(), 1))
    if key == "torch.einsum":
        flat = [a for arg in args for a in (arg if isinstance(arg, tuple | list) else (arg,))]
        shapes = [tuple(a.shape) for a in flat if isinstance(a, torch.Tensor)]
        equation = read(str(flat[0]), [len(shape) for shape in shapes])
        if equation is None:
            return 1
        return math.prod(n for letter, n in equation.lengths(shapes).items() if letter not in equation.result)
    return int(args[0].shape[-1]) if key in PRODUCTS and args[0].ndim else 1


FUSED = frozenset(key for key, known in REGISTRY.items() if any(op.opens() for op, _ in known))


def inside(key: str, args: tuple[Any, ...], kwargs: Values, result: Any) -> tuple[Values, list[tuple[str, ast.expr]]]:
    """The names that the small steps of a fused operation read, and each step with the name it gives."""
    for op, signature in REGISTRY[key]:
        bound = signature.bind(args, kwargs)
        if bound is not None and op.accepts(_as_operands(bound), lambda value: isinstance(value, Operand)):
            call = _call(op, bound, result)
            derived = {name: expression(text) for name, text in op.derive(call).items() if text}
            steps = [text.split(" = ", 1) for text in op.inside(call)]
            scope = {name: with_tensors(value, _on_meta) for name, value in bound.items()}
            return scope, [(name, filled(expression(text), derived)) for name, text in steps]
    return {}, []


def _call(op: type[Op], bound: Values, result: Any) -> Call:
    """A use as `inside` sees it, a mask left out: it adds no step. What only numbers tell is taken for absent."""
    tensors = {name: value for name, value in bound.items() if isinstance(value, torch.Tensor) and name != "attn_mask"}
    inputs = {n: v for n, v in tensors.items() if n in op.backward and (v.is_floating_point() or n not in op.others)}
    parameters = {name: value for name, value in bound.items() if name not in inputs} | {"attn_mask": None}
    shapes = {name: tuple(value.shape) for name, value in inputs.items()}
    return Call(shapes, defaultdict(lambda: None, parameters), tuple(result.shape))


@dataclass(frozen=True)
class Operand:
    """A tensor as `accepts` sees it: its shape, and itself without numbers."""

    meta: torch.Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.meta.shape)


def _as_operands(bound: Values) -> Values:
    return {name: Operand(value) if isinstance(value, torch.Tensor) else value for name, value in bound.items()}


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
        raise Refusal("tensor-too-large", shape=shown(shape), limit="2**20", at=at)


_CUTTING = frozenset({"split", "chunk", "tensor_split", "unbind"})


def _check_parts(key: str, args: tuple[Any, ...], kwargs: Values, node: ast.AST) -> None:
    """Raise Refusal for more parts than a program may have, before torch makes a tensor of each."""
    name = key.rpartition(".")[2]
    if name in _CUTTING and args and isinstance(args[0], torch.Tensor):
        sizes = [value for word, value in kwargs.items() if word not in ("dim", "axis")]
        size, *dims = [1, *args[1:]] if name == "unbind" else [*args[1:], *sizes] or [1]
        dim = kwargs.get("dim", kwargs.get("axis", dims[0] if dims else 0))
        if _parts(name, args[0], size, dim) > LIMITS.graph_nodes:
            raise Refusal("too-many-steps", limit=f"{LIMITS.graph_nodes:,}", at=node)


def _parts(name: str, tensor: torch.Tensor, size: Any, dim: Any) -> int:
    """How many parts a tensor is cut into; torch itself refuses what is neither a number nor an axis here."""
    if type(size) is not int or type(dim) is not int or not -tensor.ndim <= dim < tensor.ndim:
        return 0
    if name == "tensor_split":
        return size
    length = tensor.shape[dim]
    return min(size, length) if name == "chunk" else -(-length // max(size, 1))


def _check_index(key: str, args: tuple[Any, ...], node: ast.AST) -> None:
    if key != "[]":
        return
    shape, index = tuple(args[0].shape), args[1] if isinstance(args[1], tuple) else (args[1],)
    taken = sum(part is not None and part is not ... for part in index)
    if taken > len(shape):
        raise Refusal("too-many-indices", shape=shown(shape), found=taken, axes=len(shape), at=node)
    if any(isinstance(part, float | str | bool | DType) for part in index):
        raise Refusal("index-kind", at=node)
