"""`.to(…)`, `.cuda()` and `device=…`: there is one device, so that only a kind of number is left of them."""

from __future__ import annotations

import ast
import re
from typing import Any

from backend.engine.language.values import Args, Device, Values
from backend.engine.ops import OPS

DEVICE_KEYS = frozenset[str]().union(*(op.device_keys for op in OPS))
TO_KEYWORDS = frozenset({"dtype", "device", "non_blocking", "copy"})


def is_elsewhere(value: object) -> bool:
    """Whether a value names a device that is not here."""
    return _is_device(value) and not isinstance(value, Device) and value != "cpu"


def _is_device(value: object) -> bool:
    if isinstance(value, Device):
        return True
    return type(value) is str and bool(re.fullmatch(r"(cpu|cuda|mps|xpu)(:\d{1,2})?", value))


def kinds_among(values: tuple[Any, ...]) -> list[Any]:
    """What the arguments of `.to(…)` ask for beside a device: a kind of number, or a tensor that has it."""
    return [value for value in values if not (value is None or isinstance(value, bool) or _is_device(value))]


def names_elsewhere(node: ast.Call, args: Args, kwargs: Values) -> bool:
    """Whether a call asks for a device that is not here."""
    return any(map(is_elsewhere, (*(args if _is_to(node) else ()), kwargs.get("device"))))


def without_devices(node: ast.Call, args: Args, kwargs: Values) -> tuple[ast.Call, tuple[Any, ...], Values]:
    """A call and its arguments without a device elsewhere, and without what is said of the way there."""
    moving = _is_to(node)
    words = ("device", "non_blocking") if moving else ("device",)
    kept = [i for i, value in enumerate(args) if not (moving and is_elsewhere(value))]
    named = [keyword for keyword in node.keywords if keyword.arg not in words]
    made = ast.copy_location(ast.Call(node.func, [node.args[i] for i in kept], named), node)
    return made, tuple(args[i] for i in kept), {name: value for name, value in kwargs.items() if name not in words}


def _is_to(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and "." + node.func.attr in DEVICE_KEYS
