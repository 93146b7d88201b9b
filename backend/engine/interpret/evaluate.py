"""Evaluates lines of the language on torch tensors, through the allow-list only."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import torch
import torch.nn.functional as functional

from backend.engine.interpret.interpreter import Interpreter
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import BUILTINS, MATH, RANDOM
from backend.engine.language.guard import wants_memory
from backend.engine.language.pytree import as_tensor, tensors_in
from backend.engine.language.suggest import nearest
from backend.engine.language.tree import names_of, target_of
from backend.engine.language.unlisted import INSTEAD, KINDS, NEEDLESS
from backend.engine.language.values import FloatFacts, Pair, Values
from backend.engine.ops import REGISTRY
from backend.engine.ops.pointwise import dtype_of
from backend.engine.ops.signature import ALIASES

SYMBOLS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow,
    "@": operator.matmul, "-x": operator.neg, "~x": operator.invert, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "%": operator.mod, "//": operator.floordiv,
}  # fmt: skip

IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd, ast.Sub: operator.isub, ast.Mult: operator.imul, ast.Div: operator.itruediv,
}  # fmt: skip

# What torch raises at arguments it does not take; a division by zero for no groups at all, no attribute for tuples.
TORCH_FAILS = (
    RuntimeError, IndexError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError, KeyError,
)  # fmt: skip


@cache
def functions() -> dict[str, tuple[Callable[..., Any], frozenset[str]]]:
    """What each key of the registry runs, and the keywords it may be given."""
    return {key: (_function(key), _keywords(key)) for key in REGISTRY}


def _keywords(key: str) -> frozenset[str]:
    named = {name for _, signature in REGISTRY[key] for name in signature.parameters}
    aliases = [ALIASES, *(op.called for op, _ in REGISTRY[key])]
    return frozenset(named | {alias for known in aliases for alias, name in known.items() if name in named})


def _function(key: str) -> Callable[..., Any]:
    for op, _ in REGISTRY[key]:
        if key in op.runs:
            return op.runs[key]
    if key in SYMBOLS:
        return SYMBOLS[key]
    if key == "[]":
        return pick
    if key.startswith("."):
        found = getattr(torch.Tensor, key[1:])
        return found if callable(found) else lambda tensor: getattr(tensor, key[1:])
    owner, _, name = key.rpartition(".")
    owners = {"torch": torch, "F": functional, "torch.linalg": torch.linalg, "torch.special": torch.special}
    function: Callable[..., Any] = getattr(owners[owner], name)
    return function


def pick(tensor: torch.Tensor, index: Any) -> torch.Tensor:
    """tensor[index]; a `range` becomes a tensor of whole numbers."""
    return tensor[indices(index, tensor.device)]


def indices(index: Any, device: torch.device) -> Any:
    """An index as torch takes it."""
    return tuple([_places(part, device) for part in index]) if isinstance(index, tuple) else _places(index, device)


def _places(index: Any, device: torch.device) -> Any:
    if isinstance(index, torch.Tensor) and index.is_meta and index.ndim == 0 and not index.is_floating_point():
        return 0  # without numbers, any place stands for this one
    if isinstance(index, range):
        return torch.arange(index.start, index.stop, index.step, device=device)
    if isinstance(index, list | tuple):
        return torch.tensor(index, device=device)
    return index


class Evaluator(Interpreter):
    """Evaluates lines on torch tensors; `last` is the value of the latest statement's right-hand side."""

    last: Any = None
    in_place: ClassVar[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = IN_PLACE

    def tensor(self, node: ast.expr) -> torch.Tensor:
        """The value of an expression that is a tensor."""
        return as_tensor(self.value(node))

    def is_tensor(self, value: object) -> bool:
        return isinstance(value, torch.Tensor)

    def dtype_of(self, tensor: Any) -> Any:
        return tensor.dtype

    def as_written(self, value: Any) -> ast.expr:
        return ast.Constant(value if isinstance(value, int | float) else None)

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        known = functions().get(key)
        if known is None:
            raise unknown_operation(key, node)
        function, keywords = known
        try:
            return wrapped(self.applied(function, args, taken(kwargs, keywords, key, node) if kwargs else {}))
        except TORCH_FAILS as error:
            raise operation_failed(key, (*args, *kwargs.values()), error, node) from None

    def applied(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Values) -> Any:
        """What a function of torch returns."""
        return function(*args, **kwargs)

    def indexed(self, index: Any, device: torch.device) -> Any:
        """An index as torch takes it."""
        return indices(index, device)

    def assign(self, statement: ast.Assign, value: Any) -> None:
        self.last = value
        target = target_of(statement)
        if isinstance(target, ast.Subscript):
            self.put(target, value)
        else:
            self.scope.update(bound(target, value, statement))

    def put(self, target: ast.Subscript, value: Any) -> None:
        self.write(self.value(target.value), self.value(target.slice), value, target)

    def write(self, tensor: Any, index: Any, value: Any, at: ast.Subscript) -> None:
        """`tensor[index] = value`."""
        try:
            self.applied(operator.setitem, (tensor, self.indexed(index, tensor.device), value), {})
        except TORCH_FAILS as error:
            raise operation_failed("[]", (tensor, value), error, at) from None

    def statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.AugAssign):
            self.augment(statement)
        else:
            super().statement(statement)

    def augment(self, statement: ast.AugAssign) -> None:
        """`x += y` changes x itself, as torch does: a forgotten `.clone()` must show."""
        self.add(statement, self.value(statement.value))

    def add(self, statement: ast.AugAssign, value: Any) -> None:
        """What `+=` does with a value that is worked out."""
        self.last, target = value, self.value(statement.target)
        change = self.in_place.get(type(statement.op))
        if change is None or not isinstance(target, torch.Tensor):
            raise Refusal("operator-unknown", at=statement)
        self.change(change, target, value, statement.target)
        if isinstance(statement.target, ast.Subscript):
            self.put(statement.target, target)

    def change(self, change: Callable[[Any, Any], Any], target: torch.Tensor, value: Any, at: ast.expr) -> None:
        """What `+=` and its like do with a tensor."""
        try:
            self.applied(change, (target, value), {})
        except TORCH_FAILS as error:
            raise operation_failed("+", (target, value), error, at) from None


def taken(kwargs: Values, keywords: frozenset[str], key: str, node: ast.expr) -> Values:
    """The keywords of a call as torch is given them; raises Refusal where it takes no such keyword."""
    if not keywords.issuperset(kwargs):
        raise Refusal("keyword-unknown", found=next(k for k in kwargs if k not in keywords), name=spoken(key), at=node)
    # There is one device, and shapes are worked out on another.
    taken = {name: value for name, value in kwargs.items() if name != "device"}
    return taken | {"dtype": _of_this_run(dtype_of(kwargs["dtype"]))} if "dtype" in kwargs else taken


def wrapped(result: Any) -> Any:
    """A result of torch with its fields by name: `torch.max` gives values and indices, `torch.finfo` limits."""
    if isinstance(result, torch.Tensor):
        return result
    if isinstance(result, torch.finfo):
        return FloatFacts(result.eps, result.min, result.max)
    return Pair(*result) if isinstance(result, tuple) and hasattr(result, "indices") else result


def _of_this_run(kind: Any) -> Any:
    """The kind of number of a tensor made from nothing: floating point is that of this run."""
    return torch.get_default_dtype() if isinstance(kind, torch.dtype) and kind.is_floating_point else kind


def bound(target: ast.expr, value: Any, node: ast.AST) -> Values:
    """The names of a target such as `h` or `a, b`, each with its part of a value."""
    names = names_of(target)
    parts = unpacked(value, len(names), node) if isinstance(target, ast.Tuple) else (value,)
    return dict(zip(names, parts, strict=True))


def unpacked(value: Any, count: int, node: ast.AST) -> tuple[Any, ...]:
    """The parts of a tuple that is assigned to `count` names."""
    if isinstance(value, Pair):
        value = (value.values, value.indices)
    if isinstance(value, torch.Tensor) and value.ndim and len(value) == count:
        value = value.unbind()
    if not isinstance(value, tuple | list) or len(value) != count:
        found = len(value) if isinstance(value, tuple | list) else 1
        raise Refusal("unpack-count/one" if found == 1 else "unpack-count", names=count, found=found, at=node)
    return tuple(value)


def spoken(key: str) -> str:
    """An operation's key as a person would say it."""
    return {"[]": "an index", "-x": "-", "~x": "~"}.get(key, key)


def unknown_operation(key: str, node: ast.expr) -> Refusal:
    """The refusal of a function, method or attribute that is not listed, with the one that was clearly meant."""
    place = node.func if isinstance(node, ast.Call) else node
    owner, _, bare = key.rpartition(".")
    if bare.rstrip("_") in RANDOM:
        return Refusal("function-unlisted/random", found=key.lstrip("."), at=place)
    if told := _unlisted(key, bare, place):
        return told
    if bare in AS_NUMBERS or bare in PRECISIONS:
        code = "function-unlisted/number" if bare in AS_NUMBERS else "function-unlisted/precision"
        return Refusal(code, found=f".{bare}", at=place)
    if key.endswith("_") and key[:-1] in REGISTRY:
        instead = key[:-1] if owner else f"x{key[:-1]}"
        return Refusal("function-unlisted/in-place", found=key.lstrip("."), instead=instead, at=place)
    if near := _meant(key):
        return Refusal("function-unknown", found=key.lstrip("."), near=near, at=place)
    if hasattr(builtins, key):
        return Refusal("function-unlisted/python", found=key, at=place)
    own = key.isidentifier()
    return Refusal("function-unlisted/own" if own else "function-unlisted", found=key.lstrip("."), at=place)


def _unlisted(key: str, bare: str, place: ast.expr) -> Refusal | None:
    """The refusal of what real programs call and gradwalk doesn't have, with what to write instead."""
    found = key.lstrip(".")
    if bare in KINDS or key.startswith("torch.distributions."):
        return Refusal(KINDS.get(bare, KINDS["Normal"]), found=found, at=place)
    if bare in INSTEAD:
        return Refusal("function-unlisted/instead", found=found, instead=INSTEAD[bare], at=place)
    return Refusal("function-unlisted/needless", found=found, at=place) if bare in NEEDLESS else None


def _meant(key: str) -> str | None:
    """The same name elsewhere; else one that differs by a slip, of the same owner first. No slip is what torch has."""
    owner, _, bare = key.rpartition(".")
    listed = [known.rpartition(".") for known in (*REGISTRY, *(f"math.{name}" for name in MATH)) if "." in known]
    elsewhere = [f"{place}.{name}" for place, _, name in listed if name == bare]
    if elsewhere:
        return max(elsewhere, key=lambda known: not known.startswith("."))
    if not owner and hasattr(builtins, bare):
        return None
    if any(hasattr(known, bare) for known in (torch, functional, torch.Tensor, torch.linalg)):
        return None
    own = {name: f"{place}.{name}" for place, _, name in listed if place == owner}
    others = {name: f"{place}.{name}" for place, _, name in listed} | (dict.fromkeys(BUILTINS) if owner == "" else {})
    for names in (own, others):
        if near := nearest(bare, names):
            return names[near] or near
    return None


def operation_failed(key: str, args: tuple[Any, ...], error: Exception, node: ast.AST) -> Refusal:
    """Our own words for what torch refused, as its messages may quote anything; out of memory is raised as it is."""
    if wants_memory(error):
        raise error
    if key == "[]" and "step must be" in str(error):
        return Refusal("operation-fails/step", at=node)
    shapes = [tuple(arg.shape) for arg in args if isinstance(arg, torch.Tensor)]
    ops = [op for op, _ in REGISTRY[key]]
    if told := next(filter(None, (op.failed(key, shapes, error, node) for op in ops)), None):
        return told
    if told := _numbers_failed(key, error, node) or _index_failed(key, args, error, node):
        return told
    takes_places = any(op.others & PLACES for op in ops)
    strict = (key not in SYMBOLS or any(op.one_kind for op in ops)) and not takes_places
    if not shapes:  # those of the tensors in a list, each once
        shapes = list(dict.fromkeys(tuple(one.shape) for one in tensors_in(args)))
    said, told_shapes = spoken(key), " and ".join(map(shape_text, shapes)) or "these numbers"
    if mixes_kinds(args) and strict and not isinstance(error, AssertionError):
        return Refusal("whole-numbers", at=node, name=said, shapes=told_shapes)
    if len(shapes) >= 2:
        return Refusal("shapes-do-not-fit", at=node, name=said, shapes=told_shapes)
    code = "operation-fails/axis" if "Dimension out of range" in str(error) else "operation-fails"
    return Refusal(code, at=node, name=said, shapes=told_shapes)


# What makes plain numbers of a tensor, and what changes its precision.
AS_NUMBERS, PRECISIONS = frozenset({"item", "tolist", "numpy"}), frozenset({"double", "half", "bfloat16"})
# What whole numbers beside decimals are called, where they are no slip.
PLACES = frozenset({"index", "indices"})
# How torch's operations ask for classes and places that are whole numbers.
WHOLE_NUMBERS_WANTED = ("dtype to be Long", "type Long but found", "types: Long", "int32/int64", "must be long")


def _numbers_failed(key: str, error: Exception, node: ast.AST) -> Refusal | None:
    """The refusal where torch says that numbers, and not shapes, are at fault."""
    told = str(error)
    if "between 0 and 1" in told:
        return Refusal("outside-zero-and-one", name=spoken(key), at=node)
    if ("Target " in told and "Target size" not in told) or "Class values" in told:
        return Refusal("class-out-of-range", name=spoken(key), at=node)
    if "index" in told and ("out of bounds" in told or "out of range" in told):
        return Refusal("place-out-of-range", name=spoken(key), at=node)
    if told.startswith("the derivative for"):
        return Refusal("no-backward-rule", name=spoken(key), at=node)
    if any(words in told for words in WHOLE_NUMBERS_WANTED):
        return Refusal("whole-numbers-wanted", name=spoken(key), at=node)
    return None


def _index_failed(key: str, args: tuple[Any, ...], error: Exception, node: ast.AST) -> Refusal | None:
    """The refusal where the parts of an index name different numbers of places."""
    if key != "[]" or "broadcast" not in str(error) or not isinstance(args[1], tuple):
        return None
    parts = [tuple(torch.as_tensor(one).shape) for one in args[1] if isinstance(one, torch.Tensor | list | range)]
    return Refusal("shapes-do-not-fit/index", name="an index", shapes=" and ".join(map(shape_text, parts)), at=node)


def mixes_kinds(args: tuple[Any, ...]) -> bool:
    """Whether tensors of whole numbers (or truth values) meet tensors of decimals."""
    flat = (item for arg in args for item in (arg if isinstance(arg, tuple | list) else (arg,)))
    kinds = {item.dtype.is_floating_point for item in flat if isinstance(item, torch.Tensor)}
    return len(kinds) == 2


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as Python writes it."""
    return str(tuple(shape))


class DefaultDtype:
    """Tensors that a line makes from nothing get the run's dtype."""

    def __init__(self, dtype: torch.dtype) -> None:
        self.dtype, self.before = dtype, torch.get_default_dtype()

    def __enter__(self) -> None:
        torch.set_default_dtype(self.dtype)

    def __exit__(self, *_: object) -> None:
        torch.set_default_dtype(self.before)
