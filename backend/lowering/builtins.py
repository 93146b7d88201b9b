"""Python's own functions in code as found, carried out on what is known; nothing of Python's is called by name."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from backend.engine.language.errors import Refusal
from backend.engine.language.scalars import bounded_range, is_number
from backend.lowering.library_acts import OF_LIBRARY
from backend.lowering.machine import kind_of
from backend.lowering.use import Act, Use
from backend.lowering.values import (
    LOST,
    Class,
    Function,
    Instance,
    Leaf,
    Lost,
    Opaque,
    Partial,
    Parts,
    Path,
    Special,
    Tensor,
    Unknown,
    bare,
    written_as,
)

NUMBERS: dict[str, Callable[..., Any]] = {"abs": abs, "round": round}
LONGEST_NUMERAL = 30
KINDS: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (float,), "bool": (bool,), "str": (str,), "list": (list,), "dict": (dict,),
    "tuple": (tuple,), "set": (set,), "torch.Tensor": (Tensor,), "torch.nn.Parameter": (Leaf,),
    "torch.LongTensor": (Tensor,), "torch.FloatTensor": (Tensor,), "numpy.ndarray": (), "object": (object,),
    "torch.Size": (tuple,), "collections.OrderedDict": (dict,), "Tensor": (Tensor,),
}  # fmt: skip


def _length(use: Use) -> Any:
    value = use.args[0]
    if isinstance(value, Unknown):
        value = use.machine.each(value, use.node)
    if isinstance(value, Instance) and (method := value.of.find("__len__")) is not None:
        return use.machine.called(method, [value], {}, use.node)
    if isinstance(value, Tensor) and value.shape:
        size = value.shape[0]
        return written_as(size, ast.Call(ast.Name("len", ast.Load()), [value.expr], [])) if value.variable else size
    if not isinstance(value, tuple | list | dict | set | str | range):
        raise Refusal("operand-kind", found="len", kind=kind_of(value), at=use.node)
    return len(value)


def _range(use: Use) -> range:
    ends = tuple(bare(use.machine.count(one)) for one in use.args)
    if not 1 <= len(ends) <= 3 or not all(type(end) is int for end in ends):
        raise Refusal("builtin-arguments", name="range", how="`range(n)`, with whole numbers", at=use.node)
    return bounded_range(ends, use.node)


def _zip(use: Use) -> list[Any]:
    longest = max((len(one) for one in use.args if isinstance(one, list | tuple)), default=0)
    for one in use.args:
        if isinstance(one, Unknown):  # a list of layers beside a list of tensors has one for each
            use.machine.expect(one, longest)
    return [tuple(parts) for parts in zip(*(use.machine.parts(one, use.node) for one in use.args), strict=False)]


def _enumerate(use: Use) -> list[Any]:
    start = use.args[1] if len(use.args) > 1 else use.kwargs.get("start", 0)
    return list(enumerate(use.machine.parts(use.args[0], use.node), int(start)))


def _reversed(use: Use) -> Any:
    return use.machine.parts(use.args[0], use.node)[::-1]


def _sum(use: Use) -> Any:
    """The parts of a list, added one after the other."""
    if isinstance(use.args[0], Tensor):
        return use.machine.called(Path("torch.sum"), [use.args[0], 0], {}, use.node)
    parts = use.machine.parts(use.args[0], use.node)
    total: Any = use.args[1] if len(use.args) > 1 else None
    for part in parts:
        nothing = total is None or (is_number(total) and total == 0)
        total = part if nothing else use.machine.joined(ast.Add(), total, part, use.node)
    return 0 if total is None else total


def _extreme(name: str) -> Act:
    def found(use: Use) -> Any:
        if len(use.args) == 1 and isinstance(use.args[0], Tensor):
            return use.machine.called(Path(f"torch.{name}"), use.args, {}, use.node)
        parts = use.machine.parts(use.args[0], use.node) if len(use.args) == 1 else use.args
        parts = [use.machine.whole(part) for part in parts]
        if any(isinstance(part, Tensor) for part in parts) or not parts or use.kwargs:
            raise Refusal("operand-kind", found=name, kind="this", at=use.node)
        try:
            return (min if name == "min" else max)(parts)
        except TypeError:
            raise Refusal("operand-kind", found=name, kind="this", at=use.node) from None

    return found


def _number(name: str) -> Act:
    def made(use: Use) -> Any:
        value = use.machine.whole(use.args[0]) if use.args else 0
        if isinstance(value, Opaque | Lost):
            return value
        if isinstance(value, Tensor) and value.meta.numel() == 1:
            value = use.machine.numbers(value).item()
        if isinstance(value, str) and len(value) > LONGEST_NUMERAL:
            raise Refusal("number-fails", found=name, at=use.node)
        try:
            return (int if name == "int" else float)(value)
        except (TypeError, ValueError, OverflowError, RuntimeError):
            raise Refusal("number-fails", found=name, at=use.node) from None

    return made


def _abs(use: Use) -> Any:
    if isinstance(use.args[0], Tensor):
        return use.machine.called(Path("torch.abs"), use.args, {}, use.node)
    return abs(use.args[0]) if is_number(use.args[0]) else LOST


def _round(use: Use) -> Any:
    return round(*map(bare, use.args)) if all(map(is_number, use.args)) else Opaque("round")


def _text(use: Use) -> Any:
    value = bare(use.args[0]) if use.args else ""
    return str(value) if type(value) in (int, str) else Opaque("text")


def _listed(kind: type) -> Act:
    def made(use: Use) -> Any:
        parts = use.machine.parts(use.args[0], use.node) if use.args else []
        return {use.machine.key(part, use.node) for part in parts} if kind is set else kind(parts)

    return made


def _dict(use: Use) -> Any:
    made: dict[Any, Any] = {}
    if use.args:
        given = use.args[0]
        each = [*given.items()] if isinstance(given, dict) else use.machine.each(given, use.node)
        for key, value in (use.machine.parts(pair, use.node) for pair in each):
            made[use.machine.key(key, use.node)] = value
    return made | use.kwargs


def _map(use: Use) -> list[Any]:
    return [use.machine.called(use.args[0], list(parts), {}, use.node) for parts in _zip(use.with_args(*use.args[1:]))]


def _filter(use: Use) -> list[Any]:
    return [
        one
        for one in use.machine.parts(use.args[1], use.node)
        if use.machine.truth(use.machine.called(use.args[0], [one], {}, use.node), use.node)
    ]


def _all(use: Use) -> bool:
    return all(use.machine.truth(one, use.node) for one in use.machine.parts(use.args[0], use.node))


def _any(use: Use) -> bool:
    return any(use.machine.truth(one, use.node) for one in use.machine.parts(use.args[0], use.node))


def _sorted(use: Use) -> list[Any]:
    parts = use.machine.parts(use.args[0], use.node)
    key = use.kwargs.get("key")
    try:
        keyed = [
            bare(use.machine.called(key, [part], {}, use.node)) if key is not None else bare(part) for part in parts
        ]
        order = sorted(
            range(len(parts)), key=lambda place: keyed[place], reverse=bool(use.kwargs.get("reverse", False))
        )
    except TypeError:
        raise Refusal("operand-kind", found="sorted", kind="this", at=use.node) from None
    return [parts[place] for place in order]


def _isinstance(use: Use) -> bool:
    value, kinds = use.args[0], use.args[1]
    kinds = kinds if isinstance(kinds, tuple | list) else (kinds,)
    if isinstance(value, Unknown):
        given = use.machine.table.given(value.path.split("."))
        value = given if given is not None else value
    return any(_is_a(value, kind) for kind in kinds)


def _is_a(value: Any, kind: Any) -> bool:
    if isinstance(kind, Class):
        return isinstance(value, Instance) and kind in value.of.order()
    name = kind.name if isinstance(kind, Path | Special) else ""
    if name.startswith("torch.nn.") and isinstance(value, Instance):
        return name.rpartition(".")[2] in [one.name for one in value.of.order()]
    if isinstance(value, Unknown):
        return name in ("torch.Tensor", "Tensor")
    if name == "int" and isinstance(value, bool):
        return True
    return isinstance(value, KINDS.get(name, ())) and not (
        name == "tuple" and isinstance(value, Parts) and value.fields
    )


def _getattr(use: Use) -> Any:
    one, name = use.args[0], use.args[1]
    if not isinstance(name, str):
        return Opaque("text")
    if name.startswith("_") or isinstance(one, Tensor | Parts | Function):
        raise Refusal("found-value", found="`getattr`", at=use.node)
    if len(use.args) > 2 and isinstance(one, Instance) and name not in one.attributes and one.of.find(name) is None:
        return use.args[2]
    return use.machine.attribute_of(one, name, use.node)


def _setattr(use: Use) -> None:
    if not isinstance(use.args[0], Instance) or not isinstance(use.args[1], str) or use.args[1].startswith("__"):
        raise Refusal("found-value", found=kind_of(use.args[0]), at=use.node)
    use.machine.set_attribute(use.args[0], use.args[1], use.args[2])


def _hasattr(use: Use) -> bool:
    one, name = use.args[0], use.args[1]
    if isinstance(one, Path):
        return name != FUSED and one.name in OF_TORCH and name in vars(OF_TORCH[one.name])
    if isinstance(one, Instance):
        return name in one.attributes or one.of.find(name) is not None
    if isinstance(one, Unknown):
        return bool(use.machine.has_attribute(one, str(name)))
    return isinstance(one, Tensor) and use.machine.is_of_tensors(name)


def _type(use: Use) -> Any:
    return use.args[0].of if isinstance(use.args[0], Instance) else Opaque("type")


def _vars(use: Use) -> Any:
    """What an object holds, by name; of one that is missing, its parts."""
    one = use.args[0]
    if not isinstance(one, Instance | Unknown):
        raise Refusal("found-value", found=kind_of(one), at=use.node)
    return dict(one.attributes) if isinstance(one, Instance) else one


def _subclass(use: Use) -> bool:
    return isinstance(use.args[0], Class) and use.args[1] in use.args[0].order()


def _callable(use: Use) -> bool:
    return isinstance(use.args[0], Function | Class | Partial | Special | Path) or (
        isinstance(use.args[0], Instance) and use.args[0].of.find("__call__") is not None
    )


def _divmod(use: Use) -> Any:
    return use.machine.joined(ast.FloorDiv(), *use.args, use.node), use.machine.joined(ast.Mod(), *use.args, use.node)


def _pow(use: Use) -> Any:
    return use.machine.joined(ast.Pow(), use.args[0], use.args[1], use.node)


def _same(use: Use) -> Any:
    return use.args[0] if use.args else None


def _variable(use: Use) -> Any:
    """`Variable(x)`, of before PyTorch 0.4: a tensor that nothing flows back through."""
    made = use.machine.copied(use.args[:1], use.node)
    return use.args[0] if made is None else made


def _iter(use: Use) -> Any:
    return list(use.machine.parts(use.args[0], use.node))


def _next(use: Use) -> Any:
    parts = use.args[0]
    if isinstance(parts, list) and parts:
        return parts.pop(0)
    if not isinstance(parts, list) or len(use.args) < 2:
        raise Refusal("found-value", found=kind_of(parts), at=use.node)
    return use.args[1]


ACTS: dict[str, Act] = {
    "len": _length, "range": _range, "zip": _zip, "enumerate": _enumerate, "reversed": _reversed, "sum": _sum,
    "min": _extreme("min"), "max": _extreme("max"), "int": _number("int"), "float": _number("float"),
    "bool": lambda use: bool(use.machine.truth(use.args[0], use.node)),
    "abs": _abs, "round": _round, "str": _text, "repr": _text, "list": _listed(list),
    "tuple": _listed(tuple), "set": _listed(set), "dict": _dict, "map": _map, "filter": _filter, "all": _all,
    "any": _any, "sorted": _sorted, "isinstance": _isinstance, "getattr": _getattr, "setattr": _setattr,
    "hasattr": _hasattr, "type": _type, "callable": _callable, "divmod": _divmod, "pow": _pow, "iter": _iter,
    "next": _next, "vars": _vars, "issubclass": _subclass, "frozenset": _listed(set),
    "slice": lambda use: slice(*use.args), "format": _text, "hex": lambda _: Opaque("text"),
    "bin": lambda _: Opaque("text"), "ord": lambda use: ord(use.args[0]), "hash": lambda _: Opaque("number"),
    "tqdm": _same, "trange": _range, "Variable": _variable,
    **OF_LIBRARY,
}  # fmt: skip
OF_TORCH = {
    "torch": torch,
    "torch.nn": torch.nn,
    "torch.nn.functional": F,
    "torch.backends": torch.backends,
    "math": math,
}
FUSED = "scaled_dot_product_attention"  # code that asks for it writes it out as well, which shows more
OWN = frozenset(OF_LIBRARY)  # of the library alone
QUIET = frozenset({"print", "display", "pprint"})
# What reaches a file, a person or the program that reads this one.
REACHING = frozenset({"open", "input", "exit", "quit", "id", "dir", "help", "memoryview", "delattr"})
