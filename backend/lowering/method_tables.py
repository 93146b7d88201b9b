"""Methods of tensors, lists, dictionaries and words that are carried out here."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.tree import attribute
from backend.engine.language.values import DType
from backend.lowering.budget import Finished
from backend.lowering.expressions import LONGEST_WORD
from backend.lowering.use import Act, Use
from backend.lowering.values import (
    Leaf,
    Lost,
    Method,
    Opaque,
    Path,
    Spec,
    Special,
    Tensor,
    Unknown,
    is_number,
    written_as,
)


def _size(use: Use) -> Any:
    shape = use.machine.shape(use.base)
    given = [*use.args, *use.kwargs.values()]
    return use.machine.of_sequence(shape, use.machine.whole(given[0]), use.node) if given else shape


def _dim(use: Use) -> int:
    return len(use.base.shape)


def _numel(use: Use) -> Any:
    use.machine.settle(use.base)
    count = math.prod(use.base.shape)
    return written_as(count, ast.Call(attribute(use.base.expr, "numel"), [], [])) if use.base.variable else count


def _backward(use: Use) -> Any:
    use.machine.note("backward", use.node)
    raise Finished(use.base)


def _same(use: Use) -> Any:
    return use.base


def _nothing(_: Use) -> None:
    """What has no effect on a forward pass."""


def _to(use: Use) -> Any:
    """`.to(…)`: a kind of number, if one is asked for that it hasn't."""
    for value in [*use.args, *(use.kwargs[name] for name in ("dtype", "other") if name in use.kwargs)]:
        if isinstance(value, Unknown):
            value = use.machine.table.given(value.path.split(".")) or value
        if isinstance(value, Tensor):
            value = use.machine.fact(value, "dtype", use.node)
        if isinstance(value, DType):
            return _as_kind(use, str(value))
    return use.base


def _type_as(use: Use) -> Any:
    """`.type_as(other)`: what is missing there is a tensor."""
    return _to(use.with_args(*(use.machine.tensor_of(one) if isinstance(one, Unknown) else one for one in use.args)))


def _as_kind(use: Use, kind: str) -> Any:
    """A tensor as this kind of number, if it isn't."""
    if str(use.machine.fact(use.base, "dtype", use.node)) == kind:
        return use.base
    name = {"float32": "float", "int64": "long", "bool": "bool"}.get(kind, "float")
    return use.machine.method_operation(use.base, name, [], {}, use.node)


def _type(use: Use) -> Any:
    wanted = use.args[0] if use.args else Opaque("type")
    if isinstance(wanted, DType):
        return _as_kind(use, str(wanted))
    name = wanted.name if isinstance(wanted, Path) else str(wanted)
    whole, mask = "Long" in name or "Int" in name, "Bool" in name or "Byte" in name
    return _as_kind(use, "int64" if whole else "bool" if mask else "float32")


def _kind(kind: str) -> Act:
    return lambda use: _as_kind(use, kind)


def _requires(use: Use) -> Any:
    use.machine.set_fact(use.base, "requires_grad", use.given(0, "requires_grad", True))
    return use.base


def _begun_as(use: Use, spec: Spec) -> bool:
    """Let a tensor that nothing has been made of begin otherwise, or a weight in `__init__`; False for any other."""
    tensor = use.base.base or use.base  # of `weight.data` the weight
    if not isinstance(tensor, Leaf) or tensor.shape != use.base.shape:
        return False
    if tensor.is_settled and not use.machine.is_beginning(tensor):
        return False
    for name in ("values", "scale", "shift"):
        tensor.spec.pop(name, None)
    tensor.spec.update({**spec, "shape": list(tensor.shape)})
    return True


def _filled(use: Use) -> Any:
    value = use.given(0, "value")
    if is_number(value):
        begun = {"init": "zeros"} if value == 0 else {"init": "ones", "scale": float(value)}
        if _begun_as(use, begun):
            return use.base
    made = use.machine.called(Path("torch.full_like"), [use.base, value], {}, use.node)
    return use.machine.changed_by(use.base, made, use.node)


def _zeroed(use: Use) -> Any:
    return _filled(use.with_args(0.0))


def _copied(use: Use) -> Any:
    made = use.args[0]
    if not isinstance(made, Tensor):
        made = use.machine.called(Path("torch.full_like"), [use.base, made], {}, use.node)
    if made.shape != use.base.shape:
        made = use.machine.called(Method(made, "expand"), [tuple(use.base.shape)], {}, use.node)
    return use.machine.changed_by(use.base, made, use.node)


def _redrawn(use: Use) -> Any:
    numbers = [float(one) for one in [*use.args, *use.kwargs.values()] if is_number(one)]
    mean, std = numbers if len(numbers) == 2 else (0.0, 1.0)
    return _drawn(use, {"init": "randn", "scale": std, "shift": mean})


def _redrawn_even(use: Use) -> Any:
    numbers = [float(one) for one in [*use.args, *use.kwargs.values()] if is_number(one)]
    low, high = numbers if len(numbers) == 2 else (0.0, 1.0)
    return _drawn(use, {"init": "rand", "scale": high - low, "shift": low})


def _drawn(use: Use, spec: Spec) -> Any:
    if _begun_as(use, spec):
        return use.base
    made = use.machine.draw({"role": "constant", **spec}, use.base.shape, {}, use.node)
    return use.machine.changed_by(use.base, made, use.node)


def _drawn_whole(use: Use) -> Any:
    """`mask.bernoulli_(p)`: zeros and ones that the table draws."""
    drawn = use.machine.called(Path("torch.bernoulli"), [use.base], {}, use.node)
    made = use.machine.of_tensor(drawn, "to", [use.base], {}, use.node)
    return use.machine.changed_by(use.base, made, use.node)


def _listed(use: Use) -> Any:
    numbers = use.machine.numbers(use.base)
    use.machine.budget.parts(numbers.numel(), use.node)
    return numbers.tolist()


def _new_tensor(use: Use) -> Any:
    return use.machine.operation("torch.tensor", [use.args[0]], {}, use.node)


def _as_detached(use: Use) -> Any:
    return use.machine.of_tensor(use.base, "detach", [], {}, use.node)


def _cut(use: Use) -> Any:
    return use.machine.changed_by(use.base, _as_detached(use), use.node)


def _put(use: Use) -> Any:
    """`x.index_put((mask,), v)` as `x[mask] = v`: which places a mask picks, its numbers tell."""
    places: Sequence[Any] = use.args[0] if use.args else ()
    kinds = [str(use.machine.fact(one, "dtype", use.node)) for one in places if isinstance(one, Tensor)]
    if "bool" not in kinds or len(use.args) != 2 or use.kwargs:
        return use.machine.method_operation(use.base, "index_put", use.args, use.kwargs, use.node)
    index = places[0] if len(places) == 1 else tuple(places)
    return use.machine.with_cells(use.base, index, use.args[1], use.node)


def _scattered(use: Use) -> Any:
    """`x.scatter(dim, index, src, reduce="add")`, which the engine has by other names."""
    reduce = use.kwargs.pop("reduce", None)
    if reduce == "multiply":  # PyTorch has no gradient for it either
        raise Refusal("no-backward-rule", name=".scatter", at=use.node)
    if reduce != "add":
        return use.machine.method_operation(use.base, "scatter", use.args, use.kwargs, use.node)
    given = [*use.args, *(use.kwargs[name] for name in ("dim", "index", "src", "value") if name in use.kwargs)]
    return use.machine.called(use.machine.defined_in_library("scatter_added"), [use.base, *given], {}, use.node)


TENSORS: dict[str, Act] = {
    "index_put": _put, "scatter": _scattered,
    "size": _size, "dim": _dim, "ndimension": _dim, "numel": _numel, "nelement": _numel, "backward": _backward,
    "to": _to, "type": _type, "type_as": _type_as, "requires_grad_": _requires, "float": _kind("float32"),
    "long": _kind("int64"), "int": _kind("int64"), "bool": _kind("bool"), "byte": _kind("bool"),
    "double": _kind("float32"),
    "half": _kind("float32"), "bfloat16": _kind("float32"), "zero_": _zeroed, "fill_": _filled, "copy_": _copied,
    "normal_": _redrawn, "uniform_": _redrawn_even, "bernoulli_": _drawn_whole, "tolist": _listed,
    "cuda": _same, "cpu": _same,
    "new_tensor": _new_tensor, "retain_grad": _nothing,
    "is_contiguous": lambda _: True, "detach_": _cut, "numpy": _as_detached, "item": _as_detached,
}  # fmt: skip


def _append(use: Use) -> None:
    value = use.args[0]
    if use.machine.is_fresh(value):
        use.machine.name_it(value, f"{_called_on(use.node)}_{len(use.base)}")
    use.machine.budget.parts(len(use.base) + 1, use.node)
    use.base.append(value)


def _called_on(node: ast.expr) -> str:
    """The name of the list that something is appended to."""
    holder = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if isinstance(holder, ast.Name):
        return holder.id
    return holder.attr if isinstance(holder, ast.Attribute) else "part"


def _extend(use: Use) -> None:
    parts = use.machine.parts(use.args[0], use.node)
    use.machine.budget.parts(len(use.base) + len(parts), use.node)
    use.base.extend(parts)


def _insert(use: Use) -> None:
    use.machine.budget.parts(len(use.base) + 1, use.node)
    use.base.insert(int(use.args[0]), use.args[1])


def _got(use: Use) -> Any:
    return use.base.get(use.machine.key(use.args[0], use.node), use.given(1, "default"))


def _updated(use: Use) -> None:
    for given in use.args:
        use.machine.is_fatal |= isinstance(given, Lost)
        if isinstance(given, dict):
            use.machine.budget.parts(len(use.base) + len(given), use.node)
            use.base.update(given)


def _joined_words(use: Use) -> Any:
    parts = use.machine.parts(use.args[0], use.node)
    if not all(isinstance(part, str) for part in parts):
        return Opaque("text")
    long = sum(map(len, parts)) + len(use.base) * len(parts) > LONGEST_WORD
    return Opaque("text") if long else use.base.join(parts)


def _replaced(use: Use) -> Any:
    old, new = use.args[0], use.args[1]
    long = len(use.base) + use.base.count(old) * len(new) > LONGEST_WORD
    return Opaque("text") if long else use.base.replace(old, new)


def _as_numbers(use: Use) -> Any:
    """`.astype(int)` of a list of numbers."""
    kind = int if isinstance(use.args[0], Special) and use.args[0].name == "int" else float
    return [kind(one) for one in use.base] if isinstance(use.base, list) else kind(use.base)


LISTS: dict[str, Act] = {
    "append": _append, "extend": _extend, "insert": _insert, "pop": lambda use: use.base.pop(*map(int, use.args)),
    "reverse": lambda use: use.base.reverse(), "copy": lambda use: list(use.base),
    "clear": lambda use: use.base.clear(), "remove": lambda use: use.base.remove(use.args[0]),
}  # fmt: skip
DICTS: dict[str, Act] = {
    "items": lambda use: [tuple(pair) for pair in use.base.items()], "keys": lambda use: list(use.base),
    "values": lambda use: list(use.base.values()), "get": _got, "update": _updated,
    "copy": lambda use: dict(use.base),
    "pop": lambda use: use.base.pop(use.machine.key(use.args[0], use.node), *use.args[1:2]),
    "setdefault": lambda use: use.base.setdefault(use.machine.key(use.args[0], use.node), use.given(1, "default")),
}  # fmt: skip
OTHERS: dict[str, Act] = {
    "join": _joined_words, "lower": lambda use: use.base.lower(), "upper": lambda use: use.base.upper(),
    "startswith": lambda use: use.base.startswith(use.args[0]), "endswith": lambda use: use.base.endswith(use.args[0]),
    "split": lambda use: use.base.split(*use.args[:1]), "strip": lambda use: use.base.strip(), "replace": _replaced,
    "index": lambda use: use.base.index(use.args[0]), "count": lambda use: use.base.count(use.args[0]),
    "numel": lambda use: math.prod(use.base), "item": _same, "to": _same, "cpu": _same, "detach": _same,
    "add": lambda use: use.base.add(use.machine.key(use.args[0], use.node)),
    "astype": _as_numbers, "union": lambda use: use.base | use.args[0],
    "bit_length": lambda use: int(use.base).bit_length(),
    "is_integer": lambda use: float(use.base).is_integer(), "lstrip": lambda use: use.base.lstrip(),
}  # fmt: skip
