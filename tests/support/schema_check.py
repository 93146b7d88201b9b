"""A document held against its type, field by field: nothing missing, nothing besides, None only where it is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def faults(value: Any, kind: Any, where: str = "walk") -> list[str]:
    """What is wrong with a value of this type, each with its place."""
    origin = get_origin(kind)
    if origin in (Annotated, NotRequired):
        return faults(value, get_args(kind)[0], where)
    if origin in (Union, UnionType):
        return _none_of(value, get_args(kind), where)
    if origin is Literal:
        fits = any(value == one and type(value) is type(one) for one in get_args(kind))
        return [] if fits else [f"{where}: {value!r} is none of {get_args(kind)}"]
    if is_typeddict(kind):
        return list(_of_class(value, kind, where))
    if kind is object:
        return []
    if origin is tuple:  # a list of so many entries, of a type each
        if not isinstance(value, list | tuple) or len(value) != len(get_args(kind)):
            return [f"{where}: {value!r} is no {kind}"]
        parts = zip(value, get_args(kind), strict=True)
        return [fault for place, part in enumerate(parts) for fault in faults(*part, f"{where}[{place}]")]
    if origin in (list, dict):
        return list(_of_parts(value, kind, origin, where))
    return [] if type(value) is kind or (kind is NoneType and value is None) else [f"{where}: {value!r} is no {kind}"]


def _none_of(value: Any, kinds: tuple[Any, ...], where: str) -> list[str]:
    """The faults by the member that fits best: one that only some part of the value does not fit."""
    found = [faults(value, kind, where) for kind in kinds]
    return min(found, key=lambda told: (any(fault.startswith(f"{where}:") for fault in told), len(told)))


def _of_class(value: Any, kind: Any, where: str) -> Iterator[str]:
    if type(value) is not dict:
        yield f"{where}: {value!r} is no {kind.__name__}"
        return
    hints = get_type_hints(kind, include_extras=True)
    needed = {key for key, hint in hints.items() if get_origin(hint) is not NotRequired}
    yield from (f"{where}: {key} is missing" for key in needed - value.keys())
    yield from (f"{where}: there is no {key} in {kind.__name__}" for key in value.keys() - hints.keys())
    for key in hints.keys() & value.keys():
        yield from faults(value[key], hints[key], f"{where}.{key}")


def _of_parts(value: Any, kind: Any, origin: Any, where: str) -> Iterator[str]:
    if type(value) is not origin:
        yield f"{where}: {value!r} is no {kind}"
        return
    entries = value.items() if origin is dict else enumerate(value)
    for key, part in entries:
        yield from faults(part, get_args(kind)[-1], f"{where}[{key!r}]")
