"""An expression tried by itself: whether the engine takes it, and whether it makes what PyTorch has made."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import torch
from cachetools import LRUCache

from backend.engine.execute.run import values_of
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import widened
from backend.engine.language.rewrite import substitute
from backend.engine.language.tree import loaded_in
from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Graph
from backend.engine.trace.inputs import Input
from backend.pipeline import make_plan
from backend.program.request import Material
from gradwalk.recorder.values import Value
from gradwalk.room import ROOM

MOST_GRAPHS = 1000
# Of this process: whoever walks a model walks it again.
GRAPHS: LRUCache[tuple[object, ...], Graph] = LRUCache(MOST_GRAPHS)
CLOSE = 1e-4  # of the largest number: a fused call of PyTorch rounds otherwise than its parts


@dataclass
class Trials:
    """What was tried, by the text and the kinds of its tensors: a layer is written like the one before it."""

    known: dict[tuple[object, ...], bool] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)

    def takes(
        self,
        expression: ast.expr,
        reads: Sequence[Value],
        made: Sequence[torch.Tensor],
        several: bool,
        apart: bool = False,
    ) -> bool:
        """Whether the engine takes an expression, differentiates it, and computes what PyTorch has made.

        `apart`: in a thread of its own, where the dispatcher's calls are not watched and autograd is awake.
        """
        names = {value.key: f"x{place}" for place, value in enumerate(reads)}
        try:
            text = printed(named_anew(expression, names))
        except TypeError:
            return False
        kinds = tuple((tuple(one.kept.shape), one.kept.dtype, one.role == "constant") for one in reads)
        key = (text, kinds, several, tuple(tuple(one.shape) for one in made))
        if key not in self.known:
            if apart:
                with ThreadPoolExecutor(1) as threads:
                    self.known[key] = threads.submit(self.tried, text, [*reads], made, True).result()
            else:
                self.known[key] = self.tried(text, [*reads], made)
        return self.known[key]

    def tried(self, text: str, reads: list[Value], made: Sequence[torch.Tensor], every: bool = False) -> bool:
        """The same for a text that wasn't tried yet."""
        outs = [f"y{place}" for place in range(len(made))]
        counted = [
            name
            for name, one in zip(outs, made, strict=True)
            if one.is_floating_point() and (every or one.requires_grad)
        ]
        target = ", ".join(outs)
        loss = " + ".join(f"{name}.sum()" for name in counted)
        material = material_of(f"{target} = {text}\nloss = {loss}", {f"x{i}": one for i, one in enumerate(reads)})
        try:
            with widened(**ROOM):
                found = values_of(graph_of(material), material.tensors, material.dtype)
        except Refusal as refusal:
            self.refusals[text] = refusal.message
            return False
        except (RuntimeError, ValueError, TypeError, IndexError, KeyError, AssertionError) as error:
            self.refusals[text] = f"{type(error).__name__}: {error}"
            return False
        return all(same(found[name], one) for name, one in zip(outs, made, strict=True) if name in found)


def graph_of(material: Material) -> Graph:
    """The graph of an expression that the engine takes and differentiates; kept where no value decides a shape."""
    inputs = tuple((name, one.role, one.shape, one.dtype) for name, one in material.inputs.items())
    key = material.source, inputs, material.dtype
    graph = GRAPHS.get(key)
    if graph is None:
        graph = make_plan(material).graph
        if not graph.actual:
            GRAPHS[key] = graph
    return graph


def material_of(source: str, values: dict[str, Value], loss: str = "loss") -> Material:
    """A program with these values as its inputs."""
    tensors = {name: usable(one.kept) for name, one in values.items()}
    inputs = {name: Input(one.role, tuple(tensors[name].shape), tensors[name].dtype) for name, one in values.items()}
    decimals = [one.dtype for one in tensors.values() if one.is_floating_point()]
    dtype = torch.float64 if torch.float64 in decimals else torch.float32
    return Material(source, tensors, inputs, {}, {}, loss, dtype)


def usable(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor as the engine has them: on the processor, contiguous, whole numbers in 64 bits, no half precision."""
    made = tensor.detach().cpu()
    if made.is_floating_point():
        made = made if made.dtype in (torch.float32, torch.float64) else made.float()
    elif made.dtype is not torch.bool:
        made = made.long()
    return made.contiguous()


def same(found: object, made: torch.Tensor, close: float = CLOSE) -> bool:
    """Whether a value of ours is PyTorch's, up to rounding."""
    if not isinstance(found, torch.Tensor) or found.shape != made.shape:
        return False
    if found.dtype is made.dtype and torch.equal(found, made.detach().cpu()):
        return True
    if not made.is_floating_point():
        return bool((found == made.cpu()).all())
    close = close if made.dtype in (torch.float32, torch.float64) else 2e-2
    ours, theirs = found.double(), made.detach().cpu().double()
    finite = theirs.isfinite()
    if not bool((finite == ours.isfinite()).all()):
        return False
    if not bool(((ours == theirs) | (ours.isnan() & theirs.isnan()) | finite).all()):
        return False
    size = float(theirs[finite].abs().max()) if bool(finite.any()) else 0.0
    return not bool(finite.any()) or float((ours - theirs)[finite].abs().max()) <= max(close * size, 1e-6)


def named_anew(expression: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """An expression with names in the place of others."""
    read = loaded_in(expression)
    return substitute(expression, {old: ast.Name(names[old], ast.Load()) for old in read if old in names})
