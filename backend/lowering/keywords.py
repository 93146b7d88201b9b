"""The arguments of a call as an operation takes them: without what says where it runs, or what goes without saying."""

from __future__ import annotations

from typing import Any

from backend.engine.language.values import Parameters
from backend.engine.ops import REGISTRY
from backend.lowering.values import Opaque, bare, is_number

OF_DECIMALS = frozenset({"F.softmax", "F.log_softmax", "torch.softmax", "torch.log_softmax"})  # whatever is asked for
DROPPED = frozenset({"device", "requires_grad", "generator", "pin_memory", "layout", "non_blocking", "memory_format"})


def without_devices(key: str, kwargs: Parameters) -> Parameters:
    """The keywords of an operation without what says where it is carried out."""
    kept = {name: value for name, value in kwargs.items() if name not in DROPPED and not isinstance(value, Opaque)}
    if kept.get("dtype", "") is None or (kept.get("dtype") == "float32" and key in OF_DECIMALS):
        del kept["dtype"]
    is_old = key.startswith("F.") and ("reduce" in kept or "size_average" in kept)
    return _with_reduction(kept) if is_old else kept


def _with_reduction(kwargs: Parameters) -> Parameters:
    """What losses were told by `reduce` and `size_average` before there was `reduction`."""
    kept = {name: value for name, value in kwargs.items() if name not in ("reduce", "size_average")}
    if kwargs.get("reduce") is False:
        return {**kept, "reduction": "none"}
    return {**kept, "reduction": "sum"} if kwargs.get("size_average") is False else kept


def without_defaults(key: str, args: list[Any], kwargs: Parameters) -> tuple[list[Any], Parameters]:
    """A call of the library's without what it says by default: nobody would write it."""
    for _, signature in REGISTRY.get(key, ()):
        known = signature.parameters
        if all(name in known or name in signature.called for name in kwargs):
            names = list(known)
            kept = {name: value for name, value in kwargs.items() if not (name in known and _same(known[name], value))}
            while args and len(args) <= len(names) and len(args) > 1 and _same(known[names[len(args) - 1]], args[-1]):
                args = args[:-1]
            return args, kept
    return args, kwargs


def _same(a: Any, b: Any) -> bool:
    b = bare(b)
    return (type(a) is type(b) and isinstance(a, int | float | str | bool | None) and a == b) or (
        is_number(a) and is_number(b) and a == b
    )
