"""How a call of PyTorch is written in the small language: its spellings, and its arguments as expressions."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import torch
from torch.overrides import resolve_name

from backend.engine.language.values import Parameters
from backend.engine.ops import REGISTRY

Read = Callable[[torch.Tensor], ast.expr]
OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "true_divide": ast.Div, "pow": ast.Pow,
    "matmul": ast.MatMult, "__add__": ast.Add, "__sub__": ast.Sub, "__mul__": ast.Mult, "__truediv__": ast.Div,
    "__pow__": ast.Pow, "__matmul__": ast.MatMult, "remainder": ast.Mod, "__mod__": ast.Mod,
    "floor_divide": ast.FloorDiv,
}  # fmt: skip
REFLECTED: dict[str, type[ast.operator]] = {
    "__radd__": ast.Add, "__rsub__": ast.Sub, "__rmul__": ast.Mult, "__rtruediv__": ast.Div, "__rdiv__": ast.Div,
    "__rpow__": ast.Pow, "__rmatmul__": ast.MatMult, "rsub": ast.Sub,
}  # fmt: skip
# What says how, and not what, is computed.
IDLE = {"inplace", "_stacklevel", "out", "device", "pin_memory", "memory_format", "non_blocking", "copy", "layout"}
USUAL: Parameters = {"dtype": None, "sparse": False, "scale_grad_by_freq": False, "size_average": None,
                         "reduce": None, "cudnn_enabled": True, "requires_grad": False}  # fmt: skip
PROPERTIES = {"T", "mT"}
# Beyond it a number is infinite in one of the precisions that a walk is held in.
LARGEST = torch.finfo(torch.float32).max


class SpellingError(Exception):
    """An argument that the language has no expression for."""


@lru_cache(maxsize=4096)
def name_of(function: Any) -> str:
    """A function's name as PyTorch's own lists have it, such as `torch.Tensor.add`."""
    found = resolve_name(function)
    if found is None:
        found = f"{getattr(function, '__module__', '') or 'torch'}.{getattr(function, '__name__', 'unknown')}"
    return str(found)


@lru_cache(maxsize=4096)
def short(name: str) -> str:
    """The last word of a function's name, that of a property's getter without its ending."""
    words = name.removesuffix(".__get__").split(".")
    if words[-1] in ("default", "Tensor", "Scalar", "int", "dim", "dim_IntList", "self") and len(words) > 2:
        return words[-2]
    return words[-1]


def plain_of(name: str) -> str:
    """What a function that works in place is called where it makes a new tensor: `add_` is `add`, `__iadd__` too."""
    word = short(name)
    if word.startswith("__i") and word.endswith("__") and word not in ("__invert__", "__index__", "__int__"):
        return word[3:-2]
    return word.rstrip("_") if word.endswith("_") and not word.endswith("__") else word


def expressions(name: str, word: str, function: Any, args: Any, kwargs: Any, read: Read) -> Iterator[ast.expr]:
    """Each way to write a call, the likeliest first; raises SpellingError where an argument can't be written at all."""
    kwargs = {
        key: value for key, value in kwargs.items() if not (key in IDLE or (key in USUAL and value == USUAL[key]))
    }
    if word in OPERATORS and len(args) == 2 and not kwargs:
        yield operator(OPERATORS[word], args[0], args[1], read)
    if word in REFLECTED and len(args) == 2 and not kwargs:
        yield operator(REFLECTED[word], args[1], args[0], read)
        return
    if name.endswith(".__get__") or word == "__getitem__":
        yield from looked_at(word, args, read)
        return
    if word in ("neg", "__neg__", "negative"):
        yield ast.UnaryOp(ast.USub(), literal(args[0], read))
    for given, named in arguments(function, args, kwargs):
        for key in keys_of(name, word):
            yield from calls(key, given, named, read)


def looked_at(word: str, args: Any, read: Read) -> Iterator[ast.expr]:
    """A property, or cells."""
    if word == "__getitem__":
        yield ast.Subscript(literal(args[0], read), index(args[1], read), ast.Load())
    elif word in PROPERTIES:
        yield ast.Attribute(literal(args[0], read), word, ast.Load())


@lru_cache(maxsize=4096)
def keys_of(name: str, word: str) -> tuple[str, ...]:
    """The spellings to look for, that of the call itself first."""
    word = word.strip("_") if word.startswith("__") else word
    method, function, of_f = f".{word}", f"torch.{word}", f"F.{word}"
    if name.startswith("torch.Tensor."):
        order = [method, function, of_f]
    elif "functional" in name or "_nn" in name:
        order = [of_f, function, method]
    else:
        order = [function, method, of_f]
    special = name.removeprefix("torch._C._").replace("torch._C._special.special_", "torch.special.")
    order += [f"torch.{module}.{word.removeprefix(f'{module}_')}" for module in ("linalg", "special")]
    first = special if special.startswith("torch.") else order[0]
    return tuple(key for key in dict.fromkeys([first, *order]) if key in REGISTRY)


def arguments(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[tuple[Any, Parameters]]:
    """The arguments without those that are as usual, tensors by their places; then as they were given."""
    bound = by_name(function, args, kwargs)
    if bound is not None:
        leading = 0
        values = list(bound.values())
        while leading < len(values) and isinstance(values[leading], torch.Tensor | list | tuple | str):
            leading += 1
        leading = max(leading, 1)
        yield values[:leading], dict(list(bound.items())[leading:])
        yield values[:1], dict(list(bound.items())[1:])
        yield values, {}
    yield args, dict(kwargs)
    trimmed = {key: value for key, value in kwargs.items() if value is not None and value is not False}
    shorter = list(args)
    while shorter and (shorter[-1] is None or shorter[-1] is False):
        shorter.pop()
    yield shorter, trimmed


def by_name(function: Any, args: Any, kwargs: Mapping[str, Any]) -> Parameters | None:
    """Arguments by their names, without those that are as usual; None where that isn't known."""
    signature = signature_of(function)
    if signature is None or any(
        one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in signature.parameters.values()
    ):
        return None
    try:
        bound = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None
    usual = {key: one.default for key, one in signature.parameters.items()}
    return {
        key: value
        for key, value in bound.items()
        if key not in IDLE and not (not isinstance(value, torch.Tensor) and same(usual[key], value))
    }


def same(usual: Any, value: Any) -> bool:
    """Whether an argument is as usual."""
    return type(usual) is type(value) and bool(usual == value)


def calls(key: str, args: Any, kwargs: Mapping[str, Any], read: Read) -> Iterator[ast.expr]:
    """A call by one spelling, where it takes these arguments."""
    args = list(args)
    if not any(signature.bind(tuple(args), kwargs) for _, signature in REGISTRY[key]):
        return
    keywords = [ast.keyword(name, literal(value, read)) for name, value in kwargs.items()]
    if key.startswith("."):
        if not args or not isinstance(args[0], torch.Tensor):
            return
        function: ast.expr = ast.Attribute(literal(args[0], read), key[1:], ast.Load())
        yield ast.Call(function, [literal(one, read) for one in args[1:]], keywords)
    else:
        yield ast.Call(ast.parse(key, mode="eval").body, [literal(one, read) for one in args], keywords)


def operator(kind: type[ast.operator], left: Any, right: Any, read: Read) -> ast.expr:
    """Two operands and what stands between them."""
    return ast.BinOp(literal(left, read), kind(), literal(right, read))


def index(value: Any, read: Read) -> ast.expr:
    """What stands in square brackets."""
    if isinstance(value, tuple):
        return ast.Tuple([index(one, read) for one in value], ast.Load())
    if isinstance(value, slice):
        parts = (None if one is None else literal(one, read) for one in (value.start, value.stop, value.step))
        return ast.Slice(*parts)
    if isinstance(value, list | range) and all(isinstance(one, int) for one in value):
        return read(torch.tensor(list(value)))
    return literal(value, read)


def literal(value: Any, read: Read) -> ast.expr:
    """The expression of an argument; raises SpellingError where there is none."""
    if isinstance(value, torch.Tensor):
        return read(value)
    if isinstance(value, tuple | list | torch.Size):
        kind = ast.List if isinstance(value, list) else ast.Tuple
        return kind([literal(one, read) for one in value], ast.Load())
    if isinstance(value, torch.dtype):
        return ast.parse(str(value), mode="eval").body
    if isinstance(value, bool | str | type(None) | type(...)):
        return ast.Constant(value)
    if isinstance(value, int | float):
        return number(value)
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a number of NumPy's
        return number(value.item())
    raise SpellingError(type(value).__name__)


def number(value: float) -> ast.expr:
    """A number; a negative one is a sign and a number."""
    if isinstance(value, float) and math.isnan(value):
        raise SpellingError("NaN")
    if value < 0 or (value == 0 and math.copysign(1, value) < 0):
        return ast.UnaryOp(ast.USub(), number(-value))
    if value > LARGEST:
        return ast.Attribute(ast.Name("math", ast.Load()), "inf", ast.Load())
    return ast.Constant(value)


def inspect_bound(function: Any, args: Any, kwargs: Mapping[str, Any]) -> Parameters:
    """Arguments by their names; none where that isn't known."""
    signature = signature_of(function)
    try:
        return {} if signature is None else dict(signature.bind(*args, **kwargs).arguments)
    except TypeError:
        return {}


@lru_cache(maxsize=4096)
def signature_of(function: Any) -> inspect.Signature | None:
    """What a function takes; None where that isn't known, as of what is written in C."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None
