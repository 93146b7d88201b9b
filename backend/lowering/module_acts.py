"""Functions of PyTorch's and Python's modules that are carried out here: `nn.Parameter`, `partial`, `deepcopy`."""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.values import Device
from backend.lowering.builtins import ACTS
from backend.lowering.library_acts import copied_object
from backend.lowering.numpy_draws import DRAWS
from backend.lowering.use import Act, Use
from backend.lowering.values import Class, Instance, Leaf, Method, Partial, Property, Tensor, Unknown, bare

OF_WEIGHTS = ("torch.nn.utils", "torch.nn.utils.parametrizations")
WEIGHT_NORMS = [f"{owner}.weight_norm" for owner in OF_WEIGHTS]
SPECTRAL_NORMS = [f"{owner}.spectral_norm" for owner in OF_WEIGHTS]


def _copied(use: Use) -> Any:
    return copied_object(use.args[0], use)


def _partial(use: Use) -> Partial:
    return Partial(use.args[0], tuple(use.args[1:]), use.kwargs)


def _folded(use: Use) -> Any:
    parts = use.machine.parts(use.args[1], use.node)
    total = use.args[2] if len(use.args) > 2 else parts.pop(0)
    for part in parts:
        total = use.machine.called(use.args[0], [total, part], {}, use.node)
    return total


def _chained(use: Use) -> list[Any]:
    return [part for one in use.args for part in use.machine.parts(one, use.node)]


def _run(use: Use) -> Any:
    return use.machine.called(use.args[0], use.args[1:], {}, use.node)


def _field(use: Use) -> Any:
    if "default_factory" in use.kwargs:
        return use.machine.called(use.kwargs["default_factory"], [], {}, use.node)
    return use.kwargs.get("default")


def _product(use: Use) -> list[Any]:
    found: list[Any] = [()]
    for one in use.args:
        parts = use.machine.parts(one, use.node)
        use.machine.budget.parts(len(found) * len(parts), use.node)
        found = [(*before, part) for before in found for part in parts]
    return found


def _combinations(use: Use) -> list[Any]:
    parts, size = use.machine.parts(use.args[0], use.node), bare(use.args[1])
    use.machine.budget.parts(len(parts) ** 2, use.node)
    return [(a, b) for n, a in enumerate(parts) for b in parts[n + 1 :]] if size == 2 else [(a,) for a in parts]


def _parameter(use: Use) -> Any:
    """`nn.Parameter(x)`: a leaf of its own; nothing flows back through it to what it is made of."""
    machine, value = use.machine, use.args[0]
    if isinstance(value, Leaf) and not value.is_settled and (value.owner or value.name):
        value = _apart(value)
    elif machine.is_beginning_of_object() and isinstance(value, Tensor) and not value.fixed:
        value = machine.leaf({"role": "parameter", "init": "randn"}, tuple(value.shape), use.node)
    elif machine.calls and not machine.is_beginning_of_object():
        made = machine.copied(use.args[:1], use.node)
        value = value if made is None else made
    return machine.parameter(value, use.kwargs.get("requires_grad", True), use.node)


def _apart(leaf: Leaf) -> Leaf:
    """A leaf that begins as another does, and has its own gradient."""
    made = copy.copy(leaf)
    made.spec, made.owner, made.name = dict(leaf.spec), None, ""
    return made


def _drawn(number: Callable[..., Any]) -> Act:
    """A plain number that is drawn: one in the middle, the same in every run."""

    def made(use: Use) -> Any:
        ends = [bare(use.machine.whole(one)) for one in [*use.args, *use.kwargs.values()]]
        try:
            value = number(*ends)
        except (TypeError, OverflowError):
            raise Refusal("number-fails", found=ast.unparse(use.node), at=use.node) from None
        use.machine.note("drawn-number", use.node, found=use.node, value=value)
        return value

    return made


def _picked(use: Use) -> Any:
    """One of several that is drawn: the first."""
    parts = use.machine.parts(use.args[0], use.node)
    if not parts:
        raise Refusal("found-value", found="an empty list", at=use.node)
    use.machine.note("drawn-first", use.node, found=use.node)
    return parts[0]


def _reparametrised(kind: str) -> Act:
    """`weight_norm(layer)`: the layer's weight is reckoned of others each time that it is read."""

    def made(use: Use) -> Any:
        layer, *named = [*use.args, *use.kwargs.values()]
        weight = layer.attributes.get("weight") if isinstance(layer, Instance) else None
        if not isinstance(weight, Leaf) or named not in ([], ["weight"]) or use.kwargs.keys() - {"name"}:
            raise Refusal("found-foreign/call", found=kind, at=use.node)
        del layer.attributes["weight"]
        weight.owner = None  # it gets another name
        begin, read = (use.machine.defined_in_library(f"{kind}_{name}") for name in ("begin", "weight"))
        layer.of = Class(layer.of.name, [layer.of], {"weight": Property(read)}, layer.of.node, own=False)
        use.machine.called(begin, [layer, weight], {}, use.node)
        return layer

    return made


def _outer(use: Use) -> Any:
    """`torch.outer(t, freqs)` of whole numbers and decimals, as PyTorch takes them."""
    given = [use.machine.tensor_of(one) if isinstance(one, Unknown) else one for one in use.args]
    tensors = [one for one in given if isinstance(one, Tensor)]
    if len({one.meta.is_floating_point() for one in tensors}) == 2 and not all(one.fixed for one in tensors):
        given = [use.machine.called(Method(one, "float"), [], {}, use.node) for one in given]
    return use.machine.operation("torch.outer", given, use.kwargs, use.node)


MADE: dict[str, Act] = {
    "torch.outer": _outer, "torch.ger": _outer,
    "torch.nn.Parameter": _parameter, "torch.nn.parameter.Parameter": _parameter,
    "torch.nn.Buffer": lambda use: use.machine.parameter(use.args[0], False, use.node),
    "torch.autograd.Variable": ACTS["Variable"], "torch.device": lambda _: Device("cpu"),
    "torch.Size": lambda use: tuple(use.args[0]), "torch.nn.init": lambda use: use.args[0],
    **dict.fromkeys(WEIGHT_NORMS, _reparametrised("weight_norm")),
    **dict.fromkeys(SPECTRAL_NORMS, _reparametrised("spectral_norm")),
}  # fmt: skip
OTHERS: dict[str, Act] = {
    "functools.partial": _partial, "functools.reduce": _folded, "copy.deepcopy": _copied, "copy.copy": _copied,
    "collections.OrderedDict": ACTS["dict"],
    "collections.defaultdict": lambda _: {}, "itertools.chain": _chained, "itertools.product": _product,
    "itertools.combinations": _combinations, "random.random": _drawn(lambda: 0.5),
    "random.randint": _drawn(lambda low, high: (low + high + 1) // 2), "random.choice": _picked,
    "random.randrange": _drawn(lambda *ends: sum(ends[:2]) // 2), "random.uniform": _drawn(lambda *ends: sum(ends) / 2),
    "operator.mul": lambda use: use.machine.joined(ast.Mult(), *use.args, use.node),
    "operator.add": lambda use: use.machine.joined(ast.Add(), *use.args, use.node),
    "math.isclose": lambda use: math.isclose(*map(bare, use.args), **use.kwargs), **DRAWS,
    "typing.cast": lambda use: use.args[1], "dataclasses.field": _field, "torch.utils.checkpoint.checkpoint": _run,
}  # fmt: skip
