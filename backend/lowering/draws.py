"""Tensors that code as found makes from nothing: what is drawn, given or a weight becomes a row of the table."""

from __future__ import annotations

import ast
import math
from typing import Any

import torch

from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.values import DType, Parameters
from backend.lowering.doors import FANS
from backend.lowering.machine import kind_of
from backend.lowering.statements import Statements
from backend.lowering.table import outline
from backend.lowering.values import Leaf, Spec, Tensor, Unknown, bare, is_number

MOST_LISTED = 100_000  # cells of a weight that the code works out, written into the table
RANDOM = {"randn": "randn", "rand": "rand", "normal": "randn", "empty": "randn"}
OF_DECIMALS = frozenset({"FloatTensor", "DoubleTensor", "Tensor"})
TYPED = OF_DECIMALS | {"LongTensor", "IntTensor", "BoolTensor", "ByteTensor"}
CREATED = frozenset({"zeros", "ones", "tensor", "full", "arange", "linspace", "eye", "as_tensor"} | TYPED)

DRAWN = frozenset(RANDOM) | {
    "randn_like", "rand_like", "randint", "randint_like", "randperm", "bernoulli", "multinomial"
}  # fmt: skip


class Draws(Statements):
    """Makes tensors from nothing."""

    def operation(self, key: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        raise NotImplementedError

    def leaf(self, spec: Spec, shape: Any, node: ast.expr) -> Leaf:
        """A row of the table, of this shape."""
        sizes = self.sizes(shape, node)
        whole = {**spec, "shape": sizes}
        return Leaf(whole, outline(whole, node))

    def sizes(self, shape: Any, node: ast.expr) -> list[int]:
        parts = shape if isinstance(shape, tuple | list) else (shape,)
        sizes = [bare(self.whole(one)) for one in parts]
        if not all(type(one) is int and one >= 0 for one in sizes):
            raise Refusal("found-shape", at=node)
        return sizes

    def like(self, value: Any, node: ast.AST) -> Tensor:
        """The tensor that a draw has its shape from."""
        if not isinstance(value, Tensor | Unknown):
            raise Refusal("found-value", found=kind_of(value), at=node)
        return value if isinstance(value, Tensor) else self.tensor_of(value)

    def drawn(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A tensor that is drawn, or made at the top of the text: a row of the table. None for anything else."""
        if name.endswith("_like") and name[:-5] in ("randn", "rand") and args:
            return self.draw({"role": "constant", "init": name[:-5]}, self.like(args[0], node).shape, kwargs, node)
        if name in ("randint", "randint_like", "randperm", "bernoulli", "multinomial"):
            return self.drawn_whole(name, args, kwargs, node)
        _place_size(name, args, kwargs)
        shape: Any = kwargs.pop("size", args[0] if len(args) == 1 and isinstance(args[0], tuple | list) else args)
        if name == "normal":
            return self.drawn_normal(args, kwargs, node)
        if name in RANDOM:
            return self.draw({"role": "data", "init": RANDOM[name]}, shape, kwargs, node)
        if name in CREATED and (not self.calls or kwargs.get("requires_grad") is True):
            return self.created(name, args, kwargs, node)
        if name in TYPED and args and not isinstance(args[0], list | tuple):
            is_size = isinstance(args[0], Unknown) and (len(args) > 1 or self.is_beginning_of_object())
            is_shape = is_number(args[0]) or is_size
            return self.draw({"role": "constant", "init": "randn"}, shape, kwargs, node) if is_shape else args[0]
        if name in TYPED:
            numbers = _as_values(args[0]) if args and name in OF_DECIMALS else None
            values = args[0] if numbers is None or "." in str(numbers) else _decimal(numbers)
            return self.operation("torch.tensor", [values], {}, node)
        return None

    def joined(self, sign: ast.operator, left: Any, right: Any, node: ast.expr) -> Any:
        return self.scaled(sign, left, right, node) or super().joined(sign, left, right, node)

    def scaled(self, sign: ast.operator, left: Any, right: Any, node: ast.expr) -> Leaf | None:
        """What is drawn times a number, or shifted by one, at the top of the text: drawn so; None for anything else."""
        is_first = isinstance(left, Leaf)
        leaf, other = (left, right) if is_first else (right, left)
        if self.calls or not isinstance(node, ast.BinOp) or not isinstance(leaf, Leaf) or not is_number(other):
            return None
        made_here = isinstance(node.left if is_first else node.right, ast.Call | ast.BinOp)
        drawn = leaf.spec.get("init") in ("randn", "rand") and leaf.spec["role"] == "data"
        if leaf.is_settled or leaf.name or not made_here or not drawn:
            return None
        factor, term = _factor_and_term(sign, float(bare(other)), is_first)
        scale, shift = leaf.spec.get("scale", 1.0) * factor, leaf.spec.get("shift", 0.0) * factor + term
        if not (math.isfinite(scale) and math.isfinite(shift) and scale):
            return None
        return Leaf({**leaf.spec, "scale": scale, "shift": shift}, leaf.meta)

    def draw(self, spec: Spec, shape: Any, kwargs: Parameters, node: ast.expr) -> Leaf:
        made = self.leaf(spec, shape, node)
        if isinstance(wanted := kwargs.get("requires_grad"), bool):
            made.spec["role"] = "parameter" if wanted else "constant"
        self.note("drawn", node, found=node)
        return made

    def drawn_normal(self, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        mean, std = ([*args, 0.0, 1.0])[:2] if len(args) != 1 else (args[0], kwargs.get("std", 1.0))
        if isinstance(mean, Tensor) or isinstance(std, Tensor):
            base = mean if isinstance(mean, Tensor) else std
            noise = self.draw({"role": "constant", "init": "randn"}, base.shape, {}, node)
            return self.joined(ast.Add(), mean, self.joined(ast.Mult(), std, noise, node), node)
        shape = args[2] if len(args) > 2 else kwargs.get("size", ())
        return self.draw(
            {"role": "constant", "init": "randn", "scale": float(std), "shift": float(mean)}, shape, kwargs, node
        )

    def drawn_whole(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Leaf:
        kwargs.pop("generator", None)
        if name == "randperm":
            size = self.sizes(args[0], node)
            order = torch.randperm(size[0], generator=torch.Generator().manual_seed(size[0])).tolist()
            return Leaf({"role": "target", "values": order}, outline({"values": order}, node))
        if name in ("bernoulli", "multinomial"):
            base = self.like(args[0], node)
            high = 2 if name == "bernoulli" else base.shape[-1]
            shape = (
                base.shape
                if name == "bernoulli"
                else (*base.shape[:-1], args[1] if len(args) > 1 else kwargs["num_samples"])
            )
            return self.leaf({"role": "target", "init": "randint", "low": 0, "high": high}, shape, node)
        like = name == "randint_like"
        ends = [bare(self.whole(one)) for one in (args[1:] if like else args) if not isinstance(one, tuple | list)]
        shape = (
            args[0].shape
            if like
            else kwargs.get("size", next((one for one in args if isinstance(one, tuple | list)), ()))
        )
        low, high = ([*ends, 0])[:2] if len(ends) > 1 else (kwargs.get("low", 0), (ends or [kwargs.get("high", 2)])[0])
        if not (is_number(low) and is_number(high)):
            raise Refusal("found-shape", at=node)
        return self.leaf({"role": "target", "init": "randint", "low": int(low), "high": int(high)}, shape, node)

    def created(self, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`torch.zeros(3)` at the top of the text."""
        role = "parameter" if kwargs.get("requires_grad") is True else "data"
        if name in ("zeros", "ones"):
            shape = args[0] if len(args) == 1 else args
            if not isinstance(kwargs.get("dtype"), DType) or kwargs["dtype"] == "float32":
                return self.leaf({"role": role, "init": name}, shape, node)
        if name in TYPED | {"tensor", "as_tensor"} and isinstance(args[0], list | tuple | int | float):
            values = _as_values(args[0])
            if values is not None:
                kind = kwargs.get("dtype")
                if kind == "float32" or name in OF_DECIMALS:
                    values = _decimal(values)
                return Leaf({"role": role, "values": values}, outline({"values": values}, node))
        return None

    def parameter(self, value: Any, needs: bool, node: ast.expr) -> Any:
        """`nn.Parameter(…)`: a row of the table."""
        if isinstance(value, Leaf) and not value.is_settled:
            value.spec["role"] = "parameter" if needs else "constant"
            return value
        base = value.base if isinstance(value, Tensor) else None
        if isinstance(base, Leaf) and not base.is_settled and value.view and value.view.key == ".detach":
            return Leaf({**base.spec, "role": "parameter" if needs else "constant"}, base.meta)
        if isinstance(value, Tensor) and value.fixed and (needs or value.variable is None):
            if value.meta.numel() > MOST_LISTED:
                raise Refusal("tensor-too-large", shape=shape_text(value.shape), limit=f"{MOST_LISTED:,}", at=node)
            numbers = self.numbers(value)
            spec = {"role": "parameter" if needs else "constant", "values": numbers.tolist()}
            return Leaf(spec, outline(spec, node))
        return value

    def fans(self, args: list[Any]) -> tuple[int, int]:
        """How many numbers a cell of the output is made of, and how many it takes part in, by a weight's shape."""
        shape = self.like(args[0] if args else None, self.place).shape
        if len(shape) < 2:
            raise Refusal("found-shape", at=self.place)
        places = math.prod(shape[2:])
        return shape[1] * places, shape[0] * places

    def initialised(self, name: str, args: list[Any], kwargs: Parameters) -> Any:
        """`nn.init.…_(w)`: how a weight begins; drawn as it is described in the table."""
        if name == FANS:
            return self.fans(args)
        leaf = args[0] if args else None
        if isinstance(leaf, Leaf) and not leaf.is_settled:
            made: Spec | None = {"zeros_": {"init": "zeros"}, "ones_": {"init": "ones"}}.get(name)
            if name == "constant_" and is_number(args[1]):
                made = {"init": "ones", "scale": float(args[1])}
            if name == "normal_":
                made = {
                    "init": "randn",
                    "scale": float(kwargs.get("std", args[2] if len(args) > 2 else 1.0)),
                    "shift": float(kwargs.get("mean", args[1] if len(args) > 1 else 0.0)),
                }
            if made is not None and "values" not in leaf.spec:
                for one in ("scale", "shift", "init"):
                    leaf.spec.pop(one, None)
                leaf.spec.update(made)
        return leaf


def _place_size(name: str, args: list[Any], kwargs: Parameters) -> None:
    """`torch.zeros(size=(3, 4))` as `torch.zeros((3, 4))`, `torch.tensor(data=…)` likewise."""
    wanted = "data" if name in ("tensor", "as_tensor") else "size"
    if name in ("zeros", "ones", "full", "tensor", "as_tensor") and wanted in kwargs:
        args.insert(0, kwargs.pop(wanted))


def _factor_and_term(sign: ast.operator, number: float, is_first: bool) -> tuple[float, float]:
    """What a number beside a sign multiplies by and adds; no number for a sign that does neither."""
    match sign:
        case ast.Mult():
            return number, 0.0
        case ast.Div() if is_first and number:
            return 1 / number, 0.0
        case ast.Add():
            return 1.0, number
        case ast.Sub():
            return (1.0, -number) if is_first else (-1.0, number)
        case _:
            return math.nan, math.nan


def _as_values(value: Any) -> Any:
    """Numbers in lists, as a table holds them; None where there is anything else."""
    if isinstance(value, tuple | list):
        parts = [_as_values(one) for one in value]
        return None if any(part is None for part in parts) else parts
    value = bare(value)
    return value if isinstance(value, int | float) and (isinstance(value, bool) or abs(value) < math.inf) else None


def _decimal(values: Any) -> Any:
    return [_decimal(one) for one in values] if isinstance(values, list) else float(values)
