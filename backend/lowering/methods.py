"""Attributes and methods of tensors, lists, dictionaries and words; changes in place become new tensors."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from backend.engine.interpret.evaluate import unknown_operation
from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.tree import attribute
from backend.engine.language.values import Device, DType, Parameters
from backend.engine.ops import REGISTRY
from backend.lowering import library_text
from backend.lowering.attributes import MOVING
from backend.lowering.looked_through import is_method
from backend.lowering.machine import kind_of
from backend.lowering.method_tables import DICTS, LISTS, OTHERS, TENSORS
from backend.lowering.missing import missing
from backend.lowering.sharing import Sharing
from backend.lowering.use import Use
from backend.lowering.values import (
    LOST,
    Leaf,
    Lost,
    Method,
    Opaque,
    Path,
    Shape,
    Tensor,
    Unknown,
    bare,
    is_number,
)

# Facts and methods of tensors that are carried out here.
FACTS = frozenset({"shape", "ndim", "dtype", "device", "data", "grad", "requires_grad", "is_cuda", "is_leaf", "H"})
METHODS = frozenset(
    {
        "size", "dim", "ndimension", "numel", "backward", "to", "type", "requires_grad_", "float", "tolist", "cuda",
        "new_tensor", "fill_", "zero_", "copy_", "normal_", "uniform_", "get_device", "detach_", "long", "int",
        "item", "type_as", "split_with_sizes", "scatter_", "masked_scatter_", "set_",
    }
)  # fmt: skip
ALIASES = {"clip_": "clamp_", "pow_": "pow_", "div_": "div_", "t_": "t_"}

# What a dictionary that is missing is gone through by: its parts are those that the code asks for.
PAIRS: dict[str, Callable[[Parameters], list[Any]]] = {
    "items": lambda parts: list(parts.items()), "keys": list, "values": lambda parts: list(parts.values()),
}  # fmt: skip
KINDS = {torch.int64: "int64", torch.bool: "bool", torch.int32: "int64"}
TOLD: dict[str, Callable[[Tensor], Any]] = {
    "dtype": lambda base: DType(KINDS.get(base.meta.dtype, "float32")), "device": lambda _: Device("cpu"),
    "grad": lambda _: Opaque("grad"), "is_cuda": lambda _: False,
    "requires_grad": lambda base: base.meta.is_floating_point(), "is_sparse": lambda _: False,
    "is_leaf": lambda base: isinstance(base, Leaf),
}  # fmt: skip


class Methods(Sharing):
    """Carries out attributes and methods."""

    keys_of: Mapping[str, list[str]]  # by which words dictionaries are asked for their parts, by their names
    is_numpy: bool  # whether the code computes with NumPy's arrays, and with nothing of PyTorch's

    def is_of_tensors(self, name: str) -> bool:
        """Whether tensors have an attribute or method of this name."""
        return name in FACTS or name in METHODS or f".{name}" in REGISTRY or hasattr(torch.Tensor, name)

    def fact(self, base: Tensor, name: str, node: ast.expr) -> Any:
        """An attribute of a tensor."""
        match name:
            case "shape":
                return self.shape(base)
            case "ndim":
                return len(base.shape)
            case "data":
                is_new = isinstance(base, Leaf) and not base.is_settled
                return base if is_new else self.called(Method(base, "detach"), [], {}, node)
            case "H":
                name = "mT"
        if name in TOLD:
            return TOLD[name](base)
        if name in grammar.PROPERTIES:
            return self.apply(f".{name}", [base], {}, lambda args, _: attribute(args[0], name), node)
        return Method(base, name) if is_method(name) else self.of_supposed(base, name, node)

    def of_supposed(self, base: Tensor, name: str, node: ast.expr) -> Any:
        """What no tensor has: what was missing and taken for one is an object, as a space of actions that has `low`."""
        if path := self.table.supposed(base):
            return self.part_of(Unknown(path, node), name, node)
        raise unknown_operation(f".{name}", node)

    def shape(self, base: Tensor) -> Any:
        if isinstance(base, Leaf) and not base.is_settled and self.is_beginning_of_object():
            return base.shape  # it gets its name when it is known whose it is
        self.settle(base)
        if base.variable is None:
            return base.shape
        made = Shape(base.shape)
        made.expr = attribute(base.expr, "shape")
        return made

    def set_fact(self, tensor: Tensor, name: str, value: Any) -> None:
        """`p.requires_grad = True`, `w.data = …`."""
        if name == "requires_grad" and isinstance(tensor, Leaf) and isinstance(value, bool):
            self.needs_gradient(tensor, value)
        elif name == "data" and isinstance(value, Tensor):
            self.through = tensor if isinstance(tensor, Leaf) else None
            self.become(tensor, value, "data", self.place)
            self.through = None
        elif isinstance(value, Tensor) or (hasattr(torch.Tensor, name) and name not in ("requires_grad", "grad")):
            raise Refusal("found-value", found=f"`.{name}`", at=self.place)

    def needs_gradient(self, leaf: Leaf, needs: bool) -> None:
        """Let it be trained, or not: a frozen weight keeps its numbers and gets no gradient."""
        row = self.table.lifted.get(leaf.variable or "")
        for spec in (leaf.spec, row) if row is not None else (leaf.spec,):
            if needs or spec["role"] == "parameter":
                spec["role"] = "parameter" if needs else "constant"

    def of_method(self, method: Method, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        base, name = method.receiver, method.name
        if isinstance(base, Tensor):
            return self.of_tensor(base, name, args, kwargs, node)
        if isinstance(base, Unknown):
            return self.of_missing(base, name, args, node)
        if name == "format" and isinstance(base, str):
            return self.formatted(base, args, kwargs, node)
        if name in ("encode", "decode") and isinstance(base, str):
            return Opaque("text")
        acts = LISTS if isinstance(base, list) else DICTS if isinstance(base, dict) else OTHERS
        act = acts.get(name) or OTHERS.get(name)
        if act is None:
            raise Refusal("attribute", found=name, at=node)
        try:
            return act(Use(self, base, [*args, *kwargs.values()], {}, node))
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            raise Refusal("found-value", found=kind_of(base), at=node) from None

    def formatted(self, text: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`"layer_{}".format(i)`, by which layers are named; anything else is only printed."""
        parts = [*args, *kwargs.values()]
        pieces = text.split("{}")
        plain = all(type(bare(part)) in (int, str) for part in parts) and not kwargs
        if not plain or len(pieces) != len(args) + 1 or "{" in "".join(pieces):
            return Opaque("text")
        return self.word(
            "".join(piece + str(bare(part)) for piece, part in zip(pieces, [*args, ""], strict=True)), node
        )

    def of_missing(self, base: Unknown, name: str, args: list[Any], node: ast.expr) -> Any:
        """`params.items()` of a dictionary that is missing, `params.get("W")`, or a layer that is moved elsewhere."""
        if name in MOVING:
            return base
        if name in ("get", "pop") and args and isinstance(args[0], str):
            given = self.table.given([*base.path.split("."), args[0]])
            is_sure = name == "pop" or base.made_by
            missing_part = self.part_of(base, args[0], node) if is_sure and len(args) == 1 else None
            return given if given is not None else (args[1] if len(args) > 1 else missing_part)
        if name in PAIRS and (keys := self.keys_of.get(base.path)):
            return PAIRS[name]({key: self.part_of(base, key, node) for key in keys})
        raise missing(base.path, node)

    def of_tensor(self, base: Tensor, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A method of a tensor."""
        if any(isinstance(value, Lost) for value in [*args, *kwargs.values()]):
            self.is_fatal |= name.endswith("_")
            return LOST
        if self.is_numpy and self.is_of_numpy(name):
            return self.called(self.defined_in_library(f"numpy_{name}"), [base, *args], kwargs, node)
        own = TENSORS.get(name)
        if own is not None:
            return own(Use(self, base, args, kwargs, node))
        if name.endswith("_") and not name.endswith("__") and name != "retain_grad_":
            return self.in_place(base, name, args, kwargs, node)
        if f"tensor_{name}" in library_text.index():
            return self.called(self.defined_in_library(f"tensor_{name}"), [base, *args], kwargs, node)
        return self.method_operation(base, name, args, kwargs, node)

    def method_operation(self, base: Any, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """A method that is an operation of the engine's; else the function of that name."""
        kwargs = {key: value for key, value in kwargs.items() if key not in ("device", "memory_format", "non_blocking")}
        key = f".{name}"
        if key not in REGISTRY:
            for owner in ("torch", "F", "torch.linalg"):
                if f"{owner}.{name}" in REGISTRY or f"{owner}_{name}" in library_text.index():
                    path = f"{owner}.{name}".replace("F.", "torch.nn.functional.")
                    return self.of_torch(path, name, [base, *args], kwargs, node)
            raise unknown_operation(key, node)

        def build(written: list[ast.expr], named: dict[str, ast.expr]) -> ast.expr:
            keywords = [ast.keyword(one, value) for one, value in named.items()]
            return ast.Call(attribute(written[0], name), written[1:], keywords)

        return self.apply(key, [base, *map(self.argument, args)], kwargs, build, node)

    # In place.
    def in_place(self, base: Tensor, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`x.add_(y)` as `x = x.add(y)`, for all who hold x."""
        made = self.of_tensor(base, name.rstrip("_"), args, kwargs, node)
        return self.changed_by(base, made, node)

    def changed_by(self, tensor: Any, result: Any, node: ast.expr) -> Any:
        if not isinstance(tensor, Tensor) or not isinstance(result, Tensor):
            self.is_fatal |= isinstance(result, Lost)
            return result
        if result.shape != tensor.shape:
            raise Refusal("found-in-place", at=node)
        self.settle(result)
        if self.is_fresh(tensor):
            self.changed(tensor)
            tensor.expr, tensor.meta, tensor.fixed = result.expr, tensor.laid_out(result.meta.dtype), result.fixed
            return tensor
        self.note("in-place", node, found=node)
        self.become(tensor, result, self.called_by_author(tensor), node)
        return tensor

    def put_cells(self, tensor: Tensor, index: Any, value: Any, target: ast.Subscript) -> None:
        """`x[i] = value` as a new tensor."""
        if isinstance(value, Unknown):
            value = self.operand(value, self.picked(tensor, index, target), "+")
        if isinstance(value, Lost) or isinstance(index, Lost):
            self.is_fatal = True  # what lies in the tensor now nobody knows
            return
        if isinstance(value, bool):
            value = int(value)
        if not isinstance(value, Tensor) and not is_number(value):
            raise Refusal("operand-kind", found="=", kind=kind_of(value), at=target)
        self.note("cells", target)
        made = self.with_cells(tensor, index, value, target)
        if isinstance(made, Lost):
            self.is_fatal = True
            return
        wanted = target.value.id if isinstance(target.value, ast.Name) else tensor.variable or "h"
        self.become(tensor, made, wanted, target)

    def with_cells(self, tensor: Tensor, index: Any, value: Any, node: ast.expr) -> Any:
        """A tensor with other values in some of its cells."""
        index = self.index(index, tensor)
        if tensor.meta.is_floating_point() and isinstance(value, Tensor) and not value.meta.is_floating_point():
            value = self.called(Method(value, "float"), [], {}, node)
        if isinstance(index, Tensor) and index.meta.dtype is torch.bool and index.shape == tensor.shape:
            if is_number(value):
                return self.called(Method(tensor, "masked_fill"), [index, value], {}, node)
            if value.shape in ((), tensor.shape):
                return self.called(Path("torch.where"), [index, value, tensor], {}, node)
        piece = _piece(index, tensor.shape)
        if piece is not None:
            axis, start, stop, is_one = piece
            function = self.defined_in_library("put_slice")
            return self.called(function, [tensor, value, axis, start, stop, is_one], {}, node)
        self.name_it(tensor, "h")
        numbers = self.called(Path("torch.arange"), [math.prod(tensor.shape)], {}, node)
        places = self.picked(self.called(Method(numbers, "view"), [tuple(tensor.shape)], {}, node), index, node)
        return self.called(self.defined_in_library("put_places"), [tensor, places, value], {}, node)


def _piece(index: Any, shape: tuple[int, ...]) -> tuple[int, int, int, bool] | None:
    """The one axis along which an index cuts, and where; None for what isn't one piece."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if any(part is ... for part in parts):
        at = next(n for n, part in enumerate(parts) if part is ...)
        parts[at : at + 1] = [slice(None)] * (len(shape) - len(parts) + 1)
    cuts = [(axis, part) for axis, part in enumerate(parts) if not (isinstance(part, slice) and part == slice(None))]
    if len(parts) > len(shape) or len(cuts) > 1:
        return None
    axis, part = cuts[0] if cuts else (0, slice(None))
    if isinstance(part, bool) or not isinstance(part, int | slice) or not shape:
        return None
    if isinstance(part, int):
        start = int(part) % shape[axis] if -shape[axis] <= part < shape[axis] else -1
        return None if start < 0 else (axis, start, start + 1, True)
    start, stop, step = bare(part).indices(shape[axis])
    return (axis, start, stop, False) if step == 1 and start < stop else None
