"""Reads the `samples` of an operation, such as "(2,3)+ (3,) dim=0 keepdim=True", and writes programs that use them.

A sample is a row of pieces: `(2,3)` a float tensor of that shape, `(2,3)+` one with positive cells only, `number` a
decimal, a numeral itself, and `name=value` a parameter as it would be written; a list of whole numbers (or of lists)
inside a value stands for an integer tensor, a list of truth values for a mask.
"""

from __future__ import annotations

import ast
import itertools
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from tests.backend import plain

NUMBER = "1.7"


@dataclass
class Sample:
    """One sample with its pieces: texts by parameter name, and the tensors those texts name."""

    texts: dict[str, str] = field(default_factory=dict)
    tensors: dict[str, dict[str, Any]] = field(default_factory=dict)


def pieces(text: str) -> list[str]:
    """The parts between spaces, brackets kept whole."""
    parts, depth = [""], 0
    for letter in text.strip():
        depth += (letter in "([{") - (letter in ")]}")
        if letter == " " and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def parameters(spelling: str) -> list[str]:
    """The names that a spelling takes, in order."""
    tree = ast.parse(spelling, mode="eval").body
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
        owner = [] if ast.unparse(tree.func.value) in ("torch", "F", "torch.linalg") else [tree.func.value]
        parts = [*owner, *(a.value if isinstance(a, ast.Starred) else a for a in tree.args)]
        return [ast.unparse(part).strip("[]()") for part in parts] + [str(k.arg) for k in tree.keywords]
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return [node.id for node in sorted(names, key=lambda node: node.col_offset)]


def read(sample: str, op: Any) -> Sample:
    """The pieces of a sample under the names that the operation's first spelling gives them."""
    made, order = Sample(), list(dict.fromkeys(n for spelling in op.written for n in parameters(spelling)))
    seed = zlib.crc32(f"{op.__name__} {sample}".encode()) % 1000
    for position, piece in enumerate(pieces(sample)):
        keyword = re.match(r"([a-z_]\w*)=(.+)$", piece)
        name = keyword[1] if keyword else next(n for n in order if n not in made.texts)
        text = keyword[2] if keyword else piece
        if not keyword and re.fullmatch(r"\([\d,]*\)\+?", text):
            made.tensors[name] = _floats(text, seed + position)
            made.texts[name] = name
        else:
            made.texts[name] = NUMBER if text == "number" else _with_integers(text, name, made)
    return made


def _floats(text: str, seed: int) -> dict[str, Any]:
    shape = tuple(int(size) for size in re.findall(r"\d+", text))
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(shape, generator=generator)
    # Away from zero, where many an operation has a kink or a pole.
    values = values.abs() + 0.3 if text.endswith("+") else values + 0.05 * values.sign()
    return {"role": "parameter", "shape": list(shape), "values": values.tolist()} if values.numel() else _empty(shape)


def _empty(shape: tuple[int, ...]) -> dict[str, Any]:
    return {"role": "parameter", "shape": list(shape), "init": "randn"}


def _with_integers(text: str, name: str, made: Sample) -> str:
    """A value's text, with each list literal in it turned into a tensor of its own."""
    parts = re.split(r"(\[[\[\]\d,\s.\-TrueFals]*\])", text)
    for position, part in enumerate(parts):
        if part.startswith("["):
            tensor = f"{name}{position}" if len(parts) > 3 or parts[0] or parts[-1] else name
            made.tensors[tensor] = {"role": "target", "values": ast.literal_eval(part)}
            parts[position] = tensor
    return "".join(parts)


def written(spelling: str, sample: Sample) -> Iterator[str]:
    """The spelling with a sample's pieces in their places: optional ones as keywords, then by position."""
    names = parameters(spelling)
    if not set(sample.texts) <= set(names):
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
        args = ([*a.value.elts] if a in starred and isinstance(a.value, ast.Tuple) else [a] for a in node.args)  # type: ignore[attr-defined]
        node.args = list(itertools.chain.from_iterable(args))
        return node


def _expression(text: str) -> ast.expr:
    return ast.parse(f"_[{text}]", mode="eval").body.slice  # type: ignore[attr-defined, no-any-return]


def case(expression: str, sample: Sample) -> plain.Case | None:
    """A program that weighs what an expression gives into a loss; None where torch itself does not take it."""
    tensors = {n: {k: v for k, v in spec.items() if k != "shape" or "init" in spec} for n, spec in sample.tensors.items()}
    bare = {"source": f"out = {expression}\n", "tensors": tensors}
    scope = plain.scope(bare, plain.tensors(bare))
    try:
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


def _weighed(lines: list[str], names: list[str], outs: list[torch.Tensor], tensors: dict[str, Any]) -> plain.Case:
    weights = {}
    for number, (name, out) in enumerate(zip(names, outs, strict=True)):
        spec = {"role": "target", "shape": list(out.shape), "init": "rand", "seed": 77 + number, "shift": 0.5}
        weights[f"weight{number}"] = spec
        lines = [*lines, f"part{number} = ({name} * weight{number}).sum()\n"]
    total = " + ".join(f"part{number}" for number in range(len(names)))
    return {"source": "".join(lines) + f"loss = {total} * 1.5\n", "tensors": tensors | weights}
