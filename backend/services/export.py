"""Exports a walk as a file that runs in plain PyTorch: forward, backward, and a check in two precisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import torch

from backend.engine.execute.plan import Plan, plan_for
from backend.engine.language.guard import guarded
from backend.engine.language.layout import broken
from backend.engine.language.tree import stored_in
from backend.engine.language.unparse import printed
from backend.engine.language.unused import underscored
from backend.engine.trace.comments import Comments
from backend.engine.trace.graph import Graph
from backend.pipeline import make_plan, material_of
from backend.program.changes import touched
from backend.program.notebook import Cell, notebook
from backend.program.request import Material, Request

# What backend/engine/verify/compare.py decides, in lines that anybody can read; a test holds the two together.
JUDGE = '''\
def largest(tensor):
    """The size of a tensor's largest finite number; 0 where it has none."""
    finite = tensor[tensor.isfinite()].abs()
    return finite.max().item() if finite.numel() else 0.0


def difference(a, b):
    """|a - b| cell by cell: 0 where both are the same, be it NaN or infinite; infinite where only one is."""
    same = (a == b) | (a.isnan() & b.isnan())
    return (a - b).abs().nan_to_num(nan=math.inf, posinf=math.inf).masked_fill(same, 0.0)


def top(tensor):
    return tensor.max().item() if tensor.numel() else 0.0


def judge(mine, theirs, mine_other, theirs_other, scale):
    """The word for one gradient, from its values in both precisions; `scale` is the size of the largest gradient."""
    if mine.shape != theirs.shape or mine_other.shape != theirs_other.shape:
        return "WRONG SHAPE", math.inf
    off = difference(mine, theirs)
    coarse, fine = (mine, theirs), (mine_other, theirs_other)
    if mine.dtype == torch.float64:
        coarse, fine = fine, coarse
    # Is the true value zero? Then what is left in float32 is small, and it shrinks in float64 as no gradient does.
    residue = max(largest(coarse[0]), largest(coarse[1]))
    finite = bool(coarse[0].isfinite().all() and fine[0].isfinite().all())
    zero = finite and 0 < residue < 1e-5 * scale and largest(fine[1]) < 1e-5 * residue
    if finite and residue == 0:  # it may cancel to the last bit there
        zero = 0 < max(largest(fine[0]), largest(fine[1])) < 1e-14 * scale
    # Right is what agrees in float64, and in float32 within some roundings, or within some of those of autograd itself.
    own = top(difference(theirs.double(), theirs_other.double()))
    allowed = 2e-4 * theirs.abs().nan_to_num() + 2e-5 * largest(theirs) + 32 * own
    # Where nearly all of a gradient cancels, float64 loses as many digits as float32, of which it has 2**29 times more.
    size = largest(fine[1]) or 1.0
    tolerance = min(max(1e-7, 32 * own / size * 2**-29), 1e-5) * (1.0 if zero else size)
    right = top(difference(*fine)) <= tolerance and (zero or bool((off <= allowed).all()))
    word = "zero up to rounding" if zero else "approximate" if off.any() else "exact"
    word = word if bool(mine.isfinite().all() and theirs.isfinite().all()) else "not finite"
    return word if right else "WRONG", top(off)
'''
CHECK = """
kind, other = {order}
scale = max(largest(theirs) for _, theirs in {gradients}[kind].values()) or 1.0
results = []
for name, (mine, theirs) in {gradients}[kind].items():
    word, off = judge(mine, theirs, *{gradients}[other][name], scale)
    print(f"{{name:20s}} {{word:20s}} max difference {{off:.3g}}")
    results.append(not word.startswith("WRONG"))
print(f"{{sum(results)}} of {{len(results)}} gradients agree with autograd")
if not all(results):
    raise SystemExit(1)"""
CALLED = frozenset({"SystemExit", "abs", "all", "bool", "max", "min", "print", "round", "sum"})  # by check and programs
TITLE = "A forward pass, its backward pass written out by gradwalk, and a check against autograd"
# Kinds of number that follow the precision of a pass; comments and facts of a kind stay as they are.
FLOATS = re.compile(
    r"(?P<kept>#[^\n]*|torch\.finfo\([^)]*\))|\.float\(\s*\)|\btorch\.(?:float32|float64|float|double)\b"
)


@guarded
def export(request: Request, form: str, names: Path | None = None) -> dict[str, str]:
    """The walk of a request as a Python file (`py`) or a notebook (`ipynb`): its name, media type and text."""
    material = material_of(request, names)
    parts = _parts(material, plan_for(material, make_plan), request)
    stem = (material.lesson.name if material.lesson else "gradwalk").replace("-", "_")
    if form == "ipynb":
        return {"filename": f"{stem}.ipynb", "media_type": "application/x-ipynb+json", "text": notebook(_cells(parts))}
    text = "\n\n".join(f"# {title}\n{code}" for title, code in parts) + "\n"
    return {"filename": f"{stem}.py", "media_type": "text/x-python", "text": text}


def _parts(material: Material, plan: Plan, request: Request) -> list[tuple[str, str]]:
    imports = "import math\n\nimport torch\nimport torch.nn.functional as F\n\ntorch.set_num_threads(1)"
    stored = _names(plan.graph)
    taken = stored | {f"d{name}" for name in stored}
    precision, gradients = (underscored(word, taken) for word in ("precision", "gradients"))
    own = material.dtype
    other = torch.float32 if own is torch.float64 else torch.float64
    hidden = sorted(CALLED & stored)
    restored = f"from builtins import {', '.join(hidden)}\n\n" if hidden else ""
    passes = "\n\n".join(f"# {title}\n{code}" for title, code in _passes(material, plan, request, precision))
    loop = (
        f"{gradients} = {{}}\nfor {precision} in ({other}, {own}):\n"
        + _indented(f"torch.set_default_dtype({precision})\ntorch.set_grad_enabled(True)\n{restored}\n{passes}\n")
        + _indented(f"{gradients}[{precision}] = {{\n{''.join(_pairs(plan.graph))}}}\n")
        + "torch.set_default_dtype(torch.float32)\ntorch.set_grad_enabled(True)"
    )
    check = CHECK.format(order=f"{own}, {other}", gradients=gradients)
    return [
        (TITLE, imports),
        (f"Forward and backward in two precisions; {str(own).removeprefix('torch.')} is the walk's own", loop),
        ("Side by side", f"{restored}{JUDGE}\n{check}"),
    ]


def _passes(material: Material, plan: Plan, request: Request, precision: str) -> Iterator[tuple[str, str]]:
    """What runs in each precision, with titles."""
    graph = plan.graph
    constants = "\n".join(f"{name} = {value!r}" for name, value in material.constants.items())
    yield "Tensors", "\n".join(filter(None, [constants, _tensors(material, request, precision)]))
    yield "Forward", _in_precision(_forward(graph), precision)
    yield "Autograd works its way back", _autograd(graph)
    backward = _in_precision(plan.backward_source.rstrip(), precision)
    yield "Backward, written out by gradwalk", f"torch.set_grad_enabled(False)\n{backward}\n"


def _forward(graph: Graph) -> str:
    """The forward lines, printed from what runs: of the pasted text only comments go into a file that will be run."""
    if graph.unrolled:
        return graph.forward_source.rstrip()  # written anew already
    comments, rows = Comments(graph.forward_source, blanks=True), list[str]()
    for statement in graph.statements:
        rows += comments.rows(broken(printed(statement)), statement.lineno, statement.end_lineno or statement.lineno)
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*rows, *comments.rest()])).strip("\n")


def _in_precision(code: str, precision: str) -> str:
    """Code whose decimals are of the precision of the pass."""

    def kept_or_not(found: re.Match[str]) -> str:
        text = found[0]
        if found["kept"]:
            return text
        return f".to({precision})" if text.startswith(".") else precision

    return FLOATS.sub(kept_or_not, code)


def _indented(code: str) -> str:
    return "".join(f"    {line}\n" if line.strip() else "\n" for line in code.split("\n")[:-1])


def _names(graph: Graph) -> set[str]:
    """Every name that a program gives a value, or is given."""
    return {*stored_in(*graph.statements), *graph.constants, *(str(node.name) for node in graph.inputs)}


def _tensors(material: Material, request: Request, precision: str) -> str:
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


def _autograd(graph: Graph) -> str:
    inner = [chunk.node.variable for chunk in graph.chunks if chunk.node.needs]
    keep = f"for _tensor in ({', '.join(inner)},):\n    _tensor.retain_grad()\n" if inner else ""
    return f"{keep}{graph.loss.variable}.backward()"


def _pairs(graph: Graph) -> Iterator[str]:
    """A line for each gradient: what the lines gave, and what autograd found."""
    for node in (node for node in graph.named if node in graph.reached):
        yield f'    "{node.name}": (d{node.variable}, {node.variable}.grad),\n'


def _cells(parts: list[tuple[str, str]]) -> Iterator[Cell]:
    for title, code in parts:
        yield "markdown", f"## {title}"
        yield "code", code
