"""The state of a run of code as found, and what is done with tensors: operations, names, and numbers where needed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator, shape_text, unknown_operation
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import tensors_in, with_tensors
from backend.engine.language.tree import attribute, constant, item
from backend.engine.language.unparse import printed
from backend.engine.language.values import Device, DType, FloatFacts, Pair, Parameters
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import keys_of
from backend.lowering.budget import Budget
from backend.lowering.first_use import in_place_of, wants_shares
from backend.lowering.notes import Notes
from backend.lowering.table import Table
from backend.lowering.values import (
    LOST,
    Decimal,
    Function,
    Instance,
    Leaf,
    Lost,
    Opaque,
    Parts,
    Path,
    Scope,
    Shape,
    Spec,
    Tensor,
    Unknown,
    Whole,
    bare,
    is_number,
)
from backend.lowering.written import Writer
from backend.program.request import make_tensor

Build = Callable[[list[ast.expr], dict[str, ast.expr]], ast.expr]
COUNTING = keys_of(lambda op: op.shaped_by_numbers)  # what has as many cells as the numbers tell
# What is given the lengths of a shape.
SHAPED = frozenset({".view", ".reshape", ".expand", ".repeat", "torch.reshape", "torch.broadcast_to"})
# An expression that is longer than this gets a name before it is put into another one.
LONG = 80
SUMS = frozenset({"+", "-"})  # what goes back through them unchanged needs no line of its own


class Machine:
    """Everything that one run of code as found knows."""

    stored: set[str]  # the names that the code gives to what it computes
    is_fatal = False  # whether a fault may have changed what the loss is
    has_all = False  # whether what is missing has every attribute that `hasattr` asks for

    def __init__(self, table: Table, writer: Writer, notes: Notes) -> None:
        self.table, self.writer, self.notes = table, writer, notes
        self.budget = Budget()
        self.shapes = ShapeEvaluator({})
        self.actual: Evaluator | None = None
        self.ran = 0
        self.faults: list[Refusal] = []
        self.root = Scope({})
        self.scope = self.root
        self.calls: list[Function] = []
        self.place: ast.AST = ast.Pass(lineno=1, col_offset=0)
        self.of_gradients: dict[ast.stmt, bool] = {}
        self.tests: set[ast.expr] = set()  # comparisons that a branch asks for
        self.cuts = 0  # how many `no_grad` blocks are open
        self.numbers_said: dict[tuple[str, Any, str], str] = {}

    def note(self, code: str, node: ast.AST, **facts: object) -> None:
        """Say something of the code that was pasted, and nothing of what is in the library."""
        if not self.calls or self.calls[-1].own:
            self.notes.add(code, node, **facts)

    # Text.
    def written(self, value: Any, node: ast.AST) -> ast.expr:
        """How a value is written in the program."""
        if isinstance(value, Unknown):
            value = self.tensor_of(value)
        if isinstance(value, Tensor):
            self.renew(value, node)
            self.settle(value)
        if isinstance(value, Tensor | Parts | Shape | Whole | Decimal):
            return value.expr
        if isinstance(value, tuple | list | range):
            kind = ast.Tuple if isinstance(value, tuple) else ast.List
            return kind([self.written(part, node) for part in value], ast.Load())
        if isinstance(value, slice):
            ends = [None if end is None else self.written(end, node) for end in (value.start, value.stop, value.step)]
            return ast.Slice(*ends)
        if isinstance(value, DType):
            return attribute(ast.Name("torch", ast.Load()), str(value))
        return self.written_out(value, node)

    def written_out(self, value: Any, node: ast.AST) -> ast.expr:
        if isinstance(value, bool | str) or value is None or value is ...:
            return ast.Constant(value)
        if is_number(value):
            return constant(value)
        raise Refusal("found-value", found=kind_of(value), at=node)

    def is_beginning_of_object(self) -> bool:
        """Whether an object's `__init__` is gone through: what it is made with are sizes, what it holds has no path."""
        return any(one.name == "__init__" for one in self.calls)

    def settle(self, tensor: Tensor) -> None:
        if isinstance(tensor, Leaf) and not tensor.is_settled:
            self.table.settle(tensor)
            self.shapes.charge(tensor.meta, self.place)

    def metas(self, value: Any, node: ast.AST) -> Any:
        """A value as torch is asked about it: outlines for tensors, plain numbers."""
        if isinstance(value, Unknown):
            value = self.tensor_of(value)
        if isinstance(value, Tensor):
            self.renew(value, node)
            self.settle(value)
            return value.meta
        if isinstance(value, Parts):
            return value.meta
        if isinstance(value, tuple | list):
            return (
                type(value)([self.metas(part, node) for part in value])
                if type(value) in (tuple, list)
                else tuple(self.metas(part, node) for part in value)
            )
        return bare(value)

    def tensor_of(self, value: Unknown, use: Spec | None = None) -> Tensor:
        """A name without a value, used as a tensor."""
        given = self.table.given(value.path.split("."))
        return given if isinstance(given, Tensor) else self.table.need(value, use)

    # Operations.
    def apply(self, key: str, args: list[Any], kwargs: Parameters, build: Build, node: ast.expr) -> Any:
        """One use of an operation of the engine: its shape is worked out, its text put together."""
        if any(isinstance(value, Lost) for value in _flat([*args, *kwargs.values()])):
            return LOST
        for value in _flat([*args, *kwargs.values()]):
            if isinstance(value, Opaque):
                raise Refusal("found-foreign", found=value.name, at=node)
        if key not in REGISTRY:
            raise unknown_operation(key, node)
        self.budget.operation()
        args, kwargs = self.lengths(key, self.arguments(key, args)), self.keywords(key, kwargs)
        metas = [self.metas(value, node) for value in args]
        named = {name: self.metas(value, node) for name, value in kwargs.items()}
        if key == "[]":
            metas[1] = self.places(args[1], metas[1], args[0], node)
        result = self.outline(key, args, tuple(metas), named, node)
        if wants_shares(key):
            self.check_shares(args, key, node)
        tensors = [value for value in _flat([*args, *kwargs.values()]) if isinstance(value, Tensor)]
        fixed = all(one.fixed for one in tensors)
        self.name_steps(key, tensors)
        expr = build(
            [self.written(value, node) for value in args],
            {name: self.written(value, node) for name, value in kwargs.items()},
        )
        made = self.made(result, expr, fixed)
        if args and isinstance(args[0], Tensor):
            self.share(key, args, made, lambda one: self.apply(key, [one, *args[1:]], kwargs, build, node))
        return made

    def outline(self, key: str, args: list[Any], metas: tuple[Any, ...], kwargs: Parameters, node: ast.expr) -> Any:
        """The outline of a result: of one that has as many cells as the numbers tell, by running the lines so far."""
        if key not in COUNTING or not any(
            op.shaped_by_numbers and signature.bind(metas, kwargs) is not None for op, signature in REGISTRY[key]
        ):
            return self.shapes.operation(key, metas, kwargs, node)
        pairs = zip(args, metas, strict=True)
        given = tuple(self.numbers(one) if isinstance(one, Tensor) else meta for one, meta in pairs)
        made = self.run_lines().operation(key, given, kwargs, node)
        for part in tensors_in(made):
            self.shapes.charge(part, node, given)
        return with_tensors(made, lambda part: part.to("meta"))

    def check_shares(self, args: list[Any], key: str, node: ast.expr) -> None:
        """What is missing and read as shares can't be any decimals."""
        for value in args:
            leaf = (value.base or value) if isinstance(value, Tensor) else None
            if isinstance(leaf, Leaf) and not leaf.fixed and leaf.spec.get("init") == "randn":
                raise Refusal("outside-zero-and-one", name=key, at=node)

    def arguments(self, key: str, args: list[Any]) -> list[Any]:
        """The arguments of an operation, a missing one as a tensor or a number, whichever the operation takes there."""
        if not any(isinstance(value, Unknown) for value in _flat(args)) or key == "[]":
            return args
        op, signature = next(
            ((op, one) for op, one in REGISTRY[key] if len(one.parameters) >= len(args)), REGISTRY[key][0]
        )
        names = list(signature.parameters)
        wanted = [names[min(place, len(names) - 1)] for place in range(len(args))] if names else [""] * len(args)
        tensors = {*op.backward, *op.others, *(name for _, rules in op.cases for name in rules)}
        tensors |= set() if op.creates else set(names[:1])
        known = {name: value for name, value in zip(wanted, args, strict=True) if isinstance(value, Tensor)}
        return [
            self.argument_of(key, name, value, name in tensors, known, is_size=op.creates or key in SHAPED)
            for name, value in zip(wanted, args, strict=True)
        ]

    def keywords(self, key: str, kwargs: Parameters) -> Parameters:
        """The arguments by name of an operation; a missing one is a number where the operation takes no tensor."""
        if not any(isinstance(value, Unknown) for value in kwargs.values()):
            return kwargs
        tensors = {name for op, _ in REGISTRY[key] for name in (*op.backward, *op.others)} - {"min", "max"}
        return {name: value if name in tensors else self.known(value) for name, value in kwargs.items()}

    def argument_of(
        self, key: str, name: str, value: Any, is_tensor: bool, known: Parameters, is_size: bool = False
    ) -> Any:
        """One argument of an operation, by its parameter."""
        if is_tensor and isinstance(value, Unknown) and not self.is_meant_as_number(value.path, is_size):
            return self.tensor_of(value, in_place_of(key, name, known))
        if is_tensor and isinstance(value, tuple | list) and not isinstance(value, Parts):
            return value
        return self.known(value, is_size)

    def is_meant_as_number(self, path: str, is_size: bool) -> bool:
        guesser = self.table.guesser
        is_share = path.rpartition(".")[2] in ("smoothing", "confidence")
        return is_share or guesser.is_constant(path) or (is_size and guesser.is_number(path))

    def lengths(self, key: str, args: list[Any]) -> list[Any]:
        """The lengths of a shape as numbers: of those that lines have reckoned, what comes of the lines so far."""
        is_reckoned = any(isinstance(one, Tensor) for one in _flat(args[1:]))
        if key not in SHAPED or not is_reckoned:
            return args
        return [args[0], *(self.length(one) for one in args[1:])]

    def length(self, value: Any) -> Any:
        if isinstance(value, tuple | list) and not isinstance(value, Parts | Shape):
            return type(value)(self.length(one) for one in value)
        return self.whole(value) if isinstance(value, Tensor) else value

    def whole(self, value: Any, is_size: bool = False) -> Any:
        raise NotImplementedError

    def known(self, value: Any, is_size: bool = False) -> Any:
        """A missing value as a number, unless the table has a tensor for it."""
        if isinstance(value, tuple | list) and not isinstance(value, Parts | Shape):
            return type(value)(self.known(one, is_size) for one in value)
        if isinstance(value, Unknown):
            given = self.table.given(value.path.split("."))
            return self.table.number(value, is_size) if given is None else given
        return value

    def share(self, key: str, args: list[Any], made: Any, again: Callable[[Tensor], Any]) -> None:
        raise NotImplementedError

    def renew(self, tensor: Tensor, node: ast.AST) -> None:
        raise NotImplementedError

    def made(self, result: Any, expr: ast.expr, fixed: bool) -> Any:
        """What the engine says of a result, as a value here."""
        if isinstance(result, torch.Tensor):
            return self.computed(expr, result, fixed)
        if isinstance(result, Pair):
            return self.several(("values", "indices"), (result.values, result.indices), result, expr, fixed)
        if isinstance(result, tuple | list):
            return self.several((), tuple(result), tuple(result), expr, fixed)
        assert isinstance(result, FloatFacts)
        return result

    def computed(self, expr: ast.expr, meta: torch.Tensor, fixed: bool) -> Tensor:
        made = Tensor(expr, meta, fixed=fixed)
        made.is_cut = bool(self.cuts)
        return made

    def several(self, fields: tuple[str, ...], metas: tuple[Any, ...], meta: Any, expr: ast.expr, fixed: bool) -> Parts:
        places = [attribute(expr, name) for name in fields] or [item(expr, number) for number in range(len(metas))]
        made = Parts(self.computed(place, one, fixed) for place, one in zip(places, metas, strict=True))
        made.expr, made.fields, made.meta = expr, fields, meta
        return made

    def places(self, index: Any, meta: Any, base: Any, node: ast.expr) -> Any:
        """An index in which each mask has become the places it picks: how many they are, its numbers tell."""
        parts = index if isinstance(index, tuple) else (index,)
        metas = meta if isinstance(meta, tuple) else (meta,)
        masks = [isinstance(one, torch.Tensor) and one.dtype is torch.bool and one.ndim > 0 for one in metas]
        if not any(masks):
            return meta
        if masks[0] and metas[0].shape != base.shape[: metas[0].ndim]:
            shapes = f"{shape_text(base.shape)} and {shape_text(tuple(metas[0].shape))}"
            raise Refusal("shapes-do-not-fit", name="an index", shapes=shapes, at=node)
        found: list[Any] = []
        for part, one, is_mask in zip(parts, metas, masks, strict=True):
            found += [p.to("meta") for p in self.numbers(part).nonzero(as_tuple=True)] if is_mask else [one]
        return tuple(found)

    # Numbers.
    def numbers(self, value: Any) -> torch.Tensor:
        """A tensor's numbers, where something depends on them: the lines so far are run."""
        if isinstance(value, Unknown):
            value = self.tensor_of(value)
        self.renew(value, self.place)
        self.settle(value)
        with torch.no_grad():
            return self.run_lines().tensor(value.expr)

    def run_lines(self) -> Evaluator:
        """The lines so far, with their numbers."""
        dtype = torch.get_default_dtype()
        if self.actual is None:
            self.actual = Evaluator(dict(self.table.constants) | dict(self.table.tensors))
        scope = self.actual.scope
        for name, spec in self.table.lifted.items():
            if name not in scope:
                scope[name] = make_tensor(name, spec, dtype)
        scope.update(self.table.numbers)
        with torch.no_grad(), DefaultDtype(dtype):
            for row in self.writer.rows[self.ran :]:
                names: list[ast.expr] = [ast.Name(name, ast.Store()) for name in row.names]
                target = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
                self.actual.statement(ast.Assign([target], row.value))
            self.ran = len(self.writer.rows)
        return self.actual

    # Names.
    def name_it(self, value: Any, wanted: str) -> None:
        """Give a tensor, or what holds several, a name: a line is written, unless it has one already."""
        if isinstance(value, Leaf) and not value.is_settled:
            value.name = value.name or wanted
            self.settle(value)
        elif isinstance(value, Tensor) and value.variable is None:
            value.variable = self.writer.free(wanted)
            expr = value.expr
            if value.is_cut and value.meta.is_floating_point():
                expr = ast.Call(attribute(expr, "detach"), [], [])
            self.writer.write([value.variable], expr, self.place)
            value.expr = ast.Name(value.variable, ast.Load())
        elif isinstance(value, Parts) and not isinstance(value.expr, ast.Name):
            self.name_parts(value, wanted)

    def name_parts(self, value: Parts, wanted: str) -> None:
        variable = self.writer.free(wanted)
        self.writer.write([variable], value.expr, self.place)
        value.expr = ast.Name(variable, ast.Load())
        for number, part in enumerate(value):
            if part.variable is None:
                part.expr = attribute(value.expr, value.fields[number]) if value.fields else item(value.expr, number)

    def name_steps(self, key: str, tensors: list[Tensor]) -> None:
        """Give what an operation reads a name where it is a step: what a layer made, and what was made without
        gradients, once it is read with them."""
        for one in tensors:
            is_cut_off = one.is_cut and not self.cuts
            if self.is_fresh(one) and (is_cut_off or (one.layer and key not in SUMS)):
                self.name_it(one, one.layer or "h")

    def is_fresh(self, value: Any) -> bool:
        """Whether a value still goes by the expression that computed it."""
        return isinstance(value, Tensor) and value.variable is None and not isinstance(value, Leaf)

    def is_long(self, value: Any) -> bool:
        return self.is_fresh(value) and len(printed(value.expr)) > LONG

    def called_after(self, layer: Instance) -> str:
        """What a layer's result is called: as the layer is, unless the code means something else by that."""
        names = layer.path() or [layer.name]
        name = "_".join(names[-2:] if names[-1].isdecimal() else names[-1:])
        return f"{name}_{layer.of.name.lower()}" if name in self.stored else name

    def path_of(self, owner: Instance, name: str) -> list[str]:
        """The names on the way to an attribute from the outermost object."""
        return [*owner.path(), name]


def _flat(values: list[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if isinstance(value, tuple | list):
            found += _flat(list(value))
        else:
            found.append(value)
    return found


def kind_of(value: Any) -> str:
    """What a person calls such a value."""
    if isinstance(value, Path):
        return f"`{value.name}`"
    if isinstance(value, Instance):
        return f"an object of `{value.of.name}`"
    if isinstance(value, Function):
        return f"the function `{value.name}`"
    names: Mapping[type, str] = {
        dict: "a dictionary", list: "a list", tuple: "a tuple", str: "text", set: "a set", bool: "a truth value",
        type(None): "`None`", Tensor: "a tensor", Leaf: "a tensor", Unknown: "something that is missing",
        Device: "a device",
    }  # fmt: skip
    return names.get(type(value), "this")
