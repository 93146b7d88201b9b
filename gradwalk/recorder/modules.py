"""The modules that a model is made of, and the paths by which its owner knows them and their parameters."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

import torch
from torch import nn

from gradwalk.recorder.places import TORCH

DEEPEST = 3  # how far functions are looked through for modules that they close over


class Modules:
    """Paths of modules and of parameters, by their identities."""

    def __init__(self, *reached: Any) -> None:
        self.paths: dict[int, str] = {}
        self.labels: dict[int, str] = {}
        self.roots: list[nn.Module] = []
        for one in reached:
            for name, found in named(one, "", DEEPEST):
                self.know(found, name)

    def know(self, found: nn.Module | torch.Tensor, name: str) -> None:
        """Note a module with all that is in it, or a tensor."""
        if isinstance(found, torch.Tensor):
            self.labels.setdefault(id(found), name)
            return
        if id(found) in self.paths:
            return
        self.roots.append(found)
        before = f"{name}." if name else ""
        for path, module in found.named_modules():
            self.paths.setdefault(id(module), (before + path).rstrip("."))
        for kind in (found.named_parameters(), found.named_buffers()):
            for path, tensor in kind:
                self.labels.setdefault(id(tensor), before + path)

    def around(self, frames: list[FrameType], stop: FrameType | None) -> tuple[str, str]:
        """The path of the innermost module of the user's own that these frames are in, and of PyTorch's layer in it."""
        layer = ""
        for frame in frames:
            if frame is stop:
                break
            code = frame.f_code
            if code.co_name in ("_call_impl", "_wrapped_call_impl") or code.co_varnames[:1] != ("self",):
                continue
            module = frame.f_locals.get("self")
            if not isinstance(module, nn.Module):
                continue
            path = self.paths.get(id(module))
            if path is None:
                self.know(module, type(module).__name__.lower())
                path = self.paths[id(module)]
            if code.co_filename.startswith(TORCH):
                layer = layer or path.rpartition(".")[2]
            else:
                return path, layer
        return "", layer

    def parameters(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Every parameter with its path, each once."""
        seen: set[int] = set()
        for root in self.roots:
            for one in root.parameters():
                if id(one) not in seen and id(one) in self.labels:  # others stood in its place for a while
                    seen.add(id(one))
                    yield self.labels[id(one)], one


def words_in(code: CodeType) -> Iterator[str]:
    """The names of the functions that are written inside of one."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from inner.co_names
            yield from words_in(inner)


def named(one: Any, name: str, deep: int) -> Iterator[tuple[str, nn.Module | torch.Tensor]]:
    """The modules and tensors that something is or closes over, with the names that they have there."""
    if isinstance(one, nn.Module | torch.Tensor):
        yield name, one
    elif deep:
        for inner, value in within(one, name, whole=deep >= DEEPEST - 1):
            yield from named(value, inner, deep - 1)


def within(one: Any, name: str, whole: bool) -> Iterator[tuple[str, Any]]:
    """What something is made of, by name; of an object of the user's what it has, where that is asked for."""
    before = f"{name}." if name else ""
    if isinstance(parts := getattr(one, "gradwalk_parts", None), dict):
        yield from parts.items()
    elif isinstance(one, functools.partial):
        yield from [(name, one.func), *((f"{name or 'arg'}{place}", given) for place, given in enumerate(one.args))]
    elif inspect.ismethod(one):
        yield from [(name, one.__self__), (name, one.__func__)]
    elif inspect.isfunction(one):
        known = inspect.getclosurevars(one)
        inner = {word: one.__globals__[word] for word in words_in(one.__code__) if word in one.__globals__}
        yield from {**inner, **known.globals, **known.nonlocals}.items()
    elif isinstance(one, list | tuple | dict):
        pairs = one.items() if isinstance(one, dict) else enumerate(one)
        yield from ((f"{before}{key}", value) for key, value in pairs)
    elif whole and hasattr(one, "__dict__") and not inspect.ismodule(one) and not inspect.isclass(one):
        yield from ((f"{before}{key}", value) for key, value in vars(one).items())
