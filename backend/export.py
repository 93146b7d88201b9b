"""With this module a walk becomes a file that runs in plain PyTorch: forward, backward, and a check beside autograd."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from backend.graph import Graph, Node
from backend.plan import Plan, plan_for
from backend.request import Material, Spec, read

COMPARE = '''\
def compare(name, mine, theirs, scale):
    """A line per tensor: shapes first, then bits, then size. Zeros in place of a gradient do not pass."""
    if mine.shape != theirs.shape:
        print(f"{name:20s} WRONG SHAPE {tuple(mine.shape)}, autograd has {tuple(theirs.shape)}")
        return False
    difference = (mine - theirs).abs().max().item() if mine.numel() else 0.0
    exact = bool(torch.equal(mine, theirs))
    size = theirs.abs().max().item() if theirs.numel() else 0.0
    noise = size < 1e-6 * scale and difference < 1e-5 * scale
    right = exact or noise or difference <= 1e-4 * size
    word = "exact" if exact else "zero up to rounding" if noise else "approximate" if right else "WRONG"
    print(f"{name:20s} {word:20s} max difference {difference:.3g}")
    return right
'''
CALLED = frozenset({"SystemExit", "all", "bool", "max", "print", "sum", "tuple"})  # by the check


def export(request: Spec, form: str, names: Path | None = None) -> dict[str, str]:
    """The walk of a request as a Python file (`py`) or a notebook (`ipynb`): its name, media type and text."""
    material = read(request, names)
    plan = plan_for(material)
    parts = _parts(material, plan, request)
    stem = (material.lesson.name if material.lesson else "gradwalk").replace("-", "_")
    if form == "ipynb":
        return {"filename": f"{stem}.ipynb", "media_type": "application/x-ipynb+json", "text": _notebook(parts)}
    text = "\n\n".join(f"# {title}\n{code}" for title, code in parts) + "\n"
    return {"filename": f"{stem}.py", "media_type": "text/x-python", "text": text}


def _parts(material: Material, plan: Plan, request: Spec) -> list[tuple[str, str]]:
    graph = plan.graph
    imports = "import math\n\nimport torch\nimport torch.nn.functional as F\n\ntorch.set_num_threads(1)"
    constants = "\n".join(f"{name} = {value!r}" for name, value in material.constants.items())
    return [
        ("A forward pass, its backward pass written out by gradwalk, and a check against autograd", imports),
        ("Tensors", "\n".join(filter(None, [constants, _tensors(material, request)]))),
        ("Forward", graph.forward_source.rstrip()),
        ("Autograd works its way back", _autograd(graph)),
        ("Backward, by hand", "torch.set_grad_enabled(False)\n" + plan.backward_source.rstrip()),
        ("Side by side", _comparison(graph)),
    ]


def _tensors(material: Material, request: Spec) -> str:
    specs: Mapping[str, Spec] = request.get("tensors", {})
    lines = []
    for name, tensor in material.tensors.items():
        made = _recipe(specs.get(name, {}), material.dtype) or _literal(tensor)
        gradient = ".requires_grad_()" if material.inputs[name].needs else ""
        lines.append(f"{name} = {made}{gradient}")
    return "\n".join(lines)


def _recipe(spec: Spec, dtype: torch.dtype) -> str:
    """The line that makes a tensor as it was described; nothing where only its values can say."""
    init = spec.get("init")
    if init not in ("randn", "rand"):
        return ""
    shape = tuple(spec["shape"])
    made = f"torch.{init}({shape}, generator=torch.Generator().manual_seed({spec.get('seed', 0)}))"
    made = f"({made} * {spec.get('scale', 1.0)!r} + {spec.get('shift', 0.0)!r})"
    return f"{made}.to({dtype})"


def _literal(tensor: torch.Tensor) -> str:
    words = str(tensor.tolist()).replace("inf", "math.inf").replace("nan", "math.nan")
    return f"torch.tensor({words}, dtype={tensor.dtype}).reshape({tuple(tensor.shape)})"


def _autograd(graph: Graph) -> str:
    inner = [chunk.node.variable for chunk in graph.chunks if chunk.node.needs]
    keep = f"for _tensor in ({', '.join(inner)},):\n    _tensor.retain_grad()\n" if inner else ""
    return f"{keep}{graph.loss.variable}.backward()"


def _comparison(graph: Graph) -> str:
    reached = _reached(graph)
    pairs = "".join(f'    ("{node.name}", d{node.variable}, {node.variable}.grad),\n' for node in reached)
    check = (
        "scale = max(theirs.abs().max().item() for _, _, theirs in pairs if theirs.numel())\n"
        "results = [compare(name, mine, theirs, scale) for name, mine, theirs in pairs]\n"
        'print(f"{sum(results)} of {len(results)} gradients agree with autograd")\n'
        "if not all(results):\n    raise SystemExit(1)"
    )
    # a program may call a tensor `max` or `sum`: its names are last read in `pairs`, then the check has its own back
    names = (node for node in ast.walk(ast.parse(graph.forward_source)) if isinstance(node, ast.Name))
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    hidden = CALLED & (stored | {*graph.constants} | {node.name for node in graph.inputs})
    restored = f"from builtins import {', '.join(sorted(hidden))}\n\n\n" if hidden else "\n"
    return f"pairs = [\n{pairs}]\n{restored}{COMPARE}\n\n{check}"


def _reached(graph: Graph) -> list[Node]:
    """Named tensors from which a path leads to the loss."""
    wanted, pending = set(), [graph.loss]
    while pending:
        node = pending.pop()
        if node not in wanted:
            wanted.add(node)
            pending += [source for source in node.inputs.values() if source.needs]
    return [node for node in graph.named if node in wanted and node.needs]


def _notebook(parts: list[tuple[str, str]]) -> str:
    def cell(kind: str, text: str, number: int) -> dict[str, Any]:
        base = {"cell_type": kind, "id": f"{kind}-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        return base if kind == "markdown" else base | {"execution_count": None, "outputs": []}

    cells = []
    for number, (title, code) in enumerate(parts):
        cells += [cell("markdown", f"## {title}", number), cell("code", code, number)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)
