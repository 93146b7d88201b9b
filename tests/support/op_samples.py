"""Draws numbers for the `samples` of an operation, and writes programs that use them."""

from __future__ import annotations

import ast
import itertools
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from backend.engine.ops.sample import WHOLE_NUMBERS, is_tensor, shape_of
from backend.engine.ops.sample import read as sample_of
from tests.support import torch_reference

NUMBER = "1.7"


@dataclass
class Sample:
    """One sample with its pieces: texts by parameter name, and the tensors those texts name."""

    texts: dict[str, str] = field(default_factory=dict)
    tensors: dict[str, dict[str, Any]] = field(default_factory=dict)


def parameters(spelling: str) -> list[str]:
    """The names that a spelling takes, in order."""
    tree = ast.parse(spelling, mode="eval").body
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
        owner = (
            [] if ast.unparse(tree.func.value) in ("torch", "F", "torch.linalg", "torch.special") else [tree.func.value]
        )
        parts = [*owner, *(a.value if isinstance(a, ast.Starred) else a for a in tree.args)]
        return [ast.unparse(part).strip("[]()") for part in parts] + [str(k.arg) for k in tree.keywords]
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return [node.id for node in sorted(names, key=lambda node: node.col_offset)]


def required(spelling: str) -> list[str]:
    """Those of a spelling's names that have no default."""
    tree = ast.parse(spelling, mode="eval").body
    optional = [k.arg for k in tree.keywords] if isinstance(tree, ast.Call) else []
    return [name for name in parameters(spelling) if name not in optional]


def read(sample: str, op: Any) -> Sample:
    """The pieces of a sample under the names of the inputs and parameters they are for."""
    made, seed = Sample(), zlib.crc32(f"{op.__name__} {sample}".encode()) % 1000
    given = sample_of(sample)
    inputs = given.inputs
    if op.variadic:
        made.texts["tensors"] = f"({', '.join(f't{i}' for i in range(len(inputs)))},)"
    names = [f"t{i}" for i in range(len(inputs))] if op.variadic else list(op.backward)
    for number, (name, word) in enumerate(zip(names, inputs, strict=False)):
        if is_tensor(word):
            made.tensors[name] = _floats(word, seed + number)
        if not op.variadic:
            made.texts[name] = name if is_tensor(word) else NUMBER if word == "number" else word
    assert len(inputs) <= len(names), f"{sample}: more shapes than inputs"
    for name, text in given.named.items():
        made.texts[name] = _with_whole_numbers(text, name, seed, made)
    if given.zero:
        _first_cell_to_zero(next(iter(made.tensors.values()))["values"])
    return made


def _floats(text: str, seed: int) -> dict[str, Any]:
    shape = shape_of(text)
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(shape, generator=generator)
    # Away from zero, where many an operation has a kink or a pole.
    values = values + 0.05 * values.sign()
    if text.endswith("+"):
        values = values.abs() + 0.3
    elif text.endswith(">1"):
        values = values.abs() + 1.1
    elif text.endswith("01"):
        values = 0.1 + 0.8 * torch.rand(shape, generator=generator)
    elif text.endswith("spd"):
        values = (values @ values.mT).double().round(decimals=3) + torch.eye(shape[-1])
    return {"role": "parameter", "values": values.tolist()}


def _first_cell_to_zero(values: list[Any]) -> None:
    while isinstance(values[0], list):
        values = values[0]
    values[0] = 0.0


def _with_whole_numbers(text: str, name: str, seed: int, made: Sample) -> str:
    """A value's text, in which each `ints(…)<n` and `mask(…)` has become a tensor of its own, and `slice(…)` a slice."""

    def tensor(match: re.Match[str]) -> str:
        shape = shape_of(match[2])
        generator = torch.Generator().manual_seed(seed + len(made.tensors) + 1)
        drawn = torch.randint(0, int(match[3] or 2), shape, generator=generator)
        values = drawn.tolist() if match[1] == "ints" else drawn.bool().tolist()
        made.tensors[f"{name}{len(made.tensors)}"] = {"role": "target", "values": values}
        return list(made.tensors)[-1]

    text = WHOLE_NUMBERS.sub(tensor, text)
    text = re.sub(r"slice\(None\)", ":", text)
    text = re.sub(
        r"slice\((-?\d+),(-?\d+)(?:,(-?\d+))?\)", lambda m: ":".join(part for part in m.groups() if part), text
    )
    return text[1:-1] if ":" in text and text.startswith("(") else text


def written(spelling: str, sample: Sample) -> Iterator[str]:
    """The spelling with a sample's pieces in their places: optional ones as keywords, then by position."""
    names = parameters(spelling)
    if not set(required(spelling)) <= set(sample.texts) <= set(names):
        return
    tree = ast.parse(spelling, mode="eval").body
    given = [k.arg for k in tree.keywords if k.arg in sample.texts] if isinstance(tree, ast.Call) else []
    for by_position in [False, True] if given else [False]:
        made = _Filled(sample).visit(ast.parse(spelling, mode="eval").body)
        if isinstance(made, ast.Call):
            optional = [k for k in made.keywords if k.arg in sample.texts]
            leading = [k.arg for k in made.keywords][: len(optional)] == [k.arg for k in optional]
            values = [ast.keyword(k.arg, _expression(sample.texts[str(k.arg)])) for k in optional]
            if by_position and not leading:
                continue
            made.keywords = [] if by_position else values
            made.args += [k.value for k in values] if by_position else []
        yield ast.unparse(made)


class _Filled(ast.NodeTransformer):
    def __init__(self, sample: Sample) -> None:
        self.texts = sample.texts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _expression(self.texts[node.id]) if node.id in self.texts else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        starred = [a for a in node.args if isinstance(a, ast.Starred)]
        self.generic_visit(node)
        args = ([*a.value.elts] if a in starred and isinstance(a.value, ast.Tuple) else [a] for a in node.args)
        node.args = list(itertools.chain.from_iterable(args))
        return node


def _expression(text: str) -> ast.expr:
    place = ast.parse(f"_[{text}]", mode="eval").body
    assert isinstance(place, ast.Subscript)
    return place.slice


def case(expression: str, sample: Sample) -> torch_reference.Case | None:
    """A program that weighs what an expression gives into a loss; None where torch itself does not take it."""
    tensors = sample.tensors
    bare: torch_reference.Case = {"source": f"out = {expression}\n", "tensors": tensors}
    scope = torch_reference.scope(bare, torch_reference.tensors(bare))
    try:
        with torch_reference.DefaultDtype(torch.float64):
            exec(bare["source"], scope)
    except (RuntimeError, TypeError, IndexError, ValueError, AttributeError, UserWarning):
        return None
    out = scope["out"]
    if isinstance(out, torch.Tensor):
        return bare | _weighed([bare["source"]], ["out"], [out], tensors)
    if hasattr(out, "values"):
        return bare | _weighed([f"out = {expression}.values\n"], ["out"], [out.values], tensors)
    names = [f"out{number}" for number in range(len(out))]
    return bare | _weighed([f"{', '.join(names)}{',' * (len(names) == 1)} = {expression}\n"], names, list(out), tensors)


def _weighed(
    lines: list[str], names: list[str], outs: list[torch.Tensor], tensors: dict[str, Any]
) -> torch_reference.Case:
    weights = {}
    for number, (name, out) in enumerate(zip(names, outs, strict=True)):
        generator = torch.Generator().manual_seed(77 + number)
        # A cell of -1e9 would leave no digits for differences.
        weight = (torch.rand(out.shape, generator=generator) + 0.5) * (out.abs() < 1e6)
        weight = weight * torch.where(torch.arange(out.numel()).reshape(out.shape) % 3 == 1, -1.0, 1.0)
        weights[f"weight{number}"] = {"role": "target", "values": weight.tolist()}
        lines = [*lines, f"part{number} = ({name} * weight{number}).sum()\n"]
    total = " + ".join(f"part{number}" for number in range(len(names)))
    return {"source": "".join(lines) + f"loss = {total} * 1.5\n", "tensors": tensors | weights}
