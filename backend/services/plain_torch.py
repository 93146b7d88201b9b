"""A walk's program in plain PyTorch: the lines that make its tensors, its forward pass, and autograd's way back."""

from __future__ import annotations

import re

import torch

from backend.engine.language.layout import broken
from backend.engine.language.tree import stored_in
from backend.engine.language.unparse import printed
from backend.engine.trace.comments import Comments
from backend.engine.trace.graph import Graph
from backend.program.changes import touched
from backend.program.request import Material, Request

# Kinds of number that follow the precision of a pass; comments and facts of a kind stay as they are.
FLOATS = re.compile(
    r"(?P<kept>#[^\n]*|torch\.finfo\([^)]*\))|\.float\(\s*\)|\btorch\.(?:float32|float64|float|double)\b"
)


def forward_text(graph: Graph) -> str:
    """The forward lines, printed from what runs: of the pasted text only comments go into a file that will be run."""
    if graph.unrolled:
        return graph.forward_source.rstrip()  # written anew already
    comments, rows = Comments(graph.forward_source, blanks=True), list[str]()
    for statement in graph.statements:
        rows += comments.rows(broken(printed(statement)), statement.lineno, statement.end_lineno or statement.lineno)
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*rows, *comments.rest()])).strip("\n")


def in_precision(code: str, precision: str) -> str:
    """Code whose decimals are of the precision of the pass."""

    def kept_or_not(found: re.Match[str]) -> str:
        text = found[0]
        if found["kept"]:
            return text
        return f".to({precision})" if text.startswith(".") else precision

    return FLOATS.sub(kept_or_not, code)


def names_of(graph: Graph) -> set[str]:
    """Every name that a program gives a value, or is given."""
    return {*stored_in(*graph.statements), *graph.constants, *(str(node.name) for node in graph.inputs)}


def tensors_text(material: Material, request: Request, precision: str) -> str:
    """The lines that make what is given, tensors with a gradient marked as such."""
    moved = touched(material, request.get("changes", []))
    specs = {name: spec for name, spec in request.get("tensors", {}).items() if name not in moved}
    lines = []
    for name, tensor in material.tensors.items():
        made = _recipe(specs.get(name, {}), precision) or _literal(tensor, precision)
        gradient = ".requires_grad_()" if material.inputs[name].needs else ""
        lines.append(f"{name} = {made}{gradient}")
    return "\n".join(lines)


def _recipe(spec: Request, precision: str) -> str:
    """The line that makes a tensor as it was described; nothing where only its values can say."""
    init = spec.get("init")
    if init not in ("randn", "rand") or "values" in spec:
        return ""
    shape = tuple(spec["shape"])
    seed = f"generator=torch.Generator().manual_seed({spec.get('seed', 0)})"
    made = f"torch.{init}({shape}, {seed}, dtype=torch.float32)"
    made = f"({made} * {spec.get('scale', 1.0)!r} + {spec.get('shift', 0.0)!r})"
    return f"{made}.to({precision})"


def _literal(tensor: torch.Tensor, precision: str) -> str:
    words = str(tensor.tolist()).replace("inf", "math.inf").replace("nan", "math.nan")
    kind = precision if tensor.is_floating_point() else tensor.dtype
    return f"torch.tensor({words}, dtype={kind}).reshape({tuple(tensor.shape)})"


def autograd_text(graph: Graph) -> str:
    """The lines that let autograd keep every gradient, and find it."""
    inner = [chunk.node.variable for chunk in graph.chunks if chunk.node.needs]
    keep = f"for _tensor in ({', '.join(inner)},):\n    _tensor.retain_grad()\n" if inner else ""
    return f"{keep}{graph.loss.variable}.backward()"
