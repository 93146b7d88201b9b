"""Looking inside a function of PyTorch that is written in Python: it is run without asking who overrides it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

ASKED = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


def nobody(*_: Any, **__: Any) -> bool:
    """Nobody overrides anything."""
    return False


def without_overrides(function: Any) -> Callable[..., Any] | None:
    """The same function with its own question who overrides it answered; None where it is no Python.

    It is a function of its own: nothing in PyTorch is changed. What it calls is asked about as ever.
    """
    function = getattr(function, "__wrapped__", function) if not isinstance(function, types.FunctionType) else function
    if not isinstance(function, types.FunctionType) or not function.__module__.startswith("torch"):
        return None
    if not set(ASKED) & set(function.__code__.co_names):
        inner = getattr(function, "__wrapped__", None)
        return without_overrides(inner) if inner is not None else None
    known = {**function.__globals__, **dict.fromkeys(ASKED, nobody)}
    made = types.FunctionType(function.__code__, known, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return functools.wraps(function)(made)
