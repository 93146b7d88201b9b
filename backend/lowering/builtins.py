"""Python's own functions in code as found, carried out on what is known; nothing of Python's is called by name."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.scalars import bounded_range, is_number
from backend.engine.language.values import Parameters
from backend.lowering.expressions import Expressions
from backend.lowering.machine import kind_of
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

Act = Callable[[Any, list[Any], Parameters, ast.expr], Any]
NUMBERS: dict[str, Callable[..., Any]] = {"abs": abs, "round": round}
KINDS: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (float,), "bool": (bool,), "str": (str,), "list": (list,), "dict": (dict,),
    "tuple": (tuple,), "set": (set,), "torch.Tensor": (Tensor,), "torch.nn.Parameter": (Leaf,),
    "torch.LongTensor": (Tensor,), "torch.FloatTensor": (Tensor,), "numpy.ndarray": (), "object": (object,),
    "torch.Size": (tuple,), "collections.OrderedDict": (dict,), "Tensor": (Tensor,),
}  # fmt: skip


def _length(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    value = args[0]
    if isinstance(value, Unknown):
        value = machine.tensor_of(value)
    if isinstance(value, Instance) and (method := value.of.find("__len__")) is not None:
        return machine.called(method, [value], {}, node)
    if isinstance(value, Tensor) and value.shape:
        size = value.shape[0]
        return written_as(size, ast.Call(ast.Name("len", ast.Load()), [value.expr], [])) if value.variable else size
    if not isinstance(value, tuple | list | dict | set | str | range):
        raise Refusal("operand-kind", found="len", kind=kind_of(value), at=node)
    return len(value)


def _range(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> range:
    ends = tuple(bare(machine.whole(one, node)) for one in args)
    if not 1 <= len(ends) <= 3 or not all(type(end) is int for end in ends):
        raise Refusal("builtin-arguments", name="range", how="`range(n)`, with whole numbers", at=node)
    return bounded_range(ends, node)


def _zip(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return [tuple(parts) for parts in zip(*(machine.parts(one, node) for one in args), strict=False)]


def _enumerate(machine: Expressions, args: list[Any], kwargs: Parameters, node: ast.expr) -> list[Any]:
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    return list(enumerate(machine.parts(args[0], node), int(start)))


def _reversed(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return machine.parts(args[0], node)[::-1]


def _sum(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    """The parts of a list, added one after the other, as Python adds them."""
    if isinstance(args[0], Tensor):
        return machine.called(Path("torch.sum"), [args[0], 0], {}, node)
    parts = machine.parts(args[0], node)
    total: Any = args[1] if len(args) > 1 else None
    for part in parts:
        nothing = total is None or (is_number(total) and total == 0)
        total = part if nothing else machine.joined(ast.Add(), total, part, node)
    return 0 if total is None else total


def _extreme(name: str) -> Act:
    def found(machine: Expressions, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        if len(args) == 1 and isinstance(args[0], Tensor):
            return machine.called(Path(f"torch.{name}"), args, {}, node)
        parts = machine.parts(args[0], node) if len(args) == 1 else args
        parts = [machine.whole(part, node) for part in parts]
        if any(isinstance(part, Tensor) for part in parts) or not parts or kwargs:
            raise Refusal("operand-kind", found=name, kind="this", at=node)
        try:
            return (min if name == "min" else max)(parts)
        except TypeError:
            raise Refusal("operand-kind", found=name, kind="this", at=node) from None

    return found


def _number(name: str) -> Act:
    def made(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
        value = machine.whole(args[0], node) if args else 0
        if isinstance(value, Opaque | Lost):
            return value
        if isinstance(value, Tensor):
            if name == "bool":
                return machine.truth(value, node)
            number = machine.numbers(value, node)
            if number.numel() == 1:
                return int(number) if name == "int" else float(number)
        try:
            if name == "bool":
                return machine.truth(value, node)
            if isinstance(value, str) and len(value) < 30:
                return int(value) if name == "int" else float(value)
            made: Any = int(value) if name == "int" else float(value)
            return machine.whole(made, node)
        except (TypeError, ValueError, OverflowError):
            raise Refusal("number-fails", found=name, at=node) from None

    return made


def _abs(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    if isinstance(args[0], Tensor):
        return machine.called(Path("torch.abs"), args, {}, node)
    return abs(args[0]) if is_number(args[0]) else LOST


def _round(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    return round(*map(bare, args)) if all(map(is_number, args)) else Opaque("round")


def _text(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    value = bare(args[0]) if args else ""
    return str(value) if type(value) in (int, str) else Opaque("text")


def _listed(kind: type) -> Act:
    def made(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
        parts = machine.parts(args[0], node) if args else []
        return {machine.key(part, node) for part in parts} if kind is set else kind(parts)

    return made


def _dict(machine: Expressions, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
    made: dict[Any, Any] = {}
    if args:
        given = args[0]
        pairs = (
            given.items()
            if isinstance(given, dict)
            else [machine.parts(pair, node) for pair in machine.each(given, node)]
        )
        for pair in pairs:
            key, value = pair
            made[machine.key(key, node)] = value
    return made | kwargs


def _map(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return [machine.called(args[0], list(parts), {}, node) for parts in _zip(machine, args[1:], {}, node)]


def _filter(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return [
        one for one in machine.parts(args[1], node) if machine.truth(machine.called(args[0], [one], {}, node), node)
    ]


def _all(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> bool:
    return all(machine.truth(one, node) for one in machine.parts(args[0], node))


def _any(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> bool:
    return any(machine.truth(one, node) for one in machine.parts(args[0], node))


def _sorted(machine: Expressions, args: list[Any], kwargs: Parameters, node: ast.expr) -> list[Any]:
    parts = machine.parts(args[0], node)
    key = kwargs.get("key")
    try:
        keyed = [bare(machine.called(key, [part], {}, node)) if key is not None else bare(part) for part in parts]
        order = sorted(range(len(parts)), key=lambda place: keyed[place], reverse=bool(kwargs.get("reverse", False)))
    except TypeError:
        raise Refusal("operand-kind", found="sorted", kind="this", at=node) from None
    return [parts[place] for place in order]


def _isinstance(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> bool:
    value, kinds = args[0], args[1]
    kinds = kinds if isinstance(kinds, tuple | list) else (kinds,)
    if isinstance(value, Unknown):
        given = machine.table.given(value.path.split("."))
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


def _getattr(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    one, name = args[0], args[1]
    if not isinstance(name, str):
        return Opaque("text")
    if len(args) > 2 and isinstance(one, Instance) and name not in one.attributes and one.of.find(name) is None:
        return args[2]
    return machine.attribute_of(one, name, node)


def _setattr(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> None:
    if not isinstance(args[0], Instance) or not isinstance(args[1], str):
        raise Refusal("found-value", found=kind_of(args[0]), at=node)
    machine.set_attribute(args[0], args[1], args[2])


def _hasattr(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> bool:
    one, name = args[0], args[1]
    if isinstance(one, Instance):
        return name in one.attributes or one.of.find(name) is not None
    return isinstance(one, Tensor) and machine.is_of_tensors(name)


def _type(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    return args[0].of if isinstance(args[0], Instance) else Opaque("type")


def _callable(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> bool:
    return isinstance(args[0], Function | Class | Partial | Special | Path) or (
        isinstance(args[0], Instance) and args[0].of.find("__call__") is not None
    )


def _divmod(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    return machine.joined(ast.FloorDiv(), *args, node), machine.joined(ast.Mod(), *args, node)


def _pow(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    return machine.joined(ast.Pow(), args[0], args[1], node)


def _same(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    return args[0] if args else None


def _iter(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    return list(machine.parts(args[0], node))


def _next(machine: Expressions, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    parts = args[0]
    if not isinstance(parts, list) or not (parts or len(args) > 1):
        raise Refusal("found-value", found=kind_of(parts), at=node)
    return parts.pop(0) if parts else args[1]


# What only the library asks for.
def _uniform_parameter(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Leaf:
    bound = 1 / max(float(machine.whole(args[1], node)), 1.0) ** 0.5
    return machine.leaf({"role": "parameter", "init": "rand", "scale": 2 * bound, "shift": -bound}, args[0], node)


def _normal_parameter(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Leaf:
    return machine.leaf({"role": "parameter", "init": "randn"}, args[0], node)


def _filled_parameter(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Leaf:
    value = float(machine.whole(args[1], node))
    spec = {"role": "parameter", "init": "zeros" if value == 0 else "ones"}
    return machine.leaf(spec if value in (0, 1) else {**spec, "scale": value}, args[0], node)


def _dropped_out(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    machine.notes.add("dropout", machine.place)
    return args[0]


def parameters_of(one: Instance, seen: list[Any] | None = None) -> list[tuple[str, Leaf]]:
    """The parameters of an object and of those in it, with their names."""
    seen = [] if seen is None else seen
    if one in seen or len(seen) > 500:
        return []
    seen.append(one)
    found: list[tuple[str, Leaf]] = []
    for name, value in one.attributes.items():
        if isinstance(value, Leaf) and value.spec.get("role") == "parameter":
            found.append((name, value))
        elif isinstance(value, Instance):
            found += [(f"{name}.{inner}", leaf) for inner, leaf in parameters_of(value, seen)]
    return found


def _parameters(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return [leaf for _, leaf in parameters_of(args[0])]


def _named_parameters(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return parameters_of(args[0])


def _children(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return [value for value in args[0].attributes.values() if isinstance(value, Instance)]


def _named_children(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    return [(name, value) for name, value in args[0].attributes.items() if isinstance(value, Instance)]


def _modules(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> list[Any]:
    found = [args[0]]
    for one in found:
        if len(found) > 500:
            break
        found += [value for value in one.attributes.values() if isinstance(value, Instance) and value not in found]
    return found


def copied_object(one: Any) -> Any:
    """A copy of an object with all that is in it, as `copy.deepcopy` makes one."""
    if isinstance(one, Instance):
        made = Instance(one.of)
        for name, value in one.attributes.items():
            made.attributes[name] = inner = copied_object(value)
            if isinstance(inner, Instance | Leaf) and inner is not value:
                inner.owner, inner.name = made, name
        if isinstance(made.attributes.get("items"), list):
            made.attributes["items"] = [
                made.attributes.get(str(n), value) for n, value in enumerate(one.attributes["items"])
            ]
        return made
    if isinstance(one, Leaf) and not one.is_settled:
        made_leaf = copy.copy(one)
        made_leaf.owner = None
        return made_leaf
    if isinstance(one, list):
        return [copied_object(part) for part in one]
    return {key: copied_object(part) for key, part in one.items()} if isinstance(one, dict) else one


def _copy(machine: Any, args: list[Any], _: Parameters, node: ast.expr) -> Any:
    machine.budget.parts(len(parameters_of(args[0])) if isinstance(args[0], Instance) else 1, node)
    return copied_object(args[0])


ACTS: dict[str, Act] = {
    "len": _length, "range": _range, "zip": _zip, "enumerate": _enumerate, "reversed": _reversed, "sum": _sum,
    "min": _extreme("min"), "max": _extreme("max"), "int": _number("int"), "float": _number("float"),
    "bool": _number("bool"), "abs": _abs, "round": _round, "str": _text, "repr": _text, "list": _listed(list),
    "tuple": _listed(tuple), "set": _listed(set), "dict": _dict, "map": _map, "filter": _filter, "all": _all,
    "any": _any, "sorted": _sorted, "isinstance": _isinstance, "getattr": _getattr, "setattr": _setattr,
    "hasattr": _hasattr, "type": _type, "callable": _callable, "divmod": _divmod, "pow": _pow, "iter": _iter,
    "next": _next, "tqdm": _same, "trange": _range, "Variable": _same,
    "uniform_parameter": _uniform_parameter, "normal_parameter": _normal_parameter,
    "filled_parameter": _filled_parameter, "dropped_out": _dropped_out, "list_parameters": _parameters,
    "list_named_parameters": _named_parameters, "list_children": _children, "list_named_children": _named_children,
    "list_modules": _modules, "copy_of": _copy,
}  # fmt: skip
OWN = frozenset(name for name in ACTS if "_" in name)  # of the library alone
QUIET = frozenset({"print", "display", "input", "open", "breakpoint", "exit", "quit", "id", "vars", "dir", "help"})
