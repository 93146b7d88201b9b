"""Exports a walk as a file that runs in plain PyTorch: forward, backward, and a check in two precisions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from backend.engine.execute.plan import Plan, plan_for
from backend.engine.language.guard import guarded
from backend.engine.language.unused import underscored
from backend.engine.trace.graph import Graph
from backend.pipeline import make_plan, material_of
from backend.program.notebook import Cell, notebook
from backend.program.request import Material, Request
from backend.services import assignment
from backend.services.plain_torch import autograd_text, forward_text, in_precision, names_of, tensors_text

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
    left = max(largest(fine[0]), largest(fine[1]))
    room = 1e-4 if left < 1e-13 * scale else 1e-5  # more may be left there where next to nothing is in float64
    zero = finite and 0 < residue < room * scale and largest(fine[1]) < 1e-5 * residue
    if finite and residue == 0:  # it may cancel to the last bit there
        zero = 0 < left < 1e-14 * scale
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
NOTEBOOK = "application/x-ipynb+json"
TITLE = "A forward pass, its backward pass written out by gradwalk, and a check against autograd"


@guarded
def export(request: Request, form: str, names: Path | None = None) -> dict[str, str]:
    """The walk of a request as a Python file (`py`) or a notebook (`ipynb`), or its exercise as one for a course
    (`nbgrader`, `otter`): name, media type and text."""
    material = material_of(request, names)
    stem = (material.lesson.name if material.lesson else "gradwalk").replace("-", "_")
    if form in assignment.COURSES:
        text = notebook(assignment.cells_of(request, form, names))
        return {"filename": f"{stem}_{form}.ipynb", "media_type": NOTEBOOK, "text": text}
    parts = _parts(material, plan_for(material, make_plan), request)
    if form == "ipynb":
        return {"filename": f"{stem}.ipynb", "media_type": NOTEBOOK, "text": notebook(_cells(parts))}
    text = "\n\n".join(f"# {title}\n{code}" for title, code in parts) + "\n"
    return {"filename": f"{stem}.py", "media_type": "text/x-python", "text": text}


def _parts(material: Material, plan: Plan, request: Request) -> list[tuple[str, str]]:
    imports = "import math\n\nimport torch\nimport torch.nn.functional as F\n\ntorch.set_num_threads(1)"
    stored = names_of(plan.graph)
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
    yield "Tensors", "\n".join(filter(None, [constants, tensors_text(material, request, precision)]))
    yield "Forward", in_precision(forward_text(graph), precision)
    yield "Autograd works its way back", autograd_text(graph)
    backward = in_precision(plan.backward_source.rstrip(), precision)
    yield "Backward, written out by gradwalk", f"torch.set_grad_enabled(False)\n{backward}\n"


def _indented(code: str) -> str:
    return "".join(f"    {line}\n" if line.strip() else "\n" for line in code.split("\n")[:-1])


def _pairs(graph: Graph) -> Iterator[str]:
    """A line for each gradient: what the lines gave, and what autograd found."""
    for node in (node for node in graph.named if node in graph.reached):
        yield f'    "{node.name}": (d{node.variable}, {node.variable}.grad),\n'


def _cells(parts: list[tuple[str, str]]) -> Iterator[Cell]:
    for title, code in parts:
        yield Cell("markdown", f"## {title}")
        yield Cell("code", code)
