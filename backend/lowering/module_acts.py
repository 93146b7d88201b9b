"""Functions of PyTorch's and Python's modules that are carried out here: `nn.Parameter`, `partial`, `deepcopy`."""

from __future__ import annotations

import ast
from typing import Any

from backend.engine.language.values import Device
from backend.lowering.builtins import ACTS, copied_object
from backend.lowering.use import Act, Use
from backend.lowering.values import Partial, bare


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
    return use.machine.parameter(use.args[0], use.kwargs.get("requires_grad", True), use.node)


MADE: dict[str, Act] = {
    "torch.nn.Parameter": _parameter, "torch.nn.parameter.Parameter": _parameter,
    "torch.nn.Buffer": lambda use: use.machine.parameter(use.args[0], False, use.node),
    "torch.autograd.Variable": lambda use: use.args[0], "torch.device": lambda _: Device("cpu"),
    "torch.Size": lambda use: tuple(use.args[0]),
}  # fmt: skip
OTHERS: dict[str, Act] = {
    "functools.partial": _partial, "functools.reduce": _folded, "copy.deepcopy": _copied, "copy.copy": _copied,
    "collections.OrderedDict": ACTS["dict"],
    "collections.defaultdict": lambda _: {}, "itertools.chain": _chained, "itertools.product": _product,
    "itertools.combinations": _combinations, "random.random": lambda _: 0.5,
    "operator.mul": lambda use: use.machine.joined(ast.Mult(), *use.args, use.node),
    "operator.add": lambda use: use.machine.joined(ast.Add(), *use.args, use.node),
    "typing.cast": lambda use: use.args[1], "dataclasses.field": _field, "torch.utils.checkpoint.checkpoint": _run,
}  # fmt: skip
